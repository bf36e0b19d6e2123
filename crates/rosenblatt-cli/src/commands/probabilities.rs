//! Probabilities of calibrated models: decisions by them, and how good they are.

use rosenblatt_core::{
    calibration::{Calibration, CalibrationMethod, Losses},
    keep::Tally,
    model::{Model, Predictions},
};
use rosenblatt_data::ModelFile;
use serde::Serialize;

use crate::{
    args::{ThresholdArgs, VoteArgs},
    error::CliError,
    text::{counted, decimal},
};

/// The calibration of a model, which `option` needs.
pub(super) fn calibration<'m>(
    option: &str,
    voting: &VoteArgs,
    model: &'m ModelFile,
) -> Result<&'m Calibration, CliError> {
    if voting.by.is_some_and(|by| by != Tally::default()) {
        let message = format!("{option} has the probabilities of the vote, not of another --by");
        return Err(CliError::usage(message, "leave out `--by`"));
    }
    model.model.calibration().ok_or_else(|| {
        let message = format!("{option} needs probabilities, and this model has none");
        let hint =
            "`train DATA --folds 5 --calibrate temperature -o MODEL` makes a model with probabilities";
        CliError::usage(message, hint)
    })
}

/// The probability from which on the class that reports call positive is predicted, if that was asked for.
pub(super) fn threshold(
    arguments: &ThresholdArgs,
    voting: &VoteArgs,
    model: &ModelFile,
) -> Result<Option<f64>, CliError> {
    let (option, given) = match (arguments.threshold, arguments.cost) {
        (Some(threshold), _) => ("--threshold", threshold),
        (None, Some(costs)) => ("--cost", costs.threshold()),
        (None, None) => return Ok(None),
    };
    of_two(option, voting, model)?;
    Ok(Some(given))
}

/// Checks that a model has probabilities of two classes, which `option` needs.
pub(super) fn of_two(option: &str, voting: &VoteArgs, model: &ModelFile) -> Result<(), CliError> {
    if model.model.classes().pair().is_none() {
        let classes = model.model.classes().names().len();
        let message = format!("{option} is for two classes, and the model has {classes}");
        return Err(CliError::usage(
            message,
            "`predict --proba` writes the probability of each class",
        ));
    }
    calibration(option, voting, model).map(drop)
}

/// Replaces the classes of predictions by those of the threshold, if there is one.
pub(super) fn decide(model: &Model, threshold: Option<f64>, predictions: &mut Predictions) {
    let Some(positive) = model.reported() else { return };
    let probabilities = model.probabilities(&predictions.scores);
    let Some((threshold, probabilities)) = threshold.zip(probabilities) else { return };
    for (class, of_row) in predictions.classes.iter_mut().zip(probabilities.chunks(2)) {
        let is_positive = of_row[positive] >= threshold;
        *class = (if is_positive { positive } else { 1 - positive }) as u32;
    }
}

/// The numbers that `--proba` writes of a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RowProbabilities {
    /// The probability of the class that reports call positive, or with more than two classes of each.
    pub(super) of_classes: Vec<f64>,
    /// [p₀, p₁] for each of these, of `venn-abers`.
    pub(super) intervals: Vec<[f64; 2]>,
}

/// The numbers of `--proba` for rows with these scores; none if the model is not calibrated.
pub(super) fn of_rows(model: &Model, scores: &[f64]) -> Vec<RowProbabilities> {
    let (scheme, classes) = (model.classes().scheme(), model.classes().names().len());
    let (Some(all), Some(calibration)) = (model.probabilities(scores), model.calibration()) else {
        return Vec::new();
    };
    let intervals = calibration.intervals(scores).unwrap_or_default();
    let mut intervals = intervals.chunks(scheme.hyperplanes());
    // The interval of the other class of two is that of its complement.
    let is_other = model.reported().is_some_and(|reported| reported != scheme.class_of(0));
    let of_reported = |&[low, high]: &[f64; 2]| match is_other {
        true => [1.0 - high, 1.0 - low],
        false => [low, high],
    };
    let one = |of_row: &[f64]| RowProbabilities {
        of_classes: match model.reported() {
            Some(reported) => vec![of_row[reported]],
            None => of_row.to_vec(),
        },
        intervals: intervals.next().unwrap_or_default().iter().map(of_reported).collect(),
    };
    all.chunks(classes).map(one).collect()
}

/// How good the probabilities are.
#[derive(Serialize)]
pub(super) struct LossesJson {
    method: CalibrationMethod,
    examples: u64,
    brier: f64,
    /// `null` if it is infinite.
    log_loss: Option<f64>,
    /// The examples whose class had the probability 0, each of which makes the log loss infinite.
    #[serde(skip_serializing_if = "is_none")]
    refuted: u64,
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

impl LossesJson {
    /// `None` if the model has no probabilities, or if no example has been compared.
    pub(super) fn of(losses: &Losses, model: &Model) -> Option<Self> {
        Some(LossesJson {
            method: model.calibration()?.method(),
            examples: losses.rows(),
            brier: losses.brier()?,
            log_loss: losses.log(),
            refuted: losses.refuted(),
        })
    }

    /// The line of the report.
    pub(super) fn text(&self) -> String {
        let log_loss = match self.log_loss {
            Some(log_loss) => format!("log loss {}", decimal(log_loss)),
            None => {
                let examples = counted(self.refuted, "example");
                format!("log loss infinite: {examples} had the probability 0 for the actual class")
            }
        };
        format!("Brier score {}, {log_loss} ({})", decimal(self.brier), self.method.name())
    }
}
