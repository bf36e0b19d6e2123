//! The observer of a run: Ctrl-C, the counts of each epoch, callbacks, and scikit-learn's `tol`.

use std::ops::ControlFlow;

use pyo3::prelude::*;
use rosenblatt_core::{
    data::Rows,
    model,
    train::{BinaryTrainer, Checkpoint, Epoch, LearnerState, Observer, Visit},
    transforms::Preparation,
};
use rosenblatt_exact as exact;

use crate::{classifier::Classifier, signals::Signals};

/// scikit-learn's `tol`. It ends the run when, for `patience` epochs, the mean loss has not fallen by `tol` below the
/// smallest one. The loss is the perceptron loss max(0, −y·s) at each visit.
pub(crate) struct Tolerance<'r> {
    tol: f64,
    patience: u64,
    rows: &'r Rows<'r>,
    smallest_loss: f64,
    epochs_without_fall: u64,
    loss_sum: f64,
}

impl<'r> Tolerance<'r> {
    pub(crate) fn new(tol: f64, patience: u64, rows: &'r Rows<'r>) -> Self {
        let smallest_loss = f64::INFINITY;
        Tolerance { tol, patience, rows, smallest_loss, epochs_without_fall: 0, loss_sum: 0.0 }
    }

    /// Adds the loss of a mistake. The weights are those after its update, so the step's share of the score is
    /// subtracted.
    fn add(&mut self, example: usize, visit: Visit, trainer: &BinaryTrainer<'_>) {
        let row = self.rows.row(example);
        let learner = trainer.learner();
        let now = learner.hyperplane();
        let added = visit.step * exact::squared_row_norm(row, learner.bias_unit());
        self.loss_sum += (exact::score(&now.weights, now.bias, row) - added).abs();
    }

    /// Ends an epoch, and returns whether the run goes on.
    fn end_epoch(&mut self) -> bool {
        let loss = std::mem::take(&mut self.loss_sum) / self.rows.len() as f64;
        let is_flat = loss > self.smallest_loss - self.tol;
        self.epochs_without_fall = if is_flat { self.epochs_without_fall + 1 } else { 0 };
        self.smallest_loss = self.smallest_loss.min(loss);
        self.epochs_without_fall < self.patience
    }
}

/// Why the observer ended a run.
#[derive(Clone, Copy)]
pub(crate) enum StopCause {
    Tolerance,
    Callback,
}

impl StopCause {
    pub(crate) fn name(self) -> &'static str {
        match self {
            StopCause::Tolerance => "tol",
            StopCause::Callback => "callback",
        }
    }
}

pub(crate) struct TrainObserver<'r> {
    pub(crate) signals: Signals,
    tolerance: Option<Tolerance<'r>>,
    /// Called after each epoch with its mistakes and, in feature space, a classifier with the weights.
    after_epoch: Option<Py<PyAny>>,
    /// The preparation of the rows, for that classifier.
    pub(crate) preparation: Option<&'r Preparation>,
    /// Of each epoch.
    pub(crate) mistakes: Vec<u64>,
    /// Of each epoch.
    pub(crate) updates: Vec<u64>,
    pub(crate) stop_cause: Option<StopCause>,
}

impl<'r> TrainObserver<'r> {
    pub(crate) fn new(tolerance: Option<Tolerance<'r>>, after_epoch: Option<Py<PyAny>>) -> Self {
        let (mistakes, updates) = (Vec::new(), Vec::new());
        let signals = Signals::new();
        let (preparation, stop_cause) = (None, None);
        TrainObserver {
            signals,
            tolerance,
            after_epoch,
            preparation,
            mistakes,
            updates,
            stop_cause,
        }
    }

    /// Calls `after_epoch`, and returns whether it ends the run.
    fn call(&self, after_epoch: &Py<PyAny>, checkpoint: &Checkpoint) -> PyResult<bool> {
        let mistakes = self.mistakes.last().copied().unwrap_or(0);
        Python::attach(|py| {
            let hyperplane = |state: &LearnerState| state.hyperplane.clone();
            let is_linear = checkpoint.mistaken.is_none();
            let classifier = is_linear.then(|| Classifier {
                inner: model::Classifier::Linear(
                    checkpoint.standings.iter().map(hyperplane).collect(),
                ),
                preparation: self.preparation.cloned().unwrap_or_default(),
                calibration: None,
                run: None,
            });
            after_epoch.call1(py, (mistakes, classifier))?.is_truthy(py)
        })
    }
}

impl Observer for TrainObserver<'_> {
    fn watches_visits(&self) -> bool {
        self.tolerance.is_some()
    }

    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        self.signals.poll()
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
        self.mistakes.push(epoch.mistakes);
        self.updates.push(epoch.updates);
        ControlFlow::Continue(())
    }

    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        // Ctrl-C at the last visit of an epoch: no callback runs after it.
        if self.signals.is_raised() {
            return ControlFlow::Break(());
        }
        if let Some(after_epoch) = &self.after_epoch {
            match self.call(after_epoch, &make()) {
                Ok(false) => {}
                Ok(true) => self.stop_cause = Some(StopCause::Callback),
                Err(error) => {
                    self.signals.raise(error);
                    return ControlFlow::Break(());
                }
            }
        }
        if self.tolerance.as_mut().is_some_and(|tolerance| !tolerance.end_epoch()) {
            self.stop_cause = Some(StopCause::Tolerance);
        }
        if self.stop_cause.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
