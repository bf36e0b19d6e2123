//! The checker of separations. It shares only the data types with the search.
//!
//! Products and sums are exact: every float is an integer times 2⁻¹⁰⁷⁴. Ranks are computed modulo a prime, which never
//! makes them larger. The rows of the proof have at least their rank modulo the prime; the space of the face has at most the
//! number of its columns less the rank of the relations. If the two bounds meet, the rows span the space. If they do not, a
//! determinant may have been a multiple of the prime, and another prime is tried.

mod certificate;

use num_bigint::BigInt;
use num_traits::{Euclid, One, Signed, ToPrimitive, Zero};

pub use certificate::{
    Relation, SEPARATION_VERSION, Separation, SeparationCertificate, SeparationError,
};

use super::{MOST_DIGITS, SignedRows, certificate_error::hyperplanes};

/// Checks a separation against its examples, for hyperplanes with a bias or through the origin, as the certificate
/// says.
///
/// Cost: a pass over the rows with long integers, and k·r·d steps for the rank of k rows. Memory: r·d numbers.
///
/// # Errors
/// [`SeparationError`]: the first reason found for which it is not a proof.
pub fn verify_separation<S: SignedRows + ?Sized>(
    certificate: &SeparationCertificate,
    examples: &S,
) -> Result<(), SeparationError> {
    let check = Check { certificate, examples };
    let weights = check.weights()?;
    let on_face = check.face(&weights)?;
    check.claim(&on_face)?;
    let rows = check.rows(&on_face)?;
    check.sum(&rows)?;
    let face: Vec<usize> = (0..on_face.len()).filter(|&row| on_face[row]).collect();
    check.span(&rows, &face)
}

impl SeparationCertificate {
    /// Whether the certificate answers the question about hyperplanes with a bias, or without one.
    ///
    /// # Errors
    /// [`SeparationError::OtherQuestion`].
    pub fn answers(&self, with_bias: bool) -> Result<(), SeparationError> {
        if self.with_bias == with_bias { Ok(()) } else { Err(SeparationError::OtherQuestion) }
    }

    /// The hyperplanes in words: `with a bias` or `through the origin`.
    pub fn hyperplanes(&self) -> &'static str {
        hyperplanes(self.with_bias)
    }
}

struct Check<'c, S: ?Sized> {
    certificate: &'c SeparationCertificate,
    examples: &'c S,
}

