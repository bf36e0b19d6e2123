//! A file of columns as an iterator of record batches with the columns that are needed.

use std::{
    fs::File,
    io::{self, Read, Seek, Write},
    sync::Arc,
};

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader},
        parquet_to_arrow_field_levels,
    },
    file::metadata::ParquetMetaData,
};

use super::{
    arrow::Messages,
    error::Complaint,
    kind::{Columnar, PARQUET, PARQUET_MAGIC},
    pages::Groups,
};
use crate::input::source::Source;

/// An open file whose columns are known.
pub(super) enum OpenFile {
    Parquet(Box<ParquetFile>),
    Arrow(Box<Messages>),
}

/// A Parquet file and the metadata at its end.
pub(super) struct ParquetFile {
    file: File,
    metadata: Arc<ParquetMetaData>,
    schema: Arc<Schema>,
}

impl OpenFile {
    pub(super) fn open(source: Source, format: &Columnar) -> Result<Self, Complaint> {
        let compression = source.compression;
        if *format != PARQUET {
            return Messages::open(source.bytes, compression).map(Box::new).map(OpenFile::Arrow);
        }
        let failed = |error| format!("{}: {error}", compression.failure(&error));
        let file = seekable(source).map_err(failed)?;
        let end = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new());
        let end = end.map_err(|error| error.to_string())?;
        let (metadata, schema) = (end.metadata().clone(), end.schema().clone());
        Ok(OpenFile::Parquet(Box::new(ParquetFile { file, metadata, schema })))
    }

    pub(super) fn schema(&self) -> Arc<Schema> {
        match self {
            OpenFile::Parquet(parquet) => parquet.schema.clone(),
            OpenFile::Arrow(messages) => messages.schema(),
        }
    }

    /// The batches with these columns, which ascend; a batch of a Parquet file has `rows` rows.
    pub(super) fn batches(
        self,
        columns: Vec<usize>,
        rows: usize,
    ) -> Result<RecordBatches, Complaint> {
        match self {
            OpenFile::Arrow(messages) => {
                Ok(RecordBatches::Arrow(Box::new(messages.with_columns(columns))))
            }
            OpenFile::Parquet(parquet) => {
                let ParquetFile { file, metadata, schema } = *parquet;
                let mask = ProjectionMask::roots(metadata.file_metadata().schema_descr(), columns);
                let descriptor = metadata.file_metadata().schema_descr();
                let levels = parquet_to_arrow_field_levels(descriptor, mask, Some(schema.fields()));
                let reader = levels.and_then(|levels| {
                    let groups = Groups { file: Arc::new(file), metadata: metadata.clone() };
                    ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, rows, None)
                });
                reader.map(Box::new).map(RecordBatches::Parquet).map_err(|error| error.to_string())
            }
        }
    }
}

/// The record batches of a file.
pub(super) enum RecordBatches {
    Parquet(Box<ParquetRecordBatchReader>),
    Arrow(Box<Messages>),
}

impl RecordBatches {
    pub(super) fn next(&mut self) -> Option<Result<RecordBatch, Complaint>> {
        match self {
            RecordBatches::Parquet(reader) => {
                Some(reader.next()?.map_err(|error| error.to_string()))
            }
            RecordBatches::Arrow(messages) => messages.next_batch().transpose(),
        }
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
