//! Whether a hyperplane separates two classes.

use std::time::{Duration, Instant};

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use rosenblatt::{
    data::{Examples, Labelled, Rows},
    separability::{self, Certificate, Ended, SeparabilityOptions, SeparationCertificate, Verdict},
    train::Bias,
};

use crate::{
    classifier::scheme,
    errors::{detached, value_error},
    matrix::{Matrix, MatrixView, numbers},
    options::parse,
    signals::Signals,
};

/// Calls `action` with examples of two classes.
fn with_examples<T>(
    matrix: MatrixView<'_>,
    classes: &[u32],
    action: impl FnOnce(Examples<'_>) -> PyResult<T>,
) -> PyResult<T> {
    let rows: Rows<'_> = matrix.rows().map_err(value_error)?;
    let labelled = Labelled::new(&rows, classes, scheme(2)).map_err(value_error)?;
    match labelled.problems().as_slice() {
        &[examples] => action(examples),
        _ => Err(value_error("a hyperplane separates two classes")),
    }
}

/// Decides whether a hyperplane separates class 1 from class 0; returns the JSON of `rosenblatt separable --json`.
///
/// The search ends after `seconds`, or without `seconds` after the engine's default amount of work.
#[pyfunction]
pub(crate) fn separable(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    bias: &str,
    seconds: Option<f64>,
) -> PyResult<String> {
    let bias: Bias = parse("bias", bias)?;
    let time = seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    let (matrix, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        with_examples(matrix, classes, |examples| {
            let (start, signals) = (Instant::now(), Signals::new());
            let default = SeparabilityOptions::default();
            // A given time replaces the limit of work.
            let work = if time.is_some() { u64::MAX } else { default.work };
            let with_bias = bias != Bias::None;
            let options = SeparabilityOptions { with_bias, work, ..default };
            let is_late = || time.is_some_and(|time| start.elapsed() >= time);
            let mut stop = || signals.poll() || is_late();
            let verdict: Verdict = separability::separable(&examples, &options, &mut stop);
            if let Some(error) = signals.into_error() {
                return Err(error);
            }
            let verdict = verdict.confirmed(&examples);
            let mut statement = verdict.statement(bias);
            if verdict.ended() == Some(Ended::Stopped) {
                statement.ended_by = Some("clock");
            }
            serde_json::to_string(&statement).map_err(value_error)
        })
    })
}

/// Decides between complete separation, quasi-complete separation and overlap; returns the JSON of
/// `rosenblatt separable --weak --json`.
#[pyfunction]
pub(crate) fn separation(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    with_bias: bool,
    seconds: Option<f64>,
) -> PyResult<String> {
    let time = seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    let (matrix, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        with_examples(matrix, classes, |examples| {
            let (start, signals) = (Instant::now(), Signals::new());
            let default = SeparabilityOptions::default();
            let work = if time.is_some() { u64::MAX } else { default.work };
            let options = SeparabilityOptions { with_bias, work, ..default };
            let is_late = || time.is_some_and(|time| start.elapsed() >= time);
            let mut stop = || signals.poll() || is_late();
            let verdict = separability::separation(&examples, &options, &mut stop);
            if let Some(error) = signals.into_error() {
                return Err(error);
            }
            let mut statement = verdict.statement();
            if verdict.ended() == Some(Ended::Stopped) {
                statement.ended_by = Some("clock");
            }
            serde_json::to_string(&statement).map_err(value_error)
        })
    })
}

/// Checks a certificate of `separation`, which is JSON; returns the reason for which it is not a proof.
#[pyfunction]
pub(crate) fn verify_separation(
    py: Python<'_>,
    certificate: &str,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    with_bias: bool,
) -> PyResult<Option<String>> {
    let certificate: SeparationCertificate = serde_json::from_str(certificate)
        .map_err(|error| value_error(format!("this is no certificate: {error}")))?;
    let (matrix, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        with_examples(matrix, classes, |examples| {
            let asked = certificate.answers(with_bias);
            let checked =
                asked.and_then(|()| separability::verify_separation(&certificate, &examples));
            Ok(checked.err().map(|error| error.to_string()))
        })
    })
}

/// The result of a check, with the keys of `rosenblatt separable --verify FILE --json`.
#[derive(serde::Serialize)]
struct VerifyStatement {
    separable: &'static str,
    hyperplanes: &'static str,
    verified: bool,
    problem: Option<String>,
}

/// Checks a certificate, which is JSON, for hyperplanes with this `bias`; returns JSON.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    certificate: &str,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    bias: &str,
) -> PyResult<String> {
    let bias: Bias = parse("bias", bias)?;
    let certificate: Certificate = serde_json::from_str(certificate)
        .map_err(|error| value_error(format!("this is no certificate: {error}")))?;
    let (matrix, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        with_examples(matrix, classes, |examples| {
            let matches_bias = certificate.answers(bias != Bias::None);
            let checked = matches_bias.and_then(|()| separability::verify(&certificate, &examples));
            let problem = checked.err().map(|error| error.to_string());
            let statement = VerifyStatement {
                separable: certificate.claim(),
                hyperplanes: certificate.hyperplanes(),
                verified: problem.is_none(),
                problem,
            };
            serde_json::to_string(&statement).map_err(value_error)
        })
    })
}
