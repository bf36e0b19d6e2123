//! Exact arithmetic of its own, which shares nothing with the engine's: every float is an integer times 2⁻¹⁰⁷⁴.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, Zero};
use rosenblatt_proofs::Certificate;

/// Labelled points: the features of each, and 1 or −1.
pub(crate) struct Points {
    pub(crate) rows: Vec<Vec<f64>>,
    pub(crate) signs: Vec<i8>,
}

/// A finite number times 2¹⁰⁷⁴.
pub(crate) fn whole(number: f64) -> BigInt {
    let bits = number.to_bits();
    let (exponent, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let size = match exponent {
        0 => BigInt::from(fraction),
        _ => BigInt::from(fraction | 1 << 52) << (exponent - 1),
    };
    if number.is_sign_negative() { -size } else { size }
}

/// `w·x + b`, times 2²¹⁴⁸.
fn score((weights, bias): (&[f64], f64), row: &[f64]) -> BigInt {
    let sum: BigInt = weights.iter().zip(row).map(|(&w, &x)| whole(w) * whole(x)).sum();
    sum + (whole(bias) << 1074u32)
}

/// Whether a hyperplane has every point on its side, and none on itself.
pub(crate) fn separates(plane: (&[f64], f64), points: &Points) -> bool {
    points.all(|row, sign| {
        let side = score(plane, row).sign();
        side == if sign == 1 { Sign::Plus } else { Sign::Minus }
    })
}

/// Integers in decimal digits, with a sign where they are negative.
fn integers(weights: &[String], bias: &String) -> Option<(Vec<BigInt>, BigInt)> {
    let integer = |text: &String| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_decimal)
    };
    Some((weights.iter().map(integer).collect::<Option<_>>()?, integer(bias)?))
}

/// How many points have another sign than their score, where 0 is read as positive or not.
pub(crate) fn errors(plane: (&[f64], f64), points: &Points, zero_is_positive: bool) -> usize {
    let is_wrong = |(row, sign): (&Vec<f64>, &i8)| {
        let score = score(plane, row);
        let is_positive = score.is_positive() || (score.is_zero() && zero_is_positive);
        is_positive != (*sign == 1)
    };
    points.rows.iter().zip(&points.signs).filter(|&point| is_wrong(point)).count()
}

/// Whether a certificate proves what it says; how long its numbers are does not matter.
pub(crate) fn is_proof(certificate: &Certificate, points: &Points) -> bool {
    match certificate {
        Certificate::Yes { with_bias, weights, bias } => {
            weights.len() == points.features()
                && weights.iter().chain([bias]).all(|number| number.is_finite())
                && (*with_bias || *bias == 0.0)
                && separates((weights, *bias), points)
        }
        Certificate::YesInIntegers { with_bias, weights, bias } => {
            let Some((weights, bias)) = integers(weights, bias) else { return false };
            weights.len() == points.features()
                && (*with_bias || bias.is_zero())
                && points.all(|row, sign| {
                    let terms = weights.iter().zip(row).map(|(w, &x)| w * whole(x));
                    let score = terms.sum::<BigInt>() + (&bias << 1074u32);
                    score.sign() == if sign == 1 { Sign::Plus } else { Sign::Minus }
                })
        }
        Certificate::No { with_bias, rows, multipliers } => {
            let known = rows.iter().all(|row| (1..=points.rows.len()).contains(row));
            let twice = (1..rows.len()).any(|i| rows[..i].contains(&rows[i]));
            let is_digits =
                |text: &String| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if !known
                || twice
                || rows.len() != multipliers.len()
                || !multipliers.iter().all(is_digits)
            {
                return false;
            }
            let multipliers: Vec<BigInt> =
                multipliers.iter().map(|text| text.parse().unwrap()).collect();
            let sum = |of: &dyn Fn(usize) -> BigInt| -> BigInt {
                let signed =
                    |(&row, times): (&usize, &BigInt)| of(row - 1) * times * points.signs[row - 1];
                rows.iter().zip(&multipliers).map(signed).sum()
            };
            multipliers.iter().any(|times| !times.is_zero())
                && (0..points.features()).all(|j| sum(&|row| whole(points.rows[row][j])).is_zero())
                && (!with_bias || sum(&|_| BigInt::from(1)).is_zero())
        }
    }
}

/// Whether a separator's own margin is at most `upper`, which is said of all of them. The margin is that of
/// the vectors (x, 1) where `is_of_bias`, and of x otherwise.
pub(crate) fn is_below(
    (weights, bias): (&[f64], f64),
    points: &Points,
    is_of_bias: bool,
    upper: f64,
) -> bool {
    let scores = points.rows.iter().map(|row| score((weights, bias), row).abs());
    let Some(least) = scores.min() else { return true };
    let parts = weights.iter().copied().chain(is_of_bias.then_some(bias));
    let squares: BigInt = parts.map(|part| whole(part) * whole(part)).sum();
    let upper = whole(upper);
    &least * &least <= &upper * &upper * squares
}

impl Points {
    pub(crate) fn features(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    fn all(&self, holds: impl Fn(&[f64], i8) -> bool) -> bool {
        self.rows.iter().zip(&self.signs).all(|(row, &sign)| holds(row, sign))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(rows: &[&[f64]], signs: &[i8]) -> Points {
        Points { rows: rows.iter().map(|row| row.to_vec()).collect(), signs: signs.to_vec() }
    }

    #[test]
    fn numbers_are_whole() {
        assert_eq!(whole(5e-324), BigInt::from(1));
        assert_eq!(whole(-1.5), -(BigInt::from(3) << 1073u32));
        assert_eq!(whole(f64::MIN_POSITIVE), BigInt::from(1) << 52u32);
        assert_eq!(whole(-0.0), BigInt::from(0));
    }

    /// Of −1 and 1, with the weight 1: the margin is 1 without the bias, and 1 with the bias 0 too. With the bias 1/2
    /// the least score is 1/2 and (1, 1/2) has the length √1.25, 1/2 / √1.25 = 0.447….
    #[test]
    fn margins_are_compared() {
        let points = points(&[&[-1.0], &[1.0]], &[-1, 1]);
        assert!(is_below((&[1.0], 0.0), &points, true, 1.0));
        assert!(!is_below((&[1.0], 0.0), &points, true, 0.999));
        assert!(is_below((&[1.0], 0.5), &points, true, 0.4473));
        assert!(!is_below((&[1.0], 0.5), &points, true, 0.4472));
        assert!(!is_below((&[1.0], 0.5), &points, false, 0.4999));
    }

    #[test]
    fn proofs_are_told_from_others() {
        let and = points(&[&[0.0], &[1.0]], &[-1, 1]);
        let yes = |bias| Certificate::Yes { with_bias: true, weights: vec![2.0], bias };
        assert!(is_proof(&yes(-1.0), &and));
        assert!(!is_proof(&yes(0.0), &and) && !is_proof(&yes(f64::NAN), &and));
        // x = 0, 1, 2 with the signs 1, −1, 1: once, twice, once.
        let three = points(&[&[0.0], &[1.0], &[2.0]], &[1, -1, 1]);
        let no = |times: [&str; 3]| Certificate::No {
            with_bias: true,
            rows: vec![1, 2, 3],
            multipliers: times.map(str::to_owned).to_vec(),
        };
        assert!(is_proof(&no(["1", "2", "1"]), &three));
        assert!(!is_proof(&no(["1", "2", "2"]), &three) && !is_proof(&no(["0", "0", "0"]), &three));
    }
}
