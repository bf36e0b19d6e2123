//! Whether a hyperplane separates two classes.

use std::{
    fmt::Display,
    time::{Duration, Instant},
};

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use rosenblatt::guarantee::{Compressed, SampleCheck};
use rosenblatt_core::{
    data::{Examples, Labelled, Rows},
    train::Bias,
};
use rosenblatt_proofs as proofs;
use rosenblatt_proofs::{
    Certificate, Convergence, ConvergenceCertificate, ConvergenceVerdict, Ended, LEAST_ERRORS_WORK,
    LeastErrorsCertificate, MOST_WORK, Numbers, SeparabilityOptions, SeparationCertificate,
    Statement, Verdict, compress,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{
    classifier::scheme,
    errors::{detached, json, value_error},
    matrix::{Matrix, MatrixView, numbers},
    options::{RunOptions, parse},
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

/// The hyperplanes to search, and the limits of the search: a given time replaces the limit of work.
struct Search {
    with_bias: bool,
    seconds: Option<f64>,
    work: u64,
}

impl Search {
    fn for_separator(bias: Bias, seconds: Option<f64>) -> Self {
        Search { with_bias: bias != Bias::None, seconds, work: MOST_WORK }
    }

    /// Calls `search` with the options and a function that ends it after the time or after Ctrl-C.
    fn run<T>(
        &self,
        search: impl FnOnce(&SeparabilityOptions, &mut dyn FnMut() -> bool) -> T,
    ) -> PyResult<T> {
        let (start, signals, time) = (Instant::now(), Signals::new(), self.time());
        let is_late = || time.is_some_and(|time| start.elapsed() >= time);
        let found = search(&self.options(), &mut || signals.should_stop() || is_late());
        signals.into_error().map_or(Ok(found), Err)
    }

    fn time(&self) -> Option<Duration> {
        let of = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        self.seconds.map(of)
    }

    fn options(&self) -> SeparabilityOptions {
        let work = if self.seconds.is_some() { u64::MAX } else { self.work };
        SeparabilityOptions { with_bias: self.with_bias, work, ..SeparabilityOptions::default() }
    }
}

/// The verdict on separability, confirmed by the checker.
fn confirmed(
    examples: &Examples<'_>,
    options: &SeparabilityOptions,
    stop: &mut dyn FnMut() -> bool,
) -> Verdict {
    proofs::separable(examples, options, stop).confirmed(examples)
}

/// The reason why a search ended, in JSON; only the clock stops a search that has an answer.
fn ended_by(ended: Option<Ended>) -> Option<&'static str> {
    ended.map(|ended| if ended == Ended::Stopped { "clock" } else { ended.name() })
}

/// The answer of `separable`, with the guarantee for the separator of a few rows.
#[derive(serde::Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    statement: Statement<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compressed: Option<Compressed>,
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
    let search = Search::for_separator(bias, seconds);
    let (matrix, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        with_examples(matrix, classes, |examples| {
            let (verdict, compression, separation) = search.run(|options, stop| {
                let verdict = confirmed(&examples, options, stop);
                let is_yes = verdict.is_separable() == Some(true);
                let compression = is_yes.then(|| compress(&examples, options, stop)).flatten();
                let case = |_| verdict.separation(&examples, options, stop);
                let separation = verdict.is_separable().map(case);
                (verdict, compression, separation)
            })?;
            let statement = verdict.statement(bias, Numbers::Binary64);
            let mut statement = statement.with_separation(separation.as_ref());
            statement.ended_by = ended_by(verdict.ended());
            let compressed = compression.map(|found| {
                Compressed::new(
                    &found,
                    examples.len(),
                    SampleCheck::reason_of(examples.rows(), classes),
                )
            });
            json(&Answer { statement, compressed })
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
    let search = Search { with_bias, seconds, work: MOST_WORK };
    let (matrix, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        with_examples(matrix, classes, |examples| {
            let verdict =
                search.run(|options, stop| proofs::separation(&examples, options, stop))?;
            let mut statement = verdict.statement(Numbers::Binary64);
            statement.ended_by = ended_by(verdict.ended());
            json(&statement)
        })
    })
}

/// Whether a run ends, with its proof or that of separability, which decides it.
#[derive(serde::Serialize)]
struct Ending<'a> {
    convergence: Option<Convergence>,
    certificate: Option<EndingCertificate<'a>>,
    ended_by: Option<&'static str>,
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum EndingCertificate<'a> {
    Separability(&'a Certificate),
    Run(&'a ConvergenceCertificate),
}

impl<'a> Ending<'a> {
    fn new(verdict: &'a Verdict, ends: &'a ConvergenceVerdict) -> Self {
        let (certificate, ended) = match ends {
            ConvergenceVerdict::HalfOpen(run) => (Some(EndingCertificate::Run(run)), None),
            ConvergenceVerdict::Separability(_) => {
                (verdict.certificate().map(EndingCertificate::Separability), None)
            }
            ConvergenceVerdict::NoTheorem => (None, None),
            ConvergenceVerdict::Unknown(ended) => (None, Some(*ended)),
        };
        Ending { convergence: ends.convergence(), certificate, ended_by: ended_by(ended) }
    }
}

/// Decides whether runs of these options end with an epoch without mistakes; returns JSON.
#[pyfunction]
pub(crate) fn convergence(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    options: &RunOptions,
    seconds: Option<f64>,
) -> PyResult<String> {
    let run = &options.0;
    let search = Search::for_separator(run.bias, seconds);
    let (matrix, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        with_examples(matrix, classes, |examples| {
            let (verdict, ends) = search.run(|options, stop| {
                let verdict = confirmed(&examples, options, stop);
                let ends = proofs::convergence(&examples, run, &verdict, options, stop);
                (verdict, ends)
            })?;
            json(&Ending::new(&verdict, &ends))
        })
    })
}

/// Checks a certificate of `convergence`, which is JSON; returns JSON.
#[pyfunction]
pub(crate) fn verify_convergence(
    py: Python<'_>,
    certificate: &str,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    bias: &str,
) -> PyResult<String> {
    let with_bias = parse::<Bias>("bias", bias)? != Bias::None;
    let check = |proof: &ConvergenceCertificate, examples: &Examples<'_>| {
        proof.answers(with_bias).and_then(|()| proofs::verify_convergence(proof, examples))
    };
    checked(py, certificate, (&matrix, &classes), check)
}

/// Bounds the least errors of any hyperplane; returns the JSON of `rosenblatt separable --least-errors --json`.
#[pyfunction]
pub(crate) fn least_errors(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    with_bias: bool,
    seconds: Option<f64>,
) -> PyResult<String> {
    let search = Search { with_bias, seconds, work: LEAST_ERRORS_WORK };
    let (matrix, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        with_examples(matrix, classes, |examples| {
            let found =
                search.run(|options, stop| proofs::least_errors(&examples, options, stop))?;
            let mut statement = found.statement(Numbers::Binary64);
            statement.ended_by = ended_by(found.ended);
            json(&statement)
        })
    })
}

