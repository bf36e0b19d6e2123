//! How the run ended, and what the user can do if it did not converge.

use rosenblatt::{
    keep::Kept,
    report::{Report, Stop},
    train::Options,
};

use crate::{
    commands::{options::kept_weights, train::outcome::TrainOutcome},
    text::{count, counted, times},
};

/// How the run ended.
pub(super) fn ending(report: &Report) -> String {
    let updates = counted(report.updates, "update");
    let last = report.mistakes_per_epoch.last().copied().unwrap_or(0);
    let epochs = counted(report.epochs, "epoch");
    match report.stopped_by {
        Stop::CleanEpoch => {
            format!("converged: epoch {} made no mistake, after {updates}", count(report.epochs))
        }
        Stop::AllowedMistakes => {
            format!(
                "stopped, not converged: epoch {} made {}, which is allowed; {updates}",
                count(report.epochs),
                counted(last, "mistake")
            )
        }
        Stop::Patience => {
            let best = report.best_epoch.unwrap_or(report.epochs);
            format!(
                "stopped after {epochs}, {updates}: epoch {} had the fewest errors on the held-out examples",
                count(best)
            )
        }
        Stop::MaxEpochs | Stop::Observer => {
            format!(
                "not converged: {epochs}, {updates}; the last epoch made {}",
                counted(last, "mistake")
            )
        }
    }
}

/// Facts and advice for a run that did not converge.
pub(super) fn advice(outcome: &TrainOutcome) -> Vec<String> {
    let (report, options) = (outcome.file.model.report(), outcome.file.model.options());
    if report.converged {
        return Vec::new();
    }
    let mut lines = Vec::new();
    if let Some(diagnosis) = &outcome.diagnosis {
        lines.extend(diagnosis.lines(report));
    }
    match report.separator {
        Some(separator) => {
            lines.push(format!("but {} separate the classes", kept_weights(separator)))
        }
        None if report.stopped_by == Stop::MaxEpochs && outcome.diagnosis.is_none() => {
            lines.extend(unknown_cause(options).map(str::to_owned));
        }
        None => {}
    }
    lines.extend(outcome.spread.and_then(|spread| scaling_advice(spread, outcome.is_sparse)));
    lines.extend(pocket_advice(outcome));
    lines
}

/// The two causes of a run that does not converge.
fn unknown_cause(options: &Options) -> impl Iterator<Item = &'static str> {
    let causes = [
        "either the run needs more `--epochs`, or no hyperplane separates the classes;",
        "in that case it never converges: use the averaged or the pocket weights (`--keep`)",
    ];
    let which = "`--diagnose` or the command `separable` tells you which of the two it is";
    causes.into_iter().chain(options.kernel.is_none().then_some(which))
}

/// Advice to scale features of very different sizes.
fn scaling_advice(spread: f64, is_sparse: bool) -> Option<String> {
    const MUCH: f64 = 100.0;
    // A scaling that shifts zeros would make sparse rows dense.
    let scale = if is_sparse { "maxabs" } else { "standard" };
    let advice = || {
        let times = times(spread);
        format!("the largest feature is {times} times the smallest: try `--scale {scale}`")
    };
    (spread >= MUCH).then(advice)
}

/// Advice to keep the pocket weights, if they make fewer training errors.
fn pocket_advice(outcome: &TrainOutcome) -> Option<String> {
    let (report, options) = (outcome.file.model.report(), outcome.file.model.options());
    let (pocket, own) = (report.errors.of(Kept::Pocket)?, report.training_errors?);
    // With class weights, fewer errors can be the worse model.
    let weighted = options.class_weight.differ(&outcome.file.model.baseline().class_sizes);
    let fewer = || counted((own - pocket) as u64, "fewer training error");
    (pocket < own && !weighted).then(|| format!("`--keep pocket` would make {}", fewer()))
}
