//! The problems that only JSON can have.

use rosenblatt_core::data::excerpt;

use crate::fault::{Excerpt, FormatProblem, Problem};

/// A problem of JSON.
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
    /// A key that the rows that decided the columns do not have.
    #[error("the first rows have no key `{name}`", name = excerpt(.name))]
    NewKey {
        /// The key.
        name: String,
    },
    /// A key that an object has twice.
    #[error("the object has the key `{name}` twice", name = excerpt(.name))]
    DuplicateKey {
        /// The key.
        name: String,
    },
    /// A list with another number of values than the first one.
    #[error("the list has {found} values, expected {expected}, as the first one has")]
    Length {
        /// The number of values.
        found: usize,
        /// That of the first list.
        expected: usize,
    },
    /// A second list that may hold rows or labels.
    #[error("`{name}` is a list too, beside that of the rows", name = excerpt(.name))]
    SecondTable {
        /// Its key.
        name: String,
    },
    /// Objects of which most do not have most keys.
    #[error("the objects have {keys} different keys, each of them few")]
    SparseKeys {
        /// The number of keys.
        keys: usize,
    },
    /// A document that has to be in memory as a whole, and is too large for that.
    #[error("a document that is no list of rows may have at most {} MiB", .most >> 20)]
    TooLarge {
        /// The most bytes.
        most: usize,
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
