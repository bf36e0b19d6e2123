//! The error of the library.

use rosenblatt_core::{
    calibration::CalibrationError,
    data::{ClassError, RowError, RowsError, ScaleError},
    learner::TrainError,
    metrics::CountError,
    model::{PredictError, RowOverflow},
    options::OptionError,
    split::SplitError,
};

/// An error of the library: rows were rejected, training failed or a row could not be classified. Fields count rows,
/// features and classes from 0. The messages of [`Error::Rows`] and [`Error::Row`], which are about arrays, do so too; all
/// others count from 1.
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
    /// Scores that could not be calibrated.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// Predictions that could not be counted.
    #[error(transparent)]
    Count(#[from] CountError),
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
            TrainError::Scale(error) => Error::Scale(error),
            error => Error::Train(error),
        }
    }
}

impl Error {
    /// The error about the row at another place.
    pub(crate) fn moved(self, place: impl Fn(usize) -> usize) -> Self {
        match self {
            Error::Scale(ScaleError::Row { row }) => ScaleError::Row { row: place(row) }.into(),
            Error::Scale(ScaleError::Length { row }) => {
                ScaleError::Length { row: place(row) }.into()
            }
            Error::Train(TrainError::Overflow { example, epoch }) => {
                TrainError::Overflow { example: place(example), epoch }.into()
            }
            Error::Predict(PredictError::OutOfRange(RowOverflow(row))) => {
                PredictError::OutOfRange(RowOverflow(place(row))).into()
            }
            error => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rows;

    /// The number that each message names for the second row, feature, class, hyperplane or example: field 1.
    #[test]
    fn messages_about_arrays_count_from_0_and_others_from_1() {
        let array: Error = Rows::dense(vec![0.0, 0.0, 0.0, f64::NAN], 2).unwrap_err().into();
        assert_eq!(array.to_string(), "row 1, feature 1: NaN is not a finite number");
        let row: Error = RowError::NotFinite { feature: 1, value: f64::NAN }.into();
        assert_eq!(row.to_string(), "feature 1 of the row is NaN, expected a finite number");
        let others: [Error; 8] = [
            ScaleError::Overflow { feature: 1 }.into(),
            ScaleError::Row { row: 1 }.into(),
            ScaleError::Length { row: 1 }.into(),
            TrainError::NoExample { class: 1, classes: 3 }.into(),
            TrainError::Overflow { example: 1, epoch: 3 }.into(),
            OptionError::GivenWeights { hyperplane: 1, found: 3, expected: 3 }.into(),
            CalibrationError::FoldWithoutClass { class: 1 }.into(),
            PredictError::OutOfRange(rosenblatt_core::model::RowOverflow(1)).into(),
        ];
        for text in others.map(|error| error.to_string()) {
            let has = |number| text.split(|c: char| !c.is_ascii_digit()).any(|one| one == number);
            assert!(has("2") && !has("1"), "{text}");
        }
    }
}
