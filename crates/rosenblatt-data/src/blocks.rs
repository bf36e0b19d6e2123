//! Cuts a stream into blocks that end where a record ends, so that each can be parsed on its own.
//!
//! A block has about [`Blocks::SIZE`] bytes; a longer record makes a longer block. In a table with
//! quotes, a line break within a quoted cell does not end a record. Records of one length end where
//! their length says.

use std::io::{self, Read};

use memchr::{memchr, memrchr};

use crate::error::Problem;

/// Where records end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// At every line break.
    Line,
    /// At a line break outside quotes; cells are separated by this byte.
    Quoted(u8),
    /// After every so many bytes, counted from the beginning of a block; at least 1.
    Every(usize),
}

/// The block would begin with a row that is longer than [`Blocks::LONGEST`].
#[derive(Debug, thiserror::Error)]
#[error("a row is longer than {} MiB", Blocks::LONGEST >> 20)]
pub(crate) struct LongRow;

impl LongRow {
    /// What this error means, if it is this one.
    pub(crate) fn problem(error: &io::Error) -> Option<Problem> {
        let is_long = error.get_ref().is_some_and(|inner| inner.is::<LongRow>());
        is_long.then_some(Problem::LongRow { mebibytes: Blocks::LONGEST >> 20 })
    }
}

/// The pieces of a stream.
pub(crate) struct Blocks {
    bytes: Box<dyn Read + Send>,
    ending: Ending,
    size: usize,
    /// The beginning of the next block.
    carry: Vec<u8>,
    finished: bool,
}

impl Blocks {
    pub(crate) const SIZE: usize = 1 << 20;
    /// The longest record: what has no line break for so long is no table of examples.
    pub(crate) const LONGEST: usize = 1 << 27;

    pub(crate) fn new(bytes: Box<dyn Read + Send>, size: usize) -> Self {
        Blocks { bytes, ending: Ending::Line, size, carry: Vec::new(), finished: false }
    }

    /// Settles where records end; before that, blocks end at any line break.
    pub(crate) fn set_ending(&mut self, ending: Ending) {
        if let Ending::Every(length) = ending {
            self.size = self.size.max(length);
        }
        self.ending = ending;
    }

    /// Whether all bytes of the stream have been given out.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished && self.carry.is_empty()
    }

    /// Puts bytes back: they come first in the next block.
    pub(crate) fn put_back(&mut self, mut bytes: Vec<u8>) {
        bytes.append(&mut self.carry);
        self.carry = bytes;
    }

    /// The next block in `buffer`, whose contents are replaced; `false` at the end.
    pub(crate) fn next_into(&mut self, buffer: &mut Vec<u8>) -> io::Result<bool> {
        buffer.clear();
        buffer.append(&mut self.carry);
        if self.finished {
            return Ok(!buffer.is_empty());
        }
        let mut size = self.size;
        loop {
            let missing = size.saturating_sub(buffer.len());
            let read = self.bytes.by_ref().take(missing as u64).read_to_end(buffer)?;
            if read < missing {
                self.finished = true;
                return Ok(!buffer.is_empty());
            }
            if let Some(end) = last_end(buffer, self.ending) {
                self.carry.extend_from_slice(&buffer[end..]);
                buffer.truncate(end);
                return Ok(true);
            }
            if buffer.len() >= Self::LONGEST {
                return Err(io::Error::new(io::ErrorKind::InvalidData, LongRow));
            }
            size = 2 * size.max(buffer.len());
        }
    }
}

/// The end of the last complete record.
fn last_end(bytes: &[u8], ending: Ending) -> Option<usize> {
    match ending {
        Ending::Quoted(delimiter) if memchr(b'"', bytes).is_some() => {
            let mut scanner = Scanner::new(delimiter);
            let mut end = None;
            for (i, &byte) in bytes.iter().enumerate() {
                if scanner.step(byte) == Event::RecordEnd {
                    end = Some(i + 1);
                }
            }
            end
        }
        Ending::Every(length) => Some(bytes.len() / length * length).filter(|&end| end > 0),
        _ => memrchr(b'\n', bytes).map(|i| i + 1),
    }
}

/// Follows the quotes of a table byte by byte, by the rules of the `csv` crate: a quote opens a
/// quoted cell only at the cell's beginning, and `""` within it is a quote.
pub(crate) struct Scanner {
    delimiter: u8,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    CellStart,
    Plain,
    Quoted,
    /// After a quote within a quoted cell: its end, or the first half of `""`.
    QuoteInQuoted,
    /// Blanks after the end of a quoted cell.
    AfterQuoted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Nothing,
    /// The byte was a delimiter: a cell begins after it.
    CellEnd,
    /// The byte was a line break that ends a record.
    RecordEnd,
    /// The byte is text after the closing quote of a cell.
    TextAfterQuote,
}

