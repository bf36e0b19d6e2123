//! The progress of a run at the terminal (a bar, lines or nothing), and Ctrl-C.

use std::{
    io::{IsTerminal, Write},
    ops::ControlFlow,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use rosenblatt_core::train::{BinaryTrainer, Checkpoint, Epoch, Observer, Visit};

use crate::interrupt;

/// A bar of parts of the work that end one by one, such as the folds; hidden if it is quiet or standard error is no terminal.
pub(crate) fn bar_of(what: &str, all: u64, quiet: bool) -> ProgressBar {
    bar(&format!("{what} {{pos}}/{{len}} {{wide_bar}} {{elapsed}}"), all, quiet)
        .unwrap_or_else(ProgressBar::hidden)
}

/// A sign of work whose end is not known, with the seconds that it has taken.
pub(crate) fn waiting(what: &str, quiet: bool) -> ProgressBar {
    let Some(bar) = bar(&format!("{what} {{spinner}} {{elapsed}}"), 0, quiet) else {
        return ProgressBar::hidden();
    };
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The rows that were read so far, of a file that is longer than one sees.
pub(crate) fn rows_read(quiet: bool) -> ProgressBar {
    bar("{human_pos} rows {elapsed}", 0, quiet).unwrap_or_else(ProgressBar::hidden)
}

/// A bar on a terminal.
fn bar(template: &str, all: u64, quiet: bool) -> Option<ProgressBar> {
    if quiet || !std::io::stderr().is_terminal() {
        return None;
    }
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    Some(ProgressBar::new(all).with_style(style))
}

/// The form of the progress.
pub(crate) enum Progress {
    /// Nothing.
    Silent,
    /// A bar of epochs, on a terminal.
    Bar(ProgressBar),
    /// A line after 1, 2, 4, 8, … examples (`--progress`).
    Lines(Lines),
}

impl Progress {
    /// Returns lines if they were asked for, else a bar if standard error is a terminal.
    pub(crate) fn new(quiet: bool, lines: bool, epochs: u64) -> Self {
        if lines {
            return Progress::Lines(Lines::begin());
        }
        let bar = bar("epoch {pos}/{len} {wide_bar} {msg} {elapsed}", epochs, quiet);
        bar.map_or(Progress::Silent, Progress::Bar)
    }

    /// Continues from a checkpoint of a run over this many examples.
    pub(crate) fn resume(&mut self, start: &Checkpoint, examples: usize) {
        match self {
            Progress::Bar(bar) => bar.set_position(start.epochs()),
            Progress::Lines(lines) => lines.resume(start, examples),
            Progress::Silent => {}
        }
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Progress {
    #[inline]
    fn watches_visits(&self) -> bool {
        matches!(self, Progress::Lines(_))
    }

    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn visited(&mut self, _: usize, visit: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        if let Progress::Lines(lines) = self {
            lines.visited(visit);
        }
        ControlFlow::Continue(())
    }

    fn epoch_ended(&mut self, epoch: Epoch, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        match self {
            Progress::Bar(bar) => {
                bar.set_message(format!("{} mistakes", epoch.mistakes));
                bar.set_position(epoch.number);
            }
            Progress::Lines(lines) => lines.epoch = epoch.number + 1,
            Progress::Silent => {}
        }
        ControlFlow::Continue(())
    }
}

/// Progressive error: the share of examples that the weights misclassified before they learned from them.
pub(crate) struct Lines {
    epoch: u64,
    visits: u64,
    mistakes: u64,
    next: u64,
    since: (u64, u64),
}

impl Lines {
    fn begin() -> Self {
        let _ = writeln!(
            std::io::stderr(),
            "{:>12} {:>8} {:>12} {:>10} {:>10}",
            "examples",
            "epoch",
            "mistakes",
            "rate",
            "since last"
        );
        Lines { epoch: 1, visits: 0, mistakes: 0, next: 1, since: (0, 0) }
    }

    fn resume(&mut self, start: &Checkpoint, examples: usize) {
        let in_epoch = (examples as u64).saturating_mul(start.standings.len() as u64);
        // The numbers of the file are not checked yet.
        let visits = start.epochs().saturating_mul(in_epoch).min(1 << 62);
        let mistakes =
            start.mistakes_per_epoch().iter().fold(0u64, |sum, a| sum.saturating_add(*a));
        let since = (visits, mistakes.min(visits));
        let next = (visits + 1).next_power_of_two();
        *self = Lines { epoch: start.epochs() + 1, visits, mistakes: since.1, next, since };
    }

    fn visited(&mut self, visit: Visit) {
        self.visits += 1;
        self.mistakes += u64::from(visit.mistake);
        if self.visits == self.next {
            self.next *= 2;
            self.print();
            self.since = (self.visits, self.mistakes);
        }
    }

    fn print(&self) {
        let rate = |mistakes: u64, visits: u64| mistakes as f64 / visits as f64;
        let (visits, mistakes) = self.since;
        let _ = writeln!(
            std::io::stderr(),
            "{:>12} {:>8} {:>12} {:>10.4} {:>10.4}",
            self.visits,
            self.epoch,
            self.mistakes,
            rate(self.mistakes, self.visits),
            rate(self.mistakes - mistakes, self.visits - visits)
        );
    }
}
