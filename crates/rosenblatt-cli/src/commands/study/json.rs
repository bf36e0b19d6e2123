//! The report of a study for a program.

use rosenblatt::{
    separability::Bracket,
    study::{StudyStatement, Summary, SweepPoint},
};
use serde::Serialize;

use super::StudyOutcome;

/// The object that `--json` prints.
#[derive(Serialize)]
pub(super) struct StudyJson<'a> {
    #[serde(flatten)]
    study: StudyStatement<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<Vec<FactorJson>>,
    seconds: f64,
}

/// One factor of a sweep.
#[derive(Serialize)]
struct FactorJson {
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
    #[serde(skip_serializing_if = "Option::is_none")]
    epochs: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out_errors: Option<Summary>,
}

/// The report for a program; `seconds` is the duration of the command.
pub(super) fn json<'a>(outcome: &'a StudyOutcome<'_>, seconds: f64) -> StudyJson<'a> {
    let of_factor = |point: &SweepPoint| FactorJson {
        factor: point.factor,
        margin: point.theorem.margin,
        radius: point.theorem.radius,
        bound: point.theorem.bound,
        runs: point.runs,
        converged: point.converged,
        updates: point.updates,
        epochs: point.epochs,
        held_out_errors: point.held_out_errors,
    };
    StudyJson {
        study: outcome.study.statement(),
        sweep: outcome.sweep.as_ref().map(|(_, points)| points.iter().map(of_factor).collect()),
        seconds,
    }
}
