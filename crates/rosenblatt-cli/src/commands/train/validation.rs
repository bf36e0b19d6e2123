//! The accuracy of a model on examples that it did not learn from.

use rosenblatt::{
    metrics::Confusion,
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
use crate::error::CliError;

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
}

/// Cross-validation: for each fold the accuracy of a model that learned from the others.
#[derive(Serialize)]
pub(super) struct Folds {
    pub(super) accuracies: Vec<f64>,
    pub(super) mean: f64,
    /// The standard deviation of the accuracies (divided by K − 1).
    pub(super) sd: f64,
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
    let confusion = confusion(context, model, part)?;
    let accuracy = confusion.accuracy().unwrap_or(0.0);
    Ok(HoldoutResult { examples: confusion.total(), errors: confusion.errors(), accuracy })
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
    let accuracy = |split: &Split| {
        let filled = context.dataset.filled_by(&split.train);
        let context = &Context { dataset: filled.as_ref().unwrap_or(context.dataset), ..*context };
        let part = Part::select(context, &split.train);
        let model = learn(context, &part, None, &options, &mut TrainObserver::silent())?;
        Ok(held_out(context, &model, &Part::select(context, &split.test))?.accuracy)
    };
    let accuracies = splits.iter().map(accuracy).collect::<Result<_, CliError>>()?;
    Ok(Some(Folds::of(accuracies)))
}

fn split_error(context: &Context<'_>, error: SplitError) -> CliError {
    CliError::Split { file: context.dataset.file.clone(), error }
}

impl Folds {
    fn of(accuracies: Vec<f64>) -> Self {
        let k = accuracies.len() as f64;
        let mean = accuracies.iter().sum::<f64>() / k;
        let squares = accuracies.iter().map(|accuracy| (accuracy - mean).powi(2)).sum::<f64>();
        Folds { sd: (squares / (k - 1.0)).sqrt(), mean, accuracies }
    }
}

/// Compares the model with the labels of a part.
fn confusion(context: &Context<'_>, model: &Model, part: &Part<'_>) -> Result<Confusion, CliError> {
    let threads = context.arguments.reading.threads();
    let options = PredictOptions { threads, ..PredictOptions::default() };
    let failed = |error| context.predict_error(error, |row| part.place(row));
    let predictions = model.classify(&part.rows, options, false).map_err(failed)?;
    let mut confusion = Confusion::new(model.classes().names().len())?;
    for (&actual, &predicted) in part.classes.iter().zip(&predictions.classes) {
        confusion.count(actual, predicted)?;
    }
    Ok(confusion)
}
