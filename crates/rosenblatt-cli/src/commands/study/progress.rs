//! The progress of a study at the terminal, and Ctrl-C.

use std::ops::ControlFlow;

use indicatif::ProgressBar;
use rosenblatt::study::Watcher;

use crate::{interrupt, progress::bar_of};

/// A bar of runs.
pub(super) struct StudyProgress {
    bar: ProgressBar,
}

impl StudyProgress {
    pub(super) fn new(quiet: bool, runs: u64) -> Self {
        StudyProgress { bar: bar_of("run", runs, quiet) }
    }

    /// Removes the bar.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watcher for StudyProgress {
    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn run_ended(&self) {
        self.bar.inc(1);
    }
}
