//! Errors of reading: the problem, and its place in a file.
//!
//! Messages say what was found and what was expected. How to resolve it in a given front end (which
//! option, which argument) is that front end's to say.

use std::{fmt, io};

use rosenblatt_core::data::excerpt;

use crate::{
    fault::{Excerpt, FormatProblem, Problem, with_system_error},
    not_text::NotText,
    room::NoRoom,
    vowpal_wabbit::VowpalWabbitLines,
};

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
    #[error("{file}: {}", broken_off(*.line, .what, .error))]
    Read {
        /// The file.
        file: String,
        /// The last complete line before.
        line: u64,
        /// The part that failed: reading, or undoing a compression.
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
    #[error("{file}: no example{}", skipped_note(*.skipped, .first.as_deref()))]
    NoExamples {
        /// The file.
        file: String,
        /// The number of rows that were skipped.
        skipped: u64,
        /// The error of the first of them.
        first: Option<String>,
        /// Whether the first line was taken as a header.
        header: bool,
    },
    /// More rows were left out than may be.
    #[error("{file}: {skipped} of {rows} rows were left out, at most {} may be; the first: {first}", percent(*.limit))]
    TooManySkipped {
        /// The file.
        file: String,
        /// The number of rows that were left out.
        skipped: u64,
        /// The number of all rows.
        rows: u64,
        /// The largest share that may be left out.
        limit: f64,
        /// The error of the first of them.
        first: String,
    },
    /// The cells of a column were asked for, which only tables in text give.
    #[error(
        "{file}: the cells of column `{name}` cannot be kept with its rows, only those of CSV, TSV, JSON, Parquet and Arrow data can", name = excerpt(.name))]
    IdNeedsText {
        /// The file.
        file: String,
        /// The column.
        name: String,
    },
    /// Neither name nor content show the format of the file.
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
        /// The kind of bytes, in words.
        found: NotText,
    },
    /// An address is not a file.
    #[error("{file}: this is an address (URL), expected a file")]
    Address {
        /// The address.
        file: String,
    },
    /// One of several files does not have the columns of the first.
    #[error("{file}: {difference}, as in {first}")]
    OtherColumns {
        /// The file.
        file: String,
        /// The first file.
        first: String,
        /// The difference, in words.
        difference: String,
    },
    /// A packed file is one of several files.
    #[error("{file}: a packed file is a data set of its own and cannot be one of several files")]
    PackedOfSeveral {
        /// The file.
        file: String,
    },
    /// A column that was asked for is not there.
    #[error("{file}: no column `{name}`; the columns are {columns}", name = excerpt(.name))]
    NoSuchColumn {
        /// The file.
        file: String,
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        columns: String,
        /// One of them that is spelled almost like this.
        similar: Option<String>,
    },
    /// The target is among the columns to leave out.
    #[error("{file}: {}", match .target { Some(target) => format!("column `{}` is both target and ignored", excerpt(target)), None => "all columns are ignored".to_owned() })]
    TargetIgnored {
        /// The file.
        file: String,
        /// The target that was asked for.
        target: Option<String>,
    },
    /// An option that has no effect with the format of the file.
    #[error("{file}: the option {option} has no effect: {}", why_idle(.option, .format))]
    NoEffect {
        /// The file.
        file: String,
        /// The option.
        option: &'static str,
        /// The format, in words.
        format: &'static str,
    },
    /// A column was named, but the file has none.
    #[error("{file}: no column `{name}`: {format} have no columns", name = excerpt(.name))]
    NoColumns {
        /// The file.
        file: String,
        /// The name that was asked for.
        name: String,
        /// The format, in words.
        format: &'static str,
    },
    /// A label file was given for a format that has the label in each row.
    #[error("{file}: this file has its own labels; a label file ({labels}) is only for IDX data")]
    UnusedLabels {
        /// The file.
        file: String,
        /// The file with other labels.
        labels: String,
    },
    /// Examples and labels are both to come from standard input.
    #[error("examples and labels cannot both come from standard input")]
    BothStandardInput,
    /// Something is wrong that only this format can have, such as [`IdxProblem`](crate::IdxProblem).
    #[error("{file}: {problem}")]
    Format {
        /// The file.
        file: String,
        /// The problem.
        problem: FormatProblem,
    },
    /// Another program changed a mapped file while its rows were used.
    #[error("{file}: this packed file changed while it was read")]
    Changed {
        /// The file.
        file: String,
    },
    /// A text in the format of Vowpal Wabbit.
    #[error("{file}: the first line is in the format of Vowpal Wabbit, which is not read")]
    VowpalWabbit {
        /// The file.
        file: String,
        /// How its lines can be rewritten.
        lines: VowpalWabbitLines,
    },
    /// No column is left to learn from.
    #[error("{file}: {}", no_features(.target, *.columns))]
    NoFeatures {
        /// The file.
        file: String,
        /// The target.
        target: String,
        /// The number of columns.
        columns: usize,
    },
    /// An interaction of a column that is no feature.
    #[error("{file}: the column `{column}` of an interaction is no feature", column = excerpt(.column))]
    InteractionOfNoFeature {
        /// The file.
        file: String,
        /// The column.
        column: String,
    },
    /// An interaction that does not name two or more different columns.
    #[error("{file}: an interaction needs two or more different columns, not `{columns}`", columns = excerpt(.columns))]
    InteractionOfOne {
        /// The file.
        file: String,
        /// The columns as they were given.
        columns: String,
    },
    /// More features than allowed, because of the categories.
    #[error("{file}: {features} features{}, the limit is {limit}", of_column(.column.as_ref()))]
    TooManyFeatures {
        /// The file.
        file: String,
        /// The number of features so far.
        features: usize,
        /// The column that gives the most of them, in a table.
        column: Option<MostFeatures>,
        /// The limit.
        limit: usize,
    },
    /// More features than there is memory for.
    #[error("{file}: {no_room}")]
    NoRoom {
        /// The file.
        file: String,
        /// The number of features.
        no_room: NoRoom,
    },
    /// More features than allowed, because of interactions.
    #[error(
        "{file}: {features} features, {products} of them products of two columns, the limit is {limit}"
    )]
    TooManyProducts {
        /// The file.
        file: String,
        /// The number of features.
        features: usize,
        /// How many of them are products.
        products: usize,
        /// The limit.
        limit: usize,
    },
    /// More different n-grams than a dictionary remembers.
    #[error(
        "{file}: column `{column}` holds more than {most} different n-grams, too many to remember", column = excerpt(.column))]
    TooManyNgrams {
        /// The file.
        file: String,
        /// The column of text.
        column: String,
        /// The largest number of n-grams.
        most: usize,
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
        /// The largest number of classes.
        most: usize,
    },
    /// No option names the label, and it is not clear that it is the last column.
    #[error("{file}: {}", doubt.message(.target))]
    UnclearTarget {
        /// The file.
        file: String,
        /// The last column.
        target: String,
        /// Why it may not be the label.
        doubt: TargetDoubt,
        /// Columns that may be the label, the likelier first.
        others: Vec<String>,
    },
    /// The label is a quantity.
    #[error(
        "{file}: the label `{target}` is a quantity: {values} different numbers in {rows} rows", target = excerpt(.target))]
    QuantityTarget {
        /// The file.
        file: String,
        /// The column with the labels.
        target: String,
        /// The number of different labels.
        values: u64,
        /// The number of rows.
        rows: u64,
    },
    /// A number that follows from all examples cannot stand in for missing ones here.
    #[error("{file}: the mean or median of column `{column}` needs all examples in memory", column = excerpt(.column))]
    FillNeedsAll {
        /// The file.
        file: String,
        /// The column.
        column: String,
    },
    /// One sign is both decimal sign and separator of thousands.
    #[error("{file}: `{sign}` is both the decimal sign and the separator of thousands")]
    SameSign {
        /// The file.
        file: String,
        /// The sign.
        sign: char,
    },
    /// A rule for missing values that does not fit the column.
    #[error("{file}: column `{column}` holds categories, which have no mean or median", column = excerpt(.column))]
    FillOfCategories {
        /// The file.
        file: String,
        /// The column.
        column: String,
    },
    /// The column that is to have the labels cannot have them.
    #[error("{file}: column `{name}` cannot be the label: {why}", name = excerpt(.name))]
    NotTheLabel {
        /// The file.
        file: String,
        /// The column.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// Labels are needed, but the column that has them in the training data is not there.
    #[error("{file}: no column `{target}`, which has the labels; the columns are {columns}", target = excerpt(.target))]
    NoLabels {
        /// The file.
        file: String,
        /// The column of the labels.
        target: String,
        /// The names that there are.
        columns: String,
    },
    /// A column that the model needs is not there.
    #[error("{file}: the model needs the column `{name}`; the columns are {columns}", name = excerpt(.name))]
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
        /// The number of columns.
        found: usize,
        /// The number that the model expects, in words.
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
    /// An error of the first rows of a stream, which cannot be read a second time.
    #[error("{error} (by the first {rows} rows, which decide how a stream is read)")]
    ByFirstRows {
        /// The error of these rows.
        error: Box<ReadError>,
        /// How many they are.
        rows: u64,
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
        /// The problem.
        problem: Problem,
    },
}

