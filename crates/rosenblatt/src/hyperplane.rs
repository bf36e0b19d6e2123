//! A hyperplane: weights and a bias, in the order of the features or, in the dual form, of the rows
//! that support it.

use std::cmp::Ordering;

use crate::{
    data::{Examples, Row, RowError, Sign, Values},
    exact,
    simd::elementwise::{ElementStep, along, part},
};

/// Weights and bias of a linear classifier, in the order of the features.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Hyperplane {
    /// One weight a feature (in the dual form: one coefficient a supporting row); finite, never −0.
    pub weights: Vec<f64>,
    /// The bias `b`; as a threshold on `w·x` it is −b.
    pub bias: f64,
}

impl Hyperplane {
    /// Zero weights and bias.
    pub fn zero(features: usize) -> Self {
        Hyperplane { weights: vec![0.0; features], bias: 0.0 }
    }

    /// The sign of the score of `row`, exactly.
    ///
    /// Cost: a score, and a pass over the row that checks it.
    ///
    /// # Errors
    /// [`RowError`] for a row that is not one of as many features ([`Row::check`]), and for a weight that it meets, or
    /// a bias, that is not finite.
    pub fn score_sign(&self, row: Row<'_>) -> Result<Ordering, RowError> {
        self.check(row)?;
        Ok(self.unchecked_sign(row))
    }

    /// The score of `row`, correctly rounded.
    ///
    /// # Errors
    /// As of [`score_sign`](Self::score_sign).
    pub fn score(&self, row: Row<'_>) -> Result<f64, RowError> {
        self.check(row)?;
        Ok(self.unchecked_score(row))
    }

    /// The sign that the score of `row` predicts where a score of exactly 0 predicts [`Sign::Plus`]. For the other
    /// reading, ask [`ZeroScore::predicts`](crate::data::ZeroScore::predicts) with [`Self::score_sign`].
    ///
    /// # Errors
    /// As of [`score_sign`](Self::score_sign).
    pub fn predict(&self, row: Row<'_>) -> Result<Sign, RowError> {
        self.check(row)?;
        Ok(self.unchecked_predict(row))
    }

    /// Whether a row fits, and the weights that it meets are numbers.
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

    /// Whether it is one of the features of these examples, and a number throughout.
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

    /// Whether these are as many numbers, all finite.
    pub(crate) fn is_sound(&self, features: usize) -> bool {
        let numbers = self.weights.iter().chain([&self.bias]);
        // All of them, without a jump for each.
        self.weights.len() == features && numbers.fold(true, |all, number| all & number.is_finite())
    }

    /// The sign of the score of a row that is known to fit.
    #[inline]
    pub(crate) fn unchecked_sign(&self, row: Row<'_>) -> Ordering {
        exact::score_sign(&self.weights, self.bias, row)
    }

    /// The score of a row that is known to fit.
    pub(crate) fn unchecked_score(&self, row: Row<'_>) -> f64 {
        exact::score(&self.weights, self.bias, row)
    }

    /// The class of a row that is known to fit.
    #[inline]
    pub(crate) fn unchecked_predict(&self, row: Row<'_>) -> Sign {
        if self.unchecked_sign(row) == Ordering::Less { Sign::Minus } else { Sign::Plus }
    }

    /// Gives weights that are 0 to features up to `features`.
    pub(crate) fn grow_to(&mut self, features: usize) {
        if self.weights.len() < features {
            self.weights.resize(features, 0.0);
        }
    }

    /// Moves the weights by `step · x`: `wⱼ ← fl(wⱼ + fl(step · xⱼ))`, element by element. Gives
    /// whether all moved weights are finite.
    ///
    /// An entry 0 leaves its weight as it is: weights are never −0, because they begin as +0 or a
    /// number that is not −0, and a sum of two floats is −0 only when both are. So stored and
    /// absent zeros do the same.
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

    /// The length of the weights with one more number after them.
    pub(crate) fn norm_bounds_with(&self, last: f64) -> NormBounds {
        let norm = exact::norm(self.weights.iter().copied().chain([last]));
        NormBounds { low: norm, high: norm }
    }

    /// The same where it is known that all moved weights are finite.
    #[inline]
    pub(crate) fn move_finite_weights(&mut self, step: f64, row: Row<'_>) {
        let weights = &mut *self.weights;
        match (row.indices(), row.values()) {
            (None, Values::F64(x)) => along(x, MoveWeights { weights, step }),
            (None, Values::F32(x)) => along(x, MoveWeights { weights, step }),
            _ => row.for_each(|j, x| weights[j] += step * x),
        }
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

/// The norm of a hyperplane in its space: bounds, or twice the norm rounded once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NormBounds {
    pub(crate) low: f64,
    pub(crate) high: f64,
}
