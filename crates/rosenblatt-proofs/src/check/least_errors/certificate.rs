//! The proof of bounds on the least errors, in the form in which it is written to a file.

use serde::{Deserialize, Serialize};

use super::CertificateError;

/// The version of the form of [`LeastErrorsCertificate`].
pub const LEAST_ERRORS_VERSION: u32 = 1;

/// A proof of a lower and an upper bound on the errors of the best hyperplane.
///
/// An example is an error of a hyperplane unless it lies strictly on its side: `y(w·x + b) > 0`. The weights have
/// `upper` errors. Each of the `lower` conflicts proves by Gordan's alternative that no hyperplane is without an error
/// on its rows; no row belongs to two of them, so every hyperplane has at least `lower` errors.
///
/// In JSON: `{"least_errors":{"lower":1,"upper":1},"version":1,"with_bias":true,"weights":[1.0,1.0],"bias":-0.5,
/// "conflicts":[{"rows":[1,2,3,4],"multipliers":["1","1","1","1"]}]}`. **Rows are counted from 1.**
///
/// It proves nothing until [`super::verify_least_errors`] checks it against the examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeastErrorsCertificate {
    /// The bounds.
    pub least_errors: ErrorBounds,
    /// [`LEAST_ERRORS_VERSION`].
    pub version: u32,
    /// Whether hyperplanes may have a bias; without it `bias` is 0.
    pub with_bias: bool,
    /// The weights with `upper` errors, one per feature.
    pub weights: Vec<f64>,
    /// Their bias.
    pub bias: f64,
    /// The proofs of the lower bound.
    pub conflicts: Vec<Conflict>,
}

/// Bounds on the least number of errors of any hyperplane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorBounds {
    /// Every hyperplane has at least this many.
    pub lower: usize,
    /// Some hyperplane has this many.
    pub upper: usize,
}

/// Rows that no hyperplane separates: `Σ λᵢyᵢ(xᵢ, 1) = 0`, or `Σ λᵢyᵢxᵢ = 0` without a bias.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    /// The rows, counted from 1; at most d + 2.
    pub rows: Vec<usize>,
    /// The multiplier of each row: a non-negative integer in decimal digits, not all 0.
    pub multipliers: Vec<String>,
}

/// A reason for which a [`LeastErrorsCertificate`] proves nothing. Rows and conflicts are counted from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LeastErrorsError {
    /// Another version of the form.
    #[error(
        "version {found} of the certificate is unknown, this program reads version {LEAST_ERRORS_VERSION}"
    )]
    Version {
        /// The version.
        found: u32,
    },
    /// A certificate about other hyperplanes, which does not answer the question.
    #[error("the certificate is about other hyperplanes than the question")]
    OtherQuestion,
    /// Weights that do not fit.
    #[error(transparent)]
    Weights(CertificateError),
    /// Another upper bound than the errors of the weights.
    #[error("the weights have {found} errors, the certificate claims {claimed}")]
    Upper {
        /// The errors of the weights.
        found: usize,
        /// The upper bound of the certificate.
        claimed: usize,
    },
    /// Another lower bound than the number of conflicts.
    #[error("{found} conflicts do not prove the lower bound {claimed}")]
    Lower {
        /// The number of conflicts.
        found: usize,
        /// The lower bound of the certificate.
        claimed: usize,
    },
    /// A conflict that proves nothing.
    #[error("conflict {place}: {error}")]
    Conflict {
        /// Its place.
        place: usize,
        /// Why it proves nothing.
        error: CertificateError,
    },
    /// A row of two conflicts, whose error could be the same.
    #[error("row {row} belongs to two conflicts")]
    Shared {
        /// The row.
        row: usize,
    },
}
