//! One epoch over a file, in memory that does not grow with it.

use rosenblatt::{
    data::Labelled,
    model::Model,
    train::{Options, Stream},
};
use rosenblatt_data::{
    BatchError, Batches, DataFiles, Dataset, ModelFile, ReadOptions, Source, TrainingBatch,
    TrainingInput,
};

use super::{Outcome, choices, judge::Judged};
use crate::{
    args::{ScaleArg, TrainArgs},
    commands,
    failure::Failure,
    interrupt,
    output::message,
    progress::Progress,
    text::counted,
};

/// What reading came to.
pub(super) enum Read {
    /// The whole data, to be learned from in memory.
    Whole(Box<Dataset>),
    /// The model, learned on the way.
    Learned(Box<Outcome>),
}

/// Whether every example is needed only once.
pub(super) fn suits(arguments: &TrainArgs, options: &Options) -> bool {
    Stream::suits(options)
        && arguments.learning.class_weight != "balanced"
        && matches!(arguments.learning.scale, ScaleArg::None)
        && arguments.holdout.is_none()
        && arguments.folds.is_none()
        && arguments.hard.is_none()
        && !arguments.diagnose
        && arguments.checkpoint.is_none()
        && arguments.resume.is_none()
}

/// Reads the data and learns from them on the way, unless they are small or must be known whole.
pub(super) fn read(
    arguments: &TrainArgs,
    reading: &ReadOptions,
    options: &Options,
) -> Result<Read, Failure> {
    let source = || Source::open_labelled(&arguments.data, arguments.labels.as_deref());
    let positive = arguments.columns.positive.as_deref();
    let batches = match TrainingInput::open(source()?, reading, positive, TrainingInput::SMALL)? {
        TrainingInput::Whole(dataset) => return Ok(Read::Whole(dataset)),
        TrainingInput::Batches(batches) => batches,
    };
    let whole = || {
        let files =
            DataFiles { data: arguments.data.as_path(), labels: arguments.labels.as_deref() };
        let memory = (arguments.learning.memory, arguments.quiet);
        Ok(Read::Whole(Box::new(commands::read_within_memory(files, reading, memory)?)))
    };
    let weights = choices::class_weight(&arguments.learning.class_weight, batches.classes());
    if weights.is_err() && arguments.data.is_file() {
        // The class may come yet.
        return whole();
    }
    let error = match learn(arguments, *batches, options)? {
        Ok(outcome) => return Ok(Read::Learned(Box::new(outcome))),
        Err(error) => error,
    };
    match error {
        BatchError::Read(error) => Err(error.into()),
        BatchError::NewClass { label, after, .. } if arguments.data.is_file() => {
            if !arguments.quiet {
                let text = format!(
                    "the class `{label}` comes first after {}: all examples are read into memory",
                    counted(after, "example")
                );
                message("note", &text);
            }
            whole()
        }
        BatchError::NewClass { file, label, after, classes } => {
            let message = format!(
                "{file}: the class `{label}` comes first after {} of the classes {classes}",
                counted(after, "example")
            );
            let hint = "a stream must show each class early; --order shuffle keeps it in memory";
            Err(Failure::usage(message, hint))
        }
    }
}

fn learn(
    arguments: &TrainArgs,
    mut batches: Batches,
    options: &Options,
) -> Result<Result<Outcome, BatchError>, Failure> {
    let classes = batches.classes();
    let scheme = classes.scheme();
    let class_weight = choices::class_weight(&arguments.learning.class_weight, classes)?;
    let options = Options { class_weight, ..options.clone() };
    let failure = |file: &str, error| Failure::Train { file: file.to_owned(), error };
    let name = batches.file().to_owned();
    let mut stream = Stream::new(&options, scheme).map_err(|error| failure(&name, error))?;
    let mut progress = Progress::new(true, arguments.progress, 1);
    let learned = interrupt::guarded(|| -> Result<Result<(), BatchError>, Failure> {
        while let Some(batch) = batches.next() {
            let TrainingBatch { rows, classes } = match batch {
                Ok(batch) => batch,
                Err(error) => return Ok(Err(error)),
            };
            let labelled = Labelled::new(&rows, &classes, scheme)?;
            // Nobody who sees every visit costs less.
            let flow = match arguments.progress {
                true => stream.learn(&labelled, &mut progress),
                false => stream.learn(&labelled, &mut ()),
            };
            let flow = flow.map_err(|error| failure(&name, error))?;
            if flow.is_break() || interrupt::requested() {
                return Err(Failure::Interrupted);
            }
        }
        Ok(Ok(()))
    })?;
    if interrupt::requested() {
        return Err(Failure::Interrupted);
    }
    if let Err(error) = learned {
        return Ok(Err(error));
    }
    let (file, schema, notes, classes) = batches.into_parts();
    let (fit, baseline) = stream.finish().map_err(|error| failure(&name, error))?;
    commands::not_over_labels(arguments.output.as_deref(), &notes)?;
    super::say_notes(arguments, &notes, &schema);
    let model =
        Model { classifier: fit.classifier, scaling: None, classes, zero: options.zero, baseline };
    Ok(Ok(Outcome {
        data: file,
        judged: Judged { holdout: None, folds: None },
        diagnosis: None,
        hard: None,
        spread: None,
        is_sparse: false,
        skipped: notes.skipped,
        written: arguments.output.as_ref().map(|path| path.display().to_string()),
        file: ModelFile {
            model,
            schema,
            options,
            report: fit.report,
            label_type: None,
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        },
    }))
}
