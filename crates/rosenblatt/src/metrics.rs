//! How good predictions are: counts and the rates made of them.

use crate::data::Sign;

/// How often each class was predicted for each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Confusion {
    /// Positive, predicted positive.
    pub true_positive: u64,
    /// Negative, predicted positive.
    pub false_positive: u64,
    /// Positive, predicted negative.
    pub false_negative: u64,
    /// Negative, predicted negative.
    pub true_negative: u64,
}

impl Confusion {
    /// Counts one prediction.
    pub fn count(&mut self, actual: Sign, predicted: Sign) {
        *match (actual, predicted) {
            (Sign::Plus, Sign::Plus) => &mut self.true_positive,
            (Sign::Minus, Sign::Plus) => &mut self.false_positive,
            (Sign::Plus, Sign::Minus) => &mut self.false_negative,
            (Sign::Minus, Sign::Minus) => &mut self.true_negative,
        } += 1;
    }

    /// The number of predictions.
    pub fn total(&self) -> u64 {
        self.errors() + self.true_positive + self.true_negative
    }

    /// The number of wrong predictions.
    pub fn errors(&self) -> u64 {
        self.false_positive + self.false_negative
    }

    /// The share of right predictions; `None` without predictions.
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.total() - self.errors(), self.total())
    }

    /// The share of wrong predictions; `None` without predictions.
    pub fn error_rate(&self) -> Option<f64> {
        ratio(self.errors(), self.total())
    }

    /// Of those predicted positive, the share that is; `None` when none was predicted positive.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.true_positive, self.true_positive + self.false_positive)
    }

    /// Of the positive, the share predicted so; `None` when none is positive.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.true_positive, self.true_positive + self.false_negative)
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The area under the ROC curve: the chance that a positive example scores higher than a negative
/// one, ties counting half (Hanley & McNeil 1982). `None` unless both classes occur.
///
/// The scores are numbers, not NaN. Cost: a sort.
pub fn auc(scored: &mut [(f64, Sign)]) -> Option<f64> {
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut twice_won, mut plus_total) = (0u128, 0u128, 0u128);
    // total_cmp tells −0 from +0, so groups of equal scores are made with `==`.
    for group in scored.chunk_by(|a, b| a.0 == b.0) {
        let plus = group.iter().filter(|(_, sign)| *sign == Sign::Plus).count() as u128;
        let minus = group.len() as u128 - plus;
        twice_won += plus * (2 * below + minus);
        below += minus;
        plus_total += plus;
    }
    let pairs = plus_total * below;
    (pairs > 0).then(|| twice_won as f64 / (2 * pairs) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Sign::{Minus, Plus};

    #[test]
    fn rates_by_hand() {
        let mut confusion = Confusion::default();
        assert_eq!((confusion.accuracy(), confusion.precision()), (None, None));
        for (actual, predicted) in [(Plus, Plus), (Plus, Minus), (Minus, Plus), (Plus, Plus)] {
            confusion.count(actual, predicted);
        }
        assert_eq!((confusion.total(), confusion.errors()), (4, 2));
        assert_eq!((confusion.accuracy(), confusion.error_rate()), (Some(0.5), Some(0.5)));
        assert_eq!((confusion.precision(), confusion.recall()), (Some(2.0 / 3.0), Some(2.0 / 3.0)));
    }

    #[test]
    fn auc_by_hand() {
        let mut separated = [(2.0, Plus), (-1.0, Minus), (3.0, Plus)];
        assert_eq!(auc(&mut separated), Some(1.0));
        // Pairs: (1 against 0) won, (1 against 1) tied, (0 against 0) tied, (0 against 1) lost.
        let mut ties = [(1.0, Plus), (0.0, Plus), (-0.0, Minus), (1.0, Minus)];
        assert_eq!(auc(&mut ties), Some(0.5));
        assert_eq!(auc(&mut [(1.0, Plus)]), None);
    }
}
