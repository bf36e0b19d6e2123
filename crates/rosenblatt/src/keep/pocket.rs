//! The pocket algorithm with ratchet (S. I. Gallant, *IEEE Transactions on Neural Networks* 1(2),
//! 1990, 179–191): beside the weights that learn, keep the best so far "in the pocket".
//!
//! Weights that get more examples right in a row than the pocket's did are tried on the whole
//! training set, and replace the pocket when they make fewer errors there: the ratchet. So the
//! pocket's training error never rises.
//!
//! An error is a wrong predicted label, as everywhere in a report; what a score of 0 predicts is said by
//! [`ZeroScore`]. Where classes or examples have weights, errors count by them. Two
//! things differ from the paper: examples come in the order of the run's schedule instead of being
//! drawn with replacement, and the pocket begins with the first weights and their true
//! errors, and at the end tries the last weights too.
//!
//! A trial ends as soon as the pocket cannot be beaten. Which examples are counted first changes
//! nothing but the time: those that were errors in earlier trials come first, because they mostly
//! are errors again. On large data whose classes overlap, trials would still take many times as long as
//! learning. So they have a budget of rows ([`TrialBudget`]): once the rows counted in trials exceed it, no trial
//! begins until the visits have caught up. The rows counted in trials are therefore at most
//! `rows + per_visit · visits`, plus those of one trial, and the last weights' at the end.

use super::{Keep, Keeper, Kept, KeptAs, Loss};
use crate::{
    data::{Examples, RowError, Sign, ZeroScore},
    events::Visit,
    hyperplane::Hyperplane,
};

pub(super) static KEEPER: Keeper = Keeper {
    keep: Keep::Pocket,
    kept: Kept::Pocket,
    name: "pocket",
    words: "the pocket weights",
    kept_as: KeptAs::Trials,
    is_compared: true,
};

/// How many rows the trials of a pocket may count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialBudget {
    /// Rows at the start of the run.
    pub rows: u64,
    /// Rows for each visit.
    pub per_visit: u64,
}

impl TrialBudget {
    /// Of a pocket that is the model.
    pub const MODEL: TrialBudget = TrialBudget { rows: 2_000_000, per_visit: 4 };
    /// Of a pocket that is only compared in the report.
    pub const COMPARED: TrialBudget = TrialBudget { rows: 1_000_000, per_visit: 1 };

    /// The share of each of several hyperplanes, for whose examples there are as many visits.
    pub(crate) fn shared(self, hyperplanes: usize) -> Self {
        TrialBudget { rows: self.rows / hyperplanes.max(1) as u64, ..self }
    }

    fn allows(self, counted: u64, visits: u64) -> bool {
        counted <= self.rows.saturating_add(self.per_visit.saturating_mul(visits))
    }
}

/// The best weights so far.
#[derive(Clone, Debug)]
pub struct Pocket {
    best: Hyperplane,
    loss: Loss,
    /// The run of correct visits with which the best weights came in.
    best_run: u64,
    /// The present run: correct visits since the weights last moved.
    run: u64,
    /// The present weights were tried already.
    tried: bool,
    /// The examples in the order in which a trial counts them.
    trial_order: Vec<usize>,
    budget: TrialBudget,
    visits: u64,
    /// The rows counted in trials.
    counted: u64,
}

impl Pocket {
    /// A pocket with the first weights of a run. `error` says of an example the weight of the error that these
    /// weights make on it, 0 where their predicted label is right. Cost: one pass over the examples.
    pub fn new(
        first: &Hyperplane,
        examples: usize,
        budget: TrialBudget,
        error: impl FnMut(usize) -> u64,
    ) -> Self {
        Pocket {
            best: first.clone(),
            loss: (0..examples).map(error).collect(),
            best_run: 0,
            run: 0,
            tried: true,
            trial_order: (0..examples).collect(),
            budget,
            visits: 0,
            counted: 0,
        }
    }

