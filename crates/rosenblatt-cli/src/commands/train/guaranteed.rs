//! The guarantee of a run for new examples.

use rosenblatt::guarantee::{Guarantee, Reason, SampleCheck};
use rosenblatt_core::{
    model::Model,
    validation::{Holdout, Validation},
};

use super::context::Context;
use crate::commands::guarantee::is_filled;

/// The guarantee of held-out examples, or of the vote of one pass; `None` if there are neither.
pub(super) fn guarantee(
    context: &Context<'_>,
    model: &Model,
    validation: &Validation,
) -> Option<Guarantee> {
    let sample = || SampleCheck::reason_of(&context.dataset.rows, context.numbers);
    let swept = (!context.arguments.sweep.is_empty()).then_some(Reason::ChoseOption);
    let grouped = context.arguments.group.as_ref().map(|_| Reason::Grouped);
    if let Some(Holdout { examples, errors, last, .. }) = &validation.holdout {
        let labels = model.calibration().filter(|found| found.has_probable_labels());
        let labels = labels.map(|_| Reason::ChoseLabels);
        let chose = context.arguments.patience.map(|_| Reason::ChoseEpoch).or(swept).or(labels);
        let copied = validation.copies.as_ref().filter(|copies| copies.together);
        let copied = copied.map(|_| Reason::Repeated);
        let reason = chose.or(last.then_some(Reason::Last)).or(grouped).or_else(sample).or(copied);
        return Some(Guarantee::of_errors(*errors, *examples, reason));
    }
    let filled = || is_filled(context.dataset).then_some(Reason::Filled);
    let classes = model.classes().names().len();
    let ahead = || Reason::of_pass(model.options(), model.preparation().learned(), classes);
    let reason = || swept.or(grouped).or_else(ahead).or_else(filled).or_else(sample);
    Guarantee::of_run(model.options(), model.report(), reason)
}
