//! Between epochs and examples: Ctrl-C, the history of a run, callbacks, and scikit-learn's `tol`.

use std::{
    cell::{Cell, RefCell},
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pyo3::{exceptions::PyKeyboardInterrupt, prelude::*};
use rosenblatt::{
    data::Rows,
    exact,
    space::Hyperplane,
    train::{BinaryTrainer, Checkpoint, Epoch, LearnerState, Observer, Visit},
};

use crate::hyperplanes::planes;

/// Looks for Ctrl-C now and then. Python's handler for signals runs only when the interpreter is asked.
pub(crate) struct Signals {
    /// The clock is read at every so many calls: rarely where they come quickly.
    every: Cell<u32>,
    calls: Cell<u32>,
    read: Cell<Instant>,
    looked: Cell<Instant>,
    is_raised: Cell<bool>,
    raised: RefCell<Option<PyErr>>,
}

impl Signals {
    /// The time between two looks.
    pub(crate) const PAUSE: Duration = Duration::from_millis(50);
    /// Between two readings of the clock there are at most so many calls, and should be no more than a hundredth
    /// of a second.
    const CALLS: u32 = 64;

    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Signals {
            every: Cell::new(1),
            calls: Cell::new(0),
            read: Cell::new(now),
            looked: Cell::new(now),
            is_raised: Cell::new(false),
            raised: RefCell::new(None),
        }
    }

    /// Whether to stop.
    #[inline]
    pub(crate) fn raised(&self) -> bool {
        let calls = self.calls.get() + 1;
        self.calls.set(calls);
        self.is_raised.get() || (calls >= self.every.get() && self.look())
    }

    /// The same, by the clock.
    #[cold]
    pub(crate) fn look(&self) -> bool {
        let now = Instant::now();
        let is_slow = now - self.read.replace(now) > Self::PAUSE / 5;
        let every = if is_slow { 1 } else { (2 * self.every.get()).min(Self::CALLS) };
        self.every.set(every);
        self.calls.set(0);
        if now - self.looked.get() >= Self::PAUSE {
            self.looked.set(now);
            self.raise(Python::attach(|py| py.check_signals()).err());
        }
        self.is_raised.get()
    }

    fn raise(&self, error: Option<PyErr>) {
        if let Some(error) = error {
            self.is_raised.set(true);
            self.raised.borrow_mut().get_or_insert(error);
        }
    }

    /// What was raised, if anything.
    pub(crate) fn into_error(self) -> Option<PyErr> {
        self.raised.into_inner()
    }

    /// What was raised by somebody who stopped.
    pub(crate) fn or_interrupt(self) -> PyErr {
        self.into_error().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
    }
}

/// scikit-learn's `tol`: the run ends when the mean perceptron loss max(0, −y·s) of an epoch, each taken when
/// its example is visited, has not fallen by `tol` below the best one for `patience` epochs in a row.
pub(crate) struct Tolerance<'r> {
    pub(crate) tol: f64,
    pub(crate) patience: u64,
    pub(crate) rows: &'r Rows<'r>,
    best: f64,
    since: u64,
    sum: f64,
}

impl<'r> Tolerance<'r> {
    pub(crate) fn new(tol: f64, patience: u64, rows: &'r Rows<'r>) -> Self {
        Tolerance { tol, patience, rows, best: f64::INFINITY, since: 0, sum: 0.0 }
    }

    /// Adds the loss of a mistake. The weights are those after its update, so the score of before is the
    /// present one less what the step added.
    fn add(&mut self, example: usize, visit: Visit, trainer: &BinaryTrainer<'_>) {
        let row = self.rows.row(example);
        let learner = trainer.learner();
        let Hyperplane { weights, bias } = learner.hyperplane();
        let added = visit.step * exact::squared_row_norm(row, learner.bias_unit());
        self.sum += (exact::score(weights, *bias, row) - added).abs();
    }

    /// Ends an epoch; whether there is patience for more.
    fn is_patient(&mut self) -> bool {
        let loss = std::mem::take(&mut self.sum) / self.rows.len() as f64;
        self.since = if loss > self.best - self.tol { self.since + 1 } else { 0 };
        self.best = self.best.min(loss);
        self.since < self.patience
    }
}

/// What was counted in each epoch.
#[derive(Default)]
pub(crate) struct History {
    pub(crate) mistakes: Vec<u64>,
    pub(crate) updates: Vec<u64>,
}

/// Why the watch, and not the engine, ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Tolerance,
    Callback,
}

/// Watches a run.
pub(crate) struct Watch<'r> {
    pub(crate) signals: Signals,
    pub(crate) tolerance: Option<Tolerance<'r>>,
    /// Called after every epoch with the mistakes, and with the weights where they are weights of features.
    pub(crate) after_epoch: Option<Py<PyAny>>,
    pub(crate) history: History,
    pub(crate) ended: Option<Ended>,
}

impl Watch<'_> {
    fn call(&mut self, checkpoint: &Checkpoint) -> PyResult<bool> {
        let Some(after_epoch) = &self.after_epoch else { return Ok(false) };
        let mistakes = self.history.mistakes.last().copied().unwrap_or(0);
        Python::attach(|py| {
            let hyperplane = |one: &LearnerState| one.hyperplane.clone();
            let is_linear = checkpoint.mistaken.is_none();
            let weights = is_linear.then(|| {
                planes(py, &checkpoint.standings.iter().map(hyperplane).collect::<Vec<_>>())
            });
            after_epoch.call1(py, (mistakes, weights.transpose()?))?.is_truthy(py)
        })
    }
}

impl Observer for Watch<'_> {
    fn watches_visits(&self) -> bool {
        self.tolerance.is_some()
    }

    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        if self.signals.raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn visited(
        &mut self,
        example: usize,
        visit: Visit,
        trainer: &BinaryTrainer<'_>,
    ) -> ControlFlow<()> {
        if let (Some(tolerance), true) = (&mut self.tolerance, visit.mistake) {
            tolerance.add(example, visit, trainer);
        }
        ControlFlow::Continue(())
    }

    fn epoch_ended(&mut self, epoch: Epoch, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.history.mistakes.push(epoch.mistakes);
        self.history.updates.push(epoch.updates);
        ControlFlow::Continue(())
    }

    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        if self.signals.is_raised.get() {
            // Ctrl-C came with the last visit: nobody is called after it.
            return ControlFlow::Break(());
        }
        if self.after_epoch.is_some() {
            match self.call(&make()) {
                Ok(false) => {}
                Ok(true) => self.ended = Some(Ended::Callback),
                Err(error) => {
                    self.signals.raise(Some(error));
                    return ControlFlow::Break(());
                }
            }
        }
        if self.tolerance.as_mut().is_some_and(|tolerance| !tolerance.is_patient()) {
            self.ended = Some(Ended::Tolerance);
        }
        if self.ended.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
