//! A visit of an example by the hyperplanes of several classes together: that of its class and that of its best rival
//! may move.

use std::cmp::Ordering;

use super::{BinaryTrainer, Direction, WeightOverflow};
use crate::{
    data::{Row, ZeroScore},
    events::Visit,
    exact,
    hyperplane::Hyperplane,
};

/// The best rival of class `own` on a row: of all other hyperplanes the first with the greatest score.
pub(crate) fn best_rival(trainers: &[BinaryTrainer<'_>], own: usize, row: Row<'_>) -> usize {
    best_of(trainers, (0..trainers.len()).filter(|&plane| plane != own), row)
}

/// Of these hyperplanes, at least one, the first with the greatest score.
pub(crate) fn best_of(
    trainers: &[BinaryTrainer<'_>],
    mut planes: impl Iterator<Item = usize>,
    row: Row<'_>,
) -> usize {
    let of = |plane: usize| {
        let Hyperplane { weights, bias } = trainers[plane].learner.stored();
        (weights.as_slice(), *bias)
    };
    let first = planes.next().unwrap_or(0);
    planes.fold(first, |best, plane| {
        let is_greater = exact::compare_two_scores(of(plane), of(best), row).is_gt();
        if is_greater { plane } else { best }
    })
}

/// The two hyperplanes of a visit, and the comparison of their scores, if known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rivalry {
    pub(crate) own: usize,
    pub(crate) rival: usize,
    pub(crate) order: Option<Ordering>,
}

/// Visits an example by the hyperplanes of its class and of its best rival. The trainer of its class counts the visit,
/// a mistake and an update; that of the rival only the visit.
pub(crate) fn visit_jointly(
    trainers: &mut [BinaryTrainer<'_>],
    Rivalry { own, rival, order }: Rivalry,
    example: usize,
    norm_bound: f64,
) -> Result<Visit, WeightOverflow> {
    let rate = {
        let trainer = &trainers[own];
        trainer.rates.of(example, trainer.examples.sign(example))
    };
    let direction = Direction { row: trainers[own].examples.rows().row(example), norm_bound };
    // Among equal scores the first class is predicted.
    let tie = if own < rival { ZeroScore::Positive } else { ZeroScore::Negative };
    let (first, second) = trainers.split_at_mut(own.max(rival));
    let (low, high) = (&mut first[own.min(rival)], &mut second[0]);
    let (trainer, other) = if own < rival { (low, high) } else { (high, low) };
    let visit = trainer.learner.visit_pair(&mut other.learner, direction, (rate, tie), order)?;
    trainer.count_mistakes(u64::from(visit.mistake));
    Ok(Visit { hyperplane: own, ..visit })
}
