//! `rosenblatt study`: how soon runs over random orders converge, and how much they differ.

use std::time::Instant;

use rosenblatt::study::{
    HeldOutSweep, Plan, Study, StudyError, Sweep, SweepPoint, study, sweep, sweep_held_out,
};
use rosenblatt_core::{
    data::{Classes, Examples, Labelled, Scale, Scheme, ZeroScore},
    keep::Keep,
    rules::Mistake,
    schedule::Order,
    train::{Multiclass, Options},
    transforms::{Preparation, PrepareOptions},
};
use rosenblatt_data::Dataset;
use rosenblatt_plot::{Figure, Format};

use super::{
    inputs::{InputFiles, Prepared, classes, prepared_rows},
    notes::{self, NoteLog},
    options::class_weight,
    outputs::{prepare, write_picture},
};
use crate::{
    args::{StudyArgs, notes_list},
    error::CliError,
    interrupt, output,
};

mod json;
mod picture;
mod progress;
mod report;
mod swept;

use progress::StudyProgress;

/// All that is known at the end.
struct StudyOutcome<'a> {
    dataset: &'a Dataset,
    classes: &'a Classes,
    /// The number of examples of the negative and of the positive class.
    sizes: (usize, usize),
    options: &'a Options,
    preparation: &'a Preparation,
    study: Study,
    sweep: Option<(Sweep, Vec<SweepPoint>)>,
}

pub(crate) fn run(arguments: &StudyArgs) -> Result<(), CliError> {
    let start = Instant::now();
    let mut options = arguments.learning.options();
    check(arguments, &options)?;
    let log = NoteLog::new(&arguments.printing);
    let named = arguments.learning.notes;
    log.tell(named.map(|one| notes::stands_for("notes", one.name(), &notes_list(one, true))));
    let format = arguments.plot.as_deref().map(Format::of).transpose()?;
    let reading = arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error);
    let files =
        InputFiles::new(&arguments.data, &arguments.more, arguments.labeled.labels.as_deref());
    if let Some(path) = &arguments.plot {
        prepare("--plot", path, &files.all())?;
    }
    let dataset = files.read(&reading, arguments.plot.as_deref())?;
    log.tell(notes::with_text(&dataset.notes, &dataset.schema, &arguments.columns));
    let (classes, numbers) = classes(&dataset, arguments.columns.positive.as_deref())?;
    two_classes(&dataset, &classes)?;
    options.class_weight = class_weight(&arguments.learning.run.class_weight, &classes)?;
    // The theorem is about the rows as they are.
    let prepare = arguments.learning.prepare.0;
    let prepare_options = PrepareOptions { scale: prepare.scale.or(Some(Scale::None)), ..prepare };
    let memory = arguments.learning.memory;
    let first = arguments.learning.start.first_weights(&dataset, classes.scheme(), &options)?;
    let Prepared { preparation, rows } =
        prepared_rows(&dataset, prepare_options, options.bias, memory)?;
    options.init = preparation.initial(&first);
    let rows = rows.as_ref().unwrap_or(&dataset.rows);
    let labelled = Labelled::new(rows, &numbers, classes.scheme())?;
    let outcome = learn(
        arguments,
        &labelled.problems()[0],
        &options,
        Data { dataset: &dataset, classes: &classes, preparation: &preparation },
    )?;
    dataset.check_unchanged()?;
    if let (Some(path), Some(format)) = (&arguments.plot, format) {
        let figure = Figure { panels: vec![picture::panel(&outcome)] };
        write_picture(path, &figure, format)?;
    }
    if arguments.printing.json {
        log.print_json(&json::json(&outcome, start.elapsed().as_secs_f64()))
    } else if arguments.printing.quiet {
        Ok(())
    } else {
        output::print(&report::text(&outcome))
    }
}

/// Refuses options that have no effect in a study.
fn check(arguments: &StudyArgs, options: &Options) -> Result<(), CliError> {
    const MEMORY: usize = 1 << 30;
    if options.order == Order::Given {
        let hint = "use `--order shuffle`, the default: each seed gives another order";
        return Err(CliError::usage(StudyError::GivenOrder.to_string(), hint));
    }
    let kernel = options.kernel.is_some() || arguments.learning.memory != MEMORY;
    if kernel || options.keep != Keep::Auto || !options.compare {
        return Err(CliError::usage(
            "--kernel, --memory, --keep and --no-compare are for models, but a study makes no model",
            "a study compares the last and the averaged weights, in feature space",
        ));
    }
    if options.classes != Multiclass::Auto {
        let reason = "a study has two classes, which have one hyperplane";
        return Err(CliError::no_effect("classes", reason));
    }
    let predicts = options.mistake == Mistake::Label || arguments.holdout.is_some();
    let chosen = options.zero != ZeroScore::default() && arguments.learning.notes.is_none();
    if chosen && !predicts {
        let reason = "without `--mistake label` and `--holdout` a study predicts nothing";
        return Err(CliError::no_effect("zero", reason));
    }
    if options.penalty.is_some() {
        return Err(CliError::usage(
            "a study counts updates until runs converge, and a run with a penalty never does",
            "leave out `--penalty`",
        ));
    }
    let usage = |error: rosenblatt_core::train::OptionError| error.to_string();
    options.check().map_err(|error| CliError::Usage { message: usage(error), hint: None })
}

fn two_classes(dataset: &Dataset, classes: &Classes) -> Result<(), CliError> {
    match classes.scheme() {
        Scheme::Two { .. } => Ok(()),
        Scheme::OneVsRest { classes } => Err(CliError::usage(
            format!("{}: found {classes} classes, but a study needs two", dataset.file),
            "`--positive LABEL` studies that class against the rest",
        )),
    }
}

/// The data of a study.
struct Data<'a> {
    dataset: &'a Dataset,
    classes: &'a Classes,
    preparation: &'a Preparation,
}

fn learn<'a>(
    arguments: &StudyArgs,
    examples: &Examples<'_>,
    options: &'a Options,
    data: Data<'a>,
) -> Result<StudyOutcome<'a>, CliError> {
    let kind = arguments.sweep.map(Sweep::from);
    let runs = arguments.runs.unwrap_or(if kind.is_some() { 20 } else { 100 }) as usize;
    let plan = Plan { runs, threads: arguments.reading.threads() };
    let studies = 1 + kind.map_or(0, |kind| kind.factors().len());
    let progress = StudyProgress::new(arguments.printing.is_silent(), (runs * studies) as u64);
    let both = || {
        let study = study(examples, options, &plan, &progress)?;
        let points = |kind| match arguments.holdout {
            None => sweep(examples, options, kind, &plan, &progress),
            Some(share) => sweep_held_out(
                examples,
                options,
                HeldOutSweep { sweep: kind, share },
                &plan,
                &progress,
            ),
        };
        let swept = kind.map(|kind| points(kind).map(|points| (kind, points))).transpose()?;
        Ok((study, swept))
    };
    let found = interrupt::guarded(both);
    progress.end();
    if interrupt::requested() {
        return Err(CliError::Interrupted);
    }
    let Data { dataset, classes, preparation } = data;
    let file = || dataset.file.clone();
    let (study, sweep) = found.map_err(|error| match error {
        StudyError::Stopped => CliError::Interrupted,
        StudyError::Train(error) => CliError::Train { file: file(), error },
        error => CliError::Study { file: file(), error },
    })?;
    let sizes = examples.class_sizes();
    Ok(StudyOutcome { dataset, classes, sizes, options, preparation, study, sweep })
}
