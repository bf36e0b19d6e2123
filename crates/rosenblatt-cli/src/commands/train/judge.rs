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
    /// The examples that were held out, until the model is there.
    #[serde(skip)]
    waiting: Option<(Vec<usize>, Vec<Sign>)>,
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

/// Does what can be done before the model is there, and says which examples it may learn from (all,
/// unless some are held out).
pub(super) fn judge(
    lesson: &Lesson<'_>,
    signs: &[Sign],
    options: &Options,
) -> Result<(Judged, Option<Vec<usize>>), Failure> {
    let too_few = |error: TooFew| Failure::Split { file: lesson.dataset.file.clone(), error };
    let mut judged = Judged { holdout: None, folds: None, waiting: None };
    if let Some(share) = lesson.arguments.holdout {
        let Split { train, test } = hold_out(signs, share, options.seed).map_err(too_few)?;
        let test_signs = test.iter().map(|&i| signs[i]).collect();
        judged.waiting = Some((test, test_signs));
        return Ok((judged, Some(train)));
    }
    if let Some(k) = lesson.arguments.folds {
        let splits = folds(signs, k as usize, options.seed).map_err(too_few)?;
        let options = Options { compare: false, ..options.clone() };
        let accuracy = |split: &Split| fold_accuracy(lesson, signs, split, &options);
        judged.folds = Some(Folds::of(splits.iter().map(accuracy).collect::<Result<_, _>>()?));
    }
    Ok((judged, None))
}

impl Judged {
    /// Judges the model by what was held out for it.
    pub(super) fn on_the_rest(
        self,
        lesson: &Lesson<'_>,
        model: &LinearModel,
    ) -> Result<Self, Failure> {
        let Some((places, signs)) = &self.waiting else { return Ok(self) };
        let confusion = confusion(lesson, model, places, signs)?;
        let accuracy = confusion.accuracy().unwrap_or(0.0);
        let (examples, errors) = (confusion.total(), confusion.errors());
        Ok(Judged { holdout: Some(HeldOut { examples, errors, accuracy }), ..self })
    }
}

impl Folds {
    fn of(accuracies: Vec<f64>) -> Self {
        let k = accuracies.len() as f64;
        let mean = accuracies.iter().sum::<f64>() / k;
        let squares = accuracies.iter().map(|accuracy| (accuracy - mean).powi(2)).sum::<f64>();
        Folds { sd: (squares / (k - 1.0)).sqrt(), mean, accuracies }
    }
}

fn fold_accuracy(
    lesson: &Lesson<'_>,
    signs: &[Sign],
    split: &Split,
    options: &Options,
) -> Result<f64, Failure> {
    let of = |places: &[usize]| places.iter().map(|&i| signs[i]).collect::<Vec<_>>();
    let rows = lesson.dataset.rows.select(&split.train);
    let (model, _) = lesson.learn(&rows, &of(&split.train), options, &mut Watch::nothing())?;
    let confusion = confusion(lesson, &model, &split.test, &of(&split.test))?;
    Ok(confusion.accuracy().unwrap_or(0.0))
}

fn confusion(
    lesson: &Lesson<'_>,
    model: &LinearModel,
    places: &[usize],
    signs: &[Sign],
) -> Result<Confusion, Failure> {
    let mut predictor = model.predictor();
    let mut confusion = Confusion::default();
    for (&place, &sign) in places.iter().zip(signs) {
        let predicted = predictor.predict(lesson.dataset.rows.row(place));
        let predicted = predicted.ok_or_else(|| Failure::ScaledRow {
            file: lesson.dataset.file.clone(),
            example: place as u64 + 1,
        })?;
        confusion.count(sign, predicted);
    }
    Ok(confusion)
}
