//! The report of a study for a user.

use rosenblatt::study::{Angles, Answer, Summary, histogram};
use rosenblatt_core::{
    data::Scheme,
    train::{Bias, NoTheorem, Options},
};
use rosenblatt_data::{Format, schema::Inputs};
use rosenblatt_proofs::{Bracket, Convergence};

use super::{StudyOutcome, swept};
use crate::{
    commands::{
        options::description,
        preparation::{steps, whose},
        theorem::{self, LOST, formula, longest, space},
    },
    text::{Table, amount, count, counted, escaped, name, number},
};

/// The report for a user.
pub(super) fn text(outcome: &StudyOutcome<'_>) -> String {
    let study = &outcome.study;
    let mut table = Table::default();
    table.line("data", data(outcome));
    table.line("classes", classes(outcome));
    let run = description(outcome.options, outcome.classes.scheme());
    table.line("run", run + &steps(outcome.preparation, outcome.dataset.rows.features()));
    table.line("runs", runs(outcome));
    table.line("outcome", ending(outcome));
    if study.converged() < study.runs.len()
        && let Some(convergence) = study.theorem.convergence
    {
        let is_separable = study.theorem.separable == Answer::Yes;
        let ending = theorem::ending(convergence, is_separable, outcome.options);
        table.line(
            "",
            match convergence {
                Convergence::Always | Convergence::FromZero => {
                    let more = match outcome.options.allow_mistakes {
                        0 => "`--epochs N` allows more epochs",
                        _ => "without `--allow-mistakes` it goes on",
                    };
                    format!("but {ending}; {more}")
                }
                Convergence::DependsOnOrder | Convergence::Never => ending,
            },
        );
    }
    if let (Some(updates), Some(epochs)) = (&study.updates, &study.epochs) {
        table.line("updates", distribution(updates));
        table.line("epochs", distribution(epochs));
    }
    margin_and_bound(outcome).into_iter().for_each(|(name, line)| table.line(name, line));
    angles(&study.angles).into_iter().for_each(|(name, line)| table.line(name, line));
    let bars = bars(&study.updates_of_converged());
    table.to_string() + &bars + &swept::table(outcome)
}

fn data(outcome: &StudyOutcome<'_>) -> String {
    let (minus, plus) = outcome.sizes;
    let examples = counted((minus + plus) as u64, "example");
    let features = counted(outcome.dataset.rows.features() as u64, "feature");
    let size = format!("{}: {examples}, {features}", escaped(&outcome.dataset.file));
    match (&outcome.dataset.schema.inputs, outcome.dataset.schema.format) {
        (Inputs::Columns(columns), Format::Table { header: true, .. }) => {
            format!("{size}; the label is column `{}`", name(&columns.target))
        }
        (Inputs::Columns(columns), _) => format!("{size}; the label is column {}", columns.target),
        _ => size,
    }
}

fn classes(outcome: &StudyOutcome<'_>) -> String {
    let names = outcome.classes.names();
    let positive = match outcome.classes.scheme() {
        Scheme::Two { positive } => positive,
        Scheme::OneVsRest { .. } => 1,
    };
    let of =
        |class: usize, size: usize| format!("{} ({})", name(&names[class]), count(size as u64));
    let (minus, plus) = outcome.sizes;
    format!("+1 is {}, −1 is {}", of(positive, plus), of(1 - positive, minus))
}

fn runs(outcome: &StudyOutcome<'_>) -> String {
    let runs = outcome.study.runs.len() as u64;
    let last = outcome.study.runs.last().map_or(0, |run| run.seed);
    match runs {
        1 => "1, with this seed".to_owned(),
        _ => format!("{}, each with the next seed, up to {last}", count(runs)),
    }
}

fn ending(outcome: &StudyOutcome<'_>) -> String {
    let (converged, runs) = (outcome.study.converged(), outcome.study.runs.len());
    let epochs = counted(outcome.options.epochs, "epoch");
    let within = match outcome.options.allow_mistakes {
        0 => format!(" in {epochs}"),
        most => {
            let mistakes = counted(most, "mistake");
            format!("; a run ends after {epochs}, or after one with at most {mistakes}")
        }
    };
    match converged {
        all if all == runs => "every run converged".to_owned(),
        0 => format!("no run converged{within}"),
        some => format!("{} of {} runs converged{within}", count(some as u64), count(runs as u64)),
    }
}

fn distribution(of: &Summary) -> String {
    let Summary { min, q1, median, q3, max, mean } = *of;
    let parts = [("min", min), ("q1", q1), ("median", median), ("q3", q3), ("max", max)];
    let parts = parts.map(|(name, value)| format!("{name} {}", amount(value)));
    format!("{}   mean {}", parts.join("   "), amount(mean))
}

