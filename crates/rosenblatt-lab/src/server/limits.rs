//! The limits on requests and answers.

use std::{num::NonZero, thread, time::Duration};

/// Limits of the server. With them memory is bounded by
/// `connections × (header_bytes + question_bytes)` and `answers + waiting` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of open connections; others wait to be accepted.
    pub connections: usize,
    /// The maximum number of them from one address; one more is closed at once.
    pub connections_of_one: usize,
    /// The maximum number of questions that are answered at a time, each on one thread.
    pub answers: usize,
    /// The maximum number of questions that wait in addition. If one more comes, the last question of the client that has
    /// most is refused.
    pub waiting: usize,
    /// The maximum length of a question in bytes.
    pub question_bytes: usize,
    /// The maximum length of a request line with its headers in bytes.
    pub header_bytes: usize,
    /// The maximum number of headers.
    pub headers: usize,
    /// The time limit for the headers, for the body, and for an idle connection.
    pub reading: Duration,
    /// The time limit for the work on an answer, for machines on which its counted work takes long.
    pub answering: Duration,
    /// The time limit for a client to receive an answer.
    pub taking: Duration,
}

impl Default for Limits {
    /// Limits for a class: a browser opens up to six connections, and asks up to four questions at a time.
    fn default() -> Self {
        Limits {
            connections: 512,
            connections_of_one: 256,
            answers: thread::available_parallelism().map_or(2, NonZero::get).clamp(2, 8),
            waiting: 320,
            question_bytes: 1 << 20,
            header_bytes: 32 << 10,
            headers: 64,
            reading: Duration::from_secs(10),
            answering: Duration::from_secs(20),
            taking: Duration::from_secs(30),
        }
    }
}
