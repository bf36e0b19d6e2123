//! A fault in a record: the problem, and the byte at which it shows.
//!
//! Parsers report faults by their offset in a block. Only the reader knows which line of the file that is.

use std::{error::Error, fmt, io, sync::Arc};

use crate::escape::escaped;

/// A problem at a place in a record.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Text in a column of numbers.
    #[error("`{text}` in column `{column}` is not a number")]
    NotANumber {
        /// The cell.
        text: Excerpt,
        /// The column's name.
        column: String,
    },
    /// A number in a column of text.
    #[error("`{text}` is a number in column `{column}`, which holds text (`{first}` above)")]
    NumberInText {
        /// The cell.
        text: Excerpt,
        /// The column's name.
        column: String,
        /// The first cell of the column that is not empty.
        first: Excerpt,
    },
    /// NaN, an infinity, or a number past the range.
    #[error("`{text}` in column `{column}` is not a finite 64-bit number")]
    NotFinite {
        /// The cell.
        text: Excerpt,
        /// The column's name.
        column: String,
    },
    /// A cell without anything in it.
    #[error("the cell of column `{column}` is empty")]
    EmptyCell {
        /// The column's name.
        column: String,
    },
    /// A cell of a file of columns that has no value.
    #[error("the cell of column `{column}` is null")]
    Null {
        /// The column's name.
        column: String,
    },
    /// An integer that has no exact `f64`.
    #[error(
        "the integer {text} in column `{column}` has no exact 64-bit float: those past 2^53 have gaps"
    )]
    NotExact {
        /// The integer.
        text: Excerpt,
        /// The column's name.
        column: String,
    },
    /// A row without a label.
    #[error("the label (column `{column}`) is empty")]
    EmptyLabel {
        /// The column's name.
        column: String,
    },
    /// A row that does not end.
    #[error("the row that begins here is longer than {mebibytes} MiB")]
    LongRow {
        /// How long a row may be.
        mebibytes: usize,
    },
    /// A label that is NaN or infinite.
    #[error("the label `{text}` is not a class: it is NaN or infinite")]
    NotFiniteLabel {
        /// The label.
        text: Excerpt,
    },
    /// A label with a line break, a tab or the like.
    #[error("the label `{text}` contains a control character")]
    ControlInLabel {
        /// The label.
        text: Excerpt,
    },
    /// Bytes that are not UTF-8 in a name, a label or a category.
    #[error("`{text}` is not UTF-8")]
    NotUtf8 {
        /// The cell, with replacement characters.
        text: Excerpt,
    },
    /// Two columns of one name.
    #[error("two columns are called `{name}`")]
    DuplicateColumn {
        /// The name.
        name: String,
    },
    /// A column without a name.
    #[error("column {position} has no name")]
    UnnamedColumn {
        /// Its position, from 1.
        position: usize,
    },
    /// More features than allowed.
    #[error("{features} features, the limit is {limit}")]
    TooManyFeatures {
        /// The number in the header.
        features: usize,
        /// The limit.
        limit: usize,
    },
    /// A label that is not one of the model's.
    #[error("the label `{text}` is not a class of the model (classes: {classes})")]
    UnknownLabel {
        /// The label.
        text: Excerpt,
        /// The model's classes.
        classes: String,
    },
    /// A problem that only the format of the file has.
    #[error("{0}")]
    Format(FormatProblem),
}

/// A problem of one format; [`downcast_ref`](Self::downcast_ref) gives it as that format's own type.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct FormatProblem(Arc<dyn Error + Send + Sync>);

impl FormatProblem {
    /// Wraps a format's own problem.
    pub fn new(problem: impl Error + Send + Sync + 'static) -> Self {
        FormatProblem(Arc::new(problem))
    }

    /// The problem, if it is of this type.
    pub fn downcast_ref<P: Error + 'static>(&self) -> Option<&P> {
        self.0.downcast_ref()
    }
}

impl PartialEq for FormatProblem {
    /// Problems are equal when their messages are.
    fn eq(&self, other: &Self) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

/// A failure of reading in words, with the error of the system. The message of a decompressor is left out: it names no
/// place in the file.
pub(crate) fn with_system_error(what: &str, error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(_) => format!("{what}: {error}"),
        None => what.to_owned(),
    }
}

/// A piece of a file for a message: short, on one line, without characters that are not seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt(String);

impl Excerpt {
    /// The beginning of `bytes`, made presentable.
    pub fn new(bytes: &[u8]) -> Self {
        const MOST: usize = 40;
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * MOST)]);
        let mut excerpt: String = text.trim().chars().take(MOST).collect();
        if text.trim().chars().nth(MOST).is_some() {
            excerpt.push('…');
        }
        Excerpt(escaped(&excerpt))
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A problem at a byte of a block; the reader knows which line that is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) offset: usize,
    pub(crate) problem: Problem,
}

impl Fault {
    pub(crate) fn new(offset: usize, problem: impl Into<Problem>) -> Self {
        Fault { offset, problem: problem.into() }
    }

    /// Moves the offset of a fault in a part of a block that begins after `bytes` bytes.
    pub(crate) fn after(self, bytes: usize) -> Self {
        Fault { offset: bytes + self.offset, ..self }
    }
}
