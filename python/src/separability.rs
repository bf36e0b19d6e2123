//! Is it separable?

use std::time::{Duration, Instant};

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use rosenblatt::{
    data::{Examples, Labelled, Rows},
    separability::{self, Certificate, Verdict},
    train::Bias,
};
use serde_json::json;

use crate::{
    classifier::scheme,
    failure::{detached, value},
    matrix::{Matrix, View, numbers},
    watch::Signals,
};

/// Asks something of examples of two classes.
fn of_examples<T>(
    (matrix, classes): (View<'_>, &[u32]),
    ask: impl FnOnce(Examples<'_>) -> PyResult<T>,
) -> PyResult<T> {
    let rows: Rows<'_> = matrix.rows().map_err(value)?;
    let labelled = Labelled::new(&rows, classes, scheme(2)).map_err(value)?;
    match labelled.problems().as_slice() {
        &[examples] => ask(examples),
        _ => Err(value("a hyperplane separates two classes")),
    }
}

/// Whether a hyperplane separates class 1 from class 0: the JSON of `rosenblatt separable --json`.
///
/// `bias` is `unit`, `none` or `radius`; the search ends after so many seconds.
#[pyfunction]
pub(crate) fn separable(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    bias: &str,
    seconds: f64,
) -> PyResult<String> {
    let bias: Bias = serde_json::from_value(json!(bias)).map_err(value)?;
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let examples = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        of_examples(examples, |examples| {
            let (start, signals) = (Instant::now(), Signals::new());
            let options =
                separability::Options { with_bias: bias != Bias::None, ..Default::default() };
            let mut stop = || signals.raised() || start.elapsed() >= time;
            let verdict: Verdict = separability::separable(&examples, &options, &mut stop);
            if let Some(error) = signals.into_error() {
                return Err(error);
            }
            let verdict = verdict.confirmed(&examples);
            serde_json::to_string(&verdict.statement(bias)).map_err(value)
        })
    })
}

/// Why a certificate, as JSON, proves nothing of these examples; nothing where it is a proof.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    certificate: &str,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
) -> PyResult<Option<String>> {
    let certificate: Certificate = serde_json::from_str(certificate)
        .map_err(|error| value(format!("this is no certificate: {error}")))?;
    let examples = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        of_examples(examples, |examples| {
            Ok(separability::verify(&certificate, &examples).err().map(|error| error.to_string()))
        })
    })
}
