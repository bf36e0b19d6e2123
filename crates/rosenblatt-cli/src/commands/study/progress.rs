//! The progress of a study at the terminal, and Ctrl-C.

use std::{
    io::{IsTerminal, stderr},
    ops::ControlFlow,
};

use indicatif::{ProgressBar, ProgressStyle};
use rosenblatt::study::Watcher;

use crate::interrupt;

/// A bar of runs if standard error is a terminal.
pub(super) struct StudyProgress {
    bar: Option<ProgressBar>,
}

impl StudyProgress {
    pub(super) fn new(quiet: bool, runs: u64) -> Self {
        let template = "run {pos}/{len} {wide_bar} {elapsed}";
        let style =
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let shown = !quiet && stderr().is_terminal();
        StudyProgress { bar: shown.then(|| ProgressBar::new(runs).with_style(style)) }
    }

    /// Removes the bar.
    pub(super) fn end(&self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

impl Watcher for StudyProgress {
    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn run_ended(&self) {
        self.bar.iter().for_each(|bar| bar.inc(1));
    }
}
