//! One epoch over a file, in memory that does not grow with the file.

use rosenblatt::guarantee::ClassRuns;
use rosenblatt_core::{
    data::{FeatureStatistics, Labelled, Rows, Scale},
    model::{Model, ModelParts},
    train::{Bias, Fit, Options, ScaledStream, StreamScaling},
    validation::Validation,
};
use rosenblatt_data::{
    BatchError, Batches, Dataset, ModelFile, Note, NoteCode, ReadOptions, TrainingBatch,
    TrainingInput,
};

use super::{effects, observer::Ending, outcome::TrainOutcome};
use crate::{
    args::TrainArgs,
    commands::{
        inputs::InputFiles,
        notes::{self, NoteLog},
        options::class_weight,
        outputs::not_over_labels,
    },
    error::CliError,
    interrupt,
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
    options.dynamics().is_one_pass
        && arguments.learning.start.numbers.is_none()
        && arguments.learning.run.class_weight != "balanced"
        && arguments.learning.prepare.0.is_only_scaled()
        && matches!(arguments.learning.prepare.0.scale, None | Some(Scale::None | Scale::Auto))
        && arguments.holdout.is_none()
        && arguments.folds.is_none()
        && arguments.sweep.is_empty()
        && arguments.group.is_none()
        && arguments.weight.is_none()
        && arguments.calibrate.is_none()
        && arguments.hard.is_none()
        && arguments.trace.is_none()
        && !arguments.diagnose
        && arguments.checkpoint.is_none()
        && arguments.resume.is_none()
}

/// Reads the data and learns from each part of it, unless the data is small or is needed whole. A file that is scaled is
/// read twice, first for the statistics of its features; a stream is scaled by those of its first part.
pub(super) fn read(
    arguments: &TrainArgs,
    reading: &ReadOptions,
    (options, scale): (&Options, Scale),
    log: &NoteLog,
) -> Result<Read, CliError> {
    let files =
        InputFiles::new(&arguments.data, &arguments.more, arguments.labeled.labels.as_deref());
    let positive = arguments.columns.positive.as_deref();
    let open = || -> Result<TrainingInput, CliError> {
        Ok(TrainingInput::open(files.open()?, reading, positive, TrainingInput::SMALL)?)
    };
    let batches = match open()? {
        TrainingInput::Whole(dataset) => return Ok(Read::Whole(dataset)),
        TrainingInput::Batches(batches) => batches,
    };
    let whole = || {
        let dataset = files.read_within(reading, arguments.learning.memory, log)?;
        Ok(Read::Whole(Box::new(dataset)))
    };
    let can_read_again = files.are_regular();
    let weights = class_weight(&arguments.learning.run.class_weight, batches.classes());
    if weights.is_err() && can_read_again {
        // A later part may have the class.
        return whole();
    }
    let outcome = match scale {
        Scale::None => learn(arguments, *batches, (options, StreamScaling::default()), log),
        scale if !can_read_again => {
            learn(arguments, *batches, (options, StreamScaling::First(scale)), log)
        }
        _ => match statistics(*batches) {
            Err(error) => Err(error),
            Ok((_, runs)) if is_sorted(arguments, &runs) => return whole(),
            Ok((statistics, _)) => {
                let known = statistics.scaling(options.bias == Bias::None);
                match open()? {
                    TrainingInput::Whole(dataset) => return Ok(Read::Whole(dataset)),
                    TrainingInput::Batches(batches) => {
                        learn(arguments, *batches, (options, StreamScaling::Known(known)), log)
                    }
                }
            }
        },
    };
    match outcome {
        Ok(outcome) if outcome.is_sorted && can_read_again => whole(),
        Ok(outcome) => Ok(Read::Learned(Box::new(outcome))),
        Err(StreamError::Command(error)) => Err(error),
        Err(StreamError::NewClass(class)) if can_read_again => {
            log.tell([class.note()]);
            whole()
        }
        Err(StreamError::NewClass(class)) => Err(class.into_error()),
    }
}

/// The statistics of the features of a file, and the runs of its classes.
fn statistics(mut batches: Batches) -> Result<(FeatureStatistics, ClassRuns), StreamError> {
    let (mut statistics, mut runs) = (FeatureStatistics::default(), ClassRuns::default());
    let added = interrupt::guarded(|| {
        while let Some(batch) = batches.next() {
            let TrainingBatch { rows, classes } = batch?;
            statistics.add(&rows, None);
            runs.count(&classes);
            if interrupt::requested() {
                return Err(CliError::Interrupted.into());
            }
        }
        Ok(())
    });
    added.map(|()| (statistics, runs))
}

/// Whether examples that would be learned from in their order are sorted by class.
fn is_sorted(arguments: &TrainArgs, runs: &ClassRuns) -> bool {
    !arguments.learning.run.has_order && runs.are_sorted()
}

