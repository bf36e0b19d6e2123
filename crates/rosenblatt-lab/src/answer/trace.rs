//! The observer of a run: it ends the run in time and records the visits of a window.

use std::ops::{ControlFlow, Range};

use rosenblatt_core::{
    data::{Examples, RowError},
    keep::{self, Keeper, Pocket},
    space::Hyperplane,
    trace::ScoredRun,
    train::{BinaryTrainer, Learner, Observer, Options, Visit},
};
use serde::{Serialize, Serializer};

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
    /// For each visit: the example, its score before any update and after it (rounded once), whether it was a mistake,
    /// and the signed step.
    examples: Vec<usize>,
    scores: Vec<Score>,
    scores_after: Vec<Score>,
    mistakes: Vec<bool>,
    steps: Vec<f64>,
    /// The weights before the first visit and after each visit, in feature space, as far as there are any.
    #[serde(flatten, serialize_with = "by_name")]
    kept: Vec<KeptWeights>,
    /// The precisions of the last weights, likewise, for a second-order rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    precisions: Option<Vec<WeightList>>,
}

/// The weights of a window that a run keeps in one way.
type KeptWeights = (&'static Keeper, Vec<Option<WeightList>>);

fn by_name<S: Serializer>(kept: &[KeptWeights], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(kept.iter().map(|(keeper, weights)| (keeper.name, weights)))
}

/// The work of a kernel value for the score of a recorded visit.
pub(super) const VALUE: u64 = 128;

/// The observer of a run for the page.
pub(super) struct Recorder<'a> {
    run: ScoredRun<'a>,
    until: u64,
    limit: Limit<'a>,
    window: Range<u64>,
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
            run: ScoredRun::new(examples, options)?,
            until: until.unwrap_or(u64::MAX),
            limit: Limit::new(options, (examples.len(), examples.features()), work),
            window: 0..0,
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
            let lines = keep::ALL.into_iter().filter(|keeper| keeper.is_hyperplane());
            self.trace.kept = lines.map(|keeper| (keeper, Vec::new())).collect();
        }
        let precision = options.update.first_precision();
        self.trace.precisions = precision.map(|_| Vec::new());
        if window.start == 0 && !window.is_empty() {
            self.record_first(precision);
        }
        self.window = window;
        self
    }

    /// Records the weights and their precisions before the first visit.
    fn record_first(&mut self, precision: Option<f64>) {
        let weights = WeightList::from(self.run.now());
        for (keeper, list) in &mut self.trace.kept {
            // There is no mean before a visit.
            list.push((!keeper.is_mean()).then(|| weights.clone()));
        }
        if let (Some(list), Some(precision)) = (&mut self.trace.precisions, precision) {
            list.push(WeightList(vec![precision; weights.0.len()]));
        }
    }

    /// Refuses a run that was stopped.
    pub(super) fn finished(&mut self) -> Result<(), Refusal> {
        self.failed.take().map_or(Ok(()), Err)?;
        self.limit.finished()
    }

    /// Follows a visit, and records it in the window.
    fn follow(&mut self, example: usize, visit: Visit, learner: &Learner) -> Result<(), RowError> {
        let is_recorded = self.window.contains(&self.visits);
        if is_recorded {
            self.trace.examples.push(example);
            self.trace.mistakes.push(visit.mistake);
            self.trace.steps.push(visit.step);
            let score = self.score(example)?;
            self.trace.scores.push(score);
        } else if self.visits < self.window.start {
            self.trace.mistakes_before += u64::from(visit.mistake);
            self.trace.updates_before += u64::from(visit.updated);
        }
        if visit.updated {
            self.counts[example] += 1;
            self.run.support(example);
            self.run.move_to(learner);
        }
        if is_recorded {
            let score = self.score(example)?;
            self.trace.scores_after.push(score);
        }
        Ok(())
    }

    /// The score of an example by the present weights.
    fn score(&mut self, example: usize) -> Result<Score, RowError> {
        self.limit.spend(VALUE * self.run.kernel_values() as u64);
        Ok(self.run.score(example)?.into())
    }

    fn record_weights(&mut self, trainer: &BinaryTrainer<'_>) {
        for (keeper, list) in &mut self.trace.kept {
            list.push(match keeper {
                mean if mean.is_mean() => average(trainer.learner(), mean),
                present if present.is_present() => Some(self.run.now().into()),
                _ => Some(trainer.pocket().map_or(self.run.now(), Pocket::best).into()),
            });
        }
        if let (Some(list), Some(now)) =
            (&mut self.trace.precisions, trainer.learner().precisions())
        {
            list.push(WeightList(now.weights.iter().copied().chain([now.bias]).collect()));
        }
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
        if let Err(error) = self.follow(example, visit, trainer.learner()) {
            self.failed = Some(error);
            return ControlFlow::Break(());
        }
        self.visits += 1;
        self.bias_unit = trainer.learner().bias_unit();
        let recorded = self.window.start..=self.window.end;
        if recorded.contains(&self.visits) && !self.window.is_empty() {
            self.record_weights(trainer);
        }
        let over = self.limit.visited(visit) || self.visits >= self.until;
        if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn average(learner: &Learner, mean: &Keeper) -> Option<WeightList> {
    learner.mean(mean.kept)?.ok().as_ref().map(WeightList::from)
}
