//! `rosenblatt train`: from a file to a report and a model.

use std::time::Instant;

use rosenblatt_core::{
    data::{Rows, Scale},
    schedule::Order,
    train::{OptionError, Options},
    transforms::PrepareOptions,
};
use rosenblatt_data::{Note, NoteCode, ReadOptions, Remedy, TextNumbers};

use super::{
    inputs::InputFiles,
    notes::{self, NoteLog},
    outputs::not_over_labels,
};
use crate::{
    args::{TrainArgs, notes_list},
    error::CliError,
    hints, output,
};

mod best;
mod calibrated;
mod checkpoint;
mod context;
mod copies;
mod default_folds;
mod diagnosis;
mod effects;
mod guaranteed;
mod hardest_examples;
mod in_memory;
mod label_copies;
mod observer;
mod outcome;
mod proposal;
mod remedies;
mod report;
mod stream;
mod sweep;
mod traced;
mod training;
mod validation;
mod weights;

use in_memory::Plan;
use outcome::TrainOutcome;
use stream::Read;

pub(crate) fn run(arguments: &TrainArgs) -> Result<(), CliError> {
    let start = Instant::now();
    let log = NoteLog::new(&arguments.printing);
    log.tell(named_options(arguments));
    sweep::check(arguments)?;
    traced::check(arguments)?;
    validation::check_group(arguments)?;
    let options = options(arguments)?;
    let outcome = outcome(arguments, options, &log)
        .map_err(|error| remedies::with_all_options(arguments, error))?;
    if let Some(path) = &arguments.output {
        outcome.file.save(path)?;
    }
    if let Some(trace) = &outcome.trace {
        trace.write()?;
    }
    sweep::draw(arguments, outcome.sweep.as_ref(), &outcome.data)?;
    let seconds = (!arguments.no_timing).then(|| start.elapsed().as_secs_f64());
    let notes = report::notes(&outcome);
    if arguments.printing.json {
        log.keep(notes);
        log.print_json(&report::json(&outcome, seconds))
    } else if arguments.printing.quiet {
        log.tell(notes);
        Ok(())
    } else {
        output::print(&report::text(&outcome, &notes, seconds))
    }
}

/// The options that `--preset` or `--notes` stands for.
fn named_options(arguments: &TrainArgs) -> impl Iterator<Item = Note> {
    let preset = arguments.preset.map(|preset| {
        let list = preset.list(!arguments.columns.text.is_empty());
        notes::stands_for("preset", &preset.name(), &list)
    });
    let named = arguments
        .learning
        .notes
        .map(|named| notes::stands_for("notes", named.name(), &notes_list(named, false)));
    preset.into_iter().chain(named)
}

/// The checked options of the run.
fn options(arguments: &TrainArgs) -> Result<Options, CliError> {
    let mut options = arguments.learning.options();
    let has_end = arguments.learning.run.has_epochs || options.allow_mistakes > 0;
    options.plateau = !has_end && arguments.patience.is_none();
    if is_one_pass(arguments, &options) && !arguments.learning.run.has_order {
        options.order = Order::Given;
    }
    let usage = |error: OptionError| {
        let hint = hints::of_option(&error);
        CliError::Usage { message: error.to_string(), hint }
    };
    options.check().map_err(usage)?;
    effects::check(arguments, &options, None)?;
    if arguments.patience.is_some() && !options.keep.kept().keeper().is_hyperplane() {
        return Err(usage(OptionError::PatienceWithVote));
    }
    Ok(options)
}

/// Whether the run is one pass, which may be made while the file is read, in its order.
fn is_one_pass(arguments: &TrainArgs, options: &Options) -> bool {
    options.epochs == 1 && arguments.checkpoint.is_none() && arguments.resume.is_none()
}

/// The note that the prepared rows, which are a copy in memory, are larger than `--memory`.
fn large_copy(arguments: &TrainArgs, rows: &Rows<'_>, prepare: PrepareOptions) -> Option<Note> {
    if rows.stored() <= arguments.learning.memory / size_of::<f64>() {
        return None;
    }
    if !prepare.is_only_scaled() {
        let words = "the prepared rows are a copy in memory, larger than `--memory`";
        return Some(Note::new(NoteCode::Memory, words));
    }
    let words = "the scaled rows are a copy in memory, larger than `--memory`; `--scale none` makes no copy";
    let note = Note::new(NoteCode::Memory, words);
    let unscaled = Remedy::Run { option: "scale", value: "none" };
    (prepare.scaling() != Scale::None).then(|| note.remedy(unscaled))
}

/// Learns while the data is read if one pass suffices, else in memory.
fn outcome(
    arguments: &TrainArgs,
    options: Options,
    log: &NoteLog,
) -> Result<TrainOutcome, CliError> {
    let start = checkpoint::open(arguments)?;
    let reading = arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error);
    let numbers = match arguments.diagnose {
        true => TextNumbers::FloatsAndDecimals,
        false => TextNumbers::Floats,
    };
    let id = arguments.group.as_ref().or(arguments.weight.as_ref()).cloned();
    let reading = ReadOptions { id, numbers, ..reading };
    let files =
        InputFiles::new(&arguments.data, &arguments.more, arguments.labeled.labels.as_deref());
    let prepare = arguments.learning.prepare.0;
    let read = if stream::suits(arguments, &options) {
        stream::read(arguments, &reading, (&options, prepare.scaling()), log)?
    } else {
        let memory = arguments.learning.memory;
        Read::Whole(Box::new(files.read_within(&reading, memory, log)?))
    };
    match read {
        Read::Learned(outcome) => Ok(*outcome),
        Read::Whole(dataset) => {
            not_over_labels(arguments.output.as_deref(), &dataset.notes)?;
            log.tell(notes::with_text(&dataset.notes, &dataset.schema, &arguments.columns));
            log.tell(large_copy(arguments, &dataset.rows, prepare));
            in_memory::learn(arguments, *dataset, Plan { options, prepare }, start)
        }
    }
}
