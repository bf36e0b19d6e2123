//! The report of a run, for a person and for a program.

use rosenblatt::{
    data::Scheme,
    keep::Kept,
    report::{ClassReport, MarginBracket, Report, Stop},
    train::{Bias, Options},
    update::Mistake,
};
use rosenblatt_data::{Format, ModelFile, schema::Inputs};
use serde::Serialize;

use super::{
    diagnosis::Diagnosis,
    hardest_examples::HardExample,
    outcome::Outcome,
    validation::{Folds, HoldoutResult, Validation},
};
use crate::{
    commands::{
        options::description,
        theorem::{formula, space},
    },
    text::{
        Table, at_least, at_most, bound as most, count, counted, escaped, name, number, percent,
        times,
    },
};

/// The object that `--json` prints.
#[derive(Serialize)]
pub(super) struct Json<'a> {
    classes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<&'a str>,
    #[serde(flatten)]
    report: Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_class: Option<Vec<OfClass<'a>>>,
    #[serde(flatten)]
    validation: &'a Validation,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnosis: Option<&'a Diagnosis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hard: Option<&'a [HardExample]>,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
}

/// What happened to one class against the rest, with its name.
#[derive(Serialize)]
struct OfClass<'a> {
    class: &'a str,
    #[serde(flatten)]
    report: ClassReport,
}

/// The report for a program; `seconds` is the time it all took.
pub(super) fn json(outcome: &Outcome, seconds: f64) -> Json<'_> {
    let classes = &outcome.file.model.classes;
    let mut report = outcome.file.report.clone();
    let per_class = report.per_class.take().map(|all| classes.names().iter().zip(all));
    Json {
        classes: classes.names(),
        positive: classes.positive(),
        per_class: per_class
            .map(|all| all.map(|(class, report)| OfClass { class, report }).collect()),
        report,
        validation: &outcome.validation,
        diagnosis: outcome.diagnosis.as_ref(),
        hard: outcome.hard.as_deref(),
        seconds,
        model: outcome.written.as_deref(),
        skipped: Some(outcome.skipped).filter(|&skipped| skipped > 0),
    }
}

/// The report for a person.
pub(super) fn text(outcome: &Outcome) -> String {
    let model = &outcome.file;
    let (report, options) = (&model.report, &model.options);
    let mut table = Table::default();
    table.line("data", data(&outcome.data, model));
    for line in texts(model) {
        table.line("", line);
    }
    table.line("classes", classes(model));
    table.line("run", description(options));
    table.line("outcome", ending(report));
    for line in advice(report, options, outcome) {
        table.line("", line);
    }
    table.line("mistakes", mistakes(report));
    table.line("training errors", training_errors(report));
    if let Some(support) = report.support {
        table.line("support", support_line(support, report));
    }
    if report.per_class.is_none() {
        for (name, line) in margins(report, options) {
            table.line(name, line);
        }
    }
    if let Some(unseen) = unseen(&outcome.validation) {
        // Examples that chose the weights are no longer unseen.
        let chose = if report.best_epoch.is_some() { "; they also chose the epoch" } else { "" };
        table.line("unseen", unseen + chose);
    }
    table.line("model", kept(report, outcome.written.as_deref()));
    let per_class = per_class(model);
    table.to_string() + &per_class + &hard_list(outcome.hard.as_deref())
}

fn data(file: &str, model: &ModelFile) -> String {
    let report = &model.report;
    let size = format!(
        "{}: {}, {}",
        escaped(file),
        counted(report.examples as u64, "example"),
        counted(report.features as u64, "feature")
    );
    match (&model.schema.inputs, model.schema.format) {
        (Inputs::Columns(columns), Format::Table { header: true, .. }) => {
            format!("{size}; the label is column `{}`", name(&columns.target))
        }
        (Inputs::Columns(columns), _) => format!("{size}; the label is column {}", columns.target),
        _ => size,
    }
}

/// What the hashing of each text column came to.
fn texts(model: &ModelFile) -> Vec<String> {
    let Inputs::Columns(columns) = &model.schema.inputs else { return Vec::new() };
    let text = columns.features.iter().filter_map(|column| Some((column, column.words.as_ref()?)));
    text.map(|(column, words)| {
        let unit = if words.hashing.ngrams == 1 { "different word" } else { "different n-gram" };
        let known = words.dictionary.len() as u64;
        let count_of = words.collisions.map_or_else(
            || "words".to_owned(),
            |others| format!("{} ({} collided)", counted(known + others, unit), count(others)),
        );
        format!(
            "text in column `{}`: {count_of}, hashed to 2^{} features",
            column.name, words.hashing.bits
        )
    })
    .collect()
}