impl Scanner {
    pub(crate) fn new(delimiter: u8) -> Self {
        Scanner { delimiter, state: State::CellStart }
    }

    pub(crate) fn step(&mut self, byte: u8) -> Event {
        let (state, event) = match (self.state, byte) {
            (State::Quoted, b'"') => (State::QuoteInQuoted, Event::Nothing),
            (State::Quoted, _) => (State::Quoted, Event::Nothing),
            (State::QuoteInQuoted, b'"') => (State::Quoted, Event::Nothing),
            (_, b'\n') => (State::CellStart, Event::RecordEnd),
            (_, byte) if byte == self.delimiter => (State::CellStart, Event::CellEnd),
            (State::CellStart, b'"') => (State::Quoted, Event::Nothing),
            (State::CellStart, b'\r') => (State::CellStart, Event::Nothing),
            (State::QuoteInQuoted | State::AfterQuoted, b' ' | b'\t' | b'\r') => {
                (State::AfterQuoted, Event::Nothing)
            }
            (State::QuoteInQuoted | State::AfterQuoted, _) => (State::Plain, Event::TextAfterQuote),
            _ => (State::Plain, Event::Nothing),
        };
        self.state = state;
        event
    }

    fn in_quotes(&self) -> bool {
        self.state == State::Quoted
    }
}

/// Where text follows the closing quote of a cell.
pub(crate) fn text_after_quotes(bytes: &[u8], delimiter: u8) -> Vec<usize> {
    if memchr(b'"', bytes).is_none() {
        return Vec::new();
    }
    let mut scanner = Scanner::new(delimiter);
    let events = bytes.iter().enumerate().map(|(i, &byte)| (i, scanner.step(byte)));
    events.filter(|(_, event)| *event == Event::TextAfterQuote).map(|(i, _)| i).collect()
}

/// Where a quote opens that the bytes do not close, if one does.
pub(crate) fn open_quote(bytes: &[u8], delimiter: u8) -> Option<usize> {
    memchr(b'"', bytes)?;
    let mut scanner = Scanner::new(delimiter);
    let mut opened = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        let before = scanner.state == State::CellStart;
        scanner.step(byte);
        if before && scanner.in_quotes() {
            opened = i;
        }
    }
    scanner.in_quotes().then_some(opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &'static str, ending: Ending, size: usize) -> Vec<String> {
        let mut blocks = Blocks::new(Box::new(text.as_bytes()), size);
        blocks.set_ending(ending);
        let (mut all, mut buffer) = (Vec::new(), Vec::new());
        while blocks.next_into(&mut buffer).unwrap() {
            all.push(String::from_utf8(buffer.clone()).unwrap());
        }
        all
    }

    #[test]
    fn blocks_end_at_line_breaks() {
        let text = "ab\ncd\nefghijkl\nmnopq\nrs\ntuvwxyz";
        let pieces = blocks(text, Ending::Line, 4);
        let (last, others) = pieces.split_last().unwrap();
        assert!(others.len() >= 2 && others.iter().all(|piece| piece.ends_with('\n')));
        assert_eq!(others.concat() + last, text);
        assert_eq!(blocks("ab\n", Ending::Line, 100), ["ab\n"]);
        assert!(blocks("", Ending::Line, 4).is_empty());
    }

    #[test]
    fn a_quoted_line_break_ends_nothing() {
        let text = "a,\"x\ny\"\nb,5\"\nc,\"\"\"\n\"\nd";
        let expected = ["a,\"x\ny\"\n", "b,5\"\n", "c,\"\"\"\n\"\n", "d"];
        assert_eq!(blocks(text, Ending::Quoted(b','), 4), expected);
    }

    #[test]
    fn records_of_one_length_end_where_it_says() {
        assert_eq!(blocks("abcdefgh", Ending::Every(3), 4), ["abc", "def", "gh"]);
        assert_eq!(blocks("abcdefgh", Ending::Every(5), 2), ["abcde", "fgh"]);
        assert_eq!(blocks("a\ncdef", Ending::Every(3), 100), ["a\ncdef"]);
    }

    #[test]
    fn text_after_a_closing_quote_is_found() {
        assert_eq!(
            text_after_quotes(b"\"1\"2,\"a\" \t,\"b\" c\n\"d\"\"\"x,5\"y\n\"e\"\r\n", b','),
            [3, 15, 22]
        );
    }

    #[test]
    fn open_quotes_are_found() {
        assert_eq!(open_quote(b"a,\"b\"\nc,\"d\ne", b','), Some(8));
        assert_eq!(open_quote(b"a,\"b\"\nc,d\"e", b','), None);
    }
}
