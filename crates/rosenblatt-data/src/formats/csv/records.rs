//! The rows of a block, and the place of a cell for a message.

use std::{
    borrow::Cow,
    ops::{
        ControlFlow::{self, Continue},
        Range,
    },
};

use ::csv::ByteRecord;
use memchr::{memchr, memchr_iter, memchr2, memchr2_iter, memchr3};

use super::dialect::Dialect;
use crate::{
    input::quotes::{Event, Scanner},
    options::{Delimiter, Quoting},
};

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Calls `f` with the place and the cells of each row that is not blank and no comment, until it breaks. Cells have no
/// blanks around them, but for those within quotes.
pub(super) fn each_record<B>(
    block: &[u8],
    dialect: Dialect,
    f: impl FnMut(Range<usize>, &ByteRecord) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Dialect { separator, quoting } = dialect;
    match separator {
        Delimiter::Byte(byte) if quoting.is_in(block) => {
            Quoted { block, separator: byte, quoting }.each(f)
        }
        Delimiter::Byte(byte) | Delimiter::Unquoted(byte) => {
            unquoted(block, byte, quoting.comment, f)
        }
        Delimiter::Whitespace => aligned(block, quoting, f),
    }
}

impl Quoting {
    /// Whether a block has quotes or escapes.
    pub(super) fn is_in(self, block: &[u8]) -> bool {
        match self.escape {
            None => memchr(self.quote, block).is_some(),
            Some(escape) => memchr2(self.quote, escape, block).is_some(),
        }
    }
}

/// A block with quotes or escapes. Without escapes and blanks around quotes, its rows are those that the `csv` crate finds.
#[derive(Clone, Copy)]
struct Quoted<'b> {
    block: &'b [u8],
    separator: u8,
    quoting: Quoting,
}

impl Quoted<'_> {
    fn each<B>(
        self,
        mut f: impl FnMut(Range<usize>, &ByteRecord) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (mut record, mut cell) = (ByteRecord::new(), Vec::new());
        let mut at = 0;
        loop {
            at += self.block[at..].iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
            let start = at;
            let Some(&first) = self.block.get(start) else { return Continue(()) };
            if self.quoting.comment == Some(first) {
                at += self.block[at..].iter().take_while(|&&byte| byte != b'\n').count();
                continue;
            }
            record.clear();
            let is_quoted = self.row(&mut at, &mut record, &mut cell);
            if !is_quoted && is_blank(&record) {
                continue;
            }
            if self.quoting.whole_rows && is_quoted && record.len() == 1 {
                let quoting = Quoting { whole_rows: false, comment: None, ..self.quoting };
                let inner = Quoted { block: &record[0], quoting, ..self };
                let mut cells = ByteRecord::new();
                inner.row(&mut 0, &mut cells, &mut cell);
                f(start..at, &cells)?;
                continue;
            }
            f(start..at, &record)?;
        }
    }

    /// Reads the row at `at` up to after its end, and returns whether its first cell is quoted.
    fn row(self, at: &mut usize, record: &mut ByteRecord, cell: &mut Vec<u8>) -> bool {
        if *at == 0 && self.block.starts_with(BYTE_ORDER_MARK) {
            *at = BYTE_ORDER_MARK.len();
        }
        let mut is_quoted = false;
        loop {
            let blanks = self.block[*at..].iter().take_while(|&&byte| self.is_blank(byte)).count();
            let is_text = self.block.get(*at + blanks) == Some(&self.quoting.quote);
            if is_text {
                is_quoted |= record.is_empty();
                *at += blanks + 1;
                cell.clear();
                self.quoted_cell(at, cell);
                record.push_field(cell);
            } else {
                self.plain_cell(at, record, cell);
            }
            match self.block.get(*at) {
                Some(&byte) if byte == self.separator => *at += 1,
                Some(b'\r') if self.block.get(*at + 1) == Some(&b'\n') => {
                    *at += 2;
                    return is_quoted;
                }
                None => return is_quoted,
                Some(_) => {
                    *at += 1;
                    return is_quoted;
                }
            }
        }
    }

    fn is_blank(self, byte: u8) -> bool {
        matches!(byte, b' ' | b'\t') && byte != self.separator
    }

    /// The end of plain text from `at` on.
    fn plain_end(self, at: usize) -> usize {
        let rest = &self.block[at..];
        memchr3(self.separator, b'\n', b'\r', rest).map_or(self.block.len(), |end| at + end)
    }

    /// A cell without quotes, up to before its separator or the end of the row.
    fn plain_cell(self, at: &mut usize, record: &mut ByteRecord, cell: &mut Vec<u8>) {
        let (start, end) = (*at, self.plain_end(*at));
        *at = end;
        let text = &self.block[start..end];
        match self.quoting.escape {
            Some(escape) if memchr(escape, text).is_some() => {
                cell.clear();
                *at = start;
                self.escaped_text(at, escape, cell);
                record.push_field(cell.trim_ascii());
            }
            _ => record.push_field(text.trim_ascii()),
        }
    }

    /// Text with escapes outside quotes.
    fn escaped_text(self, at: &mut usize, escape: u8, cell: &mut Vec<u8>) {
        while let Some(&byte) = self.block.get(*at) {
            match self.block.get(*at + 1) {
                Some(&next) if byte == escape && self.may_be_escaped(next) => {
                    cell.push(next);
                    *at += 2;
                }
                _ if byte == self.separator || matches!(byte, b'\n' | b'\r') => return,
                _ => {
                    cell.push(byte);
                    *at += 1;
                }
            }
        }
    }

    /// Another byte keeps the sign before it, as in `\N`.
    fn may_be_escaped(self, byte: u8) -> bool {
        byte == self.quoting.quote || byte == self.separator || self.quoting.is_escape(byte)
    }

    /// A cell from after its opening quote up to before its separator or the end of the row.
    fn quoted_cell(self, at: &mut usize, cell: &mut Vec<u8>) {
        let (quote, escape) =
            (self.quoting.quote, self.quoting.escape.unwrap_or(self.quoting.quote));
        loop {
            let rest = &self.block[*at..];
            let Some(end) = memchr2(quote, escape, rest) else {
                cell.extend_from_slice(rest);
                *at = self.block.len();
                return;
            };
            cell.extend_from_slice(&rest[..end]);
            let next = rest.get(end + 1).copied();
            *at += end + 1;
            if rest[end] != quote {
                let is_escaped = next.is_some_and(|next| self.may_be_escaped(next));
                let taken = next.filter(|_| is_escaped).unwrap_or(rest[end]);
                cell.push(taken);
                *at += usize::from(is_escaped);
            } else if next == Some(quote) {
                cell.push(quote);
                *at += 1;
            } else {
                // Text after the quote is a fault that is found elsewhere.
                let end = self.plain_end(*at);
                cell.extend_from_slice(self.block[*at..end].trim_ascii_end());
                *at = end;
                return;
            }
        }
    }
}

