//! Step 3: sums of products without rounding.
//!
//! A product of two finite floats is an integer of at most 2¹⁰⁶ times 2⁻²¹⁴⁸ or a higher power of 2, and is below
//! 2²⁰⁴⁸. The accumulator is one two's complement integer of 4,288 bits in units of 2⁻²¹⁴⁸, with room for 2⁹¹ such
//! products (Kulisch's long accumulator: Kulisch & Miranker, *Computer Arithmetic in Theory and Practice*, 1981).
//! Nothing can underflow, overflow or depend on the order.

use std::cmp::Ordering;

const LIMBS: usize = 67;
/// The weight of bit 0 is 2 to the power −`UNIT`.
const UNIT: i32 = 2148;
/// The bit with the weight of the smallest positive float.
const SMALLEST_FLOAT_BIT: usize = (UNIT - 1074) as usize;

/// An exact sum of floats and of products of two floats.
///
/// ```
/// use rosenblatt_exact::Accumulator;
/// let mut sum = Accumulator::new();
/// for (a, b) in [(1e300, 1e300), (3.0, 0.5), (-1e300, 1e300)] {
///     sum.add_product(a, b);
/// }
/// assert_eq!(sum.rounded(), 1.5);
/// ```
#[derive(Clone, Debug)]
pub struct Accumulator {
    /// Two's complement, least significant limb first.
    limbs: [u64; LIMBS],
}

impl Default for Accumulator {
    fn default() -> Self {
        Self::new()
    }
}

impl Accumulator {
    /// The sum 0.
    pub fn new() -> Self {
        Accumulator { limbs: [0; LIMBS] }
    }

    /// Adds `a`.
    ///
    /// # Panics
    /// If `a` is not finite.
    pub fn add(&mut self, a: f64) {
        self.add_product(a, 1.0);
    }

    /// Adds the product `a · b`.
    ///
    /// # Panics
    /// If `a` or `b` is not finite.
    pub fn add_product(&mut self, a: f64, b: f64) {
        assert!(a.is_finite() && b.is_finite(), "{a} or {b} is not finite");
        let (a_negative, a_mantissa, a_exponent) = decompose(a);
        let (b_negative, b_mantissa, b_exponent) = decompose(b);
        let product = u128::from(a_mantissa) * u128::from(b_mantissa);
        if product != 0 {
            // Both exponents are at least −1074, so the position is not negative.
            let position = (a_exponent + b_exponent + UNIT) as usize;
            self.add_bits(product, position, a_negative != b_negative);
        }
    }

    /// Adds ±`bits` · 2^`position` units.
    fn add_bits(&mut self, bits: u128, position: usize, negative: bool) {
        let (first, shift) = (position / 64, position % 64);
        let low = bits << shift;
        let high = if shift == 0 { 0 } else { (bits >> (128 - shift)) as u64 };
        let parts = [low as u64, (low >> 64) as u64, high];
        let mut carry = false;
        for (i, limb) in self.limbs[first..].iter_mut().enumerate() {
            let part = parts.get(i).copied().unwrap_or(0);
            if i >= parts.len() && !carry {
                break;
            }
            (*limb, carry) = if negative {
                limb.borrowing_sub(part, carry)
            } else {
                limb.carrying_add(part, carry)
            };
        }
    }

    fn is_negative(&self) -> bool {
        self.limbs[LIMBS - 1] >> 63 == 1
    }

