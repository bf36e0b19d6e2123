//! Files of columns: Parquet, and Arrow IPC as a file or a stream.
//!
//! Such a file is a table whose columns have names and types, so a model that was trained on it reads CSV
//! too, and the same table gives the same bits of the model. Only the columns that are needed are read.
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

use crate::{
    error::ReadError,
    options::{FormatKind, ReadOptions},
    reader::Notes,
    source::Source,
};

#[cfg(feature = "columnar")]
mod arrow;
#[cfg(feature = "columnar")]
mod cells;
#[cfg(feature = "columnar")]
mod deltas;
mod error;
#[cfg(feature = "columnar")]
mod input;
#[cfg(feature = "columnar")]
mod page_headers;
#[cfg(feature = "columnar")]
mod pages;
#[cfg(feature = "columnar")]
mod table;
#[cfg(feature = "columnar")]
mod thrift;

pub use error::ColumnarProblem;

pub(crate) use table::{for_model, for_training};

/// The first and last bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";
/// The first and last bytes of an Arrow IPC file.
pub(crate) const ARROW_FILE: &[u8] = b"ARROW1";
/// The first bytes of an Arrow IPC stream.
const ARROW_STREAM: &[u8] = b"\xff\xff\xff\xff";

/// Which of the two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Parquet,
    Arrow,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Parquet => "a Parquet file",
            Kind::Arrow => "an Arrow file",
        }
    }
}

/// Whether a stream is a file of columns, and whether only its first bytes say so. They are decisive where
/// neither the options nor the name tell another format: no text begins so.
pub(crate) fn kind(
    source: &mut Source,
    options: &ReadOptions,
) -> Result<Option<(Kind, Notes)>, ReadError> {
    let by_options = options.format.or(options.delimiter.map(|_| FormatKind::Csv));
    let notes = Notes::default();
    match by_options.or(source.kind) {
        Some(FormatKind::Parquet) => return Ok(Some((Kind::Parquet, notes))),
        Some(FormatKind::Arrow) => return Ok(Some((Kind::Arrow, notes))),
        Some(_) => return Ok(None),
        None => {}
    }
    let start = source.peek(ARROW_FILE.len())?;
    let kind = if start.starts_with(PARQUET) {
        Kind::Parquet
    } else if start.starts_with(ARROW_FILE) || start.starts_with(ARROW_STREAM) {
        Kind::Arrow
    } else {
        return Ok(None);
    };
    let format_from_magic = Some(kind.name().to_owned());
    Ok(Some((kind, Notes { format_from_magic, ..notes })))
}

#[cfg(not(feature = "columnar"))]
mod table {
    //! What stands for the readers in a program without them.

    use super::{ColumnarProblem, Kind};
    use crate::{
        batch::LabelUse,
        error::ReadError,
        options::ReadOptions,
        reader::{Notes, Reader},
        schema::Schema,
        source::Source,
    };

    pub(crate) fn for_training(
        source: Source,
        (kind, _): (Kind, Notes),
        _: &ReadOptions,
    ) -> Result<Reader, ReadError> {
        Err(ColumnarProblem::NotBuilt { format: kind.name() }.of(&source.name))
    }

    pub(crate) fn for_model(
        source: Source,
        (kind, _): (Kind, Notes),
        _: &ReadOptions,
        _: &Schema,
        _: LabelUse,
    ) -> Result<Reader, ReadError> {
        Err(ColumnarProblem::NotBuilt { format: kind.name() }.of(&source.name))
    }
}
