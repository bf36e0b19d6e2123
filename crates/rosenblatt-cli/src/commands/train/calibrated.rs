//! Probabilities of a model: its scores of examples that it did not learn from, and their classes.

use rosenblatt_core::{
    calibration::{CalibrationMethod, HeldOutScores},
    model::Model,
};
use serde::Serialize;

use super::context::Context;
use crate::error::CliError;

/// How the model was calibrated.
#[derive(Clone, Copy, Serialize)]
pub(super) struct CalibrationJson {
    pub(super) method: CalibrationMethod,
    /// The number of examples whose scores it was fitted to.
    pub(super) examples: usize,
    pub(super) from: CalibratedOn,
}

/// The examples of a calibration.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CalibratedOn {
    /// Those of `--holdout`.
    Holdout,
    /// Those of `--folds`, each scored by a model that learned from the other folds.
    Folds,
}

impl CalibrationJson {
    /// The line of the report.
    pub(super) fn text(self) -> String {
        let of = match self.from {
            CalibratedOn::Holdout => "the held-out examples",
            CalibratedOn::Folds => "all examples, each scored by a model without its fold",
        };
        let method = self.method.name();
        format!("{method}, fitted to the scores of {of}; `evaluate` measures them on others")
    }
}

/// Whether `--calibrate` has examples that the model does not learn from.
pub(super) fn check(context: &Context<'_>) -> Result<(), CliError> {
    let arguments = context.arguments;
    if arguments.calibrate.is_none() || arguments.holdout.is_some() || arguments.folds.is_some() {
        return Ok(());
    }
    Err(CliError::usage(
        "`--calibrate` needs examples that the model does not learn from",
        "add `--folds 5`, which then learns from all examples, or `--holdout 0.2`, whose examples calibrate only",
    ))
}

/// Calibrates a model, if that was asked for.
pub(super) fn calibrated(
    context: &Context<'_>,
    model: Model,
    scores: Option<HeldOutScores>,
    from: CalibratedOn,
) -> Result<(Model, Option<CalibrationJson>), CliError> {
    let Some((method, held_out)) = context.arguments.calibrate.zip(scores) else {
        return Ok((model, None));
    };
    let method = method.into();
    let scheme = model.classes().scheme();
    let calibration = held_out
        .calibrate(method, scheme, &model.classifier().score_units())
        .map_err(|error| CliError::Calibrate { file: context.dataset.file.clone(), error })?;
    let json = CalibrationJson { method, examples: calibration.rows(), from };
    let model = model.with_calibration(calibration);
    let model = model.map_err(|error| context.predict_error(error, |row| row))?;
    Ok((model, Some(json)))
}