impl<S: SignedRows + ?Sized> Check<'_, S> {
    /// The bias and the weights, by column.
    fn weights(&self) -> Result<Vec<BigInt>, SeparationError> {
        let SeparationCertificate { version, weights, bias, with_bias, .. } = self.certificate;
        if *version != SEPARATION_VERSION {
            return Err(SeparationError::Version { found: *version });
        }
        let (found, expected) = (weights.len(), self.examples.features());
        if found != expected {
            return Err(SeparationError::Features { found, expected });
        }
        let bias = parse(bias, || "the bias".into())?;
        if !with_bias && !bias.is_zero() {
            return Err(SeparationError::Bias);
        }
        let weight =
            |(place, digits): (usize, &String)| parse(digits, || format!("weight {}", place + 1));
        let weights = weights.iter().enumerate().map(weight);
        std::iter::once(Ok(bias)).chain(weights).collect()
    }

    /// Calls `action` with the columns of yᵢ(xᵢ, 1) that are not 0.
    fn columns(&self, row: usize, mut action: impl FnMut(usize, f64)) {
        let (x, sign) = self.examples.get(row);
        if self.certificate.with_bias {
            action(0, sign.as_f64());
        }
        x.for_each(|j, x| {
            if x != 0.0 {
                action(j + 1, sign * x);
            }
        });
    }

    /// Which examples lie on the hyperplane; none may be on the wrong side.
    fn face(&self, weights: &[BigInt]) -> Result<Vec<bool>, SeparationError> {
        let floats: Option<Vec<f64>> = weights.iter().map(near).collect();
        let on_face = |row: usize| {
            if floats.as_ref().is_some_and(|floats| self.is_clearly_positive(row, floats)) {
                return Ok(false);
            }
            let mut score = BigInt::zero();
            self.columns(row, |k, z| {
                if !weights[k].is_zero() {
                    add_product(&mut score, &weights[k], z);
                }
            });
            if score.is_negative() {
                return Err(SeparationError::WrongSide { row: row + 1 });
            }
            Ok(score.is_zero())
        };
        (0..self.examples.len()).map(on_face).collect()
    }

    /// Whether a sum in floats is positive by more than its error. Each weight has the relative error 2⁻⁵³, each
    /// product and each of the n sums too, so the error is below (n + 4)·2⁻⁵²·Σ|wz|, where no product is so small
    /// that underflow counts.
    fn is_clearly_positive(&self, row: usize, weights: &[f64]) -> bool {
        let (mut score, mut size, mut terms) = (0.0, 0.0, 4.0);
        self.columns(row, |k, z| {
            let product = weights[k] * z;
            score += product;
            size += product.abs();
            terms += 1.0;
        });
        size > 1e-250 && size < f64::MAX && score > size * terms * f64::EPSILON
    }

    fn claim(&self, on_face: &[bool]) -> Result<(), SeparationError> {
        let shown = match (on_face.contains(&true), on_face.contains(&false)) {
            (false, _) => Separation::Complete,
            (true, true) => Separation::QuasiComplete,
            (true, false) => Separation::Overlap,
        };
        if shown == self.certificate.separation {
            return Ok(());
        }
        Err(SeparationError::Claim { shown: shown.name() })
    }

    /// The rows of the proof with their multipliers, counted from 0.
    fn rows(&self, on_face: &[bool]) -> Result<Vec<(usize, BigInt)>, SeparationError> {
        let SeparationCertificate { rows, multipliers, .. } = self.certificate;
        if rows.len() != multipliers.len() {
            let (left, right) = (rows.len(), multipliers.len());
            return Err(SeparationError::Lengths { left, right });
        }
        let mut free = on_face.to_vec();
        let mut pairs = Vec::new();
        for (place, (&row, digits)) in rows.iter().zip(multipliers).enumerate() {
            let slot = row.checked_sub(1).and_then(|row| free.get_mut(row));
            if !slot.is_some_and(std::mem::take) {
                return Err(SeparationError::Row { row });
            }
            let multiplier = parse(digits, || format!("multiplier {}", place + 1))?;
            if !multiplier.is_positive() {
                return Err(SeparationError::Multiplier { place: place + 1 });
            }
            pairs.push((row - 1, multiplier));
        }
        Ok(pairs)
    }

    fn sum(&self, pairs: &[(usize, BigInt)]) -> Result<(), SeparationError> {
        let mut sums = vec![BigInt::zero(); self.examples.features() + 1];
        for (row, multiplier) in pairs {
            self.columns(*row, |k, z| add_product(&mut sums[k], multiplier, z));
        }
        match sums.iter().position(|sum| !sum.is_zero()) {
            Some(column) => Err(SeparationError::NotZero { column }),
            None => Ok(()),
        }
    }

    /// Checks that the rows of the proof span the space of the face.
    fn span(&self, rows: &[(usize, BigInt)], face: &[usize]) -> Result<(), SeparationError> {
        if rows.len() == face.len() {
            return Ok(());
        }
        let mut place = vec![None; self.examples.features() + 1];
        let mut columns = 0;
        for &row in face {
            self.columns(row, |k, _| {
                place[k].get_or_insert_with(|| {
                    columns += 1;
                    columns - 1
                });
            });
        }
        let relations = self.relations(face, &place)?;
        let ranks = |prime: u64| {
            let lines = rows.iter().map(|(row, _)| {
                let mut line = vec![0; columns];
                self.columns(*row, |k, z| {
                    if let Some(i) = place[k] {
                        line[i] = (line[i] + residue(z, prime)) % prime;
                    }
                });
                line
            });
            let relations = relations.iter().map(|relation| {
                let mut line = vec![0; columns];
                for (i, a) in relation {
                    let a = a.rem_euclid(&prime.into()).to_u64().unwrap_or(0);
                    line[*i] = (line[*i] + a) % prime;
                }
                line
            });
            (rank(lines, prime), rank(relations, prime))
        };
        let mut found = (0, 0);
        for prime in PRIMES {
            found = ranks(prime);
            if found.0 + found.1 == columns {
                return Ok(());
            }
        }
        Err(SeparationError::Rank { rank: found.0, relations: found.1, columns })
    }

    /// The relations, which hold for every example of the face: an integer for places among its columns.
    fn relations(
        &self,
        face: &[usize],
        place: &[Option<usize>],
    ) -> Result<Vec<Vec<(usize, BigInt)>>, SeparationError> {
        let relations = self.certificate.relations.iter().enumerate();
        let checked = relations.map(|(number, relation)| {
            let wrong = SeparationError::Relation { place: number + 1 };
            let (left, right) = (relation.columns.len(), relation.coefficients.len());
            if left != right {
                return Err(SeparationError::Lengths { left, right });
            }
            let mut coefficients = vec![BigInt::zero(); place.len()];
            let mut line = Vec::with_capacity(left);
            for (&k, digits) in relation.columns.iter().zip(&relation.coefficients) {
                let a = parse(digits, || format!("a coefficient of relation {}", number + 1))?;
                let Some(i) = place.get(k).copied().flatten() else { return Err(wrong) };
                coefficients[k] += &a;
                line.push((i, a));
            }
            let holds = |&row: &usize| {
                let mut sum = BigInt::zero();
                self.columns(row, |k, z| {
                    if !coefficients[k].is_zero() {
                        add_product(&mut sum, &coefficients[k], z);
                    }
                });
                sum.is_zero()
            };
            if face.iter().all(holds) { Ok(line) } else { Err(wrong) }
        });
        checked.collect()
    }
}

