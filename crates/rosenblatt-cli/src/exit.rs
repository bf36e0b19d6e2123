//! The end of a command that fails: one `error:` line, at most one `hint:` line, an exit code.

use std::{io::ErrorKind, process::ExitCode};

use crate::{error::CliError, hints::hint, output};

/// An error in the arguments, the data or a file.
const FAILED: u8 = 2;
/// Ctrl-C, as shells report it.
const INTERRUPTED: u8 = 130;

/// Prints the error with its hint and returns the exit code. Help is printed as a result, and a closed
/// pipe is no error: its reader has read enough.
pub(crate) fn report(error: &CliError) -> ExitCode {
    match error {
        CliError::Help(text) => match output::print(text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => report(&error),
        },
        CliError::Output(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        CliError::Interrupted | CliError::InterruptedAfter { .. } => fail(error, INTERRUPTED),
        _ => fail(error, FAILED),
    }
}

fn fail(error: &CliError, code: u8) -> ExitCode {
    output::message("error", &error.to_string());
    if let Some(hint) = hint(error) {
        output::message("hint", &hint);
    }
    ExitCode::from(code)
}
