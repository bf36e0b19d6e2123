//! `--sweep`: the values of an option, compared on examples that are held out.

use rosenblatt::recipe::JudgedBy;
use rosenblatt_core::{split::Splitter, train::Options, validation::SweptValue};
use rosenblatt_plot::{Alternative, Comparison, Figure, Format, Panel};
use serde::Serialize;

use super::{
    context::Context,
    validation::{self, Parts},
};
use crate::{
    args::{SweepValues, TrainArgs},
    commands::outputs::{prepare, write_picture},
    error::CliError,
    hints,
    text::{name, percent},
};

/// The values of an option and their accuracies.
#[derive(Serialize)]
pub(super) struct Sweep {
    /// The name of the option.
    option: String,
    /// The values, in the order in which they were given.
    values: Vec<NamedValue>,
    /// The value with the highest accuracy, the first of equal ones.
    chosen: String,
    /// Whether the values were compared on the examples that judge the model.
    #[serde(skip)]
    chose_by_judging: bool,
}

#[derive(Serialize)]
struct NamedValue {
    value: String,
    #[serde(flatten)]
    measured: SweptValue,
}

/// Refuses a sweep without held-out examples, and a picture that cannot be written.
pub(super) fn check(arguments: &TrainArgs) -> Result<(), CliError> {
    if arguments.sweep.is_some() && arguments.folds.is_none() && arguments.holdout.is_none() {
        return Err(CliError::usage(
            "`--sweep` compares values on examples that are held out, and none are",
            validation::holding_out(arguments.no_folds),
        ));
    }
    if let Some(path) = &arguments.plot {
        Format::of(path)?;
        let more = arguments.more.iter().map(|path| path.as_path());
        let inputs: Vec<_> = [arguments.data.as_path()].into_iter().chain(more).collect();
        prepare("--plot", path, &inputs)?;
    }
    Ok(())
}

/// Learns with each value, and leaves the best in `options`.
pub(super) fn sweep(
    context: &Context<'_>,
    parts: &Parts<'_>,
    splitter: Option<&Splitter<'_>>,
    options: &mut Options,
) -> Result<Option<Sweep>, CliError> {
    let Some(sweep) = &context.arguments.sweep else { return Ok(None) };
    let all: Vec<Options> = sweep
        .values
        .iter()
        .map(|value| checked(sweep, options, value))
        .collect::<Result<_, CliError>>()?;
    let refilled = context.refilled();
    let (table, mut silent) = (context.table(Some(&refilled)), context.silent());
    let by = match (&parts.held_out, splitter.zip(validation::k_fold(context.arguments))) {
        (Some(held_out), _) => JudgedBy::HeldOut(&parts.train, held_out),
        (None, Some((splitter, k_fold))) => JudgedBy::Folds(splitter, k_fold),
        (None, None) => return Ok(None),
    };
    let mut measure = |options: &Options| {
        let measured = context.recipe(options).accuracy(table, by, &mut silent);
        measured.map_err(|error| context.error(error))
    };
    let measured = all.iter().map(&mut measure).collect::<Result<Vec<_>, CliError>>()?;
    let best = SweptValue::best(&measured);
    options.clone_from(&all[best]);
    let chosen = sweep.values[best].clone();
    let named = sweep.values.iter().cloned().zip(measured);
    let values = named.map(|(value, measured)| NamedValue { value, measured }).collect();
    Ok(Some(Sweep { option: sweep.name.clone(), values, chosen, chose_by_judging: true }))
}

/// The options with a value, which can be combined.
fn checked(sweep: &SweepValues, base: &Options, value: &str) -> Result<Options, CliError> {
    let failed = |problem: String, hint: Option<String>| CliError::Usage {
        message: format!("--sweep {}: {problem}", sweep.name),
        hint,
    };
    let usual = "`--update pa1:1 --sweep C=0.01,0.1,1`, `--penalty l2:1 --sweep alpha=0.001,0.01` and `--sweep bias=unit,none` are sweeps";
    let options = sweep.options(base, value);
    let options = options.map_err(|problem| failed(problem, Some(usual.to_owned())))?;
    let check = options.check();
    check.map_err(|error| failed(format!("{value}: {error}"), hints::of_option(&error)))?;
    Ok(options)
}

impl Sweep {
    /// Settings that were compared on examples to learn from.
    pub(super) fn of_settings(measured: Vec<(String, SweptValue)>, best: usize) -> Self {
        let chosen = measured[best].0.clone();
        let named = measured.into_iter();
        let values = named.map(|(value, measured)| NamedValue { value, measured }).collect();
        Sweep { option: "setting".to_owned(), values, chosen, chose_by_judging: false }
    }

    /// The chosen value with its option, if the examples that judge the model chose it.
    pub(super) fn chosen_by_judging(&self) -> Option<String> {
        self.chose_by_judging.then(|| self.chosen_text())
    }

    /// The chosen value with its option.
    fn chosen_text(&self) -> String {
        format!("{} = {}", name(&self.option), name(&self.chosen))
    }

    /// One line for each value.
    pub(super) fn table(&self) -> String {
        let held_out = if self.chose_by_judging { "held out" } else { "held out to choose" };
        let heads = [name(&self.option), held_out.to_owned()];
        let width = |texts: &mut dyn Iterator<Item = String>, head: &str| {
            texts.map(|text| text.chars().count()).chain([head.chars().count()]).max().unwrap_or(0)
        };
        let names = width(&mut self.values.iter().map(|one| name(&one.value)), &heads[0]);
        let mut text = format!("\n{:>names$}  {}\n", heads[0], heads[1]);
        for one in &self.values {
            let sd = one.measured.sd.map_or_else(String::new, |sd| format!(" ± {}", percent(sd)));
            let mark = if one.value == self.chosen { "  chosen" } else { "" };
            let (value, accuracy) = (name(&one.value), percent(one.measured.accuracy));
            text.push_str(&format!("{value:>names$}  {accuracy}{sd}{mark}\n"));
        }
        text
    }

    fn panel(&self, data: &str) -> Panel<'static> {
        let alternative = |one: &NamedValue| {
            let sd = one.measured.sd.unwrap_or(0.0);
            let (low, high) = (one.measured.accuracy - sd, one.measured.accuracy + sd);
            Alternative { name: one.value.clone(), number: one.measured.accuracy, low, high }
        };
        let chosen = self.values.iter().position(|one| one.value == self.chosen).unwrap_or(0);
        let best = percent(self.values.get(chosen).map_or(0.0, |one| one.measured.accuracy));
        let file = name(data.rsplit(['/', '\\']).next().unwrap_or_default());
        let spread = self.values.iter().any(|one| one.measured.sd.is_some());
        let how =
            if spread { "mean and standard deviation of the folds" } else { "one part held out" };
        Panel::Comparison(Comparison {
            title: format!("{} is the best, with {best} held out", self.chosen_text()),
            note: format!("{file}; {how}"),
            x_name: name(&self.option),
            y_name: "accuracy on held-out examples".to_owned(),
            alternatives: self.values.iter().map(alternative).collect(),
            chosen,
            label: best,
        })
    }
}

/// Draws the accuracies of a sweep over this data, if that was asked for.
pub(super) fn draw(
    arguments: &TrainArgs,
    sweep: Option<&Sweep>,
    data: &str,
) -> Result<(), CliError> {
    let (Some(path), Some(sweep)) = (&arguments.plot, sweep) else { return Ok(()) };
    let figure = Figure { panels: vec![sweep.panel(data)] };
    write_picture(path, &figure, Format::of(path)?)
}
