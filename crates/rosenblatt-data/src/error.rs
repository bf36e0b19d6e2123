//! What can be wrong with a file, and where.
//!
//! Messages say what was found and what was expected. How to resolve it in a given front end (which
//! option, which argument) is that front end's to say.

use std::{fmt, io};

use crate::{blocks::LongRow, columnar::ColumnarProblem, idx::IdxProblem, shown::escaped, source};

/// A file could not be read. Lines and columns count from 1; columns are characters.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be opened.
    #[error("{file}: {error}")]
    Open {
        /// The file.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// Reading failed on the way, or compressed data are cut off or damaged.
    #[error("{file}: after line {line}: {what}: {error}")]
    Read {
        /// The file.
        file: String,
        /// The last complete line before.
        line: u64,
        /// What failed: reading, or undoing a compression.
        what: &'static str,
        /// Why.
        error: io::Error,
    },
    /// There is not a single byte.
    #[error("{file}: the file is empty")]
    Empty {
        /// The file.
        file: String,
    },
    /// There are lines, but no example.
    #[error("{file}: no example{}", skipped_note(*.skipped))]
    NoExamples {
        /// The file.
        file: String,
        /// How many rows were skipped.
        skipped: u64,
        /// Whether the first line was taken as a header.
        header: bool,
    },
    /// Nothing says what format the file has.
    #[error("{file}: cannot tell the format from the name or the first line `{line}`")]
    UnknownFormat {
        /// The file.
        file: String,
        /// The beginning of the first line.
        line: String,
    },
    /// The bytes are not text in UTF-8.
    #[error("{file}: this is {found}, expected text in UTF-8")]
    NotText {
        /// The file.
        file: String,
        /// What it looks like.
        found: &'static str,
    },
    /// A column that was asked for is not there.
    #[error("{file}: no column `{name}`; the columns are {columns}")]
    NoSuchColumn {
        /// The file.
        file: String,
        /// What was asked for.
        name: String,
        /// The names that there are.
        columns: String,
    },
    /// The target is among the columns to leave out.
    #[error("{file}: {}", match .target { Some(target) => format!("column `{target}` is both target and ignored"), None => "all columns are ignored".to_owned() })]
    TargetIgnored {
        /// The file.
        file: String,
        /// The target that was asked for.
        target: Option<String>,
    },
    /// A column was named, but the file has none.
    #[error("{file}: no column `{name}`: this is {format}, which have no columns")]
    NoColumns {
        /// The file.
        file: String,
        /// What was asked for.
        name: String,
        /// The format, in words.
        format: &'static str,
    },
    /// Labels of their own were given for a format that has them in each row.
    #[error("{file}: the labels are in this file itself, {labels} is for IDX data")]
    LabelsBeside {
        /// The file.
        file: String,
        /// The file with other labels.
        labels: String,
    },
    /// Examples and labels are both to come from standard input.
    #[error("examples and labels cannot both come from standard input")]
    BothStandardInput,
    /// Something is wrong with IDX data.
    #[error("{file}: {problem}")]
    Idx {
        /// The file.
        file: String,
        /// What is wrong.
        problem: Box<IdxProblem>,
    },
    /// Something is wrong with a Parquet or Arrow file.
    #[error("{file}: {problem}")]
    Columnar {
        /// The file.
        file: String,
        /// What is wrong.
        problem: Box<ColumnarProblem>,
    },
    /// No column is left to learn from.
    #[error("{file}: no feature is left beside the target `{target}`")]
    NoFeatures {
        /// The file.
        file: String,
        /// The target.
        target: String,
        /// The number of columns.
        columns: usize,
    },
    /// More features than allowed, because of the categories.
    #[error("{file}: {features} features with one for each category{}, the limit is {limit}", of_column(.column.as_ref()))]
    TooManyFeatures {
        /// The file.
        file: String,
        /// How many there are, so far.
        features: usize,
        /// The column that gives the most of them, in a table.
        column: Option<MostFeatures>,
        /// How many are allowed.
        limit: usize,
    },
    /// More different labels than can be classes.
    #[error(
        "{file}: found more than {most} different labels ({shown}), at most {most} can be classes"
    )]
    TooManyLabels {
        /// The file.
        file: String,
        /// The column with the labels, in a table.
        target: Option<String>,
        /// The first of them.
        shown: String,
        /// How many can be classes.
        most: usize,
    },
    /// A column that the model needs is not there.
    #[error("{file}: the model needs the column `{name}`; the columns are {columns}")]
    MissingColumn {
        /// The file.
        file: String,
        /// The column of the model.
        name: String,
        /// The names that there are.
        columns: String,
    },
    /// The number of columns is not the model's.
    #[error("{file}: found {found} column{}, the model expects {expected}", if *.found == 1 { "" } else { "s" })]
    ColumnCount {
        /// The file.
        file: String,
        /// How many columns there are.
        found: usize,
        /// What the model expects, in words.
        expected: String,
    },
    /// The file has another format than the one the model was trained on.
    #[error("{file}: this is {found}, the model was trained on {expected}")]
    OtherFormat {
        /// The file.
        file: String,
        /// The format of the file.
        found: &'static str,
        /// The format that the model was trained on.
        expected: &'static str,
    },
    /// Something in a line is wrong.
    #[error("{file}:{line}:{column}: {problem}")]
    Data {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The column in characters, from 1.
        column: u64,
        /// What is wrong.
        problem: Problem,
    },
}

