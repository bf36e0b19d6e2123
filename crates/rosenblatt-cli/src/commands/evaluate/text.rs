//! An evaluation for a user.

use rosenblatt_core::metrics::{BinaryRates, ClassRates, ConfusionCounts, Rates};

use rosenblatt::guarantee::{Guarantee, Reason};

use super::{Baselines, Effect, Evaluation, ThresholdReport};
use crate::{
    args::Costs,
    commands::{
        guarantee,
        rates::{self, f1, precision, recall},
    },
    text::{Table, count, counted, decimal, exact, name, number, percent},
};

pub(super) fn text(evaluation: &Evaluation) -> String {
    let Evaluation { examples, errors, accuracy, .. } = evaluation;
    let mut table = Table::default();
    let wrong = format!("{} of {} misclassified", count(*errors), counted(*examples, "example"));
    table.line("accuracy", format!("{}: {wrong}", percent(*accuracy)));
    table.line("error rate", percent(evaluation.error_rate));
    if let Some(never) = rates::never_predicted(&evaluation.rates) {
        table.line("", never);
    }
    table.line("", guarantee::text(&evaluation.guarantee));
    if let Some(skipped) = evaluation.skipped {
        table.line("skipped", format!("{} of the file", counted(skipped, "row")));
    }
    if let Some(unseen) = &evaluation.unseen_labels {
        table.line("unseen labels", rates::unseen_labels(unseen, &evaluation.classes));
    }
    let names: Vec<String> = evaluation.classes.iter().map(|label| name(label)).collect();
    if let Some(of_many) = &evaluation.rates.of_many {
        let share = |f1: Option<f64>| f1.map_or_else(|| "undefined".to_owned(), decimal);
        table.line("macro F1", format!("{}: mean over the classes", share(of_many.macro_f1)));
        let weighted = share(of_many.weighted_f1);
        table.line("weighted F1", format!("{weighted}: mean over the examples"));
    }
    if let Some(of_two) = &evaluation.rates.of_two {
        two(&mut table, of_two, &evaluation.rates);
    }
    if let Some(robust) = &evaluation.robust {
        robust.add_to(&mut table);
    }
    if let Some(effects) = &evaluation.effects {
        table.lines("effects", effects.iter().map(Effect::text));
    }
    if let Some(losses) = &evaluation.probabilities {
        table.line("probabilities", losses.text());
    }
    if let Some((threshold, of_two)) = evaluation.threshold.zip(evaluation.rates.of_two.as_ref()) {
        table.lines("threshold", decision(threshold, evaluation.costs, &of_two.reported));
    }
    if let Some(choice) = &evaluation.choice {
        let known = Guarantee::Withheld { withheld: Reason::TrainingExamples };
        choice.add_to(&mut table, evaluation.guarantee == known);
    }
    if let Some(baseline) = &evaluation.baseline {
        baselines(&mut table, baseline);
    }
    let of_many = evaluation.rates.of_many.as_ref();
    let per_class = of_many.map(|_| per_class(&evaluation.rates.per_class)).unwrap_or_default();
    let thresholds = evaluation.choice.as_ref().map(ThresholdReport::table).unwrap_or_default();
    table.to_string() + &per_class + "\n" + &matrix(evaluation, names) + &thresholds
}

fn auc(auc: Option<f64>, positive: &str, negative: &str) -> String {
    let chance = |auc| {
        format!(
            "{auc:.4}: chance that a row that is {positive} scores above one that is {negative}, equal scores counted half"
        )
    };
    auc.map_or_else(|| "undefined: only one class occurs".to_owned(), chance)
}

/// The rates of both classes.
fn two(table: &mut Table, of_two: &BinaryRates, rates: &Rates) {
    let all = rates.in_order();
    let precision = |one: &&ClassRates| {
        let (class, precision) = (name(&one.class), precision(one));
        format!("{precision} of the rows predicted {class} are {class}")
    };
    let recall = |one: &&ClassRates| {
        let (class, recall) = (name(&one.class), recall(one));
        format!("{recall} of the rows labeled {class} are predicted {class}")
    };
    let f1 = |one: &&ClassRates| format!("{} for {}", f1(one), name(&one.class));
    table.lines("precision", all.iter().map(precision));
    table.lines("recall", all.iter().map(recall));
    table.line("F1", all.iter().map(f1).collect::<Vec<_>>().join(", "));
    let other = all.iter().find(|one| one.class != of_two.positive);
    let other = other.map_or_else(String::new, |other| name(&other.class));
    table.line("AUC", auc(of_two.rates.auc, &name(&of_two.positive), &other));
}

