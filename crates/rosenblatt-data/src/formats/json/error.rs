//! The problems that only JSON can have.

use rosenblatt_core::data::excerpt;

use crate::fault::{Excerpt, FormatProblem, Problem};

/// A problem of JSON objects.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonProblem {
    /// Text that JSON does not have at this place.
    #[error("found {}, expected {expected}", found(.text))]
    Unexpected {
        /// The text, up to the end of its line.
        text: Excerpt,
        /// The expected text, in words.
        expected: &'static str,
    },
    /// An object or a list as a value.
    #[error("the value of `{column}` is an object or a list, expected one value", column = excerpt(.column))]
    Nested {
        /// The column.
        column: String,
    },
    /// A key that the first object does not have.
    #[error("the first object has no key `{name}`", name = excerpt(.name))]
    NewKey {
        /// The key.
        name: String,
    },
}

impl From<JsonProblem> for Problem {
    fn from(problem: JsonProblem) -> Self {
        Problem::Format(FormatProblem::new(problem))
    }
}

fn found(text: &Excerpt) -> String {
    let text = text.to_string();
    if text.is_empty() { "the end".to_owned() } else { format!("`{text}`") }
}
