//! The accuracy of a model on examples that it did not learn from.

use rosenblatt::{
    data::Classes,
    metrics::CountError,
    model::{Model, PredictOptions, Predictions},
    split::{Split, SplitError, folds, hold_out},
    train::Options,
};
use serde::Serialize;

use super::{
    context::{Context, Part},
    observer::TrainObserver,
    training::learn,
};
use crate::{
    commands::rates::{Judged, Rates},
    error::CliError,
};

/// The results on held-out examples; in JSON each part is there only if it was asked for.
#[derive(Default, Serialize)]
pub(super) struct Validation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) holdout: Option<HoldoutResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) folds: Option<Folds>,
}

/// The model on the examples of `--holdout`.
#[derive(Serialize)]
pub(super) struct HoldoutResult {
    pub(super) examples: u64,
    pub(super) errors: u64,
    pub(super) accuracy: f64,
    #[serde(flatten)]
    pub(super) rates: Rates,
}

/// Cross-validation: for each fold the accuracy of a model that learned from the others.
#[derive(Serialize)]
pub(super) struct Folds {
    pub(super) accuracies: Vec<f64>,
    pub(super) mean: f64,
    /// The standard deviation of the accuracies (divided by K − 1).
    pub(super) sd: f64,
    /// The rates of all folds together; an AUC is the mean of those of the folds.
    #[serde(flatten)]
    pub(super) rates: Rates,
}

/// Splits the data for `--holdout`, if that was given.
pub(super) fn split(context: &Context<'_>, options: &Options) -> Result<Option<Split>, CliError> {
    let share = context.arguments.holdout;
    let split = share.map(|share| hold_out(context.numbers, share, options.seed)).transpose();
    split.map_err(|error| split_error(context, error))
}

/// Scores of examples by models that did not learn from them.
#[derive(Default)]
pub(super) struct HeldOutScores {
    /// A score for each hyperplane, in the units of its model.
    scores: Vec<f64>,
    classes: Vec<u32>,
}

impl HeldOutScores {
    fn add(&mut self, part: &Part<'_>, predictions: &Predictions, units: &[f64]) {
        let in_units = predictions.scores.iter().zip(units.iter().cycle());
        self.scores.extend(in_units.map(|(score, unit)| score / unit));
        self.classes.extend_from_slice(&part.classes);
    }

    /// The scores as those of a model with these units.
    pub(super) fn scores(&self, units: &[f64]) -> Vec<f64> {
        self.scores.iter().zip(units.iter().cycle()).map(|(score, unit)| score * unit).collect()
    }

    /// The class of each example.
    pub(super) fn classes(&self) -> &[u32] {
        &self.classes
    }
}

/// Evaluates the model on held-out examples, and returns its scores of them.
pub(super) fn held_out(
    context: &Context<'_>,
    model: &Model,
    part: &Part<'_>,
) -> Result<(HoldoutResult, HeldOutScores), CliError> {
    let predictions = predictions(context, model, part)?;
    let judged = judged(model, part, &predictions)?;
    let mut scores = HeldOutScores::default();
    scores.add(part, &predictions, &model.classifier().score_units());
    let (rates, confusion) = (judged.rates(model.classes()), judged.confusion);
    let (examples, errors) = (confusion.total(), confusion.errors());
    let accuracy = confusion.accuracy().unwrap_or(0.0);
    Ok((HoldoutResult { examples, errors, accuracy, rates }, scores))
}

/// Runs the cross-validation of `--folds`, if that was given, and returns the scores of the examples.
pub(super) fn cross_validation(
    context: &Context<'_>,
    options: &Options,
) -> Result<(Option<Folds>, HeldOutScores), CliError> {
    let mut scores = HeldOutScores::default();
    let Some(k) = context.arguments.folds else { return Ok((None, scores)) };
    let splits = folds(context.numbers, k as usize, options.seed);
    let splits = splits.map_err(|error| split_error(context, error))?;
    let options = Options { compare: false, ..options.clone() };
    let mut judge = |split: &Split| -> Result<Judged, CliError> {
        let filled = context.dataset.filled_by(&split.train);
        let context = &Context { dataset: filled.as_ref().unwrap_or(context.dataset), ..*context };
        let part = Part::select(context, &split.train);
        let model = learn(context, &part, None, &options, &mut TrainObserver::silent())?;
        let part = Part::select(context, &split.test);
        let predictions = predictions(context, &model, &part)?;
        scores.add(&part, &predictions, &model.classifier().score_units());
        Ok(judged(&model, &part, &predictions)?)
    };
    let all: Vec<Judged> = splits.iter().map(&mut judge).collect::<Result<_, CliError>>()?;
    Ok((Some(Folds::of(&all, context.classes)?), scores))
}

fn split_error(context: &Context<'_>, error: SplitError) -> CliError {
    CliError::Split { file: context.dataset.file.clone(), error }
}

impl Folds {
    fn of(folds: &[Judged], classes: &Classes) -> Result<Self, CliError> {
        let mut together = Judged::new(classes.names().len())?;
        folds.iter().for_each(|fold| together.confusion.add(&fold.confusion));
        let each: Vec<Rates> = folds.iter().map(|fold| fold.rates(classes)).collect();
        let rates = together.rates(classes).with_mean_auc(&each);
        let accuracy = |fold: &Judged| fold.confusion.accuracy().unwrap_or(0.0);
        let accuracies: Vec<f64> = folds.iter().map(accuracy).collect();
        let k = accuracies.len() as f64;
        let mean = accuracies.iter().sum::<f64>() / k;
        let squares = accuracies.iter().map(|accuracy| (accuracy - mean).powi(2)).sum::<f64>();
        Ok(Folds { sd: (squares / (k - 1.0)).sqrt(), mean, accuracies, rates })
    }
}

/// The predictions of the model for a part.
fn predictions(
    context: &Context<'_>,
    model: &Model,
    part: &Part<'_>,
) -> Result<Predictions, CliError> {
    let threads = context.arguments.reading.threads();
    let options = PredictOptions { threads, ..PredictOptions::default() };
    let failed = |error| context.predict_error(error, |row| part.place(row));
    model.classify(&part.rows, options, true).map_err(failed)
}

/// Compares predictions of the model with the labels of a part.
fn judged(model: &Model, part: &Part<'_>, predictions: &Predictions) -> Result<Judged, CountError> {
    let mut judged = Judged::new(model.classes().names().len())?;
    for (&actual, &predicted) in part.classes.iter().zip(&predictions.classes) {
        judged.confusion.count(actual, predicted)?;
    }
    let actual: Vec<Option<u32>> = part.classes.iter().copied().map(Some).collect();
    judged.rank(&actual, &predictions.scores);
    Ok(judged)
}
