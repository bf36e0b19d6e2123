//! `separable --weak`: complete separation, quasi-complete separation or overlap.

use std::process::ExitCode;

use rosenblatt::separability::{
    Ended, Separation, SeparationStatement, SeparationSummary, SeparationVerdict,
};
use serde::Serialize;

use super::{
    NO, SeparableProblem, UNKNOWN,
    answer::{heading, too_long},
    options, within, write,
};
use crate::{
    args::SeparableArgs,
    commands::theorem::vector,
    error::CliError,
    output,
    text::{Table, count, counted, escaped, name},
};

/// The object that `--json` prints.
#[derive(Serialize)]
struct SeparationJson<'a> {
    #[serde(flatten)]
    statement: SeparationStatement<'a>,
    examples: usize,
    features: usize,
    feature_names: Vec<String>,
    classes: &'a [String],
    positive: Option<&'a str>,
}

pub(super) fn decide(
    arguments: &SeparableArgs,
    subject: &SeparableProblem<'_>,
) -> Result<ExitCode, CliError> {
    let (options, time) = options(arguments);
    let verdict = within(time, |stop| subject.written.separation(&options, stop))?;
    subject.dataset.check_unchanged()?;
    let written = match (&arguments.certificate, verdict.known()) {
        (Some(path), Some(known)) => {
            write(path, subject, &known.certificate)?;
            Some(path.display().to_string())
        }
        _ => None,
    };
    if arguments.printing.json {
        output::print_json(&json(subject, &verdict))?;
    } else {
        output::print(&text(arguments, subject, &verdict, written))?;
    }
    Ok(match verdict.known().map(|known| known.certificate.separation) {
        Some(Separation::Complete) => ExitCode::SUCCESS,
        Some(Separation::QuasiComplete | Separation::Overlap) => ExitCode::from(NO),
        None => ExitCode::from(UNKNOWN),
    })
}

fn json<'a>(
    subject: &'a SeparableProblem<'_>,
    verdict: &'a SeparationVerdict,
) -> SeparationJson<'a> {
    let mut statement = verdict.statement(subject.written.numbers());
    if verdict.ended() == Some(Ended::Stopped) {
        statement.ended_by = Some("clock");
    }
    SeparationJson {
        statement,
        examples: subject.written.floats().len(),
        features: subject.written.floats().features(),
        feature_names: subject.dataset.schema.feature_names(),
        classes: subject.classes.names(),
        positive: subject.classes.positive(),
    }
}

fn text(
    arguments: &SeparableArgs,
    subject: &SeparableProblem<'_>,
    verdict: &SeparationVerdict,
    written: Option<String>,
) -> String {
    let mut table = Table::default();
    heading(&mut table, subject);
    match (verdict.known(), verdict.ended()) {
        (Some(known), _) => {
            let names = subject.dataset.schema.feature_names();
            known_lines(&mut table, subject, known, &names);
        }
        (None, Some(Ended::Stopped)) => {
            table.line("answer", "unknown: the clock ended the search, after `--seconds`");
        }
        (None, Some(Ended::Precision)) => {
            table.line("answer", "unknown: the numbers are too close together for the search");
        }
        (None, Some(Ended::Length)) => {
            table.line("answer", format!("unknown: {}", too_long(subject)));
        }
        (None, _) => table.line(
            "answer",
            "unknown: the search reached its limits of work and memory; `--seconds` sets a limit of time instead",
        ),
    }
    if let Some(path) = written {
        table.line("certificate", format!("written to {}", escaped(&path)));
    } else if arguments.certificate.is_some() {
        table.line("certificate", "not written: there is no proof");
    }
    table.to_string()
}

fn known_lines(
    table: &mut Table,
    subject: &SeparableProblem<'_>,
    known: &SeparationSummary,
    names: &[String],
) {
    let with_bias = known.certificate.with_bias;
    let origin = if with_bias { "" } else { " through the origin" };
    let examples = counted(subject.written.floats().len() as u64, "example");
    let on = counted(known.on_hyperplane as u64, "example");
    let (answer, estimates) = match known.certificate.separation {
        Separation::Complete => (
            format!("complete: a hyperplane{origin} separates all {examples}, checked exactly"),
            "estimates of a logistic regression diverge",
        ),
        Separation::QuasiComplete => (
            format!(
                "quasi-complete: a hyperplane{origin} has no example on its wrong side, but {on} on it, checked exactly"
            ),
            "estimates of a logistic regression diverge",
        ),
        Separation::Overlap => (
            format!(
                "overlap: every hyperplane{origin}{} has an example on its wrong side, checked exactly",
                exception(subject, known)
            ),
            "estimates of a logistic regression are finite",
        ),
    };
    table.line("answer", answer);
    table.line("meaning", estimates);
    if !known.diverging.is_empty() {
        table.line("direction", directions(names, &known.diverging));
        let unique = match known.is_unique() {
            Some(true) => "no other direction",
            Some(false) => "one of several directions",
            None => "there may be others",
        };
        table.line("", format!("{unique}; `--json` has all weights"));
    }
    if !known.certificate.rows.is_empty() {
        let rows = counted(known.certificate.rows.len() as u64, "example");
        table.line(
            "proof",
            format!(
                "Σ λᵢyᵢ{} = 0 with λ > 0 for {rows} of rank {}",
                vector(with_bias),
                count(known.face_rank as u64)
            ),
        );
    }
    if let Some(aliased) = aliased(known, names) {
        table.line("aliased", aliased);
    }
}

/// The columns that depend on columns before them, if there are any or it is not known.
fn aliased(known: &SeparationSummary, names: &[String]) -> Option<String> {
    if known.rank.is_none() {
        return Some("not known: too many columns".to_owned());
    }
    let aliased = first(&known.aliased, |&k| column(names, k));
    let proof = if known.ranks_proven { "" } else { ", modulo a prime" };
    let line = format!("{aliased}: constant, or a combination of columns before{proof}");
    (!known.aliased.is_empty()).then_some(line)
}

/// The hyperplanes without an example on their wrong side in an overlap: those that contain all examples, if there are any.
fn exception(subject: &SeparableProblem<'_>, known: &SeparationSummary) -> &'static str {
    let columns = subject.written.floats().features() + usize::from(known.certificate.with_bias);
    if known.rank == Some(columns) { "" } else { " that does not contain all examples" }
}

/// The first columns with the sign of their weights.
fn directions(names: &[String], diverging: &[(usize, i8)]) -> String {
    first(diverging, |&(k, sign)| {
        let to = if sign > 0 { "+∞" } else { "−∞" };
        format!("{} → {to}", column(names, k))
    })
}

/// The name of a column, counted from 1; 0 is the constant of the bias.
fn column(names: &[String], column: usize) -> String {
    let of = column.checked_sub(1).and_then(|j| names.get(j));
    of.map_or_else(|| "bias".to_owned(), |of| name(of))
}

/// The first few items in words, and the number of the others.
fn first<T>(all: &[T], words: impl Fn(&T) -> String) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = all.iter().take(SHOWN).map(words).collect();
    let more = all.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(", and {} more", count(more as u64)) } else { String::new() };
    shown.join(", ") + &rest
}
