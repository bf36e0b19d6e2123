//! A file of columns as an iterator of record batches with the columns that are needed.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    sync::Arc,
};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader},
        parquet_to_arrow_field_levels,
    },
    file::metadata::ParquetMetaData,
};

use super::{
    LARGEST_RATIO,
    arrow::Messages,
    cells::is_number,
    convert,
    decoding::decode,
    error::{ColumnarProblem, Complaint},
    flat::{Flat, lengths_of},
    kind::{Columnar, PARQUET, PARQUET_MAGIC},
    pages::Groups,
    thrift::check_footer,
};
use crate::input::source::Source;

/// An open file whose columns are known.
pub(super) struct OpenFile {
    content: Content,
    flat: Flat,
}

enum Content {
    Parquet(Box<ParquetFile>),
    Arrow(Box<Messages>),
}

/// A Parquet file and the metadata at its end.
pub(super) struct ParquetFile {
    file: Arc<File>,
    metadata: Arc<ParquetMetaData>,
    schema: Arc<Schema>,
}

impl OpenFile {
    pub(super) fn open(source: Source, format: &Columnar) -> Result<Self, ColumnarProblem> {
        decode(|| Self::decoded(source, format))
    }

    fn decoded(source: Source, format: &Columnar) -> Result<Self, ColumnarProblem> {
        let compression = source.compression;
        if *format != PARQUET {
            let messages = Messages::open(source.bytes, compression)?;
            let flat = Flat::new(&messages.schema(), &HashMap::new());
            return Ok(OpenFile { content: Content::Arrow(Box::new(messages)), flat });
        }
        let failed = |error| format!("{}: {error}", compression.failure(&error));
        let file = seekable(source).map_err(failed)?;
        if let Some((bytes, start)) = footer(&file).map_err(failed)? {
            check_footer(&bytes, start)?;
        }
        let end = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new());
        let end = end.map_err(|error| error.to_string())?;
        let (metadata, schema) = (end.metadata().clone(), end.schema().clone());
        let parquet = Box::new(ParquetFile { file: Arc::new(file), metadata, schema });
        let flat = Flat::new(&parquet.schema, &parquet.lengths_of_lists()?);
        Ok(OpenFile { content: Content::Parquet(parquet), flat })
    }

    pub(super) fn schema(&self) -> Arc<Schema> {
        Arc::new(convert::schema(self.flat.schema()))
    }

    /// The batches with these columns, which ascend; a batch of a Parquet file has `rows` rows.
    pub(super) fn batches(
        self,
        columns: Vec<usize>,
        rows: usize,
    ) -> Result<RecordBatches, Complaint> {
        let OpenFile { content, flat } = self;
        let roots = flat.roots(&columns);
        let batches = match content {
            Content::Arrow(messages) => Batches::Arrow(Box::new(messages.with_columns(roots))),
            Content::Parquet(parquet) => {
                Batches::Parquet(Box::new(decode(|| parquet.batches(roots, rows))?))
            }
        };
        Ok(RecordBatches { batches, flat, columns })
    }
}

impl ParquetFile {
    /// How many values each list has, in the columns that are lists of numbers, all equally many. Each such column is read up
    /// to the first list of another length.
    fn lengths_of_lists(&self) -> Result<HashMap<usize, usize>, Complaint> {
        let mut lengths = HashMap::new();
        for (column, field) in self.schema.fields().iter().enumerate() {
            if let DataType::List(inner) | DataType::LargeList(inner) = field.data_type()
                && is_number(inner.data_type())
            {
                lengths.extend(self.length_of_lists(column)?.map(|length| (column, length)));
            }
        }
        Ok(lengths)
    }

    fn length_of_lists(&self, column: usize) -> Result<Option<usize>, Complaint> {
        const ROWS: usize = 1 << 10;
        let mut length = None;
        for batch in self.batches(vec![column], ROWS)? {
            let batch = batch.map_err(|error| error.to_string())?;
            for found in lengths_of(batch.column(0)) {
                if *length.get_or_insert(found) != found {
                    return Ok(None);
                }
            }
        }
        Ok(length)
    }

    fn batches(
        &self,
        columns: Vec<usize>,
        rows: usize,
    ) -> Result<ParquetRecordBatchReader, Complaint> {
        let ParquetFile { file, metadata, schema } = self;
        let descriptor = metadata.file_metadata().schema_descr();
        let mask = ProjectionMask::roots(descriptor, columns);
        let length = file.metadata().map_err(|error| error.to_string())?.len();
        check_lengths(metadata, &mask, length)?;
        let levels = parquet_to_arrow_field_levels(descriptor, mask, Some(schema.fields()));
        let reader = levels.and_then(|levels| {
            let groups = Groups { file: file.clone(), metadata: metadata.clone() };
            ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, rows, None)
        });
        reader.map_err(|error| error.to_string())
    }
}

