//! Signed distances: how far rows are from the hyperplane of a linear model of two classes, and on which side.
//!
//! The distance is `s/‖w‖` with the score s, so it is positive on the positive side. Of an example with the sign y, `y·s`
//! is the functional margin and `y·s/‖w‖` the geometric margin. w are the weights in the units of the given rows: with a
//! scaling, the weights of the scaled features divided by the divisors. The score has no unit, and is the same in both.

use crate::{
    data::Rows,
    model::{Classifier, Model, PredictError, PredictOptions},
    transforms::{Preparation, StepWords},
};

/// A model or rows without signed distances.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DistanceError {
    /// A kernel, or a vote of several hyperplanes.
    #[error("only a linear model has a hyperplane to be away from, not a kernel and not a vote")]
    NotLinear,
    /// More than two classes.
    #[error("a model of {classes} classes has a hyperplane for each of them, not one")]
    Classes {
        /// Their number.
        classes: usize,
    },
    /// Rows that are prepared by more than a scaling.
    #[error("distances are for models whose rows are at most scaled, and this one {}", .0.does)]
    Prepared(StepWords),
    /// Weights of length 0.
    #[error("every weight is 0, so there is no hyperplane")]
    NoHyperplane,
    /// Weights whose length is no float in the units of the rows.
    #[error("in the units of the rows, the weights are past the range of 64-bit numbers")]
    Range,
    /// Rows that cannot be classified.
    #[error(transparent)]
    Predict(#[from] PredictError),
}

impl Model {
    /// Returns for each row its distance from the hyperplane, in the units of the features, positive where the score is.
    ///
    /// The relative error is at most 3u with u = 2⁻⁵³, by the roundings of score, norm and quotient, and more only where a
    /// scaling rounds.
    ///
    /// # Errors
    /// [`DistanceError`]: a model that is not one hyperplane in feature space, and those of
    /// [`Self::predict_rows`].
    pub fn signed_distances(&self, rows: &Rows<'_>) -> Result<Vec<f64>, DistanceError> {
        let norm = weight_norm(self.classifier(), self.preparation())?;
        let scores = self.classify(rows, PredictOptions::default(), true)?.scores;
        Ok(scores.iter().map(|score| score / norm).collect())
    }
}

/// Returns ‖w‖ of the one hyperplane of a classifier of prepared rows, with its weights in the units of the rows before
/// that; correctly rounded for these weights, each of which a scaling rounds once.
///
/// # Errors
/// [`DistanceError`], except [`DistanceError::Predict`].
pub fn weight_norm(
    classifier: &Classifier,
    preparation: &Preparation,
) -> Result<f64, DistanceError> {
    let plane = match classifier.linear().ok_or(DistanceError::NotLinear)? {
        [plane] => plane,
        planes => return Err(DistanceError::Classes { classes: planes.len() }),
    };
    if let Some(step) = preparation.beyond_scaling() {
        return Err(DistanceError::Prepared(step.words()));
    }
    let norm = match preparation.scaling() {
        Some(scaling) => plane.unscaled(scaling).norm(),
        None => plane.norm(),
    };
    match norm {
        norm if norm > 0.0 && norm.is_finite() => Ok(norm),
        _ if plane.norm() == 0.0 => Err(DistanceError::NoHyperplane),
        _ => Err(DistanceError::Range),
    }
}
