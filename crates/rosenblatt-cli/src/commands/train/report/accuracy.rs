//! The accuracy of the model: on examples that it did not learn from, on the training examples, and of the baseline.

use rosenblatt::report::Report;

use crate::{
    commands::train::{
        outcome::TrainOutcome,
        validation::{Folds, HoldoutResult, Validation},
    },
    text::{count, counted, name, percent},
};

/// The lines of the accuracy, with their names.
pub(super) fn lines(outcome: &TrainOutcome) -> Vec<(&'static str, String)> {
    let report = outcome.file.model.report();
    let new = on_new_examples(&outcome.validation, report);
    let mut lines = vec![("accuracy", new), ("", on_training_examples(report))];
    lines.extend(first_epoch(report).map(|line| ("", line)));
    lines.push(("", baseline(outcome)));
    lines
}

fn on_new_examples(validation: &Validation, report: &Report) -> String {
    // Examples that chose the weights give no unbiased estimate.
    let chose = if report.best_epoch.is_some() { "; they also chose the epoch" } else { "" };
    if let Some(HoldoutResult { examples, errors, accuracy }) = validation.holdout {
        let (accuracy, errors) = (percent(accuracy), count(errors));
        let examples = counted(examples, "held-out example");
        return format!("{accuracy} of {examples} ({errors} wrong){chose}");
    }
    match &validation.folds {
        Some(Folds { accuracies, mean, sd }) => {
            let (k, mean, sd) = (accuracies.len(), percent(*mean), percent(*sd));
            format!("{mean} ± {sd} of examples held out in {k} folds (mean ± sd)")
        }
        None => "not measured on held-out examples; `--folds 5` measures it".to_owned(),
    }
}

/// The training examples, by each of the weights that were compared.
fn on_training_examples(report: &Report) -> String {
    let Some(errors) = report.training_errors else {
        return "training errors were not counted: the examples were not kept in memory".to_owned();
    };
    let rate = |errors: usize| percent(1.0 - errors as f64 / report.examples as f64);
    let others = report.errors.iter().filter(|(kept, _)| *kept != report.kept);
    let others: Vec<String> =
        others.map(|(kept, errors)| format!("{} {}", kept.name(), rate(errors))).collect();
    let others = if others.is_empty() { String::new() } else { format!("; {}", others.join(", ")) };
    let wrong = count(errors as u64);
    format!("{} of the training examples ({wrong} wrong){others}", rate(errors))
}

/// The examples of the first epoch, each judged before the weights learned from it: an estimate that needs no held-out
/// examples. Mistakes of several hyperplanes are not wrong classes.
fn first_epoch(report: &Report) -> Option<String> {
    let first = report.mistakes_per_epoch.first().filter(|_| report.per_class.is_none())?;
    let share = percent(1.0 - *first as f64 / report.examples as f64);
    Some(format!("{share} in the first epoch, each example before it was learned from"))
}

/// The share of the most frequent class, which every useful model exceeds.
fn baseline(outcome: &TrainOutcome) -> String {
    let (model, validation) = (&outcome.file.model, &outcome.validation);
    let (baseline, report) = (model.baseline(), model.report());
    let majority = baseline.majority();
    let share = baseline.class_sizes[majority] as f64 / report.examples as f64;
    let held_out = validation.holdout.as_ref().map(|holdout| holdout.accuracy);
    let measured = held_out.or(validation.folds.as_ref().map(|folds| folds.mean));
    let reached = measured.or(report.training_error_rate.map(|rate| 1.0 - rate));
    let is_useless = reached.is_some_and(|reached| reached <= share);
    let flag = if is_useless { "; the model is no better" } else { "" };
    let class = name(&model.classes().names()[majority]);
    format!("{} by always predicting `{class}`{flag}", percent(share))
}
