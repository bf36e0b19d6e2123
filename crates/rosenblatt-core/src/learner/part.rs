//! The numbers of a learner that rows with few features can change.

use std::mem;

use super::{Learner, PenaltyState, Precisions};
use crate::keep::MeanState;

/// The numbers of a learner for some features, and all that do not belong to a feature.
pub(crate) struct FeatureValues {
    /// The learner without its numbers of features.
    rest: Learner,
    weights: Vec<f64>,
    means: Vec<MeanState>,
    precisions: Option<Precisions>,
    penalty: Option<PenaltyState>,
}

impl FeatureValues {
    /// The learner without its numbers of features.
    pub(crate) fn rest(&self) -> Learner {
        self.rest.clone()
    }
}

impl Learner {
    /// Copies the numbers of these features.
    pub(crate) fn part(&mut self, features: &[u32]) -> FeatureValues {
        let weights = mem::take(&mut self.hyperplane.weights);
        let means = mem::take(&mut self.means);
        let precisions = self.precisions.take();
        let penalty = self.penalized.as_mut().map(|penalized| mem::take(&mut penalized.state));
        let rest = self.clone();
        (self.hyperplane.weights, self.means, self.precisions) = (weights, means, precisions);
        self.put_penalty(penalty);
        let state = |state: &MeanState| MeanState {
            totals: picked(&state.totals, features),
            covered: picked(&state.covered, features),
            bias_total: state.bias_total,
            bias_covered: state.bias_covered,
        };
        FeatureValues {
            rest,
            weights: picked(&self.hyperplane.weights, features),
            means: self.means.iter().map(|(_, mean)| state(mean.state())).collect(),
            precisions: self.precisions.as_ref().map(|Precisions { weights, bias }| Precisions {
                weights: picked(weights, features),
                bias: *bias,
            }),
            penalty: self.penalty_state().map(|PenaltyState { settled, taken }| PenaltyState {
                settled: picked(settled, features),
                taken: picked(taken, features),
            }),
        }
    }

    fn put_penalty(&mut self, state: Option<PenaltyState>) {
        if let (Some(penalized), Some(state)) = (&mut self.penalized, state) {
            penalized.state = state;
        }
    }

    /// Restores the numbers of these features, and all that do not belong to a feature.
    pub(crate) fn restore_part(&mut self, part: FeatureValues, features: &[u32]) {
        let mut weights = mem::take(&mut self.hyperplane.weights);
        let mut means = mem::take(&mut self.means);
        put_back(&mut weights, features, &part.weights);
        for ((_, mean), before) in means.iter_mut().zip(part.means) {
            let now = mean.state_mut();
            put_back(&mut now.totals, features, &before.totals);
            put_back(&mut now.covered, features, &before.covered);
            (now.bias_total, now.bias_covered) = (before.bias_total, before.bias_covered);
        }
        let mut precisions = self.precisions.take();
        if let (Some(now), Some(before)) = (&mut precisions, part.precisions) {
            put_back(&mut now.weights, features, &before.weights);
            now.bias = before.bias;
        }
        let mut penalty = self.penalized.take().map(|penalized| penalized.state);
        if let (Some(now), Some(before)) = (&mut penalty, part.penalty) {
            put_back(&mut now.settled, features, &before.settled);
            put_back(&mut now.taken, features, &before.taken);
        }
        *self = part.rest;
        (self.hyperplane.weights, self.means, self.precisions) = (weights, means, precisions);
        self.put_penalty(penalty);
    }
}

/// The numbers at these places.
pub(crate) fn picked<T: Copy>(numbers: &[T], places: &[u32]) -> Vec<T> {
    places.iter().map(|&place| numbers[place as usize]).collect()
}

/// Writes numbers to the places from which [`picked`] has them. A place that occurs twice has one number.
pub(crate) fn put_back<T: Copy>(numbers: &mut [T], places: &[u32], values: &[T]) {
    for (&place, &value) in places.iter().zip(values) {
        numbers[place as usize] = value;
    }
}