/// A place in a text, counted from 1; columns are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl Place {
    /// The place of the byte at `offset` of `bytes`, which begin with a line and have `lines` lines of the text before
    /// them.
    pub(crate) fn of(bytes: &[u8], offset: usize, lines: u64) -> Self {
        let before = &bytes[..offset.min(bytes.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
        // Bytes that continue a character in UTF-8 are not counted.
        let characters = before[line_start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        let newlines = memchr::memchr_iter(b'\n', before).count() as u64;
        Place { line: lines + newlines + 1, column: characters as u64 + 1 }
    }

    /// The error of a problem at this place of a file.
    pub(crate) fn error(self, file: &str, problem: Problem) -> ReadError {
        let Place { line, column } = self;
        ReadError::Data { file: file.to_owned(), line, column, problem }
    }
}

/// The column of a table that gives the most features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MostFeatures {
    /// Its name.
    pub column: String,
    /// The number of its features so far.
    pub features: usize,
}

/// Why the last column may not be the label.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetDoubt {
    /// The options leave it out.
    Ignored,
    /// It holds numbers that are not whole, or nearly as many different values as rows.
    Quantity {
        /// The number of different values.
        values: u64,
        /// The number of rows.
        rows: u64,
    },
    /// It holds text with nearly as many different values as rows.
    OneEach {
        /// The number of different values.
        values: u64,
        /// The number of rows.
        rows: u64,
    },
    /// Most of its cells are missing.
    MostlyMissing {
        /// The number of missing cells.
        missing: u64,
        /// The number of rows.
        rows: u64,
    },
    /// Several columns may be the label.
    Several {
        /// The likeliest, and the last one.
        candidates: Vec<Candidate>,
    },
}

