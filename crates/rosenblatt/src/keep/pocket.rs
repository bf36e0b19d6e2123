//! The pocket algorithm with ratchet (S. I. Gallant, *IEEE Transactions on Neural Networks* 1(2),
//! 1990, 179–191): beside the weights that learn, keep the best so far "in the pocket".
//!
//! Weights that get more examples right in a row than the pocket's did are tried on the whole
//! training set, and replace the pocket when they make fewer errors there: the ratchet. So the
//! pocket's training error never rises.
//!
//! An error is a wrong predicted label (a score of 0 predicts +1), as everywhere in a report. Two
//! things differ from the paper: examples come in the order of the run's schedule instead of being
//! drawn with replacement, and the pocket begins with the first weights and their true number of
//! errors, and at the end tries the last weights too.
//!
//! A trial ends as soon as the pocket cannot be beaten. Which examples are counted first changes
//! nothing but the time: those that were errors in earlier trials come first, because they mostly
//! are errors again. On large data whose classes overlap, trials can still take many times as long as
//! learning. A pocket that is only to be compared therefore has a budget: once the rows of its trials
//! exceed the number of visits by that much, it makes no trial until the visits have caught up.

use crate::{
    data::{Examples, RowError, Sign},
    space::Hyperplane,
    train::{InPocket, Visit},
};

/// The best weights so far.
#[derive(Clone, Debug)]
pub struct Pocket {
    best: Hyperplane,
    errors: usize,
    /// The run of correct visits with which the best weights came in.
    best_run: u64,
    /// The present run: correct visits since the weights last moved.
    run: u64,
    /// The present weights were tried already.
    tried: bool,
    /// The examples in the order in which a trial counts them.
    trial_order: Vec<usize>,
    /// By how much the rows of trials may exceed the visits.
    budget: u64,
    visits: u64,
    /// The rows counted in trials.
    counted: u64,
}

impl Pocket {
    /// The budget of a pocket that is only compared: ten million rows.
    pub const BUDGET: u64 = 10_000_000;

    /// A pocket with the first weights of a run, whose trials may count `budget` rows more than there
    /// are visits (`u64::MAX`: any number). `is_wrong` says of an example whether these weights
    /// predict a wrong label. Cost: one pass over the examples.
    pub fn new(
        first: &Hyperplane,
        examples: usize,
        budget: u64,
        is_wrong: impl FnMut(usize) -> bool,
    ) -> Self {
        Pocket {
            best: first.clone(),
            errors: (0..examples).map(is_wrong).filter(|&wrong| wrong).count(),
            best_run: 0,
            run: 0,
            tried: true,
            trial_order: (0..examples).collect(),
            budget,
            visits: 0,
            counted: 0,
        }
    }

    /// To be called after each visit; `is_wrong` speaks of the present weights. Cost: nothing, but a
    /// pass over the examples (which ends as soon as the pocket cannot be beaten) when the run is the
    /// longest and these weights are new.
    pub fn visited(&mut self, visit: Visit, now: &Hyperplane, is_wrong: impl FnMut(usize) -> bool) {
        self.visits += 1;
        if visit.updated {
            (self.run, self.tried) = (0, false);
        }
        if visit.mistake {
            self.run = 0;
            return;
        }
        self.run += 1;
        let affordable = self.counted <= self.budget.saturating_add(self.visits);
        if self.run > self.best_run && !self.tried && affordable {
            self.tried = true;
            self.challenge(now, is_wrong);
        }
    }

    /// Puts `weights` into the pocket when they make fewer errors.
    pub fn challenge(&mut self, weights: &Hyperplane, is_wrong: impl FnMut(usize) -> bool) {
        let errors = self.trial(is_wrong);
        if errors < self.errors {
            (self.errors, self.best_run) = (errors, self.run);
            self.best.clone_from(weights);
        }
    }

    /// The number of errors, or any number that is not below the pocket's when there are as many.
    /// Each error found moves to the front, to be counted first next time.
    fn trial(&mut self, mut is_wrong: impl FnMut(usize) -> bool) -> usize {
        let mut errors = 0;
        for place in 0..self.trial_order.len() {
            self.counted += 1;
            if is_wrong(self.trial_order[place]) {
                self.trial_order.swap(place, errors);
                errors += 1;
                if errors >= self.errors {
                    break;
                }
            }
        }
        errors
    }

    /// What a checkpoint holds of it.
    pub(crate) fn state(&self) -> InPocket {
        InPocket {
            best: self.best.clone(),
            errors: self.errors,
            best_run: self.best_run,
            run: self.run,
            tried: self.tried,
            trial_order: self.trial_order.clone(),
            counted: self.counted,
        }
    }

    /// Goes on from a checkpoint after `visits` visits; the budget is the run's own.
    pub(crate) fn restore(&mut self, state: &InPocket, visits: u64) {
        let InPocket { best, errors, best_run, run, tried, trial_order, counted } = state.clone();
        let budget = self.budget;
        *self = Pocket { best, errors, best_run, run, tried, trial_order, budget, visits, counted };
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
        self.errors
    }
}

/// The number of examples whose predicted label is wrong.
///
/// # Errors
/// [`RowError`] when the examples have other features than the hyperplane, or its numbers are not finite.
pub fn count_errors(hyperplane: &Hyperplane, examples: &Examples<'_>) -> Result<usize, RowError> {
    hyperplane.fits(examples)?;
    let is_wrong = |&(row, sign): &(_, Sign)| hyperplane.unchecked_predict(row) != sign;
    Ok(examples.iter().filter(is_wrong).count())
}
