//! The report of a study for a program.

use rosenblatt::{
    separability::Bracket,
    study::{Angles, Answer, SeededRun, Summary, SweepPoint},
};
use serde::Serialize;

use super::Outcome;

/// The object that `--json` prints.
#[derive(Serialize)]
pub(super) struct Json<'a> {
    runs: usize,
    converged: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    updates: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    epochs: Option<Summary>,
    per_run: &'a [SeededRun],
    separable: Answer,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<Bracket>,
    radius: f64,
    angles: Angles,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<Vec<OfFactor>>,
    seconds: f64,
}

/// One factor of a sweep.
#[derive(Serialize)]
struct OfFactor {
    factor: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<Bracket>,
    radius: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
    runs: usize,
    converged: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    updates: Option<Summary>,
}

/// The report for a program; `seconds` is the time it all took.
pub(super) fn json<'a>(outcome: &'a Outcome<'_>, seconds: f64) -> Json<'a> {
    let study = &outcome.study;
    let of_factor = |point: &SweepPoint| OfFactor {
        factor: point.factor,
        margin: point.theorem.margin,
        radius: point.theorem.radius,
        bound: point.theorem.bound,
        runs: point.runs,
        converged: point.converged,
        updates: point.updates,
    };
    Json {
        runs: study.runs.len(),
        converged: study.converged(),
        updates: study.updates,
        epochs: study.epochs,
        per_run: &study.runs,
        separable: study.theorem.separable,
        bound: study.theorem.bound,
        margin: study.theorem.margin,
        radius: study.theorem.radius,
        angles: study.angles,
        sweep: outcome.sweep.as_ref().map(|(_, points)| points.iter().map(of_factor).collect()),
        seconds,
    }
}
