//! The interface of observers of a run.

use std::{convert::identity, ops::ControlFlow};

use super::{BinaryTrainer, Checkpoint};
use crate::events::{Epoch, Visit};

/// Observes a run and can stop it after any example by returning [`ControlFlow::Break`].
///
/// A run that ends anyway keeps its own reason: a break after the last visit of an epoch without mistakes still reports
/// convergence. An epoch is complete after its last visit, even if an observer breaks then. The observer is notified of
/// its end, held-out examples are evaluated, and its checkpoint is offered.
///
/// `()` observes nothing, and neither does `None`. [`EpochFn`] turns a closure into an observer. A pair of observers is one that
/// calls both, for visits too if one of them [watches](Self::watches_visits) them. The run ends when one of them ends it.
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

/// Forwards every call to each part. The run ends when one of them ends it.
macro_rules! forward_observer {
    ([$($generics:tt)*] $kind:ty, $own:pat => $($part:expr),+) => {
        #[allow(irrefutable_let_patterns)] // only an `Option` may have no part
        impl<$($generics)*> Observer for $kind {
            fn watches_visits(&self) -> bool {
                let $own = self else { return false };
                [$($part.watches_visits()),+].contains(&true)
            }

            fn poll(&self) -> ControlFlow<()> {
                let $own = self else { return ControlFlow::Continue(()) };
                [$($part.poll()),+].into_iter().try_for_each(identity)
            }

            fn visited(
                &mut self,
                example: usize,
                visit: Visit,
                trainer: &BinaryTrainer<'_>,
            ) -> ControlFlow<()> {
                let $own = self else { return ControlFlow::Continue(()) };
                [$($part.visited(example, visit, trainer)),+].into_iter().try_for_each(identity)
            }

            fn epoch_ended(
                &mut self,
                epoch: Epoch,
                trainer: &BinaryTrainer<'_>,
            ) -> ControlFlow<()> {
                let $own = self else { return ControlFlow::Continue(()) };
                [$($part.epoch_ended(epoch, trainer)),+].into_iter().try_for_each(identity)
            }

            fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
                let $own = self else { return ControlFlow::Continue(()) };
                [$($part.checkpoint(make)),+].into_iter().try_for_each(identity)
            }
        }
    };
}
forward_observer!([O: Observer + ?Sized] &mut O, own => (**own));
forward_observer!([O: Observer + ?Sized] Box<O>, own => (**own));
forward_observer!([O: Observer] Option<O>, Some(own) => (*own));
forward_observer!([A: Observer, B: Observer] (A, B), (one, other) => (*one), (*other));

/// An observer that calls a closure after each epoch.
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
