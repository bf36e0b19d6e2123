//! A proof that can be checked independently, in the form in which it is written to a file.

use serde::{Deserialize, Serialize};

use super::certificate_error::{CertificateError, hyperplanes};

/// The version of the form of [`Certificate`].
pub const CERTIFICATE_VERSION: u32 = 1;

/// A proof that examples are separable, or that they are not.
///
/// In JSON: `{"separable":"yes","version":1,"with_bias":true,"weights":[…],"bias":…}` or
/// `{"separable":"no","version":1,"with_bias":true,"rows":[…],"multipliers":["…",…]}`. A missing version is
/// [`CERTIFICATE_VERSION`]. Floats are written so that reading returns the same bits. Integers that may be long are strings
/// of decimal digits. **Rows are counted from 1**, as in all messages. If no separating floats are known, the weights and
/// the bias are such strings too: `"weights":["12","-5"],"bias":"7"`.
///
/// A certificate proves nothing until [`super::verify`] checks it against the examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub enum Certificate {
    /// A separator: `y(w·x + b) > 0` for every example.
    Yes {
        /// Whether a bias is allowed; without it `bias` is 0.
        with_bias: bool,
        /// The weights w, one per feature.
        weights: Vec<f64>,
        /// The bias b.
        bias: f64,
    },
    /// A separator whose weights and bias are integers that floats cannot represent.
    YesInIntegers {
        /// Whether a bias is allowed; without it `bias` is 0.
        with_bias: bool,
        /// The weights w, one per feature, in decimal digits with a sign if negative.
        weights: Vec<String>,
        /// The bias b, in the same form.
        bias: String,
    },
    /// Gordan's alternative: multipliers with `Σ λᵢyᵢ(xᵢ, 1) = 0`, or `Σ λᵢyᵢxᵢ = 0` without a bias. The product of
    /// this sum with the weights and bias of a separator would be positive.
    No {
        /// Whether separators with a bias are excluded too.
        with_bias: bool,
        /// The rows, counted from 1. A search finds at most d + 2.
        rows: Vec<usize>,
        /// The multiplier of each row: a non-negative integer in decimal digits, not all 0.
        multipliers: Vec<String>,
    },
}

impl Certificate {
    /// Whether the certificate concerns hyperplanes with a bias; otherwise those through the origin.
    pub fn with_bias(&self) -> bool {
        let (Certificate::Yes { with_bias, .. }
        | Certificate::YesInIntegers { with_bias, .. }
        | Certificate::No { with_bias, .. }) = self;
        *with_bias
    }

    /// The hyperplanes in words: `with a bias` or `through the origin`.
    pub fn hyperplanes(&self) -> &'static str {
        hyperplanes(self.with_bias())
    }

    /// The claim: `yes` or `no`.
    pub fn claim(&self) -> &'static str {
        match self {
            Certificate::Yes { .. } | Certificate::YesInIntegers { .. } => "yes",
            Certificate::No { .. } => "no",
        }
    }

    /// Whether a proof of this kind answers the question about hyperplanes with a bias, or without one. A separator
    /// through the origin is one with bias 0. If no hyperplane with a bias separates, none through the origin does. The
    /// opposite conclusions are wrong, except for a separator whose bias is 0.
    ///
    /// # Errors
    /// [`CertificateError::OtherQuestion`].
    pub fn answers(&self, with_bias: bool) -> Result<(), CertificateError> {
        let answers = match self {
            Certificate::Yes { bias, .. } => with_bias || *bias == 0.0,
            Certificate::YesInIntegers { bias, .. } => {
                with_bias || bias.trim_start_matches('-').bytes().all(|digit| digit == b'0')
            }
            Certificate::No { with_bias: proven, .. } => *proven || !with_bias,
        };
        let error = CertificateError::OtherQuestion { with_bias: self.with_bias() };
        if answers { Ok(()) } else { Err(error) }
    }
}

/// The JSON form of a certificate.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "separable", rename_all = "lowercase", deny_unknown_fields)]
enum Written {
    Yes {
        #[serde(default)]
        version: Version,
        with_bias: bool,
        weights: Vec<Number>,
        bias: Number,
    },
    No {
        #[serde(default)]
        version: Version,
        with_bias: bool,
        rows: Vec<usize>,
        multipliers: Vec<String>,
    },
}

/// The version of the form, which is always [`CERTIFICATE_VERSION`].
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
struct Version;

impl TryFrom<u32> for Version {
    type Error = String;

    fn try_from(found: u32) -> Result<Self, String> {
        let message = format!(
            "version {found} of the certificate is unknown, this program reads version {CERTIFICATE_VERSION}"
        );
        if found == CERTIFICATE_VERSION { Ok(Version) } else { Err(message) }
    }
}

impl From<Version> for u32 {
    fn from(Version: Version) -> u32 {
        CERTIFICATE_VERSION
    }
}

/// A float, or an integer in digits.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number, or an integer as a string")]
enum Number {
    Float(f64),
    Digits(String),
}

impl From<Certificate> for Written {
    fn from(certificate: Certificate) -> Self {
        match certificate {
            Certificate::Yes { with_bias, weights, bias } => {
                let weights = weights.into_iter().map(Number::Float).collect();
                Written::Yes { version: Version, with_bias, weights, bias: Number::Float(bias) }
            }
            Certificate::YesInIntegers { with_bias, weights, bias } => {
                let weights = weights.into_iter().map(Number::Digits).collect();
                Written::Yes { version: Version, with_bias, weights, bias: Number::Digits(bias) }
            }
            Certificate::No { with_bias, rows, multipliers } => {
                Written::No { version: Version, with_bias, rows, multipliers }
            }
        }
    }
}

impl TryFrom<Written> for Certificate {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, &'static str> {
        const MIXED: &str = "weights and bias are either all numbers or all strings";
        match written {
            Written::Yes { with_bias, weights, bias: Number::Float(bias), .. } => {
                let float = |number| match number {
                    Number::Float(weight) => Ok(weight),
                    Number::Digits(_) => Err(MIXED),
                };
                let weights: Result<Vec<f64>, _> = weights.into_iter().map(float).collect();
                Ok(Certificate::Yes { with_bias, weights: weights?, bias })
            }
            Written::Yes { with_bias, weights, bias: Number::Digits(bias), .. } => {
                let digits = |number| match number {
                    Number::Digits(weight) => Ok(weight),
                    Number::Float(_) => Err(MIXED),
                };
                let weights: Result<Vec<String>, _> = weights.into_iter().map(digits).collect();
                Ok(Certificate::YesInIntegers { with_bias, weights: weights?, bias })
            }
            Written::No { with_bias, rows, multipliers, .. } => {
                Ok(Certificate::No { with_bias, rows, multipliers })
            }
        }
    }
}
