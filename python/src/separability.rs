//! Is it separable?

use std::time::{Duration, Instant};

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use rosenblatt::{
    data::{Examples, Labelled, Rows},
    separability::{self, Certificate, Ended, Verdict},
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
/// `bias` is `unit`, `none` or `radius`. The search ends after so many seconds, or without them after the work that
/// the engine allows.
#[pyfunction]
pub(crate) fn separable(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    bias: &str,
    seconds: Option<f64>,
) -> PyResult<String> {
    let bias: Bias = serde_json::from_value(json!(bias)).map_err(value)?;
    let time = seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    let examples = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        of_examples(examples, |examples| {
            let (start, signals) = (Instant::now(), Signals::new());
            let default = separability::Options::default();
            // Who gives a time wants that time, however much work it is.
            let work = if time.is_some() { u64::MAX } else { default.work };
            let options = separability::Options { with_bias: bias != Bias::None, work, ..default };
            let late = || time.is_some_and(|time| start.elapsed() >= time);
            let mut stop = || signals.raised() || late();
            let verdict: Verdict = separability::separable(&examples, &options, &mut stop);
            if let Some(error) = signals.into_error() {
                return Err(error);
            }
            let verdict = verdict.confirmed(&examples);
            let mut statement = verdict.statement(bias);
            if verdict.ended() == Some(Ended::Stopped) {
                statement.ended_by = Some("clock");
            }
            serde_json::to_string(&statement).map_err(value)
        })
    })
}

/// What checking a certificate came to, with the keys of `rosenblatt separable --verify FILE --json`.
#[derive(serde::Serialize)]
struct Checked {
    separable: &'static str,
    hyperplanes: &'static str,
    verified: bool,
    problem: Option<String>,
}

/// Checks a certificate, given as JSON, for the hyperplanes that `bias` means; the answer is JSON.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    certificate: &str,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    bias: &str,
) -> PyResult<String> {
    let bias: Bias = serde_json::from_value(json!(bias)).map_err(value)?;
    let certificate: Certificate = serde_json::from_str(certificate)
        .map_err(|error| value(format!("this is no certificate: {error}")))?;
    let examples = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        of_examples(examples, |examples| {
            let asked = certificate.answers(bias != Bias::None);
            let checked = asked.and_then(|()| separability::verify(&certificate, &examples));
            let problem = checked.err().map(|error| error.to_string());
            let checked = Checked {
                separable: certificate.claim(),
                hyperplanes: certificate.hyperplanes(),
                verified: problem.is_none(),
                problem,
            };
            serde_json::to_string(&checked).map_err(value)
        })
    })
}
