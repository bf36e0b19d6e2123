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
//! Let c be the computed sum of the 2m corrections and E that of their magnitudes (m terms, m ≤ 2³², in any order; the sums of
//! several parts are terms, too).
//! By the argument of [`filter`](super::filter), where nothing can underflow because these are
//! additions only: |c − Σ(h+q)| ≤ δ = 1.01·(2m)·u·E + 2(2m)η. So the exact score lies in
//! `[s + (c − δ), s + (c + δ)]`. Rounding is monotone, hence
//!
//! * if `fl(s + c) > δ` then `s + c > δ`, and the exact score is positive; likewise negative;
//! * if both ends round to one float, that float is the exact score correctly rounded;
//! * if E = 0, every correction was 0 and s is the exact score.
//!
//! The split of a product is exact unless it under- or overflows; outside 2⁻⁹⁶⁰..2¹⁰⁰⁰ this step decides nothing.

#![allow(unsafe_code)] // jobs that are compiled for the registers of a processor

use std::cmp::Ordering;

use super::filter::error_bound;
use crate::{
    Row, Values,
    simd::{Registers, SimdJob, Value, dispatch},
};

/// The exact score is `sum + C` for some real C with |C − correction| ≤ `error`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compensated {
    sum: f64,
    correction: f64,
    error: f64,
}

/// The compensated score, or `None` if a product or a sum leaves the range of the proof.
pub(super) fn score(weights: &[f64], constants: [f64; 2], row: Row<'_>) -> Option<Compensated> {
    let sum = match (row.indices(), row.values()) {
        (None, Values::F64(x)) => dispatch(Dense { weights, x }),
        (None, Values::F32(x)) => dispatch(Dense { weights, x }),
        (Some(indices), Values::F64(x)) => dispatch(Sparse { weights, indices, x }),
        (Some(indices), Values::F32(x)) => dispatch(Sparse { weights, indices, x }),
    };
    sum.finish(constants, row.stored())
}

/// The compensated ‖x‖² + extra; `None` as for [`score`].
pub(super) fn squares(row: Row<'_>, extra: f64) -> Option<Compensated> {
    let sum = match row.values() {
        Values::F64(x) => dispatch(Dense { weights: x, x }),
        Values::F32(x) => dispatch(Dense { weights: x, x }),
    };
    sum.finish([extra, 0.0], row.stored())
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
        let product = weight * x;
        self.in_range &= is_in_range(product, weight, x);
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

/// Sums in independent parts, so that their additions do not depend on each other.
struct Parts {
    sums: [f64; PARTS],
    corrections: [f64; PARTS],
    magnitudes: [f64; PARTS],
    /// Whether a product of the part is outside the range of the proof.
    is_out: [bool; PARTS],
}

const PARTS: usize = 8;

impl Parts {
    #[inline(always)]
    fn new() -> Self {
        let zeros = [0.0; PARTS];
        Parts { sums: zeros, corrections: zeros, magnitudes: zeros, is_out: [false; PARTS] }
    }

    /// Adds the products of the first parts.
    #[inline(always)]
    fn add<const N: usize>(&mut self, weights: [f64; N], x: [f64; N]) {
        for part in 0..N {
            let (weight, x) = (weights[part], x[part]);
            let product = weight * x;
            self.is_out[part] |= !is_in_range(product, weight, x);
            let product_error = weight.mul_add(x, -product);
            let (next, sum_error) = two_sum(self.sums[part], product);
            self.sums[part] = next;
            self.corrections[part] += product_error + sum_error;
            self.magnitudes[part] += product_error.abs() + sum_error.abs();
        }
    }

    /// The sum of all parts, of these constants and this many products.
    fn finish(self, constants: [f64; 2], products: usize) -> Option<Compensated> {
        let mut all = Sum::new(constants);
        for part in 0..PARTS {
            all.add(self.sums[part]);
            all.correction += self.corrections[part];
            all.magnitude += self.magnitudes[part];
            all.in_range &= !self.is_out[part];
        }
        all.finish(products + PARTS + 2)
    }
}

/// Whether the split of this product of two numbers is exact.
#[inline(always)]
fn is_in_range(product: f64, weight: f64, x: f64) -> bool {
    const SMALLEST: f64 = f64::from_bits((1023 - 960) << 52);
    const LARGEST: f64 = f64::from_bits((1023 + 1000) << 52);
    let size = product.abs();
    (SMALLEST..=LARGEST).contains(&size) | (weight == 0.0) | (x == 0.0)
}

struct Dense<'d, W, T> {
    weights: &'d [W],
    x: &'d [T],
}

