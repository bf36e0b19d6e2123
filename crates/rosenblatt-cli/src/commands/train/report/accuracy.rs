//! The accuracy of the model: on examples that it did not learn from, on the training examples, and of the baseline.

use rosenblatt::recipe::{FEWEST_EXAMPLES, FOLDS};
use rosenblatt_core::{
    metrics::{BinaryRates, ClassRates, MeanF1, Rates, RatesOfClass},
    report::{CountedErrors, Report},
    rules::Mistake,
    schedule::Order,
    split::KFold,
    validation::{FewExamples, Folds, Holdout, Validation},
};
use rosenblatt_data::{Note, NoteCode};

use super::notes::words;
use crate::{
    commands::{
        guarantee,
        options::is_joint,
        rates::{f1, precision, recall},
        train::{copies, outcome::TrainOutcome},
    },
    text::{count, counted, decimal, name, percent},
};

/// The lines of the accuracy, with their names: first on examples that the model did not learn from.
pub(super) fn lines(outcome: &TrainOutcome, notes: &[Note]) -> Vec<(&'static str, String)> {
    let report = outcome.file.model.report();
    let rates = held_out_rates(&outcome.validation);
    let (training, baseline) = (on_training_examples(report), baseline(outcome));
    let all = match (on_held_out_examples(outcome, report), first_epoch(outcome)) {
        (Some(measured), _) => {
            let mut all = vec![measured, baseline];
            all.extend(rates.into_iter().flat_map(of_classes));
            let of_classes =
                [NoteCode::NeverPredicted, NoteCode::UnseenLabels, NoteCode::FewExamples];
            all.extend(words(notes, &of_classes));
            all.extend(guaranteed(outcome));
            all.push(training);
            all
        }
        (None, Some(first)) if report.examples >= FEWEST_EXAMPLES => {
            let mut all = vec![first, baseline, not_measured(outcome, report)];
            all.extend(guaranteed(outcome));
            all.push(training);
            all
        }
        // Of few examples the first epoch says little.
        (None, first) => {
            let mut all = vec![not_measured(outcome, report)];
            all.extend(guaranteed(outcome));
            all.push(training);
            all.extend(first);
            all.push(baseline);
            all
        }
    };
    let mut lines: Vec<(&'static str, String)> = all.into_iter().map(|line| ("", line)).collect();
    lines[0].0 = "accuracy";
    let is_repeated = outcome.validation.folds.as_ref().is_some_and(|folds| folds.repeats > 1);
    let of = if is_repeated { "prediction" } else { "row" };
    let copies = outcome.validation.copies.iter().flat_map(|copies| copies::lines(copies, of));
    lines.extend(["copies", ""].into_iter().zip(copies));
    lines
}

fn guaranteed(outcome: &TrainOutcome) -> Option<String> {
    outcome.guarantee.map(|guarantee| guarantee::text(&guarantee))
}

fn on_held_out_examples(outcome: &TrainOutcome, report: &Report) -> Option<String> {
    let validation = &outcome.validation;
    // Examples that chose the weights or an option give no unbiased estimate.
    let chosen = report.best_epoch.map(|_| "the epoch".to_owned());
    let chosen = chosen.or(outcome.sweep.as_ref().and_then(|sweep| sweep.chosen_by_judging()));
    let chose = chosen.map_or_else(String::new, |chosen| format!("; they also chose {chosen}"));
    if let Some(Holdout { examples, errors, accuracy, last, .. }) = &validation.holdout {
        let (accuracy, errors) = (percent(*accuracy), count(*errors));
        let examples = match last {
            true => format!("the last {}, held out", counted(*examples, "example")),
            false => counted(*examples, "held-out example"),
        };
        return Some(format!("{accuracy} of {examples} ({errors} wrong){chose}"));
    }
    let folds = validation.folds.as_ref()?;
    let (mean, sd, made) = (percent(folds.mean), percent(folds.sd), made(folds));
    Some(format!("{mean} ± {sd} of examples held out in {made} (mean ± sd){chose}"))
}

/// The number of folds: `5 folds`, or `3 × 5 folds` if the examples were dealt out three times.
fn made(results: &Folds) -> String {
    let KFold { folds, repeats } = results.k_fold();
    if repeats == 1 { format!("{folds} folds") } else { format!("{repeats} × {folds} folds") }
}

/// Why there is no accuracy on held-out examples, or how there would be one.
fn not_measured(outcome: &TrainOutcome, report: &Report) -> String {
    let how = match &outcome.folds_failed {
        Some(error) => format!(": {error}"),
        None if report.examples < FOLDS => String::new(),
        None => format!("; `--folds {FOLDS}` measures it"),
    };
    format!("not measured on held-out examples{how}")
}

/// The rates of the held-out examples.
pub(super) fn held_out_rates(validation: &Validation) -> Option<&Rates> {
    let of_holdout = validation.holdout.as_ref().map(|holdout| &holdout.rates);
    of_holdout.or(validation.folds.as_ref().map(|folds| &folds.rates))
}

/// The rates of the held-out examples: of both classes, or of several together.
fn of_classes(rates: &Rates) -> Vec<String> {
    let number = |rate: Option<f64>| rate.map_or_else(|| "undefined".to_owned(), decimal);
    if let Some(BinaryRates { rates: RatesOfClass { auc, .. }, .. }) = &rates.of_two {
        let all = rates.in_order().into_iter().map(|one| {
            let (class, precision, recall, f1) =
                (name(&one.class), precision(one), recall(one), f1(one));
            format!("of class `{class}`: precision {precision}, recall {recall}, F1 {f1}")
        });
        let mut lines: Vec<String> = all.collect();
        lines[0] += &format!(", AUC {}", number(*auc));
        return lines;
    }
    let Some(MeanF1 { macro_f1, weighted_f1 }) = &rates.of_many else { return Vec::new() };
    let mean = format!("macro F1 {}, weighted F1 {}", number(*macro_f1), number(*weighted_f1));
    let with_recall = |one: &ClassRates| Some((one.rates.recall?, name(&one.class)));
    let recalls = rates.per_class.iter().filter_map(with_recall);
    let lowest = recalls.min_by(|one, other| one.0.total_cmp(&other.0));
    vec![match lowest {
        Some((recall, class)) => {
            format!("{mean}; the lowest recall is {} (class `{class}`)", percent(recall))
        }
        None => mean,
    }]
}

/// The recall of classes with fewer examples than folds.
pub(super) fn few_examples(folds: &Folds) -> String {
    const SHOWN: usize = 3;
    let Folds { few, repeats, .. } = folds;
    let one = |few: &FewExamples| {
        let recall = few.recall.map_or_else(|| "undefined".to_owned(), percent);
        let (class, examples) = (name(&few.class), counted(few.examples, "example"));
        let alone = if few.folds == *repeats { ", never learned when tested" } else { "" };
        format!("{recall} of class `{class}` ({examples}{alone})")
    };
    let shown: Vec<String> = few.iter().take(SHOWN).map(one).collect();
    let rest = match few.len().saturating_sub(SHOWN) {
        0 => String::new(),
        1 => ", and of another class".to_owned(),
        rest => format!(", and of {} other classes", count(rest as u64)),
    };
    let made = made(folds);
    format!("recall of few examples, not in each of {made}: {}{rest}", shown.join(", "))
}

/// The training examples, by each of the weights that were compared.
fn on_training_examples(report: &Report) -> String {
    let right = |errors: usize, of: usize| percent(1.0 - errors as f64 / of as f64);
    let rate = |errors: usize| right(errors, report.examples);
    let own = match (report.training_errors, report.sampled_errors) {
        (Some(errors), _) => {
            let wrong = count(errors as u64);
            format!("{} of the training examples ({wrong} wrong)", rate(errors))
        }
        (None, Some(CountedErrors { errors, examples })) => format!(
            "{} of {} training examples chosen at random ({} wrong), because a prediction takes {} votes",
            right(errors, examples),
            count(examples as u64),
            count(errors as u64),
            count(report.updates),
        ),
        (None, None) => {
            return "training errors were not counted: the examples were not kept in memory"
                .to_owned();
        }
    };
    let others = report.errors.iter().filter(|(kept, _)| *kept != report.kept);
    let others: Vec<String> =
        others.map(|(kept, errors)| format!("{} {}", kept.name(), rate(errors))).collect();
    let others = if others.is_empty() { String::new() } else { format!("; {}", others.join(", ")) };
    own + &others
}

/// The examples of the first epoch, each judged before the weights learned from it: an estimate that needs no held-out
/// examples. Mistakes of several hyperplanes that learn alone are not wrong classes.
fn first_epoch(outcome: &TrainOutcome) -> Option<String> {
    let (report, options) = (outcome.file.model.report(), outcome.file.model.options());
    let is_joint = is_joint(&outcome.file);
    let counts_classes = report.per_class.is_none() || is_joint;
    let first = report.mistakes_per_epoch.first();
    // By the order `mistaken` all examples of the first epoch meet the initial weights.
    let is_progressive = options.order != Order::Mistaken && !outcome.in_sorted_order;
    let first = first.filter(|_| counts_classes && is_progressive)?;
    let share = percent(1.0 - *first as f64 / report.examples as f64);
    let ties = match options.mistake {
        Mistake::Margin if is_joint => "; equal scores count as wrong",
        Mistake::Margin => "; a score of 0 counts as wrong",
        Mistake::Label => "",
    };
    Some(format!("{share} in the first epoch, each example before it was learned from{ties}"))
}

/// The most frequent class, which every useful model exceeds: of the held-out examples if there are any, else of the
/// training examples.
pub(super) struct MostFrequent<'a> {
    pub(super) class: &'a String,
    examples: u64,
    all: u64,
    /// Whether the model is no better.
    pub(super) is_enough: bool,
}

