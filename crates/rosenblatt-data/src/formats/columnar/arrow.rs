//! Arrow IPC, message by message.
//!
//! A stream is a row of messages; a file is the same between its magic bytes and a footer, which a reader
//! in order does not need. A message is a length, metadata as a flatbuffer, and a body with the buffers of
//! the columns. <https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc>
//!
//! `arrow-ipc` decodes the messages. It takes the places of buffers and nodes on trust and panics where they
//! are wrong, so they are checked here before. It checks the content of the buffers itself.

use std::{
    collections::HashMap,
    io::{self, Read},
    sync::Arc,
};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::{
    Endianness, MessageHeader, MetadataVersion,
    convert::try_fb_to_schema,
    reader::{RecordBatchDecoder, read_dictionary},
    root_as_message,
};
use arrow_schema::{ArrowError, DataType, Schema, UnionMode};

use super::{
    LARGEST_RATIO,
    error::{ColumnarProblem, Complaint},
    kind::{ARROW_FILE, ARROW_STREAM},
};
use crate::input::source::Compression;

/// The messages of a file or stream, in order.
pub(super) struct Messages {
    bytes: Box<dyn Read + Send>,
    compression: Compression,
    /// Whether a footer follows.
    is_file: bool,
    schema: Arc<Schema>,
    dictionaries: HashMap<i64, ArrayRef>,
    columns: Vec<usize>,
}

/// The most bytes of one message's metadata.
const LARGEST_METADATA: u32 = 1 << 28;

/// The most bytes between the magic bytes of a file and its first message.
const MOST_PADDING: usize = 1 << 12;

impl Messages {
    /// Reads the schema, which comes first.
    pub(super) fn open(
        mut bytes: Box<dyn Read + Send>,
        compression: Compression,
    ) -> Result<Self, ColumnarProblem> {
        const NEITHER: &str = "this is neither an Arrow file nor an Arrow stream";
        let mut start = four(&mut bytes, compression)?;
        let is_file = start == ARROW_FILE[..4];
        if is_file {
            start = four(&mut bytes, compression)?;
            if start[..2] != ARROW_FILE[4..] {
                return Err("this is no Arrow file".into());
            }
            // Zeros up to the alignment of the writer.
            start = [0; 4];
            for _ in 0..MOST_PADDING / 4 {
                if start == [0; 4] {
                    start = four(&mut bytes, compression)?;
                }
            }
        }
        let mut messages = Messages {
            bytes,
            compression,
            is_file,
            schema: Arc::new(Schema::empty()),
            dictionaries: HashMap::new(),
            columns: Vec::new(),
        };
        if start != ARROW_STREAM && !(1..=LARGEST_METADATA).contains(&u32::from_le_bytes(start)) {
            return Err(NEITHER.into());
        }
        let metadata = messages.metadata(start)?.ok_or("there is no schema")?;
        let message = root_as_message(&metadata).map_err(|error| match start == ARROW_STREAM {
            true => error.to_string(),
            false => NEITHER.to_owned(),
        })?;
        let schema = message.header_as_schema().ok_or("the first message is no schema")?;
        if schema.endianness() != Endianness::Little {
            return Err(ColumnarProblem::BigEndian);
        }
        let schema = try_fb_to_schema(schema).map_err(said)?;
        messages.schema = Arc::new(schema);
        messages.body(message.bodyLength())?;
        Ok(messages)
    }

    pub(super) fn schema(&self) -> Arc<Schema> {
        self.schema.clone()
    }

    /// Decodes only these columns of the batches. They ascend.
    pub(super) fn with_columns(self, columns: Vec<usize>) -> Self {
        Messages { columns, ..self }
    }

    /// The next record batch.
    pub(super) fn next_batch(&mut self) -> Result<Option<RecordBatch>, Complaint> {
        loop {
            let Some(metadata) = self.next_metadata()? else { return self.end().map(|()| None) };
            let message = root_as_message(&metadata).map_err(|error| error.to_string())?;
            let body = Buffer::from(self.body(message.bodyLength())?);
            let version = message.version();
            match message.header_type() {
                MessageHeader::DictionaryBatch => {
                    let batch = message.header_as_dictionary_batch().ok_or("a damaged message")?;
                    let Some(values) = self.dictionary_type(batch.id()) else { continue };
                    let data = batch.data().ok_or("a dictionary without values")?;
                    let lengths = check(&data, &body, version)?;
                    check_widths(&data, lengths, [(&values, true)].into_iter())?;
                    let dictionaries = &mut self.dictionaries;
                    read_dictionary(&body, batch, &self.schema, dictionaries, &version)
                        .map_err(said)?;
                }
                MessageHeader::RecordBatch => {
                    let batch = message.header_as_record_batch().ok_or("a damaged message")?;
                    let lengths = check(&batch, &body, version)?;
                    let is_decoded = |i| self.columns.binary_search(&i).is_ok();
                    let fields = self.schema.fields().iter().enumerate();
                    check_widths(
                        &batch,
                        lengths,
                        fields.map(|(i, f)| (f.data_type(), is_decoded(i))),
                    )?;
                    let (schema, dictionaries) = (self.schema.clone(), &self.dictionaries);
                    return RecordBatchDecoder::try_new(
                        &body,
                        batch,
                        schema,
                        dictionaries,
                        &version,
                    )
                    .and_then(|decoder| {
                        decoder.with_projection(Some(&self.columns)).read_record_batch()
                    })
                    .map(Some)
                    .map_err(said);
                }
                other => return Err(format!("a message of the kind {other:?}, which is no batch")),
            }
        }
    }

