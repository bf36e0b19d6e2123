//! The error rate of new examples that is guaranteed.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use rosenblatt::guarantee::{Guarantee, Reason, SampleCheck};

use crate::{
    errors::{detached, json, value_error},
    matrix::{Matrix, numbers},
};

/// The guarantee, as JSON, of test examples that the classifier does not follow from.
#[pyfunction]
pub(crate) fn error_guarantee(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    errors: u64,
    are_training_examples: bool,
) -> PyResult<String> {
    let (matrix, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        let rows = matrix.rows().map_err(value_error)?;
        let known = are_training_examples.then_some(Reason::TrainingExamples);
        let reason = known.or_else(|| SampleCheck::reason_of(&rows, classes));
        let guarantee = Guarantee::of_errors(errors, classes.len() as u64, reason);
        json(&guarantee)
    })
}
