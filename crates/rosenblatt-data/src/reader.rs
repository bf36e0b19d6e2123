//! A file as an iterator of batches, in order, parsed in parallel.
//!
//! Memory does not grow with the file: at any time there are as many blocks as threads, and their
//! batches.

use std::{
    collections::VecDeque,
    panic::resume_unwind,
    thread::{self, ScopedJoinHandle},
};

use memchr::memchr_iter;

use crate::{
    batch::Batch,
    blocks::{Blocks, open_quote},
    csv::TableParser,
    error::{Fault, Problem, ReadError},
    idx::{IdxParser, LeftOut, Records},
    libsvm::LibsvmParser,
    options::Delimiter,
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
}

/// Reads a file batch by batch.
pub struct Reader {
    file: String,
    blocks: Blocks,
    reading: &'static str,
    parser: Parser,
    schema: Schema,
    notes: Notes,
    threads: usize,
    /// Lines before the next block.
    lines: u64,
    /// Parsed blocks that wait for their turn.
    ready: VecDeque<Result<Batch, ReadError>>,
    finished: bool,
    /// Of IDX data, which have records and no lines.
    records: Option<Records>,
    /// Batches that come ready made, instead of blocks.
    made: Option<Made>,
}

/// Batches, each with the rows that were left out of it.
pub(crate) type Made = Box<dyn Iterator<Item = Result<(Batch, LeftOut), ReadError>> + Send>;

pub(crate) enum Parser {
    Table(TableParser),
    Libsvm(LibsvmParser),
    Idx(IdxParser),
    /// There are no blocks.
    None,
}

impl Parser {
    fn parse(&self, block: &[u8]) -> Result<Batch, Fault> {
        match self {
            Parser::Table(parser) => parser.parse(block),
            Parser::Libsvm(parser) => parser.parse(block),
            Parser::Idx(parser) => parser.parse(block),
            Parser::None => Ok(Batch::default()),
        }
    }
}

impl Reader {
    /// A reader of blocks that come after `lines` lines.
    pub(crate) fn new(
        (file, blocks, reading): (String, Blocks, &'static str),
        parser: Parser,
        schema: Schema,
        notes: Notes,
        (lines, threads): (u64, usize),
    ) -> Self {
        let (ready, finished) = (VecDeque::new(), false);
        Reader {
            file,
            blocks,
            reading,
            parser,
            schema,
            notes,
            threads,
            lines,
            ready,
            finished,
            records: None,
            made: None,
        }
    }

    /// A reader of batches that are made elsewhere, of a file without blocks.
    pub(crate) fn of_batches(file: String, made: Made, schema: Schema, notes: Notes) -> Self {
        let blocks = Blocks::new(Box::new(std::io::empty()), Blocks::SIZE);
        let reader = Reader::new((file, blocks, ""), Parser::None, schema, notes, (0, 1));
        Reader { made: Some(made), ..reader }
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

    /// Reads and parses as many blocks as there are threads.
    fn fill(&mut self) {
        let mut blocks = Vec::new();
        while blocks.len() < self.threads && !self.finished {
            let mut block = Vec::new();
            match self.blocks.next_into(&mut block) {
                Ok(true) => blocks.push(block),
                Ok(false) => self.finished = true,
                Err(error) => {
                    self.parse_all(&blocks);
                    if !self.failed() {
                        let error = self.reading_error(&block, error);
                        self.end_with(error);
                    }
                    return;
                }
            }
        }
        let open = self.open_quote(&blocks).and_then(|fault| Some((fault, blocks.pop()?)));
        self.parse_all(&blocks);
        if let (Some((fault, block)), false) = (open, self.failed()) {
            self.end_with(data_error(&self.file, self.lines, &block, fault));
        }
        if self.finished && !self.failed() {
            let end = self.records.as_mut().map_or(Ok(()), Records::end);
            end.unwrap_or_else(|error| self.end_with(error));
        }
    }

    /// The error of reading that comes within `block`, the next one.
    fn reading_error(&self, block: &[u8], error: std::io::Error) -> ReadError {
        if let Some(records) = &self.records {
            return records.reading(block.len(), error);
        }
        let (file, what) = (self.file.clone(), self.reading);
        ReadError::Read { file, line: self.lines + newlines(block), what, error }
    }

    /// The error of a fault in `block`, the next one.
    fn fault_error(&self, block: &[u8], fault: Fault) -> ReadError {
        match &self.records {
            Some(records) => records.fault(fault),
            None => data_error(&self.file, self.lines, block, fault),
        }
    }

    /// A quote in the last block of the file that is never closed.
    fn open_quote(&self, blocks: &[Vec<u8>]) -> Option<Fault> {
        let Parser::Table(TableParser { delimiter: Delimiter::Byte(delimiter), .. }) = &self.parser
        else {
            return None;
        };
        let last = blocks.last().filter(|_| self.blocks.is_finished())?;
        Some(Fault::new(open_quote(last, *delimiter)?, Problem::OpenQuote))
    }

    fn failed(&self) -> bool {
        self.ready.back().is_some_and(Result::is_err)
    }

    fn parse_all(&mut self, blocks: &[Vec<u8>]) {
        let parser = &self.parser;
        let parsed: Vec<Result<Batch, Fault>> = match blocks {
            [block] => vec![parser.parse(block)],
            _ => thread::scope(|scope| {
                let spawn =
                    |block| thread::Builder::new().spawn_scoped(scope, move || parser.parse(block));
                let threads: Vec<_> = blocks.iter().map(|block| (block, spawn(block))).collect();
                let result = |(block, thread): (&Vec<u8>, std::io::Result<ScopedJoinHandle<_>>)| {
                    match thread {
                        Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                        // The system gives no more threads: this one does.
                        Err(_) => parser.parse(block),
                    }
                };
                threads.into_iter().map(result).collect()
            }),
        };
        for (block, result) in blocks.iter().zip(parsed) {
            if self.failed() {
                return;
            }
            match result {
                Ok(batch) => self.take(block, batch),
                Err(fault) => return self.end_with(self.fault_error(block, fault)),
            }
        }
    }

    fn take(&mut self, block: &[u8], mut batch: Batch) {
        if let Some(records) = &mut self.records {
            match records.join(block.len(), &mut batch) {
                Ok(left_out) => self.note_left_out(left_out),
                Err(error) => return self.end_with(error),
            }
        }
        for fault in std::mem::take(&mut batch.skipped) {
            self.notes.skipped += 1;
            if self.notes.first_skipped.is_none() {
                let error = data_error(&self.file, self.lines, block, fault);
                self.notes.first_skipped = Some(error.to_string());
            }
        }
        self.notes.beyond += batch.beyond;
        self.lines += newlines(block);
        self.ready.push_back(Ok(batch));
    }

    fn note_left_out(&mut self, left_out: LeftOut) {
        self.notes.skipped += left_out.count;
        if self.notes.first_skipped.is_none() {
            self.notes.first_skipped = left_out.first.map(|(_, error)| error.to_string());
        }
    }

    fn end_with(&mut self, error: ReadError) {
        self.finished = true;
        self.ready.push_back(Err(error));
    }
}

impl Iterator for Reader {
    type Item = Result<Batch, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(made) = &mut self.made {
            let next = made.next()?.map(|(batch, left_out)| {
                self.note_left_out(left_out);
                batch
            });
            self.made = self.made.take().filter(|_| next.is_ok());
            return Some(next);
        }
        if self.ready.is_empty() && !self.finished {
            self.fill();
        }
        self.ready.pop_front()
    }
}

pub(crate) fn newlines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
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
