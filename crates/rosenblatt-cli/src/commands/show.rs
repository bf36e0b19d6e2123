//! `rosenblatt show`: what a model file holds.

use rosenblatt::{
    data::{Classes, Scale, Scheme},
    model::{Classifier, Model},
    space::{Hyperplane, Support},
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

/// A weight with its name (of a hashed word: the weight of the word). With scaling, `unscaled` is the
/// weight of the feature as it stands in the data.
#[derive(Serialize)]
pub(super) struct Weight {
    pub(super) feature: String,
    pub(super) weight: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unscaled: Option<f64>,
}

/// A row that supports the model.
#[derive(Serialize)]
struct Supporting {
    /// Its place among the training examples, from 1.
    example: usize,
    /// How often each hyperplane was updated by it: the α of the dual form.
    counts: Vec<u64>,
    /// Its coefficient in each hyperplane; absent where hyperplanes vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    coefficients: Option<Vec<f64>>,
}

/// The hyperplane of one class against the rest.
#[derive(Serialize)]
struct OfClass {
    class: String,
    bias: f64,
    weights: Vec<Weight>,
}

/// The object that `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    classes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<&'a str>,
    features: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    bias: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<Weight>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_class: Option<Vec<OfClass>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    support: Option<Vec<Supporting>>,
    options: &'a Options,
    report: &'a rosenblatt::report::Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    scaling: Option<&'a rosenblatt::data::Scaling>,
    schema: &'a rosenblatt_data::Schema,
    tool_version: &'a str,
}

pub(crate) fn run(arguments: &ShowArgs) -> Result<(), Failure> {
    let file = ModelFile::load(&arguments.model)?;
    if arguments.json {
        return output::print_json(&json(&file));
    }
    let list = match (&file.model.classifier, file.model.classes.pair()) {
        (Classifier::Linear(planes), Some(_)) => planes
            .iter()
            .map(|plane| weights(&file, plane))
            .map(|w| listing(&w, arguments.top))
            .collect(),
        (Classifier::Linear(_), None) => classes_listing(&file, arguments.top),
        _ => support_listing(&file.model, arguments.top),
    };
    let list: String = list;
    output::print(&(summary(&file) + "\n" + &list))
}

fn json(file: &ModelFile) -> Json<'_> {
    let classes = &file.model.classes;
    let only = match (file.model.classifier.linear(), classes.pair()) {
        (Some([plane]), Some(_)) => Some(plane),
        _ => None,
    };
    let several = file.model.classifier.linear().filter(|_| only.is_none());
    let of_class = |(class, plane): (usize, &Hyperplane)| OfClass {
        class: classes.names()[class].clone(),
        bias: plane.bias,
        weights: weights(file, plane),
    };
    Json {
        classes: classes.names(),
        positive: classes.positive(),
        features: file.model.features(),
        bias: only.map(|plane| plane.bias),
        threshold: only.map(|plane| 0.0 - plane.bias),
        weights: only.map(|plane| weights(file, plane)),
        per_class: several.map(|planes| planes.iter().enumerate().map(of_class).collect()),
        support: file.model.classifier.support().map(|support| supporting(&file.model, support)),
        options: &file.options,
        report: &file.report,
        scaling: file.model.scaling.as_ref(),
        schema: &file.schema,
        tool_version: &file.tool_version,
    }
}

/// All weights, the largest in size first; equal sizes in the order of the features.
pub(super) fn weights(file: &ModelFile, plane: &Hyperplane) -> Vec<Weight> {
    let mut order: Vec<usize> = (0..file.model.features()).collect();
    let directions = file.schema.feature_directions();
    let stored = plane.weights.iter().zip(&directions);
    let weights: Vec<f64> = stored.map(|(weight, direction)| weight * direction + 0.0).collect();
    order.sort_by(|&a, &b| weights[b].abs().total_cmp(&weights[a].abs()));
    let mut names = file.schema.feature_names();
    let scaling = file.model.scaling.as_ref();
    let weight = |j: usize| Weight {
        feature: std::mem::take(&mut names[j]),
        weight: weights[j],
        unscaled: scaling
            .map(|scaling| weights[j] / scaling.divisor[j])
            .filter(|unscaled| unscaled.is_finite()),
    };
    order.into_iter().map(weight).collect()
}

