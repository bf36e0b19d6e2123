//! Pricing: one pass over all rows that finds the vectors which the current point sees worst.

use std::collections::BinaryHeap;

use crate::{exact, space::Hyperplane};

use super::points::Points;

/// What a pass found.
#[derive(Clone, Debug)]
pub(super) struct Pass {
    /// The smallest p·z.
    pub(super) smallest: f64,
    /// The rows with the smallest p·z below the cut, the smallest first.
    pub(super) rows: Vec<usize>,
}

/// A row by its score; ordered by the score, and rows of one score by their place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Priced(f64, usize);

impl Eq for Priced {}

impl Ord for Priced {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

impl PartialOrd for Priced {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The scores of all rows against `hyperplane`, and of those below `cut` the `most` smallest. An error
/// of `tolerance` is allowed in a score; where the quick one is not that good, the exact one is taken.
pub(super) fn price(
    points: &Points<'_>,
    hyperplane: &Hyperplane,
    cut: f64,
    tolerance: f64,
    most: usize,
) -> Pass {
    let mut worst = BinaryHeap::with_capacity(most + 1);
    let mut smallest = f64::INFINITY;
    for (i, (row, sign)) in points.examples.iter().enumerate() {
        let (low, high) = exact::score_bounds(&hyperplane.weights, hyperplane.bias, row);
        let quick = high - low <= tolerance;
        let score = sign * if quick { low + (high - low) / 2.0 } else { hyperplane.score(row) };
        smallest = smallest.min(score);
        if score < cut {
            worst.push(Priced(score, i));
            if worst.len() > most {
                worst.pop();
            }
            // Nothing above the largest of a full list can enter it.
        }
    }
    let rows = worst.into_sorted_vec().into_iter().map(|Priced(_, i)| i).collect();
    Pass { smallest, rows }
}
