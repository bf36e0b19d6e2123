//! IDX, the format of MNIST's own files: numbers in an array of any shape, big-endian.
//!
//! ```text
//! 00 00  type  dimensions    08 u8, 09 i8, 0B i16, 0C i32, 0D f32, 0E f64; how many sizes follow
//! u32 … u32                  the size of each dimension; the first one is the number of records
//! values                     record after record, the last dimension fastest
//! ```
//!
//! A record is an example, each of its values a feature. The labels are in a second file: one dimension,
//! whole numbers. It is named, or found beside the first by MNIST's naming ([`labels::beside`]).
//!
//! The sizes are promises: a file with fewer or more bytes is an error. A size of 0 within a record is
//! one too. NaN and infinities are errors at their record and value, both from 1.

use crate::{
    batch::LabelUse,
    blocks::{Blocks, Ending},
    error::ReadError,
    options::{Format, FormatKind, ReadOptions},
    pipeline::Parser,
    reader::{Notes, Reader},
    schema::{Inputs, Schema},
    source::Source,
};

mod error;
mod header;
mod labels;
mod parser;
mod records;
mod shape;

pub use error::IdxProblem;
use header::Header;
pub(crate) use parser::IdxParser;
pub(crate) use records::{LeftOut, Records};
pub use shape::Shape;

/// Whether a stream is to be read as IDX, and whether only its first bytes say so. They are decisive
/// where neither the options nor the name tell another format: no text begins so.
pub(crate) fn is_idx(
    source: &mut Source,
    options: &ReadOptions,
    trained_on: Option<Format>,
) -> Result<(bool, Notes), ReadError> {
    let by_options = options.format.or(options.delimiter.map(|_| FormatKind::Csv));
    if let Some(kind) = by_options.or(source.kind) {
        return Ok((kind == FormatKind::Idx, Notes::default()));
    }
    let idx_model = matches!(trained_on, Some(Format::Idx { .. }));
    let looks_so = header::begins(&source.peek(3)?);
    let format_from_content = looks_so && !idx_model;
    Ok((looks_so || idx_model, Notes { format_from_content, ..Notes::default() }))
}

/// Opens a file to learn from, with its labels.
pub(crate) fn for_training(
    mut source: Source,
    notes: Notes,
    options: &ReadOptions,
) -> Result<Reader, ReadError> {
    if let Some(name) = options.first_column() {
        let (file, name) = (source.name, name.clone());
        return Err(ReadError::NoColumns { file, name, format: "IDX data" });
    }
    let header = Header::read(&mut source)?;
    let limit = options.max_features;
    let shape = header.shape().filter(|shape| shape.features() <= limit).ok_or_else(|| {
        let shape = shape::written(&header.sizes);
        IdxProblem::TooManyFeatures { shape, limit }.of(&source.name)
    })?;
    let inputs = Inputs::Indexed { features: shape.features() };
    let schema = Schema { format: Format::Idx { shape }, inputs };
    reader((source, header), (schema, shape), LabelUse::Learn, notes, options)
}

/// Opens a file for a model that was trained on records of the shape `expected`. Labels are read where
/// they are to be checked.
pub(crate) fn for_model(
    mut source: Source,
    notes: Notes,
    options: &ReadOptions,
    (schema, expected): (&Schema, Shape),
    label_use: LabelUse,
) -> Result<Reader, ReadError> {
    let header = Header::read(&mut source)?;
    if header.shape() != Some(expected) {
        let found = shape::written(&header.sizes);
        return Err(IdxProblem::OtherShape { found, expected }.of(&source.name));
    }
    reader((source, header), (schema.clone(), expected), label_use, notes, options)
}

/// A reader of the records that follow the header.
fn reader(
    (mut source, header): (Source, Header),
    (schema, shape): (Schema, Shape),
    label_use: LabelUse,
    mut notes: Notes,
    options: &ReadOptions,
) -> Result<Reader, ReadError> {
    let labels = match label_use {
        LabelUse::Ignore => None,
        _ => Some(labels::open(&mut source, header.count, &mut notes)?),
    };
    let parser = IdxParser::new(header.values, shape.features(), options.on_error);
    let file = (source.name.clone(), source.reading);
    let records = Records::new(file, &parser, header.count, labels, (label_use, options.on_error));
    let mut blocks = Blocks::new(source.bytes, Blocks::SIZE);
    blocks.set_ending(Ending::Every(parser.length()));
    let stream = (source.name, blocks, source.reading);
    let parser = Parser::Idx(parser);
    let reader = Reader::new(stream, parser, schema, notes, (0, options.threads.max(1)));
    Ok(reader.with_records(records))
}

#[cfg(test)]
mod tests;
