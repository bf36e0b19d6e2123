//! Early stopping by held-out examples.

use crate::{
    data::{Decision, Labelled, Sign},
    keep::Loss,
    learner::{ErrorWeights, Rates, TrainError},
    report::Candidate,
    space::{Scores, Space},
};

/// Examples that are not learned from, to stop by.
#[derive(Clone, Copy, Debug)]
pub struct HeldOut<'a> {
    /// The examples; of the same classes and features as those that are learned from. Where classes or examples have
    /// weights, errors count by them.
    pub labelled: Labelled<'a>,
    /// Training ends when the errors on them have not fallen for so many epochs; the weights after the last fall
    /// are the model. With `least` 1 these are the first with the fewest errors.
    pub patience: u64,
    /// By how many errors (with weights, of the mean weight) they must fall to have fallen; 0 counts as 1. After an epoch without a mistake as few errors
    /// will do.
    pub least: usize,
}

impl HeldOut<'_> {
    /// Whether a run on these examples can be stopped by it.
    pub(super) fn check(&self, learned: &Labelled<'_>) -> Result<(), TrainError> {
        let (found, expected) = (self.labelled.scheme(), learned.scheme());
        if found != expected {
            return Err(TrainError::OtherClasses { found, expected });
        }
        let (found, expected) = (self.labelled.rows().features(), learned.rows().features());
        if found != expected {
            return Err(TrainError::OtherFeatures { found, expected });
        }
        if self.labelled.rows().is_empty() { Err(TrainError::NothingHeldOut) } else { Ok(()) }
    }
}

/// Judges a run by examples held out, epoch by epoch.
pub(super) struct EarlyStopping<'h, 'a> {
    held_out: &'h HeldOut<'a>,
    error_weights: ErrorWeights<'a>,
    /// The weight of all its examples.
    total: u128,
    /// After the last fall of the errors.
    pub(super) best: Option<BestSoFar>,
}

/// The best weights by examples held out.
pub(super) struct BestSoFar {
    pub(super) loss: Loss,
    /// The epoch after which they were made.
    pub(super) epoch: u64,
    pub(super) candidate: Candidate,
}

impl<'h, 'a> EarlyStopping<'h, 'a> {
    /// Before the first epoch of a run; the rates are those of the held-out examples.
    pub(super) fn new(held_out: &'h HeldOut<'a>, rates: &Rates<'a>) -> Self {
        let error_weights = ErrorWeights::new(rates);
        // Rates are those of classes: the sign does not matter.
        let weight = |row| u128::from(error_weights.of(row, Sign::Plus));
        let total = (0..held_out.labelled.classes().len()).map(weight).sum();
        EarlyStopping { held_out, error_weights, total, best: None }
    }

    /// Resumes with the best weights of a checkpoint, whose errors are counted again.
    pub(super) fn restore(
        &mut self,
        candidate: Candidate,
        epoch: u64,
        space: &impl Space,
        decision: Decision,
    ) {
        let loss = self.loss(&candidate, space, decision);
        self.best = Some(BestSoFar { loss, epoch, candidate });
    }

    /// The errors of weights on the held-out examples.
    fn loss(&self, candidate: &Candidate, space: &impl Space, decision: Decision) -> Loss {
        let labelled = &self.held_out.labelled;
        let scores = space.scores_on(&candidate.planes, labelled.rows());
        let error = |(row, &class): (usize, &u32)| {
            let is_right = Scores::class(&scores, decision, row) == class as usize;
            if is_right { 0 } else { self.error_weights.of(row, Sign::Plus) }
        };
        labelled.classes().iter().enumerate().map(error).collect()
    }

    /// Takes in the weights after an epoch. After one without a mistake they need only be as good as the best.
    pub(super) fn take(
        &mut self,
        candidate: Candidate,
        epoch: u64,
        converged: bool,
        space: &impl Space,
        decision: Decision,
    ) {
        let loss = self.loss(&candidate, space, decision);
        let better = self.best.as_ref().is_none_or(|best| {
            self.has_fallen(best.loss, loss) || (converged && loss.weight <= best.loss.weight)
        });
        if better {
            self.best = Some(BestSoFar { loss, epoch, candidate });
        }
    }

    /// Whether there is patience for more epochs after this one.
    pub(super) fn is_patient(&self, epoch: u64) -> bool {
        let since = self.best.as_ref().map_or(0, |best| epoch - best.epoch);
        since < self.held_out.patience
    }

    /// Whether the errors weigh less by at least what `least` errors of the mean weight do.
    fn has_fallen(&self, before: Loss, now: Loss) -> bool {
        let examples = self.held_out.labelled.classes().len() as u128;
        let fall = before.weight.saturating_sub(now.weight);
        let least = self.held_out.least.max(1) as u128;
        fall.saturating_mul(examples) >= least.saturating_mul(self.total)
    }
}