impl ReadError {
    /// The error of reading the block that comes after `before` lines. It broke off after `line`, all lines counted;
    /// `what` is what an error of reading means here.
    pub(crate) fn of_block(
        file: String,
        (before, line): (u64, u64),
        what: &'static str,
        error: io::Error,
    ) -> Self {
        if let Some(problem) = LongRow::problem(&error) {
            return ReadError::Data { file, line: before + 1, column: 1, problem };
        }
        ReadError::Read { file, line, what: source::meaning(what, &error), error }
    }
}

/// The column of a table that gives the most features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MostFeatures {
    /// Its name.
    pub column: String,
    /// How many features it gives, so far.
    pub features: usize,
}

fn of_column(most: Option<&MostFeatures>) -> String {
    most.map_or_else(String::new, |most| {
        format!(" ({} of column `{}`)", most.features, Excerpt::new(most.column.as_bytes()))
    })
}

fn skipped_note(skipped: u64) -> String {
    match skipped {
        0 => String::new(),
        1 => " left, 1 row was skipped".to_owned(),
        _ => format!(" left, {skipped} rows were skipped"),
    }
}

/// What is wrong at a place in a line.
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
    /// An integer that is no `f64`.
    #[error(
        "the integer {text} in column `{column}` is no 64-bit float: those past 2^53 have gaps"
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
    /// A row with too few or too many cells.
    #[error("found {found} cell{}, expected {expected} as in the first row", if *.found == 1 { "" } else { "s" })]
    RaggedRow {
        /// How many cells the row has.
        found: usize,
        /// How many the first row has.
        expected: usize,
    },
    /// A quote that is not closed before the end of the file.
    #[error("this quote is never closed")]
    OpenQuote,
    /// Text between a closing quote and the end of the cell.
    #[error("text after the closing quote of the cell")]
    TextAfterQuote,
    /// A row that does not end.
    #[error("the row that begins here is longer than {mebibytes} MiB")]
    LongRow {
        /// How long a row may be.
        mebibytes: usize,
    },
    /// A byte order mark that is not at the beginning of the file.
    #[error("a byte order mark in the middle of the file")]
    ByteOrderMark,
    /// A label that is NaN or infinite.
    #[error("the label `{text}` is NaN or infinite, which is no class")]
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
    /// A header cell that looks like data.
    #[error("the column name `{text}` is a number")]
    HeaderIsNumber {
        /// The cell.
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
        /// How many there are.
        features: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// A LIBSVM label that is not a number.
    #[error("the label `{text}` is not a finite number")]
    BadLabel {
        /// The label.
        text: Excerpt,
    },
    /// A LIBSVM line that begins with a feature.
    #[error("found `{text}` where a label is expected")]
    MissingLabel {
        /// The first word.
        text: Excerpt,
    },
    /// A LIBSVM word without a colon.
    #[error("found `{text}`, expected index:value")]
    NotAPair {
        /// The word.
        text: Excerpt,
    },
    /// A LIBSVM index that is not a whole number.
    #[error("the index `{text}` is not a whole number")]
    BadIndex {
        /// The index.
        text: Excerpt,
    },
    /// The index 0 in a file that counts from 1.
    #[error("the index is 0, indices count from 1")]
    IndexZero,
    /// An index past the limit.
    #[error("the index {index} is above the limit of {limit} features")]
    IndexTooLarge {
        /// The index as written.
        index: Excerpt,
        /// How many features are allowed.
        limit: usize,
    },
    /// An index that repeats or goes back.
    #[error("the index {index} comes after {previous}, indices must ascend")]
    NotAscending {
        /// The index.
        index: u64,
        /// The one before.
        previous: u64,
    },
    /// A LIBSVM value that is not a number.
    #[error("the value `{text}` of index {index} is not a number")]
    BadValue {
        /// The value.
        text: Excerpt,
        /// The index.
        index: u64,
    },
    /// A LIBSVM value that is NaN, infinite or past the range.
    #[error("the value `{text}` of index {index} is not a finite 64-bit number")]
    ValueNotFinite {
        /// The value.
        text: Excerpt,
        /// The index.
        index: u64,
    },
    /// An IDX value that is NaN or infinite.
    #[error("the value `{text}` is not a finite number")]
    NotFiniteValue {
        /// The value.
        text: Excerpt,
    },
    /// A label that is not one of the model's.
    #[error("the label `{text}` is no class of the model: {classes}")]
    UnknownLabel {
        /// The label.
        text: Excerpt,
        /// The model's classes.
        classes: String,
    },
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
    pub(crate) fn new(offset: usize, problem: Problem) -> Self {
        Fault { offset, problem }
    }
}
