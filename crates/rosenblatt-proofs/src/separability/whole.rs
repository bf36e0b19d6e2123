//! The decision in integers, if floating point ends without an answer.
//!
//! The shortest vector of the hull is found exactly ([`shortest`](super::shortest)). If it is 0, its multipliers are
//! Gordan's. If not, it is the separator with the largest margin, and its length is that margin.
//!
//! The numbers of that separator are long. It is written in floats if the checker confirms that nearby floats separate
//! as well. Some sets are not separable by floats (`docs/decisions/0005` has an example). The certificate then has
//! integers, as short as still separate.

use num_bigint::{BigInt, Sign as IntegerSign};
use num_integer::Integer;
use num_traits::{Signed, Zero};

use rosenblatt_core::data::{Examples, Sign};

use super::{
    Bracket, Certificate, Margins,
    budget::Budget,
    hull::{Hull, Span},
    integers::{Combination, leading, without_common_factor},
    rounding::{Rounding, float, root_of_quotient},
    shortest::{Shortest, shortest},
    verify,
};

/// The result of the decision.
pub(super) enum Whole {
    Separator(Certificate, Margins),
    Dependency(Combination),
}

/// Decides in integers; `None` if the budget ends first.
pub(super) fn decide(
    examples: Examples<'_>,
    with_bias: bool,
    radius: f64,
    budget: &mut Budget<'_>,
) -> Option<Whole> {
    let hull = Hull::new(examples, if with_bias { Span::WithConstant } else { Span::Rows });
    let found = shortest(&hull, budget)?;
    if found.is_zero() {
        return Some(Whole::Dependency(without_common_factor(found.parts)));
    }
    let margin = length(&hull, &found);
    let (minus, plus) = examples.class_sizes();
    let has_free = with_bias && minus > 0 && plus > 0;
    let free_hull = Hull { span: Span::Differences, ..hull };
    let free = if has_free { shortest(&free_hull, budget) } else { None };
    // A margin of (x, 1) is a lower bound on one of x.
    let free_bias = || Bracket { lower: margin.lower, upper: f64::INFINITY };
    let margins = Margins {
        radius,
        unit_bias: with_bias.then_some(margin),
        no_bias: (!with_bias).then_some(margin),
        free_bias: has_free
            .then(|| free.as_ref().map_or_else(free_bias, |found| length(&free_hull, found))),
        ended: (has_free && free.is_none()).then(|| budget.ended()),
    };
    let mut separators: Vec<Vec<BigInt>> =
        free.iter().map(|found| middle(&free_hull, found)).collect();
    separators.push(found.numerators);
    let certificate = certificate(&examples, with_bias, separators)?;
    Some(Whole::Separator(certificate, margins))
}

/// The margin given by a shortest vector.
fn length(hull: &Hull<'_>, found: &Shortest) -> Bracket {
    let half = i64::from(hull.span == Span::Differences);
    root_of_quotient(&found.square(), &found.denominator, i64::from(hull.unit) - half)
}

/// The hyperplane in the middle between the classes along the shortest difference, in integers: the weights, and the
/// bias at the end.
fn middle(hull: &Hull<'_>, found: &Shortest) -> Vec<BigInt> {
    let smallest = |class| {
        let lowest = hull.lowest_of(Some(class), &found.numerators);
        lowest.map(|(_, score)| score).unwrap_or_default()
    };
    let doubled = found.numerators.iter().map(|p| p << (1 - hull.unit) as usize);
    doubled.chain([smallest(Sign::Minus) - smallest(Sign::Plus)]).collect()
}

/// The multiples to try before giving up floats.
const MULTIPLES: u32 = 64;

/// The first certificate that the checker accepts: in floats if possible, otherwise in integers.
fn certificate(
    examples: &Examples<'_>,
    with_bias: bool,
    mut separators: Vec<Vec<BigInt>>,
) -> Option<Certificate> {
    if !with_bias {
        separators.iter_mut().for_each(|numbers| numbers.push(BigInt::zero()));
    }
    let good = |certificate: &Certificate| verify(certificate, examples).is_ok();
    // Even multiples have the mantissas of their halves.
    for multiple in (1..MULTIPLES).step_by(2) {
        let found = separators.iter().find_map(|numbers| {
            let multiples: Vec<BigInt> = numbers.iter().map(|a| a * multiple).collect();
            Some(floats(&multiples, with_bias)).filter(good)
        });
        if found.is_some() {
            return found;
        }
    }
    let longest = separators.iter().flatten().map(BigInt::bits).max().unwrap_or(0);
    let lengths = (0..).map(|doublings| 64u64 << doublings).take_while(|&bits| bits < 2 * longest);
    for bits in lengths {
        let found = separators
            .iter()
            .find_map(|numbers| Some(integers(numbers, bits, with_bias)).filter(good));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Rounds each number to the nearest float after scaling all by one power of two. The largest is about 1, or more if
/// the smallest needs it.
fn floats(numbers: &[BigInt], with_bias: bool) -> Certificate {
    const HIGHEST: i64 = 1000;
    let bits = || numbers.iter().filter(|a| !a.is_zero()).map(|a| a.bits() as i64);
    let (least, most) = (bits().min().unwrap_or(0), bits().max().unwrap_or(0));
    let exponent = (HIGHEST - most).min((-960 - least).max(-most));
    let number = |a: &BigInt| {
        let size = float(a.magnitude(), exponent, Rounding::Nearest);
        if a.is_negative() && size > 0.0 { -size } else { size }
    };
    let mut weights: Vec<f64> = numbers.iter().map(number).collect();
    let bias = weights.pop().unwrap_or(0.0);
    Certificate::Yes { with_bias, weights, bias }
}

/// Cuts each number to `bits` bits and removes the common factor.
fn integers(numbers: &[BigInt], bits: u64, with_bias: bool) -> Certificate {
    let mut numbers: Vec<BigInt> = numbers.iter().map(|a| leading(a, bits)).collect();
    let common = numbers.iter().fold(BigInt::zero(), |common, a| common.gcd(a));
    if common.sign() == IntegerSign::Plus {
        numbers.iter_mut().for_each(|a| *a /= &common);
    }
    let mut weights: Vec<String> = numbers.iter().map(BigInt::to_string).collect();
    let bias = weights.pop().unwrap_or_default();
    Certificate::YesInIntegers { with_bias, weights, bias }
}
