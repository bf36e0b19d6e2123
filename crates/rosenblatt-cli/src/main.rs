//! The command `rosenblatt`: parse the arguments, run, say what went wrong.

mod args;
mod commands;
mod failure;
mod hints;
mod interrupt;
mod output;
mod progress;
mod text;

use std::process::ExitCode;

fn main() -> ExitCode {
    match args::parse().and_then(commands::run) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
