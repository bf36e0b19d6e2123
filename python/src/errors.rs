//! Results of the engine as JSON and its errors as exceptions, for Python.

use std::{
    fmt::Display,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
};

use pyo3::{
    PyErr, PyResult, Python,
    exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError, PyValueError},
};
use rosenblatt_data::{
    Decimal, Header, ModelFileError, Note, NoteJson, ReadError, ReadOptions, Remedy,
};
use serde::Serialize;

use crate::read::{DATES, DECIMALS, ENCODINGS, name_of};

pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A result as JSON, which Python reads.
pub(crate) fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(value_error)
}

fn io_error(message: String, error: &io::Error) -> PyErr {
    match error.kind() {
        io::ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}

/// An error of reading with these options, with the arguments that resolve it.
pub(crate) fn read_error(error: &ReadError, options: &ReadOptions) -> PyErr {
    let message = error.to_string();
    match error {
        ReadError::Open { error, .. } | ReadError::Read { error, .. } => io_error(message, error),
        _ => {
            let arguments = error.remedies().iter().find_map(|remedy| keywords(remedy, options));
            value_error(with_arguments(message, arguments))
        }
    }
}

/// An error of reading by the columns that a model knows, with the arguments about the form of the file that resolve it.
pub(crate) fn read_like_error(error: &ReadError, options: &ReadOptions) -> PyErr {
    let message = error.to_string();
    match error {
        ReadError::Open { error, .. } | ReadError::Read { error, .. } => io_error(message, error),
        _ => {
            let is_of_form = |remedy: &&Remedy| {
                use Remedy::{Comment, Encoding, Header, PlainQuotes, Separator, SkipRows};
                matches!(
                    remedy,
                    Comment(_) | Encoding(_) | Header(_) | PlainQuotes | Separator(_) | SkipRows
                )
            };
            let remedies = error.remedies();
            let mut open = remedies.iter().filter(is_of_form);
            let arguments = open.find_map(|remedy| keywords(remedy, options));
            value_error(with_arguments(message, arguments))
        }
    }
}

/// An error of reading a data frame that was written as plain CSV; `options` are those that can resolve it.
pub(crate) fn frame_error(error: &ReadError, text: &[u8], options: Option<&ReadOptions>) -> PyErr {
    let message = match error {
        ReadError::Data { file, line, problem, .. } => match row_of(text, *line) {
            Some(row) => format!("{file}, row {row}: {problem}"),
            None => format!("{file}: {problem}"),
        },
        error => error.to_string(),
    };
    let remedies = options.map(|options| (options, error.remedies()));
    let arguments = remedies.and_then(|(options, remedies)| {
        let mut of_cells = remedies.iter().filter(|remedy| **remedy != Remedy::SkipRows);
        of_cells.find_map(|remedy| keywords(remedy, options))
    });
    value_error(with_arguments(message, arguments))
}

/// The row, from 0, of plain CSV with a header that is on a line, from 1.
fn row_of(text: &[u8], line: u64) -> Option<usize> {
    let (mut lines, mut rows, mut is_quoted) = (1, 0, false);
    for &byte in text {
        if lines >= line {
            break;
        }
        is_quoted ^= byte == b'"';
        lines += u64::from(byte == b'\n');
        rows += usize::from(byte == b'\n' && !is_quoted);
    }
    rows.checked_sub(1)
}

/// The notes on data that was read with these options, as in the JSON of the command, with the arguments that resolve them.
pub(crate) fn notes_json(notes: &[Note], options: &ReadOptions) -> PyResult<String> {
    let told =
        notes.iter().map(|note| NoteJson::new(note, note.words.clone(), arguments(note, options)));
    json(&told.collect::<Vec<_>>())
}

/// What a note on data that was read with these options says, with the arguments that resolve it.
pub(crate) fn warning(note: &Note, options: &ReadOptions) -> String {
    with_arguments(note.words.clone(), arguments(note, options))
}

/// The arguments that resolve a note.
fn arguments(note: &Note, options: &ReadOptions) -> Option<String> {
    keywords(note.remedy.as_ref()?, options)
}

fn with_arguments(message: String, arguments: Option<String>) -> String {
    match arguments {
        Some(arguments) => format!("{message}; pass `{arguments}`"),
        None => message,
    }
}

/// A remedy as arguments of `read_csv`, or of `read_svmlight`, which has few; `None` if it has them not, or they were given.
fn keywords(remedy: &Remedy, options: &ReadOptions) -> Option<String> {
    let is_table = options.format.is_none_or(|format| format.name() == "csv");
    // `read_csv` sets the format and takes a delimiter.
    let is_open = remedy.is_open(&ReadOptions { format: None, ..options.clone() });
    let suits = match remedy {
        Remedy::SkipRows => true,
        Remedy::ZeroBased => !is_table,
        _ => is_table,
    };
    if !(is_open && suits) {
        return None;
    }
    // A JSON text is a literal of Python.
    let text = |text: &str| serde_json::json!(text).to_string();
    let list = |name: &str, item: &str| Some(format!("{name}=[{}]", text(item)));
    match remedy {
        Remedy::Target(column) => Some(format!("target={}", text(column))),
        Remedy::Encoding(encoding) => {
            Some(format!("encoding={}", text(name_of(*encoding, &ENCODINGS)?)))
        }
        Remedy::Separator(separator) => Some(format!("delimiter={}", text(&separator.to_string()))),
        Remedy::Header(Header::Absent) => Some("header=False".to_owned()),
        Remedy::Header(_) => Some("header=True".to_owned()),
        Remedy::PlainQuotes => Some("no_quotes=True".to_owned()),
        Remedy::Comment(sign) => Some(format!("comment={}", text(&sign.to_string()))),
        Remedy::ZeroBased => Some("zero_based=True".to_owned()),
        Remedy::Text(column) => list("text", column),
        Remedy::Categorical(column) => list("categorical", column),
        Remedy::Ignore(column) => list("ignore", column),
        // A longer cell is not quoted as it is.
        Remedy::MissingValue(text) if text.contains('…') => None,
        Remedy::MissingValue(text) => list("missing_values", text),
        Remedy::FillMissing => Some("missing=\"median\"".to_owned()),
        Remedy::Form { column, form } => {
            let dates = form.dates.and_then(|order| name_of(order, &DATES));
            let decimal = Some(form.decimal).filter(|&decimal| decimal != Decimal::Point);
            let decimal = decimal.and_then(|decimal| name_of(decimal, &DECIMALS));
            let thousands = form.thousands.map(|separator| separator.to_string());
            let words = [
                dates.map(|word| format!("dates={}", text(word))),
                decimal.map(|word| format!("decimal={}", text(word))),
                thousands.map(|word| format!("thousands={}", text(&word))),
                form.unit.as_ref().and_then(|_| list("units", column)),
            ];
            Some(words.into_iter().flatten().collect::<Vec<_>>().join(", "))
        }
        Remedy::SkipRows => Some("on_error=\"skip\"".to_owned()),
        // The rows are left out already; and a reader makes no run.
        Remedy::SkipShare { .. } | Remedy::Run { .. } => None,
    }
}

pub(crate) fn model_file_error(error: ModelFileError) -> PyErr {
    let message = error.to_string();
    match &error {
        ModelFileError::Io { error, .. } => io_error(message, error),
        _ => value_error(message),
    }
}

/// Works without the interpreter. A panic becomes an exception that `except Exception` catches, because another thread
/// can write to borrowed arrays during the work.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    // After a panic, nothing that the work changed is read.
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).unwrap_or_else(|_| {
        let message =
            "the engine failed: its arrays were changed while it worked, or this is a bug in it";
        Err(PyRuntimeError::new_err(message))
    })
}
