//! The limits on the work of an answer.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicU64, Ordering},
};

use rosenblatt::{
    data::{Decision, Rows},
    keep::Keep,
    model::{Classifier, PredictOptions, Predictions},
    train::{BinaryTrainer, Observer, Options, Visit},
};

use super::{Refusal, Stop};

/// The remaining work of an answer, in steps of about a nanosecond on a current core.
///
/// A clock would refuse a question on a busy machine and answer it on an idle one; a count does the same on every machine.
pub(super) struct Work<'a> {
    stop: Stop<'a>,
    left: AtomicU64,
}

impl<'a> Work<'a> {
    /// The maximum work of an answer without `separable`, which has its own.
    const MOST: u64 = 3_000_000_000;
    /// `stop` is called once for this much work: it may read a clock.
    const BETWEEN: u64 = 1 << 14;

    pub(super) fn new(stop: Stop<'a>) -> Self {
        Work { stop, left: AtomicU64::new(Self::MOST) }
    }

    /// Charges work. Returns whether the answer must end.
    pub(super) fn spend(&self, work: u64) -> bool {
        let left = self.left.load(Ordering::Relaxed);
        let rest = left.saturating_sub(work);
        self.left.store(rest, Ordering::Relaxed);
        let asks = left == Self::MOST || left / Self::BETWEEN != rest / Self::BETWEEN;
        rest == 0 || (asks && (self.stop)())
    }
}

/// Ends a run when its work is spent, and when a vote has too many weights to be scored.
#[derive(Clone, Copy)]
pub(super) struct Limit<'a> {
    work: &'a Work<'a>,
    /// The work of a visit, and the additional work of an update.
    per_visit: u64,
    per_update: u64,
    /// The remaining rows × updates of a vote, of which each update takes `votes`.
    budget: u64,
    votes: u64,
    is_over: bool,
}

impl<'a> Limit<'a> {
    /// The maximum rows × updates for counting the training errors of a vote, which cannot be interrupted:
    /// about one second of work.
    const VOTE: u64 = 50_000_000;

    /// The limit of a run on this many examples and features.
    pub(super) fn new(
        options: &Options,
        (examples, features): (usize, usize),
        work: &'a Work<'a>,
    ) -> Self {
        let per_visit = visit_work(features);
        let per_update = match options.kernel {
            // The average and the pocket follow each update.
            None => UPDATES_TO_VISITS * per_visit,
            // Each update of the dual form adds a kernel value to the score of every example.
            Some(_) => examples as u64 * score_work(features),
        };
        let votes = if options.keep == Keep::Vote { examples as u64 } else { 0 };
        Limit { work, per_visit, per_update, budget: Self::VOTE, votes, is_over: false }
    }

    /// Counts a visit; returns whether the run must end.
    pub(super) fn visited(&mut self, visit: Visit) -> bool {
        let mut work = self.per_visit;
        if visit.updated {
            self.budget = self.budget.saturating_sub(self.votes);
            work += self.per_update;
        }
        self.is_over = self.budget == 0 || self.work.spend(work);
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

/// How many visits an update takes as long as.
const UPDATES_TO_VISITS: u64 = 4;

/// The work of a visit of a row with this many features.
pub(super) fn visit_work(features: usize) -> u64 {
    90 + 4 * features as u64
}

/// The work of one score or kernel value of a row with this many features.
pub(super) fn score_work(features: usize) -> u64 {
    16 + 2 * features as u64
}

/// The work of the scores of a row: one score for each hyperplane, supporting row or update.
fn row_work(classifier: &Classifier) -> u64 {
    let terms = match classifier {
        Classifier::Linear(planes) => planes.len(),
        Classifier::Dual(dual) => dual.support.examples.len(),
        Classifier::Voted(voted) => {
            // A vote adds up all its updates for each row.
            let updates: u64 = voted.support.counts.iter().flatten().sum();
            usize::try_from(updates).unwrap_or(usize::MAX)
        }
    };
    (terms as u64).saturating_mul(score_work(classifier.features()))
}

/// Predicts classes and scores of rows, a few rows at a time, so that the work can end between them.
pub(super) fn predict(
    classifier: &Classifier,
    by: Decision,
    rows: &Rows<'_>,
    work: &Work<'_>,
) -> Result<Predictions, Refusal> {
    const ROWS_AT_ONCE: usize = 32;
    let mut all = Predictions { classes: Vec::new(), scores: Vec::new() };
    let places: Vec<usize> = (0..rows.len()).collect();
    let per_row = row_work(classifier);
    for some in places.chunks(ROWS_AT_ONCE) {
        if work.spend(per_row.saturating_mul(some.len() as u64)) {
            return Err(Refusal::Stopped);
        }
        let predicted =
            classifier.classify(&rows.select(some), by, PredictOptions::default(), true)?;
        all.classes.extend(predicted.classes);
        all.scores.extend(predicted.scores);
    }
    Ok(all)
}
