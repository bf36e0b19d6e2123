//! The dialect of a table: the signs that cut it into rows and cells, found out by its first rows.
//!
//! A separator that the options or a line `sep=;` names is not doubted. The one that the name of the file tells, or the
//! model, is kept where it cuts most rows into equally many cells. Another quote or an escape is taken only where it reads
//! every row, and the usual one does not.

use std::ops::ControlFlow::{Break, Continue};

use ::csv::ByteRecord;

use super::{first_row::has_numbers, records::each_record};
use crate::{
    input::quotes::{open_quote, quoted_cells, text_after_quotes},
    number::{self, Number},
    number_form::{Decimal, NumberForm},
    options::{Delimiter, Quoting, ReadOptions},
};

/// How bytes are cut into rows and cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) separator: Delimiter,
    pub(super) quoting: Quoting,
}

/// What is known of a dialect before the rows are looked at.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) separator: Delimiter,
    /// Whether the separator was named.
    pub(super) is_certain: bool,
    /// The signs with which the model was trained.
    pub(super) quoting: Quoting,
}

/// The rows that are looked at.
const ROWS: usize = 100;
/// The bytes that are looked at; at least one row.
const BYTES: usize = 1 << 16;
/// The separators that are tried, the likelier first.
const SEPARATORS: [u8; 9] = [b',', b';', b'\t', b'|', 0x01, 0x1f, 0x1e, b'^', b'~'];

impl Dialect {
    /// The dialect of the text at the beginning of a table.
    pub(super) fn detect(block: &[u8], known: Known, options: &ReadOptions) -> Dialect {
        let sample = sample(block);
        let quoting = Quoting {
            quote: options.quote.unwrap_or(known.quoting.quote),
            escape: options.escape.or(known.quoting.escape),
            comment: options.comment.or(known.quoting.comment),
            whole_rows: known.quoting.whole_rows,
        };
        let fit = |separator| Fit::best(sample, Dialect { separator, quoting }, options);
        let usual = fit(known.separator);
        if known.is_certain || usual.is_good() && !other_decimals(sample, &usual, fit) {
            return usual.or_clearer(known, sample, fit).with_comments(sample, options);
        }
        others(sample, known.separator)
            .map(fit)
            .filter(Fit::is_convincing)
            .reduce(|best, other| if other.merit() > best.merit() { other } else { best })
            .map_or(usual.dialect, |best| best.dialect)
            .with_comments(sample, options)
    }

    /// The dialect with comments within the table, if rows begin with `#` and none of these has the cells of the others.
    fn with_comments(self, sample: Sample<'_>, options: &ReadOptions) -> Dialect {
        if options.comment.or(self.quoting.comment).is_some() || !sample.bytes.contains(&b'#') {
            return self;
        }
        let rows = first_rows(sample.bytes, self, ROWS);
        let cells = usual_cells(&rows);
        let starts = |row: &&ByteRecord| row.get(0).is_some_and(|cell| cell.starts_with(b"#"));
        let mut like_comments = rows.iter().filter(starts).peekable();
        let are_comments = cells > 1
            && like_comments.peek().is_some()
            && like_comments.all(|row| row.len() != cells);
        let comment = are_comments.then_some(b'#');
        Dialect { quoting: Quoting { comment, ..self.quoting }, ..self }
    }

    /// The dialect of a text of which nothing else tells that it is a table.
    pub(super) fn of_unknown(block: &[u8], options: &ReadOptions) -> Option<Dialect> {
        let (separator, quoting) = (Delimiter::Byte(b','), Quoting::default());
        let known = Known { separator, is_certain: false, quoting };
        let found = Self::detect(block, known, options);
        (found.separator.without_quotes() != separator.without_quotes()).then_some(found)
    }

    /// Whether two dialects have the same separator, whatever becomes of quotes.
    pub(super) fn has_separator(self, other: Delimiter) -> bool {
        self.separator.without_quotes() == other.without_quotes()
    }
}

