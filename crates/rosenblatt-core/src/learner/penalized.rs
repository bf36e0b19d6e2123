//! The weights of a learner with a penalty. Every visit shrinks all weights, but only those that an example meets are computed.

use crate::{
    data::Row,
    hyperplane::Hyperplane,
    keep::{Kept, Mean},
    options::{Options, Powers, Shrinkage},
};

/// The part of a penalty in the state of a learner.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PenaltyState {
    /// For each weight, the number of visits after which it has the stored value.
    pub settled: Vec<u64>,
    /// For each weight, the sum of the steps that brought it towards 0.
    pub taken: Vec<f64>,
}

/// A penalty and its state.
#[derive(Clone, Debug)]
pub(super) struct Penalized {
    shrinkage: Shrinkage,
    powers: Powers,
    pub(super) state: PenaltyState,
}

impl PenaltyState {
    pub(super) fn grow_to(&mut self, features: usize) {
        if self.settled.len() < features {
            self.settled.resize(features, 0);
            self.taken.resize(features, 0.0);
        }
    }
}

impl Penalized {
    /// The penalty of a run before its first visit, if it has one.
    pub(super) fn first(options: &Options, features: usize) -> Option<Self> {
        let mut state = PenaltyState::default();
        state.grow_to(features);
        let shrinkage = options.penalty?.shrinkage(options.eta);
        Some(Penalized { shrinkage, powers: shrinkage.powers(), state })
    }

    /// A weight after `visits` visits, from its stored value.
    pub(super) fn present(&self, feature: usize, stored: f64, visits: u64) -> f64 {
        stored * self.powers.power_and_sum(visits - self.state.settled[feature]).0 + 0.0
    }

    /// The sum of a weight over the last `visits` visits, from its stored value before them.
    pub(super) fn sum(&self, stored: f64, visits: u64) -> f64 {
        stored * self.powers.power_and_sum(visits).1
    }

    /// Computes the weights that an example meets, after `visits` visits, and adds those of the visits since to the means.
    pub(super) fn apply_pending_penalty(
        &mut self,
        weights: &mut [f64],
        means: &mut [(Kept, Box<dyn Mean>)],
        row: Row<'_>,
        visits: u64,
    ) {
        let Penalized { powers, state, .. } = self;
        row.for_each(|j, x| {
            if x == 0.0 || state.settled[j] == visits {
                return;
            }
            let (power, sum) = powers.power_and_sum(visits - state.settled[j]);
            for (_, mean) in means.iter_mut() {
                mean.state_mut().add(j, weights[j] * sum, visits);
            }
            weights[j] = weights[j] * power + 0.0;
            state.settled[j] = visits;
        });
    }

    /// Shrinks the weights that an example meets by the factor of one visit.
    pub(super) fn shrink(&self, weights: &mut [f64], row: Row<'_>) {
        row.for_each(|j, x| {
            if x != 0.0 {
                weights[j] = self.shrinkage.shrunk(weights[j]);
            }
        });
    }

    /// Brings the weights that an example meets towards 0, after its visit with the number `visits`, and adds them to the
    /// means.
    pub(super) fn truncate_after_visit(
        &mut self,
        weights: &mut [f64],
        means: &mut [(Kept, Box<dyn Mean>)],
        row: Row<'_>,
        visits: u64,
    ) {
        let Penalized { shrinkage, state, .. } = self;
        row.for_each(|j, x| {
            if x == 0.0 {
                return;
            }
            if shrinkage.truncates() {
                let weight = (weights[j], state.taken[j]);
                (weights[j], state.taken[j]) = shrinkage.truncated(weight, visits);
            }
            state.settled[j] = visits;
            means.iter_mut().for_each(|(_, mean)| mean.state_mut().add(j, weights[j], visits));
        });
    }

    /// All weights after `visits` visits, from the stored hyperplane.
    pub(super) fn hyperplane(&self, stored: &Hyperplane, visits: u64) -> Hyperplane {
        let weights = stored.weights.iter().enumerate();
        let weights = weights.map(|(feature, &stored)| self.present(feature, stored, visits));
        Hyperplane { weights: weights.collect(), bias: stored.bias }
    }
}
