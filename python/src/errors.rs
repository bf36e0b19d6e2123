//! Results of the engine as JSON and its errors as exceptions, for Python.

use std::{
    fmt::Display,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
};

use pyo3::{
    PyErr, PyResult, Python,
    exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError, PyValueError},
};
use rosenblatt_data::{ModelFileError, ReadError};
use serde::Serialize;

pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A result as JSON, which Python reads.
pub(crate) fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(value_error)
}

fn io_error(message: String, error: &io::Error) -> PyErr {
    match error.kind() {
        io::ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}

pub(crate) fn read_error(error: ReadError) -> PyErr {
    let message = error.to_string();
    match &error {
        ReadError::Open { error, .. } | ReadError::Read { error, .. } => io_error(message, error),
        _ => value_error(message),
    }
}

pub(crate) fn model_file_error(error: ModelFileError) -> PyErr {
    let message = error.to_string();
    match &error {
        ModelFileError::Io { error, .. } => io_error(message, error),
        _ => value_error(message),
    }
}

/// Works without the interpreter. A panic becomes an exception that `except Exception` catches, because another thread
/// can write to borrowed arrays during the work.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    // After a panic, nothing that the work changed is read.
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).unwrap_or_else(|_| {
        let message =
            "the engine failed: its arrays were changed while it worked, or this is a bug in it";
        Err(PyRuntimeError::new_err(message))
    })
}
