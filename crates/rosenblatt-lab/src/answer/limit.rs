//! The budget of an answer, through which the work of every question passes.

use std::{
    cell::Cell,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use rosenblatt_core::{
    data::{Decision, Rows},
    model::{Classifier, PredictOptions, Predictions},
    train::{BinaryTrainer, Observer, Options, Visit},
};

use super::{Refusal, Stop};

/// The remaining work of an answer, in steps of about a nanosecond on a current core, and its end on request.
///
/// A clock would refuse a question on a busy machine and answer it on an idle one; a count does the same on every machine. What is
/// charged follows from numbers of rows, features, visits and updates. Where numbers are of very different sizes, signs take exact
/// sums, and a step then takes up to ten times as long.
pub(super) struct Work<'a> {
    stop: Stop<'a>,
    left: AtomicU64,
    stopped: AtomicBool,
}

impl<'a> Work<'a> {
    /// The maximum work of an answer.
    pub(super) const MOST: u64 = 4_000_000_000;
    /// `stop` is called once for this much work: it may read a clock.
    const BETWEEN: u64 = 1 << 14;

    pub(super) fn new(stop: Stop<'a>) -> Self {
        Work { stop, left: AtomicU64::new(Self::MOST), stopped: AtomicBool::new(false) }
    }

    /// Charges work. Returns whether the answer must end.
    pub(super) fn spend(&self, work: u64) -> bool {
        let left = self.left.load(Ordering::Relaxed);
        let rest = left.saturating_sub(work);
        self.left.store(rest, Ordering::Relaxed);
        let asks = left == Self::MOST || left / Self::BETWEEN != rest / Self::BETWEEN;
        rest == 0 || (asks && self.is_stopped())
    }

    /// Charges work, or refuses the question.
    pub(super) fn charge(&self, work: u64) -> Result<(), Refusal> {
        if self.spend(work) { Err(self.refusal()) } else { Ok(()) }
    }

    /// Refuses work to come for which too little is left.
    pub(super) fn afford(&self, work: u64) -> Result<(), Refusal> {
        if work < self.left.load(Ordering::Relaxed) { Ok(()) } else { Err(TOO_MUCH) }
    }

    /// Takes up to `most` out of the budget, for a search that counts its work itself.
    pub(super) fn part(&self, most: u64) -> u64 {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(most), Ordering::Relaxed);
        left.min(most)
    }

    /// Whether the caller wants no answer any more.
    pub(super) fn is_stopped(&self) -> bool {
        let stopped = self.stopped.load(Ordering::Relaxed) || (self.stop)();
        self.stopped.store(stopped, Ordering::Relaxed);
        stopped
    }

    /// The reason why the work had to end.
    pub(super) fn refusal(&self) -> Refusal {
        if self.stopped.load(Ordering::Relaxed) { Refusal::Stopped } else { TOO_MUCH }
    }
}

const TOO_MUCH: Refusal = Refusal::TooMuchWork { most: Work::MOST };

/// Ends a run when its work is spent, or on request.
pub(super) struct Limit<'a> {
    work: &'a Work<'a>,
    /// The work of a visit, and the additional work of an update.
    per_visit: u64,
    per_update: u64,
    /// The additional work of a visit for each supporting row of a kernel, of which there are at most as many as updates.
    per_support: u64,
    most_support: u64,
    updates: u64,
    is_over: bool,
    /// Whether a visit was counted since the last poll. Between visits the votes of all examples may be counted.
    has_visited: Cell<bool>,
}

impl<'a> Limit<'a> {
    /// The work of one vote: the training errors of a vote take one for each example and update.
    const VOTE: u64 = 80;

    /// The limit of a run on this many examples and features.
    pub(super) fn new(
        options: &Options,
        (examples, features): (usize, usize),
        work: &'a Work<'a>,
    ) -> Self {
        let (examples, per_visit) = (examples as u64, visit_work(features));
        let learned = match options.kernel {
            // The average and the pocket follow each update.
            None => UPDATES_TO_VISITS * per_visit,
            // Each update of the dual form adds a kernel value to the score of every example.
            Some(_) => examples * score_work(features),
        };
        let is_vote = !options.keep.kept().keeper().is_hyperplane();
        let votes = if is_vote { examples * Self::VOTE } else { 0 };
        Limit {
            work,
            per_visit,
            per_update: learned + votes,
            // A score near 0 is summed again over the supporting rows.
            per_support: if options.kernel.is_some() { EXACT_TERM } else { 0 },
            most_support: examples,
            updates: 0,
            is_over: false,
            has_visited: Cell::new(false),
        }
    }

