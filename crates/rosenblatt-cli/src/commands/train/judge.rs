//! How good a model is on examples that it did not learn from.

use rosenblatt::{
    data::Sign,
    metrics::Confusion,
    model::LinearModel,
    split::{Split, TooFew, folds, hold_out},
    train::Options,
};
use serde::Serialize;

use super::{hard::Watch, lesson::Lesson};
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
    signs: &[Sign],
    options: &Options,
) -> Result<Option<Split>, Failure> {
    let share = lesson.arguments.holdout;
    let split = share.map(|share| hold_out(signs, share, options.seed)).transpose();
    split.map_err(|error| too_few(lesson, error))
}

/// Judges the model by the examples that were held out.
pub(super) fn held_out(
    lesson: &Lesson<'_>,
    model: &LinearModel,
    signs: &[Sign],
    split: &Split,
) -> Result<HeldOut, Failure> {
    let confusion = confusion(lesson, model, signs, &split.test)?;
    let accuracy = confusion.accuracy().unwrap_or(0.0);
    Ok(HeldOut { examples: confusion.total(), errors: confusion.errors(), accuracy })
}

/// Cross-validation, if it was asked for.
pub(super) fn cross_validation(
    lesson: &Lesson<'_>,
    signs: &[Sign],
    options: &Options,
) -> Result<Option<Folds>, Failure> {
    let Some(k) = lesson.arguments.folds else { return Ok(None) };
    let splits = folds(signs, k as usize, options.seed).map_err(|error| too_few(lesson, error))?;
    let options = Options { compare: false, ..options.clone() };
    let accuracy = |split: &Split| {
        let train_signs: Vec<Sign> = split.train.iter().map(|&i| signs[i]).collect();
        let rows = lesson.dataset.rows.select(&split.train);
        let (model, _) = lesson.learn(&rows, &train_signs, &options, &mut Watch::nothing())?;
        Ok(held_out(lesson, &model, signs, split)?.accuracy)
    };
    let accuracies = splits.iter().map(accuracy).collect::<Result<_, Failure>>()?;
    Ok(Some(Folds::of(accuracies)))
}

fn too_few(lesson: &Lesson<'_>, error: TooFew) -> Failure {
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

/// The model against the labels of the examples at these places.
fn confusion(
    lesson: &Lesson<'_>,
    model: &LinearModel,
    signs: &[Sign],
    places: &[usize],
) -> Result<Confusion, Failure> {
    let mut predictor = model.predictor();
    let mut confusion = Confusion::default();
    for &place in places {
        let predicted = predictor.predict(lesson.dataset.rows.row(place));
        let predicted = predicted.ok_or_else(|| Failure::ScaledRow {
            file: lesson.dataset.file.clone(),
            example: place as u64 + 1,
        })?;
        confusion.count(signs[place], predicted);
    }
    Ok(confusion)
}