    /// The type of the values of a dictionary that a column needs.
    #[allow(deprecated)] // Arrow keeps these numbers in the schema and has no other place for them yet.
    fn dictionary_type(&self, id: i64) -> Option<DataType> {
        let needed = self.schema.project(&self.columns).ok()?;
        needed.fields_with_dict_id(id).iter().find_map(|field| match field.data_type() {
            DataType::Dictionary(_, values) => Some((**values).clone()),
            _ => None,
        })
    }

    /// The metadata of the next message; `None` at the end. A stream may also end without saying so.
    fn next_metadata(&mut self) -> Result<Option<Vec<u8>>, Complaint> {
        let mut start = Vec::new();
        let read = self.bytes.by_ref().take(4).read_to_end(&mut start);
        read.map_err(|error| failed(self.compression, error))?;
        match start.as_slice().try_into() {
            Ok(start) => self.metadata(start),
            Err(_) if start.is_empty() && !self.is_file => Ok(None),
            Err(_) => Err(ENDS_WITHIN.to_owned()),
        }
    }

    /// The metadata of the message that begins so: a mark, and the length of its metadata. Before version 0.15 Arrow wrote
    /// only the length.
    fn metadata(&mut self, start: [u8; 4]) -> Result<Option<Vec<u8>>, Complaint> {
        let length = match start == ARROW_STREAM {
            true => four(&mut self.bytes, self.compression)?,
            false => start,
        };
        match u32::from_le_bytes(length) {
            0 => Ok(None),
            length @ ..=LARGEST_METADATA => self.take(u64::from(length)).map(Some),
            length if start == ARROW_STREAM => {
                Err(format!("a message with {length} bytes of metadata"))
            }
            _ => Err("found no message where one should begin".to_owned()),
        }
    }

    fn body(&mut self, length: i64) -> Result<Vec<u8>, Complaint> {
        let length = u64::try_from(length).map_err(|_| format!("a body of {length} bytes"))?;
        self.take(length)
    }

    /// The next `length` bytes. No more memory is taken than there are bytes, however large the length is.
    fn take(&mut self, length: u64) -> Result<Vec<u8>, Complaint> {
        let mut bytes = Vec::with_capacity(length.min(1 << 20) as usize);
        let read = self.bytes.by_ref().take(length).read_to_end(&mut bytes);
        read.map_err(|error| failed(self.compression, error))?;
        if (bytes.len() as u64) < length { Err(ENDS_WITHIN.to_owned()) } else { Ok(bytes) }
    }

    /// After the last message: a file has its footer, which ends with the magic bytes.
    fn end(&mut self) -> Result<(), Complaint> {
        if !self.is_file {
            return Ok(());
        }
        let mut footer = Vec::new();
        let read = self.bytes.by_ref().take(u64::from(LARGEST_METADATA)).read_to_end(&mut footer);
        read.map_err(|error| failed(self.compression, error))?;
        if footer.ends_with(ARROW_FILE) { Ok(()) } else { Err(ENDS_WITHIN.to_owned()) }
    }
}

const ENDS_WITHIN: &str = "the file is cut off";

/// The next four bytes. Fewer bytes are not a failure of reading: no decompression failed.
fn four(bytes: &mut impl Read, compression: Compression) -> Result<[u8; 4], Complaint> {
    let mut start = Vec::with_capacity(4);
    bytes.take(4).read_to_end(&mut start).map_err(|error| failed(compression, error))?;
    start.try_into().map_err(|_| ENDS_WITHIN.to_owned())
}

#[allow(clippy::needless_pass_by_value)] // for `map_err`
fn failed(compression: Compression, error: io::Error) -> Complaint {
    format!("{}: {error}", compression.failure(&error))
}

#[allow(clippy::needless_pass_by_value)] // for `map_err`
fn said(error: ArrowError) -> Complaint {
    error.to_string()
}

