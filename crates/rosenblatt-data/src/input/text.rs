//! How a text file begins.

use std::path::PathBuf;

use super::{
    blocks::{Blocks, Ending},
    parser::BlockParser,
    pipeline::newlines,
    reader::{BlockInfo, Lines, ParsedBlocks, Positions, ReadFile, Reader},
    source::Source,
};
use crate::{
    fault::Fault, not_text::NotText, notes::Notes, options::ReadOptions, read_error::ReadError,
    table::schema::Schema,
};

/// A text file before its first batch.
pub(crate) struct Text {
    pub(crate) notes: Notes,
    blocks: Blocks,
    /// The place of the next block.
    lines: Lines,
    path: Option<PathBuf>,
    unbuffered: bool,
}

impl Text {
    /// Takes a source that has its labels in each row.
    pub(crate) fn new(source: Source, notes: Notes) -> Result<Self, ReadError> {
        if let Some(labels) = source.labels {
            return Err(ReadError::UnusedLabels { file: source.name, labels: labels.name });
        }
        let (file, compression, unbuffered) = (source.name, source.compression, source.unbuffered);
        let size = if source.in_one_block { usize::MAX / 4 } else { Blocks::SIZE };
        let blocks = Blocks::new(source.bytes, size);
        Ok(Text {
            notes,
            blocks: if unbuffered { blocks.unbuffered() } else { blocks },
            lines: Lines { file, compression, before: 0 },
            path: source.path,
            unbuffered,
        })
    }

    /// The source again, with all bytes that were not taken.
    pub(crate) fn into_source(self) -> Source {
        Source {
            compression: self.lines.compression,
            path: self.path,
            unbuffered: self.unbuffered,
            ..Source::plain(self.lines.file, self.blocks.into_bytes())
        }
    }

    /// The name of the file in messages.
    pub(crate) fn file(&self) -> &str {
        &self.lines.file
    }

    /// Takes the first block, which must be text, with its byte order mark.
    pub(crate) fn first_block(&mut self) -> Result<Vec<u8>, ReadError> {
        let block = self.take_block()?;
        check_text(self.file(), &block)?;
        Ok(block)
    }

    /// Takes the next block. There must be one.
    pub(crate) fn take_block(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut block = Vec::new();
        match self.blocks.next_into(&mut block) {
            Ok(true) => Ok(block),
            Ok(false) => Err(ReadError::Empty { file: self.file().to_owned() }),
            Err(error) => {
                let info =
                    BlockInfo { bytes: &block, length: block.len(), lines: newlines(&block) };
                Err(self.lines.broken(&info, error))
            }
        }
    }

    /// Takes the next block, if there is one, without counting its lines.
    pub(crate) fn next_block(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        match self.take_block() {
            Err(ReadError::Empty { .. }) => Ok(None),
            block => block.map(Some),
        }
    }

    /// Adds the rest of the file to a block. Whether the block then has at most `most` bytes; otherwise the rest is not
    /// read to its end.
    pub(crate) fn take_rest(
        &mut self,
        block: &mut Vec<u8>,
        most: usize,
    ) -> Result<bool, ReadError> {
        while block.len() <= most {
            match self.next_block()? {
                Some(more) => block.extend(more),
                None => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Whether there may be more bytes than those that were taken.
    pub(crate) fn goes_on(&self) -> bool {
        !self.blocks.is_finished()
    }

    /// The file, if it can be read a second time.
    pub(crate) fn regular_file(&self) -> Option<PathBuf> {
        self.path.clone().filter(|path| path.is_file())
    }

    /// The number of lines before the bytes that were not passed.
    pub(crate) fn lines_before(&self) -> u64 {
        self.lines.before
    }

    /// Puts back a block, or its end.
    pub(crate) fn put_back(&mut self, block: Vec<u8>) {
        self.blocks.put_back(block);
    }

    /// Settles where records end.
    pub(crate) fn set_ending(&mut self, ending: Ending) {
        self.blocks.set_ending(ending);
    }

    /// Counts the lines of these bytes, which are not put back.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> u64 {
        let lines = newlines(bytes);
        self.lines.before += lines;
        lines
    }

    /// The error of a fault in the block that was taken.
    pub(crate) fn fault(&self, block: &[u8], fault: Fault) -> ReadError {
        self.lines.fault(block, fault)
    }

    /// A reader of the bytes that were not taken.
    pub(crate) fn reader(
        self,
        parser: Box<dyn BlockParser>,
        schema: Schema,
        options: &ReadOptions,
    ) -> Reader {
        let file = ReadFile { file: self.lines.file.clone(), schema, notes: self.notes };
        let blocks = ParsedBlocks::new(self.blocks, parser, self.lines, options.threads);
        Reader::new(file, Box::new(blocks))
    }
}

/// Removes the byte order mark at the beginning of a file.
pub(crate) fn without_mark(block: &[u8]) -> &[u8] {
    block.strip_prefix(b"\xef\xbb\xbf".as_slice()).unwrap_or(block)
}

/// The first line that is not blank.
pub(crate) fn first_line(block: &[u8]) -> &[u8] {
    block
        .split(|&byte| byte == b'\n')
        .find(|line| !line.trim_ascii().is_empty())
        .unwrap_or_default()
}

/// Refuses bytes that are no text.
fn check_text(file: &str, block: &[u8]) -> Result<(), ReadError> {
    match NotText::of(block) {
        None => Ok(()),
        Some(found) => Err(ReadError::NotText { file: file.to_owned(), found }),
    }
}
