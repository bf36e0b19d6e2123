//! Pricing: one pass over all rows that finds the vectors with the smallest scores.

use std::{collections::BinaryHeap, ops::Add};

use rosenblatt_core::{data::Row, space::Hyperplane};

use super::{sums, vectors::Points};

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

/// A sum of products, and of their magnitudes.
#[derive(Clone, Copy)]
struct Sums(f64, f64);

impl Add for Sums {
    type Output = Sums;

    #[inline]
    fn add(self, other: Sums) -> Sums {
        Sums(self.0 + other.0, self.1 + other.1)
    }
}

/// The score. The error of the quick one is below m·2⁻⁵² times the sum of the m magnitudes.
#[inline]
fn score(hyperplane: &Hyperplane, row: Row<'_>, tolerance: f64) -> f64 {
    let Hyperplane { weights, bias } = hyperplane;
    let products = sums::of_row(row, weights, Sums(0.0, 0.0), |w, x| {
        let product = w * x;
        Sums(product, product.abs())
    });
    let Sums(sum, magnitude) = products + Sums(*bias, bias.abs());
    let terms = weights.len() as f64 + 1.0;
    let good = terms * f64::EPSILON * magnitude <= tolerance;
    if good { sum } else { hyperplane.unchecked_score(row) }
}
