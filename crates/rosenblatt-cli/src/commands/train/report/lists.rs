//! The tables below the report: one line for each class, one for each of the hardest examples.

use rosenblatt_core::{keep::Kept, report::ClassReport};
use rosenblatt_data::ModelFile;

use crate::{
    commands::{options::is_joint, train::hardest_examples::HardExample},
    text::{at_least, count, name},
};

/// One line for each class. Classes that are learned together have their errors and margin together.
pub(super) fn per_class(model: &ModelFile) -> String {
    let report = model.model.report();
    let Some(all) = &report.per_class else { return String::new() };
    let names: Vec<String> =
        model.model.classes().names().iter().map(|class| name(class)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
    let is_joint = is_joint(model);
    let mut text =
        format!("\n{:width$}  {:>8}  {:>9}  {:>10}", "class", "examples", "updates", "last epoch");
    text.push_str(if is_joint { "\n" } else { "     errors      margin\n" });
    for (one, name) in all.iter().zip(names) {
        let last = one.mistakes_per_epoch.last().copied().unwrap_or(0);
        text.push_str(&format!(
            "{name:width$}  {:>8}  {:>9}  {:>10}",
            count(one.examples as u64),
            count(one.updates),
            count(last),
        ));
        if !is_joint {
            let errors = one.errors.of(report.kept).or(one.errors.of(Kept::Last));
            let errors = errors.map_or_else(|| "–".to_owned(), |errors| count(errors as u64));
            text.push_str(&format!("  {errors:>9}  {:>10}", class_margin(one, report.kept)));
        }
        text.push('\n');
    }
    text
}

/// The margin of a class, with the weights that have it if they are not those of the model.
fn class_margin(one: &ClassReport, kept: Kept) -> String {
    let Some(lower) = one.margin.lower else { return "–".to_owned() };
    let other = one.separator.filter(|&separator| separator != kept);
    at_least(lower, 4) + &other.map_or_else(String::new, |other| format!(" ({})", other.name()))
}

/// One line for each of the hardest examples.
pub(super) fn hardest(hard: Option<&[HardExample]>) -> String {
    let Some(hard) = hard else { return String::new() };
    let mut text = "\nmistakes  example  label\n".to_owned();
    for HardExample { example, label, mistakes } in hard {
        text.push_str(&format!(
            "{:>8}  {:>7}  {}\n",
            count(*mistakes),
            count(*example as u64),
            name(label)
        ));
    }
    text
}
