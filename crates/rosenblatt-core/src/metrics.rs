//! The quality of predictions: counts and rates.

mod paired;
mod rates;
mod thresholds;

pub use paired::Paired;
pub use rates::{
    BinaryRates, ClassRates, ConfusionCounts, Judged, MeanF1, Rates, RatesOfClass, UnseenLabels,
};
pub use thresholds::{Aim, Cut, Thresholds};

use crate::data::Sign;

/// A prediction that cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// A class that does not exist.
    #[error("there is no class {class} of {classes}")]
    NoSuchClass {
        /// The class, from 0.
        class: u32,
        /// The number of classes.
        classes: usize,
    },
    /// Too many classes for a confusion matrix.
    #[error(
        "{classes} classes are too many for a confusion matrix, the limit is {}",
        Confusion::MOST
    )]
    TooManyClasses {
        /// The number of classes.
        classes: usize,
    },
}

/// A confusion matrix: how often each class was predicted for each actual class. A class that does not exist has counts
/// of 0 and no rates.
///
/// An example whose label is none of the classes is counted too ([`Confusion::count_unseen`]): each prediction for it is
/// wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    classes: usize,
    /// `counts[actual * classes + predicted]`.
    counts: Vec<u64>,
    /// For each class, its predictions for examples whose label is none of the classes.
    unseen: Vec<u64>,
}

impl Confusion {
    /// The maximum number of classes: 4096, whose counts take 128 MiB.
    pub const MOST: usize = 1 << 12;

    /// A matrix of `classes` classes without predictions.
    ///
    /// # Errors
    /// [`CountError::TooManyClasses`].
    pub fn new(classes: usize) -> Result<Self, CountError> {
        if classes > Self::MOST {
            return Err(CountError::TooManyClasses { classes });
        }
        Ok(Confusion { classes, counts: vec![0; classes * classes], unseen: vec![0; classes] })
    }

    /// Counts one prediction.
    ///
    /// # Errors
    /// [`CountError::NoSuchClass`]; the prediction is then not counted.
    pub fn count(&mut self, actual: u32, predicted: u32) -> Result<(), CountError> {
        let classes = self.classes;
        for class in [actual, predicted] {
            if class as usize >= classes {
                return Err(CountError::NoSuchClass { class, classes });
            }
        }
        self.counts[actual as usize * classes + predicted as usize] += 1;
        Ok(())
    }

    /// Adds the counts of other predictions of the same classes.
    ///
    /// # Panics
    /// If the number of classes is another one.
    pub fn add(&mut self, other: &Confusion) {
        assert_eq!(self.classes, other.classes, "the numbers of classes are equal");
        let sum = |all: &mut [u64], more: &[u64]| {
            all.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        };
        sum(&mut self.counts, &other.counts);
        sum(&mut self.unseen, &other.unseen);
    }

    /// Counts one prediction for an example whose label is none of the classes.
    ///
    /// # Errors
    /// [`CountError::NoSuchClass`]; the prediction is then not counted.
    pub fn count_unseen(&mut self, predicted: u32) -> Result<(), CountError> {
        let error = CountError::NoSuchClass { class: predicted, classes: self.classes };
        *self.unseen.get_mut(predicted as usize).ok_or(error)? += 1;
        Ok(())
    }

    /// The number of examples whose label is none of the classes.
    pub fn unseen(&self) -> u64 {
        self.unseen.iter().sum()
    }

    /// How often the class `predicted` was predicted for examples whose label is none of the classes.
    pub fn unseen_as(&self, predicted: usize) -> u64 {
        self.unseen.get(predicted).copied().unwrap_or(0)
    }

    /// How often the class `predicted` was predicted for the class `actual`.
    pub fn of(&self, actual: usize, predicted: usize) -> u64 {
        let exist = actual < self.classes && predicted < self.classes;
        if exist { self.counts[actual * self.classes + predicted] } else { 0 }
    }

