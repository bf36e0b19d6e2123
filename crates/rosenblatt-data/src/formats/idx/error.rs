//! The problems that only IDX data can have.

use std::io;

use crate::{
    fault::{Excerpt, FormatProblem, Problem, with_system_error},
    read_error::ReadError,
    table::shape::Shape,
};

/// A problem of IDX data. Records and values count from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IdxProblem {
    /// The first two bytes are not 0.
    #[error("found the first bytes {found}, expected 00 00 as in IDX data")]
    Magic {
        /// The first bytes, in hexadecimal.
        found: String,
    },
    /// No values have this type.
    #[error("unknown value type {found:#04x}, expected 0x08, 0x09 or 0x0b to 0x0e")]
    UnknownType {
        /// The third byte.
        found: u8,
    },
    /// No dimension, or too many.
    #[error("found {found} dimensions, expected 1 to {most}")]
    Dimensions {
        /// The fourth byte.
        found: u8,
        /// The most dimensions, with the one that counts the records.
        most: usize,
    },
    /// The file ends before its first value could come.
    #[error("the file ends within its header")]
    CutHeader,
    /// A size that leaves the records without values.
    #[error("dimension {dimension} has the size 0, so the records hold no value")]
    NoValues {
        /// Which dimension, from 1; the first one counts the records.
        dimension: usize,
    },
    /// Records of more values than allowed.
    #[error("records of {shape} values, the limit is {limit} features")]
    TooManyFeatures {
        /// The sizes.
        shape: String,
        /// The limit.
        limit: usize,
    },
    /// Records of another shape than those the model was trained on.
    #[error("records of {found} values, the model was trained on {expected}")]
    OtherShape {
        /// The sizes of these records.
        found: String,
        /// Those of the model.
        expected: Shape,
    },
    /// Fewer records than the header says.
    #[error("the file ends after {found} whole records, its header promises {promised}")]
    Truncated {
        /// The number of whole records.
        found: u64,
        /// The number of records that the header promises.
        promised: u64,
    },
    /// More bytes than the header says.
    #[error("bytes after the end of the {promised} records that the header promises")]
    TrailingBytes {
        /// The number of records that the header promises.
        promised: u64,
    },
    /// Reading failed on the way, or compressed data are cut off or damaged.
    #[error("after record {records}: {}", with_system_error(.what, .error))]
    Read {
        /// The number of whole records before.
        records: u64,
        /// The part that failed: reading, or undoing a compression.
        what: &'static str,
        /// Why.
        error: io::Error,
    },
    /// A record that cannot be used.
    #[error("record {record}{}: {problem}", .value.map_or_else(String::new, |value| format!(", value {value}")))]
    Record {
        /// The record.
        record: u64,
        /// The value within it, unless it is a label.
        value: Option<u64>,
        /// The problem of the record.
        problem: Problem,
    },
    /// A value that is NaN or infinite.
    #[error("the value `{text}` is not a finite number")]
    NotFiniteValue {
        /// The value.
        text: Excerpt,
    },
    /// No labels, though some are needed.
    #[error("{}", no_labels(.expected.as_deref()))]
    NoLabels {
        /// The file that MNIST's naming leads to, where the name follows it.
        expected: Option<String>,
    },
    /// The labels are not a list.
    #[error("found labels of {found} dimensions, expected 1")]
    LabelDimensions {
        /// The number of dimensions.
        found: usize,
    },
    /// The labels are not whole numbers.
    #[error("found labels of the type {found}, expected whole numbers")]
    LabelType {
        /// The type.
        found: &'static str,
    },
    /// There is not one label for each example.
    #[error("found {}, but {examples_file} has {}", counted(*.labels, "label"), counted(*.examples, "example"))]
    LabelCount {
        /// The number of labels.
        labels: u64,
        /// The file with the examples.
        examples_file: String,
        /// The number of its examples.
        examples: u64,
    },
}

impl IdxProblem {
    /// The error of a file.
    pub(super) fn of(self, file: &str) -> ReadError {
        ReadError::Format { file: file.to_owned(), problem: FormatProblem::new(self) }
    }
}

impl From<IdxProblem> for Problem {
    fn from(problem: IdxProblem) -> Self {
        Problem::Format(FormatProblem::new(problem))
    }
}

fn no_labels(expected: Option<&str>) -> String {
    match expected {
        Some(file) => format!("cannot find its label file {file}"),
        None => {
            "cannot find its label file: its name is not like `train-images-idx3-ubyte`".to_owned()
        }
    }
}

fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
