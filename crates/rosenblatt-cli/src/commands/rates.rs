//! How good predictions are: the rates of `evaluate`, and of held-out examples in `train`.

use rosenblatt::{
    data::{Classes, Sign},
    metrics::{Confusion, CountError, auc, class_auc},
};
use serde::Serialize;

use crate::text::{counted, name};

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

/// The rates of a model; two classes have rates of the positive one, several have those of each.
#[derive(Serialize)]
pub(super) struct Rates {
    #[serde(flatten)]
    pub(super) of_two: Option<BinaryRates>,
    #[serde(flatten)]
    pub(super) of_many: Option<MeanF1>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) per_class: Option<Vec<ClassRates>>,
    pub(super) confusion: MatrixJson,
}

/// The rates of two classes.
#[derive(Serialize)]
pub(super) struct BinaryRates {
    pub(super) positive: String,
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

/// One of several classes.
#[derive(Serialize)]
pub(super) struct ClassRates {
    pub(super) class: String,
    pub(super) examples: u64,
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

    /// The rates of all predictions.
    pub(super) fn rates(&self, classes: &Classes) -> Rates {
        let confusion = &self.confusion;
        let positive = classes.scheme().class_of(0);
        let of_two = classes.positive().map(|name| BinaryRates {
            positive: name.to_owned(),
            rates: self.of_class(positive, self.auc_of_two(positive)),
        });
        let are_many = of_two.is_none();
        let of_many =
            || MeanF1 { macro_f1: confusion.macro_f1(), weighted_f1: confusion.weighted_f1() };
        let of_class = |(number, class): (usize, &String)| ClassRates {
            class: class.clone(),
            examples: confusion.actual(number),
            rates: self.of_class(
                number,
                class_auc(&self.scores, confusion.classes(), &self.scored, number),
            ),
        };
        let per_class = || classes.names().iter().enumerate().map(of_class).collect();
        Rates {
            of_many: are_many.then(of_many),
            per_class: are_many.then(per_class),
            confusion: MatrixJson::of(confusion, of_two.as_ref().map(|_| positive)),
            of_two,
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
        for (number, rates) in self.per_class.iter_mut().flatten().enumerate() {
            let of_class = |rates: &Rates| rates.per_class.as_ref()?[number].rates.auc;
            rates.rates.auc = mean(each.iter().filter_map(of_class));
        }
        self
    }
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
