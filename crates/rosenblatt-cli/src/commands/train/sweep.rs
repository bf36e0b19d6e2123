//! `--sweep`: the values of options, compared on examples that are held out.

use indicatif::ProgressBar;
use rosenblatt::recipe::{Choice, Chooser, JudgedBy, Prepared, Setting};
use rosenblatt_core::{train::Options, validation::SweptValue};
use rosenblatt_data::Dataset;
use rosenblatt_plot::{Alternative as Drawn, Comparison, Figure, Format, Panel};
use serde::Serialize;

use super::{
    context::{Context, RunError},
    in_memory::{ForData, check_classes},
    training::run_silently,
    validation::{self, HoldingOut, Parts},
    weights,
};
use crate::{
    args::{Alternative, TrainArgs},
    commands::{
        inputs::classes,
        notes::NoteLog,
        outputs::{prepare, write_picture},
    },
    error::CliError,
    progress::bar_of,
    text::{name, percent},
};

/// The alternatives and their accuracies.
#[derive(Serialize)]
pub(super) struct Sweep {
    /// The names of the options.
    option: String,
    /// The same, if there are several.
    #[serde(skip_serializing_if = "is_one")]
    options: Vec<String>,
    /// The alternatives, in the order in which they were given.
    values: Vec<NamedValue>,
    /// The values with the highest accuracy, the first of equal ones.
    chosen: String,
    #[serde(skip_serializing_if = "is_one")]
    chosen_values: Vec<String>,
    /// The place of the chosen values.
    #[serde(skip)]
    best: usize,
    /// Whether the values were compared on the examples that judge the model.
    #[serde(skip)]
    chose_by_judging: bool,
}

#[derive(Serialize)]
struct NamedValue {
    value: String,
    /// The value of each option, if there are several.
    #[serde(skip_serializing_if = "is_one")]
    values: Vec<String>,
    #[serde(flatten)]
    measured: SweptValue,
}

fn is_one(texts: &[String]) -> bool {
    texts.len() == 1
}

/// The maximum number of alternatives of a picture.
const DRAWN: usize = 30;

