//! One file for each command, and the files that several of them share.

mod check;
mod compare;
mod completions;
mod distances;
mod evaluate;
mod explanations;
mod export;
mod few_weights;
mod guarantee;
mod inputs;
mod lab;
mod models;
mod notes;
mod options;
mod outputs;
mod pack;
mod plot;
mod predict;
mod predicted_rows;
mod preparation;
mod probabilities;
mod radius;
mod rates;
mod row_cells;
mod search;
mod separable;
mod show;
mod study;
mod theorem;
mod thresholds;
mod train;

use std::process::ExitCode;

use crate::{args::Command, error::CliError, interrupt, output};

/// Runs the command and returns its exit code.
pub(crate) fn run(command: Command) -> Result<ExitCode, CliError> {
    interrupt::install();
    if command.prints() && output::is_closed() {
        return Err(CliError::Closed);
    }
    rosenblatt_data::report_cut_off_files();
    let done = match command {
        Command::Separable(arguments) => return separable::run(&arguments),
        Command::Check(arguments) => return check::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Pack(arguments) => pack::run(&arguments),
        Command::Study(arguments) => study::run(&arguments),
        Command::Plot(arguments) => plot::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Lab(arguments) => lab::run(*arguments),
        Command::Completions(arguments) => completions::completions(&arguments),
        Command::Man(arguments) => completions::man(&arguments),
    };
    done.map(|()| ExitCode::SUCCESS)
}
