//! Proofs about decimals, checked as those about integers in units of their columns, and the errors of floats as weights.

use num_bigint::BigInt;
use num_traits::Signed;

use super::{
    Written, in_other_units, integers,
    scaled::{Scaled, TooLong},
};
use crate::check::{
    Certificate, CertificateError, LeastErrorsCertificate, LeastErrorsError, SeparationCertificate,
    SeparationError, least_errors::check_counted, verify, verify::score, verify_least_errors,
    verify_separation,
};
use rosenblatt_core::data::{Examples, Rows, Sign};
use rosenblatt_exact as exact;

impl Written<'_> {
    /// [`verify()`] for the decimals.
    ///
    /// # Errors
    /// [`CertificateError`]; [`CertificateError::Length`] if the numbers of a column differ too much in size.
    pub fn verify(&self, certificate: &Certificate) -> Result<(), CertificateError> {
        if self.is_exact() {
            return verify(certificate, &self.floats);
        }
        let too_long = |TooLong { feature }| CertificateError::Length { feature: feature + 1 };
        if let Certificate::No { .. } = certificate {
            return verify(certificate, &self.scaled().map_err(too_long)?.examples());
        }
        // The form of the certificate.
        let none = Rows::of_checked_parts(vec![0], vec![], vec![], self.floats.features());
        verify(certificate, &Examples::of_as_many(&none, &[]))?;
        let open = match certificate {
            Certificate::Yes { weights, bias, .. } => self.open(weights, *bias),
            _ => (0..self.floats.len()).map(|row| (row, None)).collect(),
        };
        let rows: Vec<usize> = open.into_iter().map(|(row, _)| row).collect();
        let weights = integers(certificate).ok_or(CertificateError::Nothing)?;
        match self.rights(&weights, &rows).map_err(too_long)?.iter().position(|right| !right) {
            Some(place) => Err(CertificateError::WrongSide { row: rows[place] + 1 }),
            None => Ok(()),
        }
    }

    /// [`verify_separation()`] for the decimals.
    ///
    /// # Errors
    /// [`SeparationError`]; [`SeparationError::Length`] if the numbers of a column differ too much in size.
    pub fn verify_separation(
        &self,
        certificate: &SeparationCertificate,
    ) -> Result<(), SeparationError> {
        if self.is_exact() {
            return verify_separation(certificate, &self.floats);
        }
        let too_long = |TooLong { feature }| SeparationError::Length { feature: feature + 1 };
        let scaled = self.scaled().map_err(too_long)?;
        // Where it has no integers for all columns, the checker says so.
        let has_all = certificate.weights.len() == self.floats.features();
        let changed = || in_other_units(certificate, |weights| scaled.change_units(weights, 1));
        let changed = has_all.then(changed).flatten();
        verify_separation(changed.as_ref().unwrap_or(certificate), &scaled.examples())
    }

    /// [`verify_least_errors()`] for the decimals.
    ///
    /// # Errors
    /// [`LeastErrorsError`].
    pub fn verify_least_errors(
        &self,
        certificate: &LeastErrorsCertificate,
    ) -> Result<(), LeastErrorsError> {
        if self.is_exact() {
            return verify_least_errors(certificate, &self.floats);
        }
        let count = |weights: &[f64], bias| self.count_errors(weights, bias);
        let too_long = |TooLong { feature }| CertificateError::Length { feature: feature + 1 };
        let scaled = self.scaled().map_err(too_long).map_err(LeastErrorsError::Weights)?;
        check_counted(certificate, &scaled.examples(), count)
    }

    /// The number of examples that do not lie strictly on their side.
    pub(super) fn count_errors(&self, weights: &[f64], bias: f64) -> usize {
        let (known, open): (Vec<_>, Vec<_>) =
            self.open(weights, bias).into_iter().partition(|(_, is_right)| is_right.is_some());
        let rows: Vec<usize> = open.into_iter().map(|(row, _)| row).collect();
        let own = Certificate::Yes { with_bias: true, weights: weights.to_vec(), bias };
        let rights = self.rights(&integers(&own).unwrap_or_default(), &rows);
        // A side that is not known counts as wrong.
        let wrong = rights.map_or(rows.len(), |all| all.iter().filter(|right| !**right).count());
        known.len() + wrong
    }

    /// The rows that floats do not show to be right: whether the decimal is right, if they show that.
    pub(super) fn open(&self, weights: &[f64], bias: f64) -> Vec<(usize, Option<bool>)> {
        let products = weights.iter().zip(&self.errors).map(|(w, error)| w.abs() * error);
        let terms = weights.len() as f64;
        let slack = products.sum::<f64>() * (1.0 + terms * f64::EPSILON);
        let slack = (slack + terms * f64::from_bits(1)).next_up();
        let open = |(row, (x, sign)): (usize, (_, Sign))| {
            let (low, high) = exact::score_bounds(weights, bias, x);
            let (low, high) = if sign == Sign::Plus { (low, high) } else { (-high, -low) };
            match (low > slack, high < -slack) {
                (true, _) => None,
                (_, is_wrong) => Some((row, is_wrong.then_some(false))),
            }
        };
        self.floats.iter().enumerate().filter_map(open).collect()
    }

    /// Whether each of these rows lies strictly on its side.
    pub(super) fn rights(&self, weights: &[BigInt], rows: &[usize]) -> Result<Vec<bool>, TooLong> {
        let scaled = Scaled::new(self, &self.floats, rows)?;
        let weights = scaled.inwards(weights.to_vec());
        let is_right = |row| score(&weights[1..], &weights[0], row).is_positive();
        Ok(scaled.examples().iter().map(is_right).collect())
    }
}
