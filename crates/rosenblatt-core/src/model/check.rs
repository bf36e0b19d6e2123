//! Checks that rows and the parts of a model fit together.

use super::RowOverflow;
use crate::{
    data::{RowError, Rows, ScaleError, Scheme, SchemeError},
    hyperplane::Hyperplane,
};

/// An error of classification.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PredictError {
    /// Rows with another number of features. [`Rows::with_features`] widens sparse rows.
    #[error("the rows have {found} features, the model has {expected}")]
    Features {
        /// The features of the rows.
        found: usize,
        /// The features of the model.
        expected: usize,
    },
    /// A model whose parts do not fit together or contain numbers that are not finite.
    #[error("the model does not fit together: {problem}")]
    Unsound {
        /// The part that does not fit.
        problem: &'static str,
    },
    /// An impossible scheme.
    #[error(transparent)]
    Scheme(#[from] SchemeError),
    /// A single row that does not fit.
    #[error(transparent)]
    Row(#[from] RowError),
    /// A row whose scaled values, kernel values or tally leave the range of `f64`.
    #[error(transparent)]
    OutOfRange(#[from] RowOverflow),
}

impl PredictError {
    /// The row of the error, counted from 0, if it concerns one row.
    pub fn row(&self) -> Option<usize> {
        match self {
            PredictError::OutOfRange(RowOverflow(row)) => Some(*row),
            _ => None,
        }
    }
}

impl From<ScaleError> for PredictError {
    /// The error of scaling a batch.
    fn from(error: ScaleError) -> Self {
        match error {
            ScaleError::Row { row } | ScaleError::Length { row } => RowOverflow(row).into(),
            ScaleError::Features { found, expected } => PredictError::Features { found, expected },
            _ => PredictError::Unsound { problem: "its scaling cannot be applied" },
        }
    }
}

/// Checks that rows have the features of the model.
pub(crate) fn ensure_features(rows: &Rows<'_>, expected: usize) -> Result<(), PredictError> {
    let found = rows.features();
    if found == expected { Ok(()) } else { Err(PredictError::Features { found, expected }) }
}

/// Checks that these are the hyperplanes of a scheme, each with `features` finite weights.
pub(super) fn check_planes(
    planes: &[Hyperplane],
    scheme: Scheme,
    weights: usize,
) -> Result<(), PredictError> {
    check_count(planes.len(), scheme)?;
    ensure(
        planes.iter().all(|plane| plane.is_sound(weights)),
        "its weights have the wrong number or are not finite",
    )
}

pub(super) fn check_count(planes: usize, scheme: Scheme) -> Result<(), PredictError> {
    scheme.check()?;
    let fits = planes == scheme.hyperplanes() && planes > 0;
    ensure(fits, "its hyperplanes do not match its classes")
}

pub(super) fn ensure(holds: bool, problem: &'static str) -> Result<(), PredictError> {
    if holds { Ok(()) } else { Err(PredictError::Unsound { problem }) }
}
