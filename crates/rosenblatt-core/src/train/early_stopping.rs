//! Early stopping with held-out examples.

use crate::{
    data::{Decision, Labelled, Sign},
    keep::Loss,
    learner::{ErrorWeights, Rates, TrainError},
    report::Candidate,
    space::{Scores, Space},
};

/// Held-out examples for early stopping.
#[derive(Clone, Copy, Debug)]
pub struct HeldOut<'a> {
    /// The examples, with the same classes and features as the training examples. If classes or examples have weights,
    /// so have the errors.
    pub labelled: Labelled<'a>,
    /// Training ends when the held-out errors have not fallen for this many epochs. The weights after the last fall
    /// become the model. With `least` 1 these are the first weights with the fewest errors.
    pub patience: u64,
    /// The smallest decrease of the errors that counts as a fall; 0 counts as 1. With weights, it is this many times
    /// the mean weight. After an epoch without mistakes, equally few errors are enough.
    pub least: usize,
}

impl HeldOut<'_> {
    /// Checks that a run on these examples can use the held-out examples.
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

/// Evaluates the weights of a run on held-out examples after each epoch.
pub(super) struct EarlyStopping<'h, 'a> {
    held_out: &'h HeldOut<'a>,
    error_weights: ErrorWeights<'a>,
    /// The total weight of the held-out examples.
    total: u128,
    /// The weights after the last fall of the errors.
    pub(super) best: Option<BestSoFar>,
}

/// The best weights on the held-out examples so far.
pub(super) struct BestSoFar {
    pub(super) loss: Loss,
    /// The epoch of the weights.
    pub(super) epoch: u64,
    pub(super) candidate: Candidate,
}

impl<'h, 'a> EarlyStopping<'h, 'a> {
    /// Before the first epoch of a run. `rates` are the rates of the held-out examples.
    pub(super) fn new(held_out: &'h HeldOut<'a>, rates: &Rates<'a>) -> Self {
        let error_weights = ErrorWeights::new(rates);
        // Rates depend on classes here, so the sign does not matter.
        let weight = |row| u128::from(error_weights.of(row, Sign::Plus));
        let total = (0..held_out.labelled.classes().len()).map(weight).sum();
        EarlyStopping { held_out, error_weights, total, best: None }
    }

    /// Resumes with the best weights of a checkpoint and counts their errors again.
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

    /// Compares the weights after an epoch with the best. After an epoch without mistakes equally few errors are
    /// enough.
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

    /// Whether the run may continue after this epoch.
    pub(super) fn is_patient(&self, epoch: u64) -> bool {
        let since = self.best.as_ref().map_or(0, |best| epoch - best.epoch);
        since < self.held_out.patience
    }

    /// Whether the weight of the errors fell by at least `least` times the mean weight.
    fn has_fallen(&self, before: Loss, now: Loss) -> bool {
        let examples = self.held_out.labelled.classes().len() as u128;
        let fall = before.weight.saturating_sub(now.weight);
        let least = self.held_out.least.max(1) as u128;
        fall.saturating_mul(examples) >= least.saturating_mul(self.total)
    }
}
