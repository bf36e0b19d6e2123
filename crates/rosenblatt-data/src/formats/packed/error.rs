//! The problems that only packed files can have.

use rosenblatt_core::data::excerpt;

use crate::{
    fault::{FormatProblem, Problem},
    read_error::ReadError,
};

/// A problem of a packed file. Rows count from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackedProblem {
    /// A packed file of another version.
    #[error("this packed file has version {found}, expected at most {known}")]
    Version {
        /// The version of the file.
        found: u32,
        /// The version that this program reads.
        known: u32,
    },
    /// A packed file that does not fit together.
    #[error("this packed file is damaged: {what}")]
    Damaged {
        /// The damage.
        what: &'static str,
    },
    /// Columns are to be chosen from a packed file.
    #[error(
        "cannot choose the column `{column}`: the columns of this packed file were chosen when it was packed", column = excerpt(.column))]
    ColumnChosen {
        /// The column that was asked for.
        column: String,
    },
    /// A packed file whose rows are not encoded as the model needs them.
    #[error("this file was packed with other columns or categories than those of the model")]
    ForOther,
    /// A row that cannot be used.
    #[error("row {row}: {problem}")]
    Row {
        /// The row.
        row: u64,
        /// The problem of the row.
        problem: Problem,
    },
}

impl PackedProblem {
    /// The error of a file.
    pub(super) fn of(self, file: &str) -> ReadError {
        ReadError::Format { file: file.to_owned(), problem: FormatProblem::new(self) }
    }
}
