//! Packed files: the encoded rows of a file, which are mapped into memory and not read.
//!
//! A packed file is an Arrow IPC file of one record batch, so other programs read it too:
//!
//! ```text
//! features   FixedSizeList<Float64>[d], or LargeList<Struct<index: UInt32, value: Float64>> where rows are sparse
//! label      Dictionary<UInt32, Utf8>: the labels as they were spelt
//! ```
//!
//! The values are then the row-major matrix, or offsets, indices and values are those of a CSR matrix, each
//! aligned to 64 bytes: mapped into memory ([`MappedFile`](crate::mapped_file::MappedFile)) they are the rows that are
//! learned from, without a copy.
//! The schema's metadata have two texts. `rosenblatt` is a [`PackedHeader`](header::PackedHeader) as JSON with the schema of the source,
//! the notes of reading it, where the buffers are, and a hash of their bytes. `rosenblatt.checksum`
//! is the hash of all bytes around the buffers but its own (from version 2 on). Numbers are little-endian.
//!
//! Both hashes are looked at when a file is opened, and that of the buffers again when its rows were learned
//! from ([`Seal`](crate::mapped_file::Seal)): a file that another program writes in place meanwhile is an error, and one that it cuts off
//! ends the command with a message ([`report_cut_off_files`](crate::report_cut_off_files)). One risk remains: a change that is undone before the end is not
//! seen, and on a network file system another machine may keep its changes for a while, so that files that are
//! still written to belong on no such system. The hashes show damage, not intent ([`trust`](crate::packing)).
//!
//! The file is written in one pass over the rows (before it another one finds the categories, where there
//! are any), in memory that does not grow with it.

mod error;
mod flatbuffer;
pub(crate) mod header;
pub(crate) mod key;
pub(crate) mod metadata;
pub(crate) mod read;

pub use error::PackedProblem;

use read::PackedFile;

use super::effects::Traits;
use super::format::{FileFormat, Input};
use crate::{
    input::{reader::Reader, source::Source},
    options::{FormatKind, ReadOptions},
    read_error::ReadError,
    table::{batch::LabelUse, schema::Schema},
};

/// An Arrow file that `pack` wrote.
pub(super) struct Packed;

impl FileFormat for Packed {
    fn kind(&self) -> FormatKind {
        FormatKind::ARROW
    }

    fn endings(&self) -> &'static [&'static str] {
        &[]
    }

    fn traits(&self) -> Traits {
        Traits {
            noun: "packed data",
            is_text: false,
            has_separators: false,
            has_first_row: false,
            has_columns: false,
            has_spellings: false,
            has_missing_texts: false,
            has_indices: false,
        }
    }

    /// Only a regular file can be mapped. A packed file from a stream is read as the Arrow file that it is.
    fn detect(&self, source: &mut Source, _: bool) -> Result<bool, ReadError> {
        let Some(path) = source.path.clone().filter(|path| path.is_file()) else {
            return Ok(false);
        };
        if !source.peek(metadata::MAGIC.len())?.starts_with(metadata::MAGIC) {
            return Ok(false);
        }
        PackedFile::is_one(&path, &source.name)
    }

    fn open_training(&self, input: Input, options: &ReadOptions) -> Result<Reader, ReadError> {
        open(&input.source)?.for_training(options)
    }

    fn open_model(
        &self,
        input: Input,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Reader, ReadError> {
        open(&input.source)?.for_model(options, schema, &labels)
    }
}

fn open(source: &Source) -> Result<PackedFile, ReadError> {
    let packed = PackedFile::open(source.path.as_deref(), &source.name)?;
    match &source.labels {
        None => Ok(packed),
        Some(labels) => {
            let (file, labels) = (source.name.clone(), labels.name.clone());
            Err(ReadError::UnusedLabels { file, labels })
        }
    }
}
