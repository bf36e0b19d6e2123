//! The accuracy of a model on examples that it did not learn from.

use rosenblatt::{
    data::Classes,
    model::{Model, PredictOptions},
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

/// Evaluates the model on held-out examples.
pub(super) fn held_out(
    context: &Context<'_>,
    model: &Model,
    part: &Part<'_>,
) -> Result<HoldoutResult, CliError> {
    let judged = judged(context, model, part)?;
    let (rates, confusion) = (judged.rates(model.classes()), judged.confusion);
    let accuracy = confusion.accuracy().unwrap_or(0.0);
    Ok(HoldoutResult { examples: confusion.total(), errors: confusion.errors(), accuracy, rates })
}

/// Runs the cross-validation of `--folds`, if that was given.
pub(super) fn cross_validation(
    context: &Context<'_>,
    options: &Options,
) -> Result<Option<Folds>, CliError> {
    let Some(k) = context.arguments.folds else { return Ok(None) };
    let splits = folds(context.numbers, k as usize, options.seed);
    let splits = splits.map_err(|error| split_error(context, error))?;
    let options = Options { compare: false, ..options.clone() };
    let judge = |split: &Split| {
        let filled = context.dataset.filled_by(&split.train);
        let context = &Context { dataset: filled.as_ref().unwrap_or(context.dataset), ..*context };
        let part = Part::select(context, &split.train);
        let model = learn(context, &part, None, &options, &mut TrainObserver::silent())?;
        judged(context, &model, &Part::select(context, &split.test))
    };
    let all: Vec<Judged> = splits.iter().map(judge).collect::<Result<_, CliError>>()?;
    Ok(Some(Folds::of(&all, context.classes)?))
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

/// Compares the model with the labels of a part.
fn judged(context: &Context<'_>, model: &Model, part: &Part<'_>) -> Result<Judged, CliError> {
    let threads = context.arguments.reading.threads();
    let options = PredictOptions { threads, ..PredictOptions::default() };
    let failed = |error| context.predict_error(error, |row| part.place(row));
    let predictions = model.classify(&part.rows, options, true).map_err(failed)?;
    let mut judged = Judged::new(model.classes().names().len())?;
    for (&actual, &predicted) in part.classes.iter().zip(&predictions.classes) {
        judged.confusion.count(actual, predicted)?;
    }
    let actual: Vec<Option<u32>> = part.classes.iter().copied().map(Some).collect();
    judged.rank(&actual, &predictions.scores);
    Ok(judged)
}