    /// To be called after each visit; `error` speaks of the present weights. Cost: nothing, but a
    /// pass over the examples (which ends as soon as the pocket cannot be beaten) when the run is the
    /// longest, these weights are new and the budget allows it.
    pub fn visited(&mut self, visit: Visit, now: &Hyperplane, error: impl FnMut(usize) -> u64) {
        self.visits += 1;
        if visit.updated {
            (self.run, self.tried) = (0, false);
        }
        if visit.mistake {
            self.run = 0;
            return;
        }
        self.run += 1;
        let is_longest = self.run > self.best_run && !self.tried;
        if is_longest && self.budget.allows(self.counted, self.visits) {
            self.tried = true;
            self.challenge(now, error);
        }
    }

    /// Puts `weights` into the pocket when their errors weigh less.
    pub fn challenge(&mut self, weights: &Hyperplane, error: impl FnMut(usize) -> u64) {
        if let Some(loss) = self.trial(error) {
            (self.loss, self.best_run) = (loss, self.run);
            self.best.clone_from(weights);
        }
    }

    /// The errors, if they weigh less than the pocket's.
    /// Each error found moves to the front, to be counted first next time.
    fn trial(&mut self, mut error: impl FnMut(usize) -> u64) -> Option<Loss> {
        let mut loss = Loss::default();
        for place in 0..self.trial_order.len() {
            self.counted += 1;
            let weight = error(self.trial_order[place]);
            if weight > 0 {
                self.trial_order.swap(place, loss.errors);
                loss.add(weight);
                if loss.weight >= self.loss.weight {
                    return None;
                }
            }
        }
        (loss.weight < self.loss.weight).then_some(loss)
    }

    /// What a checkpoint holds of it.
    pub(crate) fn state(&self) -> PocketState {
        PocketState {
            best: self.best.clone(),
            errors: self.loss.errors,
            best_run: self.best_run,
            run: self.run,
            tried: self.tried,
            trial_order: self.trial_order.clone(),
            counted: self.counted,
        }
    }

    /// Goes on from a checkpoint after `visits` visits. The budget is the run's own, and the errors of the best weights
    /// are counted anew: `error` speaks of those.
    pub(crate) fn restore(
        &mut self,
        state: &PocketState,
        visits: u64,
        error: impl FnMut(usize) -> u64,
    ) {
        let PocketState { best, errors: _, best_run, run, tried, trial_order, counted } =
            state.clone();
        let loss = (0..trial_order.len()).map(error).collect();
        let budget = self.budget;
        *self = Pocket { best, loss, best_run, run, tried, trial_order, budget, visits, counted };
    }

    /// The best weights.
    pub fn best(&self) -> &Hyperplane {
        &self.best
    }

    /// How many rows were counted in trials.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// How many training examples the best weights classify wrongly.
    pub fn errors(&self) -> usize {
        self.loss.errors
    }
}

/// The number of examples whose predicted label is wrong, where a score of 0 predicts what `zero` says.
///
/// # Errors
/// [`RowError`] when the examples have other features than the hyperplane, or its numbers are not finite.
pub fn count_errors(
    hyperplane: &Hyperplane,
    examples: &Examples<'_>,
    zero: ZeroScore,
) -> Result<usize, RowError> {
    hyperplane.fits(examples)?;
    let is_wrong = |&(row, sign): &(_, Sign)| zero.predicts(hyperplane.unchecked_sign(row)) != sign;
    Ok(examples.iter().filter(is_wrong).count())
}

/// The state of a [`Pocket`](crate::keep::Pocket).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PocketState {
    /// The best weights.
    pub best: Hyperplane,
    /// Their training errors.
    pub errors: usize,
    /// The run of correct visits with which they came in.
    pub best_run: u64,
    /// The present run of correct visits.
    pub run: u64,
    /// Whether the present weights were tried.
    pub tried: bool,
    /// The examples in the order in which a trial counts them.
    pub trial_order: Vec<usize>,
    /// The rows counted in trials.
    pub counted: u64,
}
