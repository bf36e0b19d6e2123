//! Everything that ends the command early.

use std::io;

use rosenblatt::{metrics::CountError, study::StudyError};
use rosenblatt_core::{
    calibration::CalibrationError,
    data::{ClassError, RowError, RowsError, ScaleError},
    model::{PredictError, RowOverflow},
    split::SplitError,
    train::TrainError,
};
use rosenblatt_data::{CheckpointFileError, ExportError, ModelFileError, PackError, ReadError};
use rosenblatt_lab::{TableError, server::ServeError};
use rosenblatt_plot::PlotError;

use crate::text::{count, counted, name};

/// The reason why the command ends early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The text of `--help` or `--version`.
    #[error("{0}")]
    Help(String),
    /// The arguments are wrong.
    #[error("{message}")]
    Usage { message: String, hint: Option<String> },
    /// A data file.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// A data file that is read for a model.
    #[error("{0}")]
    ReadForModel(ReadError),
    /// A data file that cannot be packed.
    #[error("{0}")]
    Pack(PackError),
    /// A model file.
    #[error("{0}")]
    Model(#[from] ModelFileError),
    /// A model that cannot be exported.
    #[error("{file}: {error}")]
    Export { file: String, error: ExportError },
    /// A checkpoint.
    #[error("{0}")]
    Checkpoint(#[from] CheckpointFileError),
    /// A checkpoint of another run.
    #[error("{file}: {problem}")]
    Resume { file: String, problem: String },
    /// The labels.
    #[error("{file}: {error}")]
    Classes { file: String, target: Option<String>, error: ClassError },
    /// No label of the data is one of the model's, and such examples are left out.
    #[error("{file}: none of the labels of {} is a class of the model (labels: {}; classes: {classes})", counted(*.examples, "example"), shown(.labels))]
    NoKnownLabel { file: String, examples: u64, labels: Vec<String>, classes: String },
    /// The split into training and held-out examples.
    #[error("{file}: {error}")]
    Split { file: String, error: SplitError },
    /// Scores that cannot be calibrated.
    #[error("{file}: {error}")]
    Calibrate { file: String, error: CalibrationError },
    /// The scaling.
    #[error("{file}: {error}")]
    Scale { file: String, error: ScaleError },
    /// A row that cannot be normalised.
    #[error("{file}: the length of example {example} exceeds the range of 64-bit numbers")]
    RowLength { file: String, example: u64 },
    /// A feature that cannot be scaled.
    #[error("{file}: `{}` spans so large a range that its statistics or its scaled values overflow", name(.feature))]
    ScaledFeature { file: String, feature: String },
    /// A certificate that cannot be read.
    #[error("{file}: {problem}")]
    Certificate { file: String, problem: String },
    /// A run by hand that cannot be read.
    #[error("{file}: {problem}")]
    Sheet { file: String, problem: String, hint: Option<String> },
    /// Training.
    #[error("{file}: {error}")]
    Train { file: String, error: TrainError },
    /// An error that a run in memory cannot have; no input can cause it.
    #[error("{file}: {error}")]
    Engine { file: String, error: rosenblatt::Error },
    /// A study.
    #[error("{file}: {error}")]
    Study { file: String, error: StudyError },
    /// A row of a file that overflows in the model.
    #[error("{file}: the computation for example {example} exceeds the range of 64-bit numbers")]
    RowOverflow { file: String, example: u64 },
    /// A model that does not fit its data; no input can cause it.
    #[error("{file}: {error}")]
    Predict { file: String, error: PredictError },
    /// Classes that cannot be counted; no input can cause it.
    #[error("{0}")]
    Count(#[from] CountError),
    /// The name of a picture.
    #[error("{0}")]
    Plot(#[from] PlotError),
    /// A picture that cannot be drawn.
    #[error("{file}: the picture cannot be drawn: {error}")]
    Draw { file: String, error: PlotError },
    /// Writing a file.
    #[error("{file}: {error}")]
    Write { file: String, error: io::Error },
    /// Writing to standard output.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
    /// There is no standard output.
    #[error("standard output is closed, but the result is written to it")]
    Closed,
    /// A JSON text could not be made.
    #[error("the report cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A row that has no score; no input can cause it.
    #[error("{file}: {error}")]
    Score { file: String, error: RowError },
    /// Rows and signs that do not fit; no input can cause it.
    #[error("{0}")]
    Rows(#[from] RowsError),
    /// The file with the token of a lab.
    #[error("{file}: {error}")]
    Token { file: String, error: io::Error },
    /// Serving the lab.
    #[error("{0}")]
    Serve(#[from] ServeError),
    /// A data set that the lab cannot show; no input can cause it.
    #[error("{0}")]
    Table(#[from] TableError),
    /// Ctrl-C.
    #[error("interrupted; no file was changed")]
    Interrupted,
    /// Ctrl-C in a run that writes checkpoints.
    #[error("interrupted; {file} contains the run after epoch {epoch}")]
    InterruptedAfter { file: String, epoch: u64, is_traced: bool },
    /// Ctrl-C in a run whose model is not written.
    #[error("interrupted in epoch {}; no file was changed, and what was learned is lost", count(*.epoch))]
    InterruptedUnwritten { epoch: u64 },
    /// Ctrl-C in a run whose model is written, and the options that make it again, if they are known.
    #[error("interrupted; {file} has the model after {}", counted(*.epochs, "epoch"))]
    InterruptedRun { file: String, epochs: u64, again: Option<String> },
    /// Ctrl-C after such a run.
    #[error("interrupted; {file} has the model of the whole run, without what follows it")]
    InterruptedJudging { file: String },
}

impl CliError {
    /// An error in the arguments.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        CliError::Usage { message: message.into(), hint: Some(hint.into()) }
    }

    /// An option of a run that changes nothing beside the others.
    pub(crate) fn no_effect(name: &str, reason: &str) -> Self {
        let message = format!("the option {name} has no effect: {reason}");
        CliError::usage(message, format!("leave out `--{name}`"))
    }

    /// Rows that could not be classified; `example` returns the place of a row in the file, counted from 1.
    pub(crate) fn predicting(
        file: &str,
        error: PredictError,
        example: impl FnOnce(usize) -> u64,
    ) -> Self {
        let file = file.to_owned();
        match error {
            PredictError::OutOfRange(RowOverflow(row)) => {
                CliError::RowOverflow { file, example: example(row) }
            }
            error => CliError::Predict { file, error },
        }
    }
}

/// The first labels, for a message.
fn shown(labels: &[String]) -> String {
    const MOST: usize = 5;
    let mut shown: Vec<String> = labels.iter().take(MOST).map(|label| name(label)).collect();
    if labels.len() > MOST {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}
