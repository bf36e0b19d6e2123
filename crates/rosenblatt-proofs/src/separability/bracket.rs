//! Proven bounds on a margin, from separating weights and from multipliers.
//!
//! The margin is at least that of any weights w and bias b that separate. It is at most the length of Σλᵢzᵢ/Σλᵢ for any
//! multipliers λ ≥ 0. With u = 2⁻⁵³, every number here is exact or has the roundings that are counted where it is
//! computed. Each bound is moved outwards past them.

use std::ops::Range;

use rosenblatt_core::{
    data::{Examples, Sign},
    space::Hyperplane,
};
use rosenblatt_exact as exact;
use rosenblatt_exact::Accumulator;

use super::double_double::{Double, Number};

/// A row and its positive multiplier, the exact sum of two floats. With one float, rounding alone would leave a sum
/// with a norm of up to 10⁻¹⁶ R.
pub(super) type Multiplier = (usize, Double);

/// A proven interval for a margin γ.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Bracket {
    /// Lower bound on γ; above 0 unless it underflows.
    pub lower: f64,
    /// Upper bound on γ.
    pub upper: f64,
}

/// The smallest functional margin of each class, as (minus, plus), each correctly rounded; infinite for a class without
/// examples. Cost: one pass; exact scores are computed only for rows that could be the closest.
pub(super) fn class_margins(hyperplane: &Hyperplane, examples: &Examples<'_>) -> (f64, f64) {
    let (mut minus, mut plus) = (f64::INFINITY, f64::INFINITY);
    for (row, sign) in examples.iter() {
        let smallest = if sign == Sign::Plus { &mut plus } else { &mut minus };
        let (low, high) = exact::score_bounds(&hyperplane.weights, hyperplane.bias, row);
        let below = if sign == Sign::Plus { low } else { -high };
        if below < *smallest {
            *smallest = smallest.min(sign * hyperplane.unchecked_score(row));
        }
    }
    (minus, plus)
}

/// A lower bound on the margin of the vectors (x, 1), or of x if the bias is 0: the smallest functional margin over
/// ‖(w, b)‖. Three roundings (margin, norm, quotient), 3u in all to first order.
pub(super) fn lower_with_constant(hyperplane: &Hyperplane, margins: (f64, f64)) -> f64 {
    let numbers = hyperplane.weights.iter().copied().chain([hyperplane.bias]);
    quotient_below(margins.0.min(margins.1), exact::norm(numbers))
}

/// A lower bound on the geometric margin with a free bias: half the distance between the classes along w. That distance
/// is the sum of their functional margins, whatever b is. Four roundings.
pub(super) fn lower_with_free_bias(hyperplane: &Hyperplane, margins: (f64, f64)) -> f64 {
    quotient_below((margins.0 + margins.1) / 2.0, hyperplane.norm())
}

/// The quotient of two positive numbers with up to four roundings in all, rounded down past them. 0 if one of the
/// numbers is not normal, because a relative error then means nothing.
fn quotient_below(margin: f64, norm: f64) -> f64 {
    let quotient = margin / norm;
    let normal = [margin, norm, quotient].iter().all(|a| a.is_normal() && *a > 0.0);
    if normal { quotient * (1.0 - 4.0 * f64::EPSILON) } else { 0.0 }
}

/// An upper bound on the margin of the vectors (x, 1), or of x without `bias`: ‖Σλᵢzᵢ‖/Σλᵢ.
pub(super) fn upper_with_constant(
    examples: &Examples<'_>,
    bias: bool,
    multipliers: &[Multiplier],
) -> f64 {
    let difference = if bias { signed_sum(examples, multipliers) } else { 0.0 };
    let length = combination_length(examples, multipliers, difference);
    quotient_above(length, multipliers)
}