/// The other separators that come into question.
fn others(sample: Sample<'_>, usual: Delimiter) -> impl Iterator<Item = Delimiter> {
    let bytes =
        SEPARATORS.into_iter().filter(|byte| sample.bytes.contains(byte)).map(Delimiter::Byte);
    // Between single blanks, cells may be quoted.
    let has_quotes = sample.bytes.contains(&b'"') || sample.bytes.contains(&b'\'');
    let blank = has_quotes.then_some(Delimiter::Byte(b' '));
    let all: Vec<_> = bytes.chain(blank).chain([Delimiter::Whitespace]).collect();
    all.into_iter().filter(move |one| one.without_quotes() != usual.without_quotes())
}

/// Whether the commas that cut the rows are decimal commas between cells that another sign separates.
fn other_decimals(sample: Sample<'_>, usual: &Fit, fit: impl Fn(Delimiter) -> Fit) -> bool {
    usual.dialect.has_separator(Delimiter::Byte(b','))
        && others(sample, usual.dialect.separator).any(|other| fit(other).has_decimal_commas())
}

/// How well a dialect cuts the first rows.
#[derive(Clone)]
struct Fit {
    dialect: Dialect,
    rows: Vec<ByteRecord>,
    /// The number of cells of most rows; 1 if no row has more.
    cells: usize,
    /// The first row that is no title.
    first: usize,
    /// The share of rows from there on with this number of cells.
    share: f64,
    /// The quotes that are not closed, or closed before the end of their cell.
    faults: usize,
    /// The number of quoted cells.
    quoted: usize,
}

impl Fit {
    /// The quotes, escapes and whole rows that suit a separator best.
    fn best(sample: Sample<'_>, dialect: Dialect, options: &ReadOptions) -> Fit {
        let Delimiter::Byte(_) = dialect.separator else { return Fit::of(sample, dialect) };
        if !options.quotes {
            let separator = dialect.separator.without_quotes();
            return Fit::of(sample, Dialect { separator, ..dialect });
        }
        let mut usual = Fit::of(sample, dialect);
        let with = |quoting| Fit::of(sample, Dialect { quoting, ..dialect });
        let mut quoting = dialect.quoting;
        // Another file than the training file may have the usual quotes again.
        let plain = Quoting {
            quote: options.quote.unwrap_or(b'"'),
            escape: options.escape,
            comment: quoting.comment,
            whole_rows: false,
        };
        let is_shown = usual.is_perfect() && (usual.quoted > 0 || !sample.bytes.contains(&b'"'));
        if quoting != plain && !is_shown {
            (usual, quoting) = (with(plain), plain);
        }
        let single = Quoting { quote: b'\'', ..quoting };
        let escaped = |quoting| Quoting { escape: Some(b'\\'), ..quoting };
        if options.quote.is_none() && sample.bytes.contains(&b'\'') {
            let backslash = sample.bytes.contains(&b'\\').then(|| with(escaped(single)));
            let mut found = [Some(with(single)), backslash].into_iter().flatten();
            let are_quoted = usual.has_names_in_apostrophes();
            let quoted =
                found.find(|fit| (fit.is_quoted() || are_quoted) && fit.is_no_worse(&usual));
            if let Some(found) = quoted.filter(|_| !usual.is_quoted()) {
                return found;
            }
        }
        if options.escape.is_none() && sample.bytes.contains(&b'\\') && !usual.is_whole() {
            let found = with(escaped(quoting));
            if found.is_whole() && found.cells > 1 {
                return found;
            }
        }
        if usual.is_of_quoted_rows() {
            let found = with(Quoting { whole_rows: true, ..quoting });
            if found.is_perfect() && found.cells > 1 {
                return found;
            }
        }
        usual
    }

