//! One run: a part of the data, prepared and learned from.

use std::borrow::Cow;

use rosenblatt::{
    data::{Labelled, Rows},
    model::{Model, ModelParts},
    prototype::Baseline,
    report::Stop,
    train::{Fit, HeldOut, Options, Resources, TrainError, fit},
    transforms::Preparation,
};

use super::{
    context::{Context, Part},
    observer::TrainObserver,
    traced,
};
use crate::{
    commands::inputs::{Prepared, prepared_rows},
    error::CliError,
    interrupt,
};

/// The held-out examples that may stop a run early.
pub(super) struct StopBy<'a> {
    pub(super) part: &'a Part<'a>,
    /// The number of epochs to wait for fewer errors.
    pub(super) patience: u64,
}

/// Prepares and learns from a part of the data. Supporting rows of the model are numbered as in the whole data.
pub(super) fn learn(
    context: &Context<'_>,
    part: &Part<'_>,
    stop_by: Option<StopBy<'_>>,
    options: &Options,
    observer: &mut TrainObserver,
) -> Result<Model, CliError> {
    let memory = context.arguments.learning.memory;
    let Prepared { preparation, rows } =
        prepared_rows(context.dataset, context.prepare, (options.bias, memory), &part.rows, |i| {
            part.place(i)
        })?;
    let scheme = context.classes.scheme();
    let rows = rows.as_ref().unwrap_or(&part.rows);
    let labelled = Labelled::new(rows, &part.classes, scheme)?;
    let others = stop_by.as_ref().map(|stop_by| known_part(context, &preparation, stop_by.part));
    let others = others.transpose()?;
    let held_out = match (&others, &stop_by) {
        (Some((rows, classes)), Some(StopBy { patience, .. })) => {
            let labelled = Labelled::new(rows, classes, scheme)?;
            Some(HeldOut { labelled, patience: *patience, least: 1 })
        }
        _ => None,
    };
    let scaled = Options { init: preparation.initial(&options.init), ..options.clone() };
    let fit = run(context, &labelled, held_out.as_ref(), &scaled, observer)?;
    let Fit { mut classifier, report, .. } = fit;
    classifier.renumber(|i| part.place(i));
    let (classes, baseline) = (context.classes.clone(), Baseline::of(&labelled));
    let options = options.clone();
    let calibration = None;
    let parts =
        ModelParts { classifier, preparation, classes, baseline, calibration, options, report };
    Model::new(parts).map_err(|error| context.predict_error(error, |row| part.place(row)))
}

/// The prepared rows of a part whose classes can be learned, with these. The others are errors after every epoch.
fn known_part<'p>(
    context: &Context<'_>,
    preparation: &Preparation,
    part: &'p Part<'p>,
) -> Result<(Cow<'p, Rows<'p>>, Vec<u32>), CliError> {
    let prepared = preparation.batch(&part.rows);
    let rows =
        prepared.map_err(|error| context.predict_error(error.into(), |row| part.place(row)))?;
    let known = part.known(context.classes);
    if !known.contains(&None) {
        return Ok((rows, part.classes.clone()));
    }
    let places: Vec<usize> = (0..known.len()).filter(|&row| known[row].is_some()).collect();
    Ok((Cow::Owned(rows.select(&places)), known.into_iter().flatten().collect()))
}

fn run(
    context: &Context<'_>,
    labelled: &Labelled<'_>,
    held_out: Option<&HeldOut<'_>>,
    options: &Options,
    observer: &mut TrainObserver,
) -> Result<Fit, CliError> {
    let arguments = context.arguments;
    let threads = arguments.reading.threads();
    let resources = Resources { threads, memory: arguments.learning.memory, block: None };
    let tracer = if observer.traces { traced::tracer(arguments, labelled, options)? } else { None };
    let start = observer.checkpoints.take_start();
    let mut observers = (tracer, observer);
    let fit = interrupt::guarded(|| match start {
        None => fit(labelled, options, &resources, held_out, &mut observers),
        Some(start) => start.resume(labelled, options, &resources, held_out, &mut observers),
    });
    let (tracer, observer) = observers;
    observer.progress.end();
    let fit = match fit {
        // The votes were not counted to the end.
        Err(TrainError::Stopped) => return Err(observer.checkpoints.interrupted()),
        fit => fit.map_err(|error| train_error(context, error))?,
    };
    if let Some(error) = observer.checkpoints.take_error() {
        return Err(error);
    }
    if fit.report.stopped_by == Stop::Observer || interrupt::requested() {
        return Err(observer.checkpoints.interrupted());
    }
    if let Some(tracer) = tracer {
        let file = || context.dataset.file.clone();
        let trace = tracer.finish().map_err(|error| CliError::Score { file: file(), error })?;
        observer.trace = traced::written(context, labelled, &trace);
    }
    Ok(fit)
}

fn train_error(context: &Context<'_>, error: TrainError) -> CliError {
    match (&error, &context.arguments.resume) {
        (TrainError::Checkpoint { .. }, Some(file)) => {
            CliError::Resume { file: file.display().to_string(), problem: error.to_string() }
        }
        _ => CliError::Train { file: context.dataset.file.clone(), error },
    }
}
