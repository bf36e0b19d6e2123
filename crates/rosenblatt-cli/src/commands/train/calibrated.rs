//! Probabilities of a model: its scores of examples that it did not learn from, and their classes.

use rosenblatt::recipe;
use rosenblatt_core::{
    calibration::{Calibration, HeldOutScores, LabelsBy},
    model::Model,
    validation::{CalibratedBy, CalibratedOn},
};

use super::context::Context;
use crate::{error::CliError, text::count};

/// The lines of the report.
pub(super) fn lines(calibrated: CalibratedBy) -> impl Iterator<Item = String> {
    let of = match calibrated.from {
        CalibratedOn::Holdout => "the held-out examples",
        CalibratedOn::Folds => "all examples, each scored by a model without its fold",
    };
    let CalibratedBy { method, examples, labels, relabelled, .. } = calibrated;
    let method = method.name();
    let fitted =
        format!("{method}, fitted to the scores of {of}; `evaluate` measures them on others");
    let other_labels = || {
        let (some, all) = (count(relabelled as u64), count(examples as u64));
        format!(
            "labels have the largest probability, which gives {some} of these {all} examples another label than the score; this report counts labels by the score"
        )
    };
    [fitted].into_iter().chain((labels == LabelsBy::Probability).then(other_labels))
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
) -> Result<(Model, Option<CalibratedBy>), CliError> {
    let Some((method, held_out)) = context.arguments.calibrate.zip(scores) else {
        return Ok((model, None));
    };
    let model = recipe::calibrated(model, method.into(), &held_out);
    let model = model.map_err(|error| context.error(error))?;
    let units = model.classifier().score_units();
    let by = |found: &Calibration| CalibratedBy {
        method: found.method(),
        examples: found.rows(),
        from,
        labels: found.labels(),
        relabelled: held_out.relabelled(found, model.decision(), &units),
    };
    let by = model.calibration().map(by);
    Ok((model, by))
}
