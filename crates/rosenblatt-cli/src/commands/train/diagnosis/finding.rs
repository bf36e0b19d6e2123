//! Whether a hyperplane separates the classes, as far as it is known.

use rosenblatt_core::{
    keep::Kept,
    report::MarginBracket,
    train::{Bias, Options},
};
use rosenblatt_proofs::{
    Bracket, Certificate, Convergence, ConvergenceCertificate, ConvergenceVerdict, Ended,
    ErrorBounds, Margins, Verdict,
};
use serde::{Serialize, Serializer};

use crate::commands::theorem::ending;

/// The answers: one for two classes, else one for each class (one-vs-rest).
#[derive(Serialize)]
#[serde(untagged)]
pub(in crate::commands::train) enum Diagnosis {
    One(Finding),
    Each(Vec<ClassFinding>),
}

/// The answer for one class against the rest.
#[derive(Serialize)]
pub(in crate::commands::train) struct ClassFinding {
    pub(super) class: String,
    #[serde(flatten)]
    pub(super) finding: Finding,
}

/// The answer for one hyperplane, about the rows as they were scaled for training.
#[derive(Serialize)]
pub(in crate::commands::train) struct Finding {
    pub(super) separable: &'static str,
    /// Whether a hyperplane separates the numbers as they are written in the file, where the answer is another one.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "yes_or_no")]
    pub(super) as_written: Option<bool>,
    /// Whether a run ends with an epoch without mistakes, where a theorem says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) convergence: Option<Convergence>,
    /// Its proof, if it is not that of `separable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) certificate: Option<Box<ConvergenceCertificate>>,
    /// The largest margin is at least this, in the space of the run's bias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) margin_lower: Option<f64>,
    /// It is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) margin_upper: Option<f64>,
    /// The maximum number of updates of such a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bound: Option<f64>,
    /// The number of examples that prove that there is no separator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) examples: Option<usize>,
    /// Two examples, counted from 1, that differ only in their labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) contradiction: Option<[usize; 2]>,
    /// Bounds on the wrong labels of the best hyperplane, if none separates the classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) least_errors: Option<ErrorBounds>,
    /// Why the search ended early: `work` or `precision`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ended_by: Option<&'static str>,
    /// The weights of the run that separate the classes, if they alone are the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) separator: Option<Kept>,
    /// The bias of the run, on which the meaning of the margins depends.
    #[serde(skip)]
    pub(super) bias: Bias,
    /// Whether such runs end, in words for rows that no hyperplane separates.
    #[serde(skip)]
    pub(super) ending: Option<String>,
    /// The options of the steps that do more than scale, so that different rows may have become equal.
    #[serde(skip)]
    pub(super) beyond_scaling: Vec<&'static str>,
}

/// The result of the run about a hyperplane.
#[derive(Clone, Copy)]
pub(super) struct Proven {
    pub(super) separator: Option<Kept>,
    pub(super) margin: MarginBracket,
    /// The fewest training errors of its weights.
    pub(super) errors: Option<usize>,
}

impl Finding {
    /// The answer from the verdict of the search and from the weights of the run.
    pub(super) fn new(
        verdict: Verdict,
        ends: ConvergenceVerdict,
        proven: Proven,
        options: &Options,
        place: impl Fn(usize) -> usize,
    ) -> Self {
        let file_row = |i: usize| place(i) + 1;
        let mut finding = Finding {
            separable: "unknown",
            as_written: None,
            convergence: ends.convergence(),
            certificate: ends.certificate().cloned().map(Box::new),
            margin_lower: None,
            margin_upper: None,
            bound: None,
            examples: None,
            contradiction: None,
            least_errors: None,
            ended_by: verdict.ended().map(Ended::name),
            separator: None,
            bias: options.bias,
            ending: ends.convergence().map(|ends| ending(ends, false, options)),
            beyond_scaling: Vec::new(),
        };
        let rows = finding.certificate.iter_mut().flat_map(|proof| &mut proof.rows);
        rows.for_each(|row| *row = file_row(*row - 1));
        match verdict {
            Verdict::Yes { margins, .. } => {
                finding.separable = "yes";
                let of_bias = margins.and_then(|margins| of_bias(&margins, options.bias));
                finding.margin_lower = proven.margin.lower;
                finding.margin_upper = proven.margin.upper;
                if let Some((Bracket { lower, upper }, most)) = of_bias {
                    finding.margin_lower = Some(lower).filter(|&lower| lower > 0.0);
                    finding.margin_upper = Some(upper).filter(|upper| upper.is_finite());
                    finding.bound = most.filter(|most| most.is_finite() && is_covered(options));
                }
            }
            Verdict::No { certificate, contradiction } => {
                finding.separable = "no";
                if let Certificate::No { rows, .. } = certificate {
                    finding.examples = Some(rows.len());
                }
                finding.contradiction = contradiction.map(|(a, b)| [file_row(a), file_row(b)]);
            }
            Verdict::Unknown { upper, .. } => {
                let bounds = upper.of_bias(options.bias).into_iter().chain(proven.margin.upper);
                finding.margin_upper = bounds.reduce(f64::min);
                // The run found a separator.
                if proven.separator.is_some() {
                    finding.separable = "yes";
                    finding.convergence = ends_if_separable(options);
                    finding.separator = proven.separator;
                    finding.margin_lower = proven.margin.lower;
                }
            }
        }
        finding
    }
}

impl Finding {
    /// Whether this answer, about the numbers from which the run learned, is known and another one than that of the file.
    pub(super) fn differs_from(&self, of_file: bool) -> bool {
        self.separable == if of_file { "no" } else { "yes" }
    }
}

fn yes_or_no<S: Serializer>(answer: &Option<bool>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if *answer == Some(true) { "yes" } else { "no" })
}

/// The margin for this bias, and the bound on the updates.
fn of_bias(margins: &Margins, bias: Bias) -> Option<(Bracket, Option<f64>)> {
    let (bracket, most) = match bias {
        Bias::Unit => (margins.unit_bias, margins.unit_bias_mistakes()),
        Bias::Feature(_) => return None,
        Bias::None => (margins.no_bias, margins.no_bias_mistakes()),
        Bias::Radius => (margins.free_bias, margins.radius_bias_mistakes()),
    };
    bracket.map(|bracket| (bracket, most))
}

/// That a run ends, if a hyperplane separates the examples and the rule has Novikoff's theorem.
fn ends_if_separable(options: &Options) -> Option<Convergence> {
    let is_certain = options.dynamics().ending.is_some_and(|ending| ending.is_certain);
    is_certain.then_some(Convergence::Always)
}

/// Whether Novikoff's theorem applies to such a run.
fn is_covered(options: &Options) -> bool {
    options.dynamics().theorem == Ok(0.0)
}
