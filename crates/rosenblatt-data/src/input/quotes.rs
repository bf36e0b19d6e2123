//! The quotes of a table, by the rules of the `csv` crate.

use memchr::memchr;

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

    /// Whether the last byte was within quotes.
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