fn classes(model: &ModelFile) -> String {
    let (classes, sizes) = (&model.model.classes, &model.model.baseline.class_sizes);
    let of = |class: usize| {
        format!("{} ({})", name(&classes.names()[class]), count(sizes[class] as u64))
    };
    match classes.scheme() {
        Scheme::Two { positive } => format!("+1 is {}, −1 is {}", of(positive), of(1 - positive)),
        Scheme::OneAgainstRest { classes } => {
            const SHOWN: usize = 12;
            let shown: Vec<String> = (0..classes.min(SHOWN)).map(of).collect();
            let rest = if classes > SHOWN { ", …" } else { "" };
            let shown = shown.join(", ");
            format!("{classes}, each against the rest: {shown}{rest}")
        }
    }
}

fn support_line(support: usize, report: &Report) -> String {
    let share = percent(support as f64 / report.examples as f64);
    format!("{} ({share}) were mistaken and make up the model", counted(support as u64, "example"))
}

/// A line for each class against the rest.
fn per_class(model: &ModelFile) -> String {
    let report = &model.report;
    let Some(all) = &report.per_class else { return String::new() };
    let names: Vec<String> = model.model.classes.names().iter().map(|class| name(class)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
    let mut text = format!(
        "\n{:width$}  {:>8}  {:>9}  {:>10}  {:>9}  {:>10}\n",
        "class", "examples", "updates", "last epoch", "errors", "margin"
    );
    for (one, name) in all.iter().zip(names) {
        let last = one.mistakes_per_epoch.last().copied().unwrap_or(0);
        let errors = one.errors.of(report.kept).or(one.errors.last);
        let errors = errors.map_or_else(|| "–".to_owned(), |errors| count(errors as u64));
        let margin = class_margin(one, report.kept);
        text.push_str(&format!(
            "{name:width$}  {:>8}  {:>9}  {:>10}  {:>9}  {margin:>10}\n",
            count(one.examples as u64),
            count(one.updates),
            count(last),
            errors
        ));
    }
    text
}

/// The margin of a class, and whose it is where it is not that of the model's weights.
fn class_margin(one: &ClassReport, kept: Kept) -> String {
    let Some(lower) = one.margin.lower else { return "–".to_owned() };
    let other = one.separator.filter(|&separator| separator != kept);
    at_least(lower, 4) + &other.map_or_else(String::new, |other| format!(" ({})", other.name()))
}

fn ending(report: &Report) -> String {
    let updates = counted(report.updates, "update");
    let last = report.mistakes_per_epoch.last().copied().unwrap_or(0);
    let epochs = counted(report.epochs, "epoch");
    match report.stopped_by {
        Stop::CleanEpoch => {
            format!("converged: epoch {} made no mistake, after {updates}", count(report.epochs))
        }
        Stop::AllowedMistakes => {
            format!(
                "stopped, not converged: epoch {} made {}, which is allowed; {updates}",
                count(report.epochs),
                counted(last, "mistake")
            )
        }
        Stop::Patience => {
            let best = report.best_epoch.unwrap_or(report.epochs);
            format!(
                "stopped after {epochs}, {updates}: epoch {} was the best on the examples held out",
                count(best)
            )
        }
        Stop::MaxEpochs | Stop::Observer => {
            format!(
                "not converged: {epochs}, {updates}; the last epoch made {}",
                counted(last, "mistake")
            )
        }
    }
}

/// What is known, and can be done, when a run did not converge.
fn advice(report: &Report, options: &Options, outcome: &Outcome) -> Vec<String> {
    const MUCH: f64 = 100.0;
    if report.converged {
        return Vec::new();
    }
    let mut lines = Vec::new();
    if let Some(diagnosis) = &outcome.diagnosis {
        lines.extend(diagnosis.lines(report));
    }
    match report.separator {
        Some(separator) => lines.push(format!(
            "but a hyperplane separates the classes, the one of the {} weights",
            separator.name()
        )),
        None if report.stopped_by == Stop::MaxEpochs && outcome.diagnosis.is_none() => {
            lines.push(
                "either more `--epochs` are needed, or no hyperplane separates the classes:"
                    .to_owned(),
            );
            lines.push(
                "then the perceptron never stops, and average or pocket are the models to use"
                    .to_owned(),
            );
            if options.kernel.is_none() {
                let which = "`--diagnose`, or the command `separable`, tells which";
                lines.push(which.to_owned());
            }
        }
        None => {}
    }
    if let Some(spread) = outcome.spread.filter(|&spread| spread >= MUCH) {
        let times = times(spread);
        // What shifts zeros would make sparse rows dense.
        let scale = if outcome.is_sparse { "maxabs" } else { "standard" };
        lines.push(format!(
            "the largest feature is {times} times the smallest: try `--scale {scale}`"
        ));
    }
    if let (Some(pocket), Some(own)) = (report.errors.pocket, report.training_errors)
        && pocket < own
        // With weights, fewer errors can be the worse model.
        && !options.class_weight.differ(&outcome.file.model.baseline.class_sizes)
    {
        let fewer = counted((own - pocket) as u64, "training error");
        lines.push(format!("`--keep pocket` would make {fewer} fewer"));
    }
    lines
}

/// The mistakes of the first and the last epochs.
fn mistakes(report: &Report) -> String {
    const SHOWN: usize = 16;
    let mistakes = &report.mistakes_per_epoch;
    if let (None, [all], None) = (report.training_errors, &mistakes[..], &report.per_class) {
        let share = percent(*all as f64 / report.examples as f64);
        return format!("{}: {share} of the examples, before each was learned from", count(*all));
    }
    let list = |mistakes: &[u64]| mistakes.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    if mistakes.len() <= SHOWN {
        format!("{}  (by epoch)", list(mistakes))
    } else {
        let (first, last) = (&mistakes[..SHOWN / 2], &mistakes[mistakes.len() - SHOWN / 2..]);
        format!("{} … {}  (by epoch)", list(first), list(last))
    }
}

fn training_errors(report: &Report) -> String {
    if report.training_errors.is_none() {
        return "not counted: each example was learned from and let go".to_owned();
    }
    let share = |errors: usize| percent(errors as f64 / report.examples as f64);
    let candidates = [
        (Kept::Last, report.errors.last),
        (Kept::Average, report.errors.average),
        (Kept::Pocket, report.errors.pocket),
        (Kept::Vote, report.errors.vote),
    ];
    let shown = candidates.iter().filter_map(|(kept, errors)| {
        let errors = (*errors)?;
        Some(format!("{} {} ({})", kept.name(), count(errors as u64), share(errors)))
    });
    shown.collect::<Vec<_>>().join("   ")
}

fn margins(report: &Report, options: &Options) -> Vec<(&'static str, String)> {
    let (update, bias) = (options.update, options.bias);
    let mut lines = Vec::new();
    let (longest, radius) = match bias {
        Bias::Unit => ("√(R²+1)", report.radius.hypot(1.0)),
        Bias::Radius | Bias::None => ("R", report.radius),
    };
    let (space, MarginBracket { lower, upper }) = (space(bias), report.margin);
    let lowest = lower.map(|lower| of_weights(at_least(lower, 4), report.separator));
    let highest = upper.map(|upper| at_most(upper, 4));
    let bracket = match (lowest, highest) {
        (Some(lower), Some(upper)) => format!("{lower} ≤ γ ≤ {upper}{space}"),
        (None, Some(upper)) => format!("γ ≤ {upper}{space}, if they can be separated"),
        (Some(lower), None) => format!("{lower} ≤ γ{space}"),
        (None, None) => {
            "nothing is known: no separator was met, and weights that begin at random give \
                         no bound"
                .to_owned()
        }
    };
    lines.push(("margin", format!("{bracket}; {longest} = {}", number(radius))));
    if lower.is_none() {
        lines.extend(without_margin(report, options.mistake).map(|line| ("", line.to_owned())));
    }
    if let Some(bound) = report.novikoff_bound {
        let formula = formula(update, bias);
        let made = counted(report.updates, "update");
        lines.push((
            "Novikoff",
            format!("{made} made, at most {formula} = {} possible", most(bound)),
        ));
    }
    lines
}

/// A margin and whose it is.
fn of_weights(margin: String, kept: Option<Kept>) -> String {
    match kept {
        Some(kept) => format!("{margin} (of the {} weights)", kept.name()),
        None => margin,
    }
}

/// Why a run that converged shows no margin; nothing of a stream, whose examples were let go.
fn without_margin(report: &Report, mistake: Mistake) -> Option<&'static str> {
    if !report.converged || report.training_errors.is_none() {
        return None;
    }
    Some(match (mistake, report.min_margin) {
        // An epoch without a mistake saw every functional margin above 0.
        (Mistake::Margin, Some(margin)) if margin > 0.0 => {
            "the last weights separate, with a margin too small to be proven"
        }
        (Mistake::Margin, _) => {
            "the last weights separate, with a margin too small to be represented"
        }
        (Mistake::Label, Some(0.0)) => "no separator: an example lies on the hyperplane",
        (Mistake::Label, None) if report.kept != Kept::Vote => {
            "the weights separate, with a margin too small to be represented"
        }
        (Mistake::Label, _) => "no separator is known: an example may lie on the hyperplane",
    })
}

/// The hardest examples, a line each.
fn hard_list(hard: Option<&[HardExample]>) -> String {
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

fn unseen(validation: &Validation) -> Option<String> {
    if let Some(HoldoutResult { examples, errors, accuracy }) = validation.holdout {
        let (errors, examples) = (count(errors), counted(examples, "example"));
        return Some(format!(
            "{} right: {errors} of {examples} held out are wrong",
            percent(accuracy)
        ));
    }
    let Folds { accuracies, mean, sd } = validation.folds.as_ref()?;
    let k = accuracies.len();
    Some(format!("{} ± {} right in {k} folds (mean ± sd)", percent(*mean), percent(*sd)))
}

fn kept(report: &Report, path: Option<&str>) -> String {
    let weights = match report.kept {
        Kept::Last => "the last weights",
        Kept::Average => "the average of all weights visited",
        Kept::Pocket => "the pocket",
        Kept::Vote => "all weights visited, which vote",
    };
    match path {
        Some(path) => format!("{weights}, written to {path}"),
        None => format!("{weights}; not written (name a file with -o)"),
    }
}
