//! The report for a program.

use rosenblatt::report::{ClassReport, Report};
use serde::Serialize;

use crate::commands::train::{
    diagnosis::Diagnosis, hardest_examples::HardExample, outcome::TrainOutcome,
    validation::Validation,
};

/// The object that `--json` prints.
#[derive(Serialize)]
pub(in crate::commands::train) struct TrainJson<'a> {
    classes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<&'a str>,
    #[serde(flatten)]
    report: Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_class: Option<Vec<ClassRun<'a>>>,
    #[serde(flatten)]
    validation: &'a Validation,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnosis: Option<&'a Diagnosis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hard: Option<&'a [HardExample]>,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
}

/// The report of one class against the rest, with its name.
#[derive(Serialize)]
struct ClassRun<'a> {
    class: &'a str,
    #[serde(flatten)]
    report: ClassReport,
}

/// The report for a program; `seconds` is the duration of the command.
pub(in crate::commands::train) fn json(outcome: &TrainOutcome, seconds: f64) -> TrainJson<'_> {
    let classes = outcome.file.model.classes();
    let mut report = outcome.file.model.report().clone();
    let per_class = report.per_class.take().map(|all| classes.names().iter().zip(all));
    TrainJson {
        classes: classes.names(),
        positive: classes.positive(),
        per_class: per_class
            .map(|all| all.map(|(class, report)| ClassRun { class, report }).collect()),
        report,
        validation: &outcome.validation,
        diagnosis: outcome.diagnosis.as_ref(),
        hard: outcome.hard.as_deref(),
        seconds,
        model: outcome.written.as_deref(),
        skipped: Some(outcome.skipped).filter(|&skipped| skipped > 0),
    }
}