fn parse(digits: &str, what: impl Fn() -> String) -> Result<BigInt, SeparationError> {
    let plain = digits.strip_prefix('-').unwrap_or(digits);
    let good =
        (1..=MOST_DIGITS).contains(&plain.len()) && plain.bytes().all(|b| b.is_ascii_digit());
    let parsed = if good { digits.parse().ok() } else { None };
    parsed.ok_or_else(|| SeparationError::Integer { what: what() })
}

/// The nearest float, unless it is too large.
fn near(a: &BigInt) -> Option<f64> {
    a.to_f64().filter(|float| float.is_finite())
}

/// `sum += multiplier · z · 2¹⁰⁷⁴`.
fn add_product(sum: &mut BigInt, multiplier: &BigInt, z: f64) {
    let (mantissa, shift) = parts(z);
    if mantissa != 0 {
        let product = (multiplier * mantissa) << shift;
        if z < 0.0 { *sum -= product } else { *sum += product }
    }
}

/// |z| = mantissa · 2^(shift − 1074).
fn parts(z: f64) -> (u64, usize) {
    let bits = z.to_bits();
    let field = (bits >> 52) & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    let mantissa = if field == 0 { fraction } else { fraction | 1 << 52 };
    (mantissa, field.max(1) as usize - 1)
}

/// Primes below 2³² that are no neighbors of powers of two, as numbers in data are: after the digits of π and of e.
const PRIMES: [u64; 2] = [3_141_592_661, 2_718_281_831];

/// z · 2¹⁰⁷⁴ modulo a prime.
fn residue(z: f64, prime: u64) -> u64 {
    let (mantissa, shift) = parts(z);
    let size = mantissa % prime * power(2, shift as u64, prime) % prime;
    if z < 0.0 { (prime - size) % prime } else { size }
}

/// The rank of lines modulo a prime, by elimination.
fn rank(lines: impl Iterator<Item = Vec<u64>>, prime: u64) -> usize {
    // The line with each leading column; its first entry is 1.
    let mut echelon: Vec<Option<Vec<u64>>> = Vec::new();
    for mut line in lines {
        echelon.resize(line.len(), None);
        for k in 0..line.len() {
            if line[k] == 0 {
                continue;
            }
            let Some(row) = &echelon[k] else {
                let scale = power(line[k], prime - 2, prime);
                line.iter_mut().for_each(|a| *a = *a * scale % prime);
                echelon[k] = Some(line);
                break;
            };
            let factor = prime - line[k];
            for (a, b) in line[k..].iter_mut().zip(&row[k..]) {
                *a = (*a + factor * b) % prime;
            }
        }
    }
    echelon.iter().flatten().count()
}

fn power(base: u64, mut exponent: u64, prime: u64) -> u64 {
    let (mut result, mut power) = (u64::one(), base % prime);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * power % prime;
        }
        power = power * power % prime;
        exponent >>= 1;
    }
    result
}
