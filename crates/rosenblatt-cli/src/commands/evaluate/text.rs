//! An evaluation for a user.

use super::{Baselines, Evaluation};
use crate::{
    commands::{
        guarantee,
        rates::{BinaryRates, ClassRates, MatrixJson},
    },
    text::{Table, count, counted, decimal, name, number, percent},
};

pub(super) fn text(evaluation: &Evaluation) -> String {
    let Evaluation { examples, errors, accuracy, .. } = evaluation;
    let mut table = Table::default();
    let wrong = format!("{} of {} misclassified", count(*errors), counted(*examples, "example"));
    table.line("accuracy", format!("{}: {wrong}", percent(*accuracy)));
    table.line("error rate", percent(evaluation.error_rate));
    table.line("", guarantee::text(&evaluation.guarantee));
    if let Some(skipped) = evaluation.skipped {
        table.line("skipped", format!("{} that cannot be read", counted(skipped, "row")));
    }
    if let Some(unseen) = &evaluation.unseen_labels {
        table.line("unseen labels", unseen.text(&evaluation.classes));
    }
    let names: Vec<String> = evaluation.classes.iter().map(|label| name(label)).collect();
    if let Some(of_many) = &evaluation.rates.of_many {
        let share = |f1: Option<f64>| f1.map_or_else(|| "undefined".to_owned(), decimal);
        table.line("macro F1", format!("{}: mean over the classes", share(of_many.macro_f1)));
        let weighted = share(of_many.weighted_f1);
        table.line("weighted F1", format!("{weighted}: mean over the examples"));
    }
    if let Some(of_two) = &evaluation.rates.of_two {
        two(&mut table, of_two, &names);
    }
    if let Some(robust) = &evaluation.robust {
        robust.add_to(&mut table);
    }
    if let Some(losses) = &evaluation.probabilities {
        table.line("probabilities", losses.text());
    }
    if let Some(threshold) = evaluation.threshold {
        let from = number(threshold);
        table.line(
            "threshold",
            format!("positive from a probability of {from} on, instead of by the score"),
        );
    }
    if let Some(baseline) = &evaluation.baseline {
        baselines(&mut table, baseline);
    }
    let per_class = evaluation.rates.per_class.as_deref().map(per_class).unwrap_or_default();
    table.to_string() + &per_class + "\n" + &matrix(evaluation, names)
}

fn auc(auc: Option<f64>, positive: &str, negative: &str) -> String {
    let chance = |auc| {
        format!(
            "{auc:.4}: chance that a row that is {positive} scores above one that is {negative}, equal scores counted half"
        )
    };
    auc.map_or_else(|| "undefined: only one class occurs".to_owned(), chance)
}

fn two(table: &mut Table, of_two: &BinaryRates, names: &[String]) {
    let positive = name(&of_two.positive);
    let negative = names.iter().find(|&name| *name != positive).unwrap_or(&positive);
    let share = |rate: Option<f64>| rate.map_or_else(|| "undefined".to_owned(), percent);
    table.line(
        "precision",
        format!(
            "{} of the rows predicted {positive} are {positive}",
            share(of_two.rates.precision)
        ),
    );
    table.line(
        "recall",
        format!(
            "{} of the rows labeled {positive} are predicted {positive}",
            share(of_two.rates.recall)
        ),
    );
    table.line("F1", of_two.rates.f1.map_or_else(|| "undefined".to_owned(), decimal));
    table.line("AUC", auc(of_two.rates.auc, &positive, negative));
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

/// The confusion matrix: a row for each actual class and a column for each predicted one; with two classes the
/// positive one comes first.
fn matrix(evaluation: &Evaluation, names: Vec<String>) -> String {
    let (mut names, mut counts) = match &evaluation.rates.confusion {
        MatrixJson::Two { true_positive, false_positive, false_negative, true_negative } => {
            let positive = evaluation.rates.of_two.as_ref().map(|of_two| name(&of_two.positive));
            let mut names = names;
            if positive.as_ref() != names.first() {
                names.reverse();
            }
            let rows = [[true_positive, false_negative], [false_positive, true_negative]];
            (names, rows.map(|row| row.map(|&n| n).to_vec()).to_vec())
        }
        MatrixJson::Many(counts) => (names, counts.clone()),
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
