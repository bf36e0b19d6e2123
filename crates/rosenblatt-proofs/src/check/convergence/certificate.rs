//! The proof of whether a run ends, in the form in which it is written to a file.

use serde::{Deserialize, Serialize};

use super::CertificateError;
use rosenblatt_exact::Sign;

/// Whether a run ends with an epoch without mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Convergence {
    /// It ends, in every order and from every start.
    Always,
    /// It ends in every order if it starts from zero and no update is rounded.
    FromZero,
    /// Some weights make no mistake, but whether a run reaches such weights depends on its order and its start.
    DependsOnOrder,
    /// No weights are without a mistake, so it never ends.
    Never,
}

impl Convergence {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Convergence::Always => "always",
            Convergence::FromZero => "from-zero",
            Convergence::DependsOnOrder => "depends-on-order",
            Convergence::Never => "never",
        }
    }
}

/// The class for whose examples a score of 0 is a mistake; for the other class it is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StrictClass {
    /// The class of +1: a score of 0 predicts −1.
    Positive,
    /// The class of −1: a score of 0 predicts +1.
    Negative,
}

impl StrictClass {
    pub(crate) fn of(sign: Sign) -> Self {
        match sign {
            Sign::Plus => StrictClass::Positive,
            Sign::Minus => StrictClass::Negative,
        }
    }

    /// Whether a sign is that of this class.
    pub fn contains(self, sign: Sign) -> bool {
        self == StrictClass::of(sign)
    }
}

/// The version of the form of [`ConvergenceCertificate`].
pub const CONVERGENCE_VERSION: u32 = 1;

/// A proof of whether a run without a bias ends that counts a score of 0 as right for one class.
///
/// Let `zᵢ = yᵢxᵢ`. For *never* the multipliers are at least 0, one of a strict row is positive, and `Σλᵢzᵢ = 0`. Otherwise
/// the weights have `w·zᵢ > 0` for the strict rows and `w·zᵢ ≥ 0` for the others. The rows with `w·zᵢ = 0` are all 0 for
/// *always*, and orthogonal to all others for *from zero*.
///
/// In JSON: `{"convergence":"from-zero","version":1,"strict":"negative","weights":["0","-1"],"rows":[],"multipliers":[]}`.
/// Integers that may be long are strings of decimal digits. **Rows are counted from 1.**
///
/// It proves nothing until [`super::verify_convergence`] checks it against the examples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConvergenceCertificate {
    /// The claim. *Depends on order* claims no more than that weights without a mistake exist.
    pub convergence: Convergence,
    /// [`CONVERGENCE_VERSION`].
    pub version: u32,
    /// The class for whose rows a score of 0 is a mistake.
    pub strict: StrictClass,
    /// The weights, one per feature; none for *never*.
    pub weights: Vec<String>,
    /// The rows of a proof of *never*.
    pub rows: Vec<usize>,
    /// The multiplier of each of these rows.
    pub multipliers: Vec<String>,
}

/// A reason for which a [`ConvergenceCertificate`] proves nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvergenceError {
    /// Another version of the form.
    #[error(
        "version {found} of the certificate is unknown, this program reads version {CONVERGENCE_VERSION}"
    )]
    Version {
        /// The version.
        found: u32,
    },
    /// A certificate about hyperplanes through the origin, which does not answer a question about those with a bias.
    #[error("the certificate is about hyperplanes through the origin")]
    OtherQuestion,
    /// Weights or multipliers that prove nothing.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// Multipliers of rows for which a score of 0 is right.
    #[error("no multiplier of a row is positive for which a score of 0 is a mistake")]
    NotStrict,
    /// Weights that prove less than the claim.
    #[error("the weights do not show that a run ends as claimed")]
    Claim,
}
