//! A file as an iterator of batches, in order, parsed in parallel.
//!
//! Memory does not grow with the file: there are a few blocks for each thread, and their
//! batches.

use crate::{
    batch::Batch,
    blocks::Blocks,
    error::{Fault, ReadError},
    idx::{LeftOut, Records},
    pipeline::{Outcome, Parsed, Parser, Pipeline, newlines},
    schema::Schema,
};

/// What a reader came across beside the data.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Notes {
    /// The first line, or the first bytes, decided the format, because the name did not.
    pub format_from_content: bool,
    /// The format of a file of columns, in words, where only its first bytes told it.
    pub format_from_magic: Option<String>,
    /// Comment lines before the table.
    pub comment_lines: u64,
    /// Rows left out.
    pub skipped: u64,
    /// The first of them, as an error message.
    pub first_skipped: Option<String>,
    /// Columns that the model does not know.
    pub unknown_columns: Vec<String>,
    /// Sparse entries past the model's last feature, left out.
    pub beyond: u64,
    /// The file with the labels, where it was found beside the data and not named.
    pub labels_beside: Option<String>,
    /// It is a packed file of a version without checksums, so damage to its header cannot be seen.
    #[serde(skip)]
    pub no_checksum: bool,
}

/// Reads a file batch by batch.
pub struct Reader {
    file: String,
    origin: Origin,
    reading: &'static str,
    schema: Schema,
    notes: Notes,
    /// Lines before the next block.
    lines: u64,
    finished: bool,
    /// Of IDX data, which have records and no lines.
    records: Option<Records>,
}

/// Where batches come from.
enum Origin {
    /// Blocks of the file, parsed.
    Blocks(Pipeline),
    /// Another reader.
    Made(Made),
}

/// Batches, each with the rows that were left out of it.
pub(crate) type Made = Box<dyn Iterator<Item = Result<(Batch, LeftOut), ReadError>> + Send>;

impl Reader {
    /// A reader of blocks that come after `lines` lines.
    pub(crate) fn new(
        (file, blocks, reading): (String, Blocks, &'static str),
        parser: Parser,
        schema: Schema,
        notes: Notes,
        (lines, threads): (u64, usize),
    ) -> Self {
        let origin = Origin::Blocks(Pipeline::new(blocks, parser, threads));
        Reader { file, origin, reading, schema, notes, lines, finished: false, records: None }
    }

    /// A reader of batches that are made elsewhere, of a file without blocks.
    pub(crate) fn of_batches(file: String, made: Made, schema: Schema, notes: Notes) -> Self {
        let (origin, reading) = (Origin::Made(made), "");
        Reader { file, origin, reading, schema, notes, lines: 0, finished: false, records: None }
    }

    /// The same reader for records of one length.
    pub(crate) fn with_records(self, records: Records) -> Self {
        Reader { records: Some(records), ..self }
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

    /// What was come across so far.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    pub(crate) fn into_parts(self) -> (String, Schema, Notes) {
        (self.file, self.schema, self.notes)
    }

    /// What became of the next block.
    fn advance(&mut self) -> Option<Result<Batch, ReadError>> {
        let parsed = match &mut self.origin {
            Origin::Blocks(pipeline) => pipeline.next(),
            Origin::Made(made) => {
                let next = made.next();
                self.finished = !matches!(next, Some(Ok(_)));
                return next.map(|made| {
                    let (batch, left_out) = made?;
                    self.note_left_out(left_out);
                    Ok(batch)
                });
            }
        };
        let Some(Parsed { block, length, lines, outcome }) = parsed else {
            self.finished = true;
            return self.records.as_mut()?.end().err().map(Err);
        };
        let result = match outcome {
            Outcome::Batch(batch) => self.take(&block, length, batch),
            Outcome::Fault(fault) => Err(self.fault_error(&block, fault)),
            Outcome::Broken(error) => Err(self.reading_error((length, lines), error)),
        };
        self.lines += lines;
        self.finished = result.is_err();
        Some(result)
    }

    /// The error of reading that comes after so many bytes and lines of the next block.
    fn reading_error(&self, (bytes, lines): (usize, u64), error: std::io::Error) -> ReadError {
        if let Some(records) = &self.records {
            return records.reading(bytes, error);
        }
        let lines = (self.lines, self.lines + lines);
        ReadError::of_block(self.file.clone(), lines, self.reading, error)
    }

    /// The error of a fault in `block`, the next one.
    fn fault_error(&self, block: &[u8], fault: Fault) -> ReadError {
        match &self.records {
            Some(records) => records.fault(fault),
            None => data_error(&self.file, self.lines, block, fault),
        }
    }

    /// Notes what was left out of a block; rows of records get their labels.
    fn take(&mut self, block: &[u8], length: usize, mut batch: Batch) -> Result<Batch, ReadError> {
        if let Some(records) = &mut self.records {
            let left_out = records.join(length, &mut batch)?;
            self.note_left_out(left_out);
        }
        for fault in std::mem::take(&mut batch.skipped) {
            self.notes.skipped += 1;
            if self.notes.first_skipped.is_none() {
                let error = data_error(&self.file, self.lines, block, fault);
                self.notes.first_skipped = Some(error.to_string());
            }
        }
        self.notes.beyond += batch.beyond;
        Ok(batch)
    }

    fn note_left_out(&mut self, left_out: LeftOut) {
        self.notes.skipped += left_out.count;
        if self.notes.first_skipped.is_none() {
            self.notes.first_skipped = left_out.first.map(|(_, error)| error.to_string());
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Batch, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished { None } else { self.advance() }
    }
}

/// The error of a fault in a block that comes after `lines_before` lines.
pub(crate) fn data_error(file: &str, lines_before: u64, block: &[u8], fault: Fault) -> ReadError {
    let before = &block[..fault.offset.min(block.len())];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
    // Bytes that continue a character in UTF-8 are not counted.
    let characters = before[line_start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    ReadError::Data {
        file: file.to_owned(),
        line: lines_before + newlines(before) + 1,
        column: characters as u64 + 1,
        problem: fault.problem,
    }
}
