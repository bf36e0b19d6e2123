//! Those who watch a run: progress, history, the page.

use std::ops::ControlFlow;

use super::{Checkpoint, Pupil, Visit};

/// What an epoch has come to so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u64,
    /// Examples visited.
    pub visits: u64,
    /// Mistakes on them, of all hyperplanes.
    pub mistakes: u64,
    /// Updates, of all hyperplanes.
    pub updates: u64,
}

impl Epoch {
    pub(super) fn count(&mut self, visit: Visit) {
        self.visits += u64::from(visit.hyperplane == 0);
        self.mistakes += u64::from(visit.mistake);
        self.updates += u64::from(visit.updated);
    }
}

/// Sees a run go by, and may stop it after any example by returning [`ControlFlow::Break`].
///
/// A run that is over anyway ends for its own reason: one that breaks after the last visit of an epoch without a
/// mistake has converged. An epoch whose last visit was made is whole, whoever broke in it or after it: the observer
/// is told of its end, examples held out are examined, and its checkpoint is offered.
///
/// `()` is the observer that sees nothing; it costs nothing.
pub trait Observer {
    /// Whether [`visited`](Self::visited) does anything. Where it does not, visits that change nothing are counted
    /// without being shown.
    fn watches_visits(&self) -> bool {
        true
    }

    /// Whether the run is to end as if a visit had been answered with [`ControlFlow::Break`]. Asked between examples,
    /// at least once every 1024 visits of a hyperplane and at the end of an epoch, also where visits are not
    /// [watched](Self::watches_visits), and while the votes of all examples are counted for the report, which
    /// is then [`TrainError::Stopped`](super::TrainError::Stopped); it must be quick.
    #[inline]
    fn wants_stop(&self) -> bool {
        false
    }

    /// Example `example` (from 0, as given) was visited by hyperplane `visit.hyperplane`; `pupil` is in
    /// the state after it.
    #[inline]
    fn visited(&mut self, example: usize, visit: Visit, pupil: &Pupil<'_>) -> ControlFlow<()> {
        let _ = (example, visit, pupil);
        ControlFlow::Continue(())
    }

    /// A whole epoch is over; `pupil` is that of the first hyperplane.
    fn epoch_ended(&mut self, epoch: Epoch, pupil: &Pupil<'_>) -> ControlFlow<()> {
        let _ = (epoch, pupil);
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
