//! Model files, and models in the formats of other programs.

use std::{
    ffi::CStr,
    io,
    path::{Path, PathBuf},
};

use pyo3::{exceptions::PyUserWarning, prelude::*, types::PyBytes};
use rosenblatt_data::{AtomicFile, LoadedModel, ModelFile, export::ExportFormat, prepare};

use crate::{
    classifier::Classifier,
    errors::{json, model_file_error, value_error},
    model_description::ModelDescription,
};

fn model_file(classifier: &Classifier, description: &str) -> PyResult<ModelFile> {
    let description: ModelDescription = serde_json::from_str(description).map_err(value_error)?;
    description.model_file(classifier.learned())
}

/// Writes a model file, whole or not at all. `description` is JSON.
#[pyfunction]
pub(crate) fn save(
    py: Python<'_>,
    path: PathBuf,
    classifier: &Bound<'_, Classifier>,
    description: &str,
) -> PyResult<()> {
    let file = model_file(classifier.get(), description)?;
    py.detach(|| prepare(&path)).map_err(|error| with_path(&path, error))?;
    py.detach(|| file.save(&path)).map_err(model_file_error)
}

/// The warning for a model file of the first format version.
const WITHOUT_CHECKSUM: &CStr =
    c"the model file has no checksum, so damage to it cannot be seen: it is of format \
    version 1, written by an older rosenblatt";

/// Reads a model file: the classifier, and the rest as JSON.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, path: PathBuf) -> PyResult<(Classifier, String)> {
    let LoadedModel { file, has_checksum } =
        py.detach(|| LoadedModel::load(&path)).map_err(model_file_error)?;
    if !has_checksum {
        // Level 2 is the line that calls `rosenblatt.load`.
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), WITHOUT_CHECKSUM, 2)?;
    }
    let description = json(&ModelDescription::from_model_file(&file))?;
    Ok((Classifier::from_model_file(file), description))
}

/// The bytes of a model in the format of this file name; with `columns`, the inputs of a graph are the columns of the table.
#[pyfunction]
pub(crate) fn export<'py>(
    py: Python<'py>,
    classifier: &Bound<'py, Classifier>,
    description: &str,
    path: PathBuf,
    columns: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = ExportFormat::of(&path).ok_or_else(|| {
        let path = path.display();
        value_error(format!("{path}: expected a name that ends in .onnx, .json or .csv"))
    })?;
    let format = match (format, columns) {
        (ExportFormat::Onnx, true) => ExportFormat::OnnxOfColumns,
        (_, true) => {
            return Err(value_error("columns is for ONNX graphs: a name that ends in .onnx"));
        }
        (format, false) => format,
    };
    let file = model_file(classifier.get(), description)?;
    let bytes = py.detach(|| rosenblatt_data::export::export(&file, format));
    Ok(PyBytes::new(py, &bytes.map_err(value_error)?))
}

/// Writes a file, whole or not at all.
#[pyfunction]
pub(crate) fn write(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    let write = || prepare(&path).and_then(|()| AtomicFile::write(&path, content));
    Ok(py.detach(write).map_err(|error| with_path(&path, error))?)
}

/// The error with the name of the file.
fn with_path(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
