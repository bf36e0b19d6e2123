//! The report of a study for a program.

use rosenblatt::study::{StudyStatement, SweepPoint, SweepStatement};
use serde::Serialize;

use super::StudyOutcome;

/// The object that `--json` prints.
#[derive(Serialize)]
pub(super) struct StudyJson<'a> {
    #[serde(flatten)]
    study: StudyStatement<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<Vec<SweepStatement>>,
    seconds: f64,
}

/// The report for a program; `seconds` is the duration of the command.
pub(super) fn json<'a>(outcome: &'a StudyOutcome<'_>, seconds: f64) -> StudyJson<'a> {
    let points = outcome.sweep.as_ref().map(|(_, points)| points);
    StudyJson {
        study: outcome.study.statement(),
        sweep: points.map(|points| points.iter().map(SweepPoint::statement).collect()),
        seconds,
    }
}
