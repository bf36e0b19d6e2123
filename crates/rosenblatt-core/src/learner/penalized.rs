//! The weights of a learner with a penalty. Every visit shrinks all weights, but only those that an example meets are computed.

use crate::{
    data::Row,
    hyperplane::Hyperplane,
    keep::{Kept, Mean, MeanState},
    options::{Options, Powers, Shrinkage},
    simd::elementwise::{ElementStep, element_wise, part},
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
    /// The highest upper bound so far on the norm of the weights.
    highest: f64,
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
        Some(Penalized { shrinkage, powers: shrinkage.powers(), highest: 0.0, state })
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
    #[inline]
    pub(super) fn apply_pending_penalty(
        &mut self,
        weights: &mut [f64],
        means: &mut [(Kept, Box<dyn Mean>)],
        row: Row<'_>,
        visits: u64,
    ) {
        let Penalized { powers, state, .. } = self;
        element_wise(row, Pending { powers, settled: &mut state.settled, weights, means, visits });
    }

    /// Shrinks the weights that an example meets by the factor of one visit, moves them by a step along its row, and brings them
    /// towards 0, in its visit with the number `visits`; adds them to the means.
    #[inline]
    pub(super) fn visit(
        &mut self,
        weights: &mut [f64],
        means: &mut [(Kept, Box<dyn Mean>)],
        (row, step): (Row<'_>, f64),
        visits: u64,
    ) {
        let Penalized { shrinkage, state: PenaltyState { settled, taken }, .. } = self;
        let (shrinkage, all_taken) = (*shrinkage, shrinkage.all_taken(visits));
        element_wise(row, Visit { shrinkage, weights, settled, taken, step, visits, all_taken });
        for (_, mean) in means {
            let MeanState { totals, covered, .. } = mean.state_mut();
            element_wise(row, Add { totals, covered, weights, visits });
        }
    }

    /// An upper bound on the norm of all weights after a visit without a step, from one before it, up to rounding.
    ///
    /// A weight after k visits has at most 2k + 1 roundings, of which 8 are allowed for each visit. Where a power of the factor
    /// underflows, it is off by less than 2⁻¹⁰⁶⁰, so that d weights, none of them ever above the highest bound, are off by less than
    /// 2⁻¹⁰⁶⁰·√d of it.
    pub(super) fn norm_bound(&mut self, before: f64) -> f64 {
        self.highest = self.highest.max(before);
        let underflow = f64::MIN_POSITIVE * (1.0 + self.highest);
        self.shrinkage.shrunk(before) * (1.0 + 4.0 * f64::EPSILON) + underflow
    }

    /// All weights after `visits` visits, from the stored hyperplane.
    pub(super) fn hyperplane(&self, stored: &Hyperplane, visits: u64) -> Hyperplane {
        let weights = stored.weights.iter().enumerate();
        let weights = weights.map(|(feature, &stored)| self.present(feature, stored, visits));
        Hyperplane { weights: weights.collect(), bias: stored.bias }
    }
}

/// Computes weights that visits of other examples have shrunk. A zero meets no weight; so stored and absent zeros are alike.
struct Pending<'p> {
    powers: &'p Powers,
    settled: &'p mut [u64],
    weights: &'p mut [f64],
    means: &'p mut [(Kept, Box<dyn Mean>)],
    visits: u64,
}

impl ElementStep for Pending<'_> {
    #[inline(always)]
    fn chunk<const N: usize>(&mut self, at: usize, x: [f64; N]) {
        let (Some(settled), Some(weights)) =
            (part::<u64, N>(self.settled, at), part::<f64, N>(self.weights, at))
        else {
            return;
        };
        let is_pending = |lane: usize| (x[lane] != 0.0) & (settled[lane] != self.visits);
        if !(0..N).fold(false, |any, lane| any | is_pending(lane)) {
            return;
        }
        for lane in 0..N {
            if (x[lane] == 0.0) | (settled[lane] == self.visits) {
                continue;
            }
            let (power, sum) = self.powers.power_and_sum(self.visits - settled[lane]);
            for (_, mean) in self.means.iter_mut() {
                mean.state_mut().add(at + lane, weights[lane] * sum, self.visits);
            }
            weights[lane] = weights[lane] * power + 0.0;
            settled[lane] = self.visits;
        }
    }
}

/// A visit of weights that are computed.
struct Visit<'v> {
    shrinkage: Shrinkage,
    weights: &'v mut [f64],
    settled: &'v mut [u64],
    taken: &'v mut [f64],
    step: f64,
    visits: u64,
    all_taken: f64,
}

impl ElementStep for Visit<'_> {
    #[inline(always)]
    fn chunk<const N: usize>(&mut self, at: usize, x: [f64; N]) {
        let Visit { shrinkage, step, visits, all_taken, .. } = *self;
        let (Some(weights), Some(settled), Some(taken)) = (
            part::<f64, N>(self.weights, at),
            part::<u64, N>(self.settled, at),
            part::<f64, N>(self.taken, at),
        ) else {
            return;
        };
        // In steps over all lanes, so that each is one operation of a register.
        let mut moved = [0.0; N];
        for lane in 0..N {
            moved[lane] = shrinkage.shrunk(weights[lane]) + step * x[lane];
        }
        if shrinkage.truncates() {
            let mut after = [0.0; N];
            for lane in 0..N {
                (moved[lane], after[lane]) =
                    shrinkage.truncated((moved[lane], taken[lane]), all_taken);
            }
            for lane in 0..N {
                taken[lane] = if x[lane] != 0.0 { after[lane] } else { taken[lane] };
            }
        }
        for lane in 0..N {
            weights[lane] = if x[lane] != 0.0 { moved[lane] } else { weights[lane] };
        }
        for lane in 0..N {
            settled[lane] = if x[lane] != 0.0 { visits } else { settled[lane] };
        }
    }
}

/// Adds the weights of a visit to their sums.
struct Add<'a> {
    totals: &'a mut [f64],
    covered: &'a mut [u64],
    weights: &'a [f64],
    visits: u64,
}

impl ElementStep for Add<'_> {
    #[inline(always)]
    fn chunk<const N: usize>(&mut self, at: usize, x: [f64; N]) {
        let (totals, covered) = (part::<f64, N>(self.totals, at), part::<u64, N>(self.covered, at));
        if let (Some(totals), Some(covered), Some(weights)) =
            (totals, covered, self.weights.get(at..at + N))
        {
            for lane in 0..N {
                let meets = x[lane] != 0.0;
                let total = totals[lane] + weights[lane];
                totals[lane] = if meets { total } else { totals[lane] };
                covered[lane] = if meets { self.visits } else { covered[lane] };
            }
        }
    }
}
