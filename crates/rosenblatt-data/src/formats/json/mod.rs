//! JSON: objects or lists as rows, or columns that stand together; see [`shape`] for how a file may be arranged.
//!
//! The columns are the keys of all rows, in the order in which they come, and a cell is the text of its value, as in the
//! same table as CSV; see [`look`]. The keys of an object within another are columns too, as `address.city`. Lists are left
//! out. A regular file is read to its end before its columns are decided; of a stream the first rows decide them.

mod columns;
mod error;
mod look;
mod object;
mod parser;
mod rows;
mod shape;
mod start;

pub use error::JsonProblem;

pub(super) use object::{Member, Value};
pub(super) use rows::LineRows;
pub(super) use start::{Start, counted, open_training};

use super::effects::Traits;
use super::format::{Counted, FileFormat, Input};
use crate::{
    input::{reader::Reader, source::Source, text::without_mark},
    options::{FormatKind, ReadOptions},
    read_error::ReadError,
    table::{batch::LabelUse, schema::Schema},
};

impl FormatKind {
    /// JSON Lines, or a JSON list of objects.
    pub const JSON: Self = FormatKind::new("json");
}

pub(super) struct Json;

impl FileFormat for Json {
    fn kind(&self) -> FormatKind {
        FormatKind::JSON
    }

    fn traits(&self) -> Traits {
        Traits {
            noun: "JSON data",
            is_text: true,
            has_separators: false,
            has_first_row: false,
            has_columns: true,
            has_spellings: true,
            has_missing_texts: true,
            has_indices: false,
        }
    }

    fn endings(&self) -> &'static [&'static str] {
        &["json", "jsonl", "ndjson"]
    }

    /// An object with a key, or a list of objects or lists, with blanks in between.
    fn detect(&self, source: &mut Source, is_chosen: bool) -> Result<bool, ReadError> {
        const START: usize = 64;
        if is_chosen {
            return Ok(true);
        }
        let start = source.peek(START)?;
        let mut marks = without_mark(&start).iter().filter(|byte| !byte.is_ascii_whitespace());
        Ok(match (marks.next(), marks.next()) {
            (Some(b'{'), second) => matches!(second, None | Some(b'"' | b'}')),
            (Some(b'['), second) => matches!(second, None | Some(b'{' | b'[')),
            _ => false,
        })
    }

    fn counted(&self, input: Input, options: &ReadOptions) -> Result<Option<Counted>, ReadError> {
        counted(Start::new, input, options)
    }

    fn open_training(&self, input: Input, options: &ReadOptions) -> Result<Reader, ReadError> {
        open_training(Start::new, input, options)
    }

    fn open_model(
        &self,
        input: Input,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Reader, ReadError> {
        Start::new(input)?.open_model("JSON", options, schema, labels)
    }
}