    fn of(sample: Sample<'_>, dialect: Dialect) -> Fit {
        let mut rows = first_rows(sample.bytes, dialect, ROWS);
        let (mut faults, mut quoted) = (0, 0);
        if let Delimiter::Byte(byte) = dialect.separator {
            let (bytes, quoting) = (sample.bytes, dialect.quoting);
            faults += text_after_quotes(bytes, byte, quoting).len();
            quoted = quoted_cells(bytes, byte, quoting);
            match open_quote(bytes, byte, quoting) {
                Some(_) if sample.is_cut && rows.len() > 1 && rows.len() < ROWS => drop(rows.pop()),
                Some(_) if sample.is_cut => {}
                open => faults += usize::from(open.is_some()),
            }
        }
        let cells = usual_cells(&rows);
        let first = rows.iter().position(|row| row.len() >= cells).unwrap_or(0);
        let rest = without_end(&rows[first..], cells);
        let usual = rest.iter().filter(|row| row.len() == cells).count();
        let share = if rest.is_empty() { 0.0 } else { usual as f64 / rest.len() as f64 };
        Fit { dialect, rows, cells, first, share, faults, quoted }
    }

    fn is_good(&self) -> bool {
        self.cells > 1 && self.share >= 0.5
    }

    fn is_perfect(&self) -> bool {
        self.share == 1.0 && self.faults == 0
    }

    /// Whether every row has as many cells as the first.
    fn is_whole(&self) -> bool {
        self.is_perfect() && self.rows.first().is_some_and(|row| row.len() == self.cells)
    }

    fn is_no_worse(&self, other: &Fit) -> bool {
        let has_all_rows = self.rows.len() == other.rows.len();
        self.faults == 0 && self.share >= other.share && self.cells > 1 && has_all_rows
    }

    /// Whether the separator is to be taken although nothing named it.
    fn is_convincing(&self) -> bool {
        const FEW: usize = 2;
        let is_regular = self.cells > 1 && self.share >= 0.8 && self.rows.len() - self.first >= FEW;
        let is_prose = match self.dialect.separator {
            Delimiter::Whitespace => self.share < 1.0 || self.numbers() == 0,
            Delimiter::Byte(b' ' | b'^' | b'~') => self.share < 1.0 || self.faults > 0,
            _ => false,
        };
        is_regular && !is_prose
    }

    /// What is compared between separators.
    fn merit(&self) -> (bool, bool, usize, usize) {
        let is_sign = self.dialect.separator != Delimiter::Whitespace;
        (self.is_perfect(), is_sign, self.numbers(), self.cells)
    }

    /// Another separator that makes numbers of cells of which this one makes none, and cuts all rows into as many cells; or most
    /// of them into more than twice as many, and the first one so, which this one does not.
    fn or_clearer(
        self,
        known: Known,
        sample: Sample<'_>,
        fit: impl Fn(Delimiter) -> Fit,
    ) -> Dialect {
        if known.is_certain || self.numbers() > 0 {
            return self.dialect;
        }
        let clearer = others(sample, known.separator).map(fit).find(|other| {
            let cuts_first = |fit: &Fit| fit.rows.first().is_some_and(|row| row.len() == fit.cells);
            let cuts_more = other.cells > 2 * self.cells && cuts_first(other) && !cuts_first(&self);
            other.is_convincing()
                && (other.is_perfect() && other.cells >= self.cells || cuts_more)
                && other.numbers() > 0
                && other.dialect.separator != Delimiter::Whitespace
        });
        clearer.map_or(self.dialect, |other| other.dialect)
    }

    /// The number of columns of numbers below the first row.
    fn numbers(&self) -> usize {
        let below = self.rows.get(self.first + 1..).unwrap_or_default();
        (0..self.cells).filter(|&column| has_numbers(column, self.cells, below)).count()
    }

    /// Whether several cells are numbers with a decimal comma, and no other cell has a comma.
    fn has_decimal_commas(&self) -> bool {
        let all = self.rows[self.first..].iter().flatten();
        let with_comma: Vec<&[u8]> = all.filter(|cell| cell.contains(&b',')).collect();
        self.cells > 1
            && self.share == 1.0
            && self.rows.len() > 1
            && with_comma.len() > 1
            && with_comma.into_iter().all(is_decimal)
    }

