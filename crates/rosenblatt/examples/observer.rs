//! An observer of a run: a closure after each epoch, and an object that sees each visit.
#![allow(clippy::print_stdout)] // a program shows its results

use std::ops::ControlFlow;

use rosenblatt::{BinaryTrainer, EpochFn, Observer, Perceptron, Result, Rows, Run, Visit};

/// Counts the visits that changed the weights, and stops after ten.
struct Updates(u64);

impl Observer for Updates {
    fn visited(&mut self, _: usize, visit: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.0 += u64::from(visit.updated);
        if self.0 == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn main() -> Result<()> {
    let rows = Rows::dense(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
    let labels = [false, true, true, false];

    let mut stop_early = EpochFn::new(|epoch| {
        println!("epoch {}: {} mistakes", epoch.number, epoch.mistakes);
        if epoch.number < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let run = Run { observer: Some(&mut stop_early), ..Run::default() };
    let model = Perceptron::new().fit_with(&rows, &labels, run)?;
    assert_eq!(model.report().epochs, 3);

    let mut updates = Updates(0);
    let run = Run { observer: Some(&mut updates), ..Run::default() };
    let model = Perceptron::new().fit_with(&rows, &labels, run)?;
    assert_eq!(model.report().updates, 10);
    Ok(())
}
