//! `rosenblatt show`: the contents of a model file.

use rosenblatt_core::{
    calibration::{Calibration, LabelsBy},
    data::{Classes, Scheme, ZeroScore},
    model::{Classifier, Model},
    report::Stop,
    schedule::Init,
    space::Hyperplane,
    train::{ClassWeight, Options},
};
use rosenblatt_data::{
    ModelFile,
    export::{Description, NamedWeight, supporting, unscaled_bias},
    schema::Inputs,
};

use super::{
    few_weights::{listed, weights_note},
    models::load_model,
    notes::NoteLog,
    options::{how_learned, is_joint, model_weights, rate},
};
use crate::{
    args::ShowArgs,
    error::CliError,
    hints::quoted,
    output,
    text::{Table, count, counted, name, number},
};

pub(crate) fn run(arguments: &ShowArgs) -> Result<(), CliError> {
    let log = NoteLog::with_quiet(false);
    let file = load_model(&arguments.model, &log)?;
    if arguments.json {
        return log.print_json(&Description::of(&file));
    }
    let top = if arguments.top == 0 { usize::MAX } else { arguments.top };
    let list = match (file.model.classifier(), file.model.classes().pair()) {
        (Classifier::Linear(planes), Some(_)) => {
            planes.iter().map(|plane| listing(&listed(&file, plane, top), top)).collect()
        }
        (Classifier::Linear(_), None) => classes_listing(&file, top),
        _ => support_listing(&file.model, top),
    };
    let list: String = list;
    output::print(&(summary(&file) + "\n" + &list))
}