    /// Whether each cell of the first row is within apostrophes.
    fn has_names_in_apostrophes(&self) -> bool {
        let is_within =
            |cell: &[u8]| cell.len() > 2 && cell.starts_with(b"'") && cell.ends_with(b"'");
        self.rows.get(self.first).is_some_and(|row| row.iter().all(is_within))
    }

    /// Whether there is a quoted cell for every other row.
    fn is_quoted(&self) -> bool {
        2 * self.quoted >= self.rows.len().max(2)
    }

    /// Whether most rows are one quoted cell.
    fn is_of_quoted_rows(&self) -> bool {
        let Delimiter::Byte(separator) = self.dialect.separator else { return false };
        let of_one = self.rows.iter().filter(|row| row.len() == 1 && row[0].contains(&separator));
        self.faults == 0 && 2 * of_one.count() > self.rows.len()
    }
}

/// Whether a cell is a number with a decimal comma, perhaps with thousands and a unit.
fn is_decimal(cell: &[u8]) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let mut commas = memchr::memchr_iter(b',', cell);
    let (Some(comma), None) = (commas.next(), commas.next()) else { return false };
    let (before, after) = (&cell[..comma], &cell[comma + 1..]);
    let is_grouped = |byte: &u8| byte.is_ascii_digit() || b".' +-$".contains(byte) || *byte >= 0x80;
    is_digit(before.last()) && is_digit(after.first()) && before.iter().all(is_grouped)
}

/// The beginning of a block, up to the end of a line.
#[derive(Clone, Copy)]
struct Sample<'b> {
    bytes: &'b [u8],
    /// Whether the block goes on.
    is_cut: bool,
}

fn sample(block: &[u8]) -> Sample<'_> {
    if block.len() <= BYTES {
        return Sample { bytes: block, is_cut: false };
    }
    let end = memchr::memrchr(b'\n', &block[..BYTES]).or_else(|| memchr::memchr(b'\n', block));
    let length = end.map_or(block.len(), |end| end + 1);
    Sample { bytes: &block[..length], is_cut: length < block.len() }
}

/// The first rows, at most `most`.
pub(super) fn first_rows(block: &[u8], dialect: Dialect, most: usize) -> Vec<ByteRecord> {
    let mut rows = Vec::new();
    let _ = each_record(block, dialect, |_, record| {
        rows.push(record.clone());
        if rows.len() < most { Continue(()) } else { Break(()) }
    });
    rows
}

/// The rows without those of fewer cells at their end, which may be notes.
pub(super) fn without_end(rows: &[ByteRecord], cells: usize) -> &[ByteRecord] {
    let last = rows.iter().rposition(|row| row.len() >= cells);
    last.map_or(&[], |last| &rows[..=last])
}

/// The number of cells of most rows that have several, the larger of two; 1 if none has.
pub(super) fn usual_cells(rows: &[ByteRecord]) -> usize {
    let mut counts = std::collections::BTreeMap::new();
    for cells in rows.iter().map(ByteRecord::len).filter(|&cells| cells > 1) {
        *counts.entry(cells).or_insert(0) += 1;
    }
    counts.into_iter().max_by_key(|&(cells, rows)| (rows, cells)).map_or(1, |(cells, _)| cells)
}

