//! Step 2: the sum together with its rounding errors.
//!
//! Every product is split into its rounded value p and its rounding error h (`p + h = wx`, by one fused multiply-add),
//! and every addition into its result and its error q (Knuth's TwoSum). Then
//!
//!   exact score = s + Σ(h + q)   without any error,
//!
//! where s is the plain sum of the p and the constants (Ogita, Rump & Oishi, *SIAM J. Sci. Comput.* 26, 2005). Only the
//! corrections, which are small, are summed with rounding.
//!
//! # The bound
//! Let c be the computed sum of the 2m corrections and E that of their magnitudes (m terms, m ≤ 2³²).
//! By the argument of [`filter`](super::filter), where nothing can underflow because these are
//! additions only: |c − Σ(h+q)| ≤ δ = 1.01·(2m)·u·E + 2(2m)η. So the exact score lies in
//! `[s + (c − δ), s + (c + δ)]`. Rounding is monotone, hence
//!
//! * if `fl(s + c) > δ` then `s + c > δ`, and the exact score is positive; likewise negative;
//! * if both ends round to one float, that float is the exact score correctly rounded;
//! * if E = 0, every correction was 0 and s is the exact score.
//!
//! The split of a product is exact unless it under- or overflows; outside 2⁻⁹⁶⁰..2¹⁰⁰⁰ this step decides nothing.

use std::cmp::Ordering;

use super::filter::error_bound;
use crate::Row;

/// The exact score is `sum + C` for some real C with |C − correction| ≤ `error`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compensated {
    sum: f64,
    correction: f64,
    error: f64,
}

/// The compensated score, or `None` if a product or a sum leaves the range of the proof.
pub(super) fn score(weights: &[f64], constants: [f64; 2], row: Row<'_>) -> Option<Compensated> {
    let mut sum = Sum::new(constants);
    row.for_each(|j, x| sum.add_product(weights[j], x));
    sum.finish(row.stored() + 2)
}

/// The compensated difference of two scores minus `threshold`: one sum of twice as many products, of which those of
/// equal weights cancel. `None` as for [`score`].
pub(super) fn difference(
    first: (&[f64], f64),
    second: (&[f64], f64),
    threshold: f64,
    row: Row<'_>,
) -> Option<Compensated> {
    let mut sum = Sum::new([first.1, -second.1]);
    sum.add(-threshold);
    row.for_each(|j, x| {
        let (first, second) = (first.0[j], second.0[j]);
        if first != second {
            sum.add_product(first, x);
            sum.add_product(-second, x);
        }
    });
    sum.finish(2 * row.stored() + 3)
}

/// A sum of constants and products, with its corrections.
struct Sum {
    sum: f64,
    correction: f64,
    magnitude: f64,
    in_range: bool,
}

impl Sum {
    #[inline(always)]
    fn new([first, second]: [f64; 2]) -> Self {
        let (sum, correction) = two_sum(first, second);
        Sum { sum, correction, magnitude: correction.abs(), in_range: true }
    }

    #[inline(always)]
    fn add(&mut self, constant: f64) {
        let (next, error) = two_sum(self.sum, constant);
        self.sum = next;
        self.correction += error;
        self.magnitude += error.abs();
    }

    #[inline(always)]
    fn add_product(&mut self, weight: f64, x: f64) {
        const SMALLEST: f64 = f64::from_bits((1023 - 960) << 52);
        const LARGEST: f64 = f64::from_bits((1023 + 1000) << 52);
        let product = weight * x;
        let size = product.abs();
        self.in_range &= (SMALLEST..=LARGEST).contains(&size) || weight == 0.0 || x == 0.0;
        let product_error = weight.mul_add(x, -product);
        let (next, sum_error) = two_sum(self.sum, product);
        self.sum = next;
        self.correction += product_error + sum_error;
        self.magnitude += product_error.abs() + sum_error.abs();
    }

    /// The result of this many terms.
    #[inline(always)]
    fn finish(self, terms: usize) -> Option<Compensated> {
        let Sum { sum, correction, magnitude, in_range } = self;
        if !in_range || !sum.is_finite() {
            return None;
        }
        let error = if magnitude == 0.0 { 0.0 } else { error_bound(2 * terms, magnitude) };
        Some(Compensated { sum, correction, error })
    }
}

impl Compensated {
    /// The sign of the exact score, if the bound decides it.
    pub(super) fn sign(self) -> Option<Ordering> {
        let near = self.sum + self.correction;
        if near > self.error {
            Some(Ordering::Greater)
        } else if near < -self.error {
            Some(Ordering::Less)
        } else {
            (self.error == 0.0).then_some(Ordering::Equal)
        }
    }

    /// The exact score rounded to the nearest `f64`, if the bound decides it. An exact 0 is left to the accumulator,
    /// whose zero is +0.
    pub(super) fn rounded(self) -> Option<f64> {
        if self.error == 0.0 {
            return Some(self.sum + 0.0);
        }
        let low = self.sum + (self.correction - self.error).next_down();
        let high = self.sum + (self.correction + self.error).next_up();
        (low == high && low != 0.0).then_some(low)
    }
}

/// `a + b` rounded, and the rounding error, exactly (Knuth, TAOCP 2, section 4.2.2).
#[inline]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}
