//! The guarantee of a run for new examples.

use rosenblatt::{Bias, keep::Keep, model::Model, train::Options};

use super::{context::Context, validation::HoldoutResult};
use crate::commands::guarantee::{Guarantee, Reason, SampleCheck, is_filled};

/// The guarantee of held-out examples, or of the vote of one pass; `None` if there are neither.
pub(super) fn guarantee(
    context: &Context<'_>,
    model: &Model,
    holdout: Option<&HoldoutResult>,
) -> Option<Guarantee> {
    let sample = || {
        let mut check = SampleCheck::default();
        check.count(&context.dataset.rows, context.numbers);
        check.reason()
    };
    if let Some(HoldoutResult { examples, errors, .. }) = holdout {
        let swept = context.arguments.sweep.as_ref().map(|_| Reason::ChoseOption);
        let chose = context.arguments.patience.map(|_| Reason::ChoseEpoch).or(swept);
        let grouped = context.arguments.group.as_ref().map(|_| Reason::Grouped);
        return Some(Guarantee::of_errors(*errors, *examples, chose.or(grouped).or_else(sample)));
    }
    let (options, report) = (model.options(), model.report());
    if options.keep != Keep::Vote || options.epochs != 1 {
        return None;
    }
    let reason = looked_ahead(context, model, options).or_else(sample);
    let mistakes = report.mistakes_per_epoch.first().copied().unwrap_or(0);
    Some(Guarantee::of_vote(mistakes, report.examples as u64, reason))
}

/// The option that made the weights before a visit depend on later examples, or on others than two classes.
fn looked_ahead(context: &Context<'_>, model: &Model, options: &Options) -> Option<Reason> {
    let reasons = [
        (model.classes().pair().is_none(), Reason::Classes),
        (model.scaling().is_some(), Reason::Scaled),
        (model.weighting() == rosenblatt::Weighting::Tfidf, Reason::Weighted),
        (is_filled(&context.dataset.schema), Reason::Filled),
        (context.arguments.learning.run.class_weight == "balanced", Reason::Balanced),
        (options.bias == Bias::Radius, Reason::Radius),
    ];
    reasons.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason)
}
