//! Whether a hyperplane separates the classes, as far as it is known.

use rosenblatt::{
    keep::Kept,
    report::MarginBracket,
    schedule::Init,
    separability::{Bracket, Certificate, Ended, ErrorBounds, Margins, Verdict},
    train::{Bias, ClassWeight, Options},
    update::Update,
};
use serde::Serialize;

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
    /// Bounds on the errors of the best hyperplane, if none separates the classes.
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
    /// Whether rows were divided by their lengths, so that different rows may have become equal.
    #[serde(skip)]
    pub(super) is_normalised: bool,
}

/// The result of the run about a hyperplane.
#[derive(Clone, Copy)]
pub(super) struct Proven {
    pub(super) separator: Option<Kept>,
    pub(super) margin: MarginBracket,
}

impl Finding {
    /// The answer from the verdict of the search and from the weights of the run.
    pub(super) fn new(
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
            least_errors: None,
            ended_by: verdict.ended().map(Ended::name),
            separator: None,
            bias,
            is_normalised: false,
        };
        match verdict {
            Verdict::Yes { margins, .. } => {
                finding.separable = "yes";
                let of_bias = margins.and_then(|margins| of_bias(&margins, bias));
                (finding.margin_lower, finding.margin_upper) =
                    (proven.margin.lower, proven.margin.upper);
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
                let place = |i: usize| place(i) + 1;
                finding.contradiction = contradiction.map(|(a, b)| [place(a), place(b)]);
            }
            Verdict::Unknown { upper, .. } => {
                let smaller = |a: f64, b: f64| a.min(b);
                let bounds = upper.of_bias(bias).into_iter().chain(proven.margin.upper);
                finding.margin_upper = bounds.reduce(smaller);
                if proven.separator.is_some() {
                    // The run found a separator.
                    finding.separable = "yes";
                    finding.separator = proven.separator;
                    finding.margin_lower = proven.margin.lower;
                }
            }
        }
        finding
    }
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

/// Whether Novikoff's theorem applies to such a run.
fn is_covered(options: &Options) -> bool {
    options.update == Update::PERCEPTRON
        && options.penalty.is_none()
        && options.init == Init::Zero
        && options.class_weight == ClassWeight::Uniform
}
