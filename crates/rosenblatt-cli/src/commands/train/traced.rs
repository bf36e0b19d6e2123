//! `train --trace`: the run visit by visit, as a table.

use std::path::Path;

use rosenblatt_core::{
    data::{Examples, Labelled, Scheme},
    trace::{Trace, Tracer},
    train::Options,
};
use rosenblatt_data::{TraceFormat, TraceTable};
use serde::Serialize;

use super::context::Context;
use crate::{
    args::TrainArgs,
    commands::outputs::{prepare, write},
    error::CliError,
    text::{count, counted},
};

/// A trace that is written.
#[derive(Serialize)]
pub(super) struct WrittenTrace {
    file: String,
    visits: usize,
    /// Whether these are all visits of the run.
    whole: bool,
    #[serde(skip)]
    text: String,
}

impl WrittenTrace {
    /// The line of the report.
    pub(super) fn line(&self) -> String {
        let visits = counted(self.visits as u64, "visit");
        let more = match self.whole {
            true => "all of the run",
            false => "the run has more; `--trace-epochs N` writes N epochs",
        };
        format!("{visits} ({more}), written to {}", self.file)
    }

    /// Writes the file, whole or not at all.
    pub(super) fn write(&self) -> Result<(), CliError> {
        write(Path::new(&self.file), self.text.as_bytes())
    }
}

/// Checks the name of the file, before any work.
pub(super) fn check(arguments: &TrainArgs) -> Result<(), CliError> {
    let Some(path) = &arguments.trace else { return Ok(()) };
    if TraceFormat::of_file(path).is_none() {
        let message = format!("--trace {}: the ending chooses the format", path.display());
        return Err(CliError::usage(message, "use .csv, .md, .tex or .json"));
    }
    let others = [&arguments.output, &arguments.checkpoint, &arguments.plot];
    if others.into_iter().flatten().any(|other| other == path) {
        let message = format!("--trace {}: another output has this name", path.display());
        return Err(CliError::usage(message, "name another file for the trace"));
    }
    let more = arguments.more.iter().chain(&arguments.labeled.labels);
    let inputs: Vec<&Path> =
        [&arguments.data].into_iter().chain(more).map(|path| path.as_path()).collect();
    prepare("--trace", path, &inputs)
}

/// Refuses the trace of several hyperplanes, before the run.
pub(super) fn check_classes(arguments: &TrainArgs, scheme: Scheme) -> Result<(), CliError> {
    if arguments.trace.is_none() || scheme.hyperplanes() == 1 {
        return Ok(());
    }
    let message = format!(
        "`--trace` tells the visits of one hyperplane, and {} classes have {}",
        scheme.classes(),
        scheme.hyperplanes()
    );
    Err(CliError::usage(message, "`--positive LABEL` makes one class of the rest"))
}

/// The observer of the visits of this run, if they are to be written.
pub(super) fn tracer<'a>(
    arguments: &TrainArgs,
    labelled: &Labelled<'a>,
    options: &Options,
) -> Result<Option<Tracer<'a>>, CliError> {
    let (Some(_), &[examples]) = (&arguments.trace, labelled.problems().as_slice()) else {
        return Ok(None);
    };
    let visits = most_visits(arguments.trace_epochs, &examples)?;
    let usage = |error: rosenblatt_core::train::OptionError| CliError::Usage {
        message: error.to_string(),
        hint: None,
    };
    Tracer::new(examples, options, visits as usize)
        .map(|tracer| tracer.epochs(arguments.trace_epochs))
        .map(Some)
        .map_err(usage)
}

/// The limit of the visits of a trace.
fn most_visits(epochs: Option<u64>, examples: &Examples<'_>) -> Result<u64, CliError> {
    let most = TraceTable::most_visits(examples.features());
    let visits = match epochs {
        None => (TraceTable::VISITS as u64).min(most),
        Some(epochs) => epochs.saturating_mul(examples.len() as u64),
    };
    if visits > most {
        let epochs = most / examples.len() as u64;
        let message = format!(
            "a trace has at most {} visits of {}",
            count(most),
            counted(examples.features() as u64, "feature")
        );
        let hint = match epochs {
            0 => "leave out `--trace-epochs`".to_owned(),
            epochs => format!("use `--trace-epochs {epochs}`"),
        };
        return Err(CliError::usage(message, hint));
    }
    Ok(visits)
}

/// The table of a finished trace.
pub(super) fn written(
    context: &Context<'_>,
    labelled: &Labelled<'_>,
    trace: &Trace,
) -> Option<WrittenTrace> {
    let path = context.arguments.trace.as_ref()?;
    let &[examples] = labelled.problems().as_slice() else { return None };
    let features = context.dataset.schema.feature_names();
    let has_threshold =
        context.arguments.learning.notes.is_some_and(rosenblatt::LectureNotes::has_threshold);
    let table = TraceTable { trace, examples, features: &features, has_threshold };
    Some(WrittenTrace {
        file: path.display().to_string(),
        visits: trace.visits.len(),
        whole: trace.is_whole,
        text: table.text(TraceFormat::of_file(path)?),
    })
}
