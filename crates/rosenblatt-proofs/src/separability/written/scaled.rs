//! Decimals as integers: each column in units of its own.
//!
//! Columns times positive numbers keep separability, the face, multipliers, ranks and the number of errors: weights divided by
//! the same numbers have the same products with all rows. So each column is counted in its least decimal place, where its
//! numbers are integers, and then in a power of two that brings them below about 1, which suits the searches. An integer that
//! is too long for a float is a sum of several entries at its column ([`Rows::of_checked_parts`]), of one sign.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::{
    super::rounding::{Rounding, float, power},
    numeral::{Numeral, power_of_ten},
};
use rosenblatt_core::data::{Examples, Rows, Sign};

/// The most digits of the integers of a column: with them the numbers lie between the exponents of floats.
const MOST_DIGITS: i64 = 624;

/// The largest power of two by which integers are divided, so that 1 remains a float.
const LARGEST_POWER: i64 = 1074;

/// A column whose numbers differ too much in size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong {
    pub(super) feature: usize,
}

/// A number in a column of the scaled rows stands for itself times `10^ten · 2^two`.
#[derive(Clone, Copy, Debug, Default)]
struct Unit {
    ten: i64,
    two: i64,
}

/// Examples in units of their columns.
#[derive(Clone, Debug)]
pub(super) struct Scaled {
    rows: Rows<'static>,
    signs: Vec<Sign>,
    units: Vec<Unit>,
}

/// The digits of a column: from the last to the first.
#[derive(Clone, Copy)]
struct Digits {
    last: i64,
    end: i64,
}

/// Rows of decimals.
pub(super) trait Source {
    /// Calls `action` with the numbers of a row that are not 0, by column in ascending order. `places` are the numbers of
    /// decimal places to try first in each column.
    fn each(&self, row: usize, places: &mut [usize], action: &mut dyn FnMut(usize, Numeral));
}

impl Scaled {
    /// The examples at these places. Cost: two passes over their numbers.
    pub(super) fn new(
        source: &impl Source,
        examples: &Examples<'_>,
        rows: &[usize],
    ) -> Result<Self, TooLong> {
        let features = examples.features();
        let mut digits: Vec<Option<Digits>> = vec![None; features];
        let mut places = vec![0; features];
        for &row in rows {
            source.each(row, &mut places, &mut |j, number| {
                let (last, end) = (number.exponent, number.end());
                let of_column = digits[j].get_or_insert(Digits { last, end });
                (of_column.last, of_column.end) =
                    (of_column.last.min(last), of_column.end.max(end));
            });
        }
        let unit = |(feature, digits): (usize, &Option<Digits>)| {
            let Some(Digits { last, end }) = *digits else { return Ok(Unit::default()) };
            let length = end - last;
            // log₂ 10 is below 3.322.
            let two = (length.saturating_mul(3322) / 1000 + 1).min(LARGEST_POWER);
            if length > MOST_DIGITS {
                Err(TooLong { feature })
            } else {
                Ok(Unit { ten: last, two })
            }
        };
        let units = digits.iter().enumerate().map(unit).collect::<Result<Vec<Unit>, TooLong>>()?;
        let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for &row in rows {
            source.each(row, &mut places, &mut |j, number| {
                each_part(&number, units[j], |part| {
                    indices.push(j as u32);
                    values.push(part);
                });
            });
            offsets.push(values.len());
        }
        let signs = rows.iter().map(|&row| examples.sign(row)).collect();
        let rows = Rows::of_checked_parts(offsets, indices, values, features);
        Ok(Scaled { rows, signs, units })
    }

    pub(super) fn examples(&self) -> Examples<'_> {
        Examples::of_as_many(&self.rows, &self.signs)
    }

    /// Weights of the scaled columns, after that of the constant, as weights of the columns themselves; up to a common factor.
    pub(super) fn outwards(&self, mut weights: Vec<BigInt>) -> Vec<BigInt> {
        self.change_units(weights.iter_mut().enumerate().collect(), -1);
        weights
    }

    /// The opposite of [`Self::outwards`].
    pub(super) fn inwards(&self, mut weights: Vec<BigInt>) -> Vec<BigInt> {
        self.change_units(weights.iter_mut().enumerate().collect(), 1);
        weights
    }

    /// Multiplies weights of columns, counted from 1 (0 is the constant), by the units of the columns to the power of `sign`,
    /// up to a common factor.
    pub(super) fn change_units(&self, mut weights: Vec<(usize, &mut BigInt)>, sign: i64) {
        weights.retain(|(_, weight)| !weight.is_zero());
        let (mut ten, mut two) = (i64::MAX, i64::MAX);
        for &(k, _) in &weights {
            let unit = self.unit(k);
            (ten, two) = (ten.min(sign * unit.ten), two.min(sign * unit.two));
        }
        for (k, weight) in &mut weights {
            let unit = self.unit(*k);
            **weight *= power_of_ten(sign * unit.ten - ten);
            **weight <<= sign * unit.two - two;
        }
        let common = weights.iter().fold(BigInt::zero(), |common, (_, weight)| common.gcd(weight));
        if common.is_positive() {
            weights.iter_mut().for_each(|(_, weight)| **weight /= &common);
        }
    }

    /// A product of weights over one of the same weights inwards, by their weights of a column: a fraction.
    pub(super) fn factor(&self, k: usize, outward: &BigInt, inward: &BigInt) -> (BigUint, BigUint) {
        let Unit { ten, two } = self.unit(k);
        let times = |a: &BigInt, ten: i64, two: i64| {
            (a * power_of_ten(ten.max(0))).into_parts().1 << two.max(0) as u64
        };
        (times(outward, ten, two), times(inward, -ten, -two))
    }

    /// The unit of a column, counted from 1; 0 is the constant.
    fn unit(&self, k: usize) -> Unit {
        k.checked_sub(1).map_or(Unit::default(), |j| self.units[j])
    }
}

/// Calls `action` with the parts of a number in a unit: the first 53 bits, the next, and so on.
fn each_part(number: &Numeral, unit: Unit, mut action: impl FnMut(f64)) {
    if let Some(whole) = number.short_units(unit.ten) {
        return action(whole * power(-unit.two));
    }
    let units = number.units(unit.ten);
    let mut rest = units.magnitude().clone();
    while !rest.is_zero() {
        let shift = rest.bits().saturating_sub(u64::from(f64::MANTISSA_DIGITS));
        let first = &rest >> shift;
        let part = float(&first, shift as i64 - unit.two, Rounding::Nearest);
        action(if units.is_negative() { -part } else { part });
        rest -= first << shift;
    }
}
