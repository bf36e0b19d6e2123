//! How good a model is on examples that it did not learn from.

use rosenblatt::{
    metrics::Confusion,
    model::{Model, Use},
    split::{Split, SplitError, folds, hold_out},
    train::Options,
};
use serde::Serialize;

use super::{
    hard::Watch,
    lesson::{Lesson, Part},
};
use crate::failure::Failure;

/// What is known of unseen examples; in JSON each part stands only where it was asked for.
#[derive(Serialize)]
pub(super) struct Judged {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) holdout: Option<HeldOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) folds: Option<Folds>,
}

/// The model on the examples that were held out.
#[derive(Serialize)]
pub(super) struct HeldOut {
    pub(super) examples: u64,
    pub(super) errors: u64,
    pub(super) accuracy: f64,
}

/// Cross-validation: the accuracy on each fold of a model that learned from the others.
#[derive(Serialize)]
pub(super) struct Folds {
    pub(super) accuracies: Vec<f64>,
    pub(super) mean: f64,
    /// The standard deviation of the accuracies (divided by K − 1).
    pub(super) sd: f64,
}

/// What is held out, if anything is.
pub(super) fn split(
    lesson: &Lesson<'_>,
    classes: &[u32],
    options: &Options,
) -> Result<Option<Split>, Failure> {
    let share = lesson.arguments.holdout;
    let split = share.map(|share| hold_out(classes, share, options.seed)).transpose();
    split.map_err(|error| no_split(lesson, error))
}

/// Judges the model by the examples that were held out.
pub(super) fn held_out(
    lesson: &Lesson<'_>,
    model: &Model,
    part: &Part<'_>,
) -> Result<HeldOut, Failure> {
    let confusion = confusion(lesson, model, part)?;
    let accuracy = confusion.accuracy().unwrap_or(0.0);
    Ok(HeldOut { examples: confusion.total(), errors: confusion.errors(), accuracy })
}

/// Cross-validation, if it was asked for.
pub(super) fn cross_validation(
    lesson: &Lesson<'_>,
    classes: &[u32],
    options: &Options,
) -> Result<Option<Folds>, Failure> {
    let Some(k) = lesson.arguments.folds else { return Ok(None) };
    let splits =
        folds(classes, k as usize, options.seed).map_err(|error| no_split(lesson, error))?;
    let options = Options { compare: false, ..options.clone() };
    let accuracy = |split: &Split| {
        let part = |places: &[usize]| -> Vec<u32> { places.iter().map(|&i| classes[i]).collect() };
        let (rows, test) = (&lesson.dataset.rows, &split.test);
        let train = (&rows.select(&split.train), part(&split.train));
        let (model, _) =
            lesson.learn((train.0, &train.1), None, &options, &mut Watch::nothing())?;
        let part = Part { rows: &rows.select(test), classes: &part(test), places: test };
        Ok(held_out(lesson, &model, &part)?.accuracy)
    };
    let accuracies = splits.iter().map(accuracy).collect::<Result<_, Failure>>()?;
    Ok(Some(Folds::of(accuracies)))
}

fn no_split(lesson: &Lesson<'_>, error: SplitError) -> Failure {
    Failure::Split { file: lesson.dataset.file.clone(), error }
}

impl Folds {
    fn of(accuracies: Vec<f64>) -> Self {
        let k = accuracies.len() as f64;
        let mean = accuracies.iter().sum::<f64>() / k;
        let squares = accuracies.iter().map(|accuracy| (accuracy - mean).powi(2)).sum::<f64>();
        Folds { sd: (squares / (k - 1.0)).sqrt(), mean, accuracies }
    }
}

/// The model against the labels of a part.
fn confusion(lesson: &Lesson<'_>, model: &Model, part: &Part<'_>) -> Result<Confusion, Failure> {
    let threads = lesson.arguments.reading.threads();
    let mut predictor = model.predictor(Use { threads, ..Use::default() });
    let place = |row: usize| part.places[row] as u64 + 1;
    let failed = |error| Failure::predicting(&lesson.dataset.file, error, place);
    let predictions = predictor.predict(part.rows, false).map_err(failed)?;
    let mut confusion = Confusion::new(model.classes.names().len())?;
    for (&actual, &predicted) in part.classes.iter().zip(&predictions.classes) {
        confusion.count(actual, predicted)?;
    }
    Ok(confusion)
}