/// The rows of a block without quotes, or in which quotes are characters: those that the `csv` crate finds.
fn unquoted<B>(
    block: &[u8],
    delimiter: u8,
    comment: Option<u8>,
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
            record.push_field(line[cell..after].trim_ascii());
            cell = after + 1;
        }
        if !is_blank(&record) && !is_comment(line, comment) {
            f(start..end, &record)?;
        }
        start = end + 1;
    }
    Continue(())
}

fn is_comment(line: &[u8], sign: Option<u8>) -> bool {
    sign.is_some() && line.first().copied() == sign
}

/// A line of nothing but blanks.
fn is_blank(record: &ByteRecord) -> bool {
    record.len() == 1 && record.get(0).is_none_or(|cell| cell.trim_ascii().is_empty())
}

/// The lines of nothing but blanks that are not within a quoted cell.
pub(super) fn blank_lines(block: &[u8], dialect: Dialect) -> Vec<Range<usize>> {
    let Dialect { separator, quoting } = dialect;
    let mut scanner = match separator {
        Delimiter::Byte(byte) if memchr(quoting.quote, block).is_some() => {
            Some(Scanner::new(byte, quoting))
        }
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
    quoting: Quoting,
    mut f: impl FnMut(Range<usize>, &ByteRecord) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut record = ByteRecord::new();
    let mut start = 0;
    for line in block.split_inclusive(|&byte| byte == b'\n') {
        record.clear();
        Words { line, at: 0, quote: quoting.quote }.for_each(|word| record.push_field(&word.text));
        if !record.is_empty() && !is_comment(line, quoting.comment) {
            f(start..start + line.len(), &record)?;
        }
        start += line.len();
    }
    Continue(())
}

/// The cells of a line between blanks. A quote that begins a cell makes all up to the next one text, if a blank or the end of the
/// line follows that; `""` within is a quote.
struct Words<'l> {
    line: &'l [u8],
    at: usize,
    quote: u8,
}

struct Word<'l> {
    start: usize,
    text: Cow<'l, [u8]>,
}

impl<'l> Iterator for Words<'l> {
    type Item = Word<'l>;

