//! Means of all visited weights.

use std::fmt;

use crate::{data::Row, hyperplane::Hyperplane};

/// A mean of the weights after each visit, kept up to date lazily: a weight that does not move costs nothing.
///
/// A run calls [`before_update`](Self::before_update) before each update; in between all weights are as the last update
/// left them.
pub(crate) trait Mean: fmt::Debug + Send + Sync {
    /// Brings the mean up to date before the weights move by a multiple of `row`; `finished` visits are over, the
    /// present one not counted.
    fn before_update(&mut self, hyperplane: &Hyperplane, row: Row<'_>, finished: u64);

    /// The sum of the weight of one feature over all visits; `since` gives its sum over the visits that are not covered.
    fn weight_sum(&self, feature: usize, since: SumSince<'_>) -> f64;

    /// The sum of the bias over `visits` visits.
    fn bias_sum(&self, hyperplane: &Hyperplane, visits: u64) -> f64;

    /// The numbers of the mean.
    fn state(&self) -> &MeanState;

    /// The numbers of the mean, to restore some of them.
    fn state_mut(&mut self) -> &mut MeanState;

    /// Makes room for weights, 0 so far, of features up to `features`.
    fn grow_to(&mut self, features: usize);

    /// A copy.
    fn boxed(&self) -> Box<dyn Mean>;

    /// The sums of all weights over `visits` visits, or `None` when one leaves the range of `f64`.
    fn sums(
        &self,
        hyperplane: &Hyperplane,
        visits: u64,
        since: SumSince<'_>,
    ) -> Option<Hyperplane> {
        let features = 0..hyperplane.weights.len();
        let weights = features.map(|feature| self.weight_sum(feature, since)).collect();
        let sums = Hyperplane { weights, bias: self.bias_sum(hyperplane, visits) };
        sums.is_sound(hyperplane.weights.len()).then_some(sums)
    }
}

/// A mean over at least one visit, from its sum.
pub(crate) fn mean(sum: f64, visits: u64) -> f64 {
    // Adding 0 turns −0, which a negative mean can underflow to, into +0.
    sum / visits as f64 + 0.0
}

/// The sum of the weight of a feature over the visits after those covered.
pub(crate) type SumSince<'s> = &'s dyn Fn(usize, u64) -> f64;

/// Makes a mean of its numbers.
pub(crate) type RestoreMean = fn(MeanState) -> Box<dyn Mean>;

impl Clone for Box<dyn Mean> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// The numbers of a mean, as checkpoints hold them.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MeanState {
    /// For each weight, its sum over the visits covered.
    pub totals: Vec<f64>,
    /// For each weight, the number of visits covered.
    pub covered: Vec<u64>,
    /// The sum of the bias.
    pub bias_total: f64,
    /// The number of visits that it covers.
    pub bias_covered: u64,
}

impl MeanState {
    /// The state before the first visit.
    pub(crate) fn new(features: usize) -> Self {
        let mut state = MeanState::default();
        state.grow_to(features);
        state
    }

    /// Adds the sum of one weight over the visits up to `covered` that were not covered.
    #[inline]
    pub(crate) fn add(&mut self, feature: usize, sum: f64, covered: u64) {
        self.totals[feature] += sum;
        self.covered[feature] = covered;
    }

    /// Makes room for weights, 0 so far, of features up to `features`.
    pub(crate) fn grow_to(&mut self, features: usize) {
        if self.totals.len() < features {
            self.resize(features);
        }
    }

    /// Makes the number of weights `features`. Weights beyond have never moved.
    pub(crate) fn resize(&mut self, features: usize) {
        self.totals.resize(features, 0.0);
        self.covered.resize(features, 0);
    }
}
