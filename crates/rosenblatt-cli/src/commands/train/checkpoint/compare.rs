//! Whether a checkpoint is of this run: one difference is an error.

use rosenblatt_core::{
    data::Classes,
    train::{ClassWeight, Options},
};
use rosenblatt_data::{CheckpointFile, checkpoint::Terms};
use serde::Serialize;

use crate::{
    error::CliError,
    text::{count, counted, name},
};

/// Refuses a checkpoint of another run; the error names the first difference.
pub(super) fn compare(
    file: &str,
    data: &str,
    start: &CheckpointFile,
    terms: &Terms,
) -> Result<(), CliError> {
    let difference = options_differ(&start.terms, terms)
        .or_else(|| too_many_epochs(start, terms))
        .or_else(|| data_differ(&start.terms, terms, data));
    match difference {
        None => Ok(()),
        Some(problem) => Err(CliError::Resume { file: file.to_owned(), problem }),
    }
}

fn options_differ(then: &Terms, now: &Terms) -> Option<String> {
    let mut pairs = words(then).into_iter().zip(words(now));
    let (then, now) = pairs.find(|(then, now)| then != now)?;
    Some(format!("the run had {then}, now there is {now}"))
}

fn too_many_epochs(start: &CheckpointFile, terms: &Terms) -> Option<String> {
    let (epochs, most) = (start.state.epochs(), terms.options.epochs);
    let over = count(epochs);
    (epochs > most).then(|| format!("the run is past `--epochs {most}`: epoch {over} is over"))
}

fn data_differ(then: &Terms, now: &Terms, data: &str) -> Option<String> {
    let sizes = [
        (then.data.examples, now.data.examples, "example"),
        (then.data.features, now.data.features, "feature"),
    ];
    if let Some((then, now, what)) = sizes.into_iter().find(|(then, now, _)| then != now) {
        let (then, now) = (counted(then as u64, what), count(now as u64));
        return Some(format!("the run learned from {then}, {data} has {now}"));
    }
    let (old, new) = (then.classes.shown(), now.classes.shown());
    if old != new {
        return Some(format!("the run learned the classes {old}, {data} has {new}"));
    }
    if then.data != now.data || then.classes != now.classes {
        let (then, now) = (then.data.sum, now.data.sum);
        return Some(format!(
            "the run learned from other rows or classes than those of {data}: their sum was {then:016x}, now it is {now:016x}"
        ));
    }
    None
}

/// Every option that changes a run, as a user writes it, but for `--epochs`.
fn words(terms: &Terms) -> Vec<String> {
    let Terms { options, preparation, holdout, patience, classes, data: _ } = terms;
    let Options {
        update,
        keep,
        kernel,
        penalty,
        bias,
        mistake,
        zero,
        order,
        init,
        seed,
        epochs: _,
        allow_mistakes,
        eta: _, // by `rate`
        decay: _,
        class_weight,
        classes: multiclass,
        compare,
        plateau: _,
    } = options;
    let mut words = vec![
        with("update", update),
        with("keep", &word(keep)),
        maybe("kernel", kernel.map(|kernel| kernel.to_string())),
        maybe("penalty", penalty.map(|penalty| penalty.to_string())),
        with("bias", &word(bias)),
        with("mistake", &word(mistake)),
        with("zero", &word(zero)),
        with("order", &word(order)),
        with("init", &init.name()),
        with("seed", seed),
        with("allow-mistakes", allow_mistakes),
        with("eta", &options.learning_rate()),
        with("class-weight", &weights(class_weight, classes)),
        with("classes", &word(multiclass)),
        if *compare { "no `--no-compare`" } else { "`--no-compare`" }.to_owned(),
    ];
    words.extend(preparation.options().map(|(name, value)| maybe(name, value)));
    words.extend([
        maybe("holdout", holdout.map(|share| share.to_string())),
        maybe("patience", patience.map(|patience| patience.to_string())),
        maybe("positive", classes.positive().map(name)),
    ]);
    words
}

fn with(flag: &str, value: &dyn ToString) -> String {
    format!("`--{flag} {}`", value.to_string())
}

fn maybe(flag: &str, value: Option<String>) -> String {
    value.map_or_else(|| format!("no `--{flag}`"), |value| with(flag, &value))
}

fn weights(class_weight: &ClassWeight, classes: &Classes) -> String {
    let ClassWeight::Given(weights) = class_weight else { return word(class_weight) };
    let all = classes.names().iter().zip(weights);
    let all = all.map(|(label, weight)| format!("{}={weight}", name(label)));
    all.collect::<Vec<_>>().join(",")
}

/// The word for an option, as the model file has it.
fn word(option: &impl Serialize) -> String {
    let value = serde_json::to_value(option).unwrap_or_default();
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
