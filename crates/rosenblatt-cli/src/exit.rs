//! The end of a command that fails: one `error:` line, at most one `hint:` line, an exit code.

use std::{io::ErrorKind, process::ExitCode};

use crate::{error::CliError, hints::hint, output};

/// An error in the arguments, the data or a file.
pub(crate) const FAILED: u8 = 2;
/// Ctrl-C, as shells report it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Prints the error with its hint and returns the exit code. Help is printed as a result, and a closed
/// pipe is no error: its reader has read enough.
pub(crate) fn report(error: &CliError) -> ExitCode {
    match error {
        CliError::Help(text) => match output::print(text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => report(&error),
        },
        CliError::Output(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        CliError::Interrupted
        | CliError::InterruptedAfter { .. }
        | CliError::InterruptedUnwritten { .. }
        | CliError::InterruptedRun { .. }
        | CliError::InterruptedJudging { .. } => fail(error, INTERRUPTED),
        _ => fail(error, FAILED),
    }
}

fn fail(error: &CliError, code: u8) -> ExitCode {
    output::message("error", without_code(&error.to_string()));
    if let Some(hint) = hint(error) {
        output::message("hint", &hint);
    }
    ExitCode::from(code)
}

/// A message without the number that the standard library adds to an error of the system.
fn without_code(message: &str) -> &str {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match message.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (os error ")) {
        Some((words, number)) if is_number(number) => words,
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_number_at_the_end_is_left_out() {
        assert_eq!(without_code("a: Is a directory (os error 21)"), "a: Is a directory");
        for whole in ["a (os error 2).csv: no", "a (os error x)", "(2)"] {
            assert_eq!(without_code(whole), whole);
        }
    }
}
