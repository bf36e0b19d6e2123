//! What is known of a run that did not converge: could it have?

use std::time::Duration;

use rosenblatt::{
    data::{Examples, Labelled, Rows},
    report::Report,
    schedule::Init,
    separability::{Bracket, Margins, Options as Question, Verdict, separable},
    train::{Bias, ClassWeight, Options},
    update::Update,
};
use serde::Serialize;

use super::lesson::{Lesson, scale};
use crate::{
    commands::separable::within,
    failure::Failure,
    text::{bound, count, counted, name, number},
};

/// So long the question may take for one hyperplane.
const TIME: Duration = Duration::from_secs(60);

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
}

/// Diagnoses a run on these rows, of which `place` gives the places in the file.
pub(super) fn diagnose(
    lesson: &Lesson<'_>,
    (rows, classes): (&Rows<'_>, &[u32]),
    options: &Options,
    place: impl Fn(usize) -> usize,
) -> Result<Diagnosis, Failure> {
    let (_, scaled) = scale(lesson.dataset, &lesson.arguments.learning, rows)?;
    let rows = scaled.as_ref().unwrap_or(rows);
    let labelled = Labelled::new(rows, classes, lesson.classes.scheme())?;
    let mut findings = Vec::new();
    for examples in labelled.problems() {
        findings.push(finding(&examples, options, &place)?);
    }
    if lesson.classes.pair().is_some() {
        // Two classes have one hyperplane.
        return Ok(Diagnosis::One(findings.swap_remove(0)));
    }
    let names = lesson.classes.names().iter().cloned().zip(findings);
    Ok(Diagnosis::Each(names.map(|(class, finding)| OfClass { class, finding }).collect()))
}

fn finding(
    examples: &Examples<'_>,
    options: &Options,
    place: impl Fn(usize) -> usize,
) -> Result<Finding, Failure> {
    let question = Question { with_bias: options.bias != Bias::None, ..Question::default() };
    let verdict = within(TIME, |stop| separable(examples, &question, stop))?;
    let mut finding = Finding {
        separable: "unknown",
        margin_lower: None,
        margin_upper: None,
        bound: None,
        examples: None,
        contradiction: None,
    };
    match verdict {
        Verdict::Yes { margins, .. } => {
            finding.separable = "yes";
            let of_bias = margins.and_then(|margins| of_bias(&margins, options.bias));
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
        Verdict::Unknown { margin_upper } => {
            finding.margin_upper = Some(margin_upper).filter(|upper| upper.is_finite());
        }
    }
    Ok(finding)
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
    fn text(&self, updates: u64) -> String {
        let margin = |margin: Option<f64>| margin.map_or_else(|| "?".to_owned(), number);
        match (self.separable, self.contradiction) {
            ("yes", _) => {
                let most = self.bound.map_or_else(String::new, |most| {
                    format!(
                        "; at most {} updates are possible, {} were made",
                        bound(most),
                        count(updates)
                    )
                });
                format!("separable, with a margin of {}{most}", margin(self.margin_lower))
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
            _ => format!("unknown: no separator has a margin above {}", margin(self.margin_upper)),
        }
    }
}
