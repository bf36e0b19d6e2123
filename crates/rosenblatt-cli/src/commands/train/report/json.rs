//! The report for a program.

use rosenblatt::{guarantee::Guarantee, study::WeightCycle};
use rosenblatt_core::{
    report::{ClassReport, Report},
    train::Options,
    transforms::NamedSteps,
    validation::{CalibratedBy, Validation},
};
use rosenblatt_data::schema::Inputs;
use serde::Serialize;

use crate::commands::{
    few_weights::{self, FileWeights},
    train::{
        diagnosis::Diagnosis, hardest_examples::HardExample, outcome::TrainOutcome, sweep::Sweep,
        traced::WrittenTrace, weights::Weighted,
    },
};

/// The object that `--json` prints.
#[derive(Serialize)]
pub(in crate::commands::train) struct TrainJson<'a> {
    /// The column of the label, of a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    classes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<&'a str>,
    /// Of two classes, the one that reports call positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    reported: Option<&'a str>,
    #[serde(flatten)]
    report: Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_class: Option<Vec<ClassRun<'a>>>,
    #[serde(flatten)]
    validation: &'a Validation,
    /// Present with `--penalty`.
    #[serde(skip_serializing_if = "Option::is_none")]
    nonzero_weights: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<&'a Sweep>,
    /// Present with `--calibrate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<CalibratedBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guarantee: Option<Guarantee>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnosis: Option<&'a Diagnosis>,
    /// Present if the weights returned to earlier ones, which is confirmed to prove that no hyperplane separates the
    /// classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<WeightCycle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hard: Option<&'a [HardExample]>,
    /// Present with `--weight`.
    #[serde(skip_serializing_if = "Option::is_none")]
    row_weights: Option<&'a Weighted>,
    /// The name of the data.
    data: &'a str,
    options: &'a Options,
    #[serde(flatten)]
    preparation: NamedSteps,
    /// The most frequent class, whose share a useful model exceeds.
    baseline: BaselineJson<'a>,
    /// Whether the examples are sorted by class; absent if they are not, or an order was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    sorted: Option<bool>,
    tool_version: &'a str,
    /// The version of this object; a key may be added without another version.
    json_version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
    /// The weights in the order of the features, in the units of the file; of several hyperplanes a list of lists.
    #[serde(flatten)]
    weights: Option<FileWeights>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a WrittenTrace>,
}

#[derive(Serialize)]
struct BaselineJson<'a> {
    class: &'a str,
    /// The share of the training examples.
    share: f64,
    /// The number of training examples.
    examples: usize,
}

/// The report of one class against the rest, with its name.
#[derive(Serialize)]
struct ClassRun<'a> {
    class: &'a str,
    #[serde(flatten)]
    report: ClassReport,
}

/// The report for a program; `seconds` is the duration of the command.
pub(in crate::commands::train) fn json(
    outcome: &TrainOutcome,
    seconds: Option<f64>,
) -> TrainJson<'_> {
    let classes = outcome.file.model.classes();
    let mut report = outcome.file.model.report().clone();
    let per_class = report.per_class.take().map(|all| classes.names().iter().zip(all));
    let baseline = outcome.file.model.baseline();
    let majority = baseline.majority();
    let examples = baseline.class_sizes[majority];
    let share = examples as f64 / report.examples as f64;
    let label = match &outcome.file.schema.inputs {
        Inputs::Columns(columns) => Some(columns.target.as_str()),
        Inputs::Indexed { .. } => None,
    };
    TrainJson {
        label,
        classes: classes.names(),
        positive: classes.positive(),
        reported: outcome.file.model.reported().map(|class| classes.names()[class].as_str()),
        per_class: per_class
            .map(|all| all.map(|(class, report)| ClassRun { class, report }).collect()),
        report,
        validation: &outcome.validation,
        nonzero_weights: super::nonzero_weights(&outcome.file).map(|(nonzero, _)| nonzero),
        sweep: outcome.sweep.as_ref(),
        calibration: outcome.calibration,
        guarantee: outcome.guarantee,
        diagnosis: outcome.diagnosis.as_ref(),
        cycle: outcome.cycle,
        hard: outcome.hard.as_deref(),
        row_weights: outcome.weighted.as_ref(),
        data: &outcome.data,
        options: outcome.file.model.options(),
        preparation: outcome.file.model.preparation().named(),
        baseline: BaselineJson { class: &classes.names()[majority], share, examples },
        sorted: outcome.is_sorted.then_some(true),
        tool_version: &outcome.file.tool_version,
        json_version: 1,
        seconds,
        model: outcome.written.as_deref(),
        skipped: Some(outcome.skipped).filter(|&skipped| skipped > 0),
        weights: few_weights::all(&outcome.file),
        trace: outcome.trace.as_ref(),
    }
}
