//! The checker of bounds on the least errors. It shares only the data types with the search.

mod certificate;

use rosenblatt_exact::{Row, Sign, score_sign};

pub use certificate::{
    Conflict, ErrorBounds, LEAST_ERRORS_VERSION, LeastErrorsCertificate, LeastErrorsError,
};

use super::{Certificate, CertificateError, SignedRows, certificate_error::hyperplanes, verify};

/// Checks bounds on the least errors against their examples: the errors of the weights are counted by the exact
/// predicate, each conflict is checked over integers, and no row may belong to two of them.
///
/// Cost: about one epoch, and a multiplication of long integers per stored value of the rows of the conflicts.
///
/// # Errors
/// [`LeastErrorsError`]: the first reason found for which it is not a proof.
pub fn verify_least_errors<S: SignedRows + ?Sized>(
    certificate: &LeastErrorsCertificate,
    examples: &S,
) -> Result<(), LeastErrorsError> {
    check_counted(certificate, examples, |weights, bias| strict_errors(weights, bias, examples))
}

/// Checks the bounds, with a function that counts the errors of weights and a bias.
pub(crate) fn check_counted<S: SignedRows + ?Sized>(
    certificate: &LeastErrorsCertificate,
    examples: &S,
    count: impl Fn(&[f64], f64) -> usize,
) -> Result<(), LeastErrorsError> {
    let LeastErrorsCertificate { least_errors, version, conflicts, .. } = certificate;
    if *version != LEAST_ERRORS_VERSION {
        return Err(LeastErrorsError::Version { found: *version });
    }
    check_upper(certificate, examples, count)?;
    let (found, claimed) = (conflicts.len(), least_errors.lower);
    if found == claimed {
        check_conflicts(certificate, examples)
    } else {
        Err(LeastErrorsError::Lower { found, claimed })
    }
}

fn check_conflicts<S: SignedRows + ?Sized>(
    certificate: &LeastErrorsCertificate,
    examples: &S,
) -> Result<(), LeastErrorsError> {
    let mut is_used = vec![false; examples.len()];
    for (place, conflict) in certificate.conflicts.iter().enumerate() {
        let proof = Certificate::No {
            with_bias: certificate.with_bias,
            rows: conflict.rows.clone(),
            multipliers: conflict.multipliers.clone(),
        };
        let wrong = |error| LeastErrorsError::Conflict { place: place + 1, error };
        verify(&proof, examples).map_err(wrong)?;
        for &row in &conflict.rows {
            // The row exists, as the proof was checked.
            if std::mem::replace(&mut is_used[row - 1], true) {
                return Err(LeastErrorsError::Shared { row });
            }
        }
    }
    Ok(())
}

fn check_upper<S: SignedRows + ?Sized>(
    certificate: &LeastErrorsCertificate,
    examples: &S,
    count: impl Fn(&[f64], f64) -> usize,
) -> Result<(), LeastErrorsError> {
    let LeastErrorsCertificate { least_errors, with_bias, weights, bias, .. } = certificate;
    let (found, expected) = (weights.len(), examples.features());
    if found != expected {
        return Err(LeastErrorsError::Weights(CertificateError::Features { found, expected }));
    }
    if !weights.iter().chain([bias]).all(|a| a.is_finite()) {
        return Err(LeastErrorsError::Weights(CertificateError::NotFinite));
    }
    if !with_bias && *bias != 0.0 {
        return Err(LeastErrorsError::Weights(CertificateError::Bias { bias: *bias }));
    }
    let (found, claimed) = (count(weights, *bias), least_errors.upper);
    if found == claimed { Ok(()) } else { Err(LeastErrorsError::Upper { found, claimed }) }
}

/// The number of examples that do not lie strictly on their side.
pub(crate) fn strict_errors<S: SignedRows + ?Sized>(
    weights: &[f64],
    bias: f64,
    examples: &S,
) -> usize {
    examples.iter().filter(|&example| is_error(weights, bias, example)).count()
}

/// Whether an example does not lie strictly on its side.
pub(crate) fn is_error(weights: &[f64], bias: f64, (row, sign): (Row<'_>, Sign)) -> bool {
    let side = score_sign(weights, bias, row);
    if sign == Sign::Plus { !side.is_gt() } else { !side.is_lt() }
}

impl LeastErrorsCertificate {
    /// Whether the certificate answers the question about hyperplanes with a bias, or without one.
    ///
    /// # Errors
    /// [`LeastErrorsError::OtherQuestion`].
    pub fn answers(&self, with_bias: bool) -> Result<(), LeastErrorsError> {
        if self.with_bias == with_bias { Ok(()) } else { Err(LeastErrorsError::OtherQuestion) }
    }

    /// The hyperplanes in words: `with a bias` or `through the origin`.
    pub fn hyperplanes(&self) -> &'static str {
        hyperplanes(self.with_bias)
    }
}
