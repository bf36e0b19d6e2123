//! A hyperplane: weights and a bias, in the order of the features or, in the dual form, of the rows
//! that support it.

use std::cmp::Ordering;

use super::{Length, Step, along, part};
use crate::{
    data::{Row, Sign, Values},
    exact,
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
    #[inline]
    pub fn score_sign(&self, row: Row<'_>) -> Ordering {
        exact::score_sign(&self.weights, self.bias, row)
    }

    /// The score of `row`, correctly rounded.
    pub fn score(&self, row: Row<'_>) -> f64 {
        exact::score(&self.weights, self.bias, row)
    }

    /// The sign that the score of `row` predicts where a score of exactly 0 predicts [`Sign::Plus`]. For the other
    /// reading, ask [`ZeroScore::predicts`](crate::data::ZeroScore::predicts) with [`Self::score_sign`].
    #[inline]
    pub fn predict(&self, row: Row<'_>) -> Sign {
        if self.score_sign(row) == Ordering::Less { Sign::Minus } else { Sign::Plus }
    }

    /// Gives weights that are 0 to features up to `features`.
    pub(crate) fn reach(&mut self, features: usize) {
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
    pub(crate) fn length_with(&self, last: f64) -> Length {
        let norm = exact::norm(self.weights.iter().copied().chain([last]));
        Length { low: norm, high: norm }
    }

    /// The same where it is known that all moved weights are finite.
    #[inline]
    pub(crate) fn move_finite_weights(&mut self, step: f64, row: Row<'_>) {
        let weights = &mut *self.weights;
        match (row.indices(), row.values()) {
            (None, Values::F64(x)) => along(x, Move { weights, step }),
            (None, Values::F32(x)) => along(x, Move { weights, step }),
            _ => row.for_each(|j, x| weights[j] += step * x),
        }
    }

    /// `‖w‖`, correctly rounded.
    pub fn norm(&self) -> f64 {
        exact::norm(self.weights.iter().copied())
    }
}

struct Move<'w> {
    weights: &'w mut [f64],
    step: f64,
}

impl Step for Move<'_> {
    #[inline(always)]
    fn chunk<const N: usize>(&mut self, at: usize, x: [f64; N]) {
        if let Some(weights) = part::<f64, N>(self.weights, at) {
            for (weight, x) in weights.iter_mut().zip(x) {
                *weight += self.step * x;
            }
        }
    }
}
