//! `rosenblatt train`: from a file to a report and a model.

use std::{path::Path, time::Instant};

use rosenblatt::{
    data::{Classes, Rows, Sign},
    train::{OptionError, Options},
};
use rosenblatt_data::{AtomicFile, Dataset, ModelFile, ModelFileError, Source, read};

use super::notes;
use crate::{args::TrainArgs, failure::Failure, output, progress::Progress};

mod choices;
mod hard;
mod judge;
mod lesson;
mod report;

use hard::{Hard, Watch, hardest};
use judge::Judged;
use lesson::Lesson;

/// All that is known when the model is there.
struct Outcome {
    /// The name of the data.
    data: String,
    file: ModelFile,
    judged: Judged,
    hard: Option<Vec<Hard>>,
    /// The examples of each class that were learned from: (minus, plus).
    class_sizes: (usize, usize),
    /// How many times the largest feature is the smallest, where scaling was not asked for.
    spread: Option<f64>,
    skipped: u64,
    /// Where the model was written.
    written: Option<String>,
}

pub(crate) fn run(arguments: &TrainArgs) -> Result<(), Failure> {
    let start = Instant::now();
    let options = arguments.learning.options();
    let usage = |error: OptionError| Failure::Usage { message: error.to_string(), hint: None };
    options.check().map_err(usage)?;
    if let Some(path) = &arguments.output {
        let labels = arguments.labels.as_deref().unwrap_or(&arguments.data);
        super::not_over_input(path, &[&arguments.data, labels])?;
        can_write(path)?;
    }
    let reading = arguments.reading.options_with(&arguments.columns, arguments.on_error);
    let source = Source::open_labelled(&arguments.data, arguments.labels.as_deref())?;
    let dataset = read(source, &reading)?;
    if let (Some(path), Some(labels)) = (&arguments.output, &dataset.notes.labels_beside) {
        super::not_over_input(path, &[labels.as_ref()])?;
    }
    notes::print(&dataset.notes, &dataset.schema, arguments.quiet);
    if !arguments.quiet && !arguments.columns.text.is_empty() {
        notes::print_left_out(&dataset.schema);
    }
    let outcome = learn(arguments, dataset, options)?;
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

fn learn(
    arguments: &TrainArgs,
    dataset: Dataset,
    mut options: Options,
) -> Result<Outcome, Failure> {
    let (classes, all_signs) = classes(&dataset, arguments.columns.positive.as_deref())?;
    options.class_weight = choices::class_weight(&arguments.learning.class_weight, &classes)?;
    let lesson = Lesson { arguments, dataset: &dataset, classes: &classes };
    let split = judge::split(&lesson, &all_signs, &options)?;
    let folds = judge::cross_validation(&lesson, &all_signs, &options)?;
    // All rows, unless some are held out.
    let part = split.as_ref().map(|split| dataset.rows.select(&split.train));
    let rows = part.as_ref().unwrap_or(&dataset.rows);
    let place = |i: usize| split.as_ref().map_or(i, |split| split.train[i]);
    let signs: Vec<Sign> = (0..rows.len()).map(|i| all_signs[place(i)]).collect();
    let mut watch = Watch {
        progress: Progress::new(
            arguments.quiet || arguments.json,
            arguments.progress,
            options.epochs,
        ),
        mistakes: vec![0; if arguments.hard.is_some() { rows.len() } else { 0 }],
    };
    let (model, report) = lesson.learn(rows, &signs, &options, &mut watch)?;
    let held_out = |split| judge::held_out(&lesson, &model, &all_signs, split);
    let holdout = split.as_ref().map(held_out).transpose()?;
    let label = |i: usize| (place(i) + 1, classes.name(signs[i]).to_owned());
    let plus = signs.iter().filter(|&&sign| sign == Sign::Plus).count();
    Ok(Outcome {
        judged: Judged { holdout, folds },
        hard: arguments.hard.map(|most| hardest(&watch.mistakes, most, label)),
        class_sizes: (signs.len() - plus, plus),
        spread: model.scaling.is_none().then(|| spread(rows)).flatten(),
        skipped: dataset.notes.skipped,
        written: arguments.output.as_ref().map(|path| path.display().to_string()),
        file: ModelFile {
            model,
            schema: dataset.schema.clone(),
            options,
            report,
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

/// The classes of a data set and the sign of each row.
pub(super) fn classes(
    dataset: &Dataset,
    positive: Option<&str>,
) -> Result<(Classes, Vec<Sign>), Failure> {
    dataset.signs(positive).map_err(|error| Failure::Classes {
        file: dataset.file.clone(),
        target: dataset.schema.target().map(str::to_owned),
        error,
    })
}

/// Nobody should learn only after the training that its result has no place.
fn can_write(path: &Path) -> Result<(), Failure> {
    let file = || path.display().to_string();
    // A pipe that is opened and closed would be at its end.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Ok(());
    }
    AtomicFile::create(path)
        .map(drop)
        .map_err(|error| ModelFileError::Io { file: file(), error }.into())
}
