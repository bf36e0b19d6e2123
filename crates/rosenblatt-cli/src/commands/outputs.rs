//! The files that a command writes: checked before any work, written whole or not at all.

use std::path::Path;

use rosenblatt_data::{AtomicFile, Notes};
use rosenblatt_plot::{Figure, Format, render};

use crate::error::CliError;

/// Refuses, before any work, an output that cannot be written or that would replace one of the inputs; `option` names
/// it. Unfinished files that killed commands left of this output are removed.
pub(super) fn prepare(option: &str, output: &Path, inputs: &[&Path]) -> Result<(), CliError> {
    if output == Path::new("-") {
        let message = format!("{option} needs the name of a file, not `-`");
        return Err(CliError::usage(message, "write `./-` for a file called `-`"));
    }
    not_over_input(output, inputs)?;
    rosenblatt_data::prepare(output).map_err(|error| write_error(output, error))
}

/// Refuses an output that would replace one of the inputs.
pub(super) fn not_over_input(output: &Path, inputs: &[&Path]) -> Result<(), CliError> {
    let Ok(target) = output.canonicalize() else { return Ok(()) };
    let same =
        |input: &&&Path| input.is_file() && input.canonicalize().is_ok_and(|path| path == target);
    match inputs.iter().find(same) {
        None => Ok(()),
        Some(input) => Err(CliError::usage(
            format!("{}: the output would replace the input", input.display()),
            "name another file for the output",
        )),
    }
}

/// Refuses an output that would replace labels that were found next to the data.
pub(super) fn not_over_labels(output: Option<&Path>, notes: &Notes) -> Result<(), CliError> {
    match (output, &notes.labels_beside) {
        (Some(path), Some(found)) => not_over_input(path, &[found.as_ref()]),
        _ => Ok(()),
    }
}

/// Writes an output whole or not at all.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    AtomicFile::write(path, bytes).map_err(|error| write_error(path, error))
}

/// Draws a picture and writes it.
pub(super) fn write_picture(
    path: &Path,
    figure: &Figure<'_>,
    format: Format,
) -> Result<(), CliError> {
    let draw_error = |error| CliError::Draw { file: path.display().to_string(), error };
    write(path, &render(figure, format).map_err(draw_error)?)
}

fn write_error(path: &Path, error: std::io::Error) -> CliError {
    CliError::Write { file: path.display().to_string(), error }
}
