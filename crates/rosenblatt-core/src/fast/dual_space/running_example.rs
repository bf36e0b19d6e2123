//! An example of the dual form with its running score.

use std::{cell::OnceCell, cmp::Ordering};

use super::BlockDualSpace;
use crate::{
    data::Row,
    exact::{self, error_bound},
    hyperplane::Hyperplane,
    rules::ExampleView,
    space::{TrainingExample, on_support, unit_row},
};

/// An example with its current score.
pub(crate) struct RunningExample<'m, 'a> {
    space: &'m BlockDualSpace<'a>,
    example: usize,
    coordinate: [u32; 1],
    /// The running score without the bias, and the sum of the magnitudes of its terms.
    score: (f64, f64),
    /// The number of updates in it.
    updates: usize,
    /// The kernel values with the supporting rows, once they are needed.
    values: OnceCell<Vec<f64>>,
}

impl<'m, 'a> RunningExample<'m, 'a> {
    /// An example whose running score for hyperplane `plane` is `score`.
    pub(super) fn new(
        space: &'m BlockDualSpace<'a>,
        example: usize,
        plane: usize,
        score: (f64, f64),
    ) -> Self {
        RunningExample {
            space,
            example,
            coordinate: [space.dual.coordinate(example)],
            score,
            updates: space.update_counts[plane],
            values: OnceCell::new(),
        }
    }

    fn row(&self, hyperplane: &Hyperplane) -> Row<'_> {
        let values = self.values.get_or_init(|| self.space.values_on_support(self.example));
        on_support(values, &hyperplane.weights)
    }
}

impl ExampleView for RunningExample<'_, '_> {
    fn compare(&self, hyperplane: &Hyperplane, threshold: f64) -> Ordering {
        let (sum, magnitude) = self.score;
        let bias = hyperplane.bias;
        let value = sum + bias - threshold;
        // Two terms for each update (see the module documentation), plus bias and threshold.
        let terms = 2 * self.updates + 6;
        let error = error_bound(terms, magnitude + bias.abs() + threshold.abs());
        if value > error {
            Ordering::Greater
        } else if value < -error {
            Ordering::Less
        } else if self.updates == 0 {
            bias.partial_cmp(&threshold).unwrap_or(Ordering::Equal)
        } else {
            exact::compare_score(&hyperplane.weights, bias, self.row(hyperplane), threshold)
        }
    }

    fn score_beyond(&self, hyperplane: &Hyperplane, threshold: f64) -> f64 {
        let row = self.row(hyperplane);
        exact::score_beyond(&hyperplane.weights, hyperplane.bias, row, threshold)
    }

    fn squared_norm(&self, extra: f64) -> f64 {
        self.space.dual.kernel_square(self.example) + extra
    }

    fn is_zero(&self) -> bool {
        self.space.dual.kernel_square(self.example) == 0.0
    }
}

impl TrainingExample for RunningExample<'_, '_> {
    fn direction(&self) -> Row<'_> {
        unit_row(&self.coordinate)
    }

    fn weights_needed(&self) -> usize {
        self.coordinate[0] as usize + 1
    }
}
