//! The sign of a score as real arithmetic gives it.
//!
//! A score is `s = w·x + b` where every `w`, `b`, `x` is a stored float. Whether an example is a
//! mistake is the sign of that *real* number, so it may not depend on the order of a summation, on
//! a register's width or on how rows are stored. The sign is found by the cheapest step that can
//! prove it (the idea of Shewchuk's adaptive predicates, *Discrete & Computational Geometry* 18,
//! 1997):
//!
//! 1. `filter`: the score in `f64` in any order, and a bound on its error: while training from upper bounds
//!    on ‖w‖ and ‖x‖, so that a sum alone decides nearly always; else from the sum of the magnitudes.
//! 2. `compensated`: the rounding errors of step 1 are computed too and added up, which leaves an
//!    error some 2⁵⁰ times smaller. When no rounding error occurred the sum is exact, ties included.
//! 3. [`Accumulator`]: the sum in fixed point, wide enough for every product of two floats.
//!
//! The boundary: a score of exactly 0 is [`Ordering::Equal`]; what it means is up to the caller.
//!
//! Where a *value* is needed (a reported score, a norm), it is the exact one correctly rounded, by
//! the same ladder. Deliberately absent: any tolerance.
//!
//! # What may be asked
//! The functions that give a sign take finite numbers and a row whose features all have a weight: they panic where a
//! feature has none, and where a number is not finite. Those that give a value give NaN for numbers that are not finite.
//! [`Hyperplane`](crate::hyperplane::Hyperplane) has the same with an error.

mod accumulator;
mod compensated;
mod filter;
mod norm;

pub(crate) use compensated::two_sum;
pub(crate) use filter::{error_bound, quick_magnitude};

pub use accumulator::Accumulator;
pub use norm::{Radius, norm, radius, squared_norm, squared_row_norm};

use std::cmp::Ordering;

use crate::data::Row;

/// The sign of `w·x + b`, exactly: `Less`, `Equal` or `Greater` than 0.
///
/// Cost: nearly always one pass over the row's stored entries.
///
/// # Panics
/// When a feature of the row has no weight, or a number is not finite.
///
/// ```
/// use rosenblatt::{data::{Row, Values}, exact};
/// // 0.1 + 0.2 − 0.3 as stored is not 0, but 2⁻⁵⁵: the sum of the stored numbers is positive.
/// let x = [0.1, 0.2, 0.3];
/// let sign = exact::score_sign(&[1.0, 1.0, -1.0], 0.0, Row::dense(Values::F64(&x)));
/// assert_eq!(sign, std::cmp::Ordering::Greater);
/// ```
#[inline]
pub fn score_sign(weights: &[f64], bias: f64, row: Row<'_>) -> Ordering {
    compare_score(weights, bias, row, 0.0)
}

/// How `w·x + b` compares to `threshold`, exactly.
///
/// # Panics
/// As [`score_sign`] does.
#[inline]
pub fn compare_score(weights: &[f64], bias: f64, row: Row<'_>, threshold: f64) -> Ordering {
    assert!(row.end() <= weights.len(), "a feature of the row has no weight");
    let estimate = filter::score(weights, [bias, -threshold], row);
    if estimate.value > estimate.error {
        Ordering::Greater
    } else if estimate.value < -estimate.error {
        Ordering::Less
    } else {
        close_sign(weights, [bias, -threshold], row)
    }
}

/// The same where `lengths` is known, which is at least ‖w‖·‖x‖ (up to a relative 10⁻⁶; infinite when nothing
/// is known): then one sum decides nearly always.
#[inline]
pub(crate) fn compare_score_within(
    weights: &[f64],
    bias: f64,
    row: Row<'_>,
    threshold: f64,
    lengths: f64,
) -> Ordering {
    let estimate = filter::quick_score(weights, [bias, -threshold], row, lengths);
    if estimate.value > estimate.error {
        Ordering::Greater
    } else if estimate.value < -estimate.error {
        Ordering::Less
    } else {
        compare_score(weights, bias, row, threshold)
    }
}

/// Steps 2 and 3, out of line: they are rare.
#[cold]
fn close_sign(weights: &[f64], constants: [f64; 2], row: Row<'_>) -> Ordering {
    compensated::score(weights, constants, row)
        .and_then(|sum| sum.sign())
        .unwrap_or_else(|| exact_score(weights, constants, row).sign())
}

/// `w·x + b` rounded once, to the nearest `f64` (ties to even); infinite when it is past the range, NaN when a number
/// is not finite.
///
/// Cost: one pass with some ten operations an entry, nearly always.
///
/// # Panics
/// When a feature of the row has no weight.
pub fn score(weights: &[f64], bias: f64, row: Row<'_>) -> f64 {
    score_beyond(weights, bias, row, 0.0)
}

/// `w·x + b − threshold` rounded once; NaN when a number is not finite.
///
/// # Panics
/// When a feature of the row has no weight.
pub fn score_beyond(weights: &[f64], bias: f64, row: Row<'_>, threshold: f64) -> f64 {
    let constants = [bias, -threshold];
    compensated::score(weights, constants, row)
        .and_then(|sum| sum.rounded())
        .unwrap_or_else(|| rounded_or_nan(weights, constants, row))
}

