//! Rates of predictions that are compared with labels.

use serde::Serialize;

use super::{Areas, Confusion, CountError};
use crate::data::{Classes, Sign};

/// Predictions compared with labels, from which [`Rates`] follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// How often each class was predicted for each.
    pub confusion: Confusion,
    /// The scores of each example that is ranked for the areas: one for two classes, else one for each class.
    scores: Vec<f64>,
    /// The class of each of these examples.
    scored: Vec<u32>,
    /// Whether there are more scores than are kept.
    too_many_scores: bool,
}

/// The rates of a model: of each class, and of two classes also those of the positive one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// Of two classes, the rates of one.
    #[serde(flatten)]
    pub of_two: Option<BinaryRates>,
    /// Of three classes or more, their means.
    #[serde(flatten)]
    pub of_many: Option<MeanF1>,
    /// Of each class, in the order of their numbers.
    pub per_class: Vec<ClassRates>,
    /// The confusion matrix.
    pub confusion: ConfusionCounts,
}

/// The rates of the class of two whose weights are positive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BinaryRates {
    /// The class whose scores are positive.
    pub positive: String,
    /// The class that reports call positive.
    pub reported: String,
    /// The rates of the class whose scores are positive.
    #[serde(flatten)]
    pub rates: RatesOfClass,
}

/// The rates of one class against all others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatesOfClass {
    /// The share of right predictions among those of the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// The share of right predictions among its examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
    /// The harmonic mean of precision and recall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub f1: Option<f64>,
    /// The area under the ROC curve; absent for more scores than [`Judged::MOST_SCORES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auc: Option<f64>,
    /// [`Areas::average_precision`]; absent for more scores than [`Judged::MOST_SCORES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_precision: Option<f64>,
}

/// The rates of several classes together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeanF1 {
    /// [`Confusion::macro_f1`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub macro_f1: Option<f64>,
    /// [`Confusion::weighted_f1`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weighted_f1: Option<f64>,
}

/// The rates of a class, with their counts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassRates {
    /// Its name.
    pub class: String,
    /// The number of its examples.
    pub examples: u64,
    /// The number of examples predicted as this class.
    pub predicted: u64,
    /// The number of its examples predicted as this class.
    pub right: u64,
    /// Its rates.
    #[serde(flatten)]
    pub rates: RatesOfClass,
}

/// Examples with labels that are not in the training data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnseenLabels {
    /// Their number.
    pub examples: u64,
    /// Whether they are counted as wrong predictions; otherwise they are left out.
    pub are_wrong: bool,
    /// How often each class was predicted for them, if they are counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predicted: Vec<u64>,
    /// The first of the labels in sorted order.
    pub labels: Vec<String>,
}

/// The confusion matrix.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ConfusionCounts {
    /// Of two classes, by the one whose scores are positive.
    Two {
        /// Right predictions of the positive class.
        true_positive: u64,
        /// Wrong predictions of the positive class.
        false_positive: u64,
        /// Wrong predictions of the negative class.
        false_negative: u64,
        /// Right predictions of the negative class.
        true_negative: u64,
    },
    /// A row for each actual class, with a number for each predicted one.
    Many(Vec<Vec<u64>>),
}

/// The score of a class, less the highest of the others if there are any.
fn above_rivals(scores: &[f64], class: usize) -> f64 {
    let rivals = scores.iter().enumerate().filter(|&(rival, _)| rival != class);
    let best = rivals.map(|(_, &score)| score).reduce(f64::max);
    best.map_or(scores[class], |best| scores[class] - best)
}

impl Judged {
    /// The maximum number of scores that are kept for the areas of several classes: 256 MiB.
    pub const MOST_SCORES: usize = 1 << 25;

    /// No predictions yet, of this many classes.
    ///
    /// # Errors
    /// [`CountError::TooManyClasses`].
    pub fn new(classes: usize) -> Result<Self, CountError> {
        let confusion = Confusion::new(classes)?;
        Ok(Judged { confusion, scores: Vec::new(), scored: Vec::new(), too_many_scores: false })
    }

    /// Adds scores of examples for the areas; those without a class are left out. Each example has `scores.len()` /
    /// `actual.len()` scores. Of several classes, the score of a class is ranked by how far it is above that of its best
    /// rival, because this difference decides.
    pub fn rank(&mut self, actual: &[Option<u32>], scores: &[f64]) {
        let width = scores.len() / actual.len().max(1);
        self.too_many_scores |= width > 1 && self.scores.len() + scores.len() > Self::MOST_SCORES;
        if self.too_many_scores {
            self.scores = Vec::new();
            return;
        }
        for (&actual, scores) in actual.iter().zip(scores.chunks(width.max(1))) {
            if let Some(actual) = actual {
                self.scored.push(actual);
                self.scores.extend((0..scores.len()).map(|class| above_rivals(scores, class)));
            }
        }
    }

    /// The rates of all predictions; of two classes, `reported` is the one that reports call positive.
    pub fn rates(&self, classes: &Classes, reported: Option<usize>) -> Rates {
        let confusion = &self.confusion;
        let positive = reported.map(|_| classes.scheme().class_of(0));
        let of_class = |(number, class): (usize, &String)| ClassRates {
            class: class.clone(),
            examples: confusion.actual(number),
            predicted: confusion.predicted(number),
            right: confusion.of(number, number),
            rates: self.of_class(number, positive),
        };
        let per_class: Vec<_> = classes.names().iter().enumerate().map(of_class).collect();
        Rates {
            of_two: positive.zip(reported).map(|(positive, reported)| BinaryRates {
                positive: classes.names()[positive].clone(),
                reported: classes.names()[reported].clone(),
                rates: per_class[positive].rates.clone(),
            }),
            of_many: positive.is_none().then(|| MeanF1 {
                macro_f1: confusion.macro_f1(),
                weighted_f1: confusion.weighted_f1(),
            }),
            per_class,
            confusion: ConfusionCounts::of(confusion, positive),
        }
    }

