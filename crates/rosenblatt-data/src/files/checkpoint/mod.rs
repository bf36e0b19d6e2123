//! The checkpoint: a run after an epoch, to go on from, as one safetensors file.
//!
//! Tensors, with H hyperplanes, D weights each (in the dual form one for each supporting row), E epochs done, N examples:
//!
//! | tensor | type and shape | in |
//! |---|---|---|
//! | `weights`, `bias` | F64 H × D, F64 H | all |
//! | `updates`, `steps`, `mistakes` | U64 H, F64 H, U64 H × E | all: mistakes by epoch |
//! | `average.totals`, `.covered`, `.bias_total`, `.bias_covered` | F64 H × D, U64 H × D, F64 H, U64 H | runs that keep the average |
//! | `penalty.settled`, `.taken` | U64 H × D, F64 H × D | runs with a penalty; the visits after which each weight is as stored, and the sum of its truncations |
//! | `pocket.weights`, `.bias`, `.order`, `.numbers` | F64 H × D, F64 H, U32 H × N, U64 H × 5 | runs with a pocket; the numbers are errors, best run, run, tried, counted |
//! | `path.…` | as in a voted model | voted runs; rows are examples |
//! | `best.weights`, `best.bias` | F64 H × D, F64 H | early stopping: the best so far |
//! | `support.examples`, `support.counts` | U64 D, U64 H × D | the dual form |
//! | `hard` | U64 examples learned from | runs that count the mistakes on each example |
//! | `checksum` | U64 1 | all |
//!
//! Everything else is one JSON text in the header's metadata under the key `rosenblatt-checkpoint`: format version,
//! options, the fingerprint of the data, why the run is over.
//!
//! The checksum is the sum of all words of the file but its own: no changed byte and no cut goes unseen.

mod fingerprint;
mod state;

use std::{io, path::Path};

pub use fingerprint::Fingerprint;
use rosenblatt_core::{
    data::{Classes, excerpt},
    train::{Checkpoint, Options},
    transforms::NamedSteps,
};

use super::{
    Stated,
    atomic_file::AtomicFile,
    safetensors_file::{self, CHECKPOINT, DAMAGED, TensorFile},
    tensors::{self, Refusal, Tensors, problem},
};

const HARD: &str = "hard";

/// A checkpoint with all that must be equal for its run to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckpointFile {
    /// The run as it stands.
    pub state: Checkpoint,
    /// The identity of the run.
    pub terms: Terms,
    /// The mistakes on each example learned from, if the run counts them.
    pub hard: Option<Vec<u64>>,
    /// The version of the program that wrote it.
    pub tool_version: String,
}

/// The identity of a run. All but the number of epochs must be equal for it to go on.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Terms {
    /// The options.
    pub options: Options,
    /// The preparation of the rows.
    #[serde(flatten)]
    pub preparation: NamedSteps,
    /// The share of the examples that is held out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub holdout: Option<f64>,
    /// The patience of early stopping.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub patience: Option<u64>,
    /// The classes.
    pub classes: Classes,
    /// The rows, before weighting and scaling, and their classes; those held out among them.
    pub data: Fingerprint,
}

/// The JSON text.
#[derive(serde::Serialize, serde::Deserialize)]
struct CheckpointText {
    format_version: u64,
    tool_version: String,
    /// No part of the options of a model.
    compare: bool,
    #[serde(flatten)]
    terms: Terms,
    #[serde(flatten)]
    state: state::StateText,
}

/// A checkpoint could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointFileError {
    /// Reading or writing failed.
    #[error("{file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// The file is no checkpoint, or is damaged.
    #[error("{file}: this is not a rosenblatt checkpoint: {problem}", problem = excerpt(.problem))]
    NotACheckpoint {
        /// The file.
        file: String,
        /// The problem.
        problem: String,
    },
    /// The file is a model.
    #[error("{file}: this is a model, not a checkpoint")]
    IsAModel {
        /// The file.
        file: String,
    },
    /// The file was written by a newer program.
    #[error(
        "{file}: the checkpoint has format version {found}, written by rosenblatt {tool_version}; this program reads up to version {newest}",
        tool_version = excerpt(.tool_version)
    )]
    Newer {
        /// The file.
        file: String,
        /// Its format version.
        found: u64,
        /// The version of the program that wrote it.
        tool_version: String,
        /// The newest version that is read.
        newest: u64,
    },
}

