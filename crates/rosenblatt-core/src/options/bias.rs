//! How the bias is learned.

use std::{fmt, str::FromStr};

/// How the bias is learned. As text: `unit`, `unit:S`, `none` or `radius`.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Bias {
    /// `b ← b + ηy`: the bias is the weight of an extra feature that is always 1.
    #[default]
    Unit,
    /// `b ← b + ηyS²`: the bias is S times the weight of an extra feature that is always S. The square is rounded to
    /// the nearest number, and the vectors of the theorem have the feature whose square it is. A small S suits rows
    /// with few entries, for which an update would otherwise move the bias as far as all weights together.
    Feature(f64),
    /// No bias: the hyperplane passes through the origin.
    None,
    /// `b ← b + ηyR²` with R = max‖x‖ (Cristianini & Shawe-Taylor 2000, Table 2.1).
    Radius,
}

impl Bias {
    /// The extra feature of the vectors (x, S) in whose space the run is the perceptron without a bias; `None` without
    /// a bias, and for `radius`, whose R is that of the rows.
    pub fn feature(self) -> Option<f64> {
        match self {
            Bias::Unit => Some(1.0),
            Bias::Feature(size) => Some(size),
            Bias::None | Bias::Radius => None,
        }
    }
}

/// Whether a bias feature may have this size: its square is the step of the bias and must lose no digits.
pub(super) fn is_sound(size: f64) -> bool {
    size > 0.0 && (size * size).is_normal()
}

/// A text that is not a bias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownBias;

impl std::error::Error for UnknownBias {}

impl fmt::Display for UnknownBias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected unit, unit:S, none or radius, with S > 0")
    }
}

impl fmt::Display for Bias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bias::Unit => f.write_str("unit"),
            Bias::Feature(size) => write!(f, "unit:{size}"),
            Bias::None => f.write_str("none"),
            Bias::Radius => f.write_str("radius"),
        }
    }
}

impl FromStr for Bias {
    type Err = UnknownBias;

    fn from_str(text: &str) -> Result<Self, UnknownBias> {
        match text {
            "unit" => Ok(Bias::Unit),
            "none" => Ok(Bias::None),
            "radius" => Ok(Bias::Radius),
            _ => {
                let size = text.strip_prefix("unit:").and_then(|size| size.parse().ok());
                size.filter(|&size| is_sound(size)).map(Bias::Feature).ok_or(UnknownBias)
            }
        }
    }
}

impl TryFrom<String> for Bias {
    type Error = UnknownBias;

    fn try_from(text: String) -> Result<Self, UnknownBias> {
        text.parse()
    }
}

impl From<Bias> for String {
    fn from(bias: Bias) -> Self {
        bias.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_are_written() {
        for text in ["unit", "none", "radius", "unit:0.1", "unit:1", "unit:1e150"] {
            let bias: Bias = text.parse().unwrap();
            assert_eq!(bias.to_string().parse(), Ok(bias), "{text}");
        }
        for text in [
            "",
            "Unit",
            "unit:",
            "unit:0",
            "unit:-1",
            "unit:nan",
            "unit:1e200",
            "unit:1e-160",
            "none:1",
        ] {
            assert_eq!(text.parse::<Bias>(), Err(UnknownBias), "{text}");
        }
    }
}