/// Whether the columns share no bytes, and there are no more rows than these bytes may stand for. A run of
/// equal values may be of any length: its bound is that of what is compressed.
fn check_lengths(
    metadata: &ParquetMetaData,
    mask: &ProjectionMask,
    length: u64,
) -> Result<(), Complaint> {
    let (mut bytes, mut rows, mut values) = (0u64, 0u64, 0u64);
    for group in metadata.row_groups() {
        rows = rows.saturating_add(group.num_rows().try_into().unwrap_or(0));
        let columns = group.columns().iter().enumerate().filter(|(i, _)| mask.leaf_included(*i));
        for (_, chunk) in columns {
            bytes = bytes.saturating_add(chunk.compressed_size().try_into().unwrap_or(0));
            values = values.max(chunk.num_values().try_into().unwrap_or(0));
        }
    }
    if bytes > length {
        return Err(format!("damaged: columns of {bytes} bytes in a file of {length} bytes"));
    }
    let most = length.saturating_mul(LARGEST_RATIO as u64);
    if rows > most {
        return Err(format!("damaged: {rows} rows in a file of {length} bytes"));
    }
    if values > most {
        return Err(format!("damaged: {values} values in a file of {length} bytes"));
    }
    Ok(())
}

/// The record batches of a file.
pub(super) struct RecordBatches {
    batches: Batches,
    flat: Flat,
    columns: Vec<usize>,
}

enum Batches {
    Parquet(Box<ParquetRecordBatchReader>),
    Arrow(Box<Messages>),
}

impl RecordBatches {
    /// The next batch; after a complaint there is none.
    pub(super) fn next(&mut self) -> Option<Result<RecordBatch, Complaint>> {
        let RecordBatches { batches, flat, columns } = self;
        let mut next = || match batches {
            Batches::Parquet(reader) => {
                reader.next().transpose().map_err(|error| error.to_string())
            }
            Batches::Arrow(messages) => messages.next_batch(),
        };
        let flattened = |batch| convert::batch(flat.batch(columns, &batch)?);
        decode(|| next()?.map(flattened).transpose()).transpose()
    }
}

/// Parquet is read from its end: a stream goes to a temporary file that has no name.
fn seekable(mut source: Source) -> io::Result<File> {
    if let Some(path) = source.path.as_deref().filter(|path| path.is_file()) {
        let mut file = File::open(path)?;
        let mut start = [0; PARQUET_MAGIC.len()];
        // A file that is compressed as a whole begins otherwise.
        if file.read_exact(&mut start).is_ok() && start == PARQUET_MAGIC {
            return Ok(file);
        }
    }
    let mut file = tempfile::tempfile()?;
    io::copy(&mut source.bytes, &mut file)?;
    file.flush()?;
    file.rewind()?;
    Ok(file)
}

/// The metadata at the end of a Parquet file, and where they begin. If there are none, the decoder says so.
fn footer(mut file: &File) -> io::Result<Option<(Vec<u8>, u64)>> {
    let Some(end) = file.metadata()?.len().checked_sub(8) else { return Ok(None) };
    let mut tail = [0; 8];
    file.seek(SeekFrom::Start(end))?;
    file.read_exact(&mut tail)?;
    let [a, b, c, d, magic @ ..] = tail;
    let length = u32::from_le_bytes([a, b, c, d]);
    let Some(start) = end.checked_sub(length.into()).filter(|_| magic == PARQUET_MAGIC) else {
        return Ok(None);
    };
    let mut bytes = vec![0; length as usize];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes)?;
    Ok(Some((bytes, start)))
}

#[cfg(test)]
mod tests {
    use std::{iter::repeat_n, sync::Arc};

    use parquet::{
        arrow::ProjectionMask,
        file::metadata::{ColumnChunkMetaData, FileMetaData, ParquetMetaData, RowGroupMetaData},
        schema::{parser::parse_message_type, types::SchemaDescriptor},
    };

    use super::check_lengths;

    /// A file of `groups` groups with `rows` rows each, and two columns of `bytes` bytes in each group.
    fn file(groups: usize, rows: i64, bytes: i64) -> ParquetMetaData {
        let schema = parse_message_type("message m { required double x; required double y; }");
        let schema = Arc::new(SchemaDescriptor::new(Arc::new(schema.unwrap())));
        let column = |i| {
            let column = ColumnChunkMetaData::builder(schema.column(i));
            column.set_total_compressed_size(bytes).build().unwrap()
        };
        let group = RowGroupMetaData::builder(schema.clone())
            .set_num_rows(rows)
            .set_column_metadata(vec![column(0), column(1)]);
        let groups = repeat_n(group.build().unwrap(), groups).collect();
        let end = FileMetaData::new(2, rows, None, None, schema.clone(), None);
        ParquetMetaData::new(end, groups)
    }

    #[test]
    fn rows_and_columns_are_within_the_bytes_of_the_file() {
        let check = |file: &ParquetMetaData, length| {
            let all = ProjectionMask::all();
            check_lengths(file, &all, length).err()
        };
        let columns = file(3, 10, 50);
        assert_eq!(check(&columns, 300), None);
        let expected = "damaged: columns of 300 bytes in a file of 299 bytes";
        assert_eq!(check(&columns, 299).as_deref(), Some(expected));
        // Of one column only its bytes count.
        let one = ProjectionMask::leaves(columns.file_metadata().schema_descr(), [1]);
        assert_eq!(check_lengths(&columns, &one, 150), Ok(()));
        let rows = file(2, 300 << 14, 1);
        assert_eq!(check(&rows, 300), None);
        let expected = "damaged: 9830400 rows in a file of 299 bytes";
        assert_eq!(check(&rows, 299).as_deref(), Some(expected));
        assert!(check(&file(3, i64::MAX, 1), 300).is_some());
    }
}
