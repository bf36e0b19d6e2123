//! A file as an iterator of batches, in order, parsed in parallel.
//!
//! Memory does not grow with the file: there are a few blocks for each thread, and their batches.

use std::io;

use super::{
    blocks::{Blocks, LongRow},
    parser::BlockParser,
    pipeline::{Outcome, ParsedBlock, Pipeline},
    source::Compression,
};
use crate::{
    fault::Fault,
    mapped_file::Seal,
    notes::Notes,
    read_error::{Place, ReadError},
    table::batch::Batch,
    table::schema::Schema,
};

/// Reads a file batch by batch.
pub struct Reader {
    file: String,
    batches: Box<dyn BatchSource>,
    schema: Schema,
    notes: Notes,
    finished: bool,
    /// The rows so far, and those that were left out.
    rows: u64,
    left_out: u64,
    /// How many of them have a single cell.
    lone_cells: u64,
    /// How many have no label.
    unlabelled: u64,
    /// The largest share of rows that may be left out because they cannot be read, because they have a single cell, and
    /// because they have no label.
    limits: [f64; 3],
}

/// The batches of a file, in order.
pub(crate) trait BatchSource: Send {
    /// The next batch; there is none after an error.
    fn next_batch(&mut self) -> Option<Result<(Batch, LeftOut), ReadError>>;

    /// The seal of a mapped file whose one batch is all of its rows. After that, the caller has to check it.
    fn take_seal(&mut self) -> Option<Seal> {
        None
    }
}

/// The rows that were left out of a batch.
#[derive(Default)]
pub(crate) struct LeftOut {
    pub(crate) count: u64,
    /// How many of them are certainly no examples.
    pub(crate) no_examples: u64,
    /// How many of these have a single cell, as a line of text has, but also a row in which nearly all is missing.
    pub(crate) lone_cells: u64,
    /// How many have no label.
    pub(crate) unlabelled: u64,
    /// The error of the first one.
    pub(crate) first: Option<ReadError>,
}

/// The name of a file, how its rows become features, and the notes of reading.
pub(crate) struct ReadFile {
    pub(crate) file: String,
    pub(crate) schema: Schema,
    pub(crate) notes: Notes,
}

impl Reader {
    pub(crate) fn new(file: ReadFile, batches: Box<dyn BatchSource>) -> Self {
        let ReadFile { file, schema, notes } = file;
        let (rows, left_out, lone_cells, unlabelled, limits) = (0, 0, 0, 0, [1.0; 3]);
        let finished = false;
        Reader {
            file,
            batches,
            schema,
            notes,
            finished,
            rows,
            left_out,
            lone_cells,
            unlabelled,
            limits,
        }
    }

    /// Sets the largest share of rows that may be left out because they cannot be read, because they have a single cell, and
    /// because they have no label.
    pub(crate) fn with_limits(self, limits: [f64; 3]) -> Self {
        Reader { limits, ..self }
    }

    /// Notes what the rows are, in words.
    pub(crate) fn with_arrangement(mut self, words: Option<String>) -> Self {
        self.notes.arrangement = words;
        self
    }

    /// Checks at the end of the file how many rows were left out. A file without any other row has an error of its own.
    fn check_left_out(&self) -> Result<(), ReadError> {
        let all = self.rows + self.left_out;
        let unreadable = self.left_out - self.notes.no_examples;
        let counts = [unreadable, self.lone_cells, self.unlabelled];
        let is_too_many = |rows: u64, limit: f64| rows as f64 > (limit * all as f64).max(1.0);
        let mut checked = counts.into_iter().zip(self.limits);
        let Some((_, limit)) =
            checked.find(|&(rows, limit)| is_too_many(rows, limit) && self.rows > 0)
        else {
            return Ok(());
        };
        let (file, skipped) = (self.file.clone(), self.left_out);
        let first = self.notes.first_skipped.clone().unwrap_or_default();
        Err(ReadError::TooManySkipped { file, skipped, rows: all, limit, first })
    }

    /// The name of the file in messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// How rows become features. While training, categories and the number of sparse features are
    /// known only at the end, to [`Dataset`](crate::Dataset).
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The notes of reading so far.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    pub(crate) fn take_seal(&mut self) -> Option<Seal> {
        self.batches.take_seal()
    }

    /// The next batch and the rows that were left out of it, without counting them.
    pub(crate) fn next_with_left_out(&mut self) -> Option<Result<(Batch, LeftOut), ReadError>> {
        self.batches.next_batch()
    }

    /// The name, schema and notes of the file before its first row.
    pub(crate) fn file_without_rows(&self) -> ReadFile {
        let (file, schema, notes) = (self.file.clone(), self.schema.clone(), self.notes.clone());
        ReadFile { file, schema, notes }
    }

