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
/// `()` is the observer that sees nothing; it costs nothing.
pub trait Observer {
    /// Whether [`visited`](Self::visited) does anything. Where it does not, visits that change nothing are counted
    /// without being shown.
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
