//! Directed rounding of integers of any length to floats.

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use super::Bracket;

/// The rounding direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Down,
    Up,
    Nearest,
}

/// `a · 2^exponent` as a nonnegative float. Past the range, rounding down gives the largest float and other directions
/// give infinity.
pub(super) fn float(a: &BigUint, exponent: i64, direction: Rounding) -> f64 {
    if a.is_zero() {
        return 0.0;
    }
    // The exponent of the last bit of a float of this size.
    let last = (exponent + a.bits() as i64 - 53).max(-1074);
    if last > 971 {
        return if direction == Rounding::Down { f64::MAX } else { f64::INFINITY };
    }
    let shift = last - exponent;
    let (kept, rest) = if shift <= 0 {
        (a << -shift as u64, BigUint::zero())
    } else {
        let kept = a >> shift as u64;
        let rest = a - (&kept << shift as u64);
        (kept, rest)
    };
    let half_or_more = shift > 0 && rest.bits() == shift as u64;
    let up = match direction {
        Rounding::Down => false,
        Rounding::Up => !rest.is_zero(),
        Rounding::Nearest => half_or_more,
    };
    // At most 2⁵³, so neither the integer nor the product is rounded.
    let mantissa = kept.to_u64().unwrap_or(u64::MAX) + u64::from(up);
    mantissa as f64 * power(last)
}

/// 2^exponent for −1074 ≤ exponent ≤ 971.
pub(super) fn power(exponent: i64) -> f64 {
    let bits = if exponent < -1022 { 1 << (exponent + 1074) } else { (exponent + 1023) << 52 };
    f64::from_bits(bits as u64)
}

/// √square / denominator · 2^exponent, rounded in a direction to a neighboring float or nearly so.
pub(super) fn root_of_quotient(square: &BigUint, denominator: &BigUint, exponent: i64) -> Bracket {
    // At least 64 bits for the root: rounding it costs less than rounding a float.
    let bits = square.bits() as i64 - 2 * denominator.bits() as i64;
    let shift = (66 - bits / 2).max(0);
    // ⌊√⌊q⌋⌋ is ⌊√q⌋.
    let quotient = (square << (2 * shift) as u64) / (denominator * denominator);
    let root = quotient.sqrt();
    let lower = float(&root, exponent - shift, Rounding::Down);
    let upper = float(&(root + 1u32), exponent - shift, Rounding::Up);
    Bracket { lower, upper }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Rounding::{Down, Nearest, Up};

    #[test]
    fn directions() {
        let of = |a: u64, exponent, direction| float(&BigUint::from(a), exponent, direction);
        let odd = (1 << 53) + 1;
        assert_eq!(
            [of(odd, 0, Down), of(odd, 0, Up)],
            [9_007_199_254_740_992.0, 9_007_199_254_740_994.0]
        );
        assert_eq!([of(3, -1075, Down), of(3, -1075, Up)], [5e-324, 1e-323]);
        assert_eq!(
            [of(1, -1076, Down), of(1, -1076, Nearest), of(1, -1076, Up)],
            [0.0, 0.0, 5e-324]
        );
        assert_eq!([of(1, 1024, Down), of(1, 1024, Up)], [f64::MAX, f64::INFINITY]);
        assert_eq!([of(5, 3, Down), of(0, 5000, Up), of(1, 971, Up)], [40.0, 0.0, 2f64.powi(971)]);
    }

    /// √2/3·2 is between neighboring floats; √9/3 is 1.
    #[test]
    fn roots() {
        let of = |square: u32, denominator: u32, exponent| {
            root_of_quotient(&square.into(), &denominator.into(), exponent)
        };
        let Bracket { lower, upper } = of(2, 3, 1);
        assert!(lower < upper && upper <= lower.next_up().next_up());
        assert!((lower - 0.942_809_041_582_063_4).abs() < 1e-15);
        assert_eq!(of(9, 3, 0).lower, 1.0);
        assert!(of(9, 3, 0).upper <= 1f64.next_up());
    }
}