/// Whether a cell is a number, with a decimal point or comma.
pub(super) fn is_number(cell: &[u8]) -> bool {
    let comma = NumberForm { decimal: Decimal::Comma, ..NumberForm::default() };
    number::is_number(cell) && !number::is_word(cell) || comma.parse(cell) != Number::Not
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, usual: u8) -> Dialect {
        let (separator, quoting) = (Delimiter::Byte(usual), Quoting::default());
        let known = Known { separator, is_certain: false, quoting };
        Dialect::detect(text.as_bytes(), known, &ReadOptions::default())
    }

    fn separator(text: &str) -> Delimiter {
        found(text, b',').separator
    }

    #[test]
    fn the_separator_cuts_all_rows_alike() {
        for sign in [',', ';', '\t', '|', '\u{1}', '\u{1f}', '^', '~'] {
            let text = "a,b,c\n1,2,x\n3,4,y\n".replace(',', &sign.to_string());
            assert_eq!(separator(&text), Delimiter::Byte(sign as u8), "{text}");
        }
        assert_eq!(separator("a  b c\n 1 2   x\n3 4 y\n"), Delimiter::Whitespace);
        assert_eq!(
            separator("\"x\" \"y\"\n\"1\" 5 \"a b\"\n\"2\" 6 \"c\"\n"),
            Delimiter::Byte(b' ')
        );
        assert_eq!(separator("x y\n\"a 1\" 5\n\"b 2\" 6\n"), Delimiter::Byte(b' '));
        assert_eq!(found("a\tb\n1\t2\n", b'\t').separator, Delimiter::Byte(b'\t'));
        assert_eq!(found("a,b\n1,2\n", b'\t').separator, Delimiter::Byte(b','));
    }

    #[test]
    fn commas_within_numbers_separate_nothing() {
        for sign in [';', '|', '\t', ' '] {
            let text = "1,5;2,5;a\n3,5;4,5;b\n".replace(';', &sign.to_string());
            let expected =
                if sign == ' ' { Delimiter::Whitespace } else { Delimiter::Byte(sign as u8) };
            assert_eq!(separator(&text), expected, "{text}");
        }
        assert_eq!(separator("a;b\n1,5;x\n2,5;y\n"), Delimiter::Byte(b';'));
        assert_eq!(separator("a;b\n1.900,5 \u{20ac};x\n2,5;y\n"), Delimiter::Byte(b';'));
        for text in ["a,b\n1,2\n", "1,5;2,a\n1,5;3,b\n", "a,\"1;2\"\nb,\"3;4\"\n"] {
            assert_eq!(separator(text), Delimiter::Byte(b','), "{text}");
        }
    }

    #[test]
    fn prose_has_no_separator() {
        for text in ["review\nfine day; cold\nbad one, warm; wet\n", "name\nJohn Smith\nJane Doe\n"]
        {
            assert_eq!(separator(text), Delimiter::Byte(b','), "{text}");
        }
    }

    #[test]
    fn damaged_rows_change_no_separator() {
        let text = "a,b,c\n1,2,x\n3;4;y\n5;6;z\n7,8,x\n9,9,x\n";
        assert_eq!(separator(text), Delimiter::Byte(b','));
    }

    #[test]
    fn quotes_and_escapes_are_those_that_read_all_rows() {
        let quoting = |text: &str| found(text, b',').quoting;
        assert_eq!(quoting("'a','b'\n'x, y',1\n'z',2\n").quote, b'\'');
        assert_eq!(quoting("'a','b'\n1,2\n3,4\n5,6\n7,8\n9,10\n").quote, b'\'');
        assert_eq!(quoting("a,b\n'x,1\ny',2\n").quote, b'"');
        assert_eq!(quoting("a,b\n\"it's\",'1'\n\"y\",2\n").quote, b'"');
        assert_eq!(quoting("a,b\n\"x \\\"y\\\", z\",1\n").escape, Some(b'\\'));
        assert_eq!(quoting("a,b\nC:\\x,1\n\"d\\\",2\n").escape, None);
        assert_eq!(quoting("a,b\nx\\, z,1\ny\\, z,2\n").escape, Some(b'\\'));
        assert_eq!(quoting("a,b\n1,x\n# made by hand\n2,y\n").comment, Some(b'#'));
        assert_eq!(quoting("a,b\n#1,x\n# made by hand\n#2,y\n").comment, None);
        assert!(quoting("a,b\n\"1,x\"\n\"2,y\"\n").whole_rows);
        assert!(!quoting("a,b\n\"1,x\",3\n\"2,y\",4\n").whole_rows);
    }
}
