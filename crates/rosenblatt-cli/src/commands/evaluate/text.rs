//! An evaluation for a user.

use super::{Baselines, BinaryResult, ClassResult, Evaluation, MatrixJson};
use crate::text::{Table, count, counted, name, percent};

pub(super) fn text(evaluation: &Evaluation) -> String {
    let Evaluation { examples, errors, accuracy, .. } = evaluation;
    let mut table = Table::default();
    let wrong = format!("{} of {} misclassified", count(*errors), counted(*examples, "example"));
    table.line("accuracy", format!("{}: {wrong}", percent(*accuracy)));
    table.line("error rate", percent(evaluation.error_rate));
    let names: Vec<String> = evaluation.classes.iter().map(|label| name(label)).collect();
    if let Some(of_two) = &evaluation.of_two {
        two(&mut table, of_two, &names);
    }
    if let Some(baseline) = &evaluation.baseline {
        baselines(&mut table, baseline);
    }
    let per_class = evaluation.per_class.as_deref().map(per_class).unwrap_or_default();
    table.to_string() + &per_class + "\n" + &matrix(evaluation, names)
}

fn two(table: &mut Table, of_two: &BinaryResult, names: &[String]) {
    let positive = name(&of_two.positive);
    let negative = names.iter().find(|&name| *name != positive).unwrap_or(&positive);
    let share = |rate: Option<f64>| rate.map_or_else(|| "undefined".to_owned(), percent);
    table.line(
        "precision",
        format!("{} of the rows predicted {positive} are {positive}", share(of_two.precision)),
    );
    table.line(
        "recall",
        format!("{} of the rows labeled {positive} are predicted {positive}", share(of_two.recall)),
    );
    let auc = of_two.auc.map_or_else(
        || "undefined: only one class occurs".to_owned(),
        |auc| {
            format!(
                "{auc:.4}: chance that a row that is {positive} scores above one that is {negative}"
            )
        },
    );
    table.line("AUC", auc);
}

fn baselines(table: &mut Table, baseline: &Baselines) {
    let line = |accuracy: f64, errors: u64, what: String| {
        format!("{}: {} misclassified by {what}", percent(accuracy), count(errors))
    };
    let Baselines { prototype_accuracy, prototype_errors, .. } = *baseline;
    let nearest = "the nearest class mean".to_owned();
    let means = match prototype_accuracy.zip(prototype_errors) {
        Some((accuracy, errors)) => line(accuracy, errors, nearest),
        None => "the class means were too large to be kept in the model".to_owned(),
    };
    table.line("baselines", means);
    let always = format!("always saying {}", name(&baseline.majority));
    table.line("", line(baseline.majority_accuracy, baseline.majority_errors, always));
}

fn per_class(all: &[ClassResult]) -> String {
    let width = all.iter().map(|one| name(&one.class).chars().count()).max().unwrap_or(0).max(5);
    let share = |rate: Option<f64>| rate.map_or_else(|| "–".to_owned(), percent);
    let mut text =
        format!("\n{:width$}  {:>8}  {:>9}  {:>9}\n", "class", "examples", "precision", "recall");
    for one in all {
        text.push_str(&format!(
            "{:width$}  {:>8}  {:>9}  {:>9}\n",
            name(&one.class),
            count(one.examples),
            share(one.precision),
            share(one.recall)
        ));
    }
    text
}

/// The confusion matrix: a row for each actual class and a column for each predicted one; with two classes the
/// positive one comes first.
fn matrix(evaluation: &Evaluation, names: Vec<String>) -> String {
    let (names, counts) = match &evaluation.confusion {
        MatrixJson::Two { true_positive, false_positive, false_negative, true_negative } => {
            let positive = evaluation.of_two.as_ref().map(|of_two| name(&of_two.positive));
            let mut names = names;
            if positive.as_ref() != names.first() {
                names.reverse();
            }
            let rows = [[true_positive, false_negative], [false_positive, true_negative]];
            (names, rows.map(|row| row.map(|&n| n).to_vec()).to_vec())
        }
        MatrixJson::Many(counts) => (names, counts.clone()),
    };
    let first =
        names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("actual".len());
    // Names of columns are cut if there are many.
    let widest = if names.len() == 2 { first } else { first.min(12) };
    let width = widest.max(count(evaluation.examples).len());
    let cut = |name: &String| name.chars().take(width).collect::<String>();
    let line = |name: &str, cells: Vec<String>| {
        let cells = cells.iter().map(|cell| format!("  {cell:>width$}"));
        format!("{name:first$}{}", cells.collect::<String>()).trim_end().to_owned() + "\n"
    };
    let mut text = line("", vec!["predicted".to_owned()]);
    text += &line("actual", names.iter().map(cut).collect());
    for (name, row) in names.iter().zip(counts) {
        text += &line(name, row.into_iter().map(count).collect());
    }
    text
}