/// Refuses a sweep without held-out examples, and a picture that cannot be written.
pub(super) fn check(arguments: &TrainArgs) -> Result<(), CliError> {
    if !arguments.sweep.is_empty() && arguments.folds.is_none() && arguments.holdout.is_none() {
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

/// The best alternative, and the data as it is read for it.
pub(super) struct Compared {
    pub(super) arguments: TrainArgs,
    pub(super) dataset: Dataset,
    pub(super) sweep: Sweep,
}

/// Compares the alternatives of `--sweep`; `None` without it.
pub(super) fn compared(arguments: &TrainArgs, log: &NoteLog) -> Result<Option<Compared>, CliError> {
    if arguments.sweep.is_empty() {
        return Ok(None);
    }
    let mut all = arguments.alternatives()?;
    if arguments.plot.is_some() && all.len() > DRAWN {
        return Err(CliError::usage(
            format!("`--plot` draws up to {DRAWN} alternatives, and there are {}", all.len()),
            "leave out `--plot`; the report and `--json` have all of them",
        ));
    }
    let readings = readings(&all);
    if readings.len() > 1 && !super::files(arguments).are_regular() {
        return Err(CliError::usage(
            "`--sweep` reads the data once for each way to cut its texts, and it is not a file",
            "write the data to a file, or sweep neither `preset` nor `ngrams` and `chars`",
        ));
    }
    let comparing = Comparing::new(arguments, &all, log)?;
    let mut measured = vec![SweptValue { accuracy: 0.0, sd: None }; all.len()];
    let mut last = None;
    for places in &readings {
        // At most one data set is in memory.
        drop(last.take());
        let dataset = comparing.read(places[0])?;
        if readings.len() == 1 {
            super::tell(arguments, &dataset, log)?;
        }
        for (&place, one) in places.iter().zip(comparing.measured(&dataset, places)?) {
            measured[place] = one;
        }
        last = Some((places, dataset));
    }
    comparing.bar.finish_and_clear();
    let best = SweptValue::best(&measured);
    let dataset = match last {
        Some((places, dataset)) if places.contains(&best) => dataset,
        _ => comparing.read(best)?,
    };
    let values = all.iter().map(|one| one.values.clone()).zip(measured).collect();
    let chosen = all.swap_remove(best).arguments;
    if readings.len() > 1 {
        super::tell(&chosen, &dataset, log)?;
    }
    let options = arguments.sweep.iter().map(|one| one.name.clone()).collect();
    let sweep = Sweep { chose_by_judging: true, ..Sweep::new(options, values, best) };
    Ok(Some(Compared { arguments: chosen, dataset, sweep }))
}

/// The places of the alternatives, those together for which the data is read in the same way.
fn readings(all: &[Alternative]) -> Vec<Vec<usize>> {
    let mut readings: Vec<(_, Vec<usize>)> = Vec::new();
    for (place, one) in all.iter().enumerate() {
        let cut = super::reading(&one.arguments).cut;
        match readings.iter_mut().find(|(known, _)| *known == cut) {
            Some((_, places)) => places.push(place),
            None => readings.push((cut, vec![place])),
        }
    }
    readings.into_iter().map(|(_, places)| places).collect()
}

/// The comparison of alternatives.
struct Comparing<'a> {
    arguments: &'a TrainArgs,
    all: &'a [Alternative],
    /// The options of their runs, but for those that depend on the data.
    options: Vec<Options>,
    bar: ProgressBar,
    log: &'a NoteLog,
}

impl<'a> Comparing<'a> {
    fn new(
        arguments: &'a TrainArgs,
        all: &'a [Alternative],
        log: &'a NoteLog,
    ) -> Result<Self, CliError> {
        let options = all.iter().map(|one| {
            let options = super::options(&one.arguments);
            options.map_err(|error| arguments.named(&one.values, error))
        });
        let runs = validation::k_fold(arguments).map_or(1, |k_fold| k_fold.folds * k_fold.repeats);
        let quiet = arguments.printing.is_silent();
        let bar = bar_of("run", (all.len() * runs) as u64, quiet);
        Ok(Comparing { arguments, all, options: options.collect::<Result<_, _>>()?, bar, log })
    }

    /// Reads the data for an alternative.
    fn read(&self, place: usize) -> Result<Dataset, CliError> {
        let arguments = &self.all[place].arguments;
        let reading = super::reading(arguments);
        let files = super::files(arguments);
        files.read_within(&reading, arguments.learning.memory, self.log)
    }

    /// Measures the alternatives at these places, for all of which the data is read in this way.
    fn measured(&self, dataset: &Dataset, places: &[usize]) -> Result<Vec<SweptValue>, CliError> {
        let arguments = self.arguments;
        let (classes, numbers) = classes(dataset, arguments.columns.positive.as_deref())?;
        let weights = weights::of_rows(arguments, dataset)?;
        let context = Context {
            arguments,
            dataset,
            classes: &classes,
            numbers: &numbers,
            unlearned: &[],
            prepare: arguments.learning.prepare.0,
            weights: weights.as_deref(),
        };
        let holding_out = HoldingOut::new(&context, arguments.learning.run.options.seed)?;
        let settings = places.iter().map(|&place| self.setting(place, context, &holding_out));
        let settings: Vec<Setting> = settings.collect::<Result<_, _>>()?;
        self.check_different(places, &settings)?;
        let (splitter, split) = (holding_out.splitter.as_ref(), holding_out.split.as_ref());
        let filled = split.and_then(|split| dataset.filled_by(&split.train));
        let context = holding_out.within(context);
        let context = Context { dataset: filled.as_ref().unwrap_or(dataset), ..context };
        let parts = Parts::new(&context, splitter.zip(split));
        let by = match (&parts.held_out, splitter.zip(validation::k_fold(arguments))) {
            (Some(held_out), _) => JudgedBy::HeldOut(&parts.train, held_out),
            (None, Some((splitter, k_fold))) => JudgedBy::Folds(splitter, k_fold),
            (None, None) => return Ok(Vec::new()),
        };
        let bar = &self.bar;
        let make_run = |prepared: &Prepared<'_>| run_silently(&context, prepared, bar);
        let (settings, is_over) = (settings.as_slice(), |_: &RunError| true);
        let chooser = Chooser { settings, groups: None, make_run: &make_run, is_over };
        let refilled = context.refilled();
        let recipe = context.recipe(&self.options[places[0]]);
        let compared = chooser.compare(&recipe, context.table(Some(&refilled)), by);
        let Choice { measured, .. } = compared.map_err(|error| context.error(error))?;
        dataset.check_unchanged()?;
        Ok(measured)
    }

    /// What an alternative does with the data.
    fn setting(
        &self,
        place: usize,
        context: Context<'_>,
        holding_out: &HoldingOut<'_>,
    ) -> Result<Setting, CliError> {
        let Alternative { arguments, values } = &self.all[place];
        let context = Context { arguments, ..context };
        let for_data = ForData::of(&context, self.options[place].clone()).and_then(|for_data| {
            let options = holding_out.options(for_data.options);
            options.check().map_err(super::unsuited)?;
            check_classes(&holding_out.within(context), &options)?;
            Ok(options)
        });
        let options = for_data.map_err(|error| self.arguments.named(values, error))?;
        let prepare = arguments.learning.prepare.0;
        Ok(Setting { words: String::new(), options, prepare })
    }

    /// Refuses two alternatives that are one.
    fn check_different(&self, places: &[usize], settings: &[Setting]) -> Result<(), CliError> {
        for (other, setting) in settings.iter().enumerate() {
            if let Some(one) = settings[..other].iter().position(|one| one == setting) {
                let [one, other] = [one, other].map(|i| self.all[places[i]].values.join(", "));
                return Err(CliError::usage(
                    format!(
                        "`--sweep` has two alternatives that are the same run: {one} and {other}"
                    ),
                    "leave out values that change nothing beside the others",
                ));
            }
        }
        Ok(())
    }
}

impl Sweep {
    /// Alternatives, each with a value of each option.
    fn new(options: Vec<String>, values: Vec<(Vec<String>, SweptValue)>, best: usize) -> Self {
        let joined = |texts: &[String]| texts.join(", ");
        let chosen_values = values[best].0.clone();
        let named = values.into_iter().map(|(values, measured)| NamedValue {
            value: joined(&values),
            values,
            measured,
        });
        Sweep {
            option: joined(&options),
            options,
            values: named.collect(),
            chosen: joined(&chosen_values),
            chosen_values,
            best,
            chose_by_judging: false,
        }
    }

    /// Settings that were compared on examples to learn from.
    pub(super) fn of_settings(measured: Vec<(String, SweptValue)>, best: usize) -> Self {
        let values = measured.into_iter().map(|(value, measured)| (vec![value], measured));
        Sweep::new(vec!["setting".to_owned()], values.collect(), best)
    }

    /// The chosen values with their options, if the examples that judge the model chose them.
    pub(super) fn chosen_by_judging(&self) -> Option<String> {
        self.chose_by_judging.then(|| self.chosen_text())
    }

    /// The chosen values with their options.
    fn chosen_text(&self) -> String {
        let pairs = self.options.iter().zip(&self.chosen_values);
        let pairs: Vec<String> =
            pairs.map(|(option, value)| format!("{} = {}", name(option), name(value))).collect();
        pairs.join(", ")
    }

    /// One line for each alternative.
    pub(super) fn table(&self) -> String {
        let held_out = if self.chose_by_judging { "held out" } else { "held out to choose" };
        let heads: Vec<String> = self.options.iter().map(|option| name(option)).collect();
        let rows =
            self.values.iter().map(|one| one.values.iter().map(|value| name(value)).collect());
        let rows: Vec<Vec<String>> = rows.collect();
        let width = |column: usize| {
            let texts = rows.iter().chain([&heads]).map(|texts| texts[column].chars().count());
            texts.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..heads.len()).map(width).collect();
        let line = |texts: &[String]| {
            let cells = texts.iter().zip(&widths).map(|(text, &width)| format!("{text:>width$}  "));
            cells.collect::<String>()
        };
        let mut text = format!("\n{}{held_out}\n", line(&heads));
        for (place, (one, row)) in self.values.iter().zip(&rows).enumerate() {
            let sd = one.measured.sd.map_or_else(String::new, |sd| format!(" ± {}", percent(sd)));
            let mark = if place == self.best { "  chosen" } else { "" };
            let accuracy = percent(one.measured.accuracy);
            text.push_str(&format!("{}{accuracy}{sd}{mark}\n", line(row)));
        }
        text
    }

    fn panel(&self, data: &str) -> Panel<'static> {
        let alternative = |one: &NamedValue| {
            let sd = one.measured.sd.unwrap_or(0.0);
            let (low, high) = (one.measured.accuracy - sd, one.measured.accuracy + sd);
            Drawn { name: one.value.clone(), number: one.measured.accuracy, low, high }
        };
        let best = percent(self.values[self.best].measured.accuracy);
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
            chosen: self.best,
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
