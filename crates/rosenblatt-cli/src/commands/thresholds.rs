//! Thresholds of probability: what each would predict, and the one that reaches an aim.

use rosenblatt_core::{
    metrics::{Aim, Cut, Thresholds},
    model::{Model, Predictions},
};
use rosenblatt_data::ModelFile;
use serde::Serialize;

use super::probabilities;
use crate::{
    args::{Costs, EvaluateArgs},
    error::CliError,
    text::{Table, count, decimal, name, number, percent},
};

/// The recalls whose thresholds are listed, in percent.
const RECALLS: [u32; 12] = [100, 99, 95, 90, 80, 70, 60, 50, 40, 30, 20, 10];

/// The examples that choose, by the probability of the class that reports call positive.
pub(super) struct Candidates<'m> {
    model: &'m Model,
    positive: usize,
    aim: Option<Aim>,
    /// Whether the table was asked for.
    lists: bool,
    costs: Option<Costs>,
    examples: Vec<(f64, bool)>,
}

/// The table of `--thresholds` and the choice of `--min-recall` or `--min-precision`.
#[derive(Serialize)]
pub(super) struct ThresholdReport {
    #[serde(skip)]
    positive: String,
    /// Present with `--thresholds`, with falling recall.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    thresholds: Vec<Row>,
    /// Present with an aim.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<Chosen>,
}

/// What a threshold predicts.
#[derive(Serialize)]
struct Row {
    threshold: f64,
    /// How many examples it predicts as the positive class.
    predicted: u64,
    precision: Option<f64>,
    recall: Option<f64>,
    f1: Option<f64>,
    /// The cost of all errors, with `--cost`.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    /// Whether no other threshold costs less.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    costs_least: bool,
}

/// The threshold that reaches an aim on all examples, and the rates on examples that did not choose.
#[derive(Serialize)]
struct Chosen {
    aim: AimJson,
    threshold: f64,
    precision: Option<f64>,
    recall: Option<f64>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum AimJson {
    Recall(f64),
    Precision(f64),
}

impl<'m> Candidates<'m> {
    /// Returns `None` if no option asks for thresholds.
    pub(super) fn new(
        arguments: &EvaluateArgs,
        file: &'m ModelFile,
    ) -> Result<Option<Self>, CliError> {
        let (option, aim) = match (arguments.min_recall, arguments.min_precision) {
            (Some(least), _) => ("--min-recall", Some(Aim::Recall(least))),
            (None, Some(least)) => ("--min-precision", Some(Aim::Precision(least))),
            (None, None) if arguments.thresholds => ("--thresholds", None),
            (None, None) => return Ok(None),
        };
        probabilities::of_two(option, &arguments.voting, file)?;
        let model = &file.model;
        let positive = model.reported().unwrap_or_else(|| model.classes().scheme().class_of(0));
        let (lists, costs) = (arguments.thresholds, arguments.threshold.cost);
        Ok(Some(Candidates { model, positive, aim, lists, costs, examples: Vec::new() }))
    }

    /// Adds examples; one whose label the model does not know is not positive, or is left out.
    pub(super) fn add(&mut self, actual: &[Option<u32>], predictions: &Predictions, unseen: bool) {
        let probabilities = self.model.probabilities(&predictions.scores).unwrap_or_default();
        let all = probabilities.chunks(2).zip(actual);
        let kept = all.filter(|(_, actual)| unseen || actual.is_some());
        let positive = self.positive;
        let example = |(of_row, actual): (&[f64], &Option<u32>)| {
            (of_row[positive], *actual == Some(positive as u32))
        };
        self.examples.extend(kept.map(example));
    }

