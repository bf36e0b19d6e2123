//! Files of columns: Parquet, and Arrow IPC as a file or a stream.
//!
//! Such a file is a table whose columns have names and types, so a model that was trained on it reads CSV
//! too, and a table gives an identical model in every format. Only the columns that are needed are read.
//!
//! ```text
//! integers, floats, booleans    numbers; false is 0 and true is 1
//! text, dictionaries            categories
//! everything else               an error, unless the column is left out
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
mod error;
#[cfg(feature = "columnar")]
mod input;
#[cfg(feature = "columnar")]
mod pages;
#[cfg(feature = "columnar")]
mod table;

pub use error::ColumnarProblem;

#[cfg(feature = "columnar")]
use self::table::{for_model, for_training};
use super::format::{FileFormat, FoundBy, Input};
#[cfg(not(feature = "columnar"))]
use not_built::{for_model, for_training};

use crate::{
    error::ReadError,
    input::{reader::Reader, source::Source},
    notes::Notes,
    options::{FormatKind, ReadOptions},
    table::{batch::LabelUse, schema::Schema},
};

/// The first and last bytes of a Parquet file.
const PARQUET_MAGIC: &[u8] = b"PAR1";
/// The first and last bytes of an Arrow IPC file.
const ARROW_FILE: &[u8] = b"ARROW1";
/// The first bytes of an Arrow IPC stream.
const ARROW_STREAM: &[u8] = b"\xff\xff\xff\xff";

impl FormatKind {
    /// Parquet.
    pub const PARQUET: Self = FormatKind::new("parquet");
    /// Arrow IPC, as a file (also known as Feather) or a stream.
    pub const ARROW: Self = FormatKind::new("arrow");
}

/// One of the two formats.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Columnar {
    kind: FormatKind,
    /// In messages.
    name: &'static str,
    endings: &'static [&'static str],
    /// The first bytes.
    magic: &'static [&'static [u8]],
}

pub(super) static PARQUET: Columnar = Columnar {
    kind: FormatKind::PARQUET,
    name: "a Parquet file",
    endings: &["parquet", "pq"],
    magic: &[PARQUET_MAGIC],
};
pub(super) static ARROW: Columnar = Columnar {
    kind: FormatKind::ARROW,
    name: "an Arrow file",
    endings: &["arrow", "arrows", "feather", "ipc"],
    magic: &[ARROW_FILE, ARROW_STREAM],
};

impl FileFormat for Columnar {
    fn kind(&self) -> FormatKind {
        self.kind
    }

    fn endings(&self) -> &'static [&'static str] {
        self.endings
    }

    fn detect(&self, source: &mut Source, is_chosen: bool) -> Result<bool, ReadError> {
        if is_chosen {
            return Ok(true);
        }
        let start = source.peek(ARROW_FILE.len())?;
        Ok(self.magic.iter().any(|magic| start.starts_with(magic)))
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

impl Columnar {
    fn opening(&self, input: Input) -> Opening<'_> {
        let by_magic = input.found_by == FoundBy::FirstBytes;
        let format_from_magic = by_magic.then(|| self.name.to_owned());
        let notes = Notes { format_from_magic, ..Notes::default() };
        Opening { format: self, source: input.source, notes }
    }
}

/// A file that is to be opened.
struct Opening<'f> {
    format: &'f Columnar,
    source: Source,
    notes: Notes,
}

#[cfg(not(feature = "columnar"))]
mod not_built {
    //! The stand-in for the readers in a program that was built without them.

    use super::{ColumnarProblem, Opening};
    use crate::{
        error::ReadError,
        input::reader::Reader,
        options::ReadOptions,
        table::{batch::LabelUse, schema::Schema},
    };

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