/// Out of line: it is rare. What is not finite leaves the range in which the sums before this are proven.
#[cold]
fn rounded_or_nan(weights: &[f64], constants: [f64; 2], row: Row<'_>) -> f64 {
    let mut is_finite = constants.iter().all(|constant| constant.is_finite());
    row.for_each(|j, x| is_finite &= x.is_finite() && weights[j].is_finite());
    if is_finite { exact_score(weights, constants, row).rounded() } else { f64::NAN }
}

/// The score as far as step 1 knows it: a lower and an upper bound, infinite where it knows nothing.
pub(crate) fn score_bounds(weights: &[f64], bias: f64, row: Row<'_>) -> (f64, f64) {
    bounds(filter::score(weights, [bias, 0.0], row))
}

/// The same by a sum alone, where `lengths` is known as in [`compare_score_within`].
pub(crate) fn score_bounds_within(
    weights: &[f64],
    bias: f64,
    row: Row<'_>,
    lengths: f64,
) -> (f64, f64) {
    bounds(filter::quick_score(weights, [bias, 0.0], row, lengths))
}

fn bounds(estimate: filter::Estimate) -> (f64, f64) {
    // One rounding each; the neighbour float is past it.
    let low = (estimate.value - estimate.error).next_down();
    let high = (estimate.value + estimate.error).next_up();
    if low <= high { (low, high) } else { (f64::NEG_INFINITY, f64::INFINITY) }
}

/// How the score of the first weights and bias compares to that of the second, exactly.
///
/// Cost: an accumulator's; for scores that bounds could not tell apart.
///
/// # Panics
/// As [`score_sign`] does.
pub fn compare_two_scores(first: (&[f64], f64), second: (&[f64], f64), row: Row<'_>) -> Ordering {
    let mut difference = Accumulator::new();
    difference.add(first.1);
    difference.add(-second.1);
    row.for_each(|j, x| {
        difference.add_product(first.0[j], x);
        difference.add_product(-second.0[j], x);
    });
    difference.sign()
}

fn exact_score(weights: &[f64], constants: [f64; 2], row: Row<'_>) -> Accumulator {
    let mut sum = Accumulator::new();
    constants.into_iter().for_each(|constant| sum.add(constant));
    row.for_each(|j, x| sum.add_product(weights[j], x));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Values;

    fn all(weights: &[f64], bias: f64, x: &[f64]) -> (Ordering, f64) {
        let row = Row::dense(Values::F64(x));
        let exact = exact_score(weights, [bias, 0.0], row);
        assert_eq!(score_sign(weights, bias, row), exact.sign());
        assert_eq!(score(weights, bias, row).to_bits(), exact.rounded().to_bits());
        (exact.sign(), exact.rounded())
    }

    /// A product with 0 is one that no bound looks at.
    #[test]
    fn a_score_with_what_is_no_number_is_none() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for (weights, bias, x) in [
                ([bad, 1.0], 0.0, [0.0, 1.0]),
                ([0.0, 1.0], 0.0, [bad, 1.0]),
                ([1.0, 1.0], bad, [1.0, 1.0]),
                ([1.0, bad], 0.0, [1.0, 2.0]),
            ] {
                assert!(score(&weights, bias, Row::dense(Values::F64(&x))).is_nan(), "{bad}");
            }
        }
    }

    #[test]
    fn cancellation() {
        assert_eq!(all(&[1e16, 1.0, -1e16], 0.0, &[1.0, 1.0, 1.0]), (Ordering::Greater, 1.0));
        assert_eq!(all(&[1e200, 1e200, 1e-200], 0.0, &[1e100, -1e100, -1e-200]).0, Ordering::Less);
    }

    #[test]
    fn ties() {
        assert_eq!(all(&[3.0, 2.0], -4.0, &[0.0, 2.0]), (Ordering::Equal, 0.0));
        assert_eq!(all(&[], 0.0, &[]), (Ordering::Equal, 0.0));
        assert_eq!(all(&[-0.0], -0.0, &[-0.0]), (Ordering::Equal, 0.0));
    }

    #[test]
    fn underflow_does_not_hide_a_sign() {
        let tiny = f64::from_bits(1);
        assert_eq!(all(&[tiny], 0.0, &[tiny]).0, Ordering::Greater);
        assert_eq!(all(&[tiny], 0.0, &[-0.5]), (Ordering::Less, -0.0));
        assert_eq!(all(&[tiny, -1e-300], 0.0, &[0.75, 1e-300]).0, Ordering::Greater);
    }

    #[test]
    fn overflow_does_not_hide_a_sign() {
        let max = f64::MAX;
        assert_eq!(all(&[max, max], -1.0, &[max, -max]), (Ordering::Less, -1.0));
        assert_eq!(all(&[max], max, &[2.0]), (Ordering::Greater, f64::INFINITY));
        assert_eq!(all(&[max], -max, &[1.0]), (Ordering::Equal, 0.0));
    }
}
