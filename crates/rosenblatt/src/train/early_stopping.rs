//! Early stopping by held-out examples.

use super::{HeldOut, trainer::Training};
use crate::{
    data::Sign,
    events::Stop,
    keep::Loss,
    learner::{ErrorWeights, TrainError},
    report::Candidate,
    space::{Scores, Space},
};

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
    /// Before the first epoch of a run.
    pub(super) fn new<S: Space>(
        held_out: &'h HeldOut<'a>,
        training: &Training<'_, '_, S>,
    ) -> Result<Self, TrainError> {
        let rates = training.pupils[0].rates_of(&held_out.labelled, training.options)?;
        let error_weights = ErrorWeights::new(&rates);
        // Rates are those of classes: the sign does not matter.
        let weight = |row| u128::from(error_weights.of(row, Sign::Plus));
        let total = (0..held_out.labelled.classes().len()).map(weight).sum();
        Ok(EarlyStopping { held_out, error_weights, total, best: None })
    }

    /// The errors of weights on the examples held out.
    pub(super) fn loss<S: Space>(
        &self,
        training: &Training<'_, '_, S>,
        candidate: &Candidate,
    ) -> Loss {
        let labelled = &self.held_out.labelled;
        let scores = training.space.scores_on(&candidate.planes, labelled.rows());
        let error = |(row, &class): (usize, &u32)| {
            let is_right = Scores::class(&scores, training.decision(), row) == class as usize;
            if is_right { 0 } else { self.error_weights.of(row, Sign::Plus) }
        };
        labelled.classes().iter().enumerate().map(error).collect()
    }

    /// Judges the weights after an epoch; whether there is patience for more.
    pub(super) fn evaluate_epoch<S: Space>(
        &mut self,
        training: &Training<'_, '_, S>,
        epoch: u64,
        stop: Option<Stop>,
    ) -> Result<bool, TrainError> {
        let converged = stop == Some(Stop::CleanEpoch);
        let kept = training.options.keep.resolve(converged);
        let Some(candidate) = training.candidate(kept)? else { return Ok(true) };
        let loss = self.loss(training, &candidate);
        let better = self.best.as_ref().is_none_or(|best| {
            self.has_fallen(best.loss, loss) || (converged && loss.weight <= best.loss.weight)
        });
        if better {
            self.best = Some(BestSoFar { loss, epoch, candidate });
        }
        let since = self.best.as_ref().map_or(0, |best| epoch - best.epoch);
        Ok(since < self.held_out.patience)
    }

    /// Whether the errors weigh less by at least what `least` errors of the mean weight do.
    fn has_fallen(&self, before: Loss, now: Loss) -> bool {
        let examples = self.held_out.labelled.classes().len() as u128;
        let fall = before.weight.saturating_sub(now.weight);
        let least = self.held_out.least.max(1) as u128;
        fall.saturating_mul(examples) >= least.saturating_mul(self.total)
    }
}