/// Returns a suitable number of bins for this many numbers, at most `most`.
pub(super) fn bins(numbers: usize, most: u64) -> u64 {
    ((3.0 * (numbers as f64).sqrt()).ceil() as u64).clamp(1, most)
}

fn margin_and_bound(outcome: &StudyOutcome<'_>) -> Vec<(&'static str, String)> {
    let (theorem, options) = (&outcome.study.theorem, outcome.options);
    let origin = if options.bias == Bias::None { " through the origin" } else { "" };
    let Some(margin) = theorem.margin else {
        let why = match theorem.separable {
            Answer::Yes => {
                let space = space(options.bias);
                return vec![(
                    "margin",
                    format!("not computed{space}; a hyperplane separates the classes"),
                )];
            }
            Answer::No => format!("none: no hyperplane{origin} separates the classes"),
            Answer::Unknown => {
                format!("whether a hyperplane{origin} separates the classes is not known")
            }
        };
        return vec![("margin", why + ", so there is no bound")];
    };
    let (longest, length) = longest(options.bias, theorem.radius);
    let space = space(options.bias);
    let of =
        whose(outcome.preparation).map_or_else(String::new, |whose| format!("; of the {whose}"));
    let line = format!("{}{space}; {longest} = {}{of}", bracket(margin), number(length));
    let mut lines = vec![("margin", line)];
    lines.push(("Novikoff", bound(outcome)));
    lines
}

fn bound(outcome: &StudyOutcome<'_>) -> String {
    let (study, options) = (&outcome.study, outcome.options);
    let Some(bound) = study.theorem.bound else { return no_bound(options).to_owned() };
    let formula = formula(options.update, options.bias, false);
    let possible = format!("at most {formula} = {} possible", crate::text::bound(bound));
    match study.updates {
        Some(updates) => {
            let lost = if updates.max > bound { LOST } else { "" };
            format!("at most {} updates made, {possible}{lost}", amount(updates.max))
        }
        None => possible,
    }
}

fn no_bound(options: &Options) -> &'static str {
    match options.dynamics().theorem {
        Err(NoTheorem::Rule) => "no bound: the theorem is not about this update rule",
        Err(NoTheorem::Start) => "no bound: the theorem requires initial weights of zero",
        Err(NoTheorem::ClassWeights) => {
            "no bound: the theorem requires one learning rate for all examples"
        }
        Err(NoTheorem::Decay) => "no bound: the theorem requires one learning rate for all epochs",
        Err(NoTheorem::Penalty) => "no bound: the theorem requires weights that only updates move",
        Ok(_) => "no bound: the margin is too small",
    }
}

/// Both bounds of the margin, or one number if they agree in the digits shown.
fn bracket(margin: Bracket) -> String {
    if margin.upper <= margin.lower * (1.0 + 2e-6) {
        return format!("γ ≈ {}", number(margin.lower));
    }
    crate::text::bracket(Some(margin.lower), Some(margin.upper), 4)
}

fn angles(angles: &Angles) -> Vec<(&'static str, String)> {
    let line = |name: &str, of: Summary| {
        // An angle of 0, after rounding errors.
        let degrees = |angle: f64| number(if angle < 1e-9 { 0.0 } else { angle });
        let [median, min, max] = [of.median, of.min, of.max].map(degrees);
        format!("between the {name} of two runs: median {median}° ({min}° to {max}°)")
    };
    let (Some(last), Some(average)) = (angles.last, angles.average) else {
        return angles
            .last
            .map(|last| ("angles", line("last weights", last)))
            .into_iter()
            .collect();
    };
    let effect = match last.median.total_cmp(&average.median) {
        std::cmp::Ordering::Greater => "averaging brings the runs closer together",
        std::cmp::Ordering::Equal => "averaging brings the runs neither closer nor farther apart",
        std::cmp::Ordering::Less => "averaging does not bring the runs closer together",
    };
    let (last, average) = (line("last weights", last), line("averages", average));
    vec![("angles", last), ("", average), ("", effect.to_owned())]
}

/// The histogram of the updates, with one line for each bin.
fn bars(updates: &[u64]) -> String {
    const BINS: u64 = 11;
    const LONGEST: usize = 48;
    let bins = histogram(updates, bins(updates.len(), BINS));
    let range = |from: u64, to: u64| match to - from {
        0 => count(from),
        _ => format!("{} – {}", count(from), count(to)),
    };
    let names: Vec<String> = bins.iter().map(|bin| range(bin.from, bin.to)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(7);
    let highest = bins.iter().map(|bin| bin.count).max().unwrap_or(1);
    let mut text = String::new();
    if !bins.is_empty() {
        text.push_str(&format!("\n{:>width$}    runs\n", "updates"));
    }
    for (bin, name) in bins.iter().zip(names) {
        let bar = "█".repeat((bin.count * LONGEST.min(highest)).div_ceil(highest));
        let line = format!("{name:>width$}  {:>6}  {bar}", count(bin.count as u64));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
