//! The evaluation of several classes that were learned together: one margin, of all hyperplanes.

use std::cmp::Ordering;

use super::{HyperplaneEvaluation, RunEvaluation};
use crate::{
    exact,
    hyperplane::Hyperplane,
    margin::{UpdateTotals, bias_coordinate, joint_upper_bound, margin_lower_bound},
    report::{Candidate, MarginBracket},
    space::{Scores, Space},
};

/// The statistics of a candidate on the examples.
struct JointStats {
    wrong_classes: usize,
    /// The smallest difference of the score of the class to that of its best rival, rounded once. If there are errors
    /// and margins are not needed, it covers only some examples.
    smallest: f64,
    /// Whether a difference is exactly 0.
    has_tie: bool,
}

impl<S: Space> RunEvaluation<'_, '_, S> {
    pub(super) fn joint_evaluation(&self) -> HyperplaneEvaluation {
        let (options, radius) = (self.options, self.space.radius().length);
        let rates = self.trainers.iter().map(|trainer| trainer.largest_rate());
        let learners = || self.trainers.iter().map(|trainer| &trainer.learner);
        let totals = UpdateTotals::joint(learners(), rates.fold(0.0, f64::max));
        let planes = || learners().map(|learner| learner.stored());
        let is_proven = options.dynamics().sums_rows() && totals.updates > 0 && self.all_classes();
        let upper = is_proven.then(|| joint_upper_bound(totals, options, radius, planes()));
        let margin = MarginBracket { lower: None, upper: upper.filter(|upper| upper.is_finite()) };
        let mut evaluation = HyperplaneEvaluation { margin, ..Default::default() };
        for (number, candidate) in self.candidates.iter().enumerate() {
            let wanted = number == self.wanted;
            let stats = self.joint_stats(candidate, wanted);
            evaluation.errors.set(candidate.kept, stats.wrong_classes);
            if stats.wrong_classes == 0 || wanted {
                let both = self.joint_margin(&candidate.planes, &stats);
                self.take_margin(number, both, &mut evaluation);
            }
        }
        evaluation.novikoff_bound = self.bound(&evaluation, &self.trainers[0], radius, totals);
        evaluation
    }

    /// Whether every class has examples.
    fn all_classes(&self) -> bool {
        self.trainers.iter().all(|trainer| trainer.examples.class_sizes().1 > 0)
    }

    /// The smallest margin and a lower bound on it.
    fn joint_margin(&self, planes: &[Hyperplane], stats: &JointStats) -> Option<(f64, f64)> {
        let bias = self.options.bias;
        let numbers =
            |plane: &Hyperplane| [&plane.weights[..], &[bias_coordinate(plane, bias)]].concat();
        let norm = exact::norm(planes.iter().flat_map(numbers));
        let margin = stats.smallest / norm;
        if stats.smallest == 0.0 {
            return (stats.has_tie && norm > 0.0).then_some((0.0, 0.0));
        }
        let is_sound = norm.is_normal() && stats.smallest.is_normal() && margin.is_normal();
        is_sound.then(|| (margin, margin_lower_bound(margin)))
    }

    fn joint_stats(&self, candidate: &Candidate, margins: bool) -> JointStats {
        let scores = self.scores(candidate);
        let examples = self.trainers[0].examples;
        let planes = &candidate.planes;
        let of = |plane: usize| (planes[plane].weights.as_slice(), planes[plane].bias);
        let mut stats = JointStats { wrong_classes: 0, smallest: f64::INFINITY, has_tie: false };
        for (row, &own) in examples.classes().unwrap_or_default().iter().enumerate() {
            let own = own as usize;
            let mut bounds = scores.all_bounds(row);
            // Nothing compares with NaN, so the class is none of its rivals.
            let this = std::mem::replace(&mut bounds[own], (f64::NAN, f64::NAN));
            let rival = scores.highest_of(&bounds, row);
            let best = bounds[rival];
            let order = match (this.0 > best.1, this.1 < best.0) {
                (true, _) => Ordering::Greater,
                (_, true) => Ordering::Less,
                _ => scores.compare(own, rival, row),
            };
            stats.has_tie |= order.is_eq();
            stats.wrong_classes += usize::from(order.is_lt() || (order.is_eq() && rival < own));
            let wants = margins || stats.wrong_classes == 0;
            // A subtraction may round up, but not past the neighboring float.
            if wants && (this.0 - best.1).next_down() < stats.smallest {
                let row = examples.rows().row(row);
                let difference = exact::score_difference_beyond(of(own), of(rival), row, 0.0);
                stats.smallest = stats.smallest.min(difference);
            }
        }
        stats
    }
}
