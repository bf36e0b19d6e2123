//! The problems that only LIBSVM text can have.

use crate::{
    fault::{Excerpt, FormatProblem, Problem},
    room::NoRoom,
};

/// A problem of LIBSVM lines.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LibsvmProblem {
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
        /// The limit.
        limit: usize,
    },
    /// An index of more features than there is memory for.
    #[error("the index {index}: {no_room}")]
    NoRoom {
        /// The index as written.
        index: Excerpt,
        /// The number of features that it asks for.
        no_room: NoRoom,
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
    /// An integer that no float is.
    #[error(
        "the integer {text} of index {index} has no exact 64-bit float: those past 2^53 have gaps"
    )]
    NotExact {
        /// The integer.
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
}

impl From<LibsvmProblem> for Problem {
    fn from(problem: LibsvmProblem) -> Self {
        Problem::Format(FormatProblem::new(problem))
    }
}
