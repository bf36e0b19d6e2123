//! The error of the library.

use std::{io, path::PathBuf};

use crate::{
    export::ExportError,
    files::{
        checkpoint::CheckpointFileError,
        model::{ModelFileError, NamesError},
    },
    packing::PackError,
    read_error::ReadError,
};

/// Why a file could not be read, learned from, predicted or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Data that cannot be read; the message names file, line and column.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Data that cannot be learned from, or classified.
    #[error(transparent)]
    Engine(#[from] rosenblatt::Error),
    /// A model file that cannot be read or written.
    #[error(transparent)]
    Model(#[from] ModelFileError),
    /// Names that are not those of the features of a model.
    #[error(transparent)]
    Names(#[from] NamesError),
    /// A checkpoint that cannot be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointFileError),
    /// A model that the format cannot express.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// Data that cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A record that does not have a cell for each feature, or a model that was not trained on a table.
    #[error("the record {problem}")]
    Record {
        /// The reason why it does not fit.
        problem: String,
    },
    /// Writing failed.
    #[error("{}: {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Writing to a stream failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The result of the library's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;
