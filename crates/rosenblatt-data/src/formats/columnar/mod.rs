//! Files of columns: Parquet, and Arrow IPC as a file or a stream.
//!
//! Such a file is a table whose columns have names and types, so a model that was trained on it reads CSV
//! too, and a table gives an identical model in every format. Only the columns that are needed are read.
//!
//! ```text
//! integers, floats              numbers
//! booleans                      the categories `true` and `false`, as in every other format
//! decimals, dates, times        numbers; a date is the number of days since 1970-01-01
//! text, dictionaries            what the same cells are in CSV: numbers, categories, prose
//! structs                       their fields, as `person.age`
//! lists of equally many         their places, as `at.0`
//! everything else               left out
//! ```
//!
//! Nothing is rounded in silence: an integer that no `f64` is, a null, NaN and infinities are errors at
//! their row and column. A number as a label or category is spelt as Rust spells it: `1`, `1.0`, `true`.
//!
//! The readers need the feature `columnar`; without it such a file is recognised and refused.

#[cfg(feature = "columnar")]
mod arrow;
#[cfg(feature = "columnar")]
mod cells;
#[cfg(feature = "columnar")]
mod convert;
#[cfg(feature = "columnar")]
mod decoding;
#[cfg(feature = "columnar")]
mod deltas;
mod error;
#[cfg(feature = "columnar")]
mod flat;
#[cfg(feature = "columnar")]
mod input;
mod kind;
#[cfg(feature = "columnar")]
mod look;
#[cfg(feature = "columnar")]
mod page_headers;
#[cfg(feature = "columnar")]
mod pages;
#[cfg(feature = "columnar")]
mod table;
#[cfg(feature = "columnar")]
mod thrift;

#[cfg(feature = "columnar")]
pub(super) use decoding::decode;
pub use error::ColumnarProblem;
pub(super) use kind::{ARROW, PARQUET};

use kind::{ARROW_FILE, Columnar};

#[cfg(feature = "columnar")]
use self::table::{counted, for_model, for_training};
use super::effects::Traits;
use super::format::{Counted, FileFormat, Input};
#[cfg(not(feature = "columnar"))]
use not_built::{counted, for_model, for_training};

use crate::{
    input::{reader::Reader, source::Source},
    options::{FormatKind, ReadOptions},
    read_error::ReadError,
    table::{batch::LabelUse, schema::Schema},
};

/// The most bytes that one compressed byte can stand for: a block of zstd has at least 4 bytes and makes at
/// most 2¹⁷ (RFC 8878, sections 3.1.1.2.2 to 3.1.1.2.4), and LZ4 makes less.
#[cfg(feature = "columnar")]
const LARGEST_RATIO: i64 = 1 << 15;

impl FileFormat for Columnar {
    fn kind(&self) -> FormatKind {
        self.kind
    }

    fn endings(&self) -> &'static [&'static str] {
        self.endings
    }

    fn traits(&self) -> Traits {
        Traits {
            noun: "Parquet and Arrow data",
            is_text: false,
            has_separators: false,
            has_first_row: false,
            has_columns: true,
            has_spellings: false,
            has_missing_texts: false,
            has_indices: false,
        }
    }

    fn detect(&self, source: &mut Source, is_chosen: bool) -> Result<bool, ReadError> {
        if is_chosen {
            return Ok(true);
        }
        let start = source.peek(ARROW_FILE.len())?;
        Ok(self.magic.iter().any(|magic| start.starts_with(magic)))
    }

    fn counted(&self, input: Input, options: &ReadOptions) -> Result<Option<Counted>, ReadError> {
        counted(self.opening(input), options)
    }

    fn open_training(&self, input: Input, options: &ReadOptions) -> Result<Reader, ReadError> {
        for_training(self.opening(input), options)
    }

    fn open_model(
        &self,
        input: Input,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Reader, ReadError> {
        for_model(self.opening(input), options, schema, labels)
    }
}

#[cfg(not(feature = "columnar"))]
mod not_built {
    //! The stand-in for the readers in a program that was built without them.

    use super::{error::ColumnarProblem, kind::Opening};
    use crate::{
        formats::format::Counted,
        input::reader::Reader,
        options::ReadOptions,
        read_error::ReadError,
        table::{batch::LabelUse, schema::Schema},
    };

    pub(super) fn counted(
        opening: Opening<'_>,
        options: &ReadOptions,
    ) -> Result<Option<Counted>, ReadError> {
        for_training(opening, options).map(|_| None)
    }

    pub(super) fn for_training(opening: Opening<'_>, _: &ReadOptions) -> Result<Reader, ReadError> {
        Err(ColumnarProblem::NotBuilt { format: opening.format.name }.of(&opening.source.name))
    }

    pub(super) fn for_model(
        opening: Opening<'_>,
        options: &ReadOptions,
        _: &Schema,
        _: LabelUse,
    ) -> Result<Reader, ReadError> {
        for_training(opening, options)
    }
}
