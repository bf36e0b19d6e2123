//! The definition of a mistake.

use std::cmp::Ordering;

use crate::data::{Sign, ZeroScore};

/// Defines when a visit of an example with score `s` and sign `y` is a mistake. The two definitions differ only if the
/// score is exactly 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mistake {
    /// `y·s ≤ 0`: a score of 0 is a mistake for both classes.
    #[default]
    Margin,
    /// The predicted label is not `y`; [`ZeroScore`] gives the prediction of `s = 0`.
    Label,
}

impl Mistake {
    /// Whether an example of class `sign` is a mistake. `score` is the comparison of its score with 0, and `zero` gives
    /// the prediction of a score of 0.
    #[inline]
    pub fn holds(self, score: Ordering, sign: Sign, zero: ZeroScore) -> bool {
        match (self, sign) {
            (Mistake::Label, _) => zero.predicts(score) != sign,
            (Mistake::Margin, Sign::Plus) => score != Ordering::Greater,
            (Mistake::Margin, Sign::Minus) => score != Ordering::Less,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Ordering::{Equal, Greater, Less};

    #[test]
    fn the_rules_differ_only_at_zero_for_the_class_that_it_predicts() {
        for (zero, predicted) in
            [(ZeroScore::Positive, Sign::Plus), (ZeroScore::Negative, Sign::Minus)]
        {
            let both = |score, sign| {
                (Mistake::Margin.holds(score, sign, zero), Mistake::Label.holds(score, sign, zero))
            };
            assert_eq!(both(Equal, predicted), (true, false));
            assert_eq!(both(Equal, -predicted), (true, true));
            assert_eq!(both(Greater, Sign::Plus), (false, false));
            assert_eq!(both(Less, Sign::Plus), (true, true));
            assert_eq!(both(Greater, Sign::Minus), (true, true));
            assert_eq!(both(Less, Sign::Minus), (false, false));
        }
    }
}
