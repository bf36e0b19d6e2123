//! `rosenblatt train`: from a file to a report and a model.

use std::time::Instant;

use rosenblatt_core::{
    data::{Rows, Scale},
    schedule::Order,
    train::{OptionError, Options},
    transforms::PrepareOptions,
};
use rosenblatt_data::{CheckpointFile, Dataset, Note, NoteCode, ReadOptions, Remedy, TextNumbers};

use super::{
    inputs::InputFiles,
    notes::{self, NoteLog},
    outputs::not_over_labels,
};
use crate::{
    args::{TrainArgs, notes_list},
    error::CliError,
    hints, interrupt, output,
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
use observer::Ending;
use outcome::TrainOutcome;
use stream::Read;
use sweep::Compared;

pub(crate) fn run(arguments: &TrainArgs) -> Result<(), CliError> {
    let start = Instant::now();
    let log = NoteLog::new(&arguments.printing);
    sweep::check(arguments)?;
    traced::check(arguments)?;
    validation::check_group(arguments)?;
    let outcome =
        learn(arguments, &log).map_err(|error| remedies::with_all_options(arguments, error))?;
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
        log.print_json(&report::json(&outcome, seconds))?;
    } else if arguments.printing.quiet {
        log.tell(notes);
    } else {
        output::print(&report::text(&outcome, &notes, seconds))?;
    }
    match (outcome.written, outcome.ending) {
        (Some(file), Ending::After(epochs)) => {
            Err(CliError::InterruptedRun { file, epochs, again: again(arguments, epochs) })
        }
        (Some(file), Ending::Kept) if interrupt::requested() => {
            Err(CliError::InterruptedJudging { file })
        }
        _ => Ok(()),
    }
}

/// Learns with the best alternative of `--sweep`, if there are any.
fn learn(arguments: &TrainArgs, log: &NoteLog) -> Result<TrainOutcome, CliError> {
    let Some(Compared { arguments, dataset, sweep }) = sweep::compared(arguments, log)? else {
        log.tell(named_options(arguments));
        return outcome(arguments, options(arguments)?, log);
    };
    log.tell(named_options(&arguments));
    let options = options(&arguments)?;
    let outcome = of_dataset(&arguments, dataset, options, None, log)?;
    Ok(TrainOutcome { sweep: Some(sweep), ..outcome })
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
    options.check().map_err(unsuited)?;
    effects::check(arguments, &options, None)?;
    if arguments.patience.is_some() && !options.keep.kept().keeper().is_hyperplane() {
        return Err(unsuited(OptionError::PatienceWithVote));
    }
    Ok(options)
}

/// The error of options that exclude each other.
fn unsuited(error: OptionError) -> CliError {
    let hint = hints::of_option(&error);
    CliError::Usage { message: error.to_string(), hint }
}

/// The options with which a run that was interrupted after so many epochs makes the same model; `None` where others were chosen.
fn again(arguments: &TrainArgs, epochs: u64) -> Option<String> {
    let has_chosen = arguments.best || !arguments.sweep.is_empty();
    // One pass has another default.
    let order =
        if epochs == 1 && !arguments.learning.run.has_order { " --order shuffle" } else { "" };
    (!has_chosen).then(|| format!("--epochs {epochs}{order}"))
}

/// Whether the run is one pass, which may be made while the file is read, in its order. Where numbers of epochs are compared, only
/// these differ.
fn is_one_pass(arguments: &TrainArgs, options: &Options) -> bool {
    let is_one = options.epochs == 1 && !arguments.sweeps("epochs");
    is_one && arguments.checkpoint.is_none() && arguments.resume.is_none()
}

/// The note that the prepared rows, which are a copy, are larger than `--memory`.
fn large_copy(arguments: &TrainArgs, rows: &Rows<'_>, prepare: PrepareOptions) -> Option<Note> {
    if rows.stored() <= arguments.learning.memory / size_of::<f64>() {
        return None;
    }
    let (is_only_scaled, is_scaled) = (prepare.is_only_scaled(), prepare.scaling() != Scale::None);
    let words = match (rows.is_sparse(), is_only_scaled) {
        (_, true) if !is_scaled => return None,
        (false, _) => {
            "the prepared rows exceed `--memory`; they stand in a file beside the data, if one can be written, until the run ends"
        }
        (true, false) => "the prepared rows are a copy in memory, larger than `--memory`",
        (true, true) => {
            "the scaled rows are a copy in memory, larger than `--memory`; `--scale none` makes no copy"
        }
    };
    let note = Note::new(NoteCode::Memory, words);
    let unscaled = Remedy::Run { option: "scale", value: "none" };
    Some(if is_only_scaled { note.remedy(unscaled) } else { note })
}

/// Learns while the data is read if one pass suffices, else in memory.
fn outcome(
    arguments: &TrainArgs,
    options: Options,
    log: &NoteLog,
) -> Result<TrainOutcome, CliError> {
    let start = checkpoint::open(arguments)?;
    let reading = reading(arguments);
    let prepare = arguments.learning.prepare.0;
    let read = if stream::suits(arguments, &options) {
        stream::read(arguments, &reading, (&options, prepare.scaling()), log)?
    } else {
        let memory = arguments.learning.memory;
        Read::Whole(Box::new(files(arguments).read_within(&reading, memory, log)?))
    };
    match read {
        Read::Learned(outcome) => Ok(*outcome),
        Read::Whole(dataset) => {
            tell(arguments, &dataset, log)?;
            of_dataset(arguments, *dataset, options, start, log)
        }
    }
}

/// How the data is read.
fn reading(arguments: &TrainArgs) -> ReadOptions {
    let reading = arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error);
    let numbers = match arguments.diagnose {
        true => TextNumbers::FloatsAndDecimals,
        false => TextNumbers::Floats,
    };
    let id = arguments.group.as_ref().or(arguments.weight.as_ref()).cloned();
    ReadOptions { id, numbers, ..reading }
}

fn files(arguments: &TrainArgs) -> InputFiles<'_> {
    InputFiles::new(&arguments.data, &arguments.more, arguments.labeled.labels.as_deref())
}

/// Tells what was found out about the data while they were read.
fn tell(arguments: &TrainArgs, dataset: &Dataset, log: &NoteLog) -> Result<(), CliError> {
    not_over_labels(arguments.output.as_deref(), &dataset.notes)?;
    log.tell(notes::with_text(&dataset.notes, &dataset.schema, &arguments.columns));
    Ok(())
}

/// Learns from data that is whole in memory.
fn of_dataset(
    arguments: &TrainArgs,
    dataset: Dataset,
    options: Options,
    start: Option<CheckpointFile>,
    log: &NoteLog,
) -> Result<TrainOutcome, CliError> {
    let prepare = arguments.learning.prepare.0;
    log.tell(large_copy(arguments, &dataset.rows, prepare));
    in_memory::learn(arguments, dataset, Plan { options, prepare }, start)
}
