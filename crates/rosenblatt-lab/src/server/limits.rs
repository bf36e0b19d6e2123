//! How much is served at a time, and for how long.

use std::time::Duration;

/// Limits of the server. With them memory is bounded by
/// `connections × (header_bytes + question_bytes)` and `answers + waiting` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections that are open at a time; others wait to be accepted.
    pub connections: usize,
    /// Answers that are worked on at a time.
    pub answers: usize,
    /// Questions that wait for their turn, beside those; one more is refused.
    pub waiting: usize,
    /// The longest question, in bytes.
    pub question_bytes: usize,
    /// The most bytes of a request line with its headers.
    pub header_bytes: usize,
    /// The most headers.
    pub headers: usize,
    /// How long the headers may take to come, how long the body, and how long a connection may idle.
    pub reading: Duration,
    /// How long an answer may be worked on.
    pub answering: Duration,
    /// How long a client may take to receive an answer.
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
