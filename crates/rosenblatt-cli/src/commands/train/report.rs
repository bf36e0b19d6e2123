//! The report of a run, for a user and for a program.

mod accuracy;
mod counts;
mod ending;
mod json;
mod lists;
mod margins;
mod notes;

use rosenblatt_core::data::Scheme;
use rosenblatt_data::{Format, Hashing, ModelFile, Note, NoteCode, schema::Inputs};

use super::{calibrated, outcome::TrainOutcome, weights::Weighted};
use crate::{
    commands::{
        few_weights,
        notes::{categories, interactions},
        options::{description, how_learned, is_joint, model_weights},
        preparation::steps,
    },
    text::{Table, count, counted, escaped, name},
};

pub(super) use json::json;
pub(super) use notes::notes;
use notes::words;

/// The maximum number of lines about doubtful classes.
const DOUBTS: usize = 3;

/// The report for a user: first how good the model is, then what it is, then the theory.
pub(super) fn text(outcome: &TrainOutcome, notes: &[Note], seconds: Option<f64>) -> String {
    let model = &outcome.file;
    let report = model.model.report();
    let mut table = Table::default();
    let weighted = outcome.weighted.as_ref().map(Weighted::text);
    table.lines("data", [data(outcome)].into_iter().chain(weighted).chain(texts(model)));
    if let Some(categories) = categories(&model.schema) {
        table.line("categories", categories);
    }
    if let Some(interactions) = interactions(&model.schema) {
        table.line("interactions", interactions);
    }
    let doubts = words(notes, &[NoteCode::ClassesByCase, NoteCode::SingleExamples]).take(DOUBTS);
    let doubts = doubts.chain(words(notes, &[NoteCode::LabelCopies]));
    table.lines("classes", [classes(model)].into_iter().chain(doubts));
    for (name, line) in accuracy::lines(outcome, notes) {
        table.line(name, line);
    }
    table.lines("columns", words(notes, &[NoteCode::CategoriesByCase, NoteCode::TellingColumn]));
    table.lines("probabilities", outcome.calibration.into_iter().flat_map(calibrated::lines));
    let ending = [ending::ending(report, outcome.file.model.options())].into_iter();
    table.lines("outcome", ending.chain(ending::advice(outcome, notes)));
    table.line("run", run(model));
    table.line("mistakes", counts::mistakes(report));
    if let Some(support) = report.support {
        table.line("support", counts::support(support, report));
    }
    let is_joint = is_joint(model);
    if shows_theory(outcome) && (report.per_class.is_none() || is_joint) {
        for (name, line) in margins::margins(outcome, is_joint) {
            table.line(name, line);
        }
    }
    let plane = model.model.classifier().linear().and_then(|planes| match planes {
        [plane] => Some(plane),
        _ => None,
    });
    if let Some(weights) = plane.and_then(|plane| few_weights::line(model, plane)) {
        table.line("weights", weights);
    }
    if let Some(trace) = &outcome.trace {
        table.line("trace", trace.line());
    }
    table.line("model", kept(model, outcome.written.as_deref()));
    if let Some(seconds) = seconds {
        table.line("time", format!("{seconds:.2} s"));
    }
    let per_class = lists::per_class(model);
    let sweep = outcome.sweep.as_ref().map_or_else(String::new, |sweep| sweep.table());
    table.to_string() + &sweep + &per_class + &lists::hardest(outcome.hard.as_deref())
}

/// Whether the report has the margin and the bound: where the classes are known to be separable, where that was asked, and for
/// the last weights, about which the theorems are.
fn shows_theory(outcome: &TrainOutcome) -> bool {
    let (report, options) = (outcome.file.model.report(), outcome.file.model.options());
    report.converged
        || report.separator.is_some()
        || outcome.diagnosis.is_some()
        || options.keep.kept().keeper().is_present()
}

/// The options of the run, and the preparation of the rows.
fn run(file: &ModelFile) -> String {
    let model = &file.model;
    description(model.options(), model.classes().scheme())
        + &steps(model.preparation(), model.features())
}

fn data(outcome: &TrainOutcome) -> String {
    let (model, report) = (&outcome.file, outcome.file.model.report());
    let skipped = match outcome.skipped {
        0 => String::new(),
        skipped => format!(" ({} skipped)", counted(skipped, "row")),
    };
    let size = format!(
        "{}: {}{skipped}, {}",
        escaped(&outcome.data),
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
        let (unit, plural) = match words.hashing {
            Hashing { chars: Some(_), .. } => ("different character n-gram", "character n-grams"),
            Hashing { ngrams: 1, .. } => ("different word", "words"),
            _ => ("different n-gram", "words"),
        };
        let known = words.dictionary.len() as u64;
        let count_of = words.collisions.map_or_else(
            || plural.to_owned(),
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
        Scheme::Two { positive } => {
            let reported = model.model.reported().filter(|&reported| reported != positive);
            let reported = reported
                .map(|class| format!("; reported as positive: {}", name(&classes.names()[class])));
            format!("+1 is {}, −1 is {}", of(positive), of(1 - positive))
                + &reported.unwrap_or_default()
        }
        Scheme::OneVsRest { classes } => {
            const SHOWN: usize = 12;
            let shown: Vec<String> = (0..classes.min(SHOWN)).map(of).collect();
            let rest = if classes > SHOWN { ", …" } else { "" };
            let shown = shown.join(", ");
            format!("{classes}, {}: {shown}{rest}", how_learned(model))
        }
    }
}

/// The number of weights that are not 0, in a run with a penalty, and of all.
fn nonzero_weights(model: &ModelFile) -> Option<(usize, usize)> {
    model.model.options().penalty?;
    let planes = model.model.classifier().linear()?;
    let weights = || planes.iter().flat_map(|plane| &plane.weights);
    Some((weights().filter(|&&weight| weight != 0.0).count(), weights().count()))
}

fn kept(model: &ModelFile, path: Option<&str>) -> String {
    let of_all = |(nonzero, all)| {
        format!(" ({} of {} are not 0)", count(nonzero as u64), counted(all as u64, "weight"))
    };
    let nonzero = nonzero_weights(model).map_or_else(String::new, of_all);
    let weights = model_weights(model.model.report()) + &nonzero;
    match path {
        Some(path) => format!("{weights}, written to {path}"),
        None => format!("{weights}; not written (write them with -o FILE)"),
    }
}
