//! Results go to standard output, messages to standard error.

mod closed;

use std::io::{self, Write};

use serde::Serialize;

pub(crate) use closed::is_closed;

use crate::{error::CliError, text::escaped};

/// Standard output. Every write that fails is an error: the standard library's own takes a descriptor that cannot be
/// written to for one that nobody reads.
#[cfg(unix)]
pub(crate) type Standard = std::fs::File;
#[cfg(not(unix))]
pub(crate) type Standard = io::StdoutLock<'static>;

/// Opens standard output.
///
/// # Errors
/// [`CliError::Closed`] where there is none.
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

/// Writes `text` to standard output. Characters from files that are not seen are escaped, whatever part of it they are.
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

/// Writes `kind: text` to standard error, on one line. A standard error that is closed is nobody's
/// loss.
pub(crate) fn message(kind: &str, text: &str) {
    let text = escaped(&text.replace('\n', " "));
    let _ = writeln!(io::stderr(), "{kind}: {text}");
}
