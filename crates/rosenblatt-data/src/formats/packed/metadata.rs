//! The metadata of the Arrow IPC file: schema, batch, dictionary and footer.
//!
//! The numbers of fields, types and versions are those of Arrow's `Schema.fbs`, `Message.fbs` and `File.fbs`.

use std::ops::Range;

use super::{
    flatbuffer::{self, Field, FlatTable, View},
    header::{ALIGNMENT, CHECKSUM_NAME, HEADER_NAME, Place},
};
use crate::digest;

/// Version 5 of the metadata.
const V5: Field = Field::I16(4);
const MARK: [u8; 4] = [0xff; 4];
pub(crate) const MAGIC: &[u8; 6] = b"ARROW1";
/// The end of the messages.
pub(crate) const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// The form of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowForm {
    /// Rows of this many numbers.
    Dense(i32),
    Sparse,
}

/// Where a message is in the file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    pub(crate) start: u64,
    pub(crate) metadata: u64,
    pub(crate) body: u64,
}

/// The type of a field: its number in the union of types, and its table.
struct ArrowType {
    number: u8,
    table: FlatTable,
}

const fn arrow_type(number: u8, table: FlatTable) -> ArrowType {
    ArrowType { number, table }
}

fn int(bits: i32, is_signed: bool) -> ArrowType {
    arrow_type(2, vec![Field::I32(bits), Field::U8(is_signed.into())])
}

fn field(name: &str, kind: ArrowType, dictionary: Field, children: Vec<FlatTable>) -> FlatTable {
    let name = Field::Text(name.to_owned());
    let (number, kind) = (Field::U8(kind.number), Field::Table(kind.table));
    vec![name, Field::U8(0), number, kind, dictionary, Field::Tables(children)]
}

fn schema(form: RowForm, header: Option<&str>) -> FlatTable {
    let float = || arrow_type(3, vec![Field::I16(2)]);
    let plain = |name, kind| field(name, kind, Field::Absent, Vec::new());
    let features = match form {
        RowForm::Dense(width) => {
            let list = arrow_type(16, vec![Field::I32(width)]);
            field("features", list, Field::Absent, vec![plain("value", float())])
        }
        RowForm::Sparse => {
            let entry = vec![plain("index", int(32, false)), plain("value", float())];
            let entry = field("entry", arrow_type(13, Vec::new()), Field::Absent, entry);
            field("features", arrow_type(21, Vec::new()), Field::Absent, vec![entry])
        }
    };
    let dictionary = Field::Table(vec![Field::I64(0), Field::Table(int(32, false).table)]);
    let label = field("label", arrow_type(5, Vec::new()), dictionary, Vec::new());
    let pair =
        |key: &str, text: &str| vec![Field::Text(key.to_owned()), Field::Text(text.to_owned())];
    // The checksum is filled in when everything else is there.
    let pairs = |text| vec![pair(HEADER_NAME, text), pair(CHECKSUM_NAME, &digest::of(&[]))];
    let metadata = header.map_or(Field::Absent, |text| Field::Tables(pairs(text)));
    vec![Field::I16(0), Field::Tables(vec![features, label]), metadata]
}

/// A message without its body, filled up so that its body is aligned where the message begins at `start`.
fn message(kind: u8, header: FlatTable, body: u64, start: u64) -> Vec<u8> {
    let length = Field::I64(body as i64);
    let metadata = flatbuffer::write(&vec![V5, Field::U8(kind), Field::Table(header), length]);
    let mut bytes = [MARK, [0; 4]].concat();
    bytes.extend(metadata);
    let end = (start + bytes.len() as u64).next_multiple_of(ALIGNMENT);
    bytes.resize((end - start) as usize, 0);
    let length = (bytes.len() - 8) as u32;
    bytes[4..8].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// A record batch of `rows` rows. `values` are the numbers of values of its arrays.
fn batch(rows: u64, values: &[u64], buffers: &[Place]) -> FlatTable {
    let nodes = values.iter().map(|&n| vec![n as i64, 0]).collect();
    let buffers = buffers.iter().map(|place| vec![place.start as i64, place.length as i64]);
    vec![Field::I64(rows as i64), Field::Records(nodes), Field::Records(buffers.collect())]
}

/// The rows of a file: how many, how many values they store, and where the buffers are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) rows: u64,
    pub(crate) stored: u64,
    pub(crate) values: Place,
    pub(crate) codes: Place,
    pub(crate) offsets: Place,
    pub(crate) indices: Place,
    /// The bytes of all, each aligned.
    pub(crate) body: u64,
}

