//! The problems that only files of columns can have.

use rosenblatt_core::data::excerpt;

use crate::{
    fault::{FormatProblem, Problem},
    read_error::ReadError,
};

/// The message of a decoder, or of the system.
pub(super) type Complaint = String;

/// A problem of a Parquet or Arrow file. Rows count from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnarProblem {
    /// The readers are not in this program.
    #[error("this is {format}, and this program was built without the reader for it")]
    NotBuilt {
        /// The format, in words.
        format: &'static str,
    },
    /// The bytes do not follow the format, or reading failed.
    #[error("{}{}", after(*.rows), excerpt(first_line(.message)))]
    Damaged {
        /// The number of rows that were read before.
        rows: u64,
        /// The message of the decoder.
        message: String,
    },
    /// An Arrow file of a machine that stores the highest byte of a number first.
    #[error("the numbers of this Arrow file are big-endian, expected little-endian")]
    BigEndian,
    /// The names of the columns.
    #[error("{problem}")]
    Names {
        /// The problem of the names.
        problem: Problem,
    },
    /// A column of a type that is no feature.
    #[error("column `{column}` is of the type {found}, expected {expected}", column = excerpt(.column), found = excerpt(.found))]
    Type {
        /// The column's name.
        column: String,
        /// Its type.
        found: String,
        /// The types that there may be, in words.
        expected: &'static str,
    },
    /// A cell that cannot be used.
    #[error("row {row}: {problem}")]
    Cell {
        /// The row.
        row: u64,
        /// The problem of the cell.
        problem: Problem,
    },
}

impl ColumnarProblem {
    /// The error of a file.
    pub(crate) fn of(self, file: &str) -> ReadError {
        ReadError::Format { file: file.to_owned(), problem: FormatProblem::new(self) }
    }
}

impl From<Complaint> for ColumnarProblem {
    /// A complaint before the first row.
    fn from(message: Complaint) -> Self {
        ColumnarProblem::Damaged { rows: 0, message }
    }
}

impl From<&str> for ColumnarProblem {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

/// The first line of a decoder's message, without the kinds of errors that the decoders put before. More lines say where
/// in its tables the problem showed.
fn first_line(message: &str) -> &str {
    const KINDS: [&str; 6] = [
        "Parquet argument error: ",
        "Parquet error: ",
        "Invalid argument error: ",
        "Arrow: ",
        "External: ",
        "EOF: ",
    ];
    let mut line = message.lines().next().unwrap_or_default().trim_end();
    while let Some(rest) = KINDS.iter().find_map(|kind| line.strip_prefix(kind)) {
        line = rest;
    }
    if line == "Page CRC checksum mismatch" { "a page is not what its checksum says" } else { line }
}

fn after(rows: u64) -> String {
    if rows == 0 { String::new() } else { format!("after row {rows}: ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoders_are_quoted_with_one_line() {
        let message = "Range [168, 65664) is out of bounds.\n\twhile verifying table\n".to_owned();
        let error = ColumnarProblem::Damaged { rows: 2, message };
        assert_eq!(error.to_string(), "after row 2: Range [168, 65664) is out of bounds.");
        let error = ColumnarProblem::from("Parquet argument error: EOF: eof decoding byte array");
        assert_eq!(error.to_string(), "eof decoding byte array");
    }
}
