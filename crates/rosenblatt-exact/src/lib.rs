//! The exact sign of a sum of products of floats, and sums and norms rounded once: for hyperplanes, certificates and other
//! decisions that must not depend on rounding. A weight vector is dense; a [`Row`] is dense or sparse, in `f32` or `f64`.
//!
//! A score is `s = w·x + b` where every `w`, `b`, `x` is a stored float. A decision is about the sign of that
//! *real* number. So the sign must not depend on the order of a summation, on the width of registers or on the
//! layout of rows. It is found by the cheapest step that can prove it (the idea of Shewchuk's adaptive predicates,
//! *Discrete & Computational Geometry* 18, 1997):
//!
//! 1. `filter`: the score in `f64` in any order, and a bound on its error. In training the bound comes from upper
//!    bounds on ‖w‖ and ‖x‖, so that a sum alone nearly always decides; elsewhere from the sum of the magnitudes.
//! 2. `compensated`: the sum of step 1 plus its computed rounding errors, which reduces the error by a factor of about
//!    2⁵⁰. Without rounding errors the sum is exact, ties included.
//! 3. [`Accumulator`]: the sum in fixed point, wide enough for every product of two floats.
//!
//! A score of exactly 0 is [`Ordering::Equal`]; the caller decides its meaning.
//!
//! A *value* (a reported score, a norm) is the exact one correctly rounded, by the same steps. No tolerance is used.
//!
//! # Preconditions
//! Functions that return a sign panic if a feature of the row has no weight or a number is not finite. Functions that
//! return a value panic in the first case and return NaN in the second. [`Row::check`] finds out before.

mod accumulator;
mod compensated;
pub mod double_double;
mod filter;
mod norm;
mod row;
mod sign;
pub mod simd;

pub use accumulator::Accumulator;
pub use compensated::two_sum;
pub use filter::{error_bound, quick_magnitude};
pub use norm::{norm, row_norm, squared_norm, squared_norm_of_pair, squared_row_norm};
pub use row::{Row, RowError, Values};
pub use sign::Sign;

use std::cmp::Ordering;

/// Returns the exact sign of `w·x + b`: `Less`, `Equal` or `Greater` than 0.
///
/// Cost: nearly always one pass over the row's stored entries.
///
/// # Panics
/// If a feature of the row has no weight, or a number is not finite.
///
/// ```
/// use rosenblatt_exact::{Row, score_sign};
/// // 0.1 + 0.2 − 0.3 as stored is not 0, but 2⁻⁵⁵: the sum of the stored numbers is positive.
/// let sign = score_sign(&[1.0, 1.0, -1.0], 0.0, Row::from(&[0.1, 0.2, 0.3]));
/// assert_eq!(sign, std::cmp::Ordering::Greater);
/// ```
#[inline]
pub fn score_sign(weights: &[f64], bias: f64, row: Row<'_>) -> Ordering {
    compare_score(weights, bias, row, 0.0)
}

/// Compares `w·x + b` with `threshold`, exactly.
///
/// # Panics
/// As for [`score_sign`].
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