/// An upper bound on the geometric margin γ with a free bias.
///
/// For the best unit w and b, y(w·x + b) ≥ γ in every row. With v = Σλᵢyᵢxᵢ and δ = Σλᵢyᵢ that gives w·v + bδ ≥ γΣλ,
/// and |b| ≤ R, because −b is the middle of two numbers w·x. So γ ≤ (‖v‖ + R|δ|)/Σλ. The multipliers of each class are
/// divided by their sum, so that δ is only a rounding error. Infinite if a class has no multipliers.
pub(super) fn upper_with_free_bias(
    examples: &Examples<'_>,
    radius: f64,
    multipliers: &[Multiplier],
) -> f64 {
    let total = |class: Sign| -> Double {
        let of_class = multipliers.iter().filter(|&&(row, _)| examples.get(row).1 == class);
        of_class.fold(Double::ZERO, |sum, &(_, multiplier)| sum + multiplier)
    };
    let (minus, plus) = (total(Sign::Minus), total(Sign::Plus));
    if !(minus.high.is_normal() && plus.high.is_normal()) {
        return f64::INFINITY;
    }
    let share = |&(row, multiplier): &Multiplier| {
        (row, multiplier / if examples.get(row).1 == Sign::Plus { plus } else { minus })
    };
    let balanced: Vec<Multiplier> = multipliers.iter().map(share).collect();
    let difference = signed_sum(examples, &balanced).abs();
    let length = combination_length(examples, &balanced, 0.0);
    // One rounding each for the product and the sum.
    let slack = difference * radius * (1.0 + 4.0 * f64::EPSILON);
    quotient_above((length + slack).next_up(), &balanced)
}

/// Σλᵢyᵢ rounded once.
fn signed_sum(examples: &Examples<'_>, multipliers: &[Multiplier]) -> f64 {
    let mut sum = Accumulator::new();
    for &(row, multiplier) in multipliers {
        multiplier.parts().into_iter().for_each(|part| sum.add(examples.get(row).1 * part));
    }
    sum.rounded()
}

/// The quotient by Σλᵢ, rounded up: three roundings (length, sum, quotient). Infinite if there is no bound.
fn quotient_above(length: f64, multipliers: &[Multiplier]) -> f64 {
    let mut sum = Accumulator::new();
    for (_, multiplier) in multipliers {
        multiplier.parts().into_iter().for_each(|part| sum.add(part));
    }
    let quotient = (length / sum.rounded() * (1.0 + 4.0 * f64::EPSILON)).next_up();
    if quotient >= 0.0 { quotient } else { f64::INFINITY }
}

/// The number of coordinates in one block of exact sums: about two megabytes.
const BLOCK: usize = 4096;

/// ‖(Σλᵢyᵢxᵢ, last)‖, rounded up; infinite past the range. Each coordinate is summed exactly and rounded once, by a
/// relative u or, below the normal numbers, half of 2⁻¹⁰⁷⁴. So is `last`. The norm of the rounded coordinates is
/// rounded once.
fn combination_length(examples: &Examples<'_>, multipliers: &[Multiplier], last: f64) -> f64 {
    let features = examples.features();
    let mut coordinates = Vec::with_capacity(features + 1);
    for start in (0..features).step_by(BLOCK) {
        let block = start..(start + BLOCK).min(features);
        coordinates.extend(block_sums(examples, multipliers, block));
    }
    coordinates.push(last);
    if !coordinates.iter().all(|coordinate| coordinate.is_finite()) {
        return f64::INFINITY;
    }
    let underflow = coordinates.len() as f64 * f64::from_bits(1);
    (exact::norm(coordinates) * (1.0 + 2.0 * f64::EPSILON) + underflow).next_up()
}

/// Some coordinates of Σλᵢyᵢxᵢ, each rounded once.
fn block_sums(
    examples: &Examples<'_>,
    multipliers: &[Multiplier],
    block: Range<usize>,
) -> impl Iterator<Item = f64> {
    let mut sums = vec![Accumulator::new(); block.len()];
    for &(row, multiplier) in multipliers {
        let (x, sign) = examples.get(row);
        let parts = multiplier.parts().map(|part| sign * part);
        x.for_each(|j, x| {
            if block.contains(&j) {
                let sum = &mut sums[j - block.start];
                parts.into_iter().for_each(|part| sum.add_product(part, x));
            }
        });
    }
    sums.into_iter().map(|sum| sum.rounded())
}

/// `Σ rᵢ²/γ²` of Novikoff's theorem, rounded up. Each length is rounded once and `lower` is a bound: in all six
/// roundings to first order. Infinite for a length below the normal numbers, whose rounding has no relative bound.
pub(super) fn squares_over(lengths: &[f64], lower: f64) -> f64 {
    if lengths.iter().any(|length| length.is_subnormal()) {
        return f64::INFINITY;
    }
    let squares = lengths.iter().map(|length| (length / lower) * (length / lower));
    let bound = (squares.sum::<f64>() * (1.0 + 8.0 * f64::EPSILON)).next_up();
    if lower > 0.0 { bound } else { f64::INFINITY }
}
