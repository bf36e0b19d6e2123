//! The interface of a file format.

use std::{path::Path, sync::Arc};

use super::effects::Traits;
use crate::{
    input::{
        reader::Reader,
        source::Source,
        text::{Text, without_mark},
    },
    notes::Notes,
    options::{FormatKind, ReadOptions},
    read_error::ReadError,
    table::{
        batch::LabelUse,
        schema::{Format, Schema},
        survey::Survey,
    },
};

/// A file format.
pub(crate) trait FileFormat: Sync {
    /// The format by its name. Several formats of one name are forms of one format.
    fn kind(&self) -> FormatKind;

    /// The endings of file names, in lower case and without the full stop.
    fn endings(&self) -> &'static [&'static str];

    /// Whether a file of this name has the format. `name` is in lower case and has no ending of a compression.
    fn is_named(&self, name: &str) -> bool {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| self.endings().contains(&ending))
    }

    /// The properties of the format that options speak of.
    fn traits(&self) -> Traits;

    /// Whether files of the format are text.
    fn is_text(&self) -> bool {
        self.traits().is_text
    }

    /// Whether a source has the format. `is_chosen`: options or the name of the file say so; otherwise only first bytes
    /// with which no text begins may decide.
    fn detect(&self, source: &mut Source, is_chosen: bool) -> Result<bool, ReadError> {
        let _ = source;
        Ok(is_chosen)
    }

    /// Whether a line of a text shows beyond doubt that the text has the format.
    fn is_line(&self, line: &[u8]) -> bool {
        let _ = line;
        false
    }

    /// Whether models that were trained on this format remember it as `format`.
    fn is_trained_on(&self, format: &Format) -> bool {
        let _ = format;
        false
    }

    /// The counts of the cells of a whole file to learn from, by which its columns are decided; `None` if they are decided
    /// otherwise.
    fn counted(&self, input: Input, options: &ReadOptions) -> Result<Option<Counted>, ReadError> {
        let _ = (input, options);
        Ok(None)
    }

    /// Opens a file to learn from: every row has a label, and the columns are found out.
    fn open_training(&self, input: Input, options: &ReadOptions) -> Result<Reader, ReadError>;

    /// Opens a file for a model that reads as `schema` says.
    fn open_model(
        &self,
        input: Input,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Reader, ReadError>;
}

/// A source whose format was found.
pub(crate) struct Input {
    pub(super) source: Source,
    pub(super) found_by: FoundBy,
    /// The counts that decide the columns, where the rows are not all of the data.
    pub(super) counted: Option<Arc<Counted>>,
}

/// The columns of data, and the counts of their cells.
pub(crate) struct Counted {
    pub(super) names: Vec<String>,
    pub(super) survey: Survey,
}

/// How the format of a file was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoundBy {
    Options,
    FileName,
    FirstBytes,
    /// The format is the one that the model was trained on.
    Model,
    Lines,
}

impl Input {
    /// The notes of reading, when the format can be told from the schema.
    pub(super) fn notes(&self) -> Notes {
        let format_from_content = matches!(self.found_by, FoundBy::FirstBytes | FoundBy::Lines);
        let table = self.source.noted_encoding.clone().into_iter().collect();
        Notes { format_from_content, table, ..Notes::default() }
    }

    /// The text before its first batch, without a byte order mark.
    pub(super) fn into_text(self) -> Result<Text, ReadError> {
        let notes = self.notes();
        let mut text = Text::new(self.source, notes)?;
        let block = text.first_block()?;
        text.put_back(without_mark(&block).to_vec());
        Ok(text)
    }
}

/// The error of a file whose format is not the one that the model was trained on. `found` is the format in words.
pub(super) fn other_format(file: String, found: &'static str, schema: &Schema) -> ReadError {
    ReadError::OtherFormat { file, found, expected: schema.format.noun() }
}

/// Refuses options that name a column, for a format that has no columns.
pub(super) fn check_no_columns(
    file: &str,
    options: &ReadOptions,
    format: &'static str,
) -> Result<(), ReadError> {
    match options.first_column() {
        None => Ok(()),
        Some(name) => {
            Err(ReadError::NoColumns { file: file.to_owned(), name: name.clone(), format })
        }
    }
}
