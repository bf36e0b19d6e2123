//! The rows of a block, and the place of a cell for a message.

use std::ops::{
    ControlFlow::{self, Continue},
    Range,
};

use ::csv::{ByteRecord, ReaderBuilder};
use memchr::{memchr, memchr_iter, memchr2_iter};

use crate::{
    input::quotes::{Event, Scanner},
    options::Delimiter,
};

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Calls `f` with the place and the cells of each row that is not blank, until it breaks.
pub(super) fn each_record<B>(
    block: &[u8],
    delimiter: Delimiter,
    f: impl FnMut(Range<usize>, &ByteRecord) -> ControlFlow<B>,
) -> ControlFlow<B> {
    match delimiter {
        Delimiter::Byte(byte) if memchr(b'"', block).is_some() => quoted(block, byte, f),
        Delimiter::Byte(byte) | Delimiter::Unquoted(byte) => unquoted(block, byte, f),
        Delimiter::Whitespace => aligned(block, f),
    }
}

fn quoted<B>(
    block: &[u8],
    delimiter: u8,
    mut f: impl FnMut(Range<usize>, &ByteRecord) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(block);
    let mut record = ByteRecord::new();
    // A reader over memory has no error to give when rows may have any length.
    while reader.read_byte_record(&mut record).unwrap_or(false) {
        let position = record.position().map_or(0, |position| position.byte() as usize);
        // The position is before any blank lines that come first.
        let blank =
            block[position..].iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        let start = position + blank;
        if !is_blank(&record) || block[start..].starts_with(b"\"") {
            f(start..reader.position().byte() as usize, &record)?;
        }
    }
    Continue(())
}

/// The rows of a block without quotes, or in which quotes are characters: those that the `csv` crate finds.
fn unquoted<B>(
    block: &[u8],
    delimiter: u8,
    mut f: impl FnMut(Range<usize>, &ByteRecord) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut record = ByteRecord::new();
    let mut start = 0;
    for end in memchr2_iter(b'\n', b'\r', block).chain([block.len()]) {
        let line = &block[start..end];
        let line = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| start == 0).unwrap_or(line);
        let mut cell = 0;
        record.clear();
        for after in memchr_iter(delimiter, line).chain([line.len()]) {
            record.push_field(&line[cell..after]);
            cell = after + 1;
        }
        if !is_blank(&record) {
            f(start..end, &record)?;
        }
        start = end + 1;
    }
    Continue(())
}

/// A line of nothing but blanks.
fn is_blank(record: &ByteRecord) -> bool {
    record.len() == 1 && record.get(0).is_none_or(|cell| cell.trim_ascii().is_empty())
}

/// The lines of nothing but blanks that are not within a quoted cell.
pub(super) fn blank_lines(block: &[u8], delimiter: Delimiter) -> Vec<Range<usize>> {
    let mut scanner = match delimiter {
        Delimiter::Byte(byte) if memchr(b'"', block).is_some() => Some(Scanner::new(byte)),
        _ => None,
    };
    let (mut lines, mut start, mut is_within) = (Vec::new(), 0, false);
    for line in block.split_inclusive(|&byte| byte == b'\n') {
        let range = start..start + line.len();
        start = range.end;
        // An empty cell of one column is blank too.
        if !is_within && line.trim_ascii().is_empty() {
            lines.push(range);
            continue;
        }
        if let Some(scanner) = &mut scanner {
            let last = line.iter().fold(Event::Nothing, |_, &byte| scanner.step(byte));
            is_within = last != Event::RecordEnd;
        }
    }
    lines
}

fn aligned<B>(
    block: &[u8],
    mut f: impl FnMut(Range<usize>, &ByteRecord) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut record = ByteRecord::new();
    let mut start = 0;
    for line in block.split_inclusive(|&byte| byte == b'\n') {
        record.clear();
        for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            record.push_field(word);
        }
        if !record.is_empty() {
            f(start..start + line.len(), &record)?;
        }
        start += line.len();
    }
    Continue(())
}

/// The offset of the first byte of cell `column` of the row at `start`; past the last cell, the end
/// of the row.
pub(super) fn cell_offset(
    block: &[u8],
    start: usize,
    column: usize,
    delimiter: Delimiter,
) -> usize {
    let record = &block[start..];
    let offset = match delimiter {
        Delimiter::Byte(byte) => separated_offset(record, column, byte),
        Delimiter::Unquoted(byte) => unquoted_offset(record, column, byte),
        Delimiter::Whitespace => aligned_offset(record, column),
    };
    start + offset
}

