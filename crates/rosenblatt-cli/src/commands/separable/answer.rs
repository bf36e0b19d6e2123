//! The answer for a person and for a program.

use rosenblatt::separability::{Bracket, Certificate, Margins, Statement, Verdict};
use serde::Serialize;

use super::Subject;
use crate::{
    args::SeparableArgs,
    text::{Table, bound, count, counted, digits, escaped, name, number},
};

/// All that is known.
pub(super) struct Answer<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) arguments: &'a SeparableArgs,
    pub(super) verdict: Verdict,
    /// Where the proof was written.
    pub(super) written: Option<String>,
}

/// The object that `--json` prints.
#[derive(Serialize)]
pub(super) struct Json<'a> {
    #[serde(flatten)]
    statement: Statement<'a>,
    examples: usize,
    features: usize,
    classes: &'a [String],
    positive: Option<&'a str>,
}

impl Answer<'_> {
    pub(super) fn json(&self) -> Json<'_> {
        let Answer { subject, arguments, verdict, .. } = self;
        Json {
            statement: verdict.statement(arguments.bias.into()),
            examples: subject.examples.len(),
            features: subject.examples.features(),
            classes: subject.classes.names(),
            positive: subject.classes.positive(),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut table = Table::default();
        heading(&mut table, self.subject);
        match &self.verdict {
            Verdict::Yes { margins, .. } => self.yes(&mut table, margins.as_ref()),
            Verdict::No { certificate, contradiction } => {
                no(&mut table, certificate, *contradiction);
            }
            Verdict::Unknown { margin_upper } => {
                table.line("answer", "unknown: the time was over, or the numbers are too close");
                if margin_upper.is_finite() {
                    let upper = number(*margin_upper);
                    table.line("proven", format!("no separator has a margin above {upper}"));
                }
            }
        }
        if let Some(path) = &self.written {
            table.line("certificate", format!("written to {}", escaped(path)));
        } else if self.arguments.certificate.is_some() {
            table.line("certificate", "not written: there is no proof either way");
        }
        table.to_string()
    }

    fn yes(&self, table: &mut Table, margins: Option<&Margins>) {
        let examples = counted(self.subject.examples.len() as u64, "example");
        let answer = format!("yes: a hyperplane separates all {examples}, checked exactly");
        table.line("answer", answer);
        let Some(margins) = margins else { return };
        let lines = [
            (margins.unit_bias, " for the rows (x, 1)"),
            (margins.no_bias, " through the origin"),
            (margins.free_bias, " with a free bias"),
        ];
        let mut title = "margin";
        for (bracket, space) in lines {
            let Some(Bracket { lower, upper }) = bracket else { continue };
            table.line(title, format!("{} ≤ γ ≤ {}{space}", digits(lower, 7), digits(upper, 7)));
            title = "";
        }
        table.line("radius", format!("R = {}", number(margins.radius)));
        let bounds = [
            (margins.unit_bias_mistakes(), "unit", "(R²+1)/γ²"),
            (margins.no_bias_mistakes(), "none", "(R/γ)²"),
            (margins.radius_bias_mistakes(), "radius", "(2R/γ)²"),
        ];
        let mut title = "Novikoff";
        for (most, bias, formula) in bounds {
            let Some(most) = most.filter(|most| most.is_finite()) else { continue };
            let line = format!("at most {formula} = {} mistakes with `--bias {bias}`", bound(most));
            table.line(title, line);
            title = "";
        }
    }
}

fn heading(table: &mut Table, subject: &Subject<'_>) {
    let examples = counted(subject.examples.len() as u64, "example");
    let features = counted(subject.examples.features() as u64, "feature");
    table.line("data", format!("{}: {examples}, {features}", escaped(&subject.dataset.file)));
    if let Some((negative, positive)) = subject.classes.pair() {
        table.line("classes", format!("+1 is {}, −1 is {}", name(positive), name(negative)));
    }
}

fn no(table: &mut Table, certificate: &Certificate, contradiction: Option<(usize, usize)>) {
    if let Some((first, second)) = contradiction {
        let (first, second) = (count(first as u64 + 1), count(second as u64 + 1));
        let line = format!("no: examples {first} and {second} are equal but for their labels");
        return table.line("answer", line);
    }
    let Certificate::No { rows, multipliers, with_bias } = certificate else { return };
    let examples = counted(rows.len() as u64, "example");
    let what = if *with_bias { "no hyperplane" } else { "no hyperplane through the origin" };
    table.line("answer", format!("no: {what} separates them, {examples} prove it exactly"));
    let vector = if *with_bias { "(xᵢ, 1)" } else { "xᵢ" };
    table.line("proof", format!("Σ λᵢyᵢ{vector} = 0 with {}", proof(rows, multipliers)));
}

/// The first few rows of a proof, with their multipliers where these are short.
fn proof(rows: &[usize], multipliers: &[String]) -> String {
    const SHOWN: usize = 8;
    const SHORT: usize = 12;
    let first = |all: &mut dyn Iterator<Item = String>| {
        let more = if rows.len() > SHOWN { ", …" } else { "" };
        all.take(SHOWN).collect::<Vec<_>>().join(", ") + more
    };
    let longest = multipliers.iter().map(String::len).max().unwrap_or(0);
    let multipliers = match longest {
        0..=SHORT => first(&mut multipliers.iter().cloned()),
        _ => format!("numbers of up to {} digits", count(longest as u64)),
    };
    let rows = first(&mut rows.iter().map(|&row| count(row as u64)));
    format!("λ = {multipliers} for the examples {rows}")
}

/// What checking came to.
#[derive(Serialize)]
pub(super) struct Checked {
    separable: &'static str,
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

pub(super) fn checked_json(certificate: &Certificate, problem: Option<String>) -> Checked {
    Checked { separable: word(certificate), verified: problem.is_none(), problem }
}

fn word(certificate: &Certificate) -> &'static str {
    match certificate {
        Certificate::Yes { .. } => "yes",
        Certificate::No { .. } => "no",
    }
}

pub(super) fn checked_text(
    certificate: &Certificate,
    subject: &Subject<'_>,
    problem: Option<&str>,
) -> String {
    let mut table = Table::default();
    heading(&mut table, subject);
    let claim = match certificate {
        Certificate::Yes { with_bias: true, .. } => "a hyperplane separates the classes",
        Certificate::Yes { .. } => "a hyperplane through the origin separates the classes",
        Certificate::No { with_bias: true, .. } => "no hyperplane separates the classes",
        Certificate::No { .. } => "no hyperplane through the origin separates the classes",
    };
    table.line("claim", claim);
    match problem {
        None => table.line("verified", "yes: the certificate proves it, in exact arithmetic"),
        Some(problem) => table.line("verified", format!("no: {problem}")),
    }
    table.to_string()
}