    fn next(&mut self) -> Option<Word<'l>> {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let start = self.at + self.line[self.at..].iter().position(|byte| !is_blank(byte))?;
        let rest = &self.line[start..];
        let plain = rest.iter().position(is_blank).unwrap_or(rest.len());
        let quoted = if rest.first() == Some(&self.quote) { self.quoted(&rest[1..]) } else { None };
        let (length, text) = quoted.unwrap_or((plain, Cow::Borrowed(&rest[..plain])));
        self.at = start + length;
        Some(Word { start, text })
    }
}

impl<'l> Words<'l> {
    /// The bytes of a quoted cell and its text, after the first quote.
    fn quoted(&self, inner: &'l [u8]) -> Option<(usize, Cow<'l, [u8]>)> {
        let mut at = 0;
        let end = loop {
            let end = at + memchr(self.quote, &inner[at..])?;
            match inner.get(end + 1) {
                None => break end,
                Some(byte) if byte.is_ascii_whitespace() => break end,
                Some(byte) if *byte == self.quote => at = end + 2,
                Some(_) => return None,
            }
        };
        let text = &inner[..end];
        let text = match memchr(self.quote, text) {
            None => Cow::Borrowed(text),
            Some(_) => {
                let twice = [self.quote; 2];
                let mut single = Vec::with_capacity(text.len());
                let mut rest = text;
                while let Some(next) = memchr::memmem::find(rest, &twice) {
                    single.extend_from_slice(&rest[..=next]);
                    rest = &rest[next + 2..];
                }
                single.extend_from_slice(rest);
                Cow::Owned(single)
            }
        };
        Some((end + 2, text))
    }
}

/// The offset of the first byte of cell `column` of the row at `start`; past the last cell, the end
/// of the row.
pub(super) fn cell_offset(block: &[u8], start: usize, column: usize, dialect: Dialect) -> usize {
    let record = &block[start..];
    let offset = match dialect.separator {
        Delimiter::Byte(byte) if dialect.quoting.whole_rows => match record.strip_prefix(b"\"") {
            Some(inner) => 1 + unquoted_offset(inner, column, byte),
            None => separated_offset(record, column, byte, dialect.quoting),
        },
        Delimiter::Byte(byte) => separated_offset(record, column, byte, dialect.quoting),
        Delimiter::Unquoted(byte) => unquoted_offset(record, column, byte),
        Delimiter::Whitespace => aligned_offset(record, column, dialect.quoting.quote),
    };
    start + offset
}