    /// The limit with more work for each visit, and for each kernel value of its score.
    pub(super) fn with_more(self, per_visit: u64, per_value: u64) -> Self {
        let per_support = if self.per_support > 0 { self.per_support + per_value } else { 0 };
        Limit { per_visit: self.per_visit + per_visit, per_support, ..self }
    }

    /// Counts a visit; returns whether the run must end.
    pub(super) fn visited(&mut self, visit: Visit) -> bool {
        self.has_visited.set(true);
        let mut work = self.per_visit + self.per_support * self.updates.min(self.most_support);
        if visit.updated {
            self.updates += 1;
            work += self.per_update;
        }
        self.spend(work)
    }

    /// Charges work of a visit; returns whether the run must end.
    pub(super) fn spend(&mut self, work: u64) -> bool {
        self.is_over |= self.work.spend(work);
        self.is_over
    }

    /// Whether the run must end although no visit says so.
    pub(super) fn polled(&self) -> ControlFlow<()> {
        let is_stopped = !self.has_visited.replace(false) && self.work.is_stopped();
        if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Refuses a run that was stopped.
    pub(super) fn finished(&self) -> Result<(), Refusal> {
        if self.is_over { Err(self.work.refusal()) } else { Ok(()) }
    }
}

impl Observer for Limit<'_> {
    fn poll(&self) -> ControlFlow<()> {
        self.polled()
    }

    fn visited(&mut self, _: usize, visit: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        if Limit::visited(self, visit) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// How many visits an update takes as long as.
const UPDATES_TO_VISITS: u64 = 4;

/// The work of a term of a sum that may have to be exact.
const EXACT_TERM: u64 = 16;

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
    let of_score = score_work(classifier.features());
    match classifier {
        Classifier::Linear(planes) => of_score.saturating_mul(planes.len() as u64),
        Classifier::Dual(dual) => {
            (of_score + EXACT_TERM).saturating_mul(dual.support.examples.len() as u64)
        }
        Classifier::Voted(voted) => {
            // A vote adds up all its updates for each row.
            of_score.saturating_mul(voted.support.counts.iter().flatten().sum())
        }
    }
}

/// Predicts classes and scores of rows, a few rows at a time, so that the work can end between them.
pub(super) fn predict(
    classifier: &Classifier,
    by: Decision,
    rows: &Rows<'_>,
    work: &Work<'_>,
) -> Result<Predictions, Refusal> {
    /// As many as a vote counts at once.
    const ROWS_AT_ONCE: usize = 8;
    let mut all = Predictions { classes: Vec::new(), scores: Vec::new() };
    let places: Vec<usize> = (0..rows.len()).collect();
    let per_row = row_work(classifier);
    work.afford(per_row.saturating_mul(rows.len() as u64))?;
    for some in places.chunks(ROWS_AT_ONCE) {
        work.charge(per_row.saturating_mul(some.len() as u64))?;
        let predicted =
            classifier.classify(&rows.select(some), by, PredictOptions::default(), true)?;
        all.classes.extend(predicted.classes);
        all.scores.extend(predicted.scores);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_ends_by_itself_or_on_request() {
        let work = Work::new(&|| false);
        assert!(!work.spend(Work::MOST - 1_000) && work.afford(1_000).is_err());
        assert!(work.afford(999).is_ok());
        assert_eq!((work.part(600), work.part(600)), (600, 400));
        assert!(matches!(work.charge(1), Err(Refusal::TooMuchWork { most: Work::MOST })));
        let work = Work::new(&|| true);
        assert!(matches!(work.charge(1), Err(Refusal::Stopped)));
    }

    /// However the work is charged, the caller is asked once for each share of it.
    #[test]
    fn the_caller_is_asked_often() {
        for step in [1, 98, 5_000, 100_000] {
            let asked = AtomicU64::new(0);
            let stop = || {
                asked.fetch_add(1, Ordering::Relaxed);
                false
            };
            let work = Work::new(&stop);
            let steps = 10_000_000 / step;
            (0..steps).for_each(|_| assert!(!work.spend(step)));
            let expected = steps.min(steps * step / Work::BETWEEN);
            assert!(asked.load(Ordering::Relaxed) >= expected, "{step}");
        }
    }
}
