//! The limits on requests and answers.

use std::time::Duration;

/// Limits of the server. With them memory is bounded by
/// `connections × (header_bytes + question_bytes)` and `answers + waiting` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of open connections; others wait to be accepted.
    pub connections: usize,
    /// The maximum number of questions that are answered at a time.
    pub answers: usize,
    /// The maximum number of questions that wait in addition; one more is refused.
    pub waiting: usize,
    /// The maximum length of a question in bytes.
    pub question_bytes: usize,
    /// The maximum length of a request line with its headers in bytes.
    pub header_bytes: usize,
    /// The maximum number of headers.
    pub headers: usize,
    /// The time limit for the headers, for the body, and for an idle connection.
    pub reading: Duration,
    /// The time limit for the work on an answer.
    pub answering: Duration,
    /// The time limit for a client to receive an answer.
    pub taking: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 64,
            answers: 2,
            waiting: 8,
            question_bytes: 1 << 20,
            header_bytes: 32 << 10,
            headers: 64,
            reading: Duration::from_secs(10),
            answering: Duration::from_secs(5),
            taking: Duration::from_secs(30),
        }
    }
}