fn separated_offset(record: &[u8], column: usize, delimiter: u8, quoting: Quoting) -> usize {
    let mut scanner = Scanner::new(delimiter, quoting);
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

fn aligned_offset(record: &[u8], column: usize, quote: u8) -> usize {
    let line = record.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let cell = Words { line, at: 0, quote }.nth(column);
    cell.map_or(line.trim_ascii_end().len(), |word| word.start)
}

#[cfg(test)]
mod tests {
    use ::csv::ReaderBuilder;
    use proptest::prelude::*;

    use super::*;

    fn dialect(separator: Delimiter) -> Dialect {
        Dialect { separator, quoting: Quoting::default() }
    }

    fn cells(text: &[u8], dialect: Dialect) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        let _ = each_record(text, dialect, |_, record| {
            rows.push(
                record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect(),
            );
            Continue::<()>(())
        });
        rows
    }

    #[test]
    fn blanks_around_quotes_are_passed_over_and_those_within_kept() {
        let comma = dialect(Delimiter::Byte(b','));
        assert_eq!(cells(b"1, \" p \" ,\tq \n", comma), [["1", " p ", "q"]]);
        assert_eq!(cells(b"\"a\"\"b\",\"x\ny\"\r\n", comma), [["a\"b", "x\ny"]]);
    }

    #[test]
    fn quotes_escapes_and_comments_are_those_of_the_dialect() {
        let quoting =
            Quoting { quote: b'\'', escape: Some(b'\\'), comment: Some(b'#'), whole_rows: false };
        let dialect = Dialect { separator: Delimiter::Byte(b';'), quoting };
        let text = b"'it\\'s';a\\;b;\\N\n# no; 'row\n'x;\\\\';\"y\";2\n";
        assert_eq!(cells(text, dialect), [["it's", "a;b", "\\N"], ["x;\\", "\"y\"", "2"]]);
    }

    #[test]
    fn a_row_within_quotes_is_a_row() {
        let quoting = Quoting { whole_rows: true, ..Quoting::default() };
        let dialect = Dialect { separator: Delimiter::Byte(b','), quoting };
        let text = b"a,b\n\"1,\"\"x, y\"\"\"\n\"2\",z\n";
        assert_eq!(cells(text, dialect), [["a", "b"], ["1", "x, y"], ["2", "z"]]);
        assert_eq!(cell_offset(text, 4, 1, dialect), 7);
    }

    #[test]
    fn between_blanks_quotes_end_within_their_line() {
        let blanks = dialect(Delimiter::Whitespace);
        let text = b"\"a b\"  \"c \"\"d\"\"\" 5\" \"\"\n\"x y\n\"p\"q r\"\n";
        let rows: [&[&str]; 3] =
            [&["a b", "c \"d\"", "5\"", ""], &["\"x", "y"], &["\"p\"q", "r\""]];
        assert_eq!(cells(text, blanks), rows);
        assert_eq!(cell_offset(text, 0, 1, blanks), 7);
    }

    fn offsets(text: &str, delimiter: Delimiter, columns: usize) -> Vec<usize> {
        (0..columns)
            .map(|column| cell_offset(text.as_bytes(), 0, column, dialect(delimiter)))
            .collect()
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
        let _ = each_record(b"5\",\"x\n\",2", dialect(Delimiter::Unquoted(b',')), |_, record| {
            cells.push(record.iter().map(<[u8]>::to_vec).collect::<Vec<_>>());
            Continue::<()>(())
        });
        let cell = |text: &str| text.as_bytes().to_vec();
        assert_eq!(cells, [[cell("5\""), cell("\"x")], [cell("\""), cell("2")]]);
    }

    #[test]
    fn blank_lines_are_passed_over() {
        let mut seen = Vec::new();
        let _ = each_record(
            b"\n\r\na,b\n\n  \nc,d",
            dialect(Delimiter::Byte(b',')),
            |place, record| {
                seen.push((place.start, record.len()));
                Continue::<()>(())
            },
        );
        assert_eq!(seen, [(3, 2), (11, 2)]);
    }

    /// The place and the cells of a row.
    fn told(place: Range<usize>, record: &ByteRecord) -> (usize, Vec<Vec<u8>>) {
        (place.start, record.iter().map(<[u8]>::to_vec).collect())
    }

    /// The rows that the `csv` crate finds, and whether a cell begins with a quote.
    fn of_the_crate(block: &[u8], delimiter: u8) -> Vec<(usize, Vec<Vec<u8>>)> {
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(block);
        let (mut record, mut rows) = (ByteRecord::new(), Vec::new());
        while reader.read_byte_record(&mut record).unwrap() {
            let position = record.position().map_or(0, |position| position.byte() as usize);
            let is_end = |byte: &&u8| matches!(byte, b'\n' | b'\r');
            let start = position + block[position..].iter().take_while(is_end).count();
            if !is_blank(&record) || block[start..].starts_with(b"\"") {
                rows.push(told(start..start, &record));
            }
        }
        rows
    }

    fn trimmed(rows: Vec<(usize, Vec<Vec<u8>>)>) -> Vec<(usize, Vec<Vec<u8>>)> {
        let trim =
            |cells: Vec<Vec<u8>>| cells.iter().map(|one| one.trim_ascii().to_vec()).collect();
        rows.into_iter().map(|(start, cells)| (start, trim(cells))).collect()
    }

    proptest! {
        #[test]
        fn without_quotes_the_rows_are_those_of_the_csv_crate(
            text in "(\u{feff}a)?([a1 ]{0,3}[,,\t\n\r ]){0,20}",
            delimiter in prop::sample::select(vec![b',', b'\t', b' ']),
        ) {
            let (block, mut ours) = (text.as_bytes(), Vec::new());
            let _ = unquoted(block, delimiter, None, |place, record| {
                ours.push(told(place, record));
                Continue::<()>(())
            });
            prop_assert_eq!(ours, trimmed(of_the_crate(block, delimiter)));
        }

        #[test]
        fn quoted_cells_between_blanks_come_back(row in prop::collection::vec("[a\" ]{0,4}", 1..5)) {
            let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
            let line = row.iter().map(quoted).collect::<Vec<_>>().join("  ");
            prop_assert_eq!(cells(line.as_bytes(), dialect(Delimiter::Whitespace)), [row]);
        }

        #[test]
        fn with_quotes_the_rows_are_those_of_the_csv_crate(
            text in "((\"([a1, \n]|\"\"){0,3}\"|[a1 ]{0,2}|a\")(,|,|\n|\r\n)){0,20}",
        ) {
            let (block, mut ours) = (text.as_bytes(), Vec::new());
            let quoted = Quoted { block, separator: b',', quoting: Quoting::default() };
            let _ = quoted.each(|place, record| {
                ours.push(told(place, record));
                Continue::<()>(())
            });
            prop_assert_eq!(trimmed(ours), trimmed(of_the_crate(block, b',')));
        }
    }
}