/// How a probability decides, and the costs from which it follows.
fn decision(threshold: f64, costs: Option<Costs>, reported: &str) -> Vec<String> {
    let (from, class) = (number(threshold), name(reported));
    let by = format!("{class} from a probability of {from} on, instead of by its own labels");
    let costs = costs.map(|costs| {
        let (missed, alarm) = (exact(costs.false_negative), exact(costs.false_positive));
        format!("missing a `{class}` costs {missed}, a false alarm {alarm}")
    });
    [by].into_iter().chain(costs).collect()
}

fn baselines(table: &mut Table, baseline: &Baselines) {
    let line = |accuracy: f64, errors: u64, what: String| {
        format!("{}: {} misclassified by {what}", percent(accuracy), count(errors))
    };
    let &Baselines { prototype_accuracy, prototype_errors, .. } = baseline;
    let nearest = "the nearest class mean".to_owned();
    let means = match prototype_accuracy.zip(prototype_errors) {
        Some((accuracy, errors)) => line(accuracy, errors, nearest),
        None => "the class means were too large to be kept in the model".to_owned(),
    };
    table.line("baselines", means);
    if let Some(weights) = &baseline.prototype_line {
        table.line("", format!("its weights: {weights}"));
    }
    let always = format!("always saying {}", name(&baseline.majority));
    table.line("", line(baseline.majority_accuracy, baseline.majority_errors, always));
}

fn per_class(all: &[ClassRates]) -> String {
    let width = all.iter().map(|one| name(&one.class).chars().count()).max().unwrap_or(0).max(5);
    let share = |rate: Option<f64>| rate.map_or_else(|| "–".to_owned(), percent);
    let number = |rate: Option<f64>| rate.map_or_else(|| "–".to_owned(), decimal);
    let line = |class: &str, cells: [&str; 5]| {
        let [examples, precision, recall, f1, auc] = cells;
        format!("{class:width$}  {examples:>8}  {precision:>9}  {recall:>9}  {f1:>6}  {auc:>6}\n")
    };
    let head = ["examples", "precision", "recall", "F1", "AUC"];
    let mut text = "\n".to_owned() + &line("class", head);
    for one in all {
        let rates = [
            share(one.rates.precision),
            share(one.rates.recall),
            number(one.rates.f1),
            number(one.rates.auc),
        ];
        let [precision, recall, f1, auc] = &rates;
        text.push_str(&line(&name(&one.class), [&count(one.examples), precision, recall, f1, auc]));
    }
    text
}

/// The confusion matrix: a row for each actual class and a column for each predicted one; of two classes, the one that
/// reports call positive comes first.
fn matrix(evaluation: &Evaluation, names: Vec<String>) -> String {
    let (mut names, mut counts) = match &evaluation.rates.confusion {
        ConfusionCounts::Two { .. } => {
            let all = evaluation.rates.in_order();
            let row = |one: usize| {
                let (right, examples) = (all[one].right, all[one].examples);
                let mut row = vec![examples - right; 2];
                row[one] = right;
                row
            };
            (all.iter().map(|one| name(&one.class)).collect(), vec![row(0), row(1)])
        }
        ConfusionCounts::Many(counts) => (names, counts.clone()),
    };
    let predicted = names.clone();
    if let Some(unseen) = evaluation.unseen_labels.as_ref().filter(|unseen| unseen.are_wrong) {
        let class =
            |shown: &String| evaluation.classes.iter().position(|label| name(label) == *shown);
        counts.push(
            predicted.iter().filter_map(class).map(|class| unseen.predicted[class]).collect(),
        );
        names.push("(unseen)".to_owned());
    }
    let first =
        names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("actual".len());
    // Names of columns are cut if there are many.
    let widest = if predicted.len() == 2 { first } else { first.min(12) };
    let width = widest.max(count(evaluation.examples).len());
    let cut = |name: &String| name.chars().take(width).collect::<String>();
    let line = |name: &str, cells: Vec<String>| {
        let cells = cells.iter().map(|cell| format!("  {cell:>width$}"));
        format!("{name:first$}{}", cells.collect::<String>()).trim_end().to_owned() + "\n"
    };
    let mut text = line("", vec!["predicted".to_owned()]);
    text += &line("actual", predicted.iter().map(cut).collect());
    for (name, row) in names.iter().zip(counts) {
        text += &line(name, row.into_iter().map(count).collect());
    }
    text
}
