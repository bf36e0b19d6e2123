//! The error of the library.

use crate::{
    data::{ClassError, RowError, RowsError, ScaleError},
    learner::TrainError,
    model::PredictError,
    options::OptionError,
    split::SplitError,
};

/// An error of the library: rows were rejected, training failed or a row could not be classified. Fields count rows,
/// features and classes from 0, messages from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Rows or labels that do not fit together.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// A single row that does not fit.
    #[error(transparent)]
    Row(#[from] RowError),
    /// Labels that do not form classes.
    #[error(transparent)]
    Class(#[from] ClassError),
    /// A label that is not among the learner's classes.
    #[error("the label `{label}` is not one of {known}")]
    UnknownLabel {
        /// The label.
        label: String,
        /// The known labels.
        known: String,
    },
    /// An invalid option.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// Rows that could not be scaled.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// Examples that could not be held out.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// Training that could not start or continue.
    #[error(transparent)]
    Train(TrainError),
    /// Rows that could not be classified.
    #[error(transparent)]
    Predict(#[from] PredictError),
}

/// The result type of the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<TrainError> for Error {
    fn from(error: TrainError) -> Self {
        match error {
            TrainError::Option(error) => Error::Options(error),
            error => Error::Train(error),
        }
    }
}
