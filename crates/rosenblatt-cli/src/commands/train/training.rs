//! One run: a part of the data, prepared and learned from.

use indicatif::ProgressBar;
use rosenblatt::recipe::{EarlyStopping, Part, Prepared};
use rosenblatt_core::{
    model::Model,
    report::Stop,
    train::{Fit, Options, TrainError},
};

use super::{
    context::{Context, RunError},
    observer::TrainObserver,
    traced,
};
use crate::{error::CliError, interrupt};

/// Prepares and learns from a part of the data. Supporting rows of the model are numbered as in the whole data.
pub(super) fn learn(
    context: &Context<'_>,
    part: &Part<'_>,
    early: Option<EarlyStopping<'_>>,
    options: &Options,
    observer: &mut TrainObserver,
) -> Result<Model, CliError> {
    let recipe = context.recipe(options);
    let prepared = recipe.prepare(part, early).map_err(|error| context.error(error))?;
    let fit = run(context, &prepared, observer).map_err(|error| context.error(error))?;
    let model = prepared.model(fit, context.classes.clone(), options.clone());
    model.map_err(|error| context.error(error))
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
    let fit = interrupt::guarded(|| prepared.fit(start.as_ref(), &mut observers));
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
    if fit.report.stopped_by == Stop::Observer || interrupt::requested() {
        return Err(observer.checkpoints.interrupted().into());
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
