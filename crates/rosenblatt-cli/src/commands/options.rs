//! The options of a run: from the words of the command to the engine, and as a line of a report.

use rosenblatt::{
    data::{Classes, Scheme, ZeroScore, excerpt},
    keep::Kept,
    report::Report,
    schedule::{Init, Order},
    train::{Bias, ClassWeight, Options},
    update::{Mistake, Update},
};
use rosenblatt_data::ModelFile;

use crate::{
    args::LearnArgs,
    error::CliError,
    text::{count, exact},
};

impl LearnArgs {
    /// The engine's options, but for the class weights, which need the classes.
    pub(super) fn options(&self) -> Options {
        Options { compare: !self.no_compare, ..self.run.options.clone() }
    }
}

/// The class weights of `--class-weight`.
pub(super) fn class_weight(text: &str, classes: &Classes) -> Result<ClassWeight, CliError> {
    match text {
        "uniform" => Ok(ClassWeight::Uniform),
        "balanced" => Ok(ClassWeight::Balanced),
        _ => given_weights(text, classes),
    }
}

/// The weights of `LABEL=WEIGHT,LABEL=WEIGHT`; a class that is not named has weight 1.
fn given_weights(text: &str, classes: &Classes) -> Result<ClassWeight, CliError> {
    let mut weights = vec![None; classes.names().len()];
    for part in text.split(',') {
        let one = LabelWeight::parse(part).and_then(|one| Ok((one.class(classes)?, one)));
        let (class, one) = one.map_err(|problem| weight_error(&problem, classes))?;
        if weights[class].replace(one.weight).is_some() {
            let problem = format!("gives the class `{}` two weights", one.label);
            return Err(weight_error(&problem, classes));
        }
    }
    Ok(ClassWeight::Given(weights.into_iter().map(|weight| weight.unwrap_or(1.0)).collect()))
}

/// A part of `--class-weight`.
struct LabelWeight<'a> {
    label: &'a str,
    weight: f64,
}

impl<'a> LabelWeight<'a> {
    fn parse(part: &'a str) -> Result<Self, String> {
        let (label, weight) = part
            .rsplit_once('=')
            .ok_or_else(|| format!("`{}` is not LABEL=WEIGHT", excerpt(part)))?;
        let number = weight.trim().parse().ok().filter(|w: &f64| w.is_finite() && *w > 0.0);
        let number =
            number.ok_or_else(|| format!("`{}` is not a positive number", excerpt(weight)))?;
        Ok(LabelWeight { label, weight: number })
    }

    /// Returns the number of the class. With `--positive` only that class has a label.
    fn class(&self, classes: &Classes) -> Result<usize, String> {
        let label = self.label.trim();
        let known = classes.names().iter().any(|name| name == label) || !classes.is_one_vs_rest();
        let class = classes.number(label).filter(|_| known);
        class.ok_or_else(|| format!("`{}` is not a class", excerpt(self.label)))
    }
}

fn weight_error(problem: &str, classes: &Classes) -> CliError {
    let names = classes.names().iter().take(2).zip(1..);
    let example: Vec<String> = names.map(|(name, i)| format!("{}={i}", excerpt(name))).collect();
    let hint = format!("use `balanced`, `uniform`, or for example `{}`", example.join(","));
    CliError::usage(format!("--class-weight {problem}"), hint)
}

/// The options of a run over these classes as a line of a report.
pub(super) fn description(options: &Options, scheme: Scheme) -> String {
    let order = match options.order {
        Order::Given => "in the given order".to_owned(),
        Order::Shuffle => format!("shuffled each epoch, seed {}", options.seed),
    };
    let init = match &options.init {
        Init::Zero => "from zero".to_owned(),
        Init::Random => format!("from random weights, seed {}", options.seed),
        Init::Given(_) => "from given weights".to_owned(),
    };
    let bias = match options.bias {
        Bias::None => "no bias".to_owned(),
        bias => format!("bias {bias}"),
    };
    let is_joint = options.is_joint(scheme);
    let mistake = match options.mistake {
        Mistake::Margin if is_joint => "a mistake is a score not above those of all other classes",
        Mistake::Margin => "a mistake is y·s ≤ 0",
        Mistake::Label => "a mistake is a wrong label",
    };
    let zero = match options.zero {
        _ if is_joint => "",
        ZeroScore::Positive => "",
        ZeroScore::Negative => "; a score of 0 predicts the negative class",
    };
    let eta =
        if options.eta == 1.0 { String::new() } else { format!(", η = {}", exact(options.eta)) };
    let update = match options.update {
        update if update == Update::PERCEPTRON => String::new(),
        other => format!(", update {other}"),
    };
    let kernel = options.kernel.map_or_else(String::new, |kernel| format!(", kernel {kernel}"));
    let penalty =
        options.penalty.map_or_else(String::new, |penalty| format!(", penalty {penalty}"));
    format!("{init}, {order}, {bias}{eta}{update}{kernel}{penalty}; {mistake}{zero}")
}

/// Whether the classes were learned together.
pub(super) fn is_joint(file: &ModelFile) -> bool {
    file.model.options().is_joint(file.model.classes().scheme())
}

/// How more than two classes were learned.
pub(super) fn how_learned(file: &ModelFile) -> &'static str {
    if is_joint(file) { "learned together" } else { "one-vs-rest" }
}

/// The weights of the model, in the words of the reports.
pub(super) fn kept_weights(kept: Kept) -> &'static str {
    kept.keeper().words
}

/// Those of a finished run, with the epochs that they are continued by.
pub(super) fn model_weights(report: &Report) -> String {
    let more = report.extra_epochs.map(|more| {
        format!(
            " as if {} more {} had run",
            count(more),
            if more == 1 { "epoch" } else { "epochs" }
        )
    });
    kept_weights(report.kept).to_owned() + &more.unwrap_or_default()
}
