//! A hyperplane: weights and a bias. Weights are in the order of the features or, in the dual form, of the supporting
//! rows.

use std::cmp::Ordering;

use crate::{
    data::{Examples, Row, RowError, Scaling, Sign},
    exact,
    simd::elementwise::{ElementStep, element_wise, part},
};

/// Weights and bias of a linear classifier, in the order of the features.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Hyperplane {
    /// One weight per feature (in the dual form, one coefficient per supporting row); finite, never −0.
    pub weights: Vec<f64>,
    /// The bias `b`; the threshold on `w·x` is −b.
    pub bias: f64,
}

impl Hyperplane {
    /// A hyperplane with zero weights and bias.
    pub fn zero(features: usize) -> Self {
        Hyperplane { weights: vec![0.0; features], bias: 0.0 }
    }

    /// Returns the exact sign of the score of `row`.
    ///
    /// Cost: one score, and one pass that checks the row.
    ///
    /// # Errors
    /// [`RowError`] if the row does not have this number of features ([`Row::check`]), or if the bias or a weight that
    /// the score needs is not finite.
    pub fn score_sign(&self, row: Row<'_>) -> Result<Ordering, RowError> {
        self.check(row)?;
        Ok(self.unchecked_sign(row))
    }

    /// Returns the score of `row`, correctly rounded.
    ///
    /// # Errors
    /// As for [`score_sign`](Self::score_sign).
    pub fn score(&self, row: Row<'_>) -> Result<f64, RowError> {
        self.check(row)?;
        Ok(self.unchecked_score(row))
    }

    /// Returns the predicted sign of `row`, where a score of exactly 0 predicts [`Sign::Plus`]. For another choice, use
    /// [`ZeroScore::predicts`](crate::data::ZeroScore::predicts) with [`Self::score_sign`].
    ///
    /// # Errors
    /// As for [`score_sign`](Self::score_sign).
    pub fn predict(&self, row: Row<'_>) -> Result<Sign, RowError> {
        self.check(row)?;
        Ok(self.unchecked_predict(row))
    }

    /// Checks that a row fits and that the weights at its entries are finite.
    fn check(&self, row: Row<'_>) -> Result<(), RowError> {
        row.check(self.weights.len())?;
        let mut bad = Some(self.bias).filter(|bias| !bias.is_finite());
        row.for_each(|j, _| {
            let weight = self.weights[j];
            if !weight.is_finite() {
                bad.get_or_insert(weight);
            }
        });
        bad.map_or(Ok(()), |value| Err(RowError::Weight { value }))
    }

    /// Checks that the hyperplane has the features of these examples and only finite numbers.
    ///
    /// # Errors
    /// [`RowError`].
    pub(crate) fn fits(&self, examples: &Examples<'_>) -> Result<(), RowError> {
        let (found, expected) = (examples.features(), self.weights.len());
        if found != expected {
            return Err(RowError::Features { found, expected });
        }
        let mut numbers = self.weights.iter().chain([&self.bias]);
        match numbers.find(|number| !number.is_finite()) {
            Some(&value) => Err(RowError::Weight { value }),
            None => Ok(()),
        }
    }

    /// Whether there are `features` weights and all numbers are finite.
    pub(crate) fn is_sound(&self, features: usize) -> bool {
        let numbers = self.weights.iter().chain([&self.bias]);
        // Reads all numbers, without a branch for each.
        self.weights.len() == features && numbers.fold(true, |all, number| all & number.is_finite())
    }

    /// Whether all weights and the bias are 0, so that every score is.
    pub(crate) fn is_zero(&self) -> bool {
        self.bias == 0.0 && self.weights.iter().all(|&weight| weight == 0.0)
    }

    /// The sign of the score of a row that is known to fit.
    #[inline]
    pub fn unchecked_sign(&self, row: Row<'_>) -> Ordering {
        exact::score_sign(&self.weights, self.bias, row)
    }

    /// The score of a row that is known to fit.
    pub fn unchecked_score(&self, row: Row<'_>) -> f64 {
        exact::score(&self.weights, self.bias, row)
    }

