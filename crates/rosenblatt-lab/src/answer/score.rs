//! A score in an answer.

use serde::Serialize;

/// A score w·x + b, rounded once. JSON has no number past the range of `f64`: of such a score its sign is told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Score {
    Number(f64),
    Beyond(Sign),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Sign {
    Positive,
    Negative,
}

impl From<f64> for Score {
    /// A score as the engine rounds it: infinite past the range, and never NaN.
    fn from(rounded: f64) -> Self {
        if rounded.is_finite() {
            Score::Number(rounded)
        } else {
            Score::Beyond(if rounded > 0.0 { Sign::Positive } else { Sign::Negative })
        }
    }
}
