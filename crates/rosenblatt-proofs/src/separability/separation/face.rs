//! The examples of a face as columns of a linear program, in independent coordinates.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use rosenblatt_core::data::Examples;

use super::super::{
    integers::{dyadic, summed},
    vectors::inverse_power,
};

/// Calls `action` with each coordinate of z that is not 0: 0 for the constant, j + 1 for feature j.
pub(super) fn coordinates(
    examples: &Examples<'_>,
    with_bias: bool,
    row: usize,
    mut action: impl FnMut(usize, f64),
) {
    let (x, sign) = examples.get(row);
    if with_bias {
        action(0, sign.as_f64());
    }
    x.for_each(|j, x| {
        if x != 0.0 {
            action(j + 1, sign * x);
        }
    });
}

/// Examples in the coordinates of a basis of their columns, with each coordinate times a power of two that makes it an
/// integer.
pub(super) struct Face<'a> {
    pub(super) examples: Examples<'a>,
    pub(super) with_bias: bool,
    /// The examples.
    pub(super) rows: Vec<usize>,
    /// The coordinate of each place.
    pub(super) columns: Vec<usize>,
    /// The place of each coordinate.
    place: Vec<Option<usize>>,
    /// The least exponent of each place.
    exponents: Vec<i32>,
}

impl<'a> Face<'a> {
    pub(super) fn new(
        examples: Examples<'a>,
        with_bias: bool,
        rows: Vec<usize>,
        columns: Vec<usize>,
    ) -> Self {
        let mut place = vec![None; examples.features() + 1];
        columns.iter().enumerate().for_each(|(i, &k)| place[k] = Some(i));
        let mut exponents = vec![i32::MAX; columns.len()];
        for &row in &rows {
            coordinates(&examples, with_bias, row, |k, z| {
                if let Some(i) = place[k] {
                    exponents[i] = exponents[i].min(dyadic(z).1);
                }
            });
        }
        Face { examples, with_bias, rows, columns, place, exponents }
    }

    /// The number of coordinates.
    pub(super) fn size(&self) -> usize {
        self.columns.len()
    }

    /// Calls `action` with each place and float that is not 0.
    pub(super) fn entries(&self, row: usize, mut action: impl FnMut(usize, f64)) {
        coordinates(&self.examples, self.with_bias, row, |k, z| {
            if let Some(i) = self.place[k] {
                action(i, z);
            }
        });
    }

    /// The entries of an example as integers.
    pub(super) fn integers(&self, row: usize) -> Vec<(usize, BigInt)> {
        let mut entries = Vec::new();
        self.entries(row, |i, z| {
            let (mantissa, exponent) = dyadic(z);
            entries.push((i, BigInt::from(mantissa) << (exponent - self.exponents[i]) as usize));
        });
        summed(entries)
    }

    /// The sum of the weights ±1 of all places whose entries have one sign, which no example has a negative product with.
    /// `None` if every place has entries of both signs.
    pub(super) fn one_signed(&self) -> Option<Vec<(usize, BigInt)>> {
        let mut signs = vec![[false; 2]; self.size()];
        for &row in &self.rows {
            self.entries(row, |i, z| signs[i][usize::from(z < 0.0)] = true);
        }
        let weight = |(&k, signs): (&usize, [bool; 2])| match signs {
            [true, false] => Some((k, BigInt::from(1))),
            [false, true] => Some((k, BigInt::from(-1))),
            _ => None,
        };
        let direction: Vec<_> = self.columns.iter().zip(signs).filter_map(weight).collect();
        (!direction.is_empty()).then_some(direction)
    }

    /// A power of two for each place that brings its largest entry into [1, 2).
    pub(super) fn scales(&self) -> Vec<f64> {
        let mut largest = vec![0.0f64; self.size()];
        for &row in &self.rows {
            self.entries(row, |i, z| largest[i] = largest[i].max(z.abs()));
        }
        largest.into_iter().map(inverse_power).collect()
    }

    /// Integers for the entries as integers, near weights for the entries as floats, all times one power of two. Weights far
    /// smaller than the others become 0.
    pub(super) fn integers_near(&self, weights: &[f64]) -> Vec<BigInt> {
        let parts: Vec<(i64, i64)> = (0..self.size())
            .map(|i| {
                let (mantissa, exponent) = dyadic(weights[i]);
                (mantissa, i64::from(exponent) + i64::from(self.exponents[i]))
            })
            .collect();
        let used = parts.iter().filter(|(mantissa, _)| *mantissa != 0);
        let most = used.map(|&(_, exponent)| exponent).max().unwrap_or(0);
        let number = |&(mantissa, exponent): &(i64, i64)| {
            let shift = exponent - most + 64;
            if shift < 0 { BigInt::zero() } else { BigInt::from(mantissa) << shift as usize }
        };
        parts.iter().map(number).collect()
    }

