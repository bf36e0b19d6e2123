//! The report of a run, for a user and for a program.

mod counts;
mod ending;
mod json;
mod lists;
mod margins;

use rosenblatt::{data::Scheme, report::Report};
use rosenblatt_data::{Format, ModelFile, schema::Inputs};

use super::{
    outcome::TrainOutcome,
    validation::{Folds, HoldoutResult, Validation},
};
use crate::{
    commands::options::{description, kept_weights},
    text::{Table, count, counted, escaped, name, percent},
};

pub(super) use json::json;

/// The report for a user.
pub(super) fn text(outcome: &TrainOutcome) -> String {
    let model = &outcome.file;
    let (report, options) = (model.model.report(), model.model.options());
    let mut table = Table::default();
    table.line("data", data(&outcome.data, model));
    for line in texts(model) {
        table.line("", line);
    }
    table.line("classes", classes(model));
    table.line("run", description(options));
    table.line("outcome", ending::ending(report));
    for line in ending::advice(outcome) {
        table.line("", line);
    }
    table.line("mistakes", counts::mistakes(report));
    table.line("training errors", counts::training_errors(report));
    if let Some(support) = report.support {
        table.line("support", counts::support(support, report));
    }
    if report.per_class.is_none() {
        for (name, line) in margins::margins(report, options) {
            table.line(name, line);
        }
    }
    if let Some(line) = held_out(&outcome.validation) {
        // Examples that chose the weights give no unbiased estimate.
        let chose = if report.best_epoch.is_some() { "; they also chose the epoch" } else { "" };
        table.line(line.name, line.text + chose);
    }
    table.line("model", kept(report, outcome.written.as_deref()));
    let per_class = lists::per_class(model);
    table.to_string() + &per_class + &lists::hardest(outcome.hard.as_deref())
}

fn data(file: &str, model: &ModelFile) -> String {
    let report = model.model.report();
    let size = format!(
        "{}: {}, {}",
        escaped(file),
        counted(report.examples as u64, "example"),
        counted(report.features as u64, "feature")
    );
    match (&model.schema.inputs, model.schema.format) {
        (Inputs::Columns(columns), Format::Table { header: true, .. }) => {
            format!("{size}; the label is column `{}`", name(&columns.target))
        }
        (Inputs::Columns(columns), _) => format!("{size}; the label is column {}", columns.target),
        _ => size,
    }
}

/// The result of hashing each text column.
fn texts(model: &ModelFile) -> Vec<String> {
    let Inputs::Columns(columns) = &model.schema.inputs else { return Vec::new() };
    let text = columns.features.iter().filter_map(|column| Some((column, column.words.as_ref()?)));
    text.map(|(column, words)| {
        let unit = if words.hashing.ngrams == 1 { "different word" } else { "different n-gram" };
        let known = words.dictionary.len() as u64;
        let count_of = words.collisions.map_or_else(
            || "words".to_owned(),
            |others| format!("{} ({} collided)", counted(known + others, unit), count(others)),
        );
        format!(
            "text in column `{}`: {count_of}, hashed to 2^{} features",
            column.name, words.hashing.bits
        )
    })
    .collect()
}

fn classes(model: &ModelFile) -> String {
    let (classes, sizes) = (model.model.classes(), &model.model.baseline().class_sizes);
    let of = |class: usize| {
        format!("{} ({})", name(&classes.names()[class]), count(sizes[class] as u64))
    };
    match classes.scheme() {
        Scheme::Two { positive } => format!("+1 is {}, −1 is {}", of(positive), of(1 - positive)),
        Scheme::OneVsRest { classes } => {
            const SHOWN: usize = 12;
            let shown: Vec<String> = (0..classes.min(SHOWN)).map(of).collect();
            let rest = if classes > SHOWN { ", …" } else { "" };
            let shown = shown.join(", ");
            format!("{classes}, one-vs-rest: {shown}{rest}")
        }
    }
}

/// A line of the report.
struct Line {
    name: &'static str,
    text: String,
}

/// The accuracy on held-out examples.
fn held_out(validation: &Validation) -> Option<Line> {
    if let Some(HoldoutResult { examples, errors, accuracy }) = validation.holdout {
        let (errors, examples) = (count(errors), counted(examples, "held-out example"));
        let accuracy = percent(accuracy);
        let text = format!("{accuracy} accuracy: {errors} of {examples} misclassified");
        return Some(Line { name: "held-out", text });
    }
    let Folds { accuracies, mean, sd } = validation.folds.as_ref()?;
    let (k, mean, sd) = (accuracies.len(), percent(*mean), percent(*sd));
    let text = format!("{mean} ± {sd} accuracy in {k} folds (mean ± sd)");
    Some(Line { name: "cross-validated", text })
}

fn kept(report: &Report, path: Option<&str>) -> String {
    let weights = kept_weights(report.kept);
    match path {
        Some(path) => format!("{weights}, written to {path}"),
        None => format!("{weights}; not written (write them with -o FILE)"),
    }
}