    /// The number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The number of predictions.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum::<u64>() + self.unseen()
    }

    /// The number of wrong predictions.
    pub fn errors(&self) -> u64 {
        self.total() - (0..self.classes).map(|class| self.of(class, class)).sum::<u64>()
    }

    /// The share of correct predictions; `None` without predictions.
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.total() - self.errors(), self.total())
    }

    /// The share of wrong predictions; `None` without predictions.
    pub fn error_rate(&self) -> Option<f64> {
        ratio(self.errors(), self.total())
    }

    /// The number of examples of a class.
    pub fn actual(&self, class: usize) -> u64 {
        (0..self.classes).map(|predicted| self.of(class, predicted)).sum()
    }

    /// The number of predictions of a class.
    pub fn predicted(&self, class: usize) -> u64 {
        let of_classes = (0..self.classes).map(|actual| self.of(actual, class)).sum::<u64>();
        of_classes + self.unseen_as(class)
    }

    /// The share of correct predictions among all predictions of a class; `None` without any.
    pub fn precision(&self, class: usize) -> Option<f64> {
        ratio(self.of(class, class), self.predicted(class))
    }

    /// The share of correct predictions among all examples of a class; `None` without any.
    pub fn recall(&self, class: usize) -> Option<f64> {
        ratio(self.of(class, class), self.actual(class))
    }

    /// The F1 of a class, the harmonic mean of precision and recall; `None` if the class neither occurs nor is predicted.
    pub fn f1(&self, class: usize) -> Option<f64> {
        ratio(2 * self.of(class, class), self.actual(class) + self.predicted(class))
    }

    /// The mean F1 of the classes that occur or are predicted; `None` without any.
    pub fn macro_f1(&self) -> Option<f64> {
        let all: Vec<f64> = (0..self.classes).filter_map(|class| self.f1(class)).collect();
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    }

    /// The mean F1 of the examples' classes, where a label that is none of the classes has the F1 0; `None` without
    /// examples.
    pub fn weighted_f1(&self) -> Option<f64> {
        let weighted = |class| self.f1(class).map(|f1| f1 * self.actual(class) as f64);
        let sum: f64 = (0..self.classes).filter_map(weighted).sum();
        let total = self.total();
        (total > 0).then(|| sum / total as f64)
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The area under the ROC curve: the probability that a positive example scores higher than a negative one, where ties
/// count half (Hanley & McNeil 1982). `None` if a class does not occur or a score is NaN, which cannot be ranked.
///
/// Cost: one sort.
pub fn auc(scored: &mut [(f64, Sign)]) -> Option<f64> {
    if scored.iter().any(|(score, _)| score.is_nan()) {
        return None;
    }
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut twice_won, mut plus_total) = (0u128, 0u128, 0u128);
    // total_cmp distinguishes −0 from +0, so groups of equal scores are made with `==`.
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

/// The area under the ROC curve of one class against all others. `scores` has the scores of all `classes` for each
/// example, one example after the other; `actual` the class of each example.
///
/// Cost: one sort.
pub fn class_auc(scores: &[f64], classes: usize, actual: &[u32], class: usize) -> Option<f64> {
    let sign = |&actual: &u32| if actual as usize == class { Sign::Plus } else { Sign::Minus };
    let of_class = scores.chunks_exact(classes.max(1)).filter_map(|scores| scores.get(class));
    let mut scored: Vec<(f64, Sign)> = of_class.copied().zip(actual.iter().map(sign)).collect();
    auc(&mut scored)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Sign::{Minus, Plus};

    /// Class 0: two of three correct, one predicted as 2; class 1 does not occur; class 2: one correct.
    #[test]
    fn rates_by_hand() {
        let mut confusion = Confusion::new(3).unwrap();
        for (actual, predicted) in [(0, 0), (0, 2), (0, 0), (2, 2)] {
            confusion.count(actual, predicted).unwrap();
        }
        assert_eq!((confusion.total(), confusion.errors()), (4, 1));
        assert_eq!((confusion.accuracy(), confusion.error_rate()), (Some(0.75), Some(0.25)));
        assert_eq!((confusion.precision(0), confusion.recall(0)), (Some(1.0), Some(2.0 / 3.0)));
        assert_eq!((confusion.precision(1), confusion.recall(1)), (None, None));
        assert_eq!((confusion.precision(2), confusion.recall(2)), (Some(0.5), Some(1.0)));
        assert_eq!(Confusion::new(2).unwrap().accuracy(), None);
    }

    /// Class 0: F1 = 2 · 2 / (3 + 2); class 1 does not occur; class 2: F1 = 2 · 1 / (1 + 2).
    #[test]
    fn f1_by_hand() {
        let mut confusion = Confusion::new(3).unwrap();
        for (actual, predicted) in [(0, 0), (0, 2), (0, 0), (2, 2)] {
            confusion.count(actual, predicted).unwrap();
        }
        let (zero, two) = (4.0 / 5.0, 2.0 / 3.0);
        assert_eq!(
            (0..3).map(|c| confusion.f1(c)).collect::<Vec<_>>(),
            [Some(zero), None, Some(two)]
        );
        assert_eq!(confusion.macro_f1(), Some((zero + two) / 2.0));
        assert_eq!(confusion.weighted_f1(), Some((3.0 * zero + two) / 4.0));
        assert_eq!(Confusion::new(2).unwrap().macro_f1(), None);
        assert_eq!(Confusion::new(2).unwrap().weighted_f1(), None);
    }

    /// Two examples of no class, one predicted as 0 and one as 1, next to one correct example of class 0.
    #[test]
    fn a_label_of_no_class_is_a_wrong_prediction() {
        let mut confusion = Confusion::new(2).unwrap();
        confusion.count(0, 0).unwrap();
        confusion.count_unseen(0).unwrap();
        confusion.count_unseen(1).unwrap();
        let error = CountError::NoSuchClass { class: 2, classes: 2 };
        assert_eq!(confusion.count_unseen(2), Err(error));
        assert_eq!((confusion.total(), confusion.errors(), confusion.unseen()), (3, 2, 2));
        assert_eq!((confusion.unseen_as(1), confusion.unseen_as(2)), (1, 0));
        assert_eq!((confusion.precision(0), confusion.recall(0)), (Some(0.5), Some(1.0)));
        assert_eq!((confusion.precision(1), confusion.recall(1)), (Some(0.0), None));
        assert_eq!(confusion.weighted_f1(), Some(2.0 / 3.0 / 3.0));
    }

    /// Class 1 against the rest: its examples score 2 and 0, the others 1 and 0: pairs won, won, lost and tied.
    #[test]
    fn auc_of_one_class() {
        let scores = [9.0, 2.0, 9.0, 0.0, 9.0, 1.0, 9.0, 0.0];
        assert_eq!(class_auc(&scores, 2, &[1, 1, 0, 0], 1), Some(2.5 / 4.0));
        assert_eq!(class_auc(&scores, 2, &[1, 1, 1, 1], 1), None);
        assert_eq!(class_auc(&[], 0, &[], 1), None);
    }

    /// With two classes, 3 would be the cell of (1, 1), and (0, 2) that of (1, 0).
    #[test]
    fn a_class_that_does_not_exist_is_not_counted() {
        let mut confusion = Confusion::new(2).unwrap();
        for (actual, predicted, class) in [(0, 3, 3), (0, 2, 2), (7, 0, 7), (u32::MAX, 9, u32::MAX)]
        {
            let error = CountError::NoSuchClass { class, classes: 2 };
            assert_eq!(confusion.count(actual, predicted), Err(error));
        }
        assert_eq!(confusion, Confusion::new(2).unwrap());
        confusion.count(1, 1).unwrap();
        assert_eq!((confusion.of(0, 3), confusion.of(2, 0), confusion.actual(5)), (0, 0, 0));
        assert_eq!((confusion.precision(2), confusion.recall(usize::MAX)), (None, None));
        for classes in [Confusion::MOST + 1, usize::MAX] {
            assert_eq!(Confusion::new(classes), Err(CountError::TooManyClasses { classes }));
        }
        assert_eq!(Confusion::new(0).unwrap().total(), 0);
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

    /// Sorting puts a NaN before or after all numbers, as if it lost or won all its pairs.
    #[test]
    fn a_nan_score_has_no_auc() {
        for nan in [f64::NAN, -f64::NAN] {
            assert_eq!(auc(&mut [(nan, Plus), (0.0, Minus)]), None);
            assert_eq!(auc(&mut [(1.0, Plus), (nan, Minus), (0.0, Minus)]), None);
        }
        let mut infinite = [(f64::INFINITY, Plus), (f64::NEG_INFINITY, Minus)];
        assert_eq!(auc(&mut infinite), Some(1.0));
    }
}
