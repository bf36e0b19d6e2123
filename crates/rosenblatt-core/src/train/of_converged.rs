//! The model of a run that ended with an epoch without mistakes, under [`Keep::Auto`](crate::keep::Keep::Auto).
//!
//! In that epoch all rows are judged by the same weights w, so w is right on all of them. The average A = U/T of the run,
//! with the sum U of the weights over T visits, need not be. Further epochs change no weight as long as no epoch with a
//! mistake changes one: after m more epochs over n rows the average is (U + m·n·w)/(T + m·n). The model is that average
//! for the least m ≥ 0 with which it is right on all rows, as a run of m more epochs would have made it.
//!
//! With zᵢ = yᵢ(xᵢ, 1), or Kesler's rows of classes that are learned together, the average is right on row i from the
//! least m with U·zᵢ + m·n·(w·zᵢ) > 0 on (≥ 0 where a score of 0 is right), so m is the greatest of these. Each sign is
//! exact; U and the two products are rounded once each, and not at all if they are integers below 2⁵³. Whatever m is,
//! the weights as they are stored are checked on all rows.
//!
//! The last weights are the model where that check fails or a score is past the range of numbers, where m would exceed the
//! epochs made, and after a single epoch.
//! A rule that ends despite updates (passive-aggressive) would go on moving, and more epochs of the order `mistaken` visit nothing:
//! of these only m = 0 is the average of a run.

use std::cmp::Ordering;

use super::trainer::Training;
use crate::{
    data::{Sign, ZeroScore},
    dynamics::CleanEpoch,
    exact::{self, Accumulator},
    hyperplane::Hyperplane,
    keep::Kept,
    learner::{BinaryTrainer, TrainError},
    report::Candidate,
    space::{Scores, Space},
};

/// The condition that a run without mistakes fulfills: on a row the score of a hyperplane has the right sign, or is beaten by no rival.
#[derive(Clone, Copy)]
struct Demand {
    row: usize,
    plane: usize,
    /// Of classes that are learned together, another class.
    rival: Option<usize>,
}

impl<S: Space> Training<'_, '_, S> {
    /// The model after a last epoch without mistakes, of a run with this many epochs.
    ///
    /// Cost: two passes over the rows, and a third where m > 0.
    pub(super) fn of_converged(&self, epochs: u64) -> Result<Option<Candidate>, TrainError> {
        let last = self.candidate(Kept::Last)?;
        let moves_on =
            self.options.dynamics().clean_epoch != CleanEpoch::Rests || self.visits_one();
        let most = if moves_on { 0 } else { epochs };
        let blend = last.as_ref().filter(|_| epochs > 1).and_then(|last| self.blend(last, most));
        Ok(blend.or(last))
    }

    /// The average after the least number of more epochs, at most `most`, with which it is right on all rows.
    fn blend(&self, last: &Candidate, most: u64) -> Option<Candidate> {
        let sums = self.planes(|trainer| trainer.learner.sums_after(Kept::Average, 0))?;
        let extra_epochs = self.least_epochs(&sums, &last.planes, most)?;
        let more = extra_epochs * self.trainers[0].examples.len() as u64;
        let planes = self.planes(|trainer| trainer.learner.mean_after(Kept::Average, more))?;
        let is_right = self.unmet(&self.space.scores(&planes)).next().is_none();
        let blend = Candidate { kept: Kept::Average, planes, is_present: false, extra_epochs };
        is_right.then_some(blend)
    }

