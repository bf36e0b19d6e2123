//! The examples that were misclassified most often: outliers, and candidates for a wrong label.

use std::cmp::Reverse;

use serde::Serialize;

/// An example and its mistakes.
#[derive(Serialize)]
pub(super) struct HardExample {
    /// Its place in the file, from 1 (rows that were left out do not count).
    pub(super) example: usize,
    /// Its class.
    pub(super) label: String,
    /// The number of visits on which it was a mistake.
    pub(super) mistakes: u64,
}

/// Returns the `most` examples with the most mistakes in descending order, then in the order of the file. `describe`
/// makes the entry of the example with this index.
pub(super) fn hardest(
    mistakes: &[u64],
    most: usize,
    describe: impl Fn(usize) -> HardExample,
) -> Vec<HardExample> {
    let mut order: Vec<usize> = (0..mistakes.len()).filter(|&i| mistakes[i] > 0).collect();
    order.sort_by_key(|&i| Reverse(mistakes[i]));
    order.into_iter().take(most).map(describe).collect()
}
