//! The limits on the time of an answer.

use std::ops::ControlFlow;

use rosenblatt::{
    data::{Decision, Rows},
    keep::Keep,
    model::{Classifier, PredictOptions, Predictions},
    train::{BinaryTrainer, Observer, Options, Visit},
};

use super::{Refusal, Stop};

/// Ends a run when `stop` is set, and when a vote has too many weights to be scored.
#[derive(Clone, Copy)]
pub(super) struct Limit<'a> {
    stop: Stop<'a>,
    /// The remaining rows × updates, of which each update takes `per_update`.
    budget: u64,
    per_update: u64,
    is_over: bool,
}

impl<'a> Limit<'a> {
    /// The maximum rows × updates for counting the training errors of a vote, which cannot be interrupted:
    /// about one second of work.
    const VOTE: u64 = 50_000_000;

    pub(super) fn new(options: &Options, examples: usize, stop: Stop<'a>) -> Self {
        let per_update = if options.keep == Keep::Vote { examples as u64 } else { 0 };
        Limit { stop, budget: Self::VOTE, per_update, is_over: false }
    }

    /// Counts a visit; returns whether the run must end.
    pub(super) fn visited(&mut self, visit: Visit) -> bool {
        if visit.updated {
            self.budget = self.budget.saturating_sub(self.per_update);
        }
        self.is_over = self.budget == 0 || (self.stop)();
        self.is_over
    }

    /// Refuses a run that was stopped.
    pub(super) fn finished(&self) -> Result<(), Refusal> {
        if self.is_over { Err(Refusal::Stopped) } else { Ok(()) }
    }
}

impl Observer for Limit<'_> {
    fn visited(&mut self, _: usize, visit: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        if Limit::visited(self, visit) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Predicts classes and scores of rows, a few rows at a time, so that `stop` can end it between them.
pub(super) fn predict(
    classifier: &Classifier,
    by: Decision,
    rows: &Rows<'_>,
    stop: Stop<'_>,
) -> Result<Predictions, Refusal> {
    const ROWS_AT_ONCE: usize = 32;
    let mut all = Predictions { classes: Vec::new(), scores: Vec::new() };
    let places: Vec<usize> = (0..rows.len()).collect();
    for some in places.chunks(ROWS_AT_ONCE) {
        if stop() {
            return Err(Refusal::Stopped);
        }
        let predicted =
            classifier.classify(&rows.select(some), by, PredictOptions::default(), true)?;
        all.classes.extend(predicted.classes);
        all.scores.extend(predicted.scores);
    }
    Ok(all)
}
