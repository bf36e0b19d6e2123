//! One epoch over a file, in memory that does not grow with the file.

use rosenblatt::{
    data::Labelled,
    guarantee::ClassRuns,
    model::{Model, ModelParts},
    preparation::Preparation,
    train::{Fit, Options, Stream, TrainError},
};
use rosenblatt_data::{
    BatchError, Batches, Dataset, ModelFile, ReadOptions, TrainingBatch, TrainingInput,
};

use super::{effects, outcome::TrainOutcome, validation::Validation};
use crate::{
    args::{ScaleArg, TrainArgs},
    commands::{inputs::InputFiles, notes, options::class_weight, outputs::not_over_labels},
    error::CliError,
    interrupt,
    output::message,
    progress::Progress,
    text::counted,
};

/// The result of reading.
pub(super) enum Read {
    /// The data, to be learned from in memory.
    Whole(Box<Dataset>),
    /// The model, learned while the data was read.
    Learned(Box<TrainOutcome>),
}

/// Why learning from a stream ended early.
enum StreamError {
    NewClass(NewClass),
    Command(CliError),
}

/// A class that the beginning of the stream did not have.
struct NewClass {
    file: String,
    label: String,
    /// The number of examples before it.
    after: u64,
    /// The classes at the beginning.
    classes: String,
}

impl From<BatchError> for StreamError {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Read(error) => StreamError::Command(error.into()),
            BatchError::NewClass { file, label, after, classes } => {
                StreamError::NewClass(NewClass { file, label, after, classes })
            }
        }
    }
}

impl From<CliError> for StreamError {
    fn from(error: CliError) -> Self {
        StreamError::Command(error)
    }
}

/// Whether every example is needed only once.
pub(super) fn suits(arguments: &TrainArgs, options: &Options) -> bool {
    Stream::suits(options)
        && arguments.learning.run.class_weight != "balanced"
        && arguments.learning.weighting.is_count()
        && arguments.learning.document_frequency.is_none()
        && arguments.learning.normalise.unwrap_or_default().is_none()
        && matches!(arguments.learning.scale, None | Some(ScaleArg::None))
        && arguments.holdout.is_none()
        && arguments.folds.is_none()
        && arguments.sweep.is_none()
        && arguments.group.is_none()
        && arguments.calibrate.is_none()
        && arguments.hard.is_none()
        && !arguments.diagnose
        && arguments.checkpoint.is_none()
        && arguments.resume.is_none()
}

/// Reads the data and learns from each part of it, unless the data is small or is needed whole.
pub(super) fn read(
    arguments: &TrainArgs,
    reading: &ReadOptions,
    options: &Options,
) -> Result<Read, CliError> {
    let files =
        InputFiles::new(&arguments.data, &arguments.more, arguments.labeled.labels.as_deref());
    let positive = arguments.columns.positive.as_deref();
    let batches = match TrainingInput::open(files.open()?, reading, positive, TrainingInput::SMALL)?
    {
        TrainingInput::Whole(dataset) => return Ok(Read::Whole(dataset)),
        TrainingInput::Batches(batches) => batches,
    };
    let whole = || {
        let dataset =
            files.read_within(reading, arguments.learning.memory, arguments.printing.quiet)?;
        Ok(Read::Whole(Box::new(dataset)))
    };
    let can_read_again = files.are_regular();
    let weights = class_weight(&arguments.learning.run.class_weight, batches.classes());
    if weights.is_err() && can_read_again {
        // A later part may have the class.
        return whole();
    }
    match learn(arguments, *batches, options) {
        Ok(outcome) if outcome.is_sorted && can_read_again => whole(),
        Ok(outcome) => Ok(Read::Learned(Box::new(outcome))),
        Err(StreamError::Command(error)) => Err(error),
        Err(StreamError::NewClass(class)) if can_read_again => {
            if !arguments.printing.quiet {
                class.print_note();
            }
            whole()
        }
        Err(StreamError::NewClass(class)) => Err(class.into_error()),
    }
}

impl NewClass {
    fn print_note(&self) {
        let (label, after) = (&self.label, counted(self.after, "example"));
        let text = format!(
            "the class `{label}` comes first after {after}: all examples are read into memory"
        );
        message("note", &text);
    }

    fn into_error(self) -> CliError {
        let NewClass { file, label, after, classes } = self;
        let after = counted(after, "example");
        let message = format!(
            "{file}: the class `{label}` comes first after {after} of the classes {classes}"
        );
        let hint = "a stream must have each class near its beginning; --order shuffle reads it into memory";
        CliError::usage(message, hint)
    }
}

fn learn(
    arguments: &TrainArgs,
    mut batches: Batches,
    options: &Options,
) -> Result<TrainOutcome, StreamError> {
    let classes = batches.classes();
    let class_weight = class_weight(&arguments.learning.run.class_weight, classes)?;
    let options = Options { class_weight, ..options.clone() };
    effects::check(arguments, &options, Some(classes.scheme()))?;
    let name = batches.file().to_owned();
    let train_error = |error| CliError::Train { file: name.clone(), error };
    let mut stream = Stream::new(&options, classes.scheme()).map_err(train_error)?;
    let mut runs = ClassRuns::default();
    let learned = interrupt::guarded(|| learn_all(arguments, &mut batches, &mut stream, &mut runs));
    if interrupt::requested() {
        return Err(CliError::Interrupted.into());
    }
    learned?;
    let (fit, baseline) = stream.finish().map_err(train_error)?;
    let (data, schema, found, classes) = batches.into_parts();
    not_over_labels(arguments.output.as_deref(), &found)?;
    notes::print_with_text(&found, &schema, &arguments.columns, arguments.printing.quiet);
    let Fit { classifier, report, .. } = fit;
    let parts = ModelParts {
        classifier,
        preparation: Preparation::default(),
        classes,
        baseline,
        calibration: None,
        options,
        report,
    };
    let model = Model::new(parts).map_err(|error| CliError::Predict { file: name, error })?;
    Ok(TrainOutcome {
        data,
        validation: Validation::default(),
        sweep: None,
        calibration: None,
        diagnosis: None,
        cycle: None,
        guarantee: None,
        hard: None,
        is_sorted: !arguments.learning.run.has_order && runs.are_sorted(),
        spread: None,
        far: 0,
        label_copies: Vec::new(),
        skipped: found.skipped,
        written: arguments.output.as_ref().map(|path| path.display().to_string()),
        file: ModelFile::new(model, schema),
    })
}

/// Learns from one batch after the other.
fn learn_all(
    arguments: &TrainArgs,
    batches: &mut Batches,
    stream: &mut Stream,
    runs: &mut ClassRuns,
) -> Result<(), StreamError> {
    let scheme = batches.classes().scheme();
    let mut progress = Progress::new(true, arguments.progress, 1);
    while let Some(batch) = batches.next() {
        let TrainingBatch { rows, classes } = batch?;
        runs.count(&classes);
        let labelled = Labelled::new(&rows, &classes, scheme).map_err(CliError::from)?;
        // Without an observer of every visit learning is faster.
        let flow = match arguments.progress {
            true => stream.learn(&labelled, &mut progress),
            false => stream.learn(&labelled, &mut ()),
        };
        let train_error =
            |error: TrainError| CliError::Train { file: batches.file().to_owned(), error };
        if flow.map_err(train_error)?.is_break() || interrupt::requested() {
            return Err(CliError::Interrupted.into());
        }
    }
    Ok(())
}
