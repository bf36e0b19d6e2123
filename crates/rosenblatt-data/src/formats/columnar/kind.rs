//! The two formats of columns, and how to recognise them.

use std::sync::Arc;

use crate::{
    formats::format::{Counted, FoundBy, Input},
    input::source::Source,
    notes::Notes,
    options::FormatKind,
};

/// The first and last bytes of a Parquet file.
pub(super) const PARQUET_MAGIC: &[u8] = b"PAR1";
/// The first and last bytes of an Arrow IPC file.
pub(super) const ARROW_FILE: &[u8] = b"ARROW1";
/// The first bytes of an Arrow IPC stream.
pub(super) const ARROW_STREAM: &[u8] = b"\xff\xff\xff\xff";

impl FormatKind {
    /// Parquet.
    pub const PARQUET: Self = FormatKind::new("parquet");
    /// Arrow IPC, as a file (also known as Feather) or a stream.
    pub const ARROW: Self = FormatKind::new("arrow");
}

/// One of the two formats.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::formats) struct Columnar {
    pub(super) kind: FormatKind,
    /// In messages.
    pub(super) name: &'static str,
    pub(super) endings: &'static [&'static str],
    /// The first bytes.
    pub(super) magic: &'static [&'static [u8]],
}

pub(in crate::formats) static PARQUET: Columnar = Columnar {
    kind: FormatKind::PARQUET,
    name: "a Parquet file",
    endings: &["parquet", "pq"],
    magic: &[PARQUET_MAGIC],
};
pub(in crate::formats) static ARROW: Columnar = Columnar {
    kind: FormatKind::ARROW,
    name: "an Arrow file",
    endings: &["arrow", "arrows", "feather", "ipc"],
    magic: &[ARROW_FILE, ARROW_STREAM],
};

impl Columnar {
    pub(super) fn opening(&self, input: Input) -> Opening<'_> {
        let by_magic = input.found_by == FoundBy::FirstBytes;
        let format_from_magic = by_magic.then(|| self.name.to_owned());
        let notes = Notes { format_from_magic, ..Notes::default() };
        Opening { format: self, source: input.source, counted: input.counted, notes }
    }
}

/// A file that is to be opened.
pub(super) struct Opening<'f> {
    pub(super) format: &'f Columnar,
    pub(super) source: Source,
    #[cfg_attr(not(feature = "columnar"), expect(dead_code, reason = "only the readers count"))]
    pub(super) counted: Option<Arc<Counted>>,
    #[cfg_attr(
        not(feature = "columnar"),
        expect(dead_code, reason = "only the readers hand notes on")
    )]
    pub(super) notes: Notes,
}
