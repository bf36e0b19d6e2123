//! A verdict for the bias of a perceptron, in a form for programs.

use serde::Serialize;

use super::{
    Bracket, Certificate, Ended, MarginBounds, Margins, Named, Numbers, Separation, SeparationCase,
    SeparationVerdict, Verdict, verify,
};
use rosenblatt_core::{data::Examples, train::Bias};

/// A verdict in numbers; `separable --json` prints it as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statement<'a> {
    /// `yes`, `no` or `unknown`.
    pub separable: &'static str,
    /// The numbers that the statement is about.
    pub numbers: Numbers,
    /// The margin in the space of the perceptron with this bias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Interval>,
    /// R = max‖x‖.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Upper bound on the mistakes of a perceptron from zero with this bias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// The reason for which the search ended early, if it did: `work`, `stopped` (by the caller, who may report a more
    /// specific reason) or `precision`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<&'static str>,
    /// The geometric margin with a free bias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_bias: Option<FreeBias>,
    /// Two examples, counted from 1, that are equal except for their labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contradiction: Option<[usize; 2]>,
    /// The proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Named<'a, Certificate>>,
    /// Whether the checker confirmed the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    /// How the classes lie, if it was asked.
    #[serde(flatten)]
    pub case: Option<SeparationCase<'a>>,
}

impl<'a> Statement<'a> {
    /// The statement with the answer of [`Verdict::separation`], if it was asked of the same verdict.
    #[must_use]
    pub fn with_separation(self, found: Option<&'a SeparationVerdict>) -> Self {
        let mut case = found.map(SeparationVerdict::case);
        if let Some(case) = case.as_mut().filter(|_| self.separable == "yes") {
            case.separation = Separation::Complete.name();
        }
        Statement { case, ..self }
    }
}

/// A proven interval, of which a bound may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<f64>,
    /// The upper bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
}

/// The margin with a free bias, and the bound on mistakes with the bias `radius`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FreeBias {
    /// The margin.
    pub margin: Interval,
    /// Upper bound on the mistakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
}

impl From<Bracket> for Interval {
    fn from(bracket: Bracket) -> Self {
        Interval { lower: Some(bracket.lower), upper: finite(bracket.upper) }
    }
}

/// Returns a number that JSON can represent.
fn finite(a: f64) -> Option<f64> {
    Some(a).filter(|a| a.is_finite())
}

impl Margins {
    /// The margin for a bias, and its bound on mistakes. The search knows none for the vectors (x, S).
    fn of_bias(&self, bias: Bias) -> (Option<Bracket>, Option<f64>) {
        match bias {
            Bias::Unit => (self.unit_bias, self.unit_bias_mistakes()),
            Bias::Feature(_) => (None, None),
            Bias::None => (self.no_bias, self.no_bias_mistakes()),
            Bias::Radius => (self.free_bias, self.radius_bias_mistakes()),
        }
    }
}

impl MarginBounds {
    /// The bound on the margin for a bias.
    pub fn of_bias(&self, bias: Bias) -> Option<f64> {
        match bias {
            Bias::Unit => self.unit_bias,
            Bias::Feature(_) => None,
            Bias::None => self.no_bias,
            Bias::Radius => self.free_bias,
        }
    }
}

impl Verdict {
    /// The proof, if there is one.
    pub fn certificate(&self) -> Option<&Certificate> {
        match self {
            Verdict::Yes { certificate, .. } | Verdict::No { certificate, .. } => Some(certificate),
            Verdict::Unknown { .. } => None,
        }
    }

    /// The reason for which the search ended early, if it did.
    pub fn ended(&self) -> Option<Ended> {
        match self {
            Verdict::Yes { margins, .. } => margins.as_ref().and_then(|margins| margins.ended),
            Verdict::No { .. } => None,
            Verdict::Unknown { ended, .. } => Some(*ended),
        }
    }

    /// Returns this verdict if the checker confirms its proof or there is none to check, otherwise an unknown verdict
    /// without bounds.
    pub fn confirmed(self, examples: &Examples<'_>) -> Self {
        let confirmed = self.certificate().is_none_or(|proof| verify(proof, examples).is_ok());
        let unknown = Verdict::Unknown { upper: MarginBounds::default(), ended: Ended::Precision };
        if confirmed { self } else { unknown }
    }

    /// A [confirmed](Self::confirmed) verdict about these numbers, for a program.
    pub fn statement(&self, bias: Bias, numbers: Numbers) -> Statement<'_> {
        let mut statement = Statement {
            separable: "unknown",
            numbers,
            margin: None,
            radius: None,
            bound: None,
            ended_by: self.ended().map(Ended::name),
            free_bias: None,
            contradiction: None,
            certificate: self.certificate().map(|certificate| Named { numbers, certificate }),
            verified: self.certificate().map(|_| true),
            case: None,
        };
        match self {
            Verdict::Yes { margins, .. } => {
                statement.separable = "yes";
                let Some(margins) = margins else { return statement };
                let (margin, most) = margins.of_bias(bias);
                statement.margin = margin.map(Interval::from);
                statement.bound = most.and_then(finite);
                statement.radius = finite(margins.radius);
                let bound = margins.radius_bias_mistakes().and_then(finite);
                let free = |margin: Bracket| FreeBias { margin: margin.into(), bound };
                statement.free_bias = margins.free_bias.map(free);
            }
            Verdict::No { contradiction, .. } => {
                statement.separable = "no";
                let from_one = |(first, second)| [first + 1, second + 1];
                statement.contradiction = contradiction.map(from_one);
            }
            Verdict::Unknown { upper, .. } => {
                statement.margin = Some(Interval { lower: None, upper: upper.of_bias(bias) });
            }
        }
        statement
    }
}
