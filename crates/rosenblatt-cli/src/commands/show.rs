//! `rosenblatt show`: what a model file holds.

use rosenblatt::{
    data::{Classes, Scale, Sign},
    train::{ClassWeight, Options},
};
use rosenblatt_data::ModelFile;
use serde::Serialize;

use super::notes::format_name;
use crate::{
    args::ShowArgs,
    failure::Failure,
    output,
    text::{Table, count, counted, exact, name, number},
};

/// A weight with its name (of a hashed word: the weight of the word). With scaling, `unscaled` is the weight of the feature as it stands in the
/// data.
#[derive(Serialize)]
pub(super) struct Weight {
    pub(super) feature: String,
    pub(super) weight: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unscaled: Option<f64>,
}

/// The object that `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    classes: &'a [String; 2],
    positive: &'a str,
    features: usize,
    bias: f64,
    threshold: f64,
    weights: Vec<Weight>,
    options: &'a Options,
    report: &'a rosenblatt::report::Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    scaling: Option<&'a rosenblatt::data::Scaling>,
    schema: &'a rosenblatt_data::Schema,
    tool_version: &'a str,
}

pub(crate) fn run(arguments: &ShowArgs) -> Result<(), Failure> {
    let file = ModelFile::load(&arguments.model)?;
    let weights = weights(&file);
    if arguments.json {
        return output::print_json(&json(&file, weights));
    }
    let text = summary(&file) + "\n" + &listing(&weights, arguments.top);
    output::print(&text)
}

fn json(file: &ModelFile, weights: Vec<Weight>) -> Json<'_> {
    let classes = &file.model.classes;
    let bias = file.model.hyperplane.bias;
    Json {
        classes: classes.names(),
        positive: classes.name(Sign::Plus),
        features: file.model.features(),
        bias,
        threshold: 0.0 - bias,
        weights,
        options: &file.options,
        report: &file.report,
        scaling: file.model.scaling.as_ref(),
        schema: &file.schema,
        tool_version: &file.tool_version,
    }
}

/// All weights, the largest in size first; equal sizes in the order of the features.
pub(super) fn weights(file: &ModelFile) -> Vec<Weight> {
    let mut order: Vec<usize> = (0..file.model.features()).collect();
    let directions = file.schema.feature_directions();
    let stored = file.model.hyperplane.weights.iter().zip(&directions);
    let weights: Vec<f64> = stored.map(|(weight, direction)| weight * direction + 0.0).collect();
    order.sort_by(|&a, &b| weights[b].abs().total_cmp(&weights[a].abs()));
    let mut names = file.schema.feature_names();
    let scaling = file.model.scaling.as_ref();
    let weight = |j: usize| Weight {
        feature: std::mem::take(&mut names[j]),
        weight: weights[j],
        unscaled: scaling.map(|scaling| weights[j] / scaling.divisor[j]),
    };
    order.into_iter().map(weight).collect()
}

fn summary(file: &ModelFile) -> String {
    let (report, options, classes) = (&file.report, &file.options, &file.model.classes);
    let mut table = Table::default();
    table.line(
        "model",
        format!(
            "{}, kept: {}",
            counted(file.model.features() as u64, "feature"),
            report.kept.name()
        ),
    );
    table.line(
        "classes",
        format!(
            "+1 is {}, −1 is {}",
            name(classes.name(Sign::Plus)),
            name(classes.name(Sign::Minus))
        ),
    );
    table.line(
        "trained on",
        format!(
            "{}, from {}",
            counted(report.examples as u64, "example"),
            format_name(&file.schema.format)
        ),
    );
    let converged = if report.converged { "converged" } else { "not converged" };
    table.line(
        "run",
        format!(
            "{}, {}, {converged}; {} training errors",
            counted(report.epochs, "epoch"),
            counted(report.updates, "update"),
            count(report.training_errors as u64)
        ),
    );
    let scale = file.model.scaling.as_ref().map_or(Scale::None, |scaling| scaling.scale);
    let scale = format!(" --scale {scale:?}").to_lowercase();
    table.line("options", words(options) + &class_weight(options, classes) + &scale);
    if file.model.scaling.is_some() {
        table.line("", "the weights are those of the scaled features");
    }
    let bias = file.model.hyperplane.bias;
    table.line("bias", format!("{}, as a threshold on w·x: {}", number(bias), number(0.0 - bias)));
    table.line("written by", format!("rosenblatt {}", file.tool_version));
    table.to_string()
}

fn class_weight(options: &Options, classes: &Classes) -> String {
    match options.class_weight {
        ClassWeight::Uniform => String::new(),
        ClassWeight::Balanced => " --class-weight balanced".to_owned(),
        ClassWeight::Given { minus, plus } => {
            let (negative, positive) = (classes.name(Sign::Minus), classes.name(Sign::Plus));
            format!(" --class-weight '{negative}={minus},{positive}={plus}'")
        }
    }
}

/// The options in the words of the command.
fn words(options: &Options) -> String {
    let word = |value: &dyn std::fmt::Debug| format!("{value:?}").to_lowercase();
    format!(
        "--update {} --keep {} --order {} --init {} --seed {} --epochs {} --allow-mistakes {} --eta {} --bias {} \
         --mistake {}",
        options.update,
        word(&options.keep),
        word(&options.order),
        word(&options.init),
        options.seed,
        options.epochs,
        options.allow_mistakes,
        exact(options.eta),
        word(&options.bias),
        word(&options.mistake)
    )
}

fn listing(weights: &[Weight], top: usize) -> String {
    let shown = if top == 0 { weights.len() } else { top.min(weights.len()) };
    let names: Vec<String> = weights[..shown].iter().map(|weight| name(&weight.feature)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, Weight { weight, unscaled, .. }) in names.iter().zip(weights) {
        let unscaled = unscaled.map_or_else(String::new, |w| format!("  (unscaled {})", number(w)));
        text.push_str(&format!("{name:width$}  {:>10}{unscaled}\n", number(*weight)));
    }
    if shown < weights.len() {
        let rest = count((weights.len() - shown) as u64);
        text.push_str(&format!("… {rest} smaller ones; `--top 0` lists all\n"));
    }
    text
}
