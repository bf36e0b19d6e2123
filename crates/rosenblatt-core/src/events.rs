//! The events of a run: a visit of an example, the end of an epoch, the end of the run.

use std::{cmp::Ordering, ops::ControlFlow};

/// The outcome of one visit of an example.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Visit {
    /// The score before any update, compared with 0.
    pub score: Ordering,
    /// Whether the example was a mistake.
    pub mistake: bool,
    /// Whether the weights moved.
    pub updated: bool,
    /// The step of the update with the sign of the example; 0 without an update.
    pub step: f64,
    /// The number of the hyperplane, counted from 0. Where several classes are learned together, an example has one
    /// visit: that of the hyperplane of its class, and the score is the difference to its best rival's.
    pub hyperplane: usize,
}

/// The counts of an epoch so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Epoch {
    /// The number of the epoch, counted from 1.
    pub number: u64,
    /// The number of examples visited.
    pub visits: u64,
    /// The number of mistakes of all hyperplanes.
    pub mistakes: u64,
    /// The number of updates of all hyperplanes.
    pub updates: u64,
}

impl Epoch {
    /// An epoch before its first visit.
    pub(crate) fn new(number: u64) -> Self {
        Epoch { number, visits: 0, mistakes: 0, updates: 0 }
    }

    /// Counts a visit of one of several hyperplanes, each of which visits every example.
    pub(crate) fn count(&mut self, visit: Visit) {
        self.visits += u64::from(visit.hyperplane == 0);
        self.count_outcome(visit);
    }

    /// Counts a visit of all hyperplanes together.
    pub(crate) fn count_joint(&mut self, visit: Visit) {
        self.visits += 1;
        self.count_outcome(visit);
    }

    fn count_outcome(&mut self, visit: Visit) {
        self.mistakes += u64::from(visit.mistake);
        self.updates += u64::from(visit.updated);
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// An epoch without mistakes (for the margin rule: without updates).
    CleanEpoch,
    /// An epoch with mistakes, but no more than allowed.
    AllowedMistakes,
    /// The maximum number of epochs was reached.
    MaxEpochs,
    /// More epochs rarely help, and the number of epochs was not given; see
    /// [`Options::plateau`](crate::train::Options::plateau).
    Plateau,
    /// The held-out errors did not fall for as many epochs as the patience allows.
    Patience,
    /// The observer stopped the run.
    Observer,
}

/// The outcome of an epoch that ended or was stopped.
pub(crate) struct EpochOutcome {
    pub(crate) epoch: Epoch,
    /// Whether the observer stopped it.
    pub(crate) flow: ControlFlow<()>,
    /// Whether every hyperplane visited every example.
    pub(crate) is_whole: bool,
}
