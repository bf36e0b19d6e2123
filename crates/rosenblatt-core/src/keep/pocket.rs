//! The pocket algorithm with ratchet (S. I. Gallant, *IEEE Transactions on Neural Networks* 1(2), 1990, 179–191). It
//! keeps the best weights so far "in the pocket" while learning continues.
//!
//! Weights with a longer run of correct visits than the pocket weights had are tried on the whole training set. They
//! replace the pocket weights if they make fewer errors there: the ratchet. So the pocket's training error never rises.
//!
//! An error is a wrong predicted label, as everywhere in a report; [`ZeroScore`] gives the prediction of a score of 0.
//! If classes or examples have weights, so have the errors. Two things differ from the paper. Examples come in the
//! order of the run's schedule instead of being drawn with replacement. The pocket starts with the initial weights and
//! their true errors, and tries the last weights at the end.
//!
//! A trial ends as soon as it cannot beat the pocket. The order in which it counts examples affects only its time:
//! errors of earlier trials come first, because most of them are errors again. On large data with overlapping classes,
//! trials would still take many times as long as learning. So they have a budget of rows ([`TrialBudget`]): once the
//! rows counted in trials exceed it, no trial begins until the visits have caught up. The trials therefore count at
//! most `rows + per_visit · visits` rows, plus those of one trial and of the last weights' trial at the end.
//!
//! With the order [`Order::Mistaken`](crate::schedule::Order::Mistaken) every visit is a mistake, so that no run of correct visits
//! chooses the weights to try. There all weights are tried, as in Abu-Mostafa, Magdon-Ismail & Lin, *Learning from Data*,
//! 2012, section 3.1.1.

use super::{Keep, Keeper, Kept, Loss, Storage};
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
    title: "weights of the pocket",
    storage: Storage::Pocket,
    is_compared: true,
};

/// The number of rows that the trials of a pocket may count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialBudget {
    /// Rows allowed at the start of the run.
    pub rows: u64,
    /// Rows added per visit.
    pub per_visit: u64,
}

impl TrialBudget {
    /// The budget of a pocket that becomes the model.
    pub const MODEL: TrialBudget = TrialBudget { rows: 2_000_000, per_visit: 4 };
    /// The budget of a pocket kept only for comparison in the report.
    pub const COMPARED: TrialBudget = TrialBudget { rows: 200_000, per_visit: 0 };

    /// The share of each of several hyperplanes, each of which visits all examples.
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
    /// The run of correct visits for which the best weights entered the pocket.
    best_run: u64,
    /// The current run: correct visits since the weights last moved.
    run: u64,
    /// Whether the current weights were tried already.
    tried: bool,
    /// Whether all weights are tried, however long their run of correct visits.
    tries_each: bool,
    /// The examples in the order in which a trial counts them.
    trial_order: Vec<usize>,
    budget: TrialBudget,
    visits: u64,
    /// The rows counted in trials.
    counted: u64,
}

impl Pocket {
    /// A pocket with the initial weights of a run. `error` returns the weight of these weights' error on an example; 0
    /// if their predicted label is correct. Cost: one pass over the examples.
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
            tries_each: false,
            trial_order: (0..examples).collect(),
            budget,
            visits: 0,
            counted: 0,
        }
    }

    /// The pocket of a run that visits only mistakes, after which it has looked at all examples anyway: it tries the weights
    /// after each update. The budget of a pocket that becomes the model suffices for that.
    pub(crate) fn trying_each(mut self) -> Self {
        let trial = self.trial_order.len() as u64;
        self.tries_each = true;
        if self.budget.per_visit > 0 {
            self.budget.per_visit = self.budget.per_visit.max(trial);
        }
        self
    }

    /// Must be called after each visit; `error` refers to the current weights. Most calls are free. If the run is the
    /// longest, the weights are new and the budget allows it, a trial makes a pass over the examples, which ends once
    /// it cannot win.
    pub fn visited(&mut self, visit: Visit, now: &Hyperplane, error: impl FnMut(usize) -> u64) {
        if self.is_spent() {
            return;
        }
        self.visits += 1;
        if visit.updated {
            (self.run, self.tried) = (0, false);
        }
        self.run = if visit.mistake { 0 } else { self.run + 1 };
        let is_longest = self.tries_each || self.run > self.best_run;
        if is_longest && !self.tried && self.budget.allows(self.counted, self.visits) {
            self.tried = true;
            self.challenge(now, error);
        }
    }

    /// Whether no visit can lead to a trial any more, so that visits need not be passed to the pocket.
    pub(crate) fn is_spent(&self) -> bool {
        self.budget.per_visit == 0 && !self.budget.allows(self.counted, self.visits)
    }

    /// Puts `weights` into the pocket if the weight of their errors is smaller.
    pub fn challenge(&mut self, weights: &Hyperplane, error: impl FnMut(usize) -> u64) {
        if let Some(loss) = self.trial(error) {
            (self.loss, self.best_run) = (loss, self.run);
            self.best.clone_from(weights);
        }
    }

    /// Returns the errors if they have less weight than the pocket's. Each error found moves to the front, to be
    /// counted first next time.
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

    /// The state for a checkpoint.
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

    /// Restores the state of a checkpoint after `visits` visits. The budget is that of the resumed run, and the errors
    /// of the best weights are counted again: `error` refers to these.
    pub(crate) fn restore(
        &mut self,
        state: &PocketState,
        visits: u64,
        error: impl FnMut(usize) -> u64,
    ) {
        let PocketState { best, errors: _, best_run, run, tried, trial_order, counted } =
            state.clone();
        let loss = (0..trial_order.len()).map(error).collect();
        let (budget, tries_each) = (self.budget, self.tries_each);
        *self = Pocket {
            best,
            loss,
            best_run,
            run,
            tried,
            tries_each,
            trial_order,
            budget,
            visits,
            counted,
        };
    }

    /// The best weights.
    pub fn best(&self) -> &Hyperplane {
        &self.best
    }

    /// The number of rows counted in trials.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// The number of training examples that the best weights misclassify.
    pub fn errors(&self) -> usize {
        self.loss.errors
    }
}

/// Counts the examples whose predicted label is wrong; `zero` gives the prediction of a score of 0.
///
/// # Errors
/// [`RowError`] if the examples have another number of features than the hyperplane, or its numbers are not finite.
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
    /// The run of correct visits for which they entered the pocket.
    pub best_run: u64,
    /// The current run of correct visits.
    pub run: u64,
    /// Whether the current weights were tried.
    pub tried: bool,
    /// The examples in the order in which a trial counts them.
    pub trial_order: Vec<usize>,
    /// The rows counted in trials.
    pub counted: u64,
}
