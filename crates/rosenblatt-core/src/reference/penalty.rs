//! Penalties: every visit makes all weights smaller, whether it steps or not. The bias has no penalty.
//!
//! A visit decides by the weights as they are. Then each weight is multiplied by c, the rule steps, and at last the weights
//! that the example meets are truncated. The decay before the step, and the truncation of only the weights that are met, are
//! those of scikit-learn's stochastic gradient descent.
//!
//! An example *meets* the weights of its features that are not 0; so a stored zero and an absent one are the same. A weight has
//! been stored when it was last met, and k visits that do not meet it multiply it by cᵏ ([`power_and_sum`]). Rounding
//! so, in place of k times, allows the engine to compute a weight only when it is met.
//!
//! | penalty | c | truncation at each visit |
//! |---|---|---|
//! | `l2:A` | 1 − ηA | none |
//! | `l1:A` (Tsuruoka, Tsujii & Ananiadou 2009) | 1 | ηA |
//! | `elasticnet:A:ρ` | 1 − (1 − ρ)·ηA | ρ·ηA |
//!
//! With a penalty a run has no clean epoch: its weights do not stay as they are.

use super::{Example, RecordedVisit, RunHistory, Settings};
use crate::{hyperplane::Hyperplane, options::Penalty};

/// c and the truncation of a penalty in a run with the learning rate η.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shrinkage {
    /// c, from 0 to 1.
    pub factor: f64,
    /// The truncation at each visit.
    pub truncation: f64,
}

/// The numbers of a penalty. Each operation is rounded; a negative factor is 0.
///
/// ```
/// use rosenblatt_core::reference::penalty::shrinkage;
/// let both = shrinkage("elasticnet:0.5:0.25".parse()?, 0.5);
/// assert_eq!((both.factor, both.truncation), (0.8125, 0.0625));
/// assert_eq!(shrinkage("l2:3".parse()?, 1.0).factor, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn shrinkage(penalty: Penalty, eta: f64) -> Shrinkage {
    let step = eta * penalty.alpha;
    let factor = 1.0 - (1.0 - penalty.l1_ratio) * step;
    Shrinkage {
        factor: if factor > 0.0 { factor } else { 0.0 },
        truncation: penalty.l1_ratio * step,
    }
}

/// cᵏ, and c + c² + … + cᵏ, by the binary digits of k: c²ᵐ = (cᵐ)², S₂ₘ = Sₘ + cᵐ·Sₘ; cᵐ⁺¹ = cᵐ·c, Sₘ₊₁ = Sₘ + cᵐ⁺¹.
///
/// ```
/// use rosenblatt_core::reference::penalty::power_and_sum;
/// assert_eq!(power_and_sum(0.5, 3), (0.125, 0.875));
/// assert_eq!(power_and_sum(0.5, 0), (1.0, 0.0));
/// ```
pub fn power_and_sum(c: f64, k: usize) -> (f64, f64) {
    if k == 0 {
        return (1.0, 0.0);
    }
    let (half, half_sum) = power_and_sum(c, k / 2);
    let (even, even_sum) = (half * half, half_sum + half * half_sum);
    if k.is_multiple_of(2) { (even, even_sum) } else { (even * c, even_sum + even * c) }
}

/// The weights of a run with a penalty.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    shrinkage: Shrinkage,
    /// The weights as they were stored when they were last met.
    stored: Vec<f64>,
    /// The visit after which each is as it is stored; 0 before the first.
    met: Vec<usize>,
    /// The sum of the truncations of each.
    taken: Vec<f64>,
    visits: usize,
}

impl Weights {
    pub(super) fn new(first: &Hyperplane, shrinkage: Shrinkage) -> Self {
        let (stored, features) = (first.weights.clone(), first.weights.len());
        Weights { shrinkage, stored, met: vec![0; features], taken: vec![0.0; features], visits: 0 }
    }

    /// The weights after the visit of an example x, whose step is decided.
    pub(super) fn visited(
        &mut self,
        x: &[f64],
        decided: RecordedVisit,
        now: &Hyperplane,
        settings: &Settings,
    ) -> RecordedVisit {
        let mut visit = decided;
        let factor = self.shrinkage.factor;
        self.visits += 1;
        for (j, &x) in x.iter().enumerate() {
            if x != 0.0 {
                let shrunk = now.weights[j] * factor + 0.0;
                let w = visit.step.map_or(shrunk, |step| shrunk + step * x);
                (self.stored[j], self.met[j]) = (self.truncated(w, j), self.visits);
            }
            let missed = self.visits - self.met[j];
            visit.after.weights[j] = self.stored[j] * power_and_sum(factor, missed).0 + 0.0;
        }
        visit.after.bias += visit.step.map_or(0.0, |step| step * settings.bias_unit);
        visit
    }

    /// The weight after its truncation by what all visits so far may take, less what they have taken.
    fn truncated(&mut self, w: f64, j: usize) -> f64 {
        if self.shrinkage.truncation == 0.0 || w == 0.0 {
            return w;
        }
        let side = w.signum();
        let most = self.visits as f64 * self.shrinkage.truncation + side * self.taken[j];
        let left = w.abs() - most.max(0.0);
        let truncated = if left > 0.0 { side * left } else { 0.0 };
        self.taken[j] += truncated - w;
        truncated
    }
}

/// The mean of the hyperplanes after every visit of a run with a penalty. The sum of a weight has the weight itself after each
/// visit that meets it, and the weight times c + … + cᵏ for k visits in a row that do not.
///
/// c = 1/2, from zero: x = (1, 0) with +1 is a mistake, w = (1, 0); then (0, 1) with +1 is one, w = (1/2, 1).
/// ```
/// use rosenblatt_core::{data::Sign::Plus, space::Hyperplane};
/// use rosenblatt_core::reference::{Settings, penalty::{average, shrinkage}, primal::{examples, train}};
/// let half = shrinkage("l2:0.5".parse()?, 1.0);
/// let examples = examples(&[vec![1.0, 0.0], vec![0.0, 1.0]], &[Plus, Plus], &[1.0; 2]);
/// let settings = Settings { penalty: Some(half), bias_unit: 0.0, ..Settings::default() };
/// let run = train(&examples, &Hyperplane::zero(2), &settings, &[vec![0, 1]]);
/// assert_eq!(run.last().weights, [0.5, 1.0]);
/// assert_eq!(average(&run, &examples, half).weights, [0.75, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn average(run: &RunHistory, examples: &[Example], shrinkage: Shrinkage) -> Hyperplane {
    let visits: Vec<&RecordedVisit> = run.visits().collect();
    let weight = |j: usize| {
        let (mut total, mut stored, mut missed) = (0.0, run.first.weights[j], 0);
        let sum = |stored: f64, missed| stored * power_and_sum(shrinkage.factor, missed).1;
        for visit in &visits {
            if examples[visit.example].x[j] == 0.0 {
                missed += 1;
                continue;
            }
            total += sum(stored, missed);
            (stored, missed) = (visit.after.weights[j], 0);
            total += stored;
        }
        (total + sum(stored, missed)) / visits.len() as f64 + 0.0
    };
    Hyperplane {
        weights: (0..run.first.weights.len()).map(weight).collect(),
        bias: super::keep::average(run, &|_, _| false).bias,
    }
}
