//! The options of a run: from the words of the command to the engine, and as a line of a report.

use rosenblatt_core::{
    data::{Classes, Scheme, ZeroScore, excerpt},
    keep::Kept,
    report::Report,
    rules::{Mistake, Update},
    schedule::{Init, Order},
    space::Hyperplane,
    train::{Bias, ClassWeight, Options},
};
use rosenblatt_data::{Dataset, ModelFile};

use crate::{
    args::{LearnArgs, StartArgs},
    error::CliError,
    text::{count, counted, exact, name},
};

/// Why a seed has no effect.
pub(super) const DRAWS_NOTHING: &str =
    "a run from zero or given weights in the given order draws nothing at random";

impl LearnArgs {
    /// The engine's options, but for the class weights, which need the classes.
    pub(super) fn options(&self) -> Options {
        let run = self.run.options.clone();
        // The hyperplane follows in `first_weights`, which needs the number of features.
        let init = if self.start.numbers.is_some() { Init::Given([].into()) } else { run.init };
        Options { compare: !self.no_compare, init, ..run }
    }
}

impl StartArgs {
    /// The initial weights: those of `--start` in the units of the file, else those of the options.
    pub(super) fn first_weights(
        &self,
        dataset: &Dataset,
        scheme: Scheme,
        options: &Options,
    ) -> Result<Init, CliError> {
        let Some(numbers) = &self.numbers else { return Ok(options.init.clone()) };
        if let Scheme::OneVsRest { classes } = scheme {
            return Err(CliError::usage(
                format!(
                    "--start has the weights of one hyperplane, but the {classes} classes have one each"
                ),
                "`--positive LABEL` learns that class against the rest",
            ));
        }
        let features = dataset.rows.features();
        let expected = features + usize::from(options.bias != Bias::None);
        if numbers.len() != expected {
            return Err(wrong_start(dataset, numbers.len(), expected));
        }
        let (weights, bias) = numbers.split_at(features);
        let bias = bias.first().copied().unwrap_or(0.0);
        Ok(Init::Given([Hyperplane { weights: weights.to_vec(), bias }].into()))
    }
}

/// Refuses a number of weights, and names the features.
fn wrong_start(dataset: &Dataset, found: usize, expected: usize) -> CliError {
    const MOST: usize = 12;
    let features = dataset.rows.features();
    let bias = match expected - features {
        0 => "",
        _ => ", then the bias",
    };
    let names = dataset.schema.feature_names();
    let mut shown: Vec<String> = names.iter().take(MOST).map(|one| name(one)).collect();
    shown.extend((features > shown.len()).then(|| "…".to_owned()));
    CliError::usage(
        format!(
            "--start has {}, expected {}: a weight for each of the {}{bias}",
            counted(found as u64, "number"),
            count(expected as u64),
            counted(features as u64, "feature"),
        ),
        format!("the features, in their order, are {}", shown.join(", ")),
    )
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
    let Options {
        update,
        keep: _, // in the line of the model
        kernel,
        penalty,
        bias,
        mistake,
        zero,
        order,
        init,
        seed,
        epochs: _,         // in the line of the epochs
        allow_mistakes: _, // where they end the run
        eta,
        decay,
        class_weight: _, // in a line of their own
        classes: _,      // by `Options::is_joint`
        compare: _,      // weights that are compared are in the report
        plateau: _,      // where it ends the run
    } = options;
    let order = match order {
        Order::Given => "in the given order".to_owned(),
        Order::Shuffle => format!("shuffled each epoch, seed {seed}"),
        Order::Mistaken => format!("one random mistake each epoch, seed {seed}"),
    };
    let init = match init {
        Init::Zero => "from zero".to_owned(),
        Init::Random => format!("from random weights, seed {seed}"),
        Init::Given(_) => "from given weights".to_owned(),
    };
    let bias = match bias {
        Bias::None => "no bias".to_owned(),
        bias => format!("bias {bias}"),
    };
    let is_joint = options.is_joint(scheme);
    let mistake = match mistake {
        Mistake::Margin if is_joint => "a mistake is a score not above those of all other classes",
        Mistake::Margin => "a mistake is y·s ≤ 0",
        Mistake::Label => "a mistake is a wrong label",
    };
    let zero = match zero {
        _ if is_joint => "",
        ZeroScore::Positive => "",
        ZeroScore::Negative => "; a score of 0 predicts the negative class",
    };
    let is_one = *eta == 1.0 && decay.is_none();
    let eta = if is_one { String::new() } else { format!(", η = {}", rate(options)) };
    let update = match *update {
        update if update == Update::default() => String::new(),
        other => format!(", update {other}"),
    };
    let kernel = kernel.map_or_else(String::new, |kernel| format!(", kernel {kernel}"));
    let penalty = penalty.map_or_else(String::new, |penalty| format!(", penalty {penalty}"));
    format!("{init}, {order}, {bias}{eta}{update}{kernel}{penalty}; {mistake}{zero}")
}

/// The learning rate, but for quotes as `--eta` takes it.
pub(super) fn rate(options: &Options) -> String {
    let decay = options.decay.map_or_else(String::new, |decay| format!("/{decay}"));
    exact(options.eta) + &decay
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
