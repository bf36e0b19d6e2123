//! The arguments and the data that all runs of one `train` share.

use indicatif::ProgressBar;
use rosenblatt::{
    Error,
    recipe::{Recipe, Refilled, Table},
};
use rosenblatt_core::{
    data::{Classes, Rows},
    train::{Options, Resources, TrainError},
    transforms::PrepareOptions,
};
use rosenblatt_data::Dataset;

use crate::{args::TrainArgs, commands::inputs::engine_error, error::CliError, progress::bar_of};

/// The arguments, the data and their classes.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) arguments: &'a TrainArgs,
    pub(super) dataset: &'a Dataset,
    pub(super) classes: &'a Classes,
    /// The number of the class of each row of the data; the number of classes for a row whose class the examples to learn from
    /// do not have.
    pub(super) numbers: &'a [u32],
    /// The classes that the examples to learn from do not have.
    pub(super) unlearned: &'a [String],
    pub(super) prepare: PrepareOptions,
    /// The weight of each row of the data, with `--weight`.
    pub(super) weights: Option<&'a [f64]>,
}

/// An error of a run: of the engine, or one that the command words itself.
pub(super) enum RunError {
    Engine(Error),
    Command(CliError),
}

impl From<Error> for RunError {
    fn from(error: Error) -> Self {
        RunError::Engine(error)
    }
}

impl From<CliError> for RunError {
    fn from(error: CliError) -> Self {
        RunError::Command(error)
    }
}

impl RunError {
    /// Whether Ctrl-C ended the run.
    pub(super) fn is_interrupt(&self) -> bool {
        matches!(self, RunError::Command(CliError::Interrupted))
    }
}

impl<'a> Context<'a> {
    /// The rows of the data with their classes.
    pub(super) fn table(&self, refilled: Option<&'a Refilled<'a>>) -> Table<'a> {
        let Context { dataset, classes, numbers, weights, .. } = *self;
        Table { rows: &dataset.rows, numbers, scheme: classes.scheme(), weights, refilled }
    }

    /// The rows whose numbers in place of missing ones follow from those to learn from.
    pub(super) fn refilled(&self) -> impl Fn(&[usize]) -> Option<Rows<'static>> + Sync + 'a {
        let dataset = self.dataset;
        move |train| dataset.filled_by(train).map(|filled| filled.rows)
    }

    /// What is made of the data.
    pub(super) fn recipe<'o>(&self, options: &'o Options) -> Recipe<'o> {
        let memory = self.arguments.learning.memory;
        let threads = self.arguments.reading.threads();
        Recipe {
            options,
            prepare: self.prepare,
            resources: Resources { threads, memory, block: None },
            dense_limit: memory / size_of::<f64>(),
        }
    }

    /// A bar of parts of the work.
    pub(super) fn bar(&self, what: &str, all: usize) -> ProgressBar {
        let printing = &self.arguments.printing;
        bar_of(what, all as u64, printing.is_silent())
    }

    /// The error of a run.
    pub(super) fn error(&self, error: impl Into<RunError>) -> CliError {
        match (error.into(), &self.arguments.resume) {
            (RunError::Command(error), _) => error,
            (RunError::Engine(Error::Train(error @ TrainError::Checkpoint { .. })), Some(file)) => {
                CliError::Resume { file: file.display().to_string(), problem: error.to_string() }
            }
            (RunError::Engine(error), _) => engine_error(self.dataset, error),
        }
    }
}
