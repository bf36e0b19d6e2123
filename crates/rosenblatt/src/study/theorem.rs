//! Novikoff's theorem for the examples and the options of a run.

use rosenblatt_core::{
    data::Examples,
    margin::update_bound,
    radius::radius,
    train::{Bias, Options},
};
use rosenblatt_proofs::{
    Bracket, Convergence, Margins, SeparabilityOptions, Verdict, convergence, separable,
};

use super::Watcher;

/// Whether a hyperplane separates the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Yes, verified.
    Yes,
    /// No, verified; without a bias, no hyperplane through the origin does.
    No,
    /// Unknown: the search found no proof.
    Unknown,
}

/// Margin, radius and bound of the theorem, for the run's bias; see [`margin`](rosenblatt_core::margin).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theorem {
    /// Whether the examples are separable; without a bias, by a hyperplane through the origin.
    pub separable: Answer,
    /// Whether a run ends with an epoch without mistakes, where a theorem says so.
    pub convergence: Option<Convergence>,
    /// R = max‖x‖, without the bias feature.
    pub radius: f64,
    /// The largest margin; `None` unless the examples are separable.
    pub margin: Option<Bracket>,
    /// Upper bound on the updates of any run in any order, from the lower bound on the margin. `None` without such a
    /// margin, or where the [theorem](rosenblatt_core::train::Dynamics::theorem) does not hold.
    pub bound: Option<f64>,
}

impl Theorem {
    pub(super) fn of(examples: &Examples<'_>, options: &Options, watcher: &impl Watcher) -> Self {
        let asked = SeparabilityOptions {
            with_bias: options.bias != Bias::None,
            work: watcher.search_work(),
            ..SeparabilityOptions::default()
        };
        let radius = radius(examples.rows()).length;
        let mut stop = || watcher.poll().is_break();
        let verdict = separable(examples, &asked, &mut stop);
        let convergence = convergence(examples, options, &verdict, &asked, &mut stop).convergence();
        let none =
            |separable| Theorem { separable, convergence, radius, margin: None, bound: None };
        match verdict {
            Verdict::Yes { margins, .. } => {
                let margin = margins.as_ref().and_then(|margins| of_bias(margins, options.bias));
                let bound = margin.and_then(|margin| bound(options, radius, margin));
                Theorem { margin, bound, ..none(Answer::Yes) }
            }
            Verdict::No { .. } => none(Answer::No),
            Verdict::Unknown { .. } => none(Answer::Unknown),
        }
    }
}

fn of_bias(margins: &Margins, bias: Bias) -> Option<Bracket> {
    match bias {
        Bias::Unit => margins.unit_bias,
        Bias::Feature(_) => None,
        Bias::None => margins.no_bias,
        Bias::Radius => margins.free_bias,
    }
}

fn bound(options: &Options, radius: f64, margin: Bracket) -> Option<f64> {
    let asked = options.dynamics().theorem.ok()?;
    let lower = Some(margin.lower).filter(|&lower| lower > 0.0)?;
    Some(update_bound(options, radius, lower, asked, 1)).filter(|bound| bound.is_finite())
}
