//! IDX, the format of MNIST's own files: numbers in an array of any shape, big-endian.
//!
//! ```text
//! 00 00  type  dimensions    08 u8, 09 i8, 0B i16, 0C i32, 0D f32, 0E f64; how many sizes follow
//! u32 … u32                  the size of each dimension; the first one is the number of records
//! values                     record after record, the last dimension fastest
//! ```
//!
//! A record is an example, each of its values a feature. The labels are in a second file: one dimension,
//! whole numbers. It is named by the user, or found in the folder of the first by MNIST's naming ([`labels::candidates`]).
//!
//! The sizes are promises: a file with fewer or more bytes is an error. A size of 0 within a record is
//! one too. NaN and infinities are errors at their record and value, both counted from 1.

mod error;
mod header;
mod labels;
mod parser;
mod records;

pub use error::IdxProblem;

use header::IdxHeader;
use parser::IdxParser;
use records::Records;

use super::effects::Traits;
use super::format::{FileFormat, Input, check_no_columns, other_format};
use crate::{
    input::{
        blocks::{Blocks, Ending},
        parser::WithBmi2,
        reader::{ParsedBlocks, ReadFile, Reader},
        source::Source,
    },
    notes::Notes,
    options::{FormatKind, ReadOptions},
    read_error::ReadError,
    room,
    table::{
        batch::LabelUse,
        schema::{Format, Inputs, Schema},
        shape,
    },
};

impl FormatKind {
    /// IDX, the format of MNIST's files.
    pub const IDX: Self = FormatKind::new("idx");
}

pub(super) struct Idx;

impl FileFormat for Idx {
    fn kind(&self) -> FormatKind {
        FormatKind::IDX
    }

    fn endings(&self) -> &'static [&'static str] {
        &["idx"]
    }

    /// A name with the ending, or like `train-images-idx3-ubyte`, with any digit.
    fn is_named(&self, name: &str) -> bool {
        let digit =
            name.strip_suffix("-ubyte").and_then(|name| name.strip_suffix(char::is_numeric));
        name.ends_with(".idx") || digit.is_some_and(|name| name.ends_with("idx"))
    }

    fn traits(&self) -> Traits {
        Traits {
            noun: "IDX data",
            is_text: false,
            has_separators: false,
            has_first_row: false,
            has_columns: false,
            has_spellings: false,
            has_missing_texts: false,
            has_indices: false,
        }
    }

    fn detect(&self, source: &mut Source, is_chosen: bool) -> Result<bool, ReadError> {
        Ok(is_chosen || header::begins(&source.peek(3)?))
    }

    fn is_trained_on(&self, format: &Format) -> bool {
        matches!(format, Format::Idx { .. })
    }

    fn open_training(&self, input: Input, options: &ReadOptions) -> Result<Reader, ReadError> {
        let notes = input.notes();
        let mut source = input.source;
        check_no_columns(&source.name, options, "IDX data")?;
        let header = IdxHeader::read(&mut source)?;
        let limit = options.max_features;
        let shape = header.shape().filter(|shape| shape.features() <= limit).ok_or_else(|| {
            let shape = shape::written(&header.sizes);
            IdxProblem::TooManyFeatures { shape, limit }.of(&source.name)
        })?;
        let no_room = |no_room| ReadError::NoRoom { file: source.name.clone(), no_room };
        room::check(shape.features() as u64).map_err(no_room)?;
        let inputs = Inputs::Indexed { features: shape.features() };
        let schema = Schema { format: Format::Idx { shape }, inputs };
        Start { source, header, notes, labels: LabelUse::Learn }.reader(schema, options)
    }

    fn open_model(
        &self,
        input: Input,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Reader, ReadError> {
        let notes = input.notes();
        let mut source = input.source;
        let Format::Idx { shape: expected } = schema.format else {
            return Err(other_format(source.name, "IDX data", schema));
        };
        let header = IdxHeader::read(&mut source)?;
        if header.shape() != Some(expected) {
            let found = shape::written(&header.sizes);
            return Err(IdxProblem::OtherShape { found, expected }.of(&source.name));
        }
        Start { source, header, notes, labels }.reader(schema.clone(), options)
    }
}

/// A file after its header.
struct Start {
    source: Source,
    header: IdxHeader,
    notes: Notes,
    labels: LabelUse,
}

impl Start {
    /// A reader of the records, which have as many values as the schema has features.
    fn reader(self, schema: Schema, options: &ReadOptions) -> Result<Reader, ReadError> {
        let Start { mut source, header, mut notes, labels: label_use } = self;
        let labels = match label_use {
            LabelUse::Ignore => None,
            _ => Some(labels::open(&mut source, header.count, &mut notes)?),
        };
        let on_error = options.on_error;
        let parser = IdxParser::new(header.values, schema.features(), on_error);
        let records = Records {
            file: source.name.clone(),
            compression: source.compression,
            length: parser.length(),
            width: parser.width(),
            promised: header.count,
            found: 0,
            labels,
            label_use,
            on_error,
        };
        let mut blocks = Blocks::new(source.bytes, Blocks::SIZE);
        blocks.set_ending(Ending::Every(parser.length()));
        let batches =
            ParsedBlocks::new(blocks, Box::new(WithBmi2(parser)), records, options.threads);
        let file = ReadFile { file: source.name, schema, notes };
        Ok(Reader::new(file, Box::new(batches)))
    }
}

#[cfg(test)]
mod tests;