    /// The exact product of an example with weights, up to a power of two.
    pub(super) fn score(&self, row: usize, weights: &[BigInt]) -> BigInt {
        let mut score = BigInt::zero();
        self.entries(row, |i, z| {
            if !weights[i].is_zero() {
                let (mantissa, exponent) = dyadic(z);
                score += (&weights[i] * mantissa) << (exponent - self.exponents[i]) as usize;
            }
        });
        score
    }

    /// The weights of these places as integers by coordinate, with a common positive factor.
    pub(super) fn unscaled(&self, weights: &[BigInt]) -> Vec<(usize, BigInt)> {
        let used = |i: &usize| !weights[*i].is_zero();
        let most = (0..self.size()).filter(used).map(|i| self.exponents[i]).max().unwrap_or(0);
        let number =
            |i: usize| (self.columns[i], &weights[i] << (most - self.exponents[i]) as usize);
        (0..self.size()).filter(used).map(number).collect()
    }

    /// Weights by coordinate as weights of these places, with a common positive factor.
    pub(super) fn scaled(&self, weights: &[(usize, BigInt)]) -> Vec<BigInt> {
        let mut scaled = vec![BigInt::zero(); self.size()];
        let least = self.exponents.iter().copied().min().unwrap_or(0);
        for (k, weight) in weights {
            if let Some(i) = self.place[*k] {
                scaled[i] = weight << (self.exponents[i] - least) as usize;
            }
        }
        scaled
    }

    /// Floats near the weights, for the entries as floats; all times one power of two.
    pub(super) fn nearby(&self, weights: &[BigInt]) -> Nearby {
        let exponent = |i: usize| weights[i].bits() as i64 - i64::from(self.exponents[i]);
        let used = |i: &usize| !weights[*i].is_zero();
        let most = (0..weights.len()).filter(used).map(exponent).max().unwrap_or(0);
        let number = |i: usize| {
            let a = &weights[i];
            let cut = a.bits().saturating_sub(64);
            let digits = (a.magnitude() >> cut).to_f64().unwrap_or(0.0);
            let power = cut as i64 - i64::from(self.exponents[i]) - most;
            let size = if power < -900 { 0.0 } else { digits * 2f64.powi(power as i32) };
            if a.is_negative() { -size } else { size }
        };
        let floats: Vec<f64> = (0..weights.len()).map(number).collect();
        let is_close = floats.iter().zip(weights).all(|(float, a)| *float != 0.0 || a.is_zero());
        Nearby { weights: floats, is_close }
    }

    /// The sign of the exact product of an example with weights: by floats if their error allows it.
    pub(super) fn sign(&self, row: usize, weights: &[BigInt], nearby: &Nearby) -> Ordering {
        let (score, error) = nearby.score(self, row);
        if score.abs() > error {
            return score.total_cmp(&0.0);
        }
        self.score(row, weights).cmp(&BigInt::zero())
    }
}

/// Floats near integer weights.
pub(super) struct Nearby {
    pub(super) weights: Vec<f64>,
    /// Whether each is the integer times the common power of two, up to a relative 2⁻⁵².
    is_close: bool,
}

impl Nearby {
    /// The product with an example, and a bound on its error; NaN if none is known.
    ///
    /// A weight has the relative error 2⁻⁵², a product and each of the n sums 2⁻⁵³; so the error is below
    /// (n + 4)·2⁻⁵²·Σ|wz| for n < 2⁴⁰, as long as products that underflow are far smaller than this.
    pub(super) fn score(&self, face: &Face<'_>, row: usize) -> (f64, f64) {
        const LEAST: f64 = 1e-280;
        let (mut score, mut size, mut terms) = (0.0, 0.0, 4.0);
        face.entries(row, |i, z| {
            let product = self.weights[i] * z;
            score += product;
            size += product.abs();
            terms += 1.0;
        });
        let is_known = self.is_close && size > LEAST && size < f64::MAX;
        (score, if is_known { size * terms * f64::EPSILON } else { f64::NAN })
    }
}