/// Reads a certificate about floats from JSON.
fn certificate<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    let wrong = |error| value_error(format!("this is no certificate: {error}"));
    let mut object: Map<String, Value> = serde_json::from_str(text).map_err(wrong)?;
    let numbers = object.remove("numbers").map(serde_json::from_value).transpose();
    if numbers.map_err(wrong)? == Some(Numbers::Decimal) {
        let message = "the certificate is about the decimals of a text, and an array holds floats; \
                       `rosenblatt separable --verify` checks it against the text";
        return Err(value_error(message.to_owned()));
    }
    serde_json::from_value(Value::Object(object)).map_err(wrong)
}

/// The result of a check.
#[derive(serde::Serialize)]
struct Checked {
    verified: bool,
    problem: Option<String>,
}

impl<E: Display> From<Result<(), E>> for Checked {
    fn from(result: Result<(), E>) -> Self {
        let problem = result.err().map(|error| error.to_string());
        Checked { verified: problem.is_none(), problem }
    }
}

/// Checks a certificate, which is JSON, against examples; returns JSON.
fn checked<C: DeserializeOwned + Sync, E: Display>(
    py: Python<'_>,
    text: &str,
    (matrix, classes): (&Matrix<'_>, &PyReadonlyArray1<'_, u32>),
    check: impl Fn(&C, &Examples<'_>) -> Result<(), E> + Sync,
) -> PyResult<String> {
    let proof: C = certificate(text)?;
    let (matrix, classes) = (matrix.view()?, numbers(classes)?);
    detached(py, || {
        with_examples(matrix, classes, |examples| json(&Checked::from(check(&proof, &examples))))
    })
}

/// Checks a certificate of `separation`, which is JSON; returns JSON.
#[pyfunction]
pub(crate) fn verify_separation(
    py: Python<'_>,
    certificate: &str,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    with_bias: bool,
) -> PyResult<String> {
    let check = |proof: &SeparationCertificate, examples: &Examples<'_>| {
        proof.answers(with_bias).and_then(|()| proofs::verify_separation(proof, examples))
    };
    checked(py, certificate, (&matrix, &classes), check)
}

/// Checks a certificate of `least_errors`, which is JSON; returns JSON.
#[pyfunction]
pub(crate) fn verify_least_errors(
    py: Python<'_>,
    certificate: &str,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    with_bias: bool,
) -> PyResult<String> {
    let check = |proof: &LeastErrorsCertificate, examples: &Examples<'_>| {
        proof.answers(with_bias).and_then(|()| proofs::verify_least_errors(proof, examples))
    };
    checked(py, certificate, (&matrix, &classes), check)
}

/// The result of a check, with the keys of `rosenblatt separable --verify FILE --json`.
#[derive(serde::Serialize)]
struct VerifyStatement {
    separable: &'static str,
    hyperplanes: &'static str,
    #[serde(flatten)]
    checked: Checked,
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
    let certificate: Certificate = self::certificate(certificate)?;
    let (matrix, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        with_examples(matrix, classes, |examples| {
            let matches_bias = certificate.answers(bias != Bias::None);
            let checked = matches_bias.and_then(|()| proofs::verify(&certificate, &examples));
            let statement = VerifyStatement {
                separable: certificate.claim(),
                hyperplanes: certificate.hyperplanes(),
                checked: checked.into(),
            };
            json(&statement)
        })
    })
}
