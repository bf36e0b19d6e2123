//! The titles of the panels, which are what was found, and the notes below them, what it was found in.

use rosenblatt_core::{data::Rows, model::Model, report::Report};
use rosenblatt_data::ModelFile;
use rosenblatt_plot::Decision;

use super::{PlotSubject, slice::class_index};
use crate::{
    args::PlotArgs,
    commands::models::{are_training_sizes, predict_options},
    text::{count, counted, name, number},
};

/// More products of two values than this are not computed for a title.
const MOST_PRODUCTS: usize = 1 << 31;

/// The finding of a plane: the room beside the line, or how many examples are misclassified.
pub(super) fn plane(
    subject: &PlotSubject,
    arguments: &PlotArgs,
    decision: Option<&Decision<'_>>,
) -> String {
    let examples = counted(subject.numbers.len() as u64, "example");
    let Some(model) = &subject.model else {
        let classes = subject.classes.pair().map_or(subject.classes.names().len(), |_| 2);
        return format!("{examples} of {}", counted_classes(classes));
    };
    if let Some(Decision::Line(line)) = decision
        && let Some(margin) = line.margin
    {
        let what = if subject.names.len() == 1 { "threshold" } else { "line" };
        return format!("The {what} has {} to spare on each side", number(margin));
    }
    let Some(wrong) = misclassified(subject, arguments, &model.model) else {
        return format!("{examples}, and where the model puts its boundary");
    };
    let what = if arguments.baseline { "The nearest class mean" } else { "The model" };
    match wrong {
        0 => format!("{what} misclassifies none of {examples}"),
        wrong => format!("{what} misclassifies {} of {examples}", count(wrong)),
    }
}

fn counted_classes(classes: usize) -> String {
    if classes == 1 { "1 class".to_owned() } else { format!("{} classes", count(classes as u64)) }
}

/// The number of examples that the model misclassifies; `None` if that takes long.
fn misclassified(subject: &PlotSubject, arguments: &PlotArgs, model: &Model) -> Option<u64> {
    let scheme = model.classes().scheme();
    let options =
        predict_options(&arguments.voting, &arguments.reading, subject.model.as_ref()?).ok()?;
    let support = model.classifier().support().map_or(1, |support| support.rows.len());
    let features = model.features().max(1);
    if subject.numbers.len().saturating_mul(support).saturating_mul(features) > MOST_PRODUCTS {
        return None;
    }
    let classify = |rows: &Rows<'_>| match arguments.baseline {
        true => model.predict_baseline(rows).ok(),
        false => model.classify(rows, options, false).ok().map(|found| found.classes),
    };
    let batches: Option<Vec<Vec<u32>>> = subject.batches.iter().map(classify).collect();
    let found: Vec<u32> = batches?.concat();
    let pairs = found.iter().zip(&subject.numbers);
    let wrong =
        pairs.filter(|&(&found, &is)| class_index(scheme, found) != class_index(scheme, is));
    (found.len() == subject.numbers.len()).then(|| wrong.count() as u64)
}

/// The name of the file, without its folders.
pub(super) fn file(subject: &PlotSubject) -> String {
    name(subject.file.rsplit(['/', '\\']).next().unwrap_or_default())
}

/// The end of a note about examples from which the model may have learned.
pub(super) fn may_be_known(subject: &PlotSubject, model: &ModelFile) -> &'static str {
    let mut sizes = vec![0; model.model.classes().names().len()];
    subject.numbers.iter().for_each(|&class| sizes[class as usize] += 1);
    if are_training_sizes(model, &sizes) { "; these may be the training examples" } else { "" }
}

/// The file, and the weights of the model.
pub(super) fn source(subject: &PlotSubject) -> String {
    let file = file(subject);
    let Some(model) = &subject.model else { return file };
    let report = model.model.report();
    let weights = report.kept.keeper().title;
    let (updates, epochs) = (counted(report.updates, "update"), counted(report.epochs, "epoch"));
    let converged = if report.converged { "converged" } else { "not converged" };
    let more = report.extra_epochs.map(|more| format!(" and {} more as the last", count(more)));
    let more = more.unwrap_or_default();
    format!("{file}; {weights} after {updates} in {epochs}{more}, {converged}")
}

/// Whether an epoch was without a mistake.
pub(super) fn curve(report: &Report) -> String {
    let mistakes = &report.mistakes_per_epoch;
    let epochs = mistakes.len() as u64;
    let clean = mistakes.iter().position(|&mistakes| mistakes == 0);
    match clean {
        Some(_) if report.converged => format!("Epoch {} makes no mistake", count(epochs)),
        Some(clean) => {
            let first = count(clean as u64 + 1);
            format!("Epoch {first} is the first without a mistake")
        }
        None if epochs == 1 => format!("{} in the only epoch", counted(mistakes[0], "mistake")),
        None if epochs == 0 => "No epoch".to_owned(),
        None => format!("None of the {} epochs is without a mistake", count(epochs)),
    }
}
