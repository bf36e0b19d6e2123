//! The average: the plain mean of the weights after every visited example,
//! `(1/M) Σ_{t=1..M} w_t` (Freund & Schapire 1999, section 4; Collins 2002).
//!
//! The sums are lazy. Each weight has a running total and the number of visits that the total covers. Before an update
//! moves a weight, `visits · weight` is added for the visits since then. Only the entries of misclassified rows are
//! touched, and no difference of large sums is taken. The total is exact as long as it is an integer below 2⁵³;
//! otherwise it has one rounding for each time that the weight moved.

use super::{Keep, Keeper, Kept, Mean, MeanState, Storage, SumSince};
use crate::{
    data::Row,
    hyperplane::Hyperplane,
    simd::elementwise::{ElementStep, element_wise, part},
};

pub(super) static KEEPER: Keeper = Keeper {
    keep: Keep::Average,
    kept: Kept::Average,
    name: "average",
    words: "the averaged weights",
    title: "average of all weights",
    storage: Storage::Mean(|state| Box::new(Average(state))),
    is_compared: true,
};

/// The running mean of the weights of a run.
#[derive(Clone, Debug)]
pub struct Average(MeanState);

impl Mean for Average {
    fn before_update(&mut self, hyperplane: &Hyperplane, row: Row<'_>, finished: u64) {
        let MeanState { totals, covered, bias_total, bias_covered } = &mut self.0;
        let weights = &*hyperplane.weights;
        element_wise(row, Cover { totals, covered, weights, finished });
        *bias_total += (finished - *bias_covered) as f64 * hyperplane.bias;
        *bias_covered = finished;
    }

    fn weight_sum(&self, feature: usize, since: SumSince<'_>) -> f64 {
        self.0.totals[feature] + since(feature, self.0.covered[feature])
    }

    fn bias_sum(&self, hyperplane: &Hyperplane, visits: u64) -> f64 {
        self.0.bias_total + (visits - self.0.bias_covered) as f64 * hyperplane.bias
    }

    fn state(&self) -> &MeanState {
        &self.0
    }

    fn state_mut(&mut self) -> &mut MeanState {
        &mut self.0
    }

    fn grow_to(&mut self, features: usize) {
        self.0.grow_to(features);
    }

    fn boxed(&self) -> Box<dyn Mean> {
        Box::new(self.clone())
    }
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

impl ElementStep for Cover<'_> {
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