    pub(crate) fn into_file(self) -> ReadFile {
        ReadFile { file: self.file, schema: self.schema, notes: self.notes }
    }

    fn note(&mut self, batch: &Batch, left_out: LeftOut) {
        self.notes.beyond += batch.beyond;
        self.notes.dropped += batch.dropped;
        self.notes.skipped += left_out.count;
        self.notes.no_examples += left_out.no_examples + left_out.unlabelled;
        self.unlabelled += left_out.unlabelled;
        self.rows += batch.len() as u64;
        self.left_out += left_out.count;
        self.lone_cells += left_out.lone_cells;
        if self.notes.first_skipped.is_none() {
            self.notes.first_skipped = left_out.first.map(|error| error.to_string());
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Batch, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let next = self.batches.next_batch();
        self.finished = !matches!(next, Some(Ok(_)));
        if next.is_none() {
            return self.check_left_out().err().map(Err);
        }
        next.map(|made| {
            let (batch, left_out) = made?;
            self.note(&batch, left_out);
            Ok(batch)
        })
    }
}

/// The place of the next block in its file, which no block shows on its own.
pub(crate) trait Positions: Send {
    /// Passes the next block: its faults become errors of the file, and its rows get labels that come from elsewhere.
    fn pass(&mut self, block: &BlockInfo<'_>, batch: &mut Batch) -> Result<LeftOut, ReadError>;

    /// The error of a fault in the next block.
    fn fault(&self, block: &[u8], fault: Fault) -> ReadError;

    /// The error of reading that breaks off within the next block.
    fn broken(&self, block: &BlockInfo<'_>, error: io::Error) -> ReadError;

    /// Checks the end of the file.
    fn end(&mut self) -> Result<(), ReadError>;
}

/// A block that was parsed.
pub(crate) struct BlockInfo<'b> {
    /// The bytes, where the block has a fault.
    pub(crate) bytes: &'b [u8],
    /// The number of bytes.
    pub(crate) length: usize,
    /// The number of line breaks.
    pub(crate) lines: u64,
}

/// The batches of a file that is parsed block by block.
pub(crate) struct ParsedBlocks<P> {
    pipeline: Pipeline,
    positions: P,
}

impl<P: Positions> ParsedBlocks<P> {
    pub(crate) fn new(
        blocks: Blocks,
        parser: Box<dyn BlockParser>,
        positions: P,
        threads: usize,
    ) -> Self {
        ParsedBlocks { pipeline: Pipeline::new(blocks, parser, threads.max(1)), positions }
    }
}

impl<P: Positions> BatchSource for ParsedBlocks<P> {
    fn next_batch(&mut self) -> Option<Result<(Batch, LeftOut), ReadError>> {
        let Some(ParsedBlock { block, length, lines, outcome }) = self.pipeline.next() else {
            return self.positions.end().err().map(Err);
        };
        let info = BlockInfo { bytes: &block, length, lines };
        Some(match outcome {
            Outcome::Batch(mut batch) => {
                self.positions.pass(&info, &mut batch).map(|left_out| (*batch, left_out))
            }
            Outcome::Fault(fault) => Err(self.positions.fault(&block, fault)),
            Outcome::Broken(error) => Err(self.positions.broken(&info, error)),
        })
    }
}

/// Positions in a text: lines and columns.
pub(crate) struct Lines {
    pub(crate) file: String,
    pub(crate) compression: Compression,
    /// The lines before the next block.
    pub(crate) before: u64,
}

impl Positions for Lines {
    fn pass(&mut self, block: &BlockInfo<'_>, batch: &mut Batch) -> Result<LeftOut, ReadError> {
        let faults = std::mem::take(&mut batch.skipped);
        let (count, no_examples, lone_cells, unlabelled) =
            (faults.len() as u64, batch.no_examples, batch.lone_cells, batch.unlabelled);
        (batch.no_examples, batch.lone_cells, batch.unlabelled) = (0, 0, 0);
        let first = faults.into_iter().next().map(|fault| self.fault(block.bytes, fault));
        self.before += block.lines;
        Ok(LeftOut { count, no_examples, lone_cells, unlabelled, first })
    }

    fn fault(&self, block: &[u8], fault: Fault) -> ReadError {
        Place::of(block, fault.offset, self.before).error(&self.file, fault.problem)
    }

    fn broken(&self, block: &BlockInfo<'_>, error: io::Error) -> ReadError {
        let file = self.file.clone();
        if let Some(problem) = LongRow::problem(&error) {
            return ReadError::Data { file, line: self.before + 1, column: 1, problem };
        }
        let (line, what) = (self.before + block.lines, self.compression.failure(&error));
        ReadError::Read { file, line, what, error }
    }

    fn end(&mut self) -> Result<(), ReadError> {
        Ok(())
    }
}