    fn planes(
        &self,
        plane: impl Fn(&BinaryTrainer<'_>) -> Option<Hyperplane>,
    ) -> Option<Vec<Hyperplane>> {
        let planes = self.trainers.iter().map(plane).collect::<Option<_>>()?;
        Some(self.in_space(planes))
    }

    /// The least number of epochs, at most `most`, after which the sums of the weights meet all demands.
    fn least_epochs(&self, sums: &[Hyperplane], last: &[Hyperplane], most: u64) -> Option<u64> {
        let visits = self.trainers[0].examples.len() as u64;
        let scores = self.space.scores(sums);
        // No update is pending: the last epoch made none, or `most` is 0 and these scores are not needed.
        let present = (most > 0).then(|| self.space.current_scores(last));
        self.unmet(&scores).try_fold(0, |least, demand| {
            let each = self.value(present.as_ref()?, last, demand);
            let sum = self.value(&scores, sums, demand);
            if !sum.is_finite() || !each.is_finite() {
                return None;
            }
            let is_met = |more: u64| {
                let mut total = Accumulator::new();
                total.add(sum);
                total.add_product((more * visits) as f64, each);
                self.is_right(total.sign(), demand)
            };
            first_that(least..=most, is_met)
        })
    }

    /// The demands that these scores do not meet.
    fn unmet<'s>(&'s self, scores: &'s S::Scores<'_>) -> impl Iterator<Item = Demand> + 's {
        let rows = 0..self.trainers[0].examples.len();
        rows.flat_map(move |row| {
            let bounds: Vec<(f64, f64)> =
                (0..scores.planes()).map(|plane| scores.bounds(plane, row)).collect();
            let is_unmet = move |&demand: &Demand| {
                let Demand { plane, rival, .. } = demand;
                let (low, high) = bounds[plane];
                let is_sure = match (rival, self.sign(demand)) {
                    (Some(rival), _) => low > bounds[rival].1,
                    (None, Sign::Plus) => low > 0.0,
                    (None, Sign::Minus) => high < 0.0,
                };
                !is_sure && !self.is_right(self.compare(scores, demand), demand)
            };
            self.demands(row).filter(is_unmet)
        })
    }

    /// The demands of a row: one of each hyperplane, or one of each rival of its class.
    fn demands(&self, row: usize) -> impl Iterator<Item = Demand> {
        let planes = 0..self.trainers.len();
        let classes =
            self.trainers[0].examples.classes().filter(|_| self.options.is_joint(self.scheme));
        let own = classes.map(|classes| classes[row] as usize);
        planes.filter(move |&plane| Some(plane) != own).map(move |plane| match own {
            Some(own) => Demand { row, plane: own, rival: Some(plane) },
            None => Demand { row, plane, rival: None },
        })
    }

    fn sign(&self, Demand { row, plane, .. }: Demand) -> Sign {
        self.trainers[plane].examples.sign(row)
    }

    /// Compares y·s, or the difference of two scores, with 0.
    fn compare(&self, scores: &S::Scores<'_>, demand: Demand) -> Ordering {
        let Demand { row, plane, rival } = demand;
        match (rival, self.sign(demand)) {
            (Some(rival), _) => scores.compare(plane, rival, row),
            (None, Sign::Plus) => scores.sign(plane, row),
            (None, Sign::Minus) => scores.sign(plane, row).reverse(),
        }
    }

    /// y·s, or the difference of two scores, rounded once.
    fn value(&self, scores: &S::Scores<'_>, planes: &[Hyperplane], demand: Demand) -> f64 {
        let Demand { row, plane, rival } = demand;
        let of = |plane: usize| (planes[plane].weights.as_slice(), planes[plane].bias);
        match rival {
            None => self.sign(demand) * scores.score(plane, row),
            Some(rival) => {
                let row = self.trainers[plane].examples.rows().row(row);
                exact::score_difference_beyond(of(plane), of(rival), row, 0.0)
            }
        }
    }

    /// Whether y·s, or a difference of scores, that compares so with 0 is no mistake.
    fn is_right(&self, order: Ordering, demand: Demand) -> bool {
        let is_tie_right = match demand.rival {
            Some(rival) => demand.plane < rival,
            None => self.options.zero.predicts(Ordering::Equal) == self.sign(demand),
        };
        let tie = if is_tie_right { ZeroScore::Positive } else { ZeroScore::Negative };
        !self.options.mistake.holds(order, Sign::Plus, tie)
    }
}

/// The first number of a range for which this holds, if it holds for all that follow.
fn first_that(range: std::ops::RangeInclusive<u64>, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut from, mut until) = (*range.start(), range.end() + 1);
    while from < until {
        let middle = from + (until - from) / 2;
        if holds(middle) {
            until = middle;
        } else {
            from = middle + 1;
        }
    }
    range.contains(&from).then_some(from)
}
