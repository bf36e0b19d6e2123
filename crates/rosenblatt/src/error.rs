//! The error of the library.

use crate::{
    data::{ClassError, RowError, RowsError, ScaleError},
    learner::TrainError,
    model::PredictError,
    options::OptionError,
    split::SplitError,
};

/// Why rows were refused, training failed or a row could not be classified. Rows, features and classes are counted from 0
/// in the fields and from 1 in messages.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Rows, or labels, that do not fit together.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// A single row that does not fit.
    #[error(transparent)]
    Row(#[from] RowError),
    /// Labels that do not make classes.
    #[error(transparent)]
    Class(#[from] ClassError),
    /// A label that the learner does not know.
    #[error("the label `{label}` is not one of {known}")]
    UnknownLabel {
        /// The label.
        label: String,
        /// The labels that are known.
        known: String,
    },
    /// An option with a value that it cannot have.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// Rows that could not be scaled.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// Examples that could not be held out.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// Training that could not start or go on.
    #[error(transparent)]
    Train(TrainError),
    /// Rows that could not be classified.
    #[error(transparent)]
    Predict(#[from] PredictError),
}

/// The result of the library's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<TrainError> for Error {
    fn from(error: TrainError) -> Self {
        match error {
            TrainError::Option(error) => Error::Options(error),
            error => Error::Train(error),
        }
    }
}
