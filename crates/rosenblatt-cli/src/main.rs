//! The command `rosenblatt`: parse the arguments, run, report errors.

mod args;
mod commands;
mod error;
mod exit;
mod hints;
mod interrupt;
mod memory;
mod output;
mod progress;
mod text;

use std::process::ExitCode;

fn main() -> ExitCode {
    match args::parse(std::env::args_os().skip(1).collect()).and_then(commands::run) {
        Ok(code) => code,
        Err(error) => exit::report(&error),
    }
}
