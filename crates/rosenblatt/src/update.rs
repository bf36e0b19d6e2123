//! When, and how far, the weights move; and what counts as a mistake.
//!
//! To add an update rule, add a value to [`Update`] and its line to [`Update::step`].

use std::cmp::Ordering;

use crate::data::Sign;

/// What counts as a mistake on an example with score `s` and sign `y`. The two differ only where
/// the score is exactly 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mistake {
    /// `y·s ≤ 0`: a score of 0 is a mistake for both classes.
    #[default]
    Margin,
    /// The predicted label is not `y`, where `s = 0` predicts +1.
    Label,
}

impl Mistake {
    /// Whether an example of class `sign` whose score compares to 0 as `score` is a mistake.
    #[inline]
    pub fn holds(self, score: Ordering, sign: Sign) -> bool {
        match (self, sign) {
            (Mistake::Margin, Sign::Plus) => score != Ordering::Greater,
            (Mistake::Label, Sign::Plus) => score == Ordering::Less,
            (_, Sign::Minus) => score != Ordering::Less,
        }
    }
}

/// When, and how far, the weights move: by `step · y · x`, the bias by `step · y · (bias unit)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Update {
    /// Rosenblatt's rule: on a mistake, by the learning rate.
    #[default]
    Perceptron,
}

impl Update {
    /// The step after a visit, or `None` when the weights stay. `rate` is the learning rate times
    /// the weight of the example's class.
    #[inline]
    pub fn step(self, mistake: bool, rate: f64) -> Option<f64> {
        match self {
            Update::Perceptron => mistake.then_some(rate),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Ordering::{Equal, Greater, Less};

    #[test]
    fn the_rules_differ_only_at_zero_for_the_positive_class() {
        let both =
            |score, sign| (Mistake::Margin.holds(score, sign), Mistake::Label.holds(score, sign));
        assert_eq!(both(Equal, Sign::Plus), (true, false));
        assert_eq!(both(Equal, Sign::Minus), (true, true));
        assert_eq!(both(Greater, Sign::Plus), (false, false));
        assert_eq!(both(Less, Sign::Plus), (true, true));
        assert_eq!(both(Greater, Sign::Minus), (true, true));
        assert_eq!(both(Less, Sign::Minus), (false, false));
    }
}