impl NewClass {
    fn note(&self) -> Note {
        let (label, after) = (&self.label, counted(self.after, "example"));
        let words = format!(
            "the class `{label}` comes first after {after}: all examples are read into memory"
        );
        Note::new(NoteCode::LateClass, words).classes([label]).count(self.after)
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
    (options, scaling): (&Options, StreamScaling),
    log: &NoteLog,
) -> Result<TrainOutcome, StreamError> {
    let classes = batches.classes();
    let class_weight = class_weight(&arguments.learning.run.class_weight, classes)?;
    let options = Options { class_weight, ..options.clone() };
    effects::check(arguments, &options, Some(classes.scheme()))?;
    let name = batches.file().to_owned();
    let failed = |error| CliError::Train { file: name.clone(), error };
    let mut stream = ScaledStream::new(&options, classes.scheme(), scaling).map_err(failed)?;
    let mut runs = ClassRuns::default();
    let learned = interrupt::guarded(|| learn_all(arguments, &mut batches, &mut stream, &mut runs));
    if interrupt::requested() {
        return Err(CliError::Interrupted.into());
    }
    learned?;
    let (fit, preparation, baseline) = stream.finish().map_err(failed)?;
    let (data, schema, found, classes) = batches.into_parts();
    not_over_labels(arguments.output.as_deref(), &found)?;
    log.tell(notes::with_text(&found, &schema, &arguments.columns));
    let Fit { classifier, report, .. } = fit;
    let parts = ModelParts {
        classifier,
        preparation,
        classes,
        baseline,
        calibration: None,
        options,
        report,
    };
    let model = Model::new(parts).map_err(|error| CliError::Predict { file: name, error })?;
    Ok(TrainOutcome {
        trace: None,
        ending: Ending::Lost,
        data,
        validation: Validation::default(),
        folds_failed: None,
        sweep: None,
        calibration: None,
        diagnosis: None,
        cycle: None,
        guarantee: None,
        hard: None,
        is_sorted: is_sorted(arguments, &runs),
        in_sorted_order: runs.are_sorted(),
        scale_spread: None,
        label_copies: Vec::new(),
        weighted: None,
        telling: Vec::new(),
        skipped: found.skipped,
        written: arguments.output.as_ref().map(|path| path.display().to_string()),
        file: ModelFile::new(model, schema),
    })
}

/// The first examples of a stream, by whose statistics it is scaled: 10,000, or the first that have 2²⁰ values other than 0.
/// So neither the format nor the storage of the rows decides which they are.
#[derive(Default)]
struct FirstExamples {
    ends: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    features: usize,
    classes: Vec<u32>,
}

impl FirstExamples {
    const MOST_EXAMPLES: usize = 10_000;
    const MOST_VALUES: usize = 1 << 20;

    /// Takes the first examples of a batch, and returns the others.
    fn take(&mut self, batch: TrainingBatch) -> TrainingBatch {
        let TrainingBatch { rows, classes } = batch;
        self.features = self.features.max(rows.features());
        let mut taken = 0;
        while taken < classes.len()
            && self.classes.len() < Self::MOST_EXAMPLES
            && self.values.len() < Self::MOST_VALUES
        {
            rows.row(taken).for_each(|j, x| {
                if x != 0.0 {
                    self.indices.push(j as u32);
                    self.values.push(x);
                }
            });
            self.ends.push(self.values.len());
            self.classes.push(classes[taken]);
            taken += 1;
        }
        let others: Vec<usize> = (taken..classes.len()).collect();
        TrainingBatch { rows: rows.select(&others), classes: classes[taken..].to_vec() }
    }

    /// The examples.
    fn batch(self) -> Result<TrainingBatch, StreamError> {
        let FirstExamples { ends, indices, values, features, classes } = self;
        let offsets: Vec<usize> = std::iter::once(0).chain(ends).collect();
        let rows = Rows::sparse(offsets, indices, values, features).map_err(CliError::from)?;
        Ok(TrainingBatch { rows, classes })
    }
}

/// Learns from one batch after the other.
fn learn_all(
    arguments: &TrainArgs,
    batches: &mut Batches,
    stream: &mut ScaledStream,
    runs: &mut ClassRuns,
) -> Result<(), StreamError> {
    let (scheme, file) = (batches.classes().scheme(), batches.file().to_owned());
    let mut progress = Progress::new(true, arguments.progress, 1);
    let mut first = match stream.scaling() {
        StreamScaling::First(_) => Some(FirstExamples::default()),
        StreamScaling::Known(_) => None,
    };
    let mut learn = |TrainingBatch { rows, classes }: TrainingBatch| -> Result<(), StreamError> {
        let labelled = Labelled::new(&rows, &classes, scheme).map_err(CliError::from)?;
        // Without an observer of every visit learning is faster.
        let flow = match arguments.progress {
            true => stream.learn(&labelled, &mut progress),
            false => stream.learn(&labelled, &mut ()),
        };
        let failed = |error| CliError::Train { file: file.clone(), error };
        match flow.map_err(failed)?.is_break() || interrupt::requested() {
            true => Err(CliError::Interrupted.into()),
            false => Ok(()),
        }
    };
    while let Some(batch) = batches.next() {
        let mut batch = batch?;
        runs.count(&batch.classes);
        if let Some(examples) = &mut first {
            batch = examples.take(batch);
            if !batch.classes.is_empty() {
                first.take().map_or(Ok(()), |examples| learn(examples.batch()?))?;
            }
        }
        if !batch.classes.is_empty() {
            learn(batch)?;
        }
    }
    first.map_or(Ok(()), |examples| learn(examples.batch()?))
}
