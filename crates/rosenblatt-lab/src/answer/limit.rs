//! What keeps an answer from taking too long.

use std::ops::ControlFlow;

use rosenblatt::{
    data::Rows,
    keep::Keep,
    model::{Model, Predictions, Use},
    train::{Observer, Options, Pupil, Visit},
};

use super::{Refusal, Stop};

/// Ends a run in time: when it is told to, and when a vote becomes too much to be scored.
#[derive(Clone, Copy)]
pub(super) struct Limit<'a> {
    stop: Stop<'a>,
    /// Rows times updates that are left, and how many of them an update takes.
    budget: u64,
    per_update: u64,
    is_over: bool,
}

impl<'a> Limit<'a> {
    /// Rows times updates for which the training errors of a vote may be counted, which nothing interrupts:
    /// about a second's work.
    const VOTE: u64 = 50_000_000;

    pub(super) fn new(options: &Options, examples: usize, stop: Stop<'a>) -> Self {
        let per_update = if options.keep == Keep::Vote { examples as u64 } else { 0 };
        Limit { stop, budget: Self::VOTE, per_update, is_over: false }
    }

    /// After a visit: whether the run must end.
    pub(super) fn visited(&mut self, visit: Visit) -> bool {
        if visit.updated {
            self.budget = self.budget.saturating_sub(self.per_update);
        }
        self.is_over = self.budget == 0 || (self.stop)();
        self.is_over
    }

    /// Refuses a run that was given up.
    pub(super) fn finished(&self) -> Result<(), Refusal> {
        if self.is_over { Err(Refusal::Stopped) } else { Ok(()) }
    }
}

impl Observer for Limit<'_> {
    fn visited(&mut self, _: usize, visit: Visit, _: &Pupil<'_>) -> ControlFlow<()> {
        if Limit::visited(self, visit) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Classes and scores of rows by a model; a few rows at a time, so that it can be stopped between them.
pub(super) fn predict(
    model: &Model,
    rows: &Rows<'_>,
    stop: Stop<'_>,
) -> Result<Predictions, Refusal> {
    const ROWS_AT_ONCE: usize = 32;
    let mut predictor = model.predictor(Use::default());
    let mut all = Predictions { classes: Vec::new(), scores: Vec::new() };
    let places: Vec<usize> = (0..rows.len()).collect();
    for some in places.chunks(ROWS_AT_ONCE) {
        if stop() {
            return Err(Refusal::Stopped);
        }
        let predicted = predictor.predict(&rows.select(some), true)?;
        all.classes.extend(predicted.classes);
        all.scores.extend(predicted.scores);
    }
    Ok(all)
}