fn summary(file: &ModelFile) -> String {
    let model = &file.model;
    let (report, options, classes) = (model.report(), model.options(), model.classes());
    let mut table = Table::default();
    let features = counted(model.features() as u64, "feature");
    table.line("model", format!("{features}, {}", model_weights(report)));
    let which = match classes.pair() {
        Some((negative, positive)) => format!("+1 is {}, −1 is {}", name(positive), name(negative)),
        None => {
            format!("{}, {}: {}", classes.names().len(), how_learned(file), classes.shown())
        }
    };
    table.line("classes", which);
    table.line(
        "trained on",
        format!(
            "{}, from {}",
            counted(report.examples as u64, "example"),
            file.schema.format.words()
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
    let together = match model.classes().scheme() {
        Scheme::OneVsRest { .. } if is_joint(file) => " --classes joint",
        Scheme::OneVsRest { .. } => " --classes one-vs-rest",
        Scheme::Two { .. } => "",
    };
    let given = words(options, report.stopped_by, is_joint(file))
        + &class_weight(options, classes)
        + together;
    let given = given + &text_words(file) + &prepare_words(model);
    table.line("options", given);
    notes(&mut table, model);
    if let Some(bias) = bias(file) {
        table.line("bias", bias);
    }
    if let Some(support) = model.classifier().support() {
        let rows = counted(support.examples.len() as u64, "training example");
        table.line("support", format!("{rows}, each of which moved the weights at least once"));
    }
    if let Some(calibration) = model.calibration() {
        let examples = counted(calibration.rows() as u64, "example");
        let method = calibration.method().name();
        table.line("probabilities", format!("{method}, fitted to the scores of {examples}"));
        if let Some(labels) = labels(model, calibration) {
            table.line("labels", labels);
        }
    }
    table.line("written by", format!("rosenblatt {}", file.tool_version));
    table.to_string()
}

/// What the labels follow, if not the scores.
fn labels(model: &Model, calibration: &Calibration) -> Option<String> {
    if calibration.labels() == LabelsBy::Score {
        return None;
    }
    let from = calibration.cut(model.decision()).zip(model.classes().positive());
    let where_it_is = from.map_or_else(String::new, |(cut, positive)| match cut {
        f64::INFINITY => format!(", which is never {}", name(positive)),
        f64::NEG_INFINITY => format!(", which is always {}", name(positive)),
        _ => format!(": {} from a score of {} on", name(positive), number(cut)),
    });
    Some(format!("those of the largest probability{where_it_is}"))
}

/// The examples by which features are scaled, where these are not all, and the features to which the weights belong.
fn notes(table: &mut Table, model: &Model) {
    if let Some(first) = model.scaling().and_then(|scaling| scaling.first) {
        table.line("", format!("scaled by the first {}", counted(first, "example")));
    }
    if let Some(note) = note(model) {
        table.line("", note);
    }
}

/// The features to which the weights belong, where these are not those of the data alone.
fn note(model: &Model) -> Option<String> {
    let preparation = model.preparation();
    let is_unscaled = preparation.scaling().is_some() && preparation.is_only_scaled();
    if is_unscaled && model.classifier().linear().is_some() {
        return Some(
            "the weights and the bias are those of the features of the data; those of the scaled features in parentheses"
                .to_owned(),
        );
    }
    weights_note(preparation)
}

/// The options of n-grams of characters and of interactions.
fn text_words(file: &ModelFile) -> String {
    let Inputs::Columns(columns) = &file.schema.inputs else { return String::new() };
    let mut texts = columns.features.iter().filter_map(|column| column.words.as_ref());
    let lengths = texts.find_map(|words| words.hashing.chars);
    let mut words = lengths.map_or_else(String::new, |lengths| format!(" --chars {lengths}"));
    for interaction in &columns.interactions {
        words.push_str(&format!(" --interactions {}", quoted(&interaction.columns.join(","))));
    }
    words
}

/// The options of the preparation of rows.
fn prepare_words(model: &Model) -> String {
    let options = model.preparation().named().options().into_iter();
    options.filter_map(|(name, value)| Some(format!(" --{name} {}", value?))).collect()
}

/// The bias of a model of two classes.
fn bias(file: &ModelFile) -> Option<String> {
    let model = &file.model;
    if !matches!(model.classes().scheme(), Scheme::Two { .. }) {
        return None;
    }
    match model.classifier() {
        Classifier::Linear(planes) => {
            let plane = planes.first()?;
            let unscaled = unscaled_bias(file, plane);
            let bias = unscaled.unwrap_or(plane.bias);
            let scaled = unscaled.map_or_else(String::new, |_| in_parentheses(plane.bias));
            let threshold = match model.calibration() {
                Some(found) if found.has_probable_labels() => String::new(),
                _ => format!(", as a threshold on w·x: {}", number(0.0 - bias)),
            };
            Some(format!("{}{scaled}{threshold}", number(bias)))
        }
        Classifier::Dual(dual) => Some(number(dual.planes.first().map_or(0.0, |plane| plane.bias))),
        Classifier::Voted(_) => None,
    }
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

/// The options as the command takes them, which refuses those that change nothing.
fn words(options: &Options, stopped_by: Stop, is_joint: bool) -> String {
    let zero = if is_joint { ZeroScore::default() } else { options.zero };
    let seed = if options.dynamics().draws { options.seed } else { 0 };
    let word = |value: &dyn std::fmt::Debug| format!("{value:?}").to_lowercase();
    let kernel = options.kernel.map_or_else(String::new, |kernel| format!("--kernel {kernel} "));
    let penalty =
        options.penalty.map_or_else(String::new, |penalty| format!("--penalty {penalty} "));
    let init = match &options.init {
        // The model does not have the weights.
        Init::Given(_) => "--start WEIGHTS".to_owned(),
        other => format!("--init {}", other.name()),
    };
    let eta = match rate(options) {
        eta if eta.contains('(') => format!("'{eta}'"),
        eta => eta,
    };
    // Without this option a run may end where more epochs rarely help.
    let epochs = match stopped_by {
        Stop::Plateau => String::new(),
        _ => format!(" --epochs {}", options.epochs),
    };
    kernel
        + &penalty
        + &format!(
            "--update {} --keep {} --order {} {} --seed {}{epochs} --allow-mistakes {} --eta {} --bias {} \
         --mistake {} --zero {}",
            options.update,
            word(&options.keep),
            word(&options.order),
            init,
            seed,
            options.allow_mistakes,
            eta,
            options.bias,
            word(&options.mistake),
            word(&zero)
        )
}

/// A number that belongs to the scaled features, after the one of the features of the data.
fn in_parentheses(scaled: f64) -> String {
    format!(" (scaled {})", number(scaled))
}

fn listing(weights: &[NamedWeight], top: usize) -> String {
    let shown = top.min(weights.len());
    let names: Vec<String> = weights[..shown].iter().map(|weight| name(&weight.feature)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, NamedWeight { weight, unscaled, .. }) in names.iter().zip(weights) {
        let scaled = unscaled.map_or_else(String::new, |_| in_parentheses(*weight));
        let weight = unscaled.unwrap_or(*weight);
        text.push_str(&format!("{name:width$}  {:>10}{scaled}\n", number(weight)));
    }
    if shown < weights.len() {
        let rest = count((weights.len() - shown) as u64);
        text.push_str(&format!("… {rest} smaller ones; `--top 0` lists all\n"));
    }
    text
}

/// The weights of each class.
fn classes_listing(file: &ModelFile, top: usize) -> String {
    let planes = file.model.classifier().linear().unwrap_or_default();
    let of_class = |(label, plane): (&String, &Hyperplane)| {
        let bias = unscaled_bias(file, plane).unwrap_or(plane.bias);
        let heading = format!("{} (bias {})\n", name(label), number(bias));
        heading + &listing(&listed(file, plane, top), top) + "\n"
    };
    let all = file.model.classes().names().iter().zip(planes);
    all.map(of_class).collect::<String>().trim_end().to_owned() + "\n"
}

/// The support rows that were misclassified most often.
fn support_listing(model: &Model, top: usize) -> String {
    let Some(support) = model.classifier().support() else { return String::new() };
    let all = supporting(model, support);
    let shown = top.min(all.len());
    let of_two = model.classes().pair().is_some();
    let mut text = "mistakes  example".to_owned();
    text.push_str(if of_two { "  coefficient\n" } else { "  by class\n" });
    for one in &all[..shown] {
        let more = match &one.coefficients {
            Some(coefficients) if of_two => number(coefficients.first().copied().unwrap_or(0.0)),
            _ if of_two => String::new(),
            _ => {
                let classes = model.classes().names().iter().zip(&one.counts);
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
