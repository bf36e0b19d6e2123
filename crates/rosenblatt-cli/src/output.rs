//! Results go to standard output, messages to standard error.

mod closed;

use std::io::{self, Write};

use rosenblatt_core::data::beginning;
use serde::Serialize;

pub(crate) use closed::is_closed;

use crate::{error::CliError, text::escaped};

/// Standard output. Every failed write is an error; the standard library instead ignores a descriptor that cannot be
/// written to.
#[cfg(unix)]
pub(crate) type Standard = std::fs::File;
#[cfg(not(unix))]
pub(crate) type Standard = io::StdoutLock<'static>;

/// Opens standard output.
///
/// # Errors
/// [`CliError::Closed`] if the process has none.
pub(crate) fn standard() -> Result<Standard, CliError> {
    if is_closed() {
        return Err(CliError::Closed);
    }
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
    }
    #[cfg(not(unix))]
    Ok(io::stdout().lock())
}

/// Writes `text` to standard output, with all hidden characters escaped.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let lines: Vec<String> = text.split('\n').map(escaped).collect();
    write(&lines.join("\n"))
}

/// Writes one JSON object and a line break to standard output.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), CliError> {
    write(&(serde_json::to_string(value)? + "\n"))
}

fn write(text: &str) -> Result<(), CliError> {
    let mut out = standard()?;
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// The longest message, in characters. Names from files are cut before; this is for lists of them, and for what was typed.
pub(crate) const LONGEST_MESSAGE: usize = 900;

/// Writes `kind: text` to standard error, on one line. Errors of this write are ignored.
pub(crate) fn message(kind: &str, text: &str) {
    let text = escaped(&text.replace('\n', " "));
    let text = beginning(&text, LONGEST_MESSAGE);
    let _ = writeln!(io::stderr(), "{kind}: {text}");
}
