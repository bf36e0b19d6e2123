//! The answer for a user and for a program.

use rosenblatt::guarantee::Compressed;
use rosenblatt_core::train::Bias;
use rosenblatt_proofs::{
    Bracket, Certificate, Ended, Margins, SeparationVerdict, Statement, Verdict,
};
use serde::Serialize;

use super::{SeparableProblem, separation::case_lines};
use crate::{
    args::SeparableArgs,
    commands::{
        guarantee,
        search::{stopped_by, stopped_words},
        theorem::{space, vector},
    },
    text::{Table, at_most, bracket, count, counted, escaped, mistakes, number},
};

/// All that is known.
pub(super) struct Answer<'a> {
    pub(super) subject: &'a SeparableProblem<'a>,
    pub(super) arguments: &'a SeparableArgs,
    pub(super) verdict: Verdict,
    /// Whether the nearest floats are separable, if that is known.
    pub(super) of_floats: Option<bool>,
    /// The guarantee for new examples, if there is one for a few of these.
    pub(super) compressed: Option<Compressed>,
    /// How the classes lie, if it is known whether they are separable.
    pub(super) separation: Option<SeparationVerdict>,
    /// The file of the proof, if it is written.
    pub(super) written: Option<String>,
}

/// The object that `--json` prints.
#[derive(Serialize)]
pub(super) struct SeparableJson<'a> {
    #[serde(flatten)]
    statement: Statement<'a>,
    /// Whether the nearest floats are separable, if the answer is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    separable_in_floats: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compressed: Option<&'a Compressed>,
    examples: usize,
    features: usize,
    /// The names of the columns that `diverging` counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    feature_names: Option<Vec<String>>,
    classes: &'a [String],
    positive: Option<&'a str>,
}

impl Answer<'_> {
    pub(super) fn json(&self) -> SeparableJson<'_> {
        let Answer { subject, arguments, verdict, .. } = self;
        let statement = verdict.statement(arguments.bias, subject.written.numbers());
        let mut statement = statement.with_separation(self.separation.as_ref());
        if verdict.ended() == Some(Ended::Stopped) {
            statement.ended_by = Some(stopped_by());
        }
        let is_named = statement.case.as_ref().is_some_and(|case| case.diverging.is_some());
        SeparableJson {
            statement,
            separable_in_floats: self.other_answer().map(|yes| if yes { "yes" } else { "no" }),
            compressed: self.compressed.as_ref(),
            examples: subject.written.floats().len(),
            features: subject.written.floats().features(),
            feature_names: is_named.then(|| subject.dataset.schema.feature_names()),
            classes: subject.classes.names(),
            positive: subject.classes.positive(),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut table = Table::default();
        self.subject.heading(&mut table);
        match &self.verdict {
            Verdict::Yes { margins, .. } => self.yes(&mut table, margins.as_ref()),
            Verdict::No { certificate, contradiction } => {
                no(&mut table, certificate, *contradiction);
            }
            Verdict::Unknown { upper, ended } => {
                table.line("answer", format!("unknown: {}", self.reason(*ended)));
                let bias = self.arguments.bias;
                if let Some(upper) = upper.of_bias(bias) {
                    let (upper, space) = (at_most(upper, 4), space(bias));
                    table.line("proven", format!("no separator has a margin above {upper}{space}"));
                }
            }
        }
        if let (Some(is_separable), Some(found)) = (self.verdict.is_separable(), &self.separation) {
            let of = (self.subject, self.arguments.seconds);
            case_lines(&mut table, of, is_separable, found);
        }
        if let Some(yes) = self.other_answer() {
            let not = if yes { "" } else { "not " };
            let line =
                format!("the nearest 64-bit floats, from which a run learns, are {not}separable");
            table.line("floats", line);
        }
        if let Some(path) = &self.written {
            table.line("certificate", format!("written to {}", escaped(path)));
        } else if self.arguments.certificate.is_some() {
            table.line("certificate", "not written: there is no proof either way");
        }
        table.to_string()
    }

    /// Whether the nearest floats are separable, if the decimals are not or the other way round.
    fn other_answer(&self) -> Option<bool> {
        self.of_floats.filter(|_| self.of_floats != self.verdict.is_separable())
    }

    /// The reason why the search ended.
    fn reason(&self, ended: Ended) -> String {
        match ended {
            Ended::Work => {
                "the search reached its work limit; `--seconds` sets a limit of time instead"
                    .to_owned()
            }
            Ended::Stopped => stopped_words(self.arguments.seconds),
            Ended::Precision => "the numbers are too close together for the search".to_owned(),
            Ended::Length => self.subject.too_long(),
        }
    }

    fn yes(&self, table: &mut Table, margins: Option<&Margins>) {
        let examples = counted(self.subject.written.floats().len() as u64, "example");
        let answer = format!("yes: a hyperplane separates all {examples}, checked exactly");
        table.line("answer", answer);
        let Some(margins) = margins else { return };
        let lines = [
            (margins.unit_bias, Bias::Unit),
            (margins.no_bias, Bias::None),
            (margins.free_bias, Bias::Radius),
        ];
        let mut title = "margin";
        for (margin, bias) in lines {
            let Some(Bracket { lower, upper }) = margin else { continue };
            table.line(title, bracket(Some(lower), Some(upper), 7) + &space(bias));
            title = "";
        }
        if let Some(ended) = margins.ended {
            table.line("", format!("not more precise: {}", self.reason(ended)));
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
            let most = mistakes(most);
            let line = format!("at most {formula} = {most} with `--bias {bias}`");
            table.line(title, line);
            title = "";
        }
        if let Some(Compressed { rows, guarantee }) = self.compressed.as_ref()
            && guarantee::is_worth_a_line(guarantee)
        {
            table.line("guarantee", guarantee::text(guarantee));
            let few = counted(rows.len() as u64, "example");
            table.line("", format!("of the separator of {few} alone, which separates all"));
        }
    }
}

fn no(table: &mut Table, certificate: &Certificate, contradiction: Option<(usize, usize)>) {
    if let Some((first, second)) = contradiction {
        let (first, second) = (count(first as u64 + 1), count(second as u64 + 1));
        let line = format!("no: examples {first} and {second} differ only in their labels");
        return table.line("answer", line);
    }
    let Certificate::No { rows, multipliers, with_bias } = certificate else { return };
    let examples = counted(rows.len() as u64, "example");
    let what = if *with_bias { "no hyperplane" } else { "no hyperplane through the origin" };
    let prove = if rows.len() == 1 { "proves" } else { "prove" };
    table
        .line("answer", format!("no: {what} separates the classes, as {examples} {prove} exactly"));
    let vector = vector(*with_bias);
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
    let examples = if rows.len() == 1 { "example" } else { "examples" };
    let rows = first(&mut rows.iter().map(|&row| count(row as u64)));
    format!("λ = {multipliers} for the {examples} {rows}")
}