/// The beginning of the file up to its first buffer, and the place of the batch. Its length is the same
/// whatever the counts are.
pub(crate) fn beginning(form: RowForm, counts: &Counts) -> (Vec<u8>, Block) {
    let mut bytes = MAGIC.to_vec();
    bytes.resize(8, 0);
    let start = bytes.len() as u64;
    bytes.extend(message(1, schema(form, None), 0, start));
    let start = bytes.len() as u64;
    let (first, none) = (counts.values.start, Place::default());
    let within = |place: Place| Place { start: place.start.saturating_sub(first), ..place };
    let Counts { rows, stored, body, .. } = *counts;
    let (values, codes) = (within(counts.values), within(counts.codes));
    let header = match form {
        // Each array has a buffer of its nulls, which is absent where there are none.
        RowForm::Dense(_) => batch(rows, &[rows, stored, rows], &[none, none, values, none, codes]),
        RowForm::Sparse => {
            let (offsets, indices) = (within(counts.offsets), within(counts.indices));
            let buffers = [none, offsets, none, none, indices, none, values, none, codes];
            batch(rows, &[rows, stored, stored, stored, rows], &buffers)
        }
    };
    let message = message(3, header, body, start);
    let block = Block { start, metadata: message.len() as u64, body };
    bytes.extend(message);
    (bytes, block)
}

/// The labels as spelt: a message that begins at `start`, and its place.
pub(crate) fn dictionary(labels: &[String], start: u64) -> (Vec<u8>, Block) {
    let mut ends = vec![0u32];
    let mut text = Vec::new();
    for label in labels {
        text.extend(label.as_bytes());
        ends.push(text.len() as u32);
    }
    let offsets: Vec<u8> = ends.iter().flat_map(|end| end.to_le_bytes()).collect();
    let aligned = |length: usize| (length as u64).next_multiple_of(ALIGNMENT);
    let offsets_place = Place { start: 0, length: offsets.len() as u64 };
    let text_place = Place { start: aligned(offsets.len()), length: text.len() as u64 };
    let body = text_place.start + aligned(text.len());
    let n = labels.len() as u64;
    let data = batch(n, &[n], &[Place::default(), offsets_place, text_place]);
    let mut bytes = message(2, vec![Field::I64(0), Field::Table(data)], body, start);
    let block = Block { start, metadata: bytes.len() as u64, body };
    for buffer in [offsets, text] {
        let end = bytes.len() + aligned(buffer.len()) as usize;
        bytes.extend(buffer);
        bytes.resize(end, 0);
    }
    (bytes, block)
}

/// The end of the file after the end of its messages.
pub(crate) fn footer(form: RowForm, header: &str, batch: Block, dictionary: Block) -> Vec<u8> {
    let block = |block: Block| {
        let metadata = block.metadata as i64;
        Field::Records(vec![vec![block.start as i64, metadata, block.body as i64]])
    };
    let schema = Field::Table(schema(form, Some(header)));
    let mut bytes = flatbuffer::write(&vec![V5, schema, block(dictionary), block(batch)]);
    let length = bytes.len() as u32;
    bytes.extend(length.to_le_bytes());
    bytes.extend(MAGIC);
    bytes
}

/// The bytes at the end of a file that say how long the footer is.
pub(crate) const TAIL: usize = 10;

/// The length of the footer by these last bytes.
pub(crate) fn footer_length(tail: &[u8]) -> Option<usize> {
    let tail = tail.strip_suffix(MAGIC)?;
    Some(u32::from_le_bytes(*tail.last_chunk()?) as usize)
}

/// The header in a footer, which is another program's where there is none.
pub(crate) fn header(footer: &[u8]) -> Option<&str> {
    pair(footer, HEADER_NAME)?.text(1)
}

/// Where in a footer the checksum is.
pub(crate) fn checksum_place(footer: &[u8]) -> Option<Range<usize>> {
    pair(footer, CHECKSUM_NAME)?.text_place(1)
}

fn pair<'b>(footer: &'b [u8], key: &str) -> Option<View<'b>> {
    let pairs = View::root(footer)?.table(1)?.tables(2)?;
    pairs.into_iter().find(|pair| pair.text(0) == Some(key))
}