    /// Lists and chooses.
    pub(super) fn report(self, file: &str) -> Result<ThresholdReport, CliError> {
        let thresholds = Thresholds::new(self.examples.iter().copied());
        let positive = self.model.classes().names()[self.positive].clone();
        if !self.examples.iter().any(|(_, is_positive)| *is_positive) {
            return Err(CliError::usage(
                format!("{file}: no row is labeled {}, so no threshold finds one", name(&positive)),
                "choose by rows of both classes",
            ));
        }
        let choice = |aim| {
            let chosen = chosen(&self.examples, &thresholds, aim);
            chosen.ok_or_else(|| unreachable(file, aim, &thresholds, &positive))
        };
        let chosen = self.aim.map(choice).transpose()?;
        let rows = if self.lists { rows(&thresholds, self.costs) } else { Vec::new() };
        Ok(ThresholdReport { positive, thresholds: rows, chosen })
    }
}

/// The cuts of some recalls, and with costs the one that costs least.
fn rows(thresholds: &Thresholds, costs: Option<Costs>) -> Vec<Row> {
    let cost = |cut: &Cut| costs.map(|costs| cut.cost(costs.false_positive, costs.false_negative));
    let least = thresholds.cuts().iter().filter(|_| costs.is_some());
    let least = least.min_by(|a, b| cost(a).unwrap_or(0.0).total_cmp(&cost(b).unwrap_or(0.0)));
    let of_recalls = RECALLS
        .iter()
        .filter_map(|&recall| thresholds.reaching(Aim::Recall(f64::from(recall) / 100.0)));
    let mut cuts: Vec<Cut> = of_recalls.chain(least.copied()).collect();
    cuts.sort_by(|a, b| a.lowest.total_cmp(&b.lowest));
    cuts.dedup();
    let row = |cut: &Cut| Row {
        threshold: cut.shortest(),
        predicted: cut.true_positives + cut.false_positives,
        precision: cut.precision(),
        recall: cut.recall(),
        f1: cut.f1(),
        cost: cost(cut),
        costs_least: least.is_some_and(|least| cost(least) == cost(cut)),
    };
    cuts.iter().map(row).collect()
}

/// The choice by all examples, with the rates of each half under the threshold of the other.
fn chosen(examples: &[(f64, bool)], all: &Thresholds, aim: Aim) -> Option<Chosen> {
    let threshold = all.reaching(aim)?.shortest();
    // Positive and negative examples alternate between the halves.
    let mut turns = [false; 2];
    let in_first = |&(_, is_positive): &(f64, bool)| {
        let turn = &mut turns[usize::from(is_positive)];
        *turn = !*turn;
        *turn
    };
    let (first, second): (Vec<_>, Vec<_>) = examples.iter().copied().partition(in_first);
    let halves = [first, second].map(Thresholds::new);
    let [first, second] = &halves;
    let judged = [(first, second), (second, first)].map(|(choosing, judging)| {
        choosing.reaching(aim).and_then(|cut| judging.at(cut.shortest()))
    });
    let sum = |count: fn(&Cut) -> u64| judged.iter().flatten().map(count).sum::<u64>();
    let (right, wrong) = (sum(|cut| cut.true_positives), sum(|cut| cut.false_positives));
    let (positives, negatives) = all.cuts().first().map(|cut| (cut.positives, cut.negatives))?;
    let pooled = Cut {
        lowest: threshold,
        below: None,
        true_positives: right,
        false_positives: wrong,
        positives,
        negatives,
    };
    let aim = match aim {
        Aim::Recall(least) => AimJson::Recall(least),
        Aim::Precision(least) => AimJson::Precision(least),
    };
    Some(Chosen { aim, threshold, precision: pooled.precision(), recall: pooled.recall() })
}

/// The error of an aim that no threshold reaches; each recall is reached by predicting every row positive.
fn unreachable(file: &str, aim: Aim, thresholds: &Thresholds, positive: &str) -> CliError {
    let (Aim::Precision(least) | Aim::Recall(least)) = aim;
    let best = thresholds.cuts().iter().filter_map(Cut::precision).fold(0.0, f64::max);
    let (least, positive, best) = (percent(least), name(positive), percent(best));
    CliError::usage(
        format!(
            "{file}: no threshold has a precision of {least} for {positive}; the best has {best}"
        ),
        "`--thresholds` lists what there is",
    )
}

impl ThresholdReport {
    /// The lines of the choice; `are_known` if the model may have learned from the rows.
    pub(super) fn add_to(&self, table: &mut Table, are_known: bool) {
        let Some(Chosen { aim, threshold, precision, recall }) = &self.chosen else { return };
        let what = match aim {
            AimJson::Recall(least) => format!("a recall of {}", percent(*least)),
            AimJson::Precision(least) => format!("a precision of {}", percent(*least)),
        };
        let share = |rate: &Option<f64>| rate.map_or_else(|| "undefined".to_owned(), percent);
        let lines = [
            format!(
                "{} from a probability of {threshold} on for {what}; `predict --threshold {threshold}` does so",
                name(&self.positive)
            ),
            format!(
                "on rows that did not choose it{}: precision {}, recall {}",
                if are_known { ", though the model may have learned from them" } else { "" },
                share(precision),
                share(recall)
            ),
        ];
        table.lines("threshold", lines);
    }

    /// The table, below the report.
    pub(super) fn table(&self) -> String {
        if self.thresholds.is_empty() {
            return String::new();
        }
        let has_costs = self.thresholds.iter().any(|row| row.cost.is_some());
        let last = if has_costs { "cost" } else { "" };
        let head = ["threshold", "predicted", "precision", "recall", "F1", last].map(str::to_owned);
        let share = |rate: Option<f64>| rate.map_or_else(|| "–".to_owned(), percent);
        let cells = |row: &Row| {
            [
                row.threshold.to_string(),
                count(row.predicted),
                share(row.precision),
                share(row.recall),
                row.f1.map_or_else(|| "–".to_owned(), decimal),
                row.cost.map_or_else(String::new, number),
            ]
        };
        let line = |cells: [String; 6], after: &str| {
            let [threshold, rest @ ..] = cells;
            let rest: String = rest.iter().map(|cell| format!("  {cell:>9}")).collect();
            format!("{threshold:<12}{rest}{after}").trim_end().to_owned() + "\n"
        };
        let rows = self
            .thresholds
            .iter()
            .map(|row| line(cells(row), if row.costs_least { "  costs least" } else { "" }));
        format!("\npredicting {} from\n", name(&self.positive))
            + &line(head, "")
            + &rows.collect::<String>()
    }
}
