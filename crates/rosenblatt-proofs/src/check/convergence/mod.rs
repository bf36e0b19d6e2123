//! The checker of proofs about convergence. It shares only the data types with the search.

mod certificate;

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::Zero;

use rosenblatt_exact::{Row, score_sign};

pub use certificate::{
    CONVERGENCE_VERSION, Convergence, ConvergenceCertificate, ConvergenceError, StrictClass,
};

use super::{
    Certificate, CertificateError, SignedRows,
    verify::{parse_integer, score, verify},
};

/// Checks a proof about convergence against its examples.
///
/// Cost: a multiplication of long integers per stored value of the rows; for *from zero* also a product of each row on the
/// hyperplane with each other row.
///
/// # Errors
/// [`ConvergenceError`]: the first reason found for which it is not a proof.
pub fn verify_convergence<S: SignedRows + ?Sized>(
    certificate: &ConvergenceCertificate,
    examples: &S,
) -> Result<(), ConvergenceError> {
    let ConvergenceCertificate { convergence, version, weights, .. } = certificate;
    if *version != CONVERGENCE_VERSION {
        return Err(ConvergenceError::Version { found: *version });
    }
    if *convergence == Convergence::Never {
        return check_multipliers(certificate, examples);
    }
    let (found, expected) = (weights.len(), examples.features());
    if found != expected {
        return Err(CertificateError::Features { found, expected }.into());
    }
    let scores = scores(&parse_weights(weights)?, examples);
    let wrong = |row: &usize| {
        let is_strict = certificate.strict.contains(examples.get(*row).1);
        if is_strict { scores[*row].is_le() } else { scores[*row].is_lt() }
    };
    if let Some(row) = (0..scores.len()).find(wrong) {
        return Err(CertificateError::WrongSide { row: row + 1 }.into());
    }
    let is_shown = match convergence {
        Convergence::Always => zeros(&scores).all(|row| is_zero(examples.get(row).0)),
        Convergence::FromZero => are_orthogonal(examples, &scores, &mut |_| false) == Some(true),
        Convergence::DependsOnOrder | Convergence::Never => true,
    };
    if is_shown { Ok(()) } else { Err(ConvergenceError::Claim) }
}

impl ConvergenceCertificate {
    /// Whether the certificate answers the question about hyperplanes with a bias, or without one.
    ///
    /// # Errors
    /// [`ConvergenceError::OtherQuestion`].
    pub fn answers(&self, with_bias: bool) -> Result<(), ConvergenceError> {
        if with_bias { Err(ConvergenceError::OtherQuestion) } else { Ok(()) }
    }
}

fn check_multipliers<S: SignedRows + ?Sized>(
    certificate: &ConvergenceCertificate,
    examples: &S,
) -> Result<(), ConvergenceError> {
    let ConvergenceCertificate { rows, multipliers, strict, .. } = certificate;
    let proof =
        Certificate::No { with_bias: false, rows: rows.clone(), multipliers: multipliers.clone() };
    verify(&proof, examples)?;
    // The rows exist and the multipliers are digits, as the proof was checked.
    let is_positive = |digits: &str| digits.bytes().any(|digit| digit != b'0');
    let is_strict = |row: usize| strict.contains(examples.get(row - 1).1);
    let mut pairs = rows.iter().zip(multipliers);
    match pairs.any(|(&row, digits)| is_strict(row) && is_positive(digits)) {
        true => Ok(()),
        false => Err(ConvergenceError::NotStrict),
    }
}

/// Weights in decimal digits.
pub(crate) fn parse_weights(weights: &[String]) -> Result<Vec<BigInt>, CertificateError> {
    let integer = |(place, digits): (usize, &String)| {
        parse_integer(digits).ok_or(CertificateError::Integer { place: Some(place + 1) })
    };
    weights.iter().enumerate().map(integer).collect()
}

/// The sign of the product of each yᵢxᵢ with the weights.
pub(crate) fn scores<S: SignedRows + ?Sized>(weights: &[BigInt], examples: &S) -> Vec<Ordering> {
    let zero = BigInt::zero();
    examples.iter().map(|example| score(weights, &zero, example).cmp(&zero)).collect()
}

pub(crate) fn zeros(scores: &[Ordering]) -> impl Iterator<Item = usize> {
    (0..scores.len()).filter(|&row| scores[row].is_eq())
}

/// Whether each row with the product 0 is orthogonal to all rows with a positive one.
pub(crate) fn are_orthogonal<S: SignedRows + ?Sized>(
    examples: &S,
    scores: &[Ordering],
    must_end: &mut dyn FnMut(u64) -> bool,
) -> Option<bool> {
    let positive: Vec<Row<'_>> = (0..scores.len())
        .filter(|&row| scores[row].is_gt())
        .map(|row| examples.get(row).0)
        .collect();
    let cost: usize = positive.iter().map(|row| row.stored()).sum();
    let mut dense = vec![0.0; examples.features()];
    for row in zeros(scores) {
        if must_end((cost + positive.len() + dense.len()) as u64) {
            return None;
        }
        dense.fill(0.0);
        examples.get(row).0.for_each(|j, x| dense[j] = x);
        if positive.iter().any(|other| score_sign(&dense, 0.0, *other).is_ne()) {
            return Some(false);
        }
    }
    Some(true)
}

/// Whether all entries of a row are 0.
pub(crate) fn is_zero(row: Row<'_>) -> bool {
    let mut is_zero = true;
    row.for_each(|_, x| is_zero &= x == 0.0);
    is_zero
}
