//! How good predictions are: counts and the rates made of them.

use crate::data::Sign;

/// How often each class was predicted for each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    classes: usize,
    /// `counts[actual * classes + predicted]`.
    counts: Vec<u64>,
}

impl Confusion {
    /// No prediction yet of one of `classes` classes.
    pub fn new(classes: usize) -> Self {
        Confusion { classes, counts: vec![0; classes * classes] }
    }

    /// Counts one prediction. Both numbers are below the number of classes.
    pub fn count(&mut self, actual: u32, predicted: u32) {
        self.counts[actual as usize * self.classes + predicted as usize] += 1;
    }

    /// How often a class was predicted for a class.
    pub fn of(&self, actual: usize, predicted: usize) -> u64 {
        self.counts[actual * self.classes + predicted]
    }

    /// The number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The number of predictions.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The number of wrong predictions.
    pub fn errors(&self) -> u64 {
        self.total() - (0..self.classes).map(|class| self.of(class, class)).sum::<u64>()
    }

    /// The share of right predictions; `None` without predictions.
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.total() - self.errors(), self.total())
    }

    /// The share of wrong predictions; `None` without predictions.
    pub fn error_rate(&self) -> Option<f64> {
        ratio(self.errors(), self.total())
    }

    /// How many examples are of a class.
    pub fn actual(&self, class: usize) -> u64 {
        (0..self.classes).map(|predicted| self.of(class, predicted)).sum()
    }

    /// How many examples were predicted to be of a class.
    pub fn predicted(&self, class: usize) -> u64 {
        (0..self.classes).map(|actual| self.of(actual, class)).sum()
    }

    /// Of those predicted to be of a class, the share that is; `None` when there are none.
    pub fn precision(&self, class: usize) -> Option<f64> {
        ratio(self.of(class, class), self.predicted(class))
    }

    /// Of those of a class, the share predicted so; `None` when there are none.
    pub fn recall(&self, class: usize) -> Option<f64> {
        ratio(self.of(class, class), self.actual(class))
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

    /// Class 0: two of three right, one taken for 2; class 1: never; class 2: one right.
    #[test]
    fn rates_by_hand() {
        let mut confusion = Confusion::new(3);
        for (actual, predicted) in [(0, 0), (0, 2), (0, 0), (2, 2)] {
            confusion.count(actual, predicted);
        }
        assert_eq!((confusion.total(), confusion.errors()), (4, 1));
        assert_eq!((confusion.accuracy(), confusion.error_rate()), (Some(0.75), Some(0.25)));
        assert_eq!((confusion.precision(0), confusion.recall(0)), (Some(1.0), Some(2.0 / 3.0)));
        assert_eq!((confusion.precision(1), confusion.recall(1)), (None, None));
        assert_eq!((confusion.precision(2), confusion.recall(2)), (Some(0.5), Some(1.0)));
        assert_eq!(Confusion::new(2).accuracy(), None);
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
