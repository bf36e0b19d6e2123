//! A proof that anyone can check, as it is written to a file.

use serde::{Deserialize, Serialize};

use super::certificate_error::{CertificateError, hyperplanes};

/// Why examples are separable, or why they are not.
///
/// In JSON: `{"separable":"yes","with_bias":true,"weights":[…],"bias":…}` or
/// `{"separable":"no","with_bias":true,"rows":[…],"multipliers":["…",…]}`. Floats are written so that they
/// come back with the same bits; integers that may be long are strings of decimal digits. **Rows are
/// counted from 1**, as in every message to people. Where no floats are known that separate, the weights and the
/// bias are such strings too: `"weights":["12","-5"],"bias":"7"`.
///
/// A certificate says nothing by itself: [`super::verify`] checks it against the examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub enum Certificate {
    /// A separator: `y(w·x + b) > 0` for every example.
    Yes {
        /// Whether a bias is allowed; without one `bias` is 0.
        with_bias: bool,
        /// The weights w, one a feature.
        weights: Vec<f64>,
        /// The bias b.
        bias: f64,
    },
    /// A separator whose weights and bias are integers that no floats stand for.
    YesInIntegers {
        /// Whether a bias is allowed; without one `bias` is 0.
        with_bias: bool,
        /// The weights w, one a feature, in decimal digits with a sign where it is negative.
        weights: Vec<String>,
        /// The bias b, likewise.
        bias: String,
    },
    /// Gordan's alternative: multipliers with `Σ λᵢyᵢ(xᵢ, 1) = 0`, or `Σ λᵢyᵢxᵢ = 0` without a bias. A
    /// separator would make the same sum positive, times w and b.
    No {
        /// Whether separators with a bias are excluded too.
        with_bias: bool,
        /// The rows, counted from 1; no more than d + 2.
        rows: Vec<usize>,
        /// The multiplier of each row: a non-negative integer in decimal digits, not all 0.
        multipliers: Vec<String>,
    },
}

impl Certificate {
    /// Whether it is about hyperplanes with a bias; otherwise about those through the origin.
    pub fn with_bias(&self) -> bool {
        let (Certificate::Yes { with_bias, .. }
        | Certificate::YesInIntegers { with_bias, .. }
        | Certificate::No { with_bias, .. }) = self;
        *with_bias
    }

    /// Which hyperplanes those are, in words: `with a bias` or `through the origin`.
    pub fn hyperplanes(&self) -> &'static str {
        hyperplanes(self.with_bias())
    }

    /// `yes` or `no`: what it claims.
    pub fn claim(&self) -> &'static str {
        match self {
            Certificate::Yes { .. } | Certificate::YesInIntegers { .. } => "yes",
            Certificate::No { .. } => "no",
        }
    }

    /// Whether a proof of this kind answers the question about hyperplanes with a bias, or without one. A
    /// separator through the origin is one with the bias 0; where no hyperplane with a bias separates, none
    /// through the origin does. The opposite conclusions are wrong, but for a separator whose bias is 0.
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

/// A certificate as JSON has it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "separable", rename_all = "lowercase", deny_unknown_fields)]
enum Written {
    Yes { with_bias: bool, weights: Vec<Number>, bias: Number },
    No { with_bias: bool, rows: Vec<usize>, multipliers: Vec<String> },
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
                Written::Yes { with_bias, weights, bias: Number::Float(bias) }
            }
            Certificate::YesInIntegers { with_bias, weights, bias } => {
                let weights = weights.into_iter().map(Number::Digits).collect();
                Written::Yes { with_bias, weights, bias: Number::Digits(bias) }
            }
            Certificate::No { with_bias, rows, multipliers } => {
                Written::No { with_bias, rows, multipliers }
            }
        }
    }
}

impl TryFrom<Written> for Certificate {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, &'static str> {
        const MIXED: &str = "weights and bias are either all numbers or all strings";
        match written {
            Written::Yes { with_bias, weights, bias: Number::Float(bias) } => {
                let float = |number| match number {
                    Number::Float(weight) => Ok(weight),
                    Number::Digits(_) => Err(MIXED),
                };
                let weights: Result<Vec<f64>, _> = weights.into_iter().map(float).collect();
                Ok(Certificate::Yes { with_bias, weights: weights?, bias })
            }
            Written::Yes { with_bias, weights, bias: Number::Digits(bias) } => {
                let digits = |number| match number {
                    Number::Digits(weight) => Ok(weight),
                    Number::Float(_) => Err(MIXED),
                };
                let weights: Result<Vec<String>, _> = weights.into_iter().map(digits).collect();
                Ok(Certificate::YesInIntegers { with_bias, weights: weights?, bias })
            }
            Written::No { with_bias, rows, multipliers } => {
                Ok(Certificate::No { with_bias, rows, multipliers })
            }
        }
    }
}
