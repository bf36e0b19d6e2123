//! One run: a part of the data, prepared and learned from.

use indicatif::ProgressBar;
use rosenblatt::recipe::{EarlyStopping, Part, Prepared};
use rosenblatt_core::{
    data::{Rows, ScaleError},
    model::Model,
    report::Stop,
    train::{Fit, Options, TrainError},
    transforms::Step,
};
use rosenblatt_data::prepare_on_disk;

use super::{
    context::{Context, RunError},
    observer::{Ending, TrainObserver},
    traced,
};
use crate::{args::TrainArgs, error::CliError, interrupt};

/// Prepares and learns from a part of the data. Supporting rows of the model are numbered as in the whole data.
pub(super) fn learn(
    context: &Context<'_>,
    part: &Part<'_>,
    early: Option<EarlyStopping<'_>>,
    options: &Options,
    observer: &mut TrainObserver,
) -> Result<Model, CliError> {
    let recipe = context.recipe(options);
    let apply = |step: &Step, rows: &Rows<'_>| apply(step, rows, context.arguments);
    let prepared = recipe.prepare_by(part, early, &apply).map_err(|error| context.error(error))?;
    let mut fit = run(context, &prepared, observer).map_err(|error| context.error(error))?;
    let mut options = options.clone();
    if let Ending::After(epochs) = observer.ending {
        // As a run with this maximum.
        options = Options { epochs, plateau: false, ..options };
        fit.report.stopped_by = Stop::MaxEpochs;
    }
    let model = prepared.model(fit, context.classes.clone(), options);
    model.map_err(|error| context.error(error))
}

/// Applies a step of the preparation: dense rows that exceed `--memory` stand in a file beside the data. If it cannot be written,
/// they are a copy in memory.
fn apply(step: &Step, rows: &Rows<'_>, arguments: &TrainArgs) -> Result<Rows<'static>, ScaleError> {
    let most = arguments.learning.memory / size_of::<f64>();
    let is_large = !rows.is_sparse() && rows.stored() > most;
    let on_disk = is_large.then(|| prepare_on_disk(step, rows, &arguments.data).ok()).flatten();
    on_disk.map_or_else(|| step.apply(rows, Some(most)), Ok)
}

/// Makes a run, which Ctrl-C can end.
pub(super) fn run(
    context: &Context<'_>,
    prepared: &Prepared<'_>,
    observer: &mut TrainObserver,
) -> Result<Fit, RunError> {
    let labelled = prepared.labelled()?;
    let tracer = match observer.traces {
        true => traced::tracer(context.arguments, &labelled, prepared.options())?,
        false => None,
    };
    let start = observer.checkpoints.take_start();
    let mut observers = (tracer, observer);
    let is_kept = observers.1.ending == Ending::Kept;
    let fit = || prepared.fit(start.as_ref(), &mut observers);
    let fit = if is_kept { interrupt::guarded_and_kept(fit) } else { interrupt::guarded(fit) };
    let (tracer, observer) = observers;
    observer.progress.end();
    let fit = match fit {
        // The votes were not counted to the end.
        Err(rosenblatt::Error::Train(TrainError::Stopped)) => {
            return Err(observer.checkpoints.interrupted().into());
        }
        fit => fit?,
    };
    if let Some(error) = observer.checkpoints.take_error() {
        return Err(error.into());
    }
    match fit.report.stopped_by {
        Stop::Observer if is_kept => observer.ending = Ending::After(fit.report.epochs),
        stop if !is_kept && (stop == Stop::Observer || interrupt::requested()) => {
            return Err(match observer.checkpoints.interrupted() {
                // The run of the model, in which the trace is.
                CliError::Interrupted if observer.traces => {
                    CliError::InterruptedUnwritten { epoch: fit.report.epochs }
                }
                error => error,
            }
            .into());
        }
        _ => {}
    }
    if let Some(tracer) = tracer {
        let file = || context.dataset.file.clone();
        let trace = tracer.finish().map_err(|error| CliError::Score { file: file(), error })?;
        observer.trace = traced::written(context, &labelled, &trace);
    }
    Ok(fit)
}

/// Makes a run that shows nothing but that it ended.
pub(super) fn run_silently(
    context: &Context<'_>,
    prepared: &Prepared<'_>,
    bar: &ProgressBar,
) -> Result<Fit, RunError> {
    let fit = run(context, prepared, &mut TrainObserver::silent());
    bar.inc(1);
    fit
}
