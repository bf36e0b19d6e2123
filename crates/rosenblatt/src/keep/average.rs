//! The average: the plain mean of the weights after every visited example,
//! `(1/M) Σ_{t=1..M} w_t` (Freund & Schapire 1999, section 4; Collins 2002).
//!
//! The sums are lazy. Each weight has a running total and the number of visits that the total covers. Before an update
//! moves a weight, `visits · weight` is added for the visits since then. Only the entries of misclassified rows are
//! touched, and no difference of large sums is taken. The total is exact as long as it is an integer below 2⁵³;
//! otherwise it has one rounding for each time that the weight moved.

use crate::{
    data::{Row, Values},
    hyperplane::Hyperplane,
    simd::elementwise::{Step, along, part},
};

/// The running mean of the weights of a run.
#[derive(Clone, Debug)]
pub struct Average {
    totals: Vec<f64>,
    /// The number of visits that the total of each weight covers.
    covered: Vec<u64>,
    bias_total: f64,
    bias_covered: u64,
}

impl Average {
    /// The average before the first visit.
    pub(crate) fn new(features: usize) -> Self {
        Average {
            totals: vec![0.0; features],
            covered: vec![0; features],
            bias_total: 0.0,
            bias_covered: 0,
        }
    }

    /// Appends zero weights for features up to `features`.
    pub(crate) fn grow_to(&mut self, features: usize) {
        if self.totals.len() < features {
            self.totals.resize(features, 0.0);
            self.covered.resize(features, 0);
        }
    }

    /// Must be called before the weights move by a multiple of `row`. `finished` visits are over, without the current
    /// one.
    pub(crate) fn before_update(&mut self, hyperplane: &Hyperplane, row: Row<'_>, finished: u64) {
        let Average { totals, covered, .. } = self;
        let weights = &*hyperplane.weights;
        match (row.indices(), row.values()) {
            (None, Values::F64(x)) => along(x, Cover { totals, covered, weights, finished }),
            (None, Values::F32(x)) => along(x, Cover { totals, covered, weights, finished }),
            _ => row.for_each(|j, x| {
                cover(&mut totals[j], &mut covered[j], weights[j], x, finished);
            }),
        }
        self.bias_total += (finished - self.bias_covered) as f64 * hyperplane.bias;
        self.bias_covered = finished;
    }

    /// The state for a checkpoint.
    pub(crate) fn state(&self) -> AverageState {
        AverageState {
            totals: self.totals.clone(),
            covered: self.covered.clone(),
            bias_total: self.bias_total,
            bias_covered: self.bias_covered,
        }
    }

    /// Restores the average from a checkpoint.
    pub(crate) fn of(state: &AverageState) -> Self {
        let AverageState { totals, covered, bias_total, bias_covered } = state.clone();
        Average { totals, covered, bias_total, bias_covered }
    }

    /// The mean over `visits` visits (at least one) of a run whose current weights are `hyperplane`. `None` if a total
    /// overflows.
    pub(crate) fn mean(&self, hyperplane: &Hyperplane, visits: u64) -> Option<Hyperplane> {
        let weights: Vec<f64> = (self.totals.iter().zip(&self.covered).zip(&hyperplane.weights))
            .map(|((&total, &covered), &now)| mean((total, covered), now, visits))
            .collect();
        let bias = self.mean_bias(hyperplane, visits);
        let finite = bias.is_finite() && weights.iter().all(|weight| weight.is_finite());
        finite.then_some(Hyperplane { weights, bias })
    }

    /// The mean of the weight of one feature.
    pub(crate) fn mean_weight(&self, hyperplane: &Hyperplane, feature: usize, visits: u64) -> f64 {
        let covered = (self.totals[feature], self.covered[feature]);
        mean(covered, hyperplane.weights[feature], visits)
    }

    /// The mean of the bias.
    pub(crate) fn mean_bias(&self, hyperplane: &Hyperplane, visits: u64) -> f64 {
        mean((self.bias_total, self.bias_covered), hyperplane.bias, visits)
    }
}

/// The mean of a weight over `visits` visits, from its total over the covered visits and its value `now`.
fn mean((total, covered): (f64, u64), now: f64, visits: u64) -> f64 {
    // Adding 0 turns −0, which a negative mean can underflow to, into +0.
    (total + (visits - covered) as f64 * now) / visits as f64 + 0.0
}

/// Extends one total to all finished visits if the weight is about to move.
#[inline(always)]
fn cover(total: &mut f64, covered: &mut u64, weight: f64, x: f64, finished: u64) {
    let sum = *total + finished.wrapping_sub(*covered) as f64 * weight;
    // A zero moves nothing; skipping it treats stored and absent zeros alike.
    let moves = x != 0.0;
    *total = if moves { sum } else { *total };
    *covered = if moves { finished } else { *covered };
}

struct Cover<'c> {
    totals: &'c mut [f64],
    covered: &'c mut [u64],
    weights: &'c [f64],
    finished: u64,
}

impl Step for Cover<'_> {
    #[inline(always)]
    fn chunk<const N: usize>(&mut self, at: usize, x: [f64; N]) {
        let (totals, covered) = (part::<f64, N>(self.totals, at), part::<u64, N>(self.covered, at));
        if let (Some(totals), Some(covered), Some(weights)) =
            (totals, covered, self.weights.get(at..at + N))
        {
            for lane in 0..N {
                let (total, covered) = (&mut totals[lane], &mut covered[lane]);
                cover(total, covered, weights[lane], x[lane], self.finished);
            }
        }
    }
}

/// The state of an [`Average`](crate::keep::Average).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct AverageState {
    /// For each weight, its sum over the covered visits.
    pub totals: Vec<f64>,
    /// For each weight, the number of covered visits.
    pub covered: Vec<u64>,
    /// The sum of the bias.
    pub bias_total: f64,
    /// The number of visits that the bias total covers.
    pub bias_covered: u64,
}