    /// The rates of a class; of two classes, `positive` is the one whose scores are positive.
    fn of_class(&self, class: usize, positive: Option<usize>) -> RatesOfClass {
        let confusion = &self.confusion;
        let (precision, recall) = (confusion.precision(class), confusion.recall(class));
        let Areas { auc, average_precision } = self.areas(class, positive);
        RatesOfClass { precision, recall, f1: confusion.f1(class), auc, average_precision }
    }

    /// The areas of a class against all others. Cost: one sort.
    fn areas(&self, class: usize, positive: Option<usize>) -> Areas {
        let width = positive.map_or(self.confusion.classes(), |_| 1).max(1);
        let score = |scores: &[f64]| match positive {
            Some(positive) if positive == class => scores[0],
            Some(_) => -scores[0],
            None => scores[class],
        };
        let sign = |&actual: &u32| if actual as usize == class { Sign::Plus } else { Sign::Minus };
        let scores = self.scores.chunks_exact(width).map(score);
        Areas::of(&mut scores.zip(self.scored.iter().map(sign)).collect::<Vec<_>>())
    }
}

impl Rates {
    /// Replaces the areas by the means of those of other rates, of the same classes: scores of different models cannot be
    /// ranked together.
    #[must_use]
    pub fn with_mean_areas(mut self, each: &[Rates]) -> Self {
        if let Some(rates) = &mut self.of_two {
            let of_two = each.iter().filter_map(|rates| rates.of_two.as_ref());
            rates.rates.take_mean_areas(of_two.map(|of_two| &of_two.rates));
        }
        for (number, rates) in self.per_class.iter_mut().enumerate() {
            let of_class = each.iter().map(|rates| &rates.per_class[number].rates);
            rates.rates.take_mean_areas(of_class);
        }
        self
    }

    /// The rates of each class: of two, those of the one that reports call positive first.
    pub fn in_order(&self) -> Vec<&ClassRates> {
        let mut all: Vec<&ClassRates> = self.per_class.iter().collect();
        if let Some(of_two) = &self.of_two {
            all.sort_by_key(|one| one.class != of_two.reported);
        }
        all
    }

    /// The classes with examples that are never predicted, in the order of [`Self::in_order`].
    pub fn never_predicted(&self) -> Vec<&ClassRates> {
        let mut all = self.in_order();
        all.retain(|one| one.examples > 0 && one.predicted == 0);
        all
    }

    /// The number of correct predictions.
    pub fn right(&self) -> u64 {
        self.per_class.iter().map(|one| one.right).sum()
    }
}

impl RatesOfClass {
    fn take_mean_areas<'a>(&mut self, each: impl Iterator<Item = &'a RatesOfClass> + Clone) {
        self.auc = mean(each.clone().filter_map(|rates| rates.auc));
        self.average_precision = mean(each.filter_map(|rates| rates.average_precision));
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let all: Vec<f64> = values.collect();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

impl ConfusionCounts {
    fn of(confusion: &Confusion, positive: Option<usize>) -> Self {
        match positive {
            Some(plus) => ConfusionCounts::Two {
                true_positive: confusion.of(plus, plus),
                false_positive: confusion.of(1 - plus, plus),
                false_negative: confusion.of(plus, 1 - plus),
                true_negative: confusion.of(1 - plus, 1 - plus),
            },
            None => {
                let all = 0..confusion.classes();
                let row = |actual| all.clone().map(|class| confusion.of(actual, class)).collect();
                ConfusionCounts::Many(all.clone().map(row).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(classes: usize, actual: &[u32], scores: &[f64]) -> Judged {
        let mut judged = Judged::new(classes).unwrap();
        judged.rank(&actual.iter().copied().map(Some).collect::<Vec<_>>(), scores);
        judged
    }

    /// Class 1 scores 3 and 1, class 0 scores 2 and 1: pairs won, won, lost and tied. By falling scores, class 1 has the
    /// precision 1 with recall 1 / 2, then 2 / 4 with recall 1; by rising ones, class 0 has 1 / 2, then 2 / 3.
    #[test]
    fn areas_of_each_of_two_classes() {
        let judged = judged(2, &[1, 1, 0, 0], &[3.0, 1.0, 2.0, 1.0]);
        let [one, zero] = [1, 0].map(|class| judged.areas(class, Some(1)));
        assert_eq!((one.auc, zero.auc), (Some(2.5 / 4.0), Some(2.5 / 4.0)));
        assert_eq!(one.average_precision, Some((1.0 + 2.0 / 4.0) / 2.0));
        assert_eq!(zero.average_precision, Some((1.0 / 2.0 + 2.0 / 3.0) / 2.0));
    }

    /// Class 1 leads its best rival by 1 in its own example, and is 2 and 1 behind in the others: the first in rank.
    #[test]
    fn areas_of_one_of_several_classes() {
        let scores = [0.0, 2.0, 1.0, 3.0, 1.0, 0.0, 0.0, 1.0, 2.0];
        let of_one = judged(3, &[1, 0, 2], &scores).areas(1, None);
        assert_eq!((of_one.auc, of_one.average_precision), (Some(1.0), Some(1.0)));
        assert_eq!(judged(3, &[0, 1, 2], &scores).areas(1, None).auc, Some(0.0));
        assert_eq!(judged(3, &[1, 1, 1], &scores).areas(1, None).auc, None);
    }
}
