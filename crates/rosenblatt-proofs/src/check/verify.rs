//! The checker of certificates.
//!
//! It shares only the data types with the solver. *Yes* is checked by the exact predicate of the engine
//! ([`score_sign`]), *no* over integers: every float is an integer times 2⁻¹⁰⁷⁴, so each coordinate of `Σ
//! λᵢyᵢ(xᵢ, 1)` is an integer times that, and is 0 or not. So is the score of integer weights. There is no tolerance.
//!
//! A certificate may come from any source. Whatever it contains, the result is an error or `Ok`.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint, Sign as IntegerSign};
use num_traits::{Signed, ToPrimitive, Zero};

use rosenblatt_exact::{Row, Sign, score_sign};

use super::{Certificate, CertificateError, SignedRows, certificate_error::MOST_DIGITS};

/// Checks a certificate against its examples.
///
/// Cost: for *yes* about one epoch; for *no*, and for integer weights, a multiplication of long integers per stored
/// value of the rows. Memory: one long integer per feature.
///
/// # Errors
/// [`CertificateError`]: the first reason found for which it is not a proof.
pub fn verify<S: SignedRows + ?Sized>(
    certificate: &Certificate,
    examples: &S,
) -> Result<(), CertificateError> {
    match certificate {
        Certificate::Yes { with_bias, weights, bias } => {
            verify_separator(*with_bias, weights, *bias, examples)
        }
        Certificate::YesInIntegers { with_bias, weights, bias } => {
            verify_integers(*with_bias, (weights, bias), examples)
        }
        Certificate::No { with_bias, rows, multipliers } => {
            let pairs = parse(rows, multipliers, examples)?;
            check_sum(examples, *with_bias, &pairs)
        }
    }
}

fn verify_separator<S: SignedRows + ?Sized>(
    with_bias: bool,
    weights: &[f64],
    bias: f64,
    examples: &S,
) -> Result<(), CertificateError> {
    let (found, expected) = (weights.len(), examples.features());
    if found != expected {
        return Err(CertificateError::Features { found, expected });
    }
    if !weights.iter().chain([&bias]).all(|a| a.is_finite()) {
        return Err(CertificateError::NotFinite);
    }
    if !with_bias && bias != 0.0 {
        return Err(CertificateError::Bias { bias });
    }
    let wrong = |(row, sign): (Row<'_>, Sign)| {
        let side = score_sign(weights, bias, row);
        if sign == Sign::Plus { !side.is_gt() } else { !side.is_lt() }
    };
    match examples.iter().position(wrong) {
        Some(i) => Err(CertificateError::WrongSide { row: i + 1 }),
        None => Ok(()),
    }
}

/// Checks a separator with weights and bias in decimal digits.
fn verify_integers<S: SignedRows + ?Sized>(
    with_bias: bool,
    (weights, bias): (&[String], &str),
    examples: &S,
) -> Result<(), CertificateError> {
    let (found, expected) = (weights.len(), examples.features());
    if found != expected {
        return Err(CertificateError::Features { found, expected });
    }
    let integer = |(place, digits): (usize, &String)| {
        parse_integer(digits).ok_or(CertificateError::Integer { place: Some(place + 1) })
    };
    let weights: Vec<BigInt> = weights.iter().enumerate().map(integer).collect::<Result<_, _>>()?;
    let bias = parse_integer(bias).ok_or(CertificateError::Integer { place: None })?;
    if !with_bias && !bias.is_zero() {
        return Err(CertificateError::Bias { bias: bias.to_f64().unwrap_or(f64::NAN) });
    }
    let wrong = |example| !score(&weights, &bias, example).is_positive();
    match examples.iter().position(wrong) {
        Some(i) => Err(CertificateError::WrongSide { row: i + 1 }),
        None => Ok(()),
    }
}

/// `y(w·x + b) · 2¹⁰⁷⁴` for integer weights.
pub(crate) fn score(weights: &[BigInt], bias: &BigInt, (row, sign): (Row<'_>, Sign)) -> BigInt {
    let mut score = BigInt::zero();
    add_product(&mut score, bias, sign.as_f64());
    row.for_each(|j, x| add_product(&mut score, &weights[j], sign * x));
    score
}

pub(crate) fn parse_integer(digits: &str) -> Option<BigInt> {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => (IntegerSign::Minus, rest),
        None => (IntegerSign::Plus, digits),
    };
    Some(BigInt::from_biguint(sign, parse_digits(digits)?))
}

/// The pairs of a certificate, with rows counted from 0. Every row must exist and occur once.
fn parse<S: SignedRows + ?Sized>(
    rows: &[usize],
    multipliers: &[String],
    examples: &S,
) -> Result<Vec<(usize, BigUint)>, CertificateError> {
    if rows.len() != multipliers.len() {
        let (rows, multipliers) = (rows.len(), multipliers.len());
        return Err(CertificateError::Pairs { rows, multipliers });
    }
    let mut sorted = rows.to_vec();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(CertificateError::Twice { row: pair[0] });
    }
    let pair = |(place, (&row, digits)): (usize, (&usize, &String))| {
        if row == 0 || row > examples.len() {
            return Err(CertificateError::NoSuchRow { row, rows: examples.len() });
        }
        let multiplier = parse_digits(digits);
        Ok((row - 1, multiplier.ok_or(CertificateError::Multiplier { place: place + 1 })?))
    };
    rows.iter().zip(multipliers).enumerate().map(pair).collect()
}

fn parse_digits(digits: &str) -> Option<BigUint> {
    let decimal = digits.bytes().all(|byte| byte.is_ascii_digit());
    let good = decimal && (1..=MOST_DIGITS).contains(&digits.len());
    if good { BigUint::parse_bytes(digits.as_bytes(), 10) } else { None }
}

pub(crate) fn check_sum<S: SignedRows + ?Sized>(
    examples: &S,
    with_bias: bool,
    pairs: &[(usize, BigUint)],
) -> Result<(), CertificateError> {
    if pairs.iter().all(|(_, multiplier)| multiplier.is_zero()) {
        return Err(CertificateError::Nothing);
    }
    // By feature: most features are 0 in the few rows of a proof.
    let mut sums: BTreeMap<usize, BigInt> = BTreeMap::new();
    let mut constant = BigInt::zero();
    for (row, multiplier) in pairs {
        let (x, sign) = examples.get(*row);
        let signed = BigInt::from(multiplier.clone()) * sign as i8;
        x.for_each(|j, x| add_product(sums.entry(j).or_default(), &signed, x));
        constant += signed;
    }
    if let Some((j, _)) = sums.iter().find(|(_, sum)| !sum.is_zero()) {
        return Err(CertificateError::NotZero { feature: Some(j + 1) });
    }
    if with_bias && !constant.is_zero() {
        return Err(CertificateError::NotZero { feature: None });
    }
    Ok(())
}

/// `sum += multiplier · x · 2¹⁰⁷⁴`.
fn add_product(sum: &mut BigInt, multiplier: &BigInt, x: f64) {
    let bits = x.to_bits();
    let field = (bits >> 52) & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    // A subnormal number has the exponent of the smallest normal one, without its leading bit.
    let mantissa = if field == 0 { fraction } else { fraction | 1 << 52 };
    if mantissa != 0 {
        let product = (multiplier * mantissa) << (field.max(1) - 1);
        if x < 0.0 { *sum -= product } else { *sum += product }
    }
}
