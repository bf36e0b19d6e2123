//! A file of columns as an iterator of record batches with the columns that are needed.

use std::{
    fs::File,
    io::{self, Read, Seek, Write},
    sync::Arc,
};

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use parquet::arrow::{
    ProjectionMask,
    arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder},
};

use super::{Kind, PARQUET, arrow::Messages};
use crate::source::Source;

/// An open file whose columns are known.
pub(super) enum Input {
    Parquet(Box<ParquetRecordBatchReaderBuilder<File>>),
    Arrow(Box<Messages>),
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
                let file = seekable(source).map_err(|error| format!("{reading}: {error}"))?;
                let builder = ParquetRecordBatchReaderBuilder::try_new(file);
                builder.map(Box::new).map(Input::Parquet).map_err(|error| error.to_string())
            }
        }
    }

    pub(super) fn schema(&self) -> Arc<Schema> {
        match self {
            Input::Parquet(builder) => builder.schema().clone(),
            Input::Arrow(messages) => messages.schema(),
        }
    }

    /// The batches with these columns, which ascend; of Parquet with so many rows.
    pub(super) fn batches(self, columns: Vec<usize>, rows: usize) -> Result<Batches, Message> {
        match self {
            Input::Arrow(messages) => Ok(Batches::Arrow(Box::new(messages.with_columns(columns)))),
            Input::Parquet(builder) => {
                let mask = ProjectionMask::roots(builder.parquet_schema(), columns);
                let reader = builder.with_projection(mask).with_batch_size(rows).build();
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
            Batches::Parquet(reader) => {
                Some(reader.next()?.map_err(|error| error.to_string()))
            }
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
