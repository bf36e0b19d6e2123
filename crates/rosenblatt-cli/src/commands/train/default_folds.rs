//! Folds that no option asked for: where they take little work, every report begins with the accuracy on examples that the
//! model did not learn from. They change no bit of the model.

use rosenblatt::{
    calibration::HeldOutScores,
    keep::Keep,
    report::Report,
    split::Splitter,
    train::{ClassWeight, Options},
};

use super::{
    context::Context,
    validation::{Folds, Remedy, cross_validation},
};
use crate::{args::TrainArgs, error::CliError};

/// The number of folds.
pub(super) const FOLDS: u32 = 5;
/// The accuracy on fewer examples says little.
pub(super) const FEWEST_EXAMPLES: usize = 20;
/// The maximum of [`work`]: at most about half a second.
const MOST_WORK: u64 = 100_000_000;

/// The results of the folds, or why there are none.
#[derive(Default)]
pub(super) struct Crossed {
    pub(super) results: Option<(Folds, HeldOutScores)>,
    /// The error of folds that no option asked for.
    pub(super) failed: Option<String>,
}

/// Why a run with these options never makes folds of its own, whatever the data.
pub(super) fn never(options: &Options) -> Option<&'static str> {
    if options.kernel.is_some() || !options.keep.kept().keeper().is_hyperplane() {
        return Some("with a kernel or a vote there are folds only with `--folds`");
    }
    if options.keep == Keep::Last {
        return Some("with `--keep last` there are folds only with `--folds`");
    }
    let is_one_pass = options.epochs == 1;
    is_one_pass.then_some("in one pass there are folds only with `--folds`")
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
    if is_judged || *no_folds || is_kept || is_silent || never(options).is_some() {
        return None;
    }
    let rows = &context.dataset.rows;
    let mut sizes = vec![0; context.classes.names().len()];
    context.numbers.iter().for_each(|&class| sizes[class as usize] += 1);
    let suffice = rows.len() >= FEWEST_EXAMPLES && sizes.iter().all(|&size| size >= 2);
    let suits = suffice && work(context, options, report) <= MOST_WORK;
    suits.then(|| Splitter::new(rows, context.numbers, None))
}

/// The work of the folds, in units of about the time in which a stored value is looked at. It is counted, so that a run makes
/// the same folds on every machine: the visits of as many epochs as the run made, and for each fold the copy, the scaling, the
/// predictions and the weights.
fn work(context: &Context<'_>, options: &Options, report: &Report) -> u64 {
    /// Passes over the rows besides the epochs.
    const OTHER_PASSES: u64 = 12;
    /// The work of a visit besides the values of its row.
    const VISIT: u64 = 16;
    /// The work for each weight of the folds: to be made, averaged and compared.
    const WEIGHT: u64 = 120;
    let rows = &context.dataset.rows;
    let planes = context.classes.scheme().hyperplanes() as u64;
    let (stored, examples) = (rows.stored() as u64, rows.len() as u64);
    let pass = stored.saturating_add(examples.saturating_mul(VISIT));
    let update = match (options.penalty, options.update.rule().precise.is_some()) {
        (Some(_), _) => 3,
        (None, true) => 2,
        (None, false) => 1,
    };
    let epochs = report.epochs.saturating_mul(planes).saturating_mul(update);
    let visits = pass.saturating_mul(epochs.saturating_add(OTHER_PASSES));
    let weights = (rows.features() as u64).saturating_mul(planes).saturating_mul(WEIGHT);
    visits.saturating_mul(u64::from(FOLDS - 1)).saturating_add(weights)
}

/// The results of the folds. An error of one of them is no error of the run, which did not ask for them.
pub(super) fn folds(
    context: &Context<'_>,
    splitter: &Splitter<'_>,
    options: &Options,
) -> Result<Crossed, CliError> {
    match cross_validation(context, splitter, FOLDS, options) {
        Err(CliError::Interrupted) => Err(CliError::Interrupted),
        Err(error) => Ok(Crossed { results: None, failed: Some(error.to_string()) }),
        Ok(results) => Ok(Crossed { results: Some(results), failed: None }),
    }
}

/// Tries balanced class weights on the same folds if a class is never predicted, and both trials together take little work.
pub(super) fn remedy(
    context: &Context<'_>,
    (splitter, folds): (&Splitter<'_>, &Folds),
    options: &Options,
    report: &Report,
) -> Result<Option<Remedy>, CliError> {
    let is_weighted = options.class_weight != ClassWeight::Uniform;
    let balanced = Options { class_weight: ClassWeight::Balanced, ..options.clone() };
    let work = work(context, options, report).saturating_mul(2);
    let is_little = work <= MOST_WORK && never(options).is_none();
    if folds.rates.never_predicted().is_none() || is_weighted || !is_little {
        return Ok(None);
    }
    if balanced.check().is_err() {
        return Ok(None);
    }
    let trial = match cross_validation(context, splitter, folds.accuracies.len() as u32, &balanced)
    {
        Err(CliError::Interrupted) => return Err(CliError::Interrupted),
        trial => trial.ok(),
    };
    let remedy = trial.map(|(trial, _)| Remedy {
        class_weight: "balanced",
        mean: trial.mean,
        per_class: trial.rates.per_class,
    });
    Ok(remedy.filter(|remedy| remedy.found(folds).0 > 0))
}
