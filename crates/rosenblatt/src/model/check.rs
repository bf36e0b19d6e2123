//! Checks that rows and the parts of a model fit together.

use super::{Classifier, RowOverflow};
use crate::{
    data::{RowError, Rows, ScaleError, Scheme, SchemeError},
    hyperplane::Hyperplane,
};

/// Why rows could not be classified.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PredictError {
    /// Rows of other features; sparse ones of fewer can be widened ([`Rows::with_features`]).
    #[error("the rows have {found} features, the model has {expected}")]
    Features {
        /// How many the rows have.
        found: usize,
        /// How many the model has.
        expected: usize,
    },
    /// A model whose parts do not fit together, or with numbers that are not finite.
    #[error("the model does not fit together: {problem}")]
    Unsound {
        /// What does not fit.
        problem: &'static str,
    },
    /// A scheme that no labels can have.
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
    /// The row at which it was found, counted from 0, where it is that of a row.
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
            ScaleError::Row { row } => RowOverflow(row).into(),
            ScaleError::Features { found, expected } => PredictError::Features { found, expected },
            _ => PredictError::Unsound { problem: "its scaling cannot be applied" },
        }
    }
}

/// Whether rows have the features of a model.
pub(super) fn ensure_features(rows: &Rows<'_>, expected: usize) -> Result<(), PredictError> {
    let found = rows.features();
    if found == expected { Ok(()) } else { Err(PredictError::Features { found, expected }) }
}

/// Whether these can be the hyperplanes of a scheme, with so many finite weights each.
pub(super) fn check_planes(
    planes: &[Hyperplane],
    scheme: Scheme,
    weights: usize,
) -> Result<(), PredictError> {
    check_count(planes.len(), scheme)?;
    ensure(
        planes.iter().all(|plane| plane.is_sound(weights)),
        "its weights are not as many finite numbers as they must be",
    )
}

impl Classifier {
    /// Whether its parts fit together and are those of a scheme.
    ///
    /// Cost: one pass over its numbers.
    pub(super) fn check(&self, scheme: Scheme) -> Result<(), PredictError> {
        match self {
            Classifier::Linear(planes) => check_planes(planes, scheme, self.features()),
            Classifier::Dual(dual) => {
                ensure(dual.kernel.is_sound(), "its kernel has a parameter that it may not have")?;
                check_planes(&dual.planes, scheme, dual.support.rows.len())
            }
            Classifier::Voted(voted) => {
                check_count(voted.paths.len(), scheme)?;
                voted.check().map_err(|problem| PredictError::Unsound { problem })
            }
        }
    }
}

fn check_count(planes: usize, scheme: Scheme) -> Result<(), PredictError> {
    scheme.check()?;
    let fits = planes == scheme.hyperplanes() && planes > 0;
    ensure(fits, "its hyperplanes are not those of its classes")
}

pub(super) fn ensure(holds: bool, problem: &'static str) -> Result<(), PredictError> {
    if holds { Ok(()) } else { Err(PredictError::Unsound { problem }) }
}
