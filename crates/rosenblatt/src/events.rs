//! The events of a run: a visit of an example, the end of an epoch, the end of the run.

use std::{cmp::Ordering, ops::ControlFlow};

/// The outcome of one visit of an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// The score before any update, compared to 0.
    pub score: Ordering,
    /// Whether it was a mistake.
    pub mistake: bool,
    /// Whether the weights moved.
    pub updated: bool,
    /// By how much, with the sign of the example; 0 when they did not.
    pub step: f64,
    /// The number of the hyperplane that learned: 0 where there is one.
    pub hyperplane: usize,
}

/// What an epoch has come to so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u64,
    /// Examples visited.
    pub visits: u64,
    /// Mistakes on them, of all hyperplanes.
    pub mistakes: u64,
    /// Updates, of all hyperplanes.
    pub updates: u64,
}

impl Epoch {
    /// An epoch before its first visit.
    pub(crate) fn new(number: u64) -> Self {
        Epoch { number, visits: 0, mistakes: 0, updates: 0 }
    }

    pub(crate) fn count(&mut self, visit: Visit) {
        self.visits += u64::from(visit.hyperplane == 0);
        self.mistakes += u64::from(visit.mistake);
        self.updates += u64::from(visit.updated);
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// An epoch without a mistake (for the margin rule: without an update).
    CleanEpoch,
    /// An epoch with mistakes, but no more than allowed.
    AllowedMistakes,
    /// There were no epochs left.
    MaxEpochs,
    /// The errors on the held-out examples did not fall for as many epochs as patience allowed.
    Patience,
    /// The observer stopped it.
    Observer,
}

/// An epoch that is over, or was stopped.
pub(crate) struct EpochOutcome {
    pub(crate) epoch: Epoch,
    /// Whether the observer stopped it.
    pub(crate) flow: ControlFlow<()>,
    /// Whether every hyperplane visited every example.
    pub(crate) is_whole: bool,
}
