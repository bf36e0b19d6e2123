//! From a question to its answer.

mod errors;
mod file;
mod inseparable;
mod limit;
mod patterns;
mod points;
mod score;
mod separable;
mod study;
mod table;
mod trace;
mod train;

use rosenblatt::study::StudyError;
use rosenblatt_core::{
    data::{ClassError, RowError, RowsError},
    model::PredictError,
    train::{OptionError, TrainError},
};
use rosenblatt_data::ReadError;
use serde::Serialize;

use self::limit::Work;
use crate::{error_body::error_body, question::Question, table::TableError};

/// Returns whether to stop the work; called often, on the thread that answers.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The reason why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The question is not JSON, has an unknown key, or a value of another type.
    #[error("{place}: {problem}")]
    Malformed {
        /// The place, as a path of keys and indices.
        place: String,
        /// The problem, with line and column.
        problem: String,
    },
    /// A list is too long for a page.
    #[error("{what}: {found}, at most {most} are answered")]
    TooMuch {
        /// The name of the list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The maximum length.
        most: usize,
    },
    /// Rows and signs, or patterns and labels, do not match.
    #[error("{what}: {found}, expected {expected}")]
    Mismatch {
        /// The name of the value.
        what: String,
        /// The value.
        found: String,
        /// The expected value.
        expected: String,
    },
    /// The rows.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// A row that does not fit a hyperplane.
    #[error(transparent)]
    Row(#[from] RowError),
    /// The labels of patterns.
    #[error(transparent)]
    Classes(#[from] ClassError),
    /// Training.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A study.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// Scores overflow.
    #[error(transparent)]
    Scores(#[from] PredictError),
    /// The file cannot be read.
    #[error(transparent)]
    Read(Box<ReadError>),
    /// The table has no such class.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The work is more than a page may ask for.
    #[error("this is more than the {most} steps of about a nanosecond that a page may ask for")]
    TooMuchWork {
        /// The maximum work.
        most: u64,
    },
    /// `stop` ended the work.
    #[error("this takes too long for a page")]
    Stopped,
}

impl Refusal {
    /// Advice for the user, if there is any.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Refusal::Stopped | Refusal::TooMuchWork { .. } => Some(
                "use fewer points, epochs or runs, or the command `rosenblatt`, which has no time limit",
            ),
            Refusal::TooMuch { .. } => Some("the command `rosenblatt` has no such limit"),
            Refusal::Train(TrainError::OneClass { .. }) => Some("add a point of the other class"),
            Refusal::Read(error) => file::hint(error),
            _ => None,
        }
    }
}

impl Refusal {
    /// The status with which the server sends this error: 400 for a question that is no question, otherwise 422.
    pub fn status(&self) -> u16 {
        if matches!(self, Refusal::Malformed { .. }) { 400 } else { 422 }
    }

    /// The error as the page reads it: `{"error": {"message", "hint"?}}`.
    pub fn json(&self) -> Vec<u8> {
        error_body(&self.to_string(), self.hint())
    }
}

/// Answers a question in JSON with an answer in JSON; see [`Question`]. A question always has one answer, bit for bit,
/// on every machine.
///
/// The limits of the question bound memory, and counted work bounds the time to a few seconds: the same question is
/// refused on every machine, or on none. The work also ends when `stop` returns true, which is called often.
///
/// # Errors
/// [`Refusal`].
///
/// ```
/// let question = br#"{"separable": {"points": {"rows": [[0], [1], [2]], "signs": [1, -1, 1]}}}"#;
/// let answer = rosenblatt_lab::answer(question, &|| false)?;
/// assert!(String::from_utf8(answer)?.contains(r#""separable":"no""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer(question: &[u8], stop: Stop<'_>) -> Result<Vec<u8>, Refusal> {
    let mut reader = serde_json::Deserializer::from_slice(question);
    let malformed = |place: String, problem: serde_json::Error| {
        let place = if place == "." { "question".to_owned() } else { place };
        Refusal::Malformed { place, problem: problem.to_string() }
    };
    let read = serde_path_to_error::deserialize(&mut reader);
    let question: Question =
        read.map_err(|error| malformed(error.path().to_string(), error.into_inner()))?;
    reader.end().map_err(|error| malformed(".".to_owned(), error))?;
    let work = &Work::new(stop);
    match question {
        Question::Train(question) => json(&train::train(&question, work)?),
        Question::Trace(question) => json(&table::table(&question, work)?),
        Question::Errors(question) => json(&errors::errors(&question, work)?),
        Question::Separable(question) => json(&separable::separable(&question, work)?.answer()),
        Question::Inseparable(question) => json(&inseparable::inseparable(&question, work)?),
        Question::Study(question) => {
            json(&study::answer(&study::study(&question, work)?, &question, work)?)
        }
        Question::Patterns(question) => json(&patterns::patterns(&question, work)?),
        Question::File(question) => json(&file::read_file(question, work)?.values()),
    }
}

fn json(answer: &impl Serialize) -> Result<Vec<u8>, Refusal> {
    // Structs with string keys always are JSON.
    serde_json::to_vec(answer).map_err(|error| Refusal::Malformed {
        place: "answer".to_owned(),
        problem: error.to_string(),
    })
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        Refusal::Read(Box::new(error))
    }
}

impl From<OptionError> for Refusal {
    fn from(error: OptionError) -> Self {
        Refusal::Train(error.into())
    }
}
