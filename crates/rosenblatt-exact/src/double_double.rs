//! Double-double numbers: the unevaluated sum of two floats.
//!
//! Dekker, *Numerische Mathematik* 18 (1971); Hida, Li & Bailey, *ARITH-15* (2001). The relative error is a few 2⁻¹⁰⁴
//! per operation, relative to the operands if a sum cancels. The squared lengths of the min-norm problem span (R/γ)²,
//! up to 10¹⁸ on ordinary tables, which is more than an `f64` can hold.
//!
//! Products are split by Dekker's method and not by a fused multiply-add: the bits are the same, and it is fast on
//! processors without a known fused multiply-add. Numbers are scaled to be at most about 1 before, so no intermediate
//! result overflows. Nothing is proven with these numbers: they guide the search, and exact arithmetic checks what it
//! finds.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number of one of the two precisions in which the search computes.
pub trait Number:
    Copy
    + Default
    + From<f64>
    + Into<Double>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// About twenty times the relative error of an operation.
    const PRECISION: f64;
    /// ‖p‖² at or below which a combination of vectors up to about 1 long counts as 0.
    const SHORTEST: f64;
    /// The cost of a product, in products of floats.
    const COST: u64;

    /// `a · b`, with one rounding of this precision at most.
    fn product(a: f64, b: f64) -> Self;

    /// `self · b`.
    fn times(self, b: f64) -> Self;

    /// The square root; 0 for a number that is not positive.
    fn sqrt(self) -> Self;

    /// The nearest float.
    fn high(self) -> f64;
}

impl Number for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const PRECISION: f64 = 4e-15;
    const SHORTEST: f64 = 1e-20;
    const COST: u64 = 1;

    #[inline]
    fn product(a: f64, b: f64) -> f64 {
        a * b
    }

    #[inline]
    fn times(self, b: f64) -> f64 {
        self * b
    }

    fn sqrt(self) -> f64 {
        f64::sqrt(self.max(0.0))
    }

    #[inline]
    fn high(self) -> f64 {
        self
    }
}

/// `high + low`, where `low` is at most half a unit in the last place of `high`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Double {
    /// The nearest float.
    pub high: f64,
    low: f64,
}

impl Double {
    /// The two floats with this sum.
    pub fn parts(self) -> [f64; 2] {
        [self.high, self.low]
    }
}

impl Number for Double {
    const ZERO: Double = Double { high: 0.0, low: 0.0 };
    const ONE: Double = Double { high: 1.0, low: 0.0 };
    const PRECISION: f64 = 1e-30;
    /// An exact proof of p = 0 is first tried there.
    const SHORTEST: f64 = 1e-22;
    const COST: u64 = 4;

    /// Exact.
    #[inline]
    fn product(a: f64, b: f64) -> Double {
        let product = a * b;
        let (a_high, a_low) = split(a);
        let (b_high, b_low) = split(b);
        let low = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
        Double { high: product, low }
    }

    #[inline]
    fn times(self, b: f64) -> Double {
        let product = Double::product(self.high, b);
        quick_sum(product.high, product.low + self.low * b)
    }

    fn sqrt(self) -> Double {
        if self.high <= 0.0 {
            return Double::ZERO;
        }
        let root = self.high.sqrt();
        // One step of Newton's method doubles the number of correct bits.
        let rest = self - Double::product(root, root);
        quick_sum(root, rest.high / (2.0 * root))
    }

    #[inline]
    fn high(self) -> f64 {
        self.high
    }
}

/// The number of independent partial sums, so that their additions do not depend on each other.
const LANES: usize = 8;

/// Numbers in double-double precision.
pub fn widened<N: Number>(numbers: Vec<N>) -> Vec<Double> {
    numbers.into_iter().map(Into::into).collect()
}

/// Σ aᵢbᵢ.
#[inline]
pub fn dot<N: Number>(a: &[N], b: &[N]) -> N {
    let length = a.len().min(b.len());
    let (a, tail_a) = a[..length].as_chunks::<LANES>();
    let (b, tail_b) = b[..length].as_chunks::<LANES>();
    let mut sums = [N::ZERO; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] = sums[lane] + a[lane] * b[lane];
        }
    }
    let tail = tail_a.iter().zip(tail_b).map(|(&a, &b)| a * b);
    sums.into_iter().chain(tail).fold(N::ZERO, Add::add)
}

/// The two halves of a float, 26 bits each.
#[inline]
fn split(a: f64) -> (f64, f64) {
    let shifted = 134_217_729.0 * a; // 2²⁷ + 1
    let high = shifted - (shifted - a);
    (high, a - high)
}

/// `a + b` exactly, for |a| ≥ |b|.
#[inline]
fn quick_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    Double { high, low: b - (high - a) }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Double { high, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Double;

    #[inline]
    fn add(self, other: Double) -> Double {
        let high = self.high + other.high;
        let part = high - self.high;
        let low = (self.high - (high - part)) + (other.high - part);
        quick_sum(high, low + self.low + other.low)
    }
}

impl Neg for Double {
    type Output = Double;

    #[inline]
    fn neg(self) -> Double {
        Double { high: -self.high, low: -self.low }
    }
}

impl Sub for Double {
    type Output = Double;

    #[inline]
    fn sub(self, other: Double) -> Double {
        self + -other
    }
}

impl Mul for Double {
    type Output = Double;

    #[inline]
    fn mul(self, other: Double) -> Double {
        let product = Double::product(self.high, other.high);
        quick_sum(product.high, product.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Double {
    type Output = Double;

    fn div(self, other: Double) -> Double {
        let first = self.high / other.high;
        let rest = self - other.times(first);
        let second = rest.high / other.high;
        let rest = rest - other.times(second);
        quick_sum(first, second) + Double::from(rest.high / other.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_the_bits() {
        let third = Double::ONE / Double::from(3.0);
        let rest = third.times(3.0) - Double::ONE;
        assert!(rest.high.abs() < 1e-31);
        let root = Double::from(2.0).sqrt();
        assert!((root * root - Double::from(2.0)).high.abs() < 1e-31);
        let tiny = 1e-25;
        assert_eq!((Double::ONE + Double::from(tiny) - Double::ONE).high, tiny);
    }
}
