//! Workbooks of Excel (.xlsx): a sheet is read as the table of text that it would be saved as.
//!
//! It is the first sheet in which several rows have several cells or, without such, any, or the one that is named after the file: `data.xlsx#Sheet2`. The value of a formula is the
//! one that is stored; nothing is computed. An error such as `#N/A` is a missing value, a date is text as in 2024-01-31. Only
//! with the feature `columnar`.

#[cfg(feature = "columnar")]
mod archive;
#[cfg(feature = "columnar")]
mod sheet;

#[cfg(not(feature = "columnar"))]
use not_built::table;
#[cfg(feature = "columnar")]
use sheet::table;

use rosenblatt_core::data::excerpt;

use super::{
    csv::CSV,
    effects::Traits,
    format::{Counted, FileFormat, FoundBy, Input},
};
use crate::{
    fault::FormatProblem,
    input::{reader::Reader, source::Source},
    not_text::NotText,
    options::{Delimiter, FormatKind, ReadOptions},
    read_error::ReadError,
    table::{batch::LabelUse, schema::Schema},
};

impl FormatKind {
    /// Excel's workbooks.
    pub const XLSX: Self = FormatKind::new("xlsx");
}

/// A problem of a workbook.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorkbookProblem {
    /// The reader is not in this program.
    #[error(
        "this is an Excel workbook (.xlsx), and this program was built without the reader for it"
    )]
    NotBuilt,
    /// The bytes do not follow the format.
    #[error("an Excel workbook (.xlsx) that is damaged: {}", excerpt(.message))]
    Damaged {
        /// The message of the decoder.
        message: String,
    },
    /// More than a workbook may have.
    #[error("the workbook has more than {} MiB of {what}", .most >> 20)]
    TooLarge {
        /// The most bytes.
        most: u64,
        /// What has them, in words.
        what: &'static str,
    },
    /// No sheet has a cell.
    #[error("no sheet of the workbook has a cell")]
    NoCells,
    /// There is no sheet of this name.
    #[error("no sheet `{name}`; the sheets are {sheets}", name = excerpt(.name))]
    NoSheet {
        /// The name.
        name: String,
        /// The names of all sheets.
        sheets: String,
    },
}

impl WorkbookProblem {
    fn of(self, file: &str) -> ReadError {
        ReadError::Format { file: file.to_owned(), problem: FormatProblem::new(self) }
    }
}

/// A sheet as a table of text.
struct SheetTable {
    /// The rows, with commas between cells. Each row of the sheet begins a line.
    text: Vec<u8>,
    /// What was read, in words, if there are several sheets.
    words: Option<String>,
}

pub(super) struct Workbook;

impl FileFormat for Workbook {
    fn kind(&self) -> FormatKind {
        FormatKind::XLSX
    }

    fn traits(&self) -> Traits {
        Traits {
            noun: "workbooks",
            is_text: false,
            has_separators: false,
            has_first_row: true,
            has_columns: true,
            has_spellings: true,
            has_missing_texts: true,
            has_indices: false,
        }
    }

    fn endings(&self) -> &'static [&'static str] {
        &["xlsx", "xlsm"]
    }

    fn detect(&self, source: &mut Source, is_chosen: bool) -> Result<bool, ReadError> {
        const START: usize = 1 << 12;
        Ok(is_chosen || NotText::of(&source.peek(START)?) == Some(NotText::Workbook))
    }

    fn counted(&self, input: Input, options: &ReadOptions) -> Result<Option<Counted>, ReadError> {
        CSV.counted(sheet_of(input)?.0, &of_sheet(options))
    }

    fn open_training(&self, input: Input, options: &ReadOptions) -> Result<Reader, ReadError> {
        let (input, words) = sheet_of(input)?;
        Ok(CSV.open_training(input, &of_sheet(options))?.with_arrangement(words))
    }

    fn open_model(
        &self,
        input: Input,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Reader, ReadError> {
        let (input, words) = sheet_of(input)?;
        let reader = CSV.open_model(input, &of_sheet(options), schema, labels)?;
        Ok(reader.with_arrangement(words))
    }
}

/// The sheet as text, and what it is in words.
fn sheet_of(input: Input) -> Result<(Input, Option<String>), ReadError> {
    let Input { source, found_by, counted } = input;
    let file = source.name.clone();
    if let Some(labels) = source.labels {
        return Err(ReadError::UnusedLabels { file, labels: labels.name });
    }
    let SheetTable { text, words } =
        table(source.bytes, source.sheet.as_deref()).map_err(|problem| problem.of(&file))?;
    let by_bytes = (found_by == FoundBy::FirstBytes).then(|| "an Excel workbook".to_owned());
    let source = Source::text(&file, text);
    Ok((Input { source, found_by: FoundBy::FileName, counted }, words.or(by_bytes)))
}

fn of_sheet(options: &ReadOptions) -> ReadOptions {
    let delimiter = Some(Delimiter::Byte(b','));
    ReadOptions { delimiter, quote: Some(b'"'), ..options.clone() }
}

#[cfg(not(feature = "columnar"))]
mod not_built {
    //! The stand-in for the reader in a program that was built without it.

    use std::io::Read;

    use super::{SheetTable, WorkbookProblem};

    pub(super) fn table(
        _: Box<dyn Read + Send>,
        _: Option<&str>,
    ) -> Result<SheetTable, WorkbookProblem> {
        Err(WorkbookProblem::NotBuilt)
    }
}