/// The supporting rows, those most often mistaken first, then in the order of the training data.
fn supporting(model: &Model, support: &Support) -> Vec<Supporting> {
    let planes = match &model.classifier {
        Classifier::Dual(dual) => Some(&dual.planes),
        _ => None,
    };
    let one = |row: usize| Supporting {
        example: support.examples[row] + 1,
        counts: support.counts.iter().map(|counts| counts[row]).collect(),
        coefficients: planes.map(|planes| planes.iter().map(|plane| plane.weights[row]).collect()),
    };
    let mut all: Vec<Supporting> = (0..support.examples.len()).map(one).collect();
    let total = |one: &Supporting| one.counts.iter().sum::<u64>();
    all.sort_by_key(|one| (std::cmp::Reverse(total(one)), one.example));
    all
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
    let which = match classes.pair() {
        Some((negative, positive)) => format!("+1 is {}, −1 is {}", name(positive), name(negative)),
        None => format!("{}, each against the rest: {}", classes.names().len(), classes.shown()),
    };
    table.line("classes", which);
    table.line(
        "trained on",
        format!(
            "{}, from {}",
            counted(report.examples as u64, "example"),
            format_name(&file.schema.format)
        ),
    );
    let errors = |errors| format!("; {} training errors", count(errors as u64));
    let errors = report.training_errors.map_or_else(String::new, errors);
    let converged = if report.converged { "converged" } else { "not converged" };
    table.line(
        "run",
        format!(
            "{}, {}, {converged}{errors}",
            counted(report.epochs, "epoch"),
            counted(report.updates, "update")
        ),
    );
    let scale = file.model.scaling.as_ref().map_or(Scale::None, |scaling| scaling.scale);
    let scale = format!(" --scale {scale:?}").to_lowercase();
    table.line("options", words(options) + &class_weight(options, classes) + &scale);
    if file.model.scaling.is_some() {
        table.line("", "the weights are those of the scaled features");
    }
    match (&file.model.classifier, classes.scheme()) {
        (Classifier::Linear(planes), Scheme::Two { .. }) => {
            let bias = planes.first().map_or(0.0, |plane| plane.bias);
            let threshold = number(0.0 - bias);
            table.line("bias", format!("{}, as a threshold on w·x: {threshold}", number(bias)));
        }
        (Classifier::Dual(dual), Scheme::Two { .. }) => {
            let bias = dual.planes.first().map_or(0.0, |plane| plane.bias);
            table.line("bias", number(bias));
        }
        _ => {}
    }
    if let Some(support) = file.model.classifier.support() {
        let rows = counted(support.examples.len() as u64, "training example");
        table.line("support", format!("{rows}, those that were mistaken"));
    }
    table.line("written by", format!("rosenblatt {}", file.tool_version));
    table.to_string()
}

fn class_weight(options: &Options, classes: &Classes) -> String {
    match &options.class_weight {
        ClassWeight::Uniform => String::new(),
        ClassWeight::Balanced => " --class-weight balanced".to_owned(),
        ClassWeight::Given(weights) => {
            let one = |(name, weight): (&String, &f64)| format!("{name}={weight}");
            let all: Vec<String> = classes.names().iter().zip(weights).map(one).collect();
            format!(" --class-weight '{}'", all.join(","))
        }
    }
}

/// The options in the words of the command.
fn words(options: &Options) -> String {
    let word = |value: &dyn std::fmt::Debug| format!("{value:?}").to_lowercase();
    let kernel = options.kernel.map_or_else(String::new, |kernel| format!("--kernel {kernel} "));
    kernel
        + &format!(
            "--update {} --keep {} --order {} --init {} --seed {} --epochs {} --allow-mistakes {} --eta {} --bias {} \
         --mistake {}",
            options.update,
            word(&options.keep),
            word(&options.order),
            options.init.name(),
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

/// The largest weights of each class.
fn classes_listing(file: &ModelFile, top: usize) -> String {
    let planes = file.model.classifier.linear().unwrap_or_default();
    let of_class = |(label, plane): (&String, &Hyperplane)| {
        let heading = format!("{} (bias {})\n", name(label), number(plane.bias));
        heading + &listing(&weights(file, plane), top) + "\n"
    };
    let all = file.model.classes.names().iter().zip(planes);
    all.map(of_class).collect::<String>().trim_end().to_owned() + "\n"
}

/// The supporting rows that were most often mistaken.
fn support_listing(model: &Model, top: usize) -> String {
    let Some(support) = model.classifier.support() else { return String::new() };
    let all = supporting(model, support);
    let shown = if top == 0 { all.len() } else { top.min(all.len()) };
    let of_two = model.classes.pair().is_some();
    let mut text = "mistakes  example".to_owned();
    text.push_str(if of_two { "  coefficient\n" } else { "  by class\n" });
    for one in &all[..shown] {
        let more = match &one.coefficients {
            Some(coefficients) if of_two => number(coefficients.first().copied().unwrap_or(0.0)),
            _ if of_two => String::new(),
            _ => {
                let classes = model.classes.names().iter().zip(&one.counts);
                let counts = classes.filter(|(_, count)| **count > 0);
                let counts = counts.map(|(label, n)| format!("{}: {}", name(label), count(*n)));
                counts.collect::<Vec<_>>().join(", ")
            }
        };
        let (total, example) = (count(one.counts.iter().sum()), count(one.example as u64));
        text.push_str(format!("{total:>8}  {example:>7}  {more}").trim_end());
        text.push('\n');
    }
    if shown < all.len() {
        let rest = count((all.len() - shown) as u64);
        text.push_str(&format!("… {rest} more; `--top 0` lists all\n"));
    }
    text
}
