//! Errors of the engine as Python's.

use std::fmt::Display;

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::{
    PyErr, PyResult, Python,
    exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError, PyValueError},
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

/// Does work without the interpreter. A panic is an error that `except Exception` sees: of arrays that another
/// thread writes to nothing can be promised but that.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    // Nothing that the work leaves behind is looked at after a panic.
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).unwrap_or_else(|_| {
        let message =
            "the engine failed: its arrays were changed while it worked, or this is a bug in it";
        Err(PyRuntimeError::new_err(message))
    })
}