/// A column that may be the label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name.
    pub column: String,
    /// The number of its different values, where the cells were counted.
    pub values: Option<u64>,
    /// Whether it is the last column.
    pub is_last: bool,
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.values.map(|values| format!("{values} different values"));
        let last = self.is_last.then(|| "the last".to_owned());
        let about = last.into_iter().chain(values).collect::<Vec<_>>().join(", ");
        write!(f, "`{}`", Excerpt::new(self.column.as_bytes()))?;
        if about.is_empty() { Ok(()) } else { write!(f, " ({about})") }
    }
}

impl TargetDoubt {
    fn message(&self, target: &str) -> String {
        let target = Excerpt::new(target.as_bytes());
        match self {
            TargetDoubt::Ignored => {
                format!("the label is the last column by default, and `{target}` is ignored")
            }
            TargetDoubt::Quantity { values, rows } => format!(
                "the last column, `{target}`, is the label by default, but is a quantity: \
                 {values} different values in {rows} rows"
            ),
            TargetDoubt::OneEach { values, rows } => format!(
                "the last column, `{target}`, is the label by default, but has {values} different \
                 values in {rows} rows"
            ),
            TargetDoubt::MostlyMissing { missing, rows } => format!(
                "the last column, `{target}`, is the label by default, but is missing in {missing} \
                 of {rows} rows"
            ),
            TargetDoubt::Several { candidates } => {
                let all: Vec<String> = candidates.iter().map(Candidate::to_string).collect();
                format!("which column is the label: {}?", all.join(" or "))
            }
        }
    }
}

fn of_column(most: Option<&MostFeatures>) -> String {
    most.map_or_else(String::new, |most| {
        format!(
            ", counting one for each category ({} of column `{}`)",
            most.features,
            Excerpt::new(most.column.as_bytes())
        )
    })
}

fn percent(share: f64) -> String {
    // Rounded, because 0.07 is a little more than seven hundredths.
    format!("{}%", (share * 1e8).round() / 1e6)
}

fn broken_off(line: u64, what: &str, error: &io::Error) -> String {
    let place = match line {
        0 => "nothing could be read".to_owned(),
        line => format!("after line {line}"),
    };
    format!("{place}: {}", with_system_error(what, error))
}

fn why_idle(option: &str, format: &str) -> String {
    let what = match option {
        "delimiter" | "no-quotes" => "have no separated cells that may be quoted",
        "encoding" => "are not text",
        "header" | "no-header" => "have no first row of names",
        "zero-based" => "have no indices",
        "missing-values" => "have no texts that stand for missing values",
        "decimal" | "thousands" | "units" | "dates" => "have numbers of one form",
        _ => "have no columns that options choose",
    };
    format!("{format} {what}")
}

fn no_features(target: &str, columns: usize) -> String {
    let target = excerpt(target);
    match columns {
        1 => format!("`{target}` is the only column, so no column is left as a feature"),
        _ => format!("no column but the target `{target}` is left, expected at least one feature"),
    }
}

fn skipped_note(skipped: u64, first: Option<&str>) -> String {
    let first = first.map_or_else(String::new, |first| format!("; the first: {first}"));
    match skipped {
        0 => String::new(),
        1 => format!(" left, 1 row was skipped{first}"),
        _ => format!(" left, {skipped} rows were skipped{first}"),
    }
}
