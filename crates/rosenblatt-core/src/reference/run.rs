//! The loop over the epochs of a run, and its history.

use super::{Example, Settings, rule};
use crate::{exact::Accumulator, hyperplane::Hyperplane, rules::Update};

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
    /// The number of mistakes of each epoch.
    pub mistakes: Vec<u64>,
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
        self.mistakes.clone()
    }

    /// The hyperplane at the end.
    pub fn last(&self) -> &Hyperplane {
        self.visits().last().map_or(&self.first, |visit| &visit.after)
    }
}

/// Chooses the example that an epoch (from 1) of the order `mistaken` visits, of its mistakes.
pub type Choose<'c> = &'c dyn Fn(u64, &[usize]) -> usize;

/// The examples that the epochs visit.
pub(super) enum Orders<'o> {
    /// All of them, in an order for each epoch.
    All(&'o [Vec<usize>]),
    /// One of the mistakes of the weights as they are, in at most this many epochs.
    Mistaken(u64, Choose<'o>),
}

impl Orders<'_> {
    /// The maximum number of epochs.
    fn epochs(&self) -> u64 {
        match self {
            Orders::All(orders) => orders.len() as u64,
            Orders::Mistaken(epochs, _) => *epochs,
        }
    }

    /// The visits of epoch `number`; by the order `mistaken` also the number of its mistakes.
    fn visits(
        &self,
        number: u64,
        examples: &[Example],
        now: &Hyperplane,
        settings: &Settings,
    ) -> (Vec<usize>, Option<u64>) {
        match self {
            Orders::All(orders) => (orders[number as usize - 1].clone(), None),
            Orders::Mistaken(_, choose) => {
                let is_mistake = |&i: &usize| {
                    let (score, sign) = (examples[i].score_sign(now), examples[i].sign);
                    rule::is_mistake(settings.mistake, score, sign, settings.zero)
                };
                let mistaken: Vec<usize> = (0..examples.len()).filter(is_mistake).collect();
                let count = mistaken.len() as u64;
                let chosen = (count > settings.allow_mistakes).then(|| choose(number, &mistaken));
                (chosen.into_iter().collect(), Some(count))
            }
        }
    }
}

/// The loop of every run, with the visit of its form. The run ends after a clean epoch, after an epoch with 1 to ε mistakes, or
/// with the last epoch.
pub(super) fn train(
    examples: &[Example],
    first: &Hyperplane,
    settings: &Settings,
    orders: Orders<'_>,
    mut visit: impl FnMut(&[Example], usize, &Hyperplane, &Settings) -> RecordedVisit,
) -> RunHistory {
    let (epochs, mistakes) = (Vec::new(), Vec::new());
    let mut run = RunHistory { first: first.clone(), epochs, mistakes, converged: false };
    let mut now = first.clone();
    for number in 1..=orders.epochs() {
        let examples = &at_epoch(examples, number, settings);
        let (places, counted) = orders.visits(number, examples, &now, settings);
        let mut epoch = Vec::new();
        for i in places {
            let visit = visit(examples, i, &now, settings);
            now = visit.after.clone();
            epoch.push(visit);
        }
        let mistakes = counted.unwrap_or_else(|| mistakes_of(&epoch));
        let is_clean = mistakes == 0 && is_at_rest(&epoch, settings.update);
        run.converged = settings.penalty.is_none() && is_clean;
        run.epochs.push(epoch);
        run.mistakes.push(mistakes);
        if run.converged || (1..=settings.allow_mistakes).contains(&mistakes) {
            break;
        }
    }
    run
}

/// The examples with the learning rates of an epoch.
fn at_epoch(examples: &[Example], number: u64, settings: &Settings) -> Vec<Example> {
    let divisor = settings.divisor(number);
    let with_rate = |example: &Example| Example { rate: example.rate / divisor, ..example.clone() };
    examples.iter().map(with_rate).collect()
}

fn mistakes_of(epoch: &[RecordedVisit]) -> u64 {
    epoch.iter().map(|visit| u64::from(visit.mistake)).sum()
}

/// The margin rule goes on until its margin is reached. The passive-aggressive rules need not: they may approach their
/// margin of 1 without end.
fn is_at_rest(epoch: &[RecordedVisit], update: Update) -> bool {
    update.rule().ends_despite_updates || epoch.iter().all(|visit| visit.step.is_none())
}