    /// The sign of the sum.
    pub fn sign(&self) -> Ordering {
        if self.is_negative() {
            Ordering::Less
        } else if self.limbs.iter().all(|&limb| limb == 0) {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }

    /// The sum rounded to the nearest `f64`, ties to even. 0 gives +0; a sum past the range gives infinity.
    pub fn rounded(&self) -> f64 {
        self.signed(&self.magnitude())
    }

    /// The sum divided by `divisor`, rounded once as by [`rounded`](Self::rounded).
    ///
    /// # Panics
    /// If the divisor is 0.
    pub fn quotient(&self, divisor: u64) -> f64 {
        let mut quotient = self.magnitude();
        let mut rest = 0;
        for limb in quotient.iter_mut().rev() {
            let part = u128::from(rest) << 64 | u128::from(*limb);
            *limb = (part / u128::from(divisor)) as u64;
            rest = (part % u128::from(divisor)) as u64;
        }
        // The lowest bit is far below that of the smallest float. It only says on which side of a tie the quotient is.
        quotient[0] |= u64::from(rest != 0);
        self.signed(&quotient)
    }

    /// A magnitude with the sign of this sum, rounded.
    fn signed(&self, magnitude: &[u64; LIMBS]) -> f64 {
        let value = match highest_bit(magnitude) {
            None => return 0.0,
            Some(highest) => {
                // The lowest bit that a float of this size can hold.
                let last = highest.saturating_sub(52).max(SMALLEST_FLOAT_BIT);
                let mantissa = rounded_at(magnitude, last);
                // A carry to 2⁵³ is still exact, and the scaling is by powers of two.
                scale(mantissa as f64, last as i32 - UNIT)
            }
        };
        if self.is_negative() { -value } else { value }
    }

    /// The square root of the sum, rounded to the nearest `f64`, ties to even; NaN for a negative sum. No intermediate
    /// result under- or overflows.
    pub fn root(&self) -> f64 {
        if self.is_negative() {
            return f64::NAN;
        }
        let Some(highest) = highest_bit(&self.limbs) else { return 0.0 };
        // An even exponent, so that its half is a whole number. UNIT is even.
        let last = highest.saturating_sub(52) & !1;
        let mantissa = rounded_at(&self.limbs, last);
        let mut root = scale((mantissa as f64).sqrt(), (last as i32 - UNIT) / 2);
        // Two or three roundings give a neighbor of the correct float. The result moves while the true root is past the
        // midpoint to the next float.
        while root < f64::MAX && self.prefers(root.next_up(), root) {
            root = root.next_up();
        }
        while root > 0.0 && root <= f64::MAX && self.prefers(root.next_down(), root) {
            root = root.next_down();
        }
        root
    }

    /// Whether the root of the sum is nearer to `other` than to its neighbor `root`: whether four times the sum is
    /// beyond (root + other)² = root² + 2·root·other + other².
    fn prefers(&self, other: f64, root: f64) -> bool {
        let mut rest = self.clone();
        for _ in 0..2 {
            rest.double();
        }
        for (a, b) in [(root, root), (root, other), (root, other), (other, other)] {
            rest.add_product(-a, b);
        }
        match rest.sign() {
            Ordering::Equal => root.to_bits() & 1 == 1,
            Ordering::Greater => other > root,
            Ordering::Less => other < root,
        }
    }

    /// Doubles the sum.
    pub(super) fn double(&mut self) {
        let mut carry = 0;
        for limb in &mut self.limbs {
            (*limb, carry) = (*limb << 1 | carry, *limb >> 63);
        }
    }

    fn magnitude(&self) -> [u64; LIMBS] {
        let mut limbs = self.limbs;
        if self.is_negative() {
            let mut carry = true;
            for limb in &mut limbs {
                (*limb, carry) = (!*limb).carrying_add(0, carry);
            }
        }
        limbs
    }
}

/// Sign, integer mantissa and exponent: `a = ±mantissa · 2^exponent`.
fn decompose(a: f64) -> (bool, u64, i32) {
    let bits = a.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let negative = bits >> 63 == 1;
    match exponent {
        0 => (negative, fraction, -1074),
        _ => (negative, fraction | 1 << 52, exponent - 1075),
    }
}

fn highest_bit(limbs: &[u64; LIMBS]) -> Option<usize> {
    let limb = limbs.iter().rposition(|&limb| limb != 0)?;
    Some(limb * 64 + 63 - limbs[limb].leading_zeros() as usize)
}

/// The integer in units of bit `last`, rounded to nearest, ties to even.
fn rounded_at(limbs: &[u64; LIMBS], last: usize) -> u64 {
    let bit = |i: usize| limbs[i / 64] >> (i % 64) & 1 == 1;
    let (limb, shift) = (last / 64, last % 64);
    let above = limbs.get(limb + 1).copied().unwrap_or(0);
    let kept = ((u128::from(above) << 64 | u128::from(limbs[limb])) >> shift) as u64;
    if last == 0 || !bit(last - 1) {
        return kept;
    }
    let half = last - 1;
    let below_half = limbs[half / 64] & ((1u64 << (half % 64)) - 1);
    let sticky = below_half != 0 || limbs[..half / 64].iter().any(|&limb| limb != 0);
    if sticky || kept & 1 == 1 { kept + 1 } else { kept }
}

/// `a · 2^exponent` in steps that stay exact as long as the result is representable.
fn scale(mut a: f64, mut exponent: i32) -> f64 {
    let power = |e: i32| f64::from_bits(((1023 + e) as u64) << 52);
    while exponent > 1000 {
        a *= power(1000);
        exponent -= 1000;
    }
    while exponent < -1000 {
        a *= power(-1000);
        exponent += 1000;
    }
    a * power(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(terms: &[(f64, f64)]) -> Accumulator {
        let mut sum = Accumulator::new();
        terms.iter().for_each(|&(a, b)| sum.add_product(a, b));
        sum
    }

    #[test]
    fn single_numbers_come_back() {
        let tiny = f64::from_bits(1);
        for a in [0.0, 1.0, -1.5, 0.1, f64::MAX, f64::MIN_POSITIVE, tiny, -3.0 * tiny, 1e-310] {
            assert_eq!(sum(&[(a, 1.0)]).rounded().to_bits(), a.to_bits());
        }
    }

    #[test]
    fn ties_round_to_even() {
        let half = f64::EPSILON / 2.0;
        assert_eq!(sum(&[(1.0, 1.0), (half, 1.0)]).rounded(), 1.0);
        assert_eq!(sum(&[(1.0, 1.0), (half, 3.0)]).rounded(), 1.0 + 2.0 * f64::EPSILON);
        assert_eq!(sum(&[(1.0, 1.0), (half, 1.0), (1e-300, 1e-300)]).rounded(), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[(2.0, 1.0), (-half, 0.5)]).rounded(), 2.0);
        let tiny = f64::from_bits(1);
        assert_eq!(sum(&[(tiny, 0.5)]).rounded(), 0.0);
        assert_eq!(sum(&[(tiny, 1.5)]).rounded(), 2.0 * tiny);
    }

    #[test]
    fn quotients_are_rounded_once() {
        assert_eq!(sum(&[(1.0, 1.0)]).quotient(3), 1.0 / 3.0);
        assert_eq!(sum(&[(-0.1, 1.0), (-0.2, 1.0)]).quotient(1), -(0.1 + 0.2));
        assert_eq!(sum(&[(f64::MAX, 3.0)]).quotient(3), f64::MAX);
        let tiny = f64::from_bits(1);
        // 5/3, 3/2 and 1/2 of the smallest float; ties go to even.
        assert_eq!(sum(&[(tiny, 5.0)]).quotient(3), 2.0 * tiny);
        assert_eq!(sum(&[(tiny, 3.0)]).quotient(2), 2.0 * tiny);
        assert_eq!(sum(&[(-tiny, 1.0)]).quotient(2), -0.0);
        // Just above a tie, which only the rest of the division shows.
        let half = f64::EPSILON / 2.0;
        let above = sum(&[(3.0, 1.0), (3.0, half), (tiny, tiny)]);
        assert_eq!(above.quotient(3), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[(3.0, 1.0), (3.0, half)]).quotient(3), 1.0);
    }

    #[test]
    fn the_whole_range_cancels() {
        let max = f64::MAX;
        let tiny = f64::from_bits(1);
        let both = sum(&[(max, max), (-tiny, tiny), (-max, max)]);
        assert_eq!(both.sign(), Ordering::Less);
        assert_eq!(both.rounded(), 0.0);
        assert_eq!(sum(&[(max, 2.0)]).rounded(), f64::INFINITY);
        assert_eq!(sum(&[(-max, max)]).rounded(), f64::NEG_INFINITY);
        assert_eq!(sum(&[(max, max), (-max, max)]).sign(), Ordering::Equal);
    }

    #[test]
    fn roots_reach_both_ends() {
        let tiny = f64::from_bits(1);
        assert_eq!(sum(&[(3.0, 3.0), (4.0, 4.0)]).root(), 5.0);
        assert_eq!(sum(&[(1e200, 1e200)]).root(), 1e200);
        assert_eq!(sum(&[(tiny, tiny)]).root(), tiny);
        assert_eq!(sum(&[(f64::MAX, f64::MAX)]).root(), f64::MAX);
        assert_eq!(Accumulator::new().root(), 0.0);
    }
}
