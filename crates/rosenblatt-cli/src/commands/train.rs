//! `rosenblatt train`: from a file to a report and a model.

use std::time::Instant;

use rosenblatt::{
    data::{Classes, Rows},
    keep::Keep,
    schedule::Order,
    train::{OptionError, Options},
};
use rosenblatt_data::{CheckpointFile, DataFiles, Dataset, ModelFile, Notes, Schema};

use super::notes;
use crate::{args::TrainArgs, failure::Failure, output, progress::Progress};

mod checkpoint;
pub(super) mod choices;
mod diagnosis;
mod hard;
mod judge;
mod lesson;
pub(super) mod report;
mod stream;

use checkpoint::Journal;
use diagnosis::{Diagnosis, diagnose};
use hard::{Hard, Watch, hardest};
use judge::Judged;
pub(super) use lesson::scale;
use lesson::{Lesson, Part};
use stream::Read;

/// All that is known when the model is there.
struct Outcome {
    /// The name of the data.
    data: String,
    file: ModelFile,
    judged: Judged,
    /// What is known of a run that did not converge, if that was asked.
    diagnosis: Option<Diagnosis>,
    hard: Option<Vec<Hard>>,
    /// How many times the largest feature is the smallest, where scaling was not asked for.
    spread: Option<f64>,
    /// Whether zeros of the rows are absent.
    is_sparse: bool,
    skipped: u64,
    /// Where the model was written.
    written: Option<String>,
}

pub(crate) fn run(arguments: &TrainArgs) -> Result<(), Failure> {
    let start = Instant::now();
    let mut options = arguments.learning.options();
    let goes_on = arguments.checkpoint.is_some() || arguments.resume.is_some();
    if options.epochs == 1 && arguments.learning.order.is_none() && !goes_on {
        // One pass is made while the file is read.
        options.order = Order::Given;
    }
    let usage = |error: OptionError| Failure::Usage { message: error.to_string(), hint: None };
    options.check().map_err(usage)?;
    if arguments.patience.is_some() && options.keep == Keep::Vote {
        return Err(usage(OptionError::PatienceWithVote));
    }
    let start_from = checkpoint::open(arguments)?;
    let reading = arguments.reading.options_with(&arguments.columns, arguments.on_error);
    let files = DataFiles { data: arguments.data.as_path(), labels: arguments.labels.as_deref() };
    let output = arguments.output.as_deref();
    let read = if stream::suits(arguments, &options) {
        stream::read(arguments, &reading, &options)?
    } else {
        let memory = (arguments.learning.memory, arguments.quiet);
        Read::Whole(Box::new(super::read_within_memory(files, &reading, memory)?))
    };
    let outcome = match read {
        Read::Learned(outcome) => *outcome,
        Read::Whole(dataset) => {
            super::not_over_labels(output, &dataset.notes)?;
            say_notes(arguments, &dataset.notes, &dataset.schema);
            learn(arguments, *dataset, options, start_from)?
        }
    };
    if let Some(path) = &arguments.output {
        outcome.file.save(path)?;
    }
    if arguments.json {
        output::print_json(&report::json(&outcome, start.elapsed().as_secs_f64()))
    } else if arguments.quiet {
        Ok(())
    } else {
        output::print(&report::text(&outcome))
    }
}

fn say_notes(arguments: &TrainArgs, found: &Notes, schema: &Schema) {
    notes::print(found, schema, arguments.quiet);
    if !arguments.quiet && !arguments.columns.text.is_empty() {
        notes::print_left_out(schema);
    }
}

