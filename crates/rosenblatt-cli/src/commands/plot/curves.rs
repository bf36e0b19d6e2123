//! The ROC curve of a model on the rows, and its precision against its recall.

use rosenblatt_core::metrics::{Areas, Confusion, Cut, Thresholds};
use rosenblatt_data::ModelFile;
use rosenblatt_plot::{RateCurve, RatePoint};

use super::{PlotSubject, finding};
use crate::{
    args::PlotArgs,
    error::CliError,
    text::{count, counted, decimal, name, percent},
};

/// Examples of two classes in the order of their scores, and the labels that the model predicts for them.
pub(super) struct Ranked {
    thresholds: Thresholds,
    auc: f64,
    average_precision: f64,
    predicted: Confusion,
    /// The index of the class that reports call positive.
    positive: usize,
    /// The names of both classes.
    names: [String; 2],
    note: String,
}

impl Ranked {
    /// Ranks all examples. Cost: one prediction of each, and a sort.
    pub(super) fn of(
        subject: &PlotSubject,
        arguments: &PlotArgs,
        model: &ModelFile,
    ) -> Result<Self, CliError> {
        let classes = model.model.classes();
        let ([first, second], Some(positive)) = (classes.names(), model.model.reported()) else {
            let message = format!(
                "the ROC and precision–recall curves are for two classes, the model has {}",
                classes.names().len()
            );
            let hint = "`train DATA --positive LABEL -o MODEL` learns one class against all others; `evaluate` has the AUC of each class";
            return Err(CliError::usage(message, hint));
        };
        let is_plus = classes.scheme().class_of(0) == positive;
        let mut predicted = Confusion::new(2)?;
        let mut scored = Vec::with_capacity(subject.numbers.len());
        let mut actual = subject.numbers.iter();
        for predictions in subject.predictions(arguments, model)? {
            let of_rows = predictions.scores.iter().zip(&predictions.classes);
            for ((&score, &class), &actual) in of_rows.zip(actual.by_ref()) {
                predicted.count(actual, class)?;
                scored.push((if is_plus { score } else { -score }, actual as usize == positive));
            }
        }
        let thresholds = Thresholds::new(scored);
        let Areas { auc: Some(auc), average_precision: Some(average_precision) } =
            thresholds.areas()
        else {
            return Err(one_class(subject, &predicted, [first, second]));
        };
        let names = [first, second].map(|class| name(class));
        let note = note(subject, model, &predicted, (positive, &names[positive]));
        Ok(Ranked { thresholds, auc, average_precision, predicted, positive, names, note })
    }

    fn positive(&self) -> &str {
        &self.names[self.positive]
    }

    fn title(&self, what: &str, area: f64) -> String {
        format!("{what} {} on {}", decimal(area), counted(self.predicted.total(), "example"))
    }

    fn points(&self, rates: impl Fn(&Cut) -> Option<(f64, f64)>) -> Vec<(f64, f64)> {
        self.thresholds.cuts().iter().filter_map(rates).collect()
    }

    /// The false positive rate against the recall, from the threshold that predicts no example positive.
    pub(super) fn roc(&self) -> RateCurve {
        let (positive, negative) = (self.positive(), &self.names[1 - self.positive]);
        let of_cut = |cut: &Cut| Some((cut.false_positive_rate()?, cut.recall()?));
        let point = self.predicted.recall(1 - self.positive).zip(self.recall());
        let point = point.map(|(right, recall)| (1.0 - right, recall));
        RateCurve {
            title: self.title("AUC", self.auc),
            note: self.note.clone(),
            x_name: format!("false positive rate (share of {negative} predicted {positive})"),
            y_name: self.recall_name(),
            points: std::iter::once((0.0, 0.0)).chain(self.points(of_cut)).collect(),
            is_stepped: false,
            chance: [(0.0, 0.0), (1.0, 1.0)],
            chance_name: "chance".to_owned(),
            decided: decided(point, |(wrong, recall)| {
                [recall_of(recall), format!("false positive rate {}", percent(wrong))]
            }),
        }
    }

    /// The recall against the precision, from the threshold that predicts only the highest scores positive.
    pub(super) fn precision_recall(&self) -> RateCurve {
        let positive = self.positive();
        let of_cut = |cut: &Cut| Some((cut.recall()?, cut.precision()?));
        let points = self.points(of_cut);
        let first = points.first().map(|&(_, precision)| (0.0, precision));
        let share = self.predicted.actual(self.positive) as f64 / self.predicted.total() as f64;
        let point = self.recall().zip(self.predicted.precision(self.positive));
        RateCurve {
            title: self.title("Average precision", self.average_precision),
            note: self.note.clone(),
            x_name: self.recall_name(),
            y_name: format!("precision (share of {positive} among those predicted {positive})"),
            points: first.into_iter().chain(points).collect(),
            is_stepped: true,
            chance: [(0.0, share), (1.0, share)],
            chance_name: format!("chance: {} are {positive}", percent(share)),
            decided: decided(point, |(recall, precision)| {
                [recall_of(recall), format!("precision {}", percent(precision))]
            }),
        }
    }

    fn recall(&self) -> Option<f64> {
        self.predicted.recall(self.positive)
    }

    fn recall_name(&self) -> String {
        let positive = self.positive();
        format!("recall (share of {positive} predicted {positive})")
    }
}

/// The point of the predicted labels.
fn decided(
    point: Option<(f64, f64)>,
    rates: impl Fn((f64, f64)) -> [String; 2],
) -> Option<RatePoint> {
    point.map(|at| RatePoint { at, name: "the model’s labels".to_owned(), rates: rates(at) })
}

fn recall_of(recall: f64) -> String {
    format!("recall {}", percent(recall))
}

/// The file, how many of its examples are positive, and whether the model may have learned from them.
fn note(
    subject: &PlotSubject,
    model: &ModelFile,
    predicted: &Confusion,
    (positive, name): (usize, &str),
) -> String {
    let (positives, all) = (count(predicted.actual(positive)), count(predicted.total()));
    let known = finding::may_be_known(subject, model);
    format!("{}; {positives} of {all} are {name}{known}", finding::file(subject))
}

/// The error of examples of one class.
fn one_class(subject: &PlotSubject, predicted: &Confusion, names: [&String; 2]) -> CliError {
    let only = names[usize::from(predicted.actual(1) > 0)];
    CliError::usage(
        format!("{}: every row is labeled {}, so there is no curve", subject.file, name(only)),
        "draw rows of both classes",
    )
}
