//! How a file is to be read.

use std::fmt;

use crate::{idx::Shape, words::Hashing};

/// What separates the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Delimiter {
    /// This byte; cells may be quoted.
    Byte(u8),
    /// One or more blanks or tabs; there are no quotes.
    Whitespace,
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Delimiter::Byte(b'\t') => f.write_str("tab"),
            Delimiter::Byte(byte) => write!(f, "`{}`", char::from(*byte)),
            Delimiter::Whitespace => f.write_str("blanks"),
        }
    }
}

/// How the bytes of a file are to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A table, one example a row.
    Table {
        /// What separates the cells.
        delimiter: Delimiter,
        /// Whether the first row names the columns.
        header: bool,
    },
    /// `label index:value …`, one example a line.
    Libsvm {
        /// Whether the indices count from 0 instead of 1.
        zero_based: bool,
    },
    /// IDX: numbers in records of one shape, the labels in a second file.
    Idx {
        /// The shape of a record.
        shape: Shape,
    },
}

/// Which kind of format, before its details are settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatKind {
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// LIBSVM, also known as SVMlight.
    Libsvm,
    /// IDX, the format of MNIST's files.
    Idx,
    /// Parquet.
    Parquet,
    /// Arrow IPC, as a file (also known as Feather) or a stream.
    Arrow,
}

/// Whether the first row of a table names its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// It does; a name that is a number is an error, because it looks like an example.
    #[default]
    Expected,
    /// It does, whatever it looks like.
    Present,
    /// It does not; the columns are called 1, 2, 3, ….
    Absent,
}

/// What to do with a row that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// Stop with an error.
    #[default]
    Stop,
    /// Leave the row out and count it.
    Skip,
}

/// The choices of reading.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format; otherwise the ending of the file's name decides, or else how it begins.
    pub format: Option<FormatKind>,
    /// What separates cells; otherwise a comma (CSV) or a tab (TSV).
    pub delimiter: Option<Delimiter>,
    /// Whether the first row names the columns.
    pub header: Header,
    /// Whether LIBSVM indices count from 0.
    pub zero_based: bool,
    /// The column with the labels; otherwise the last one.
    pub target: Option<String>,
    /// Columns to leave out.
    pub ignore: Vec<String>,
    /// Columns whose cells are categories even where they look like numbers.
    pub categorical: Vec<String>,
    /// Columns whose words are the features. The other columns are then left out, unless `features`
    /// names them.
    pub text: Vec<String>,
    /// How text is cut and hashed.
    pub hashing: Hashing,
    /// Whether a model keeps the words behind its features.
    pub dictionary: bool,
    /// The columns that are features; otherwise all that are not the target or ignored.
    pub features: Vec<String>,
    /// What to do with a row that cannot be read.
    pub on_error: OnError,
    /// The most features: a larger LIBSVM index or a wider table is an error, so that one hostile
    /// number cannot take all memory.
    pub max_features: usize,
    /// The most different labels of data to learn from: where all are to be classes, a file with more is an error as
    /// soon as that shows. Any number where absent.
    pub max_labels: Option<usize>,
    /// How many threads parse.
    pub threads: usize,
}

impl ReadOptions {
    /// The most features unless more are allowed: 2²², 32 MiB for a vector of weights.
    pub const MAX_FEATURES: usize = 1 << 22;

    /// The first column that any of the options names.
    pub(crate) fn first_column(&self) -> Option<&String> {
        let lists = [&self.ignore, &self.categorical, &self.text, &self.features];
        self.target.iter().chain(lists.into_iter().flatten()).next()
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            format: None,
            delimiter: None,
            header: Header::default(),
            zero_based: false,
            target: None,
            ignore: Vec::new(),
            categorical: Vec::new(),
            text: Vec::new(),
            hashing: Hashing { bits: 18, ngrams: 1 },
            dictionary: true,
            features: Vec::new(),
            on_error: OnError::default(),
            max_features: Self::MAX_FEATURES,
            max_labels: None,
            threads: 1,
        }
    }
}
