//! Epochs of the perceptron: before anything else, and beside the search as long as nothing separates.
//!
//! Often a few separate at once. On wide sparse data with a margin, the perceptron separates in seconds what
//! the search for the shortest vector would take minutes for; on narrow data with a small margin it is the
//! other way round. So both get the same work until one has a separator. What the epochs find is only a
//! candidate: plain precision will do.

use super::{budget::Budget, vectors::Points};

/// At least so many epochs before the search begins,
const FEWEST: u64 = 10;
/// and at most so many,
const MOST: u64 = 1000;
/// as long as no more entries are visited than this: well under a second.
const ENTRIES: u64 = 20_000_000;

/// The perceptron on the way.
pub(super) struct Epochs {
    /// The weights, from the mean of the vectors.
    pub(super) weights: Vec<f64>,
    /// Whether the last epoch made no mistake.
    pub(super) is_clean: bool,
    /// What an epoch costs.
    pub(super) cost: u64,
    /// What all epochs have cost.
    pub(super) spent: u64,
}

impl Epochs {
    /// The first epochs, up to a clean one.
    pub(super) fn begin(points: &Points<'_>, budget: &mut Budget<'_>) -> Self {
        let examples = &points.examples;
        let cost = 2 * (examples.rows().stored() + examples.len()) as u64;
        let mut epochs = Epochs { weights: points.mean(), is_clean: false, cost, spent: 0 };
        for _ in 0..(2 * ENTRIES / cost.max(1)).clamp(FEWEST, MOST) {
            if epochs.is_clean || budget.spend(cost) {
                break;
            }
            epochs.next(points);
        }
        epochs
    }

    /// One more epoch.
    pub(super) fn next(&mut self, points: &Points<'_>) {
        self.is_clean = true;
        for row in 0..points.examples.len() {
            if points.score(row, &self.weights) <= 0.0 {
                points.add(row, 1.0, &mut self.weights);
                self.is_clean = false;
            }
        }
        self.spent += self.cost;
    }
}
