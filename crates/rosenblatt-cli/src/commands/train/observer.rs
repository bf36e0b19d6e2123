//! The observer of a run: progress, mistakes on each example, checkpoints.

use std::ops::ControlFlow;

use rosenblatt_core::train::{BinaryTrainer, Checkpoint, Epoch, Observer, Visit};

use super::{checkpoint::CheckpointWriter, traced::WrittenTrace};
use crate::progress::Progress;

/// Shows the progress of a run, counts the mistakes on each example and writes checkpoints, each if it was asked for.
pub(super) struct TrainObserver {
    pub(super) progress: Progress,
    /// Mistakes on each example; empty if they are not counted.
    pub(super) mistakes: Vec<u64>,
    pub(super) checkpoints: CheckpointWriter,
    /// Whether `--trace` is about this run.
    pub(super) traces: bool,
    /// What Ctrl-C does to the run.
    pub(super) ending: Ending,
    /// The trace of the finished run.
    pub(super) trace: Option<WrittenTrace>,
}

/// What Ctrl-C does to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// It ends after the current example, and there is no model.
    Lost,
    /// It ends after the current epoch, and its model is written.
    Kept,
    /// It ended so after this epoch.
    After(u64),
}

impl TrainObserver {
    /// An observer that shows, counts and writes nothing.
    pub(super) fn silent() -> Self {
        TrainObserver {
            progress: Progress::Silent,
            mistakes: Vec::new(),
            checkpoints: CheckpointWriter::default(),
            traces: false,
            ending: Ending::Lost,
            trace: None,
        }
    }
}

impl Observer for TrainObserver {
    #[inline]
    fn watches_visits(&self) -> bool {
        !self.mistakes.is_empty() || self.progress.watches_visits()
    }

    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        if self.ending == Ending::Lost { self.progress.poll() } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn visited(
        &mut self,
        example: usize,
        visit: Visit,
        trainer: &BinaryTrainer<'_>,
    ) -> ControlFlow<()> {
        if visit.mistake
            && let Some(mistakes) = self.mistakes.get_mut(example)
        {
            *mistakes += 1;
        }
        self.progress.visited(example, visit, trainer)
    }

    fn epoch_ended(&mut self, epoch: Epoch, trainer: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.checkpoints.count(epoch);
        let flow = self.progress.epoch_ended(epoch, trainer);
        if self.ending == Ending::Kept { self.progress.poll() } else { flow }
    }

    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        self.checkpoints.write(make, &self.mistakes)
    }
}
