//! Floats as integers, and integers without their common factor.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::Zero;

/// Rows and positive multipliers with Σλᵢyᵢ(xᵢ, c) = 0.
pub(super) type Combination = Vec<(usize, BigUint)>;

/// A finite float as `mantissa · 2^exponent`, the mantissa odd or 0.
pub(super) fn dyadic(a: f64) -> (i64, i32) {
    let bits = a.to_bits();
    let field = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let mantissa = if field == 0 { fraction } else { fraction | 1 << 52 };
    if mantissa == 0 {
        return (0, 0);
    }
    let shift = mantissa.trailing_zeros();
    let mantissa = mantissa >> shift;
    (if a < 0.0 { -mantissa } else { mantissa }, field.max(1) - 1075 + shift as i32)
}

/// The sums of neighbors at one place: a number may have several entries.
pub(super) fn summed(mut entries: Vec<(usize, BigInt)>) -> Vec<(usize, BigInt)> {
    entries.dedup_by(|later, sum| {
        let is_same = later.0 == sum.0;
        if is_same {
            sum.1 += &later.1;
        }
        is_same
    });
    entries
}

/// A number whose binary digits after the first `bits` are 0.
pub(super) fn leading(a: &BigInt, bits: u64) -> BigInt {
    let shift = a.bits().saturating_sub(bits);
    BigInt::from_biguint(a.sign(), (a.magnitude() >> shift) << shift)
}

/// Multipliers by row, divided by their common factor.
pub(super) fn without_common_factor(mut parts: Combination) -> Combination {
    parts.retain(|(_, value)| !value.is_zero());
    let Some(((_, first), others)) = parts.split_first() else { return parts };
    // A step of Euclid's algorithm, since most numbers are multiples of the common factor of those before them.
    let common =
        others.iter().fold(first.clone(), |common, (_, value)| common.gcd(&(value % &common)));
    parts.iter_mut().for_each(|(_, value)| *value /= &common);
    parts.sort_unstable_by_key(|&(row, _)| row);
    parts
}

/// The length of an integer in words of 64 bits. A product costs the product of the two lengths.
pub(super) fn words(a: &BigUint) -> u64 {
    a.bits() / 64 + 1
}
