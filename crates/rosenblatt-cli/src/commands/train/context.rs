//! The arguments and the data that all runs of one `train` share.

use rosenblatt::{
    Error,
    recipe::{Prepared, Recipe, Refilled, Table},
};
use rosenblatt_core::{
    calibration::CalibrationError,
    data::{Classes, Rows, ScaleError},
    train::{Fit, Options, Resources, TrainError},
    transforms::PrepareOptions,
};
use rosenblatt_data::Dataset;

use super::{observer::TrainObserver, training};
use crate::{args::TrainArgs, error::CliError};

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
        let Context { dataset, classes, numbers, .. } = *self;
        Table { rows: &dataset.rows, numbers, scheme: classes.scheme(), weights: None, refilled }
    }

    /// The rows whose numbers in place of missing ones follow from those to learn from.
    pub(super) fn refilled(&self) -> impl Fn(&[usize]) -> Option<Rows<'static>> + 'a {
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

    /// A run that shows and writes nothing.
    pub(super) fn silent(&self) -> impl FnMut(&Prepared<'_>) -> Result<Fit, RunError> {
        |prepared| training::run(self, prepared, &mut TrainObserver::silent())
    }

    /// The error of a run.
    pub(super) fn error(&self, error: impl Into<RunError>) -> CliError {
        let file = self.dataset.file.clone();
        let error = match error.into() {
            RunError::Command(error) => return error,
            RunError::Engine(error) => error,
        };
        match error {
            Error::Scale(ScaleError::Overflow { feature }) => {
                let mut names = self.dataset.schema.feature_names();
                CliError::ScaledFeature { file, feature: names.swap_remove(feature) }
            }
            Error::Scale(ScaleError::Length { row }) => {
                CliError::RowLength { file, example: row as u64 + 1 }
            }
            Error::Scale(error) => CliError::Scale { file, error },
            Error::Split(error) => CliError::Split { file, error },
            Error::Calibration(CalibrationError::FoldWithoutClass { .. }) => CliError::usage(
                format!(
                    "{file}: `--calibrate` needs scores of every class from every fold, and one fold has no example of some class to learn from"
                ),
                "leave the rare classes out of the data; of three classes or more, `--positive LABEL` joins the others",
            ),
            Error::Calibration(error) => CliError::Calibrate { file, error },
            Error::Predict(error) => {
                CliError::predicting(&self.dataset.file, error, |row| row as u64 + 1)
            }
            Error::Count(error) => error.into(),
            Error::Rows(error) => error.into(),
            Error::Options(error) => CliError::Train { file, error: error.into() },
            Error::Train(error) => match (&error, &self.arguments.resume) {
                (TrainError::Checkpoint { .. }, Some(checkpoint)) => CliError::Resume {
                    file: checkpoint.display().to_string(),
                    problem: error.to_string(),
                },
                _ => CliError::Train { file, error },
            },
            error => CliError::Engine { file, error },
        }
    }
}
