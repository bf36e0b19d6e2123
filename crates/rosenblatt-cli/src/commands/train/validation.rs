//! The accuracy of a model on examples that it did not learn from.

use std::collections::HashMap;

use rosenblatt::{
    calibration::HeldOutScores,
    data::Classes,
    metrics::CountError,
    model::{Model, PredictOptions, Predictions},
    split::{Split, SplitError, folds, group_folds, hold_out, hold_out_groups},
    train::Options,
};
use serde::Serialize;

use super::{
    context::{Context, Part},
    observer::TrainObserver,
    training::learn,
};
use crate::{
    args::TrainArgs,
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
    let Some(share) = context.arguments.holdout else { return Ok(None) };
    let (classes, seed) = (context.numbers, options.seed);
    let split = match groups(context)? {
        Some(groups) => hold_out_groups(classes, &groups, share, seed),
        None => hold_out(classes, share, seed),
    };
    split.map(Some).map_err(|error| split_error(context, error))
}

/// Refuses groups where no examples are held out.
pub(super) fn check_group(arguments: &TrainArgs) -> Result<(), CliError> {
    if arguments.group.is_none() || arguments.folds.is_some() || arguments.holdout.is_some() {
        return Ok(());
    }
    Err(CliError::usage(
        "`--group` keeps rows together when examples are held out, and none are",
        "add `--folds 5` or `--holdout 0.2`, or leave the column out with `--ignore`",
    ))
}

/// The number of the group of each example, if `--group` names a column.
fn groups(context: &Context<'_>) -> Result<Option<Vec<u32>>, CliError> {
    let Some(column) = &context.arguments.group else { return Ok(None) };
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut number = |cell| {
        let next = numbers.len() as u32;
        *numbers.entry(cell).or_insert(next)
    };
    if context.dataset.ids.len() != context.dataset.rows.len() {
        return Err(CliError::usage(
            "the rows exceed `--memory` and were packed, which keeps no groups",
            "raise `--memory`",
        ));
    }
    if let Some(row) = context.dataset.ids.iter().position(String::is_empty) {
        return Err(CliError::usage(
            format!(
                "{}: example {}: the cell of `{column}` is empty",
                context.dataset.file,
                row + 1
            ),
            "`--group` needs a column with a cell in each row",
        ));
    }
    Ok(Some(context.dataset.ids.iter().map(|cell| number(cell.as_str())).collect()))
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
    scores.add(&predictions.scores, &part.classes, &model.classifier().score_units());
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
    let (classes, k, seed) = (context.numbers, k as usize, options.seed);
    let splits = match groups(context)? {
        Some(groups) => group_folds(classes, &groups, k, seed),
        None => folds(classes, k, seed),
    };
    let splits = splits.map_err(|error| split_error(context, error))?;
    let options = Options { compare: false, ..options.clone() };
    let mut judge = |split: &Split| -> Result<Judged, CliError> {
        let filled = context.dataset.filled_by(&split.train);
        let context = &Context { dataset: filled.as_ref().unwrap_or(context.dataset), ..*context };
        let part = Part::select(context, &split.train);
        let model = learn(context, &part, None, &options, &mut TrainObserver::silent())?;
        let part = Part::select(context, &split.test);
        let predictions = predictions(context, &model, &part)?;
        scores.add(&predictions.scores, &part.classes, &model.classifier().score_units());
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
