//! Results go to standard output, messages to standard error.

use std::io::{self, Write};

use serde::Serialize;

use crate::{failure::Failure, text::escaped};

/// Writes `text` to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes one JSON object and a line break to standard output.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&(serde_json::to_string(value)? + "\n"))
}

/// Writes `kind: text` to standard error, on one line. A standard error that is closed is nobody's
/// loss.
pub(crate) fn message(kind: &str, text: &str) {
    let text = escaped(&text.replace('\n', " "));
    let _ = writeln!(io::stderr(), "{kind}: {text}");
}