/// Compares like [`compare_score`]. `lengths` is at least ‖w‖·‖x‖ (up to a relative 10⁻⁶; infinite if unknown), so that
/// one sum nearly always decides.
#[inline]
pub fn compare_score_within(
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

/// Returns `w·x + b` rounded once, to the nearest `f64` (ties to even); infinite past the range, NaN if a number is not
/// finite.
///
/// Cost: nearly always one pass with about ten operations per entry.
///
/// # Panics
/// If a feature of the row has no weight.
pub fn score(weights: &[f64], bias: f64, row: Row<'_>) -> f64 {
    score_beyond(weights, bias, row, 0.0)
}

/// Returns `w·x + b − threshold` rounded once; NaN if a number is not finite.
///
/// # Panics
/// If a feature of the row has no weight.
pub fn score_beyond(weights: &[f64], bias: f64, row: Row<'_>, threshold: f64) -> f64 {
    let constants = [bias, -threshold];
    compensated::score(weights, constants, row)
        .and_then(|sum| sum.rounded())
        .unwrap_or_else(|| rounded_or_nan(weights, constants, row))
}

/// Out of line, because it is rare. Numbers that are not finite fail the range checks of the earlier steps.
#[cold]
fn rounded_or_nan(weights: &[f64], constants: [f64; 2], row: Row<'_>) -> f64 {
    let mut is_finite = constants.iter().all(|constant| constant.is_finite());
    row.for_each(|j, x| is_finite &= x.is_finite() && weights[j].is_finite());
    if is_finite { exact_score(weights, constants, row).rounded() } else { f64::NAN }
}

/// The bounds of step 1 on the score, lower and upper; infinite if unknown.
#[inline]
pub fn score_bounds(weights: &[f64], bias: f64, row: Row<'_>) -> (f64, f64) {
    bounds(filter::score(weights, [bias, 0.0], row))
}

/// Bounds from a sum alone, with `lengths` as in [`compare_score_within`].
#[inline]
pub fn score_bounds_within(weights: &[f64], bias: f64, row: Row<'_>, lengths: f64) -> (f64, f64) {
    bounds(filter::quick_score(weights, [bias, 0.0], row, lengths))
}

#[inline]
fn bounds(estimate: filter::Estimate) -> (f64, f64) {
    // One rounding each; the neighboring float is past it.
    let low = (estimate.value - estimate.error).next_down();
    let high = (estimate.value + estimate.error).next_up();
    if low <= high { (low, high) } else { (f64::NEG_INFINITY, f64::INFINITY) }
}

/// Compares the score of the first weights and bias with that of the second, exactly.
///
/// Cost: nearly always one pass with about twenty operations per entry.
///
/// # Panics
/// As for [`score_sign`].
pub fn compare_two_scores(first: (&[f64], f64), second: (&[f64], f64), row: Row<'_>) -> Ordering {
    compare_score_difference(first, second, row, 0.0)
}

/// Compares the score of the first weights and bias minus that of the second with `threshold`, exactly.
///
/// # Panics
/// As for [`score_sign`].
pub fn compare_score_difference(
    first: (&[f64], f64),
    second: (&[f64], f64),
    row: Row<'_>,
    threshold: f64,
) -> Ordering {
    let compensated = compensated::difference(first, second, threshold, row);
    let sign = compensated.and_then(|sum| sum.sign());
    sign.unwrap_or_else(|| exact_difference(first, second, threshold, row).sign())
}

/// The score of the first weights and bias minus that of the second and minus `threshold`, rounded once. All numbers
/// must be finite.
pub fn score_difference_beyond(
    first: (&[f64], f64),
    second: (&[f64], f64),
    row: Row<'_>,
    threshold: f64,
) -> f64 {
    let compensated = compensated::difference(first, second, threshold, row);
    let rounded = compensated.and_then(|sum| sum.rounded());
    rounded.unwrap_or_else(|| exact_difference(first, second, threshold, row).rounded())
}

fn exact_difference(
    first: (&[f64], f64),
    second: (&[f64], f64),
    threshold: f64,
    row: Row<'_>,
) -> Accumulator {
    let mut difference = Accumulator::new();
    [first.1, -second.1, -threshold].into_iter().for_each(|constant| difference.add(constant));
    row.for_each(|j, x| {
        difference.add_product(first.0[j], x);
        difference.add_product(-second.0[j], x);
    });
    difference
}

fn exact_score(weights: &[f64], constants: [f64; 2], row: Row<'_>) -> Accumulator {
    let mut sum = Accumulator::new();
    constants.into_iter().for_each(|constant| sum.add(constant));
    row.for_each(|j, x| sum.add_product(weights[j], x));
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Values;

    fn all(weights: &[f64], bias: f64, x: &[f64]) -> (Ordering, f64) {
        let row = Row::dense(Values::F64(x));
        let exact = exact_score(weights, [bias, 0.0], row);
        assert_eq!(score_sign(weights, bias, row), exact.sign());
        assert_eq!(score(weights, bias, row).to_bits(), exact.rounded().to_bits());
        (exact.sign(), exact.rounded())
    }

    /// The bounds skip a product with 0.
    #[test]
    fn a_score_of_numbers_that_are_not_finite_is_nan() {
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

    proptest! {
        /// The quick comparison of two scores is that of the accumulator; near-ties are common.
        #[test]
        fn two_scores_compare_exactly(
            first in proptest::collection::vec(number(), 1..20),
            changes in proptest::collection::vec(prop_oneof![3 => Just(0.0), 1 => number()], 20),
            x in proptest::collection::vec(number(), 20),
            scale in prop_oneof![4 => Just(1.0), 1 => Just(1e-320), 1 => Just(1e5)],
            bias in number(),
        ) {
            let second: Vec<f64> = first.iter().zip(&changes).map(|(w, d)| (w + d) * scale).collect();
            let row = Row::dense(Values::F64(&x[..first.len()]));
            let (first, second) = ((first.as_slice(), bias), (second.as_slice(), bias));
            let exact = exact_difference(first, second, 0.0, row).sign();
            prop_assert_eq!(compare_two_scores(first, second, row), exact);
            let difference = exact_difference(first, second, 0.0, row).rounded();
            for threshold in [1.0, x[0], difference].into_iter().filter(|one| one.is_finite()) {
                let exact = exact_difference(first, second, threshold, row);
                let beyond = score_difference_beyond(first, second, row, threshold);
                prop_assert_eq!(beyond.to_bits(), exact.rounded().to_bits());
                prop_assert_eq!(compare_score_difference(first, second, row, threshold), exact.sign());
            }
            prop_assert_eq!(compare_two_scores(first, first, row), Ordering::Equal);
        }
    }

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            3 => (-9i32..10).prop_map(f64::from),
            3 => -1.0..1.0f64,
            1 => (-1.0..1.0f64).prop_map(|x| x * 1e-300),
            1 => (-1.0..1.0f64).prop_map(|x| x * 1e300),
            1 => any::<i8>().prop_map(|n| f64::from(n) * f64::from_bits(1)),
        ]
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

/// The README, whose program is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
