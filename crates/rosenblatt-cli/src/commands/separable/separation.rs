//! `separable --weak`: complete separation, quasi-complete separation or overlap.

use std::process::ExitCode;

use rosenblatt_proofs::{
    Ended, Separation, SeparationStatement, SeparationSummary, SeparationVerdict,
};
use serde::Serialize;

use super::{NO, SeparableProblem, options, unknown, within, write};
use crate::{
    args::SeparableArgs,
    commands::{
        search::{stopped_by, stopped_words},
        theorem::vector,
    },
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
    let verdict = within(time, arguments.printing.is_silent(), |stop| {
        subject.written.separation(&options, stop)
    });
    subject.dataset.check_unchanged()?;
    let written = match (&arguments.certificate, verdict.known()) {
        (Some(path), Some(known)) => {
            write(path, subject, &known.certificate)?;
            Some(path.display().to_string())
        }
        _ => None,
    };
    if arguments.printing.json {
        subject.log.print_json(&json(subject, &verdict))?;
    } else {
        output::print(&text(arguments, subject, &verdict, written))?;
    }
    Ok(match verdict.known().map(|known| known.certificate.separation) {
        Some(Separation::Complete) => ExitCode::SUCCESS,
        Some(Separation::QuasiComplete | Separation::Overlap) => ExitCode::from(NO),
        None => unknown(),
    })
}

fn json<'a>(
    subject: &'a SeparableProblem<'_>,
    verdict: &'a SeparationVerdict,
) -> SeparationJson<'a> {
    let mut statement = verdict.statement(subject.written.numbers());
    if verdict.ended() == Some(Ended::Stopped) {
        statement.ended_by = Some(stopped_by());
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
    subject.heading(&mut table);
    match verdict {
        SeparationVerdict::Known(known) => known_lines(&mut table, subject, known),
        SeparationVerdict::Unknown(ended) => {
            table
                .line("answer", format!("unknown: {}", reason(arguments.seconds, subject, *ended)));
        }
    }
    if let Some(path) = written {
        table.line("certificate", format!("written to {}", escaped(&path)));
    } else if arguments.certificate.is_some() {
        table.line("certificate", "not written: there is no proof");
    }
    table.to_string()
}

/// The reason why the search ended.
fn reason(seconds: Option<f64>, subject: &SeparableProblem<'_>, ended: Ended) -> String {
    match ended {
        Ended::Stopped => stopped_words(seconds),
        Ended::Precision => "the numbers are too close together for the search".to_owned(),
        Ended::Length => subject.too_long(),
        Ended::Work => {
            "the search reached its limits of work and memory; `--seconds` sets a limit of time instead"
                .to_owned()
        }
    }
}

/// The case of classes of which it is known whether they are separable, with what follows for a regression.
pub(super) fn case_lines(
    table: &mut Table,
    (subject, seconds): (&SeparableProblem<'_>, Option<f64>),
    is_separable: bool,
    verdict: &SeparationVerdict,
) {
    match verdict {
        _ if is_separable => {
            table.line("case", format!("complete, or perfect separation: {DIVERGE}"));
        }
        SeparationVerdict::Unknown(ended) => {
            let reason = reason(seconds, subject, *ended);
            table.line("case", format!("quasi-complete or overlap, not decided: {reason}"));
        }
        SeparationVerdict::Known(known) => {
            table.line("case", case(subject, known));
            table.line("meaning", meaning(subject, known));
        }
    }
    if let SeparationVerdict::Known(known) = verdict {
        direction(table, subject, known, "`--weak` has the proof");
    }
}

/// The fate of estimates.
const DIVERGE: &str = "estimates of a logistic regression diverge";

/// A hyperplane, in words.
fn hyperplane(known: &SeparationSummary) -> &'static str {
    if known.certificate.with_bias { "hyperplane" } else { "hyperplane through the origin" }
}

/// The case, in words.
fn case(subject: &SeparableProblem<'_>, known: &SeparationSummary) -> String {
    let hyperplane = hyperplane(known);
    match known.certificate.separation {
        Separation::Complete => {
            let examples = counted(subject.written.floats().len() as u64, "example");
            format!("complete: a {hyperplane} separates all {examples}")
        }
        Separation::QuasiComplete => {
            let on = counted(known.on_hyperplane as u64, "example");
            format!(
                "quasi-complete: a {hyperplane} has no example on its wrong side, but {on} on it"
            )
        }
        Separation::Overlap => {
            let exception = exception(subject, known);
            format!("overlap: every {hyperplane}{exception} has an example on its wrong side")
        }
    }
}

/// The meaning of the case for a logistic regression.
fn meaning(subject: &SeparableProblem<'_>, known: &SeparationSummary) -> String {
    let others = subject.written.floats().len() - known.on_hyperplane;
    match known.certificate.separation {
        Separation::Complete => format!("perfect separation: {DIVERGE}"),
        Separation::QuasiComplete => {
            let others = counted(others as u64, "example");
            format!("perfect separation of the other {others}: {DIVERGE}")
        }
        Separation::Overlap => {
            "no perfect separation: estimates of a logistic regression are finite".to_owned()
        }
    }
}

/// The columns whose estimates diverge, if there are any.
fn direction(
    table: &mut Table,
    subject: &SeparableProblem<'_>,
    known: &SeparationSummary,
    more: &str,
) {
    if known.diverging.is_empty() {
        return;
    }
    let names = subject.dataset.schema.feature_names();
    table.line("direction", directions(&names, &known.diverging));
    let unique = match known.is_unique() {
        Some(true) => "no other direction",
        Some(false) => "one of several directions",
        None => "there may be others",
    };
    table.line("", format!("{unique}; {more}"));
}

fn known_lines(table: &mut Table, subject: &SeparableProblem<'_>, known: &SeparationSummary) {
    table.line("answer", case(subject, known) + ", checked exactly");
    table.line("meaning", meaning(subject, known));
    direction(table, subject, known, "`--json` has all weights");
    if !known.certificate.rows.is_empty() {
        let rows = counted(known.certificate.rows.len() as u64, "example");
        table.line(
            "proof",
            format!(
                "Σ λᵢyᵢ{} = 0 with λ > 0 for {rows} of rank {}",
                vector(known.certificate.with_bias),
                count(known.face_rank as u64)
            ),
        );
    }
    if let Some(aliased) = aliased(known, &subject.dataset.schema.feature_names()) {
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
