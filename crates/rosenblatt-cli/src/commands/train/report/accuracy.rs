//! The accuracy of the model: on examples that it did not learn from, on the training examples, and of the baseline.

use rosenblatt::report::Report;

use crate::{
    commands::{
        guarantee,
        options::is_joint,
        rates::{BinaryRates, ClassRates, MeanF1, RatesOfClass},
        train::{
            copies::CopiesJson,
            outcome::TrainOutcome,
            validation::{FewExamples, Folds, HoldoutResult, Validation},
        },
    },
    text::{count, counted, decimal, name, percent},
};

/// The lines of the accuracy, with their names.
pub(super) fn lines(outcome: &TrainOutcome) -> Vec<(&'static str, String)> {
    let report = outcome.file.model.report();
    let new = on_new_examples(outcome, report);
    let mut lines = vec![("accuracy", new)];
    lines.extend(rates(&outcome.validation).map(|line| ("", line)));
    lines.extend(unusual_classes(outcome).map(|line| ("", line)));
    lines.extend(outcome.guarantee.map(|guarantee| ("", guarantee::text(&guarantee))));
    lines.push(("", on_training_examples(report)));
    lines.extend(first_epoch(outcome).map(|line| ("", line)));
    lines.push(("", baseline(outcome)));
    let copies = outcome.validation.copies.iter().flat_map(CopiesJson::lines);
    lines.extend(["copies", ""].into_iter().zip(copies));
    lines
}

fn on_new_examples(outcome: &TrainOutcome, report: &Report) -> String {
    let validation = &outcome.validation;
    // Examples that chose the weights or an option give no unbiased estimate.
    let chosen = report.best_epoch.map(|_| "the epoch".to_owned());
    let chosen = chosen.or(outcome.sweep.as_ref().map(|sweep| sweep.chosen_text()));
    let chose = chosen.map_or_else(String::new, |chosen| format!("; they also chose {chosen}"));
    if let Some(HoldoutResult { examples, errors, accuracy, .. }) = &validation.holdout {
        let (accuracy, errors) = (percent(*accuracy), count(*errors));
        let examples = counted(*examples, "held-out example");
        return format!("{accuracy} of {examples} ({errors} wrong){chose}");
    }
    match &validation.folds {
        Some(Folds { accuracies, mean, sd, .. }) => {
            let (k, mean, sd) = (accuracies.len(), percent(*mean), percent(*sd));
            format!("{mean} ± {sd} of examples held out in {k} folds (mean ± sd){chose}")
        }
        None => "not measured on held-out examples; `--folds 5` measures it".to_owned(),
    }
}

/// The rates of the held-out examples: of the positive class, or of several classes together.
fn rates(validation: &Validation) -> Option<String> {
    let of_holdout = validation.holdout.as_ref().map(|holdout| &holdout.rates);
    let rates = of_holdout.or(validation.folds.as_ref().map(|folds| &folds.rates))?;
    let share = |rate: Option<f64>| rate.map_or_else(|| "undefined".to_owned(), percent);
    let number = |rate: Option<f64>| rate.map_or_else(|| "undefined".to_owned(), decimal);
    if let Some(BinaryRates { positive, rates }) = &rates.of_two {
        let RatesOfClass { precision, recall, f1, auc } = rates;
        let (precision, recall, positive) = (share(*precision), share(*recall), name(positive));
        let (f1, auc) = (number(*f1), number(*auc));
        return Some(format!(
            "of class `{positive}`: precision {precision}, recall {recall}, F1 {f1}, AUC {auc}"
        ));
    }
    let MeanF1 { macro_f1, weighted_f1 } = rates.of_many.as_ref()?;
    let mean = format!("macro F1 {}, weighted F1 {}", number(*macro_f1), number(*weighted_f1));
    let with_recall = |one: &ClassRates| Some((one.rates.recall?, name(&one.class)));
    let recalls = rates.per_class.iter().flatten().filter_map(with_recall);
    let lowest = recalls.min_by(|one, other| one.0.total_cmp(&other.0));
    Some(match lowest {
        Some((recall, class)) => {
            format!("{mean}; the lowest recall is {} (class `{class}`)", percent(recall))
        }
        None => mean,
    })
}

/// The classes that no example to learn from has, or that some folds could not test.
fn unusual_classes(outcome: &TrainOutcome) -> Option<String> {
    let Validation { holdout, folds, .. } = &outcome.validation;
    let unseen = holdout.as_ref().and_then(|holdout| holdout.unseen_labels.as_ref());
    let unseen = unseen.map(|unseen| unseen.text(outcome.file.model.classes().names()));
    let few = folds.as_ref().filter(|folds| !folds.few.is_empty());
    unseen.or_else(|| few.map(|folds| few_examples(&folds.few, folds.accuracies.len())))
}

/// The recall of classes with fewer examples than folds.
fn few_examples(few: &[FewExamples], folds: usize) -> String {
    const SHOWN: usize = 3;
    let one = |few: &FewExamples| {
        let recall = few.recall.map_or_else(|| "undefined".to_owned(), percent);
        let (class, examples) = (name(&few.class), counted(few.examples, "example"));
        let alone = if few.folds == 1 { ", never learned when tested" } else { "" };
        format!("{recall} of class `{class}` ({examples}{alone})")
    };
    let shown: Vec<String> = few.iter().take(SHOWN).map(one).collect();
    let rest = match few.len().saturating_sub(SHOWN) {
        0 => String::new(),
        1 => ", and of another class".to_owned(),
        rest => format!(", and of {} other classes", count(rest as u64)),
    };
    format!("recall of few examples, not in each of {folds} folds: {}{rest}", shown.join(", "))
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
/// examples. Mistakes of several hyperplanes that learn alone are not wrong classes.
fn first_epoch(outcome: &TrainOutcome) -> Option<String> {
    let report = outcome.file.model.report();
    let counts_classes = report.per_class.is_none() || is_joint(&outcome.file);
    let first = report.mistakes_per_epoch.first().filter(|_| counts_classes)?;
    let share = percent(1.0 - *first as f64 / report.examples as f64);
    Some(format!("{share} in the first epoch, each example before it was learned from"))
}

/// The share of the most frequent class, which every useful model exceeds.
fn baseline(outcome: &TrainOutcome) -> String {
    let (model, validation) = (&outcome.file.model, &outcome.validation);
    let (baseline, report) = (model.baseline(), model.report());
    let majority = baseline.majority();
    let share_of = |examples: usize| examples as f64 / report.examples as f64;
    let share = share_of(baseline.class_sizes[majority]);
    let held_out = validation.holdout.as_ref().map(|holdout| holdout.accuracy);
    let measured = held_out.or(validation.folds.as_ref().map(|folds| folds.mean));
    // As a quotient of counts, because 1 − 1/7 is above 6/7 as a float.
    let right = report.training_errors.map(|errors| share_of(report.examples - errors));
    let reached = measured.or(right);
    let is_useless = reached.is_some_and(|reached| reached <= share);
    let flag = if is_useless { "; the model is no better" } else { "" };
    let class = name(&model.classes().names()[majority]);
    format!("{} by always predicting `{class}`{flag}", percent(share))
}
