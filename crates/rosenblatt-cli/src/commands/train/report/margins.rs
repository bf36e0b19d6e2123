//! The margin and Novikoff's bound.

use rosenblatt_core::{
    keep::Kept,
    report::{MarginBracket, Report},
    rules::{Mistake, Update},
    train::{Bias, NotASum, WeightsAre},
};

use crate::{
    commands::{
        options::kept_weights,
        preparation::whose,
        theorem::{formula, longest, space},
        train::outcome::TrainOutcome,
    },
    text::{at_least, at_most, counted, number},
};

/// The lines of the margin and of the bound, with their names.
pub(super) fn margins(outcome: &TrainOutcome, is_joint: bool) -> Vec<(&'static str, String)> {
    let model = &outcome.file.model;
    let (report, options, preparation) = (model.report(), model.options(), model.preparation());
    let (update, bias) = (options.update, options.bias);
    let mut lines = Vec::new();
    let (longest, radius) = longest(bias, report.radius);
    let bracket = bracket(outcome, is_joint);
    let of = whose(preparation).map_or_else(String::new, |whose| format!("; of the {whose}"));
    lines.push(("margin", format!("{bracket}; {longest} = {}{of}", number(radius))));
    if report.margin.lower.is_none() {
        lines.extend(
            without_margin(report, update, options.mistake).map(|line| ("", line.to_owned())),
        );
    }
    if let Some(bound) = report.novikoff_bound {
        let formula = formula(update, bias, is_joint);
        let made = counted(report.updates, "update");
        lines.push((
            "Novikoff",
            format!("{made} made, at most {formula} = {} possible", crate::text::bound(bound)),
        ));
    }
    lines
}

/// The bounds on the margin, or the reason why there are none.
fn bracket(outcome: &TrainOutcome, is_joint: bool) -> String {
    let model = &outcome.file.model;
    let (report, options) = (model.report(), model.options());
    let bias = options.bias;
    let MarginBracket { lower, upper } = report.margin;
    let of_all = if is_joint { ", of the weights of all classes together" } else { "" };
    let space = space(bias) + of_all;
    let lowest = lower.map(|lower| of_weights(at_least(lower, 4), report.separator));
    let highest = upper.map(|upper| at_most(upper, 4));
    match (lowest, highest) {
        (None, _) if outcome.is_inseparable() => {
            let through = if bias == Bias::None { " through the origin" } else { "" };
            format!("none: no hyperplane{through} separates the classes")
        }
        (Some(lower), Some(upper)) => format!("{lower} ≤ γ ≤ {upper}{space}"),
        (None, Some(upper)) if outcome.is_separable() => format!("γ ≤ {upper}{space}"),
        (None, Some(upper)) => format!("γ ≤ {upper}{space}, if the classes are separable"),
        (Some(lower), None) => format!("{lower} ≤ γ{space}"),
        (None, None) => {
            let reason = match options.dynamics().weights {
                WeightsAre::Other(NotASum::Penalty) => "a run with a penalty gives",
                WeightsAre::Other(NotASum::Precisions(_)) => "the update rule gives",
                WeightsAre::Other(NotASum::RandomStart) => "random initial weights give",
                WeightsAre::Other(NotASum::GivenStart) => "given initial weights give",
                WeightsAre::SumOfRows => "the last weights give",
            };
            format!("unknown: no weights separated the classes, and {reason} no bound")
        }
    }
}

/// A margin, with the weights that have it.
fn of_weights(margin: String, kept: Option<Kept>) -> String {
    match kept {
        Some(kept) => format!("{margin} (of {})", kept_weights(kept)),
        None => margin,
    }
}

/// The reason why a run that converged shows no margin; `None` for a stream, whose examples are not kept.
fn without_margin(report: &Report, update: Update, mistake: Mistake) -> Option<&'static str> {
    if !report.converged || report.training_errors.is_none() {
        return None;
    }
    if update.rule().ends_despite_updates {
        return Some("no separator is known: the weights moved in the epoch without a mistake");
    }
    Some(match (mistake, report.min_margin) {
        // An epoch without a mistake saw every functional margin above 0.
        (Mistake::Margin, Some(margin)) if margin > 0.0 => {
            "the last weights separate, with a margin too small to be proven"
        }
        (Mistake::Margin, _) => {
            "the last weights separate, with a margin too small to be represented"
        }
        (Mistake::Label, Some(0.0)) => "no separator: an example lies on the hyperplane",
        (Mistake::Label, None) if report.kept.keeper().is_hyperplane() => {
            "the weights separate, with a margin too small to be represented"
        }
        (Mistake::Label, _) => "no separator is known: an example may lie on the hyperplane",
    })
}
