//! Cuts a stream into blocks that end where a record ends, so that each can be parsed on its own.
//!
//! A block has about [`Blocks::SIZE`] bytes; a longer record makes a longer block. In a table with
//! quotes, a line break within a quoted cell does not end a record. Records of one length end where
//! their length says.

use std::io::{self, Cursor, Read};

use memchr::{memchr, memrchr};

use super::quotes::{Event, Scanner};
use crate::{fast::quote_masks::last_record_end, fault::Problem, options::Quoting};

/// Where records end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// At every line break.
    Line,
    /// At a line break outside quotes; cells are separated by this byte.
    Quoted(u8, Quoting),
    /// After the comma that follows an object of a JSON list.
    Objects,
    /// After each run of this many bytes (at least 1), counted from the beginning of a block.
    Every(usize),
}

/// The error of a block that would begin with a row longer than [`Blocks::LONGEST`].
#[derive(Debug, thiserror::Error)]
#[error("a row is longer than {} MiB", Blocks::LONGEST >> 20)]
pub(crate) struct LongRow;

impl LongRow {
    /// The problem of this error, if the error is a row that is too long.
    pub(super) fn problem(error: &io::Error) -> Option<Problem> {
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
    /// Whether a block ends with the last record that has arrived, however small the block is.
    unbuffered: bool,
}

impl Blocks {
    pub(crate) const SIZE: usize = 1 << 20;
    /// The longest record: bytes without a line break for longer are not a table of examples.
    pub(crate) const LONGEST: usize = 1 << 27;

    pub(crate) fn new(bytes: Box<dyn Read + Send>, size: usize) -> Self {
        let carry = Vec::new();
        Blocks { bytes, ending: Ending::Line, size, carry, finished: false, unbuffered: false }
    }

    /// Gives out records as soon as they arrive.
    pub(crate) fn unbuffered(self) -> Self {
        Blocks { unbuffered: true, ..self }
    }

    /// Whether records are given out as soon as they arrive.
    pub(crate) fn is_unbuffered(&self) -> bool {
        self.unbuffered
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

    /// The bytes that were not given out.
    pub(crate) fn into_bytes(self) -> Box<dyn Read + Send> {
        Box::new(Cursor::new(self.carry).chain(self.bytes))
    }

    /// Adds the bytes that have arrived to `buffer`, up to the last complete record, and waits only if there is none.
    fn next_arrived(&mut self, buffer: &mut Vec<u8>) -> io::Result<bool> {
        const FIRST: usize = 1 << 16;
        let mut most = FIRST;
        loop {
            if let Some(end) = last_end(buffer, self.ending) {
                self.carry.extend_from_slice(&buffer[end..]);
                buffer.truncate(end);
                return Ok(true);
            }
            if buffer.len() >= Self::LONGEST {
                return Err(io::Error::new(io::ErrorKind::InvalidData, LongRow));
            }
            if read_some(&mut *self.bytes, most, buffer)? == 0 {
                self.finished = true;
                return Ok(!buffer.is_empty());
            }
            most = most.max(buffer.len());
        }
    }

    /// The next block in `buffer`, whose contents are replaced; `false` at the end.
    pub(crate) fn next_into(&mut self, buffer: &mut Vec<u8>) -> io::Result<bool> {
        buffer.clear();
        buffer.append(&mut self.carry);
        if self.finished {
            return Ok(!buffer.is_empty());
        }
        if self.unbuffered {
            return self.next_arrived(buffer);
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

/// Reads the bytes that are there, at most `most`, and returns their number; waits only for the first one.
fn read_some(bytes: &mut dyn Read, most: usize, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let before = buffer.len();
    buffer.resize(before + most, 0);
    let read = loop {
        match bytes.read(&mut buffer[before..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read,
        }
    };
    buffer.truncate(before + *read.as_ref().unwrap_or(&0));
    read
}

/// The end of the last complete record.
fn last_end(bytes: &[u8], ending: Ending) -> Option<usize> {
    match ending {
        Ending::Quoted(delimiter, quoting) if memchr(quoting.quote, bytes).is_some() => {
            if quoting.escape.is_none()
                && quoting.comment.is_none()
                && let Some(end) = last_record_end(bytes, delimiter, quoting.quote)
            {
                return end;
            }
            let mut scanner = Scanner::new(delimiter, quoting);
            let mut end = None;
            for (i, &byte) in bytes.iter().enumerate() {
                if scanner.step(byte) == Event::RecordEnd {
                    end = Some(i + 1);
                }
            }
            end
        }
        Ending::Objects => last_object_end(bytes),
        Ending::Every(length) => Some(bytes.len() / length * length).filter(|&end| end > 0),
        _ => memrchr(b'\n', bytes).map(|i| i + 1),
    }
}

/// The end of the last object of a list that has a comma after it. Only brackets, quotes and commas are looked at, up to the
/// end of the list.
fn last_object_end(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut in_text, mut is_escaped, mut end) = (0i64, false, false, None);
    for (i, &byte) in bytes.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ if depth < 0 => break,
            b',' if depth == 0 => end = Some(i + 1),
            _ => {}
        }
    }
    end
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

    /// A stream that gives one byte at a time.
    struct Slow(&'static [u8]);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let one = self.0.len().min(1);
            self.0.read(&mut buffer[..one])
        }
    }

    #[test]
    fn rows_are_given_out_as_they_arrive() {
        let mut blocks = Blocks::new(Box::new(Slow(b"a,b\n\"1\n\",2\n3")), 100).unbuffered();
        blocks.set_ending(Ending::Quoted(b',', Quoting::default()));
        let (mut all, mut buffer) = (Vec::new(), Vec::new());
        while blocks.next_into(&mut buffer).unwrap() {
            all.push(String::from_utf8(buffer.clone()).unwrap());
        }
        assert_eq!(all, ["a,b\n", "\"1\n\",2\n", "3"]);
    }

    #[test]
    fn a_quoted_line_break_ends_nothing() {
        let text = "a,\"x\ny\"\nb,5\"\nc,\"\"\"\n\"\nd";
        let expected = ["a,\"x\ny\"\n", "b,5\"\n", "c,\"\"\"\n\"\n", "d"];
        assert_eq!(blocks(text, Ending::Quoted(b',', Quoting::default()), 4), expected);
    }

    #[test]
    fn objects_of_a_list_end_with_their_comma() {
        let text = r#" {"a":"},\\\"","b":[1,2]} , {"a":"{"},{"a":1}]"#;
        let expected = [r#" {"a":"},\\\"","b":[1,2]} ,"#, r#" {"a":"{"},{"a":1}]"#];
        assert_eq!(blocks(text, Ending::Objects, 4), expected);
    }

    #[test]
    fn records_of_one_length_end_where_it_says() {
        assert_eq!(blocks("abcdefgh", Ending::Every(3), 4), ["abc", "def", "gh"]);
        assert_eq!(blocks("abcdefgh", Ending::Every(5), 2), ["abcde", "fgh"]);
        assert_eq!(blocks("a\ncdef", Ending::Every(3), 100), ["a\ncdef"]);
    }
}