    /// The predicted sign of a row that is known to fit.
    #[inline]
    pub(crate) fn unchecked_predict(&self, row: Row<'_>) -> Sign {
        if self.unchecked_sign(row) == Ordering::Less { Sign::Minus } else { Sign::Plus }
    }

    /// Converts a hyperplane of scaled features to one of the features before scaling: each weight is divided once, and
    /// the bias is the score of the row of zeros, rounded once. Divisions by powers of two round nothing. A number past
    /// the range of `f64` is infinite; the bias is NaN where a weight is.
    ///
    /// # Panics
    /// If the scaling has another number of features.
    pub fn unscaled(&self, scaling: &Scaling) -> Hyperplane {
        let divided =
            self.weights.iter().zip(&scaling.divisor).map(|(w, divisor)| w / divisor + 0.0);
        let mut unscaled = Hyperplane { weights: divided.collect(), bias: self.bias };
        let of_zero: Vec<f64> = scaling.shift.iter().map(|shift| 0.0 - shift).collect();
        unscaled.bias = unscaled.score(Row::from(&of_zero)).unwrap_or(f64::NAN);
        unscaled
    }

    /// Converts a hyperplane of features before scaling to one of scaled features: each weight is multiplied once, and
    /// the bias is the score of the row of shifts, rounded once.
    ///
    /// # Panics
    /// If the scaling has another number of features.
    pub(crate) fn scaled(&self, scaling: &Scaling) -> Hyperplane {
        let bias = self.score(Row::from(&scaling.shift)).unwrap_or(f64::NAN);
        let multiplied = self.weights.iter().zip(&scaling.divisor).map(|(w, divisor)| w * divisor);
        Hyperplane { weights: multiplied.collect(), bias }
    }

    /// Appends zero weights up to `features` features.
    pub(crate) fn grow_to(&mut self, features: usize) {
        if self.weights.len() < features {
            self.weights.resize(features, 0.0);
        }
    }

    /// Adds `step · x` to the weights, element by element: `wⱼ ← fl(wⱼ + fl(step · xⱼ))`. Returns whether all moved
    /// weights are finite.
    ///
    /// An entry 0 leaves its weight unchanged, because no weight is −0: weights start as +0 or as a number other than
    /// −0, and a sum of two floats is −0 only if both are −0. So stored and absent zeros have the same effect.
    pub(crate) fn move_weights(&mut self, step: f64, row: Row<'_>) -> bool {
        let mut finite = true;
        let weights = &mut self.weights;
        row.for_each(|j, x| {
            let moved = weights[j] + step * x;
            weights[j] = moved;
            finite &= moved.is_finite();
        });
        finite
    }

    /// Bounds on the norm of the weights with `last` appended.
    pub(crate) fn norm_bounds_with(&self, last: f64) -> NormBounds {
        let norm = exact::norm(self.weights.iter().copied().chain([last]));
        NormBounds { low: norm, high: norm }
    }

    /// Moves the weights as [`move_weights`](Self::move_weights) does, if all moved weights are known to be finite.
    #[inline]
    pub(crate) fn move_finite_weights(&mut self, step: f64, row: Row<'_>) {
        let weights = &mut *self.weights;
        element_wise(row, MoveWeights { weights, step });
    }

    /// `‖w‖`, correctly rounded; NaN when a weight is not finite.
    pub fn norm(&self) -> f64 {
        exact::norm(self.weights.iter().copied())
    }
}

struct MoveWeights<'w> {
    weights: &'w mut [f64],
    step: f64,
}

impl ElementStep for MoveWeights<'_> {
    #[inline(always)]
    fn chunk<const N: usize>(&mut self, at: usize, x: [f64; N]) {
        if let Some(weights) = part::<f64, N>(self.weights, at) {
            for (weight, x) in weights.iter_mut().zip(x) {
                *weight += self.step * x;
            }
        }
    }
}

/// The norm of a hyperplane in its space, as lower and upper bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NormBounds {
    pub(crate) low: f64,
    pub(crate) high: f64,
}
