//! The loop over the epochs of a run, and its history.

use super::{Example, Settings, rule};
use crate::{exact::Accumulator, hyperplane::Hyperplane, update::Update};

/// One visit of an example.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedVisit {
    /// The number of the example, counted from 0.
    pub example: usize,
    /// Whether the visit was a mistake.
    pub mistake: bool,
    /// y·τ, or `None` without an update.
    pub step: Option<f64>,
    /// The hyperplane after the visit.
    pub after: Hyperplane,
}

impl RecordedVisit {
    /// The visit of example `i` before its update: the decisions of the rules, where `square` is ‖x‖².
    pub(super) fn decided(
        examples: &[Example],
        i: usize,
        now: &Hyperplane,
        square: &Accumulator,
        settings: &Settings,
    ) -> Self {
        let example = &examples[i];
        let score = example.score_sign(now);
        let mistake = rule::is_mistake(settings.mistake, score, example.sign, settings.zero);
        let step = rule::step(example, now, square, settings).map(|step| example.sign * step);
        RecordedVisit { example: i, mistake, step, after: now.clone() }
    }
}

/// All visits of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunHistory {
    /// The hyperplane before the first visit.
    pub first: Hyperplane,
    /// The visits of each epoch.
    pub epochs: Vec<Vec<RecordedVisit>>,
    /// Whether the last epoch was clean: no visit of it was a mistake. With the margin rule no visit of it was an
    /// update either.
    pub converged: bool,
}

impl RunHistory {
    /// All visits in order; [`RecordedVisit::after`] gives the sequence w₁, w₂, … for an average or a vote.
    pub fn visits(&self) -> impl Iterator<Item = &RecordedVisit> {
        self.epochs.iter().flatten()
    }

    /// The visits that moved the weights.
    pub fn updates(&self) -> impl Iterator<Item = &RecordedVisit> {
        self.visits().filter(|visit| visit.step.is_some())
    }

    /// The number of mistakes of each epoch.
    pub fn mistakes_per_epoch(&self) -> Vec<u64> {
        self.epochs.iter().map(|epoch| mistakes(epoch)).collect()
    }

    /// The hyperplane at the end.
    pub fn last(&self) -> &Hyperplane {
        self.visits().last().map_or(&self.first, |visit| &visit.after)
    }
}

/// The loop of every run, with the visit of its form. An epoch visits the examples in its order. The run ends after a clean epoch, after an epoch
/// with 1 to ε mistakes, or with the last of the orders.
pub(super) fn train(
    examples: &[Example],
    first: &Hyperplane,
    settings: &Settings,
    orders: &[Vec<usize>],
    mut visit: impl FnMut(&[Example], usize, &Hyperplane, &Settings) -> RecordedVisit,
) -> RunHistory {
    let mut run = RunHistory { first: first.clone(), epochs: Vec::new(), converged: false };
    let mut now = first.clone();
    for order in orders {
        let mut epoch = Vec::new();
        for &i in order {
            let visit = visit(examples, i, &now, settings);
            now = visit.after.clone();
            epoch.push(visit);
        }
        let mistakes = mistakes(&epoch);
        run.converged = settings.penalty.is_none() && is_clean(&epoch, settings.update);
        run.epochs.push(epoch);
        if run.converged || (1..=settings.allow_mistakes).contains(&mistakes) {
            break;
        }
    }
    run
}

fn mistakes(epoch: &[RecordedVisit]) -> u64 {
    epoch.iter().map(|visit| u64::from(visit.mistake)).sum()
}

/// The margin rule goes on until its margin is reached. The passive-aggressive rules need not: they may approach their
/// margin of 1 without end.
fn is_clean(epoch: &[RecordedVisit], update: Update) -> bool {
    let must_rest = !update.rule().ends_despite_updates;
    !epoch.iter().any(|visit| visit.mistake || (must_rest && visit.step.is_some()))
}
