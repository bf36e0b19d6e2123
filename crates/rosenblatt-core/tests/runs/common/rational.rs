//! Exact arithmetic: every finite float is an integer times a power of two, so sums and products of floats are rational
//! numbers, which are kept exactly.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign as IntegerSign};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

/// The exact value of a finite float.
pub(crate) fn exact(a: f64) -> BigRational {
    BigRational::from_float(a).expect("a finite number")
}

/// `w·x + b` over all features. Terms with a 0 are left out, to save time.
pub(crate) fn score(weights: &[f64], bias: f64, row: &[f64]) -> BigRational {
    let terms = weights.iter().zip(row).filter(|&(&w, &x)| w != 0.0 && x != 0.0);
    terms.fold(exact(bias), |sum, (&w, &x)| sum + exact(w) * exact(x))
}

/// Compares a number with 0.
pub(crate) fn sign(a: &BigRational) -> Ordering {
    a.cmp(&BigRational::zero())
}

/// Σ aⱼ².
pub(crate) fn sum_of_squares(numbers: &[f64]) -> BigRational {
    numbers.iter().map(|&a| exact(a) * exact(a)).sum()
}

/// `2^exponent`.
pub(crate) fn power_of_two(exponent: i32) -> BigRational {
    let power = BigInt::one() << exponent.unsigned_abs();
    if exponent < 0 { BigRational::new(BigInt::one(), power) } else { power.into() }
}

/// The weight of an error on an example of each of these rates: 1 if all are equal, otherwise the rate in units of 2⁻⁶⁰
/// of the power of two above the largest, rounded to the nearest integer and at least 1.
pub(crate) fn units(rates: &[f64]) -> Vec<BigInt> {
    if rates.iter().all(|&rate| rate == rates[0]) {
        return vec![BigInt::from(1); rates.len()];
    }
    let two = exact(2.0);
    let largest = rates.iter().copied().map(exact).max().unwrap();
    let mut above = exact(f64::from_bits(1));
    while above <= largest {
        above *= &two;
    }
    let unit = above / exact(60f64.exp2());
    let units = |&rate: &f64| (exact(rate) / &unit).round().to_integer();
    rates.iter().map(|rate| units(rate).max(BigInt::from(1))).collect()
}

/// The distance between neighboring floats of the size of `a`.
pub(crate) fn unit_in_the_last_place(a: f64) -> BigRational {
    let exponent = (a.to_bits() >> 52 & 0x7ff) as i32;
    power_of_two(exponent.max(1) - 1075)
}

/// The nearest float, ties to even; infinite from halfway between the largest float and 2¹⁰²⁴ on. A negative number
/// that underflows gives −0; zero gives +0.
///
/// The magnitude is divided by the unit 2^e of the floats of its size. The bit lengths of numerator and denominator
/// give the length of their quotient up to one bit, so a first guess of e may be one too small: then the quotient has
/// 54 bits.
pub(crate) fn nearest(a: &BigRational) -> f64 {
    if a.is_zero() {
        return 0.0;
    }
    let length = a.numer().bits() as i32 - a.denom().bits() as i32;
    let guess = (length - 53).max(-1074);
    let (numerator, denominator) = in_units(a, guess);
    let unit = if (numerator / denominator).bits() > 53 { guess + 1 } else { guess };
    let (numerator, denominator) = in_units(a, unit);
    let magnitude = assemble(nearest_integer(&numerator, &denominator), unit);
    if a.numer().sign() == IntegerSign::Minus { -magnitude } else { magnitude }
}

/// |a| / 2^unit as numerator and denominator.
fn in_units(a: &BigRational, unit: i32) -> (BigUint, BigUint) {
    let (numerator, denominator) = (a.numer().magnitude(), a.denom().magnitude());
    let shift = unit.unsigned_abs();
    if unit < 0 {
        (numerator << shift, denominator.clone())
    } else {
        (numerator.clone(), denominator << shift)
    }
}

/// The integer nearest to a quotient below 2⁵³, ties to even.
fn nearest_integer(numerator: &BigUint, denominator: &BigUint) -> u64 {
    let below = (numerator / denominator).to_u64().expect("at most 53 bits");
    let twice_the_rest = (numerator % denominator) << 1u32;
    match twice_the_rest.cmp(denominator) {
        Ordering::Less => below,
        Ordering::Equal => below + (below & 1),
        Ordering::Greater => below + 1,
    }
}

/// `mantissa · 2^unit` for a mantissa of at most 2⁵³, which has its leading bit unless the unit is the smallest. The
/// fields of a float are assembled as an integer. A mantissa below 2⁵² is a subnormal number; otherwise its leading bit
/// raises the exponent field by one. The carry from rounding up to 2⁵³ raises it by another.
fn assemble(mantissa: u64, unit: i32) -> f64 {
    let fields = (((unit + 1074) as u64) << 52) + mantissa;
    f64::from_bits(fields.min(f64::INFINITY.to_bits()))
}
