//! A fault in a record: the problem, and the byte at which it shows.
//!
//! Parsers report faults by their offset in a block. Only the reader knows which line of the file that is.

use std::{error::Error, fmt, io, sync::Arc};

use rosenblatt_core::data::{beginning, excerpt};

use crate::{escape::escaped, number_form::NumberForm};

/// A problem at a place in a record.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Text in a column of numbers.
    #[error("`{text}` in column `{column}` is not a number", column = excerpt(.column))]
    NotANumber {
        /// The cell.
        text: Excerpt,
        /// The column's name.
        column: String,
    },
    /// A number in a column of text.
    #[error("`{text}` is a number in column `{column}`, which holds text (`{first}` above)", column = excerpt(.column))]
    NumberInText {
        /// The cell.
        text: Excerpt,
        /// The column's name.
        column: String,
        /// The first cell of the column that is not empty.
        first: Excerpt,
    },
    /// NaN, an infinity, or a number past the range.
    #[error("`{text}` in column `{column}` is not a finite 64-bit number", column = excerpt(.column))]
    NotFinite {
        /// The cell.
        text: Excerpt,
        /// The column's name.
        column: String,
    },
    /// A number whose product with another one might not be finite.
    #[error(
        "`{text}` in column `{column}` is too large to be multiplied: an interaction takes numbers up to 2^490 (3.19e147)", column = excerpt(.column))]
    TooLargeFactor {
        /// The cell.
        text: Excerpt,
        /// The column's name.
        column: String,
    },
    /// A cell without anything in it.
    #[error("the cell of column `{column}` is empty", column = excerpt(.column))]
    EmptyCell {
        /// The column's name.
        column: String,
    },
    /// A spelling of a missing value.
    #[error("`{text}` in column `{column}` is a missing value", column = excerpt(.column))]
    MissingValue {
        /// The cell.
        text: Excerpt,
        /// The column's name.
        column: String,
    },
    /// A column without any value.
    #[error("every cell of column `{column}` is missing", column = excerpt(.column))]
    AllMissing {
        /// The column's name.
        column: String,
    },
    /// A column of numbers and text, at the first cell of the rarer kind.
    #[error("{}", mixed_column(.text, .column, .counts))]
    MixedColumn {
        /// The cell.
        text: Excerpt,
        /// The column's name.
        column: String,
        /// The numbers of cells.
        counts: Box<CellCounts>,
    },
    /// A column of numbers in which two or more cells are text, always the same.
    #[error("{}", mixed_column(.text, .column, .counts))]
    OneText {
        /// The text.
        text: Excerpt,
        /// The column's name.
        column: String,
        /// The numbers of cells.
        counts: Box<CellCounts>,
    },
    /// A column of numbers in a form that was not chosen.
    #[error("column `{column}` holds {} like `{text}`: {}", counted(*.cells), form.noun(), column = excerpt(.column))]
    OtherForm {
        /// The first such cell.
        text: Excerpt,
        /// The column's name.
        column: String,
        /// The number of such cells.
        cells: u64,
        /// The form that reads them.
        form: Box<NumberForm>,
    },
    /// A column of text with nearly as many values as cells.
    #[error("column `{column}` holds text with {values} different values in {}", counted(*.cells), column = excerpt(.column))]
    ManyValues {
        /// The column's name.
        column: String,
        /// The number of different values.
        values: u64,
        /// The number of cells.
        cells: u64,
    },
    /// A label that is missing.
    #[error("the label `{text}` (column `{column}`) is a missing value", column = excerpt(.column))]
    MissingLabel {
        /// The label.
        text: Excerpt,
        /// The column's name.
        column: String,
    },
    /// A cell of a file of columns that has no value.
    #[error("the cell of column `{column}` is null", column = excerpt(.column))]
    Null {
        /// The column's name.
        column: String,
    },
    /// An integer that has no exact `f64`.
    #[error(
        "the integer {text} in column `{column}` has no exact 64-bit float: those past 2^53 have gaps", column = excerpt(.column))]
    NotExact {
        /// The integer.
        text: Excerpt,
        /// The column's name.
        column: String,
    },
    /// A row without a label.
    #[error("the label (column `{column}`) is empty", column = excerpt(.column))]
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
    #[error("two columns are called `{name}`", name = excerpt(.name))]
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

/// The longest list of columns in a message, in characters.
pub(crate) const LONGEST_LIST: usize = 500;

/// The cells of a column of numbers and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellCounts {
    /// The number of cells that are numbers.
    pub numbers: u64,
    /// The number of cells that are text.
    pub texts: u64,
    /// The number of all cells, also those that are missing.
    pub cells: u64,
    /// The number of different values.
    pub values: u64,
}

impl Problem {
    /// Whether the row has no label.
    pub(crate) fn is_of_no_label(&self) -> bool {
        match self {
            Problem::EmptyLabel { .. } | Problem::MissingLabel { .. } => true,
            Problem::NotFiniteLabel { text } => text.to_string().eq_ignore_ascii_case("nan"),
            _ => false,
        }
    }
}

impl CellCounts {
    /// So many different values may be categories.
    pub(crate) const FEW: u64 = 20;
}

fn counted(cells: u64) -> String {
    if cells == 1 { "1 cell".to_owned() } else { format!("{cells} cells") }
}

fn mixed_column(text: &Excerpt, column: &str, counts: &CellCounts) -> String {
    let CellCounts { numbers, texts, cells, .. } = *counts;
    let column = excerpt(column);
    let of = counted(cells);
    let are = |cells| if cells == 1 { "is" } else { "are" };
    match numbers < texts {
        true => {
            let are = are(texts);
            format!("`{text}` is a number, but {texts} of {of} of column `{column}` {are} text")
        }
        false => {
            let are = are(numbers);
            format!("`{text}` is not a number, as {numbers} of {of} of column `{column}` {are}")
        }
    }
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
        Excerpt(escaped(&beginning(text.trim(), MOST)))
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
