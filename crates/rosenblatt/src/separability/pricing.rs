//! Pricing: one pass over all rows that finds the vectors with the smallest scores.

use std::collections::BinaryHeap;

use crate::{data::Row, space::Hyperplane};

use super::vectors::{LANES, Points};

/// The result of a pass.
#[derive(Clone, Debug)]
pub(super) struct PricedRows {
    /// The smallest p·z.
    pub(super) smallest: f64,
    /// The rows with the smallest p·z below the cut, in ascending order.
    pub(super) rows: Vec<usize>,
}

/// A row with its score, ordered by score and then by place.
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

/// Scores all rows against `hyperplane`, and collects the `most` smallest scores below `cut`. A score may have an error
/// of `tolerance`; if the quick score may not be that accurate, the exact one is computed.
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

/// The score, by partial sums of its entries in ascending order. An entry 0 changes no bit of it, so every layout of the data
/// gives the same score. Its error is below m·2⁻⁵² times the sum of the m magnitudes.
#[inline]
fn score(hyperplane: &Hyperplane, row: Row<'_>, tolerance: f64) -> f64 {
    let (mut sums, mut sizes, mut entry) = ([0.0; LANES], [0.0; LANES], 0);
    row.for_each(|j, x| {
        let product = hyperplane.weights[j] * x;
        sums[entry % LANES] += product;
        sizes[entry % LANES] += product.abs();
        entry += usize::from(x != 0.0);
    });
    let sum = hyperplane.bias + sums.iter().sum::<f64>();
    let magnitude = hyperplane.bias.abs() + sizes.iter().sum::<f64>();
    let terms = hyperplane.weights.len() as f64 + 1.0;
    let good = terms * f64::EPSILON * magnitude <= tolerance;
    if good { sum } else { hyperplane.unchecked_score(row) }
}
