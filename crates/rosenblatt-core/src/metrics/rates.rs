//! Rates of predictions that are compared with labels.

use serde::Serialize;

use super::{Confusion, CountError, auc, class_auc};
use crate::data::{Classes, Sign};

/// Predictions compared with labels, from which [`Rates`] follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// How often each class was predicted for each.
    pub confusion: Confusion,
    /// The scores of each example that is ranked for the AUC: one for two classes, else one for each class.
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
    /// The maximum number of scores that are kept for the AUC of several classes: 256 MiB.
    pub const MOST_SCORES: usize = 1 << 25;

    /// No predictions yet, of this many classes.
    ///
    /// # Errors
    /// [`CountError::TooManyClasses`].
    pub fn new(classes: usize) -> Result<Self, CountError> {
        let confusion = Confusion::new(classes)?;
        Ok(Judged { confusion, scores: Vec::new(), scored: Vec::new(), too_many_scores: false })
    }

    /// Adds scores of examples for the AUC; those without a class are left out. Each example has `scores.len()` /
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
        // The AUC of two classes is that of either.
        let of_two = positive.and_then(|positive| self.auc_of_two(positive));
        let auc = |class| match positive {
            Some(_) => of_two,
            None => class_auc(&self.scores, confusion.classes(), &self.scored, class),
        };
        let of_class = |(number, class): (usize, &String)| ClassRates {
            class: class.clone(),
            examples: confusion.actual(number),
            predicted: confusion.predicted(number),
            right: confusion.of(number, number),
            rates: self.of_class(number, auc(number)),
        };
        let name = |class: usize| classes.names()[class].clone();
        Rates {
            of_two: positive.zip(reported).map(|(positive, reported)| BinaryRates {
                positive: name(positive),
                reported: name(reported),
                rates: self.of_class(positive, of_two),
            }),
            of_many: positive.is_none().then(|| MeanF1 {
                macro_f1: confusion.macro_f1(),
                weighted_f1: confusion.weighted_f1(),
            }),
            per_class: classes.names().iter().enumerate().map(of_class).collect(),
            confusion: ConfusionCounts::of(confusion, positive),
        }
    }

    /// The area under the ROC curve of two classes.
    fn auc_of_two(&self, positive: usize) -> Option<f64> {
        let sign = |&class: &u32| if class as usize == positive { Sign::Plus } else { Sign::Minus };
        let signs = self.scored.iter().map(sign);
        auc(&mut self.scores.iter().copied().zip(signs).collect::<Vec<_>>())
    }

    fn of_class(&self, class: usize, auc: Option<f64>) -> RatesOfClass {
        let confusion = &self.confusion;
        let (precision, recall) = (confusion.precision(class), confusion.recall(class));
        RatesOfClass { precision, recall, f1: confusion.f1(class), auc }
    }
}

impl Rates {
    /// Replaces each AUC by the mean of those of other rates, of the same classes: scores of different models cannot be
    /// ranked together.
    #[must_use]
    pub fn with_mean_auc(mut self, each: &[Rates]) -> Self {
        let of_two = |rates: &Rates| rates.of_two.as_ref()?.rates.auc;
        if let Some(rates) = &mut self.of_two {
            rates.rates.auc = mean(each.iter().filter_map(of_two));
        }
        for (number, rates) in self.per_class.iter_mut().enumerate() {
            let of_class = |rates: &Rates| rates.per_class[number].rates.auc;
            rates.rates.auc = mean(each.iter().filter_map(of_class));
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