pub(super) fn most_frequent(outcome: &TrainOutcome) -> MostFrequent<'_> {
    let model = &outcome.file.model;
    let (baseline, report) = (model.baseline(), model.report());
    let majority = baseline.majority();
    let unseen = outcome.validation.holdout.as_ref().and_then(|one| one.unseen_labels.as_ref());
    // Each example is counted once, however often it was dealt out.
    let repeats = outcome.validation.folds.as_ref().map_or(1, |folds| folds.repeats as u64);
    let (examples, all, right) = match held_out_rates(&outcome.validation) {
        Some(rates) => {
            let known: u64 = rates.per_class.iter().map(|one| one.examples).sum();
            let all = known + unseen.map_or(0, |unseen| unseen.examples);
            (rates.per_class[majority].examples / repeats, all / repeats, Some(rates.right()))
        }
        None => {
            let right = report.training_errors.map(|errors| (report.examples - errors) as u64);
            (baseline.class_sizes[majority] as u64, report.examples as u64, right)
        }
    };
    // Of folds, the report has the mean of their accuracies.
    let is_enough = match &outcome.validation.folds {
        Some(folds) if outcome.validation.holdout.is_none() => folds.mean <= share(examples, all),
        _ => right.is_some_and(|right| right <= examples),
    };
    MostFrequent { class: &model.classes().names()[majority], examples, all, is_enough }
}

fn share(examples: u64, all: u64) -> f64 {
    examples as f64 / all.max(1) as f64
}

/// The line of the most frequent class.
fn baseline(outcome: &TrainOutcome) -> String {
    let MostFrequent { class, examples, all, is_enough } = most_frequent(outcome);
    let flag = if is_enough { "; the model is no better" } else { "" };
    let share = percent(share(examples, all));
    let (class, examples, all) = (name(class), count(examples), count(all));
    format!("{share} by always predicting `{class}`: {examples} of {all}{flag}")
}