/// Whether the buffers of a batch are within its body and together no longer than it, their counts are no
/// less than 0, and what is compressed says how long it is. Gives the length of each buffer when nothing is compressed any more.
fn check(
    batch: &arrow_ipc::RecordBatch<'_>,
    body: &[u8],
    version: MetadataVersion,
) -> Result<Vec<i64>, Complaint> {
    let wrong = |what: &str| Err(format!("damaged metadata: {what}"));
    // Before, unions were laid out otherwise, and no program has written such files for years.
    if version != MetadataVersion::V5 && version != MetadataVersion::V4 {
        return wrong("the version of the format is not known");
    }
    let rows = batch.length();
    if rows < 0 {
        return wrong("a number of rows below 0");
    }
    for node in batch.nodes().iter().flatten() {
        if node.length() < 0 || !(0..=node.length()).contains(&node.null_count()) {
            return wrong("a column of an impossible length");
        }
    }
    let buffers = batch.buffers().map_or(0, |buffers| buffers.len() as i64);
    let compressed = batch.compression().is_some();
    let mut lengths = Vec::new();
    let mut left = body.len();
    for buffer in batch.buffers().iter().flatten() {
        let (Ok(start), Ok(length)) =
            (usize::try_from(buffer.offset()), usize::try_from(buffer.length()))
        else {
            return wrong("a buffer at a negative place");
        };
        let end = start.checked_add(length).filter(|&end| end <= body.len());
        let Some(end) = end else { return wrong("a buffer beyond its message") };
        // Many columns of the same bytes would be more numbers than the file can hold.
        let Some(rest) = left.checked_sub(length) else { return wrong("buffers that overlap") };
        left = rest;
        lengths.push(buffer.length());
        if compressed && length > 0 {
            let Some(said) = body[start..end].first_chunk().map(|&said| i64::from_le_bytes(said))
            else {
                return wrong("a compressed buffer without its length");
            };
            if said < -1 || said > LARGEST_RATIO.saturating_mul(length as i64) {
                return wrong("a compressed buffer of an impossible length");
            }
            lengths.pop();
            lengths.push(if said == -1 { buffer.length() - 8 } else { said });
        }
    }
    if batch.variadicBufferCounts().iter().flatten().any(|count| !(0..=buffers).contains(&count)) {
        return wrong("an impossible number of buffers");
    }
    Ok(lengths)
}

/// Whether the buffers of columns that are decoded, of these lengths, hold whole values.
fn check_widths<'t>(
    batch: &arrow_ipc::RecordBatch<'_>,
    lengths: Vec<i64>,
    columns: impl Iterator<Item = (&'t DataType, bool)>,
) -> Result<(), Complaint> {
    let mut lengths = lengths.into_iter();
    let counts: Vec<i64> = batch.variadicBufferCounts().into_iter().flatten().collect();
    let mut counts = counts.into_iter();
    for (data_type, is_decoded) in columns {
        let mut widths = Vec::new();
        add_widths(data_type, &mut counts, &mut widths);
        for width in widths {
            let Some(length) = lengths.next() else {
                return Err("damaged metadata: too few buffers".to_owned());
            };
            if is_decoded && length % width != 0 {
                return Err("damaged metadata: a buffer that ends within a value".to_owned());
            }
        }
    }
    Ok(())
}

/// The bytes of a value in each buffer of a column; 1 where any length will do.
/// <https://arrow.apache.org/docs/format/Columnar.html#buffer-listing-for-each-layout>
fn add_widths(data_type: &DataType, counts: &mut impl Iterator<Item = i64>, to: &mut Vec<i64>) {
    use DataType::{
        Binary, BinaryView, Dictionary, FixedSizeList, LargeBinary, LargeList, LargeListView,
        LargeUtf8, List, ListView, Map, Null, RunEndEncoded, Struct, Union, Utf8, Utf8View,
    };
    match data_type {
        Null => {}
        Utf8 | Binary => to.extend([1, 4, 1]),
        LargeUtf8 | LargeBinary => to.extend([1, 8, 1]),
        Utf8View | BinaryView => {
            to.extend([1, 16]);
            to.extend((0..counts.next().unwrap_or(0)).map(|_| 1));
        }
        Dictionary(keys, _) => to.extend([1, keys.primitive_width().unwrap_or(1) as i64]),
        List(field) | Map(field, _) | LargeList(field) => {
            to.extend([1, 1]);
            add_widths(field.data_type(), counts, to);
        }
        ListView(field) | LargeListView(field) => {
            to.extend([1, 1, 1]);
            add_widths(field.data_type(), counts, to);
        }
        FixedSizeList(field, _) => {
            to.push(1);
            add_widths(field.data_type(), counts, to);
        }
        Struct(fields) => {
            to.push(1);
            fields.iter().for_each(|field| add_widths(field.data_type(), counts, to));
        }
        RunEndEncoded(ends, values) => {
            add_widths(ends.data_type(), counts, to);
            add_widths(values.data_type(), counts, to);
        }
        Union(fields, mode) => {
            to.extend(if *mode == UnionMode::Dense { [1, 1].as_slice() } else { &[1] });
            fields.iter().for_each(|(_, field)| add_widths(field.data_type(), counts, to));
        }
        other => to.extend([1, other.primitive_width().unwrap_or(1) as i64]),
    }
}
