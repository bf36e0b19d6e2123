//! What is known of a run that did not converge: could it have?

use rosenblatt::{
    data::{Examples, Labelled},
    keep::Kept,
    report::{ClassReport, MarginBracket, Report},
    schedule::Init,
    separability::{Bracket, Ended, Margins, Options as Question, Verdict, separable},
    train::{Bias, ClassWeight, Options},
    update::Update,
};
use serde::Serialize;

use super::context::{Context, Part};
use crate::{
    commands::{inputs::scale, search::within, theorem::space},
    error::CliError,
    text::{at_least, at_most, bound, count, counted, name},
};

/// The answers: one for two classes, else one for each class against the rest.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Diagnosis {
    One(Finding),
    Each(Vec<OfClass>),
}

/// The answer for a class against the rest.
#[derive(Serialize)]
pub(super) struct OfClass {
    class: String,
    #[serde(flatten)]
    finding: Finding,
}

/// What is known of one hyperplane, for the rows as they were learned from.
#[derive(Serialize)]
pub(super) struct Finding {
    separable: &'static str,
    /// The largest margin is at least this, in the space of the run's bias.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin_lower: Option<f64>,
    /// It is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin_upper: Option<f64>,
    /// The most updates that such a run can make.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
    /// So many examples prove that there is no separator.
    #[serde(skip_serializing_if = "Option::is_none")]
    examples: Option<usize>,
    /// Two examples, from 1, that are equal but for their labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    contradiction: Option<[usize; 2]>,
    /// Why the search ended before it was content: `work` or `precision`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_by: Option<&'static str>,
    /// The weights of the run that separate, where they are the whole answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    separator: Option<Kept>,
    /// The bias of the run, which says what margin it is.
    #[serde(skip)]
    bias: Bias,
}

/// What a run itself proves of a hyperplane.
#[derive(Clone, Copy)]
struct Proven {
    separator: Option<Kept>,
    margin: MarginBracket,
}

/// What a run proves of each hyperplane.
fn proven(report: &Report) -> Vec<Proven> {
    match &report.per_class {
        None => vec![Proven { separator: report.separator, margin: report.margin }],
        Some(all) => {
            let of = |one: &ClassReport| Proven { separator: one.separator, margin: one.margin };
            all.iter().map(of).collect()
        }
    }
}

/// Finds out whether the classes of a part are separable, on which a run did not converge.
pub(super) fn diagnose(
    context: &Context<'_>,
    part: &Part<'_>,
    options: &Options,
    report: &Report,
) -> Result<Diagnosis, CliError> {
    let scaled = scale(context.dataset, &context.arguments.learning, &part.rows)?.rows;
    let rows = scaled.as_ref().unwrap_or(&part.rows);
    let labelled = Labelled::new(rows, &part.classes, context.classes.scheme())?;
    let mut findings = Vec::new();
    for (examples, proven) in labelled.problems().iter().zip(proven(report)) {
        findings.push(finding(examples, options, proven, |i| part.place(i))?);
    }
    if context.classes.pair().is_some() {
        // Two classes have one hyperplane.
        return Ok(Diagnosis::One(findings.swap_remove(0)));
    }
    let names = context.classes.names().iter().cloned().zip(findings);
    Ok(Diagnosis::Each(names.map(|(class, finding)| OfClass { class, finding }).collect()))
}

fn finding(
    examples: &Examples<'_>,
    options: &Options,
    proven: Proven,
    place: impl Fn(usize) -> usize,
) -> Result<Finding, CliError> {
    let bias = options.bias;
    let with_bias = bias != Bias::None;
    let mut question = Question { with_bias, ..Question::default() };
    if proven.separator.is_some() {
        // The answer is known, and only the margin is open.
        question.work /= 10;
    }
    let verdict = within(None, |stop| separable(examples, &question, stop))?;
    Ok(Finding::new(verdict, proven, options, place))
}

impl Finding {
    /// From what the search and the run have proven.
    fn new(
        verdict: Verdict,
        proven: Proven,
        options: &Options,
        place: impl Fn(usize) -> usize,
    ) -> Self {
        let bias = options.bias;
        let mut finding = Finding {
            separable: "unknown",
            margin_lower: None,
            margin_upper: None,
            bound: None,
            examples: None,
            contradiction: None,
            ended_by: verdict.ended().map(Ended::name),
            separator: None,
            bias,
        };
        match verdict {
            Verdict::Yes { margins, .. } => {
                finding.separable = "yes";
                let of_bias = margins.and_then(|margins| of_bias(&margins, bias));
                if let Some((Bracket { lower, upper }, most)) = of_bias {
                    finding.margin_lower = Some(lower).filter(|&lower| lower > 0.0);
                    finding.margin_upper = Some(upper).filter(|upper| upper.is_finite());
                    finding.bound = most.filter(|most| most.is_finite() && is_covered(options));
                }
            }
            Verdict::No { certificate, contradiction } => {
                finding.separable = "no";
                if let rosenblatt::separability::Certificate::No { rows, .. } = certificate {
                    finding.examples = Some(rows.len());
                }
                let place = |i: usize| place(i) + 1;
                finding.contradiction = contradiction.map(|(a, b)| [place(a), place(b)]);
            }
            Verdict::Unknown { upper, .. } => {
                let smaller = |a: f64, b: f64| a.min(b);
                let bounds = upper.of_bias(bias).into_iter().chain(proven.margin.upper);
                finding.margin_upper = bounds.reduce(smaller);
                if proven.separator.is_some() {
                    // A separator is a yes, whoever found it.
                    finding.separable = "yes";
                    finding.separator = proven.separator;
                    finding.margin_lower = proven.margin.lower;
                }
            }
        }
        finding
    }
}

