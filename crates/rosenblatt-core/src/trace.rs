//! A run visit by visit, with the numbers that a run by hand has.

use std::{collections::HashSet, ops::ControlFlow};

use crate::{
    data::{Examples, Row, RowError, Values},
    events::{Epoch, Visit},
    hyperplane::Hyperplane,
    kernel::Kernel,
    learner::{BinaryTrainer, Learner, Observer},
    options::{OptionError, Options},
    space::inner_product,
};

/// A visit of an example.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedVisit {
    /// The epoch, counted from 1.
    pub epoch: u64,
    /// The example, counted from 0 as given.
    pub example: usize,
    /// The score before the visit, rounded once.
    pub score: f64,
    /// Whether the example was a mistake.
    pub mistake: bool,
    /// The step with the sign of the example, y·τ; 0 without an update.
    pub step: f64,
    /// The hyperplane after the visit. With a kernel it has no weights.
    pub after: Hyperplane,
    /// The score of the example by the weights after the visit, rounded once.
    pub score_after: f64,
    /// The updates on this example so far: its α in the dual form.
    pub alpha: u64,
}

/// The first visits of a run of one hyperplane.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The hyperplane before the first visit. With a kernel it has no weights.
    pub first: Hyperplane,
    /// The visits, in their order.
    pub visits: Vec<TracedVisit>,
    /// Whether these are all visits of the run.
    pub is_whole: bool,
    /// The change of the bias per unit step.
    pub bias_unit: f64,
}

/// An observer that makes a [`Trace`].
///
/// ```
/// use rosenblatt_core::{options::LectureNotes, data::{Examples, Rows, Sign::{Minus, Plus}}, trace::Tracer, train::train};
/// let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let and = Examples::new(&rows, &[Minus, Minus, Minus, Plus])?;
/// let options = LectureNotes::Lauer.options();
/// let mut tracer = Tracer::new(and, &options, 10)?;
/// train(&and, &options, &mut tracer)?;
/// let trace = tracer.finish()?;
/// let first = &trace.visits[0];
/// assert_eq!((first.score, first.mistake, first.step, first.after.bias), (0.0, true, -1.0, -1.0));
/// assert_eq!((trace.visits.len(), trace.is_whole), (10, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tracer<'a> {
    run: ScoredRun<'a>,
    trace: Trace,
    /// The number of updates on each example.
    alphas: Vec<u64>,
    epoch: u64,
    most_visits: usize,
    most_epochs: u64,
    ends_run: bool,
    failed: Option<RowError>,
}

impl<'a> Tracer<'a> {
    /// Returns an observer of the first `most_visits` visits of a run with these options on these examples. Memory: the weights
    /// after each visit.
    ///
    /// # Errors
    /// [`OptionError`] for given initial weights that do not fit.
    pub fn new(
        examples: Examples<'a>,
        options: &Options,
        most_visits: usize,
    ) -> Result<Self, OptionError> {
        let run = ScoredRun::new(examples, options)?;
        let first = run.shown();
        Ok(Tracer {
            trace: Trace { first, visits: Vec::new(), is_whole: true, bias_unit: 0.0 },
            alphas: vec![0; examples.len()],
            epoch: 1,
            most_visits,
            most_epochs: u64::MAX,
            ends_run: false,
            failed: None,
            run,
        })
    }

    /// Ends the trace after this many epochs.
    #[must_use]
    pub fn epochs(self, most: Option<u64>) -> Self {
        Tracer { most_epochs: most.unwrap_or(u64::MAX), ..self }
    }

    /// Ends the run too, at the first visit that the trace does not have.
    #[must_use]
    pub fn ending_the_run(self) -> Self {
        Tracer { ends_run: true, ..self }
    }

    /// Returns the trace of the finished run.
    ///
    /// # Errors
    /// [`RowError`] for a row that does not fit the options.
    pub fn finish(self) -> Result<Trace, RowError> {
        self.failed.map_or(Ok(self.trace), Err)
    }