fn learn(
    arguments: &TrainArgs,
    dataset: Dataset,
    mut options: Options,
    start: Option<CheckpointFile>,
) -> Result<Outcome, Failure> {
    let (classes, all_classes) = classes(&dataset, arguments.columns.positive.as_deref())?;
    options.class_weight = choices::class_weight(&arguments.learning.class_weight, &classes)?;
    let lesson = Lesson { arguments, dataset: &dataset, classes: &classes };
    let journal = Journal::new(&lesson, &all_classes, &options, start)?;
    let split = judge::split(&lesson, &all_classes, &options)?;
    let folds = judge::cross_validation(&lesson, &all_classes, &options)?;
    // All rows, unless some are held out.
    let part = split.as_ref().map(|split| dataset.rows.select(&split.train));
    let rows = part.as_ref().unwrap_or(&dataset.rows);
    let place = |i: usize| split.as_ref().map_or(i, |split| split.train[i]);
    let own_classes: Vec<u32> = (0..rows.len()).map(|i| all_classes[place(i)]).collect();
    let test = split.as_ref().map_or(&[][..], |split| &split.test);
    let held_rows = dataset.rows.select(test);
    let held_classes: Vec<u32> = test.iter().map(|&i| all_classes[i]).collect();
    let held =
        split.as_ref().map(|_| Part { rows: &held_rows, classes: &held_classes, places: test });
    let mut watch = Watch {
        progress: Progress::new(
            arguments.quiet || arguments.json,
            arguments.progress,
            options.epochs,
        ),
        mistakes: match arguments.hard {
            Some(_) => journal.hard(rows.len())?,
            None => Vec::new(),
        },
        journal,
    };
    watch.journal.announce(arguments, rows.len(), &mut watch.progress);
    let to_stop_by = held.as_ref().zip(arguments.patience);
    let (mut model, report) =
        lesson.learn((rows, &own_classes), to_stop_by, &options, &mut watch)?;
    model.classifier.renumber(place);
    let is_open = arguments.diagnose && !report.converged;
    let diagnosis = is_open
        .then(|| diagnose(&lesson, (rows, &own_classes), (&options, &report), place))
        .transpose();
    let diagnosis = diagnosis.map_err(|failure| match failure {
        // The checkpoints are written by now.
        Failure::Interrupted => watch.journal.interrupted(),
        failure => failure,
    })?;
    let held_out = |part| judge::held_out(&lesson, &model, part);
    let holdout = held.as_ref().map(held_out).transpose()?;
    dataset.check_unchanged()?;
    let label = |i: usize| (place(i) + 1, classes.names()[own_classes[i] as usize].clone());
    Ok(Outcome {
        judged: Judged { holdout, folds },
        diagnosis,
        hard: arguments.hard.map(|most| hardest(&watch.mistakes, most, label)),
        spread: model.scaling.is_none().then(|| spread(rows)).flatten(),
        is_sparse: rows.is_sparse(),
        skipped: dataset.notes.skipped,
        written: arguments.output.as_ref().map(|path| path.display().to_string()),
        file: ModelFile {
            model,
            schema: dataset.schema.clone(),
            options,
            report,
            label_type: None,
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        },
        data: dataset.file,
    })
}

/// How many times the largest feature is the smallest, by their largest values in size; features that
/// are always 0 do not count.
fn spread(rows: &Rows<'_>) -> Option<f64> {
    let mut sizes = vec![0.0f64; rows.features()];
    for row in rows.iter() {
        row.for_each(|j, x| sizes[j] = sizes[j].max(x.abs()));
    }
    let sizes = sizes.into_iter().filter(|&size| size > 0.0);
    let (smallest, largest) = sizes.fold((f64::INFINITY, 0.0), |(smallest, largest), size| {
        (size.min(smallest), size.max(largest))
    });
    Some(largest / smallest).filter(|spread| spread.is_finite())
}

/// The classes of a data set and the number of the class of each row.
pub(super) fn classes(
    dataset: &Dataset,
    positive: Option<&str>,
) -> Result<(Classes, Vec<u32>), Failure> {
    dataset.classes(positive).map_err(|error| Failure::Classes {
        file: dataset.file.clone(),
        target: dataset.schema.target().map(str::to_owned),
        error,
    })
}
