//! Epochs of the perceptron: before the search, and during it until a separator is found.
//!
//! A few epochs often find a separator. On wide sparse data with a margin, the perceptron separates in seconds, while
//! the search for the shortest vector takes minutes. On narrow data with a small margin it is the other way round. So
//! both run until one has a separator; the search, which also finds that there is none, gets twice the work, and eight times
//! once the mistakes of the epochs do not fall any more. The weights of the epochs are only a candidate, so plain precision
//! is enough.

use super::{budget::Budget, vectors::Points};
use rosenblatt_core::hyperplane::Hyperplane;

/// The minimum number of epochs before the search begins.
const FEWEST: u64 = 10;
/// The maximum number of epochs before the search begins.
const MOST: u64 = 1000;
/// The maximum number of entries visited by these epochs: well under a second.
const ENTRIES: u64 = 20_000_000;

/// The number of epochs without fewer mistakes from which they do not fall any more.
const IDLE: u32 = 5;

/// The state of the perceptron.
pub(super) struct Epochs {
    /// The weights; they start from the mean of the vectors.
    pub(super) weights: Vec<f64>,
    /// The hyperplane of these weights, whose scores need no scaled rows.
    hyperplane: Hyperplane,
    /// Whether the last epoch had no mistakes.
    pub(super) is_clean: bool,
    /// The fewest mistakes of an epoch.
    fewest: usize,
    /// The number of epochs after the first with these.
    idle: u32,
    /// The cost of an epoch.
    pub(super) cost: u64,
    /// The cost of all epochs so far.
    pub(super) spent: u64,
}

impl Epochs {
    /// No epochs yet.
    pub(super) fn new(points: &Points<'_>) -> Self {
        let examples = &points.examples;
        let cost = 2 * (examples.rows().stored() + examples.len()) as u64;
        let weights = points.mean();
        let hyperplane = points.hyperplane(&weights);
        let fewest = usize::MAX;
        Epochs { weights, hyperplane, is_clean: false, fewest, idle: 0, cost, spent: 0 }
    }

    /// Runs the first epochs, up to one without mistakes.
    pub(super) fn begin(points: &Points<'_>, budget: &mut Budget<'_>) -> Self {
        let mut epochs = Epochs::new(points);
        for _ in 0..(2 * ENTRIES / epochs.cost.max(1)).clamp(FEWEST, MOST) {
            if epochs.is_clean || budget.spend(epochs.cost) {
                break;
            }
            epochs.next(points);
        }
        epochs
    }

    /// Runs one more epoch.
    pub(super) fn next(&mut self, points: &Points<'_>) {
        let mut mistakes = 0;
        for row in 0..points.examples.len() {
            if points.score(row, &self.hyperplane) <= 0.0 {
                points.add(row, 1.0, &mut self.weights);
                points.update_hyperplane(row, &self.weights, &mut self.hyperplane);
                mistakes += 1;
            }
        }
        self.is_clean = mistakes == 0;
        self.idle = if mistakes < self.fewest { 0 } else { self.idle + 1 };
        self.fewest = self.fewest.min(mistakes);
        self.spent += self.cost;
    }

    /// Whether the next epoch is within the share of the epochs in the work of a search that has spent this.
    pub(super) fn may_go_on(&self, of_search: u64) -> bool {
        let times = if self.idle < IDLE { 2 } else { 8 };
        times * (self.spent + self.cost) <= of_search
    }
}
