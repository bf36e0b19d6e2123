//! The quotes of a table, by the rules of the `csv` crate.

use memchr::memchr;

use crate::options::Quoting;

/// Follows the quotes of a table byte by byte: a quote opens a quoted cell only at the cell's beginning, perhaps after
/// blanks, and `""` within it is a quote. After an escape, any byte is one like others.
pub(crate) struct Scanner {
    delimiter: u8,
    quoting: Quoting,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    RowStart,
    Comment,
    CellStart,
    Plain,
    /// After an escape outside quotes.
    Escaped,
    Quoted,
    /// After an escape within quotes.
    EscapedInQuotes,
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
    pub(crate) fn new(delimiter: u8, quoting: Quoting) -> Self {
        Scanner { delimiter, quoting, state: State::RowStart }
    }

    pub(crate) fn step(&mut self, byte: u8) -> Event {
        use State::{
            AfterQuoted, CellStart, Comment, Escaped, EscapedInQuotes, Plain, QuoteInQuoted,
            Quoted, RowStart,
        };
        let (is_quote, is_escape) = (byte == self.quoting.quote, self.quoting.is_escape(byte));
        let (state, event) = match (self.state, byte) {
            (Quoted, _) if is_quote => (QuoteInQuoted, Event::Nothing),
            (Quoted, _) if is_escape => (EscapedInQuotes, Event::Nothing),
            (Quoted | EscapedInQuotes, _) => (Quoted, Event::Nothing),
            (QuoteInQuoted, _) if is_quote => (Quoted, Event::Nothing),
            (_, b'\n') => (RowStart, Event::RecordEnd),
            (Comment, _) => (Comment, Event::Nothing),
            (RowStart, _) if self.quoting.comment == Some(byte) => (Comment, Event::Nothing),
            (Escaped, _) => (Plain, Event::Nothing),
            (_, byte) if byte == self.delimiter => (CellStart, Event::CellEnd),
            (RowStart | CellStart, _) if is_quote => (Quoted, Event::Nothing),
            (RowStart | CellStart | Plain, _) if is_escape => (Escaped, Event::Nothing),
            (RowStart | CellStart, b' ' | b'\t' | b'\r') => (CellStart, Event::Nothing),
            (QuoteInQuoted | AfterQuoted, b' ' | b'\t' | b'\r') => (AfterQuoted, Event::Nothing),
            (QuoteInQuoted | AfterQuoted, _) => (Plain, Event::TextAfterQuote),
            _ => (Plain, Event::Nothing),
        };
        self.state = state;
        event
    }

    /// Whether the last byte was within quotes.
    fn in_quotes(&self) -> bool {
        matches!(self.state, State::Quoted | State::EscapedInQuotes)
    }

    /// Whether the next byte may be a quote that opens a cell.
    fn is_at_start(&self) -> bool {
        matches!(self.state, State::RowStart | State::CellStart)
    }
}

/// Where text follows the closing quote of a cell.
pub(crate) fn text_after_quotes(bytes: &[u8], delimiter: u8, quoting: Quoting) -> Vec<usize> {
    if memchr(quoting.quote, bytes).is_none() {
        return Vec::new();
    }
    let mut scanner = Scanner::new(delimiter, quoting);
    let events = bytes.iter().enumerate().map(|(i, &byte)| (i, scanner.step(byte)));
    events.filter(|(_, event)| *event == Event::TextAfterQuote).map(|(i, _)| i).collect()
}

/// The end of the record with which the bytes begin.
pub(crate) fn record_end(bytes: &[u8], delimiter: u8, quoting: Quoting) -> usize {
    let mut scanner = Scanner::new(delimiter, quoting);
    let end = bytes.iter().position(|&byte| scanner.step(byte) == Event::RecordEnd);
    end.map_or(bytes.len(), |end| end + 1)
}

/// The number of quoted cells.
pub(crate) fn quoted_cells(bytes: &[u8], delimiter: u8, quoting: Quoting) -> usize {
    let mut scanner = Scanner::new(delimiter, quoting);
    let mut opens = |&byte: &u8| {
        let may_open = scanner.is_at_start();
        scanner.step(byte);
        may_open && scanner.in_quotes()
    };
    bytes.iter().filter(|byte| opens(byte)).count()
}

/// Where a quote opens that the bytes do not close, if one does.
pub(crate) fn open_quote(bytes: &[u8], delimiter: u8, quoting: Quoting) -> Option<usize> {
    memchr(quoting.quote, bytes)?;
    let mut scanner = Scanner::new(delimiter, quoting);
    let mut opened = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        let before = scanner.is_at_start();
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

    const USUAL: Quoting = Quoting { quote: b'"', escape: None, comment: None, whole_rows: false };

    #[test]
    fn text_after_a_closing_quote_is_found() {
        assert_eq!(
            text_after_quotes(b"\"1\"2,\"a\" \t,\"b\" c\n\"d\"\"\"x,5\"y\n\"e\"\r\n", b',', USUAL),
            [3, 15, 22]
        );
        assert_eq!(text_after_quotes(b"1, \"a\",\t\"b\"c", b',', USUAL), [11]);
    }

    #[test]
    fn open_quotes_are_found() {
        assert_eq!(open_quote(b"a,\"b\"\nc,\"d\ne", b',', USUAL), Some(8));
        assert_eq!(open_quote(b"a,\"b\"\nc,d\"e", b',', USUAL), None);
        assert_eq!(open_quote(b"a, \"b\n", b',', USUAL), Some(3));
    }

    #[test]
    fn escapes_and_comments_have_no_quotes() {
        let quoting = Quoting { escape: Some(b'\\'), comment: Some(b'#'), ..USUAL };
        assert_eq!(open_quote(b"#,\"x\n\"a\\\"\",\\\"b\n", b',', quoting), None);
        assert_eq!(text_after_quotes(b"\"a\\\"b\",1\n", b',', quoting), Vec::<usize>::new());
        let single = Quoting { quote: b'\'', ..USUAL };
        assert_eq!(open_quote(b"\"a,'b\n", b',', single), Some(3));
    }
}
