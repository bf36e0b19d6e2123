//! The interface of observers of a run.

use std::ops::ControlFlow;

use super::{BinaryTrainer, Checkpoint};
use crate::events::{Epoch, Visit};

/// Observes a run and can stop it after any example by returning [`ControlFlow::Break`].
///
/// A run that ends anyway keeps its own reason: a break after the last visit of an epoch without mistakes still reports
/// convergence. An epoch is complete after its last visit, even if an observer breaks then. The observer is notified of
/// its end, held-out examples are evaluated, and its checkpoint is offered.
///
/// `()` observes nothing. [`EpochFn`] turns a closure into an observer.
pub trait Observer {
    /// Whether [`visited`](Self::visited) is called. An observer of epochs alone should return `false`. The run is then
    /// faster, because most visits need not be made one by one.
    #[inline]
    fn watches_visits(&self) -> bool {
        true
    }

    /// Called between examples: at least once every 1024 visits of a hyperplane and at the end of an epoch, even if
    /// visits are not [watched](Self::watches_visits). It is also called while the votes of all examples are counted
    /// for the report, where a break returns [`TrainError::Stopped`](super::TrainError::Stopped). It must be fast.
    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after hyperplane `visit.hyperplane` visited example `example` (counted from 0, as given). `trainer` is in
    /// the state after the visit. Classes that are learned together have one visit of each example.
    #[inline]
    fn visited(
        &mut self,
        example: usize,
        visit: Visit,
        trainer: &BinaryTrainer<'_>,
    ) -> ControlFlow<()> {
        let _ = (example, visit, trainer);
        ControlFlow::Continue(())
    }

    /// Called after each complete epoch; `trainer` is that of the first hyperplane.
    fn epoch_ended(&mut self, epoch: Epoch, trainer: &BinaryTrainer<'_>) -> ControlFlow<()> {
        let _ = (epoch, trainer);
        ControlFlow::Continue(())
    }

    /// Called after each complete epoch, even if it ends the run. `make` creates the checkpoint, a copy of all weights.
    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        let _ = make;
        ControlFlow::Continue(())
    }
}

impl Observer for () {
    fn watches_visits(&self) -> bool {
        false
    }
}

/// Forwards every call.
macro_rules! forward_observer {
    ($kind:ty) => {
        impl<O: Observer + ?Sized> Observer for $kind {
            fn watches_visits(&self) -> bool {
                (**self).watches_visits()
            }

            fn poll(&self) -> ControlFlow<()> {
                (**self).poll()
            }

            fn visited(
                &mut self,
                example: usize,
                visit: Visit,
                trainer: &BinaryTrainer<'_>,
            ) -> ControlFlow<()> {
                (**self).visited(example, visit, trainer)
            }

            fn epoch_ended(
                &mut self,
                epoch: Epoch,
                trainer: &BinaryTrainer<'_>,
            ) -> ControlFlow<()> {
                (**self).epoch_ended(epoch, trainer)
            }

            fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
                (**self).checkpoint(make)
            }
        }
    };
}
forward_observer!(&mut O);
forward_observer!(Box<O>);

/// An observer that calls a closure after each epoch.
///
/// ```
/// use rosenblatt::{EpochFn, Perceptron, Rows, Run};
/// use std::ops::ControlFlow;
/// let rows = Rows::dense(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let mut mistakes = Vec::new();
/// let mut observer = EpochFn::new(|epoch| {
///     mistakes.push(epoch.mistakes);
///     if epoch.number == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
/// });
/// let run = Run { observer: Some(&mut observer), ..Run::default() };
/// Perceptron::new().fit_with(&rows, &[false, true, true, false], run)?;
/// assert_eq!(mistakes.len(), 3);
/// # Ok::<(), rosenblatt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EpochFn<F>(F);

impl<F: FnMut(Epoch) -> ControlFlow<()>> EpochFn<F> {
    /// Makes an observer from a closure, which can stop the run.
    pub fn new(f: F) -> Self {
        EpochFn(f)
    }
}

impl<F: FnMut(Epoch) -> ControlFlow<()>> Observer for EpochFn<F> {
    fn watches_visits(&self) -> bool {
        false
    }

    fn epoch_ended(&mut self, epoch: Epoch, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        (self.0)(epoch)
    }
}
