//! One room a command.

mod evaluate;
mod notes;
mod plot;
mod predict;
mod show;
mod train;

use crate::{args::Command, failure::Failure, interrupt};

/// Runs the command.
pub(crate) fn run(command: Command) -> Result<(), Failure> {
    interrupt::install();
    match command {
        Command::Train(arguments) => train::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Plot(arguments) => plot::run(&arguments),
    }
}
