//! Counts the votes of all weights of a run for several rows at once.
//!
//! Each row has its own sums, in the order of the run, so its result does not depend on the group.

#![allow(unsafe_code)] // compiled for registers that not every processor has

use super::{UpdateRecord, Voted, WeightSequence};
use crate::{
    data::{Sign, ZeroScore},
    exact::{Accumulator, error_bound, two_sum},
    kernel::GROUP,
    simd::{Registers, SimdJob, dispatch},
};

/// One number per row of a group.
type Each<T> = [T; GROUP];

/// A weight sequence, and the rows that its weights vote on.
pub(super) struct VoteCounter<'b> {
    pub(super) voted: &'b Voted,
    pub(super) path: &'b WeightSequence,
    /// ‖vₖ‖ after each update; empty if no normalised score is needed.
    pub(super) norms: &'b [f64],
    /// The kernel values of the supporting rows.
    pub(super) values: &'b [Each<f64>],
    /// The number of updates before the random time of each row.
    pub(super) random_moves: Each<u64>,
}

/// The exact sum of a row's terms so far, from the first update whose sign the floats do not prove. It goes on from update to
/// update: summed again at each, a run of k such updates would take k² steps.
#[derive(Default)]
struct ExactSum {
    /// The number of updates in the sum.
    updates: usize,
    sum: Accumulator,
}

/// The sums of each row after an update.
struct Running {
    sums: Each<f64>,
    magnitudes: Each<f64>,
    /// 1 after a product or sum was rounded. Until then the sign of the score is exact even if it is 0, which is common
    /// with integer features.
    rounded: Each<u64>,
    scores: Each<f64>,
    votes: Each<i64>,
    averages: Each<f64>,
    normalised: Each<f64>,
    random: Each<f64>,
    exact: Each<Option<Box<ExactSum>>>,
}

impl Running {
    /// A bound on the error of a row's score: k + 1 products and the bias.
    #[inline(always)]
    fn error(&self, k: usize, lane: usize, bias: f64) -> f64 {
        error_bound(k + 4, self.magnitudes[lane] + bias.abs())
    }
}

/// Wide registers handle more rows at once; no operation of a row changes.
struct CountVotes<'c, 'b>(&'c VoteCounter<'b>);

impl SimdJob for CountVotes<'_, '_> {
    type Outcome = [Each<f64>; 7];

    #[inline(always)]
    unsafe fn run<R: Registers>(self) -> [Each<f64>; 7] {
        self.0.all()
    }
}

