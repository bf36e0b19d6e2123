//! The decision from scores to a class.

use std::cmp::Ordering;

use super::{Scheme, Sign};

/// The sign that a score of exactly 0 predicts. A model has this property from its training.
///
/// Lecture notes differ here: sgn(0) is +1 for some and −1 for others. scikit-learn predicts the negative class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ZeroScore {
    /// The positive class.
    #[default]
    Positive,
    /// The negative class.
    Negative,
}

impl ZeroScore {
    /// The sign predicted by a score, given as its comparison with 0.
    #[inline]
    pub fn predicts(self, score: Ordering) -> Sign {
        match score {
            Ordering::Greater => Sign::Plus,
            Ordering::Less => Sign::Minus,
            Ordering::Equal => self.sign(),
        }
    }

    /// The sign that a score of 0 predicts.
    pub fn sign(self) -> Sign {
        match self {
            ZeroScore::Positive => Sign::Plus,
            ZeroScore::Negative => Sign::Minus,
        }
    }

    /// The rule under which every negated score predicts the opposite sign.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            ZeroScore::Positive => ZeroScore::Negative,
            ZeroScore::Negative => ZeroScore::Positive,
        }
    }
}

/// The rule that turns the scores of a row into its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The classes and their hyperplanes.
    pub scheme: Scheme,
    /// The prediction of a score of 0 with one hyperplane. With several, the first hyperplane with the highest score
    /// decides.
    pub zero: ZeroScore,
}

impl Decision {
    /// The class of a sign, with one hyperplane.
    pub(crate) fn class_of_sign(self, positive: usize, sign: Sign) -> usize {
        if sign == Sign::Plus { positive } else { 1 - positive }
    }

    /// The number of the class of finite scores: with one hyperplane by the sign, otherwise the first highest score.
    pub fn class(self, scores: &[f64]) -> usize {
        match (self.scheme, scores) {
            (Scheme::Two { positive }, [score]) => {
                let compared = score.partial_cmp(&0.0).unwrap_or(Ordering::Equal);
                self.class_of_sign(positive, self.zero.predicts(compared))
            }
            _ => {
                let highest = |best: usize, plane: usize| {
                    if scores[plane] > scores[best] { plane } else { best }
                };
                (1..scores.len()).fold(0, highest)
            }
        }
    }
}

impl From<Scheme> for Decision {
    /// A score of 0 predicts the positive class.
    fn from(scheme: Scheme) -> Self {
        Decision { scheme, zero: ZeroScore::Positive }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_read_as_the_model_says() {
        let by = |zero, scores: &[f64]| {
            Decision { scheme: Scheme::Two { positive: 1 }, zero }.class(scores)
        };
        assert_eq!([-1.0, 0.0, -0.0, 1.0].map(|s| by(ZeroScore::Positive, &[s])), [0, 1, 1, 1]);
        assert_eq!([-1.0, 0.0, -0.0, 1.0].map(|s| by(ZeroScore::Negative, &[s])), [0, 0, 0, 1]);
        let several =
            Decision { scheme: Scheme::OneVsRest { classes: 3 }, zero: ZeroScore::Negative };
        assert_eq!(several.class(&[0.0, 2.0, 2.0]), 1);
    }
}
