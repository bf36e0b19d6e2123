//! A run that is interrupted after five epochs and resumed from its checkpoint gives the model of an uninterrupted run.
#![allow(clippy::print_stdout)] // a program shows its results

use std::ops::ControlFlow;

use rosenblatt::{Checkpoint, Observer, Perceptron, Result, Rows, Run};

/// Keeps the last checkpoint.
struct LastCheckpoint {
    last: Option<Checkpoint>,
    stop_after: u64,
}

impl Observer for LastCheckpoint {
    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        let checkpoint = make();
        let is_over = checkpoint.epochs() == self.stop_after;
        self.last = Some(checkpoint);
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn main() -> Result<()> {
    let rows = Rows::dense(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
    let labels = [false, true, true, false];
    let perceptron = Perceptron::new().epochs(20);
    let whole = perceptron.fit(&rows, &labels)?;

    let mut kept = LastCheckpoint { last: None, stop_after: 5 };
    perceptron.fit_with(&rows, &labels, Run { observer: Some(&mut kept), ..Run::default() })?;
    let resumed = perceptron.fit_with(
        &rows,
        &labels,
        Run { resume: kept.last.as_ref(), ..Run::default() },
    )?;
    println!("{} epochs, {} updates", resumed.report().epochs, resumed.report().updates);
    assert_eq!(resumed, whole);
    Ok(())
}