impl VoteCounter<'_> {
    /// The scores by every tally, in the order of [`Tally::ALL`](super::Tally::ALL).
    pub(super) fn count(&self) -> [Each<f64>; 7] {
        dispatch(CountVotes(self))
    }

    #[inline(always)]
    fn all(&self) -> [Each<f64>; 7] {
        let mut now = Running {
            sums: [0.0; GROUP],
            magnitudes: [0.0; GROUP],
            rounded: [0; GROUP],
            scores: [0.0; GROUP],
            votes: [self.voted.zero.sign() as i64 * self.path.start as i64; GROUP],
            averages: [0.0; GROUP],
            normalised: [0.0; GROUP],
            random: [0.0; GROUP],
            exact: std::array::from_fn(|_| None),
        };
        let mut bias = 0.0;
        for (k, one) in self.path.moves.iter().enumerate() {
            bias += one.step * self.voted.bias_unit;
            self.after(k, one, bias, &mut now);
        }
        let over = |score: f64, moves: usize| {
            let norm = moves.checked_sub(1).and_then(|k| self.norm(k));
            norm.map_or(0.0, |norm| score / norm)
        };
        let last_normalised = now.scores.map(|score| over(score, self.path.moves.len()));
        let random_normalised =
            |lane: usize| over(now.random[lane], self.random_moves[lane] as usize);
        [
            now.votes.map(|vote| vote as f64),
            now.averages,
            now.normalised,
            now.scores,
            last_normalised,
            now.random,
            std::array::from_fn(random_normalised),
        ]
    }

    fn norm(&self, k: usize) -> Option<f64> {
        self.norms.get(k).copied().filter(|norm| *norm != 0.0)
    }

    /// Adds update `k`, after which the bias is `bias`.
    #[inline(always)]
    fn after(&self, k: usize, one: &UpdateRecord, bias: f64, now: &mut Running) {
        let values = &self.values[one.row as usize];
        let survived = one.survived as i64;
        let step_moves_exponents = is_power_of_two(one.step);
        let zero_is_positive = self.voted.zero == ZeroScore::Positive;
        let mut undecided = 0;
        let mut signs = [0; GROUP];
        for lane in 0..GROUP {
            let product = one.step * values[lane];
            let (sum, lost) = two_sum(now.sums[lane], product);
            now.sums[lane] = sum;
            // A product that is not finite is not exact.
            let is_exact = (lost == 0.0)
                & step_moves_exponents
                & ((product.abs() >= f64::MIN_POSITIVE) | (values[lane] == 0.0));
            now.rounded[lane] |= u64::from(!is_exact);
            now.magnitudes[lane] += product.abs();
            let score = sum + bias;
            now.scores[lane] = score;
            let is_decided = score.abs() > now.error(k, lane, bias);
            undecided |= u64::from(!is_decided) & now.rounded[lane];
            signs[lane] = u64::from((score > 0.0) | ((score == 0.0) & zero_is_positive));
        }
        if undecided != 0 {
            self.decide(k, bias, now, &mut signs);
        }
        let weight = one.survived as f64;
        for (lane, sign) in signs.iter().enumerate() {
            now.votes[lane] += if *sign != 0 { survived } else { -survived };
            now.averages[lane] += weight * now.scores[lane];
            let is_time = (k + 1) as u64 == self.random_moves[lane];
            now.random[lane] = if is_time { now.scores[lane] } else { now.random[lane] };
        }
        if let Some(norm) = self.norm(k) {
            let weight = weight / norm;
            for lane in 0..GROUP {
                now.normalised[lane] += weight * now.scores[lane];
            }
        }
    }

    /// Replaces the signs that the sums do not prove by exact ones.
    #[cold]
    fn decide(&self, k: usize, bias: f64, now: &mut Running, signs: &mut Each<u64>) {
        for (lane, sign) in signs.iter_mut().enumerate() {
            let is_decided = now.scores[lane].abs() > now.error(k, lane, bias);
            if !is_decided && now.rounded[lane] != 0 {
                let ExactSum { updates, sum } = &mut **now.exact[lane].get_or_insert_default();
                #[cfg(test)]
                PRODUCTS.set(PRODUCTS.get() + 1 + k as u64 - *updates as u64);
                for one in &self.path.moves[*updates..=k] {
                    sum.add_product(one.step, self.values[one.row as usize][lane]);
                }
                *updates = k + 1;
                sum.add(bias);
                *sign = u64::from(self.voted.zero.predicts(sum.sign()) == Sign::Plus);
                sum.add(-bias);
            }
        }
    }
}

/// Whether a product with `a` only changes the exponent.
fn is_power_of_two(a: f64) -> bool {
    const FRACTION: u64 = (1 << (f64::MANTISSA_DIGITS - 1)) - 1;
    a.is_normal() && a.to_bits() & FRACTION == 0
}

#[cfg(test)]
thread_local! {
    /// The number of exact products of updates that this thread has added.
    static PRODUCTS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        data::Rows,
        keep::vote::{Tally, VoteTerms},
        kernel::{CanonicalRows, Kernel},
    };

    /// Terms of very different sizes cancel again and again, so that the floats prove few signs: the votes are exact, and cost a
    /// few exact products for each update.
    #[test]
    fn exact_signs_of_a_run_cost_as_much_as_its_updates() {
        const UPDATES: usize = 800;
        let values = [1e150, 1e-310, -1e150, 3.0];
        let rows = Rows::dense(values.to_vec(), 1).unwrap();
        let update = |k: usize| UpdateRecord {
            row: (k % 4) as u32,
            step: if k % 8 < 4 { 0.1 } else { -0.1 },
            survived: 1 + k as u64 % 3,
        };
        let path = WeightSequence { start: 0, moves: (0..UPDATES).map(update).collect() };
        let (kernel, zero) = (Kernel::Linear, ZeroScore::Positive);
        let terms = VoteTerms { kernel, bias_unit: 0.0, zero, seed: 0 };
        let voted = Voted::new(terms, &rows, &[&path]).unwrap();
        let before = PRODUCTS.get();
        let votes = voted.scores(&CanonicalRows::new(&rows), Tally::Vote, 1).unwrap();
        let cost = PRODUCTS.get() - before;
        let most = (3 * UPDATES * GROUP) as u64;
        assert!(cost > UPDATES as u64 && cost <= most, "{cost} products");
        for (place, vote) in values.into_iter().zip(votes) {
            let (mut sum, mut naive) = (Accumulator::new(), 0);
            for one in &path.moves {
                sum.add_product(one.step, values[one.row as usize] * place);
                let votes = one.survived as i64;
                naive += if zero.predicts(sum.sign()) == Sign::Plus { votes } else { -votes };
            }
            assert_eq!(vote, naive as f64, "{place}");
        }
    }
}