impl<W: Value, T: Value> SimdJob for Dense<'_, W, T> {
    type Outcome = Parts;

    #[inline(always)]
    unsafe fn run<R: Registers>(self) -> Parts {
        let mut parts = Parts::new();
        let (weights, weights_left) = self.weights[..self.x.len()].as_chunks::<PARTS>();
        let (x, x_left) = self.x.as_chunks::<PARTS>();
        for (weights, x) in weights.iter().zip(x) {
            parts.add(weights.map(Into::into), x.map(Into::into));
        }
        let (weights, weights_left) = weights_left.as_chunks::<{ PARTS / 2 }>();
        let (x, x_left) = x_left.as_chunks::<{ PARTS / 2 }>();
        for (weights, x) in weights.iter().zip(x) {
            parts.add(weights.map(Into::into), x.map(Into::into));
        }
        for (&weight, &x) in weights_left.iter().zip(x_left) {
            parts.add([weight.into()], [x.into()]);
        }
        parts
    }
}

struct Sparse<'s, T> {
    weights: &'s [f64],
    indices: &'s [u32],
    x: &'s [T],
}

impl<T: Value> SimdJob for Sparse<'_, T> {
    type Outcome = Parts;

    #[inline(always)]
    unsafe fn run<R: Registers>(self) -> Parts {
        let mut parts = Parts::new();
        let weight = |j: u32| self.weights[j as usize];
        let (indices, indices_left) = self.indices.as_chunks::<PARTS>();
        let (x, x_left) = self.x.as_chunks::<PARTS>();
        for (indices, x) in indices.iter().zip(x) {
            parts.add(indices.map(weight), x.map(Into::into));
        }
        for (&j, &x) in indices_left.iter().zip(x_left) {
            parts.add([weight(j)], [x.into()]);
        }
        parts
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

    /// The square root of the exact sum rounded to the nearest `f64`, if the bound decides it.
    ///
    /// Let S be the exact sum and r a float near √S. For a distance h > 0, √S < r + h if S − r² < 2rh, √S > r + h if
    /// S − r² > 2rh + h², and √S > r − h if S − r² > h² − 2rh. With h half the distance to a neighbor of r, 2rh is exact, because h is a
    /// power of 2, and h² ≤ 2⁻⁵³·rh. S − r² is `rest` up to `error` and the roundings of `rest`, each below u times the sizes
    /// of its three parts; r² is its computed value and a rest, by a fused multiply-add.
    pub(super) fn root(self) -> Option<f64> {
        let (sum, correction) = two_sum(self.sum, self.correction);
        if sum <= 0.0 {
            return (sum == 0.0 && self.error == 0.0).then_some(0.0);
        }
        let mut root = sum.sqrt();
        for _ in 0..3 {
            let square = root * root;
            let (near, square_rest) = (sum - square, root.mul_add(root, -square));
            let rest = near - square_rest + correction;
            let sizes = near.abs() + square_rest.abs() + correction.abs();
            let slack = 1.01 * (self.error + 4.0 * f64::EPSILON * sizes);
            let [up, down] = [root.next_up() - root, root - root.next_down()].map(|gap| root * gap);
            let near_1 = 2.0 * f64::EPSILON;
            if rest + slack < up && rest - slack > -down * (1.0 - near_1) {
                return Some(root);
            } else if rest - slack > up * (1.0 + near_1) {
                root = root.next_up();
            } else if rest + slack < -down {
                root = root.next_down();
            } else {
                return None;
            }
        }
        None
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
