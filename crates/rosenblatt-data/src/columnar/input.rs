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

use super::{Kind, PARQUET, arrow::Messages, pages::Groups};
use crate::source::{self, Source};

/// An open file whose columns are known.
pub(super) enum Input {
    Parquet(Box<ParquetFile>),
    Arrow(Box<Messages>),
}

/// A Parquet file and what stands at its end.
pub(super) struct ParquetFile {
    file: File,
    metadata: Arc<ParquetMetaData>,
    schema: Arc<Schema>,
}

/// What went wrong, in words.
pub(super) type Message = String;

impl Input {
    pub(super) fn open(source: Source, kind: Kind) -> Result<Self, Message> {
        match kind {
            Kind::Arrow => {
                let reading = source.reading;
                Messages::open(source.bytes, reading).map(Box::new).map(Input::Arrow)
            }
            Kind::Parquet => {
                let reading = source.reading;
                let what = |error| format!("{}: {error}", source::meaning(reading, &error));
                let file = seekable(source).map_err(what)?;
                let end = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new());
                let end = end.map_err(|error| error.to_string())?;
                let (metadata, schema) = (end.metadata().clone(), end.schema().clone());
                Ok(Input::Parquet(Box::new(ParquetFile { file, metadata, schema })))
            }
        }
    }

    pub(super) fn schema(&self) -> Arc<Schema> {
        match self {
            Input::Parquet(parquet) => parquet.schema.clone(),
            Input::Arrow(messages) => messages.schema(),
        }
    }

    /// The batches with these columns, which ascend; of Parquet with so many rows.
    pub(super) fn batches(self, columns: Vec<usize>, rows: usize) -> Result<Batches, Message> {
        match self {
            Input::Arrow(messages) => Ok(Batches::Arrow(Box::new(messages.with_columns(columns)))),
            Input::Parquet(parquet) => {
                let ParquetFile { file, metadata, schema } = *parquet;
                let mask = ProjectionMask::roots(metadata.file_metadata().schema_descr(), columns);
                let descriptor = metadata.file_metadata().schema_descr();
                let levels = parquet_to_arrow_field_levels(descriptor, mask, Some(schema.fields()));
                let reader = levels.and_then(|levels| {
                    let groups = Groups { file: Arc::new(file), metadata: metadata.clone() };
                    ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, rows, None)
                });
                reader.map(Box::new).map(Batches::Parquet).map_err(|error| error.to_string())
            }
        }
    }
}

/// The record batches of a file.
pub(super) enum Batches {
    Parquet(Box<ParquetRecordBatchReader>),
    Arrow(Box<Messages>),
}

impl Batches {
    pub(super) fn next(&mut self) -> Option<Result<RecordBatch, Message>> {
        match self {
            Batches::Parquet(reader) => Some(reader.next()?.map_err(|error| error.to_string())),
            Batches::Arrow(messages) => messages.next_batch().transpose(),
        }
    }
}

/// Parquet is read from its end: a stream goes to a temporary file that has no name.
fn seekable(mut source: Source) -> io::Result<File> {
    if let Some(path) = source.path.as_deref().filter(|path| path.is_file()) {
        let mut file = File::open(path)?;
        let mut start = [0; PARQUET.len()];
        // What is compressed as a whole begins otherwise.
        if file.read_exact(&mut start).is_ok() && start == PARQUET {
            return Ok(file);
        }
    }
    let mut file = tempfile::tempfile()?;
    io::copy(&mut source.bytes, &mut file)?;
    file.flush()?;
    file.rewind()?;
    Ok(file)
}
