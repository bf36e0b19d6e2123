//! From scores to a class.

use std::cmp::Ordering;

use super::{Scheme, Sign};

/// The sign that a score of exactly 0 predicts: a property of a model, chosen when it is trained.
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
    /// The sign that a score predicts; `score` is how it compares to 0.
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

    /// The reading that gives every negated score the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            ZeroScore::Positive => ZeroScore::Negative,
            ZeroScore::Negative => ZeroScore::Positive,
        }
    }
}

/// How the scores of a row become its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Which classes have a hyperplane.
    pub scheme: Scheme,
    /// What a score of 0 predicts where there is one hyperplane. Of several hyperplanes with the highest score the
    /// first decides, whatever this says.
    pub zero: ZeroScore,
}

impl Decision {
    /// The class of a sign, where there is one hyperplane.
    pub(crate) fn class_of_sign(self, positive: usize, sign: Sign) -> usize {
        if sign == Sign::Plus { positive } else { 1 - positive }
    }

    /// The number of the class that finite scores decide for: by the sign of the only one, else the first of the highest.
    pub(crate) fn class(self, scores: &[f64]) -> usize {
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
