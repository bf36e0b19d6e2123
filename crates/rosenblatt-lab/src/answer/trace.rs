//! The observer of a run: it ends the run in time and records the visits of a window.

use std::{collections::HashSet, ops::ControlFlow, ops::Range};

use rosenblatt::{
    data::{Examples, Row, RowError, Values},
    keep::Pocket,
    space::{Hyperplane, Kernel, inner_product},
    train::{BinaryTrainer, Learner, Observer, Options, Visit},
};
use serde::Serialize;

use super::{
    Refusal,
    limit::{Limit, Work},
    score::Score,
};

/// Weights and bias in one list: w₁, …, w_d, b.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub(super) struct WeightList(Vec<f64>);

impl From<&Hyperplane> for WeightList {
    fn from(plane: &Hyperplane) -> Self {
        WeightList(plane.weights.iter().copied().chain([plane.bias]).collect())
    }
}

/// The visits of a window, one by one.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Trace {
    from: u64,
    /// Updates and mistakes before the first visit.
    updates_before: u64,
    mistakes_before: u64,
    /// For each visit: the example, its score before any update (rounded once), whether it was a mistake,
    /// and the signed step.
    examples: Vec<usize>,
    scores: Vec<Score>,
    mistakes: Vec<bool>,
    steps: Vec<f64>,
    /// The weights before the first visit and after each visit, in feature space.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<Vec<WeightList>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average: Option<Vec<Option<WeightList>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pocket: Option<Vec<WeightList>>,
}

/// The work of a kernel value for the score of a recorded visit.
const VALUE: u64 = 128;

/// The space of the weights.
enum Space {
    Features,
    Kernel(SupportSet),
}

/// The examples that were misclassified, which carry the weights of a kernel model.
struct SupportSet {
    kernel: Kernel,
    /// In the order of their first mistakes, which is that of the coefficients, each with x·x.
    order: Vec<(usize, f64)>,
    known: HashSet<usize>,
}

/// The observer of a run for the page.
pub(super) struct Recorder<'a> {
    examples: Examples<'a>,
    space: Space,
    until: u64,
    limit: Limit<'a>,
    window: Range<u64>,
    /// The weights before the current visit.
    now: Hyperplane,
    pub(super) visits: u64,
    pub(super) bias_unit: f64,
    pub(super) trace: Trace,
    /// The number of updates on each example.
    pub(super) counts: Vec<u64>,
    /// The error that ended the run, if any.
    failed: Option<RowError>,
}

impl<'a> Recorder<'a> {
    /// An observer that ends the run after visit `until`.
    pub(super) fn new(
        examples: Examples<'a>,
        options: &Options,
        until: Option<u64>,
        work: &'a Work<'a>,
    ) -> Result<Self, Refusal> {
        Ok(Recorder {
            examples,
            space: match options.kernel {
                None => Space::Features,
                Some(kernel) => {
                    Space::Kernel(SupportSet { kernel, order: Vec::new(), known: HashSet::new() })
                }
            },
            until: until.unwrap_or(u64::MAX),
            limit: Limit::new(options, (examples.len(), examples.features()), work),
            window: 0..0,
            now: options.first_hyperplane(examples.features())?,
            visits: 0,
            bias_unit: 0.0,
            trace: Trace::default(),
            counts: vec![0; examples.len()],
            failed: None,
        })
    }

    /// Records these visits of a run with these options.
    pub(super) fn recording(mut self, window: Range<u64>, options: &Options) -> Self {
        self.trace.from = window.start;
        if options.kernel.is_none() {
            self.trace.last = Some(Vec::new());
            self.trace.average = Some(Vec::new());
            self.trace.pocket = Some(Vec::new());
        }
        if window.start == 0 && !window.is_empty() {
            let first = WeightList::from(&self.now);
            push(&mut self.trace.last, first.clone());
            push(&mut self.trace.average, None);
            push(&mut self.trace.pocket, first);
        }
        self.window = window;
        self
    }

    /// Refuses a run that was stopped.
    pub(super) fn finished(&mut self) -> Result<(), Refusal> {
        self.failed.take().map_or(Ok(()), Err)?;
        self.limit.finished()
    }

    /// The score of an example by the weights before the visit, rounded once.
    fn score(&self, row: Row<'_>) -> Result<f64, RowError> {
        match &self.space {
            Space::Features => self.now.score(row),
            Space::Kernel(SupportSet { kernel, order, .. }) => {
                let own = inner_product(row, row);
                let value = |&(example, square): &(usize, f64)| {
                    let other = self.examples.get(example).0;
                    kernel.value(inner_product(other, row), (square, own))
                };
                let values: Vec<f64> = order.iter().map(value).collect();
                self.now.score(Row::dense(Values::F64(&values)))
            }
        }
    }

    /// Copies the weights after an update.
    fn update_weights(&mut self, example: usize, learner: &Learner) {
        if let Space::Kernel(support) = &mut self.space
            && support.known.insert(example)
        {
            let row = self.examples.get(example).0;
            support.order.push((example, inner_product(row, row)));
        }
        self.now.clone_from(&learner.hyperplane());
        if let Space::Kernel(support) = &self.space {
            // A learner makes room for an example before it knows whether there will be an update.
            self.now.weights.truncate(support.order.len());
        }
    }

    fn record_visit(&mut self, example: usize, visit: Visit) -> Result<(), RowError> {
        let score = self.score(self.examples.get(example).0)?;
        if let Space::Kernel(support) = &self.space {
            self.limit.spend(VALUE * support.order.len() as u64);
        }
        self.trace.examples.push(example);
        self.trace.scores.push(score.into());
        self.trace.mistakes.push(visit.mistake);
        self.trace.steps.push(visit.step);
        Ok(())
    }

    fn record_weights(&mut self, trainer: &BinaryTrainer<'_>) {
        push(&mut self.trace.last, WeightList::from(&*trainer.learner().hyperplane()));
        push(&mut self.trace.average, average(trainer.learner()));
        let pocket = trainer.pocket().map(Pocket::best);
        push(&mut self.trace.pocket, WeightList::from(pocket.unwrap_or(&self.now)));
    }
}

impl Observer for Recorder<'_> {
    fn poll(&self) -> ControlFlow<()> {
        self.limit.polled()
    }

    fn visited(
        &mut self,
        example: usize,
        visit: Visit,
        trainer: &BinaryTrainer<'_>,
    ) -> ControlFlow<()> {
        if self.window.contains(&self.visits) {
            if let Err(error) = self.record_visit(example, visit) {
                self.failed = Some(error);
                return ControlFlow::Break(());
            }
        } else if self.visits < self.window.start {
            self.trace.mistakes_before += u64::from(visit.mistake);
            self.trace.updates_before += u64::from(visit.updated);
        }
        if visit.updated {
            self.counts[example] += 1;
            self.update_weights(example, trainer.learner());
        }
        self.visits += 1;
        self.bias_unit = trainer.learner().bias_unit();
        if self.visits >= self.window.start
            && self.visits <= self.window.end
            && !self.window.is_empty()
        {
            self.record_weights(trainer);
        }
        let over = self.limit.visited(visit) || self.visits >= self.until;
        if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn average(learner: &Learner) -> Option<WeightList> {
    learner.average()?.ok().as_ref().map(WeightList::from)
}

fn push<T>(list: &mut Option<Vec<T>>, item: T) {
    if let Some(list) = list {
        list.push(item);
    }
}
