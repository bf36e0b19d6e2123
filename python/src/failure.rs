//! Errors of the engine as Python's.

use std::fmt::Display;

use pyo3::{
    PyErr,
    exceptions::{PyFileNotFoundError, PyOSError, PyValueError},
};
use rosenblatt_data::{ModelFileError, ReadError};

/// What was given is not what is expected.
pub(crate) fn value(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn of_io(message: String, error: &std::io::Error) -> PyErr {
    match error.kind() {
        std::io::ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}

/// A file that cannot be read.
pub(crate) fn of_reading(error: ReadError) -> PyErr {
    let message = error.to_string();
    match &error {
        ReadError::Open { error, .. } | ReadError::Read { error, .. } => of_io(message, error),
        _ => value(message),
    }
}

/// A model file that cannot be read or written.
pub(crate) fn of_model_file(error: ModelFileError) -> PyErr {
    let message = error.to_string();
    match &error {
        ModelFileError::Io { error, .. } => of_io(message, error),
        _ => value(message),
    }
}