    fn visit(
        &mut self,
        example: usize,
        visit: Visit,
        trainer: &BinaryTrainer<'_>,
    ) -> Result<TracedVisit, RowError> {
        let score = self.run.score(example)?;
        if visit.updated {
            self.alphas[example] += 1;
            self.run.support(example);
        }
        self.run.move_to(trainer.learner());
        Ok(TracedVisit {
            epoch: self.epoch,
            example,
            score,
            mistake: visit.mistake,
            step: visit.step,
            after: self.run.shown(),
            score_after: self.run.score(example)?,
            alpha: self.alphas[example],
        })
    }
}

impl Observer for Tracer<'_> {
    fn visited(
        &mut self,
        example: usize,
        visit: Visit,
        trainer: &BinaryTrainer<'_>,
    ) -> ControlFlow<()> {
        if self.trace.visits.len() == self.most_visits || self.epoch > self.most_epochs {
            self.trace.is_whole = false;
            return if self.ends_run { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        }
        self.trace.bias_unit = trainer.learner().bias_unit();
        match self.visit(example, visit, trainer) {
            Ok(visit) => self.trace.visits.push(visit),
            Err(error) => {
                self.failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn epoch_ended(&mut self, epoch: Epoch, _trainer: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.epoch = epoch.number + 1;
        ControlFlow::Continue(())
    }
}

/// The weights of a run as its visits change them, and the scores that they give.
pub struct ScoredRun<'a> {
    examples: Examples<'a>,
    now: Hyperplane,
    /// The support of a kernel model.
    support: Option<Support>,
}

/// The examples with an update, which carry the weights of a kernel model.
struct Support {
    kernel: Kernel,
    /// In the order of their first updates, which is that of the coefficients, each with x·x.
    order: Vec<(usize, f64)>,
    known: HashSet<usize>,
}

impl<'a> ScoredRun<'a> {
    /// Returns the run before its first visit.
    ///
    /// # Errors
    /// [`OptionError`] for given initial weights that do not fit.
    pub fn new(examples: Examples<'a>, options: &Options) -> Result<Self, OptionError> {
        let support = |kernel| Support { kernel, order: Vec::new(), known: HashSet::new() };
        let now = options.first_hyperplane(examples.features())?;
        Ok(ScoredRun { examples, now, support: options.kernel.map(support) })
    }

    /// The present weights; with a kernel the coefficients of the examples with an update.
    pub fn now(&self) -> &Hyperplane {
        &self.now
    }

    /// The number of kernel values of a score.
    pub fn kernel_values(&self) -> usize {
        self.support.as_ref().map_or(0, |support| support.order.len())
    }

    /// The score of an example by the present weights, rounded once.
    ///
    /// # Errors
    /// [`RowError`] for a row that does not fit the weights.
    pub fn score(&self, example: usize) -> Result<f64, RowError> {
        let row = self.examples.get(example).0;
        let Some(Support { kernel, order, .. }) = &self.support else { return self.now.score(row) };
        let own = inner_product(row, row);
        let value = |&(example, square): &(usize, f64)| {
            kernel.value(inner_product(self.examples.get(example).0, row), (square, own))
        };
        let values: Vec<f64> = order.iter().map(value).collect();
        self.now.score(Row::dense(Values::F64(&values)))
    }

    /// Notes an update on an example.
    pub fn support(&mut self, example: usize) {
        if let Some(support) = &mut self.support
            && support.known.insert(example)
        {
            let row = self.examples.get(example).0;
            support.order.push((example, inner_product(row, row)));
        }
    }

    /// Takes the weights of the learner.
    pub fn move_to(&mut self, learner: &Learner) {
        self.now.clone_from(&learner.hyperplane());
        if let Some(support) = &self.support {
            // A learner makes room for an example before it knows whether there will be an update.
            self.now.weights.truncate(support.order.len());
        }
    }

    /// The hyperplane in feature space; with a kernel only its bias.
    fn shown(&self) -> Hyperplane {
        let weights = if self.support.is_some() { Vec::new() } else { self.now.weights.clone() };
        Hyperplane { weights, bias: self.now.bias }
    }
}
