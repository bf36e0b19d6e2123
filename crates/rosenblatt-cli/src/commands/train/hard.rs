//! The examples that were most often mistaken: outliers, and candidates for a wrong label.

use std::ops::ControlFlow;

use rosenblatt::train::{Checkpoint, Epoch, Observer, Pupil, Visit};
use serde::Serialize;

use super::checkpoint::Journal;
use crate::progress::Progress;

/// Shows the progress of a run, counts the mistakes on each example and writes checkpoints, if asked to.
pub(super) struct Watch {
    pub(super) progress: Progress,
    /// Mistakes on each example; empty when they are not counted.
    pub(super) mistakes: Vec<u64>,
    pub(super) journal: Journal,
}

impl Watch {
    /// Shows and counts nothing.
    pub(super) fn nothing() -> Self {
        Watch { progress: Progress::Silent, mistakes: Vec::new(), journal: Journal::default() }
    }
}

impl Observer for Watch {
    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        self.progress.poll()
    }

    #[inline]
    fn visited(&mut self, example: usize, visit: Visit, pupil: &Pupil<'_>) -> ControlFlow<()> {
        if visit.mistake
            && let Some(mistakes) = self.mistakes.get_mut(example)
        {
            *mistakes += 1;
        }
        self.progress.visited(example, visit, pupil)
    }

    fn epoch_ended(&mut self, epoch: Epoch, pupil: &Pupil<'_>) -> ControlFlow<()> {
        self.progress.epoch_ended(epoch, pupil)
    }

    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        self.journal.write(make, &self.mistakes)
    }
}

/// An example and how often it was mistaken.
#[derive(Serialize)]
pub(super) struct Hard {
    /// Its place in the file, from 1 (rows that were left out do not count).
    pub(super) example: usize,
    /// Its class.
    pub(super) label: String,
    /// On how many visits it was a mistake.
    pub(super) mistakes: u64,
}

/// The `most` examples with the most mistakes, the most first, then in the order of the file. `place`
/// gives an example's place in the file and its class.
pub(super) fn hardest(
    mistakes: &[u64],
    most: usize,
    place: impl Fn(usize) -> (usize, String),
) -> Vec<Hard> {
    let mut order: Vec<usize> = (0..mistakes.len()).filter(|&i| mistakes[i] > 0).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(mistakes[i]));
    let hard = |i: usize| {
        let (example, label) = place(i);
        Hard { example, label, mistakes: mistakes[i] }
    };
    order.into_iter().take(most).map(hard).collect()
}
