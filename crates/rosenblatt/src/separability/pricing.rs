//! Pricing: one pass over all rows that finds the vectors which the current point sees worst.

use std::collections::BinaryHeap;

use crate::{data::Row, space::Hyperplane};

use super::vectors::Points;

/// What a pass found.
#[derive(Clone, Debug)]
pub(super) struct PricedRows {
    /// The smallest p·z.
    pub(super) smallest: f64,
    /// The rows with the smallest p·z below the cut, the smallest first.
    pub(super) rows: Vec<usize>,
}

/// A row by its score; ordered by the score, and rows of one score by their place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Priced(pub(super) f64, pub(super) usize);

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
/// of `tolerance` is allowed in a score; where the quick one may not be that good, the exact one is
/// taken.
pub(super) fn price(
    points: &Points<'_>,
    hyperplane: &Hyperplane,
    cut: f64,
    tolerance: f64,
    most: usize,
) -> PricedRows {
    let mut worst = BinaryHeap::with_capacity(most + 1);
    let mut smallest = f64::INFINITY;
    for (i, (row, sign)) in points.examples.iter().enumerate() {
        let score = sign * score(hyperplane, row, tolerance);
        smallest = smallest.min(score);
        if score < cut {
            worst.push(Priced(score, i));
            if worst.len() > most {
                worst.pop();
            }
        }
    }
    let rows = worst.into_sorted_vec().into_iter().map(|Priced(_, i)| i).collect();
    PricedRows { smallest, rows }
}

/// The score, entry by entry in ascending order: an entry 0 changes no bit of it, so that every layout
/// of the data gives the same one. Its error is below m·2⁻⁵² times the sum of the m magnitudes.
#[inline]
fn score(hyperplane: &Hyperplane, row: Row<'_>, tolerance: f64) -> f64 {
    let (mut sum, mut magnitude) = (hyperplane.bias, hyperplane.bias.abs());
    row.for_each(|j, x| {
        let product = hyperplane.weights[j] * x;
        sum += product;
        magnitude += product.abs();
    });
    let terms = hyperplane.weights.len() as f64 + 1.0;
    let good = terms * f64::EPSILON * magnitude <= tolerance;
    if good { sum } else { hyperplane.unchecked_score(row) }
}