fn separated_offset(record: &[u8], column: usize, delimiter: u8) -> usize {
    let mut scanner = Scanner::new(delimiter);
    let mut cell = 0;
    let mut offset = 0;
    for (i, &byte) in record.iter().enumerate() {
        if cell == column {
            break;
        }
        match scanner.step(byte) {
            Event::Nothing | Event::TextAfterQuote => offset = i + 1,
            Event::CellEnd => (cell, offset) = (cell + 1, i + 1),
            Event::RecordEnd => return i - usize::from(i > 0 && record[i - 1] == b'\r'),
        }
    }
    let blanks = record[offset..].iter().take_while(|&&byte| byte == b' ' && byte != delimiter);
    offset + if cell == column { blanks.count() } else { 0 }
}

fn unquoted_offset(record: &[u8], column: usize, delimiter: u8) -> usize {
    let line = record.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii_end();
    let mut cells = line.split(|&byte| byte == delimiter);
    let cell = cells.nth(column).map(|cell| {
        let blanks = cell.iter().take_while(|&&byte| byte == b' ').count();
        cell.as_ptr() as usize - record.as_ptr() as usize + blanks
    });
    cell.unwrap_or(line.len())
}

fn aligned_offset(record: &[u8], column: usize) -> usize {
    let line = record.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .map(|word| word.as_ptr() as usize - record.as_ptr() as usize);
    words.nth(column).unwrap_or(line.trim_ascii_end().len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn offsets(text: &str, delimiter: Delimiter, columns: usize) -> Vec<usize> {
        (0..columns).map(|column| cell_offset(text.as_bytes(), 0, column, delimiter)).collect()
    }

    #[test]
    fn places_of_cells() {
        assert_eq!(offsets("a,\"b,\nc\", d\r\nx", Delimiter::Byte(b','), 4), [0, 2, 10, 11]);
        assert_eq!(offsets("a\t\tb", Delimiter::Byte(b'\t'), 4), [0, 2, 3, 4]);
        assert_eq!(offsets("  a b  c \nd", Delimiter::Whitespace, 4), [2, 4, 7, 8]);
    }

    #[test]
    fn quotes_can_be_characters() {
        assert_eq!(offsets("5\",\"x, y\nz", Delimiter::Unquoted(b','), 4), [0, 3, 7, 8]);
        let mut cells = Vec::new();
        let _ = each_record(b"5\",\"x\n\",2", Delimiter::Unquoted(b','), |_, record| {
            cells.push(record.iter().map(<[u8]>::to_vec).collect::<Vec<_>>());
            Continue::<()>(())
        });
        let cell = |text: &str| text.as_bytes().to_vec();
        assert_eq!(cells, [[cell("5\""), cell("\"x")], [cell("\""), cell("2")]]);
    }

    #[test]
    fn blank_lines_are_passed_over() {
        let mut seen = Vec::new();
        let _ = each_record(b"\n\r\na,b\n\n  \nc,d", Delimiter::Byte(b','), |place, record| {
            seen.push((place.start, record.len()));
            Continue::<()>(())
        });
        assert_eq!(seen, [(3, 2), (11, 2)]);
    }

    /// The place and the cells of a row.
    fn told(place: Range<usize>, record: &ByteRecord) -> (usize, Vec<Vec<u8>>) {
        (place.start, record.iter().map(<[u8]>::to_vec).collect())
    }

    proptest! {
        #[test]
        fn without_quotes_the_rows_are_those_of_the_csv_crate(
            text in "(\u{feff}a)?([a1 ]{0,3}[,,\t\n\r ]){0,20}",
            delimiter in prop::sample::select(vec![b',', b'\t', b' ']),
        ) {
            let (block, mut ours, mut of_the_crate) = (text.as_bytes(), Vec::new(), Vec::new());
            let _ = unquoted(block, delimiter, |place, record| {
                ours.push(told(place, record));
                Continue::<()>(())
            });
            let _ = quoted(block, delimiter, |place, record| {
                of_the_crate.push(told(place, record));
                Continue::<()>(())
            });
            prop_assert_eq!(ours, of_the_crate);
        }
    }
}
