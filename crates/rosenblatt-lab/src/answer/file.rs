//! A file as a table: names, columns, classes, and the columns that separate best.

use rosenblatt_core::data::Classes;
use rosenblatt_data::{
    CsvProblem, Dataset, Encoding, FormatProblem, Header, NotText, Problem, ReadError, ReadOptions,
    Source, read,
};
use serde::Serialize;

use super::{Refusal, limit::Work, points::at_most};
use crate::{
    base64,
    question::{FileEncoding, FileQuestion, FileText, Points},
    table::{Labels, Table, TableInput, TableValues},
};

/// A file as a table, and what was found out about it.
pub(super) struct FileTable {
    table: Table,
    /// The column of the labels, if columns have names.
    label: Option<String>,
    notes: Vec<String>,
}

/// The answer to a question with a file.
#[derive(Serialize)]
pub(super) struct FileValues<'t> {
    #[serde(flatten)]
    table: TableValues<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'t str>,
    notes: &'t [String],
}

impl FileTable {
    pub(super) fn values(&self) -> FileValues<'_> {
        let label = self.label.as_deref();
        FileValues { table: self.table.values(), label, notes: &self.notes }
    }
}

/// Reads the file of a question.
pub(super) fn read_file(question: FileQuestion, work: &Work<'_>) -> Result<FileTable, Refusal> {
    /// The work of reading a byte, of its cell and of the columns that separate best.
    const BYTE: u64 = 64;
    let bytes = bytes(question.text)?;
    at_most("bytes of the file", bytes.len(), FileQuestion::MOST_BYTES)?;
    work.charge(BYTE * bytes.len() as u64)?;
    at_most("bytes of its name", question.name.len(), FileQuestion::MOST_NAME_BYTES)?;
    let header = match question.header {
        None => Header::Expected,
        Some(true) => Header::Present,
        Some(false) => Header::Absent,
    };
    let max_labels = Some(FileQuestion::MOST_CLASSES);
    let encoding = match question.encoding {
        FileEncoding::Utf8 => None,
        FileEncoding::Latin1 => Some(Encoding::Latin1),
        FileEncoding::Utf16 => Some(Encoding::Utf16),
    };
    let defaults = ReadOptions::default();
    let options = ReadOptions { target: question.label, header, encoding, max_labels, ..defaults };
    let dataset = read(Source::text(&question.name, bytes), &options)?;
    let labels = labels(&dataset, question.positive.as_deref())?;
    let names = dataset.schema.feature_names();
    let (name, rows) = (dataset.file.clone(), &dataset.rows);
    let table = Table::within(Points::MOST_VALUES, TableInput { name, rows, names, labels })?;
    let label = dataset.schema.target().map(str::to_owned);
    let notes = dataset.notes.list(&dataset.schema).into_iter().map(|note| note.words).collect();
    Ok(FileTable { table, label, notes })
}

fn bytes(text: FileText) -> Result<Vec<u8>, Refusal> {
    match text {
        FileText::Text(text) => Ok(text.into_bytes()),
        FileText::Bytes { base64 } => base64::decoded(&base64).ok_or_else(|| Refusal::Mismatch {
            what: "text.base64".to_owned(),
            found: "other characters, or another length".to_owned(),
            expected: "base64 with padding".to_owned(),
        }),
    }
}

/// All classes of a file, with `positive` or the class that the command would choose.
fn labels(dataset: &Dataset, positive: Option<&str>) -> Result<Labels, Refusal> {
    let (two, _) = dataset.classes(positive)?;
    let (all, numbers) = dataset.classes(None)?;
    let chosen = two.positive().and_then(|name| place(&all, name));
    Ok(Labels { classes: all.names().to_vec(), numbers, positive: chosen.unwrap_or(0) })
}

fn place(classes: &Classes, name: &str) -> Option<usize> {
    classes.names().iter().position(|class| class == name)
}

/// Advice for a file that cannot be read, in the words of a page.
pub(super) fn hint(error: &ReadError) -> Option<&'static str> {
    match error {
        ReadError::UnknownFormat { .. } => Some(
            "a table has commas, semicolons, tabs or blanks between its cells; a LIBSVM line is `label index:value …`",
        ),
        ReadError::NoExamples { header: true, .. } => Some(
            "the first line was read as names of columns; read the file without a header if it is an example",
        ),
        ReadError::NoSuchColumn { .. } | ReadError::TooManyLabels { .. } => CHOOSE,
        ReadError::UnclearTarget { .. } | ReadError::QuantityTarget { .. } => CHOOSE,
        ReadError::Format { problem, .. } => of_format(problem),
        ReadError::Data { problem: Problem::Format(problem), .. } => of_format(problem),
        ReadError::Data { problem: Problem::NotUtf8 { .. }, .. } => {
            Some("the encoding “Latin-1” reads text of older Windows programs")
        }
        ReadError::NotText { found, .. } => of_not_text(*found),
        ReadError::Data { problem: Problem::MissingValue { .. }, .. } => MISSING,
        ReadError::Data { problem: Problem::EmptyCell { .. }, .. } => MISSING,
        _ => None,
    }
}

const CHOOSE: Option<&str> = Some("choose the column that holds the classes");
const MISSING: Option<&str> =
    Some("fill the cell or remove the line; the command `rosenblatt` has rules for missing values");

fn of_not_text(found: NotText) -> Option<&'static str> {
    match found {
        NotText::Utf16 => Some("the encoding “UTF-16” reads it"),
        NotText::Workbook | NotText::OldWorkbook => {
            Some("save the sheet as CSV in the spreadsheet program")
        }
        _ => Some("the page reads tables in text; the command `rosenblatt lab` reads more formats"),
    }
}

fn of_format(problem: &FormatProblem) -> Option<&'static str> {
    match problem.downcast_ref()? {
        CsvProblem::HeaderIsNumber { .. } | CsvProblem::HeaderIsValue { .. } => {
            Some("read the file without a header if its first line is an example")
        }
        CsvProblem::RaggedRow { .. } | CsvProblem::SeparatorAtEnd { .. } | CsvProblem::EmptyRow => {
            Some("each line needs as many cells as the first; remove the others")
        }
        _ => None,
    }
}