impl CheckpointFile {
    /// The bytes of the file. Equal checkpoints give equal bytes.
    ///
    /// # Errors
    /// The error of the encoder, which no run can cause.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        let metadata = CheckpointText {
            format_version: self.terms.preparation.format().checkpoint,
            tool_version: self.tool_version.clone(),
            compare: self.terms.options.compare,
            terms: self.terms.clone(),
            state: state::StateText::of(&self.state),
        };
        let text = serde_json::to_string(&metadata).map_err(|error| error.to_string())?;
        let mut tensors = Tensors::default();
        state::write(&self.state, &mut tensors);
        if let Some(hard) = &self.hard {
            tensors.wholes(HARD, vec![hard.len()], hard.iter().copied());
        }
        CHECKPOINT.write(text, tensors)
    }

    /// Reads the bytes of a file; `file` is its name for messages.
    ///
    /// # Errors
    /// [`CheckpointFileError`].
    pub fn from_bytes(file: &str, bytes: &[u8]) -> Result<Self, CheckpointFileError> {
        let file = || file.to_owned();
        decode(bytes, true).map_err(|refusal| match refusal {
            Refusal::Problem(problem) => {
                CheckpointFileError::NotACheckpoint { file: file(), problem }
            }
            Refusal::Damaged => {
                let problem = DAMAGED.to_owned();
                CheckpointFileError::NotACheckpoint { file: file(), problem }
            }
            Refusal::Other => CheckpointFileError::IsAModel { file: file() },
            Refusal::Newer { found, tool_version } => {
                let newest = CHECKPOINT.newest;
                CheckpointFileError::Newer { file: file(), found, tool_version, newest }
            }
        })
    }

    /// Reads the bytes of a file without its checksum, for tests of files that were changed on purpose.
    #[doc(hidden)]
    pub fn from_any_bytes(bytes: &[u8]) -> Option<Self> {
        decode(bytes, false).ok()
    }

    /// Writes the file whole or not at all; see [`AtomicFile`].
    ///
    /// # Errors
    /// [`CheckpointFileError::Io`].
    pub fn save(&self, path: &Path) -> Result<(), CheckpointFileError> {
        let file = || path.display().to_string();
        let bytes = self
            .to_bytes()
            .map_err(|problem| CheckpointFileError::NotACheckpoint { file: file(), problem })?;
        AtomicFile::write(path, &bytes)
            .map_err(|error| CheckpointFileError::Io { file: file(), error })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`CheckpointFileError`].
    pub fn load(path: &Path) -> Result<Self, CheckpointFileError> {
        let file = path.display().to_string();
        match safetensors_file::load(path) {
            Ok(bytes) => Self::from_bytes(&file, &bytes),
            Err(error) => Err(CheckpointFileError::Io { file, error }),
        }
    }
}

fn decode(bytes: &[u8], is_checked: bool) -> Result<CheckpointFile, Refusal> {
    let TensorFile { text, tensors, .. } = CHECKPOINT.read(bytes, is_checked)?;
    let CheckpointText { tool_version, compare, mut terms, state, .. } =
        serde_json::from_str(&text)?;
    let stated = serde_json::from_str::<Stated>(&text)?.options;
    stated.complete(&mut terms.options);
    terms.options.compare = compare;
    terms.options.check()?;
    if !terms.classes.is_sound() {
        return problem("its classes are not two or more different names");
    }
    let hard = match tensors.names().contains(&HARD) {
        false => None,
        true => {
            let examples = tensors::length(&tensors, HARD)?;
            Some(tensors::wholes(&tensors, HARD, &[examples])?)
        }
    };
    let state = state::read(&tensors, state, terms.data.examples)?;
    Ok(CheckpointFile { state, terms, hard, tool_version })
}
