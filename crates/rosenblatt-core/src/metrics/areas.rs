//! The areas under the curves of a ranking: the ROC curve, and precision against recall.

use super::ratio;
use crate::data::Sign;

/// The areas under the curves of examples that are ranked by score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Areas {
    /// The area under the ROC curve: the probability that a positive example scores higher than a negative one, where ties
    /// count half (Hanley & McNeil 1982). `None` if a class does not occur.
    pub auc: Option<f64>,
    /// The average precision: Σ (Rₖ − Rₖ₋₁)·Pₖ with the precision Pₖ and the recall Rₖ from the k-th highest score on, where
    /// equal scores are one step. `None` without positive examples.
    pub average_precision: Option<f64>,
}

impl Areas {
    /// The areas of scored examples, which it sorts; none if a score is NaN, which cannot be ranked.
    pub fn of(scored: &mut [(f64, Sign)]) -> Self {
        if scored.iter().any(|(score, _)| score.is_nan()) {
            return Areas::default();
        }
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        // total_cmp distinguishes −0 from +0, so groups of equal scores are made with `==`.
        Areas::of_groups(scored.chunk_by(|a, b| a.0 == b.0).map(|group| {
            let plus = group.iter().filter(|(_, sign)| *sign == Sign::Plus).count();
            (plus as u64, (group.len() - plus) as u64)
        }))
    }

    /// The areas of groups of equal scores, with falling score: of each how many examples are positive and negative.
    pub(super) fn of_groups(groups: impl Iterator<Item = (u64, u64)>) -> Self {
        let (mut positives, mut negatives, mut sum, mut twice_won) = (0, 0, 0.0, 0u128);
        for (plus, minus) in groups {
            twice_won += u128::from(minus) * u128::from(2 * positives + plus);
            positives += plus;
            negatives += minus;
            sum += plus as f64 * ratio(positives, positives + negatives).unwrap_or(0.0);
        }
        let pairs = u128::from(positives) * u128::from(negatives);
        Areas {
            auc: (pairs > 0).then(|| twice_won as f64 / (2 * pairs) as f64),
            average_precision: (positives > 0).then(|| sum / positives as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Sign::{Minus, Plus};

    #[test]
    fn areas_by_hand() {
        let one = Areas { auc: Some(1.0), average_precision: Some(1.0) };
        assert_eq!(Areas::of(&mut [(2.0, Plus), (-1.0, Minus), (3.0, Plus)]), one);
        // Pairs: (1 against 0) won, (1 against 1) tied, (0 against 0) tied, (0 against 1) lost.
        // From 1 on, the precision is 1 / 2 and the recall 1 / 2; from 0 on, 2 / 4 and 1.
        let ties = Areas::of(&mut [(1.0, Plus), (0.0, Plus), (-0.0, Minus), (1.0, Minus)]);
        assert_eq!(ties, Areas { auc: Some(0.5), average_precision: Some(0.5) });
        // The example of scikit-learn's `average_precision_score`, 0.83: 1 / 2 · 1 + 1 / 2 · 2 / 3.
        let found = Areas::of(&mut [(0.1, Minus), (0.4, Minus), (0.35, Plus), (0.8, Plus)]);
        assert_eq!(
            found,
            Areas { auc: Some(0.75), average_precision: Some((1.0 + 2.0 / 3.0) / 2.0) }
        );
        // Only the positive class, only the negative one, nothing.
        let of_one = Areas { auc: None, average_precision: Some(1.0) };
        assert_eq!(Areas::of(&mut [(1.0, Plus)]), of_one);
        assert_eq!(Areas::of(&mut [(1.0, Minus)]), Areas::default());
        assert_eq!(Areas::of(&mut []), Areas::default());
    }

    /// Sorting puts a NaN before or after all numbers, as if it lost or won all its pairs.
    #[test]
    fn a_nan_score_has_no_areas() {
        for nan in [f64::NAN, -f64::NAN] {
            assert_eq!(Areas::of(&mut [(nan, Plus), (0.0, Minus)]), Areas::default());
            let among = &mut [(1.0, Plus), (nan, Minus), (0.0, Minus)];
            assert_eq!(Areas::of(among), Areas::default());
        }
        let infinite = &mut [(f64::INFINITY, Plus), (f64::NEG_INFINITY, Minus)];
        assert_eq!(Areas::of(infinite).auc, Some(1.0));
    }
}
