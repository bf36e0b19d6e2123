//! How good predictions are: the rates of `evaluate`, and of held-out examples in `train`.

use rosenblatt::metrics::{Confusion, CountError, auc, class_auc};
use rosenblatt_core::data::{Classes, Sign};
use serde::Serialize;

use crate::text::{count, counted, decimal, name, percent};

/// Predictions compared with labels.
pub(super) struct Judged {
    pub(super) confusion: Confusion,
    /// The scores of each example that is ranked for the AUC: one for two classes, else one for each class.
    scores: Vec<f64>,
    /// The class of each of these examples.
    scored: Vec<u32>,
    /// Whether there are more scores than are kept.
    too_many_scores: bool,
}

/// The rates of a model: of each class, and of two classes also those of the positive one.
#[derive(Serialize)]
pub(super) struct Rates {
    #[serde(flatten)]
    pub(super) of_two: Option<BinaryRates>,
    #[serde(flatten)]
    pub(super) of_many: Option<MeanF1>,
    pub(super) per_class: Vec<ClassRates>,
    pub(super) confusion: MatrixJson,
}

/// The rates of the class of two whose weights are positive.
#[derive(Serialize)]
pub(super) struct BinaryRates {
    pub(super) positive: String,
    /// The class that reports call positive.
    pub(super) reported: String,
    #[serde(flatten)]
    pub(super) rates: RatesOfClass,
}

/// The rates of one class against all others.
#[derive(Serialize)]
pub(super) struct RatesOfClass {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) precision: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recall: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) f1: Option<f64>,
    /// Absent for more scores than [`Judged::MOST_SCORES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) auc: Option<f64>,
}

/// The rates of several classes together.
#[derive(Serialize)]
pub(super) struct MeanF1 {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) macro_f1: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) weighted_f1: Option<f64>,
}

/// The rates of a class, with their counts.
#[derive(Serialize)]
pub(super) struct ClassRates {
    pub(super) class: String,
    /// The number of its examples.
    pub(super) examples: u64,
    /// The number of examples predicted as this class.
    pub(super) predicted: u64,
    /// The number of its examples predicted as this class.
    pub(super) right: u64,
    #[serde(flatten)]
    pub(super) rates: RatesOfClass,
}

/// Examples with labels that are not in the training data.
#[derive(Serialize)]
pub(super) struct UnseenLabels {
    pub(super) examples: u64,
    /// Whether they are counted as wrong predictions; otherwise they are left out.
    pub(super) are_wrong: bool,
    /// How often each class was predicted for them, if they are counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) predicted: Vec<u64>,
    /// The first of the labels in sorted order.
    pub(super) labels: Vec<String>,
}

impl UnseenLabels {
    /// The labels that are not in the training data, and how their examples were counted.
    pub(super) fn text(&self, classes: &[String]) -> String {
        let shown = |labels: &[String]| {
            const MOST: usize = 5;
            let mut shown: Vec<String> =
                labels.iter().take(MOST).map(|label| name(label)).collect();
            if labels.len() > MOST {
                shown.push("…".to_owned());
            }
            shown.join(", ")
        };
        let counted = counted(self.examples, "example");
        let how = if self.are_wrong { "counted as misclassified" } else { "left out" };
        let plural = if self.labels.len() == 1 { " is" } else { "s are" };
        let (labels, known) = (shown(&self.labels), shown(classes));
        format!(
            "{counted} {how}: the label{plural} not in the training data ({labels}); its labels are {known}"
        )
    }
}

/// The confusion matrix.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum MatrixJson {
    Two {
        true_positive: u64,
        false_positive: u64,
        false_negative: u64,
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
    const MOST_SCORES: usize = 1 << 25;

    /// No predictions yet, of this many classes.
    pub(super) fn new(classes: usize) -> Result<Self, CountError> {
        let confusion = Confusion::new(classes)?;
        Ok(Judged { confusion, scores: Vec::new(), scored: Vec::new(), too_many_scores: false })
    }

    /// Adds scores of examples for the AUC; those without a class are left out. Each example has `scores.len()` /
    /// `actual.len()` scores. Of several classes, the score of a class is ranked by how far it is above that of its best
    /// rival, because this difference decides.
    pub(super) fn rank(&mut self, actual: &[Option<u32>], scores: &[f64]) {
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
    pub(super) fn rates(&self, classes: &Classes, reported: Option<usize>) -> Rates {
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
            confusion: MatrixJson::of(confusion, positive),
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
    pub(super) fn with_mean_auc(mut self, each: &[Rates]) -> Self {
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
    pub(super) fn in_order(&self) -> Vec<&ClassRates> {
        let mut all: Vec<&ClassRates> = self.per_class.iter().collect();
        if let Some(of_two) = &self.of_two {
            all.sort_by_key(|one| one.class != of_two.reported);
        }
        all
    }

    /// A sentence about the classes with examples that are never predicted.
    pub(super) fn never_predicted(&self) -> Option<String> {
        const SHOWN: usize = 3;
        let never = |one: &&ClassRates| one.examples > 0 && one.predicted == 0;
        let never: Vec<&ClassRates> = self.in_order().into_iter().filter(never).collect();
        let one = |one: &&ClassRates| {
            format!("`{}` ({})", name(&one.class), counted(one.examples, "example"))
        };
        let shown = never.iter().take(SHOWN).map(one).collect::<Vec<_>>().join(", ");
        match never.len() {
            0 => None,
            1 => Some(format!("class {shown} is never predicted")),
            2..=SHOWN => Some(format!("classes {shown} are never predicted")),
            all => {
                let others = counted((all - SHOWN) as u64, "other");
                Some(format!("classes {shown} and {others} are never predicted"))
            }
        }
    }

    /// The number of correct predictions.
    pub(super) fn right(&self) -> u64 {
        self.per_class.iter().map(|one| one.right).sum()
    }
}

impl ClassRates {
    /// The precision with its counts: `75.0% (12 of 16)`.
    pub(super) fn precision(&self) -> String {
        part(self.rates.precision, self.right, self.predicted)
    }

    /// The recall with its counts.
    pub(super) fn recall(&self) -> String {
        part(self.rates.recall, self.right, self.examples)
    }

    /// F1 with four decimals.
    pub(super) fn f1(&self) -> String {
        self.rates.f1.map_or_else(|| "undefined".to_owned(), decimal)
    }
}

/// A share with its counts.
fn part(share: Option<f64>, part: u64, whole: u64) -> String {
    let shown = share.map_or_else(|| "undefined".to_owned(), percent);
    format!("{shown} ({} of {})", count(part), count(whole))
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let all: Vec<f64> = values.collect();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

impl MatrixJson {
    fn of(confusion: &Confusion, positive: Option<usize>) -> Self {
        match positive {
            Some(plus) => MatrixJson::Two {
                true_positive: confusion.of(plus, plus),
                false_positive: confusion.of(1 - plus, plus),
                false_negative: confusion.of(plus, 1 - plus),
                true_negative: confusion.of(1 - plus, 1 - plus),
            },
            None => {
                let all = 0..confusion.classes();
                let row = |actual| all.clone().map(|class| confusion.of(actual, class)).collect();
                MatrixJson::Many(all.clone().map(row).collect())
            }
        }
    }
}
