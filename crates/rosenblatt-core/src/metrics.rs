//! The quality of predictions: counts and rates.

mod areas;
mod paired;
mod rates;
mod thresholds;

pub use areas::Areas;
pub use paired::Paired;
pub use rates::{
    BinaryRates, ClassRates, ConfusionCounts, Judged, MeanF1, Rates, RatesOfClass, UnseenLabels,
};
pub use thresholds::{Aim, Cut, Thresholds};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
