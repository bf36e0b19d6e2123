//! What a rule sees of an example in the dual form.

use std::{cell::OnceCell, cmp::Ordering};

use super::Machine;
use crate::{
    data::Row,
    exact::{self, error_bound},
    space::{Hyperplane, Seen, expanded::on_support},
};

/// An example with its present score.
pub(super) struct Sighting<'m, 'a> {
    pub(super) machine: &'m Machine<'a>,
    pub(super) example: usize,
    /// The running score without the bias, and its terms' magnitudes.
    pub(super) score: (f64, f64),
    /// How many updates it has.
    pub(super) moves: usize,
    pub(super) values: OnceCell<Vec<f64>>,
}

impl Sighting<'_, '_> {
    fn row(&self, plane: &Hyperplane) -> Row<'_> {
        let values = self.values.get_or_init(|| self.machine.values_on_support(self.example));
        on_support(values, &plane.weights)
    }
}

impl Seen for Sighting<'_, '_> {
    fn compare(&self, plane: &Hyperplane, threshold: f64) -> Ordering {
        let (sum, magnitude) = self.score;
        let value = sum + plane.bias - threshold;
        // Two terms an update (the module's note), and bias and threshold.
        let terms = 2 * self.moves + 6;
        let error = error_bound(terms, magnitude + plane.bias.abs() + threshold.abs());
        if value > error {
            Ordering::Greater
        } else if value < -error {
            Ordering::Less
        } else if self.moves == 0 {
            plane.bias.partial_cmp(&threshold).unwrap_or(Ordering::Equal)
        } else {
            exact::compare_score(&plane.weights, plane.bias, self.row(plane), threshold)
        }
    }

    fn score_beyond(&self, plane: &Hyperplane, threshold: f64) -> f64 {
        exact::score_beyond(&plane.weights, plane.bias, self.row(plane), threshold)
    }

    fn squared_norm(&self, extra: f64) -> f64 {
        self.machine.rows.kernel_square(self.machine.kernel, self.example) + extra
    }

    fn is_zero(&self) -> bool {
        self.machine.rows.kernel_square(self.machine.kernel, self.example) == 0.0
    }
}