fn of_bias(margins: &Margins, bias: Bias) -> Option<(Bracket, Option<f64>)> {
    let (bracket, most) = match bias {
        Bias::Unit => (margins.unit_bias, margins.unit_bias_mistakes()),
        Bias::None => (margins.no_bias, margins.no_bias_mistakes()),
        Bias::Radius => (margins.free_bias, margins.radius_bias_mistakes()),
    };
    bracket.map(|bracket| (bracket, most))
}

/// Whether Novikoff's theorem speaks of such a run.
fn is_covered(options: &Options) -> bool {
    options.update == Update::Perceptron
        && options.init == Init::Zero
        && options.class_weight == ClassWeight::Uniform
}

impl Diagnosis {
    /// A line for each hyperplane.
    pub(super) fn lines(&self, report: &Report) -> Vec<String> {
        match self {
            Diagnosis::One(finding) => vec![finding.text(report.updates)],
            Diagnosis::Each(all) => {
                let updates = report.per_class.iter().flatten().map(|one| one.updates);
                let line = |(one, updates): (&OfClass, u64)| {
                    format!("{}: {}", name(&one.class), one.finding.text(updates))
                };
                all.iter().zip(updates).map(line).collect()
            }
        }
    }
}

impl Finding {
    /// A line for a person.
    fn text(&self, updates: u64) -> String {
        let space = space(self.bias);
        match (self.separable, self.contradiction) {
            ("yes", _) => {
                let margin = self.margin_lower.map_or_else(
                    || "too small to be represented".to_owned(),
                    |margin| format!("of at least {}{space}", at_least(margin, 4)),
                );
                format!("separable, with a margin {margin}{}", self.possible(updates))
            }
            ("no", Some([first, second])) => format!(
                "proven inseparable: examples {} and {} are equal but for their labels",
                count(first as u64),
                count(second as u64)
            ),
            ("no", None) => {
                let examples = counted(self.examples.unwrap_or(0) as u64, "example");
                format!("proven inseparable, by {examples}: it would never converge")
            }
            _ => {
                let why = match self.ended_by {
                    Some("work") => "the work that is allowed was done",
                    _ => "the numbers are too close for the search",
                };
                let bound = self.margin_upper.map_or_else(String::new, |upper| {
                    format!("; no separator has a margin above {}{space}", at_most(upper, 4))
                });
                format!("whether it is separable is unknown: {why}{bound}")
            }
        }
    }

    /// The bound on the updates, and how many were made.
    fn possible(&self, updates: u64) -> String {
        let Some(most) = self.bound.map(bound) else { return String::new() };
        let are = if most == "1" { "update is" } else { "updates are" };
        let were = if updates == 1 { "was" } else { "were" };
        format!("; at most {most} {are} possible, {} {were} made", count(updates))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rosenblatt::separability::MarginBounds;

    fn unfinished(separator: Option<Kept>, lower: Option<f64>) -> Finding {
        let upper = MarginBounds { unit_bias: Some(0.5), ..MarginBounds::default() };
        let verdict = Verdict::Unknown { upper, ended: Ended::Work };
        let margin = MarginBracket { lower, upper: Some(0.75) };
        Finding::new(verdict, Proven { separator, margin }, &Options::default(), |i| i)
    }

    #[test]
    fn a_separator_of_the_run_is_a_yes() {
        let found = unfinished(Some(Kept::Average), Some(0.25));
        assert_eq!((found.separable, found.separator), ("yes", Some(Kept::Average)));
        assert_eq!((found.margin_lower, found.margin_upper), (Some(0.25), Some(0.5)));
        assert_eq!(found.text(3), "separable, with a margin of at least 0.25 for the rows (x, 1)");
        let open = unfinished(None, None);
        assert_eq!((open.separable, open.margin_upper), ("unknown", Some(0.5)));
        assert_eq!(
            open.text(3),
            "whether it is separable is unknown: the work that is allowed was done; no separator has a margin above \
             0.5 for the rows (x, 1)"
        );
    }

    #[test]
    fn one_update_is_no_updates() {
        let mut found = unfinished(Some(Kept::Last), Some(1.0));
        found.bound = Some(1.0);
        assert_eq!(found.possible(1), "; at most 1 update is possible, 1 was made");
    }
}
