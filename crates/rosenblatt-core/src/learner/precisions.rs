//! The precisions of the weights of a learner with a second-order rule.

use crate::{
    data::Row,
    hyperplane::Hyperplane,
    rules::{Moved, Precise, PreciseMove, Update},
};

/// The precision of each weight and of the bias; finite and positive.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Precisions {
    /// One for each weight.
    pub weights: Vec<f64>,
    /// That of the bias.
    pub bias: f64,
}

impl Precisions {
    /// The precisions before the first visit, if the rule has any.
    pub(crate) fn first(update: Update, features: usize) -> Option<Self> {
        let first = update.first_precision()?;
        Some(Precisions { weights: vec![first; features], bias: first })
    }

    /// Appends first precisions up to `features` features.
    pub(super) fn grow_to(&mut self, features: usize, first: f64) {
        if self.weights.len() < features {
            self.weights.resize(features, first);
        }
    }

    /// [`StepInput::variance`](crate::rules::StepInput::variance). A zero adds nothing.
    pub(super) fn variance(&self, row: Row<'_>, bias_unit: f64) -> f64 {
        let mut variance = 0.0;
        row.for_each(|j, x| variance += x * (x / self.weights[j]));
        variance + bias_unit / self.bias
    }

    /// Moves the weights along a row, and the bias. Returns an upper bound on the norm of the move of the weights, and
    /// whether all weights are finite.
    pub(super) fn step(
        &mut self,
        rule: &dyn Precise,
        hyperplane: &mut Hyperplane,
        (row, bias_unit): (Row<'_>, f64),
        by: PreciseMove,
    ) -> (f64, bool) {
        let Hyperplane { weights, bias } = hyperplane;
        let Moved { squares, largest, finite } = rule.move_row(row, weights, &mut self.weights, by);
        if bias_unit != 0.0 {
            let (moved, precision) = rule.moved((*bias, self.bias), (bias_unit, bias_unit), by);
            *bias += moved;
            self.bias = precision;
        }
        // A sum of n squares is off by at most n roundings; a square that underflows is that of a number below 10⁻¹⁵³.
        // Where a square overflows, n times the largest move is a bound, too.
        let entries = row.values().len() as f64;
        let relative = 1.0 + (entries + 2.0) * f64::EPSILON;
        let length = if squares < f64::INFINITY {
            squares.sqrt() * relative + entries * 1e-153
        } else {
            entries * largest * relative
        };
        (length, finite)
    }
}
