//! Folds that no option asked for: where they take little work, every report begins with the accuracy on examples that the
//! model did not learn from. They change no bit of the model.

use rosenblatt::recipe::{CrossValidation, FOLDS, NoFolds, Prepared, own_folds};
use rosenblatt_core::{
    calibration::{CalibrationMethod, LabelsBy},
    report::Report,
    split::Splitter,
    train::Options,
    validation::{ClassWeightTrial, Folds},
};

use super::{
    context::{Context, RunError},
    observer::TrainObserver,
    training::run,
    validation::cross_validation,
};
use crate::{args::TrainArgs, error::CliError};

/// The results of the folds, or why there are none.
#[derive(Default)]
pub(super) struct Crossed {
    pub(super) results: Option<(Folds, CrossValidation)>,
    /// The error of folds that no option asked for.
    pub(super) failed: Option<String>,
}

/// Why a run with these options never makes folds of its own, whatever the data.
pub(super) fn never(options: &Options) -> Option<&'static str> {
    Some(match NoFolds::of(options)? {
        NoFolds::Costly => "with a kernel or a vote there are folds only with `--folds`",
        NoFolds::KeepLast => "with `--keep last` there are folds only with `--folds`",
        NoFolds::OnePass => "in one pass there are folds only with `--folds`",
    })
}

/// How examples are dealt out to folds after the run of `report`, if nothing else judges the model and the folds take little
/// work.
pub(super) fn splitter<'a>(
    context: &Context<'a>,
    options: &Options,
    report: &Report,
) -> Option<Splitter<'a>> {
    let TrainArgs { no_folds, folds, holdout, checkpoint, resume, printing, .. } =
        context.arguments;
    let is_judged = folds.is_some() || holdout.is_some();
    let is_kept = checkpoint.is_some() || resume.is_some();
    let is_silent = printing.quiet && !printing.json;
    if is_judged || *no_folds || is_kept || is_silent {
        return None;
    }
    own_folds(context.table(None), options, report)
}

/// The results of the folds. An error of one of them is no error of the run, which did not ask for them.
pub(super) fn folds(
    context: &Context<'_>,
    splitter: &Splitter<'_>,
    options: &Options,
) -> Result<Crossed, CliError> {
    let crossed = cross_validation(context, splitter, FOLDS.into(), options);
    match crossed.and_then(|crossed| Ok((crossed.folds(context.classes)?, crossed))) {
        Err(CliError::Interrupted) => Err(CliError::Interrupted),
        Err(error) => Ok(Crossed { results: None, failed: Some(error.to_string()) }),
        Ok(results) => Ok(Crossed { results: Some(results), failed: None }),
    }
}

/// Tries balanced class weights on the same folds if a class is never predicted, and both trials together take little work. Not where
/// labels follow probabilities, in which such weights do not count.
pub(super) fn remedy(
    context: &Context<'_>,
    by: (&Splitter<'_>, &Folds),
    options: &Options,
    report: &Report,
) -> Result<Option<ClassWeightTrial>, CliError> {
    let method = context.arguments.calibrate.map(CalibrationMethod::from);
    if method.is_some_and(|method| LabelsBy::from(method) == LabelsBy::Probability) {
        return Ok(None);
    }
    let refilled = context.refilled();
    let make_run = |prepared: &Prepared<'_>| run(context, prepared, &mut TrainObserver::silent());
    let recipe = context.recipe(options);
    let of = (context.table(Some(&refilled)), context.classes);
    let trial = recipe.try_class_weights(of, by, report, &make_run, RunError::is_interrupt);
    trial.map_err(|error| context.error(error))
}
