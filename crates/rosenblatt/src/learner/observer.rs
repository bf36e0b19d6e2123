//! The interface of what watches a run: progress, history, the page.

use std::ops::ControlFlow;

use super::{BinaryTrainer, Checkpoint};
use crate::events::{Epoch, Visit};

/// Sees a run go by, and may stop it after any example by returning [`ControlFlow::Break`].
///
/// A run that is over anyway ends for its own reason: one that breaks after the last visit of an epoch without a
/// mistake has converged. An epoch whose last visit was made is whole, whoever broke in it or after it: the observer
/// is told of its end, examples held out are evaluated, and its checkpoint is offered.
///
/// `()` observes nothing. [`EpochFn`] makes an observer of a closure.
pub trait Observer {
    /// Whether [`visited`](Self::visited) is called. An observer that only wants epochs should return `false`: the run is
    /// then faster, because most visits need not be made one by one.
    #[inline]
    fn watches_visits(&self) -> bool {
        true
    }

    /// Called between examples, at least once every 1024 visits of a hyperplane and at the end of an epoch, also where
    /// visits are not [watched](Self::watches_visits), and while the votes of all examples are counted for the report,
    /// where a break gives [`TrainError::Stopped`](super::TrainError::Stopped). It must be quick.
    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Example `example` (from 0, as given) was visited by hyperplane `visit.hyperplane`; `trainer` is in
    /// the state after it.
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

    /// A whole epoch is over; `trainer` is that of the first hyperplane.
    fn epoch_ended(&mut self, epoch: Epoch, trainer: &BinaryTrainer<'_>) -> ControlFlow<()> {
        let _ = (epoch, trainer);
        ControlFlow::Continue(())
    }

    /// A whole epoch is over, and whether the run is; `make` makes the checkpoint to go on from, a copy of all weights.
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

/// Hands every call on.
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

/// An observer made of a closure that is called after each epoch.
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
    /// Makes an observer of a closure, which can stop the run.
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
