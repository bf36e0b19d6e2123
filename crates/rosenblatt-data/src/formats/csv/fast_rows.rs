//! Rows of the common form, each read in one pass over its bytes: cells with or without quotes around them, and nothing
//! wrong.
//!
//! As soon as anything is unusual, the row is left to
//! [`TableParser::general_rows`](super::parser::TableParser::general_rows), which reads every form and finds the fault if there is one. Only speed depends on this
//! module.

use ::csv::ByteRecord;
use memchr::{memchr, memchr_iter, memchr3};

use super::{dialect::Dialect, error::CsvProblem, records::BYTE_ORDER_MARK};
use crate::{
    fast::{digits, structural_index::StructuralIndex},
    input::quotes::record_end,
    number::has_few_digits,
    options::{Delimiter, Quoting},
    table::{
        batch::Batch,
        layout::{CellRules, Layout, Role},
        row_reader::RowReader,
        rows::TableRows,
        survey::SurveyCell,
    },
};

/// A block in which rows may have the common form.
#[derive(Clone, Copy)]
pub(super) struct PlainBlock<'b> {
    bytes: &'b [u8],
    delimiter: u8,
    quoting: Quoting,
}

/// What is read of a row before anything of it is kept.
pub(super) struct QuickReader<'r> {
    pub(super) rows: &'r RowReader,
    /// Rows that are no examples.
    pub(super) odd_rows: &'r [(ByteRecord, CsvProblem)],
}

/// How a cell ends.
enum End {
    Cell,
    Row,
}

/// Whether cells of these columns can be read quickly.
pub(super) fn are_plain(layout: &Layout) -> bool {
    layout.texts.is_empty() && layout.cells.iter().all(CellRules::are_plain)
}

impl<'b> PlainBlock<'b> {
    /// `None`: the signs of the block mean something else than that cells, rows and quoted texts end.
    pub(super) fn new(bytes: &'b [u8], dialect: Dialect) -> Option<Self> {
        let Dialect { separator, quoting } = dialect;
        let Delimiter::Byte(delimiter) = separator else { return None };
        // Numbers end where a delimiter or a quote is.
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b".+-".contains(&byte);
        let has = |sign| memchr(sign, bytes).is_some();
        let are_distinct = !is_sign(delimiter)
            && !is_sign(quoting.quote)
            && delimiter != quoting.quote
            && !b" \t\r\n".contains(&quoting.quote);
        // Without a line feed after it, a carriage return ends rows for some readers of quotes.
        let is_lone = |i: usize| bytes.get(i + 1) != Some(&b'\n');
        let has_signs = quoting.comment.is_some_and(has)
            || quoting.escape.is_some_and(has)
            || has(quoting.quote) && (quoting.whole_rows || memchr_iter(b'\r', bytes).any(is_lone));
        (are_distinct && !has_signs).then_some(PlainBlock { bytes, delimiter, quoting })
    }

    /// The end of the row of any form at `start`.
    pub(super) fn row_end(self, start: usize) -> usize {
        let rest = &self.bytes[start..];
        let line = memchr(b'\n', rest).map_or(rest.len(), |i| i + 1);
        start
            + match memchr(self.quoting.quote, &rest[..line]) {
                None => line,
                Some(_) => record_end(rest, self.delimiter, self.quoting),
            }
    }

    /// Takes in the row at `start` and returns the place after it. `None`: the row was not taken in and may have any
    /// form.
    #[inline(always)]
    pub(super) fn take_in(
        self,
        start: usize,
        reader: &QuickReader<'_>,
        index: &mut StructuralIndex,
        batch: &mut Batch,
        table: &mut TableRows,
    ) -> Option<usize> {
        let layout = &reader.rows.layout;
        let (numbers, codes) = (table.numbers.len(), table.codes.len());
        table.numbers.resize(numbers + layout.numbers, 0.0);
        table.codes.resize(codes + layout.categories, 0);
        let next = self.cells(start, reader, index, batch, table);
        match next {
            Some(_) => {
                let columns = table.categories.iter_mut().zip(&table.codes[codes..]);
                columns.for_each(|(column, &code)| column.count_again(code));
                table.rows += 1;
            }
            None => {
                table.numbers.truncate(numbers);
                table.codes.truncate(codes);
            }
        }
        next
    }

    /// Reads the cells of a row into the last places of the table.
    #[inline(always)]
    fn cells(
        self,
        start: usize,
        reader: &QuickReader<'_>,
        index: &mut StructuralIndex,
        batch: &mut Batch,
        table: &mut TableRows,
    ) -> Option<usize> {
        let QuickReader { rows, odd_rows } = reader;
        let numbers = table.numbers.len() - rows.layout.numbers;
        let codes = table.codes.len() - rows.layout.categories;
        let mut at = self.row_start(start)?;
        let mut label = None;
        let last = rows.layout.roles.len().checked_sub(1)?;
        for (column, &role) in rows.layout.roles.iter().enumerate() {
            let (from, is_quoted) = self.content_start(at);
            let end = match role {
                Role::Number(place) => {
                    let (first, found) = self.number(from, index)?;
                    if rows.numbers.has_decimals()
                        && !has_few_digits(&self.bytes[first..found.end], found.value)
                    {
                        return None;
                    }
                    index.pass(found.marks);
                    table.numbers[numbers + place] = found.value;
                    self.after_blanks(found.end)
                }
                Role::Label | Role::Leave | Role::Category(_) => self.text_end(from, is_quoted)?,
                Role::Text(_) => return None,
            };
            let text = self.text(from, end, is_quoted)?;
            match role {
                Role::Label => {
                    let known = batch.labels.dictionary.find(text);
                    label = Some(match known {
                        Some(code) => Ok(code),
                        None => Err(rows.label(column, text).ok()?),
                    });
                }
                // A new category is first seen by the general way.
                Role::Category(place) => {
                    table.codes[codes + place] = table.categories[place].find(text)?;
                }
                Role::Number(_) | Role::Leave | Role::Text(_) => {}
            }
            if column == 0 && odd_rows.iter().any(|(row, _)| row.get(0) == Some(text)) {
                return None;
            }
            let (ended, next) = self.cell_end(end, is_quoted)?;
            match (ended, column == last) {
                (End::Cell, false) | (End::Row, true) => at = next,
                _ => return None,
            }
        }
        // A row of nothing but blanks is none.
        if last == 0 && self.bytes[start..at].trim_ascii().is_empty() {
            return None;
        }
        if let Some(label) = label {
            batch.labels.take_in(label, &rows.labels)?;
        }
        Some(at)
    }

    /// Finds the cells of the row at `start`, and the numbers among them, and returns the place after it. `None`: the row may
    /// have any form.
    pub(super) fn look(
        self,
        start: usize,
        columns: usize,
        index: &mut StructuralIndex,
        cells: &mut Vec<SurveyCell<'b>>,
    ) -> Option<usize> {
        let mut at = self.row_start(start)?;
        cells.clear();
        loop {
            let (from, is_quoted) = self.content_start(at);
            let first = *self.bytes.get(from)?;
            let number = match first {
                b'0'..=b'9' | b'-' => self.number(from, index),
                _ => None,
            };
            let end = number.as_ref().map(|(_, found)| found.end);
            let ends = |end: &usize| self.cell_end(*end, is_quoted).is_some();
            let (end, number) = match (end.filter(ends), number) {
                (Some(end), Some((_, found))) => (end, Some(found.value)),
                _ => (self.text_end(from, is_quoted)?, None),
            };
            let text = self.text(from, end, is_quoted)?;
            cells.push(SurveyCell { text, number });
            match self.cell_end(end, is_quoted)? {
                (End::Cell, next) if cells.len() < columns => at = next,
                (End::Row, next) if cells.len() == columns => {
                    let is_blank = columns == 1 && !is_quoted && text.is_empty();
                    return (!is_blank).then_some(next);
                }
                _ => return None,
            }
        }
    }

    /// The place of a row, unless a mark stands there.
    #[inline(always)]
    fn row_start(self, start: usize) -> Option<usize> {
        (!self.bytes[start..].starts_with(&BYTE_ORDER_MARK[..1])).then_some(start)
    }

    /// Where the content of the cell at `at` begins, and whether it is within quotes.
    #[inline(always)]
    fn content_start(self, at: usize) -> (usize, bool) {
        let is_quoted = self.bytes.get(at) == Some(&self.quoting.quote);
        (at + usize::from(is_quoted), is_quoted)
    }

    /// The number that begins at `from`, perhaps after blanks, and where it begins.
    #[inline(always)]
    fn number(self, from: usize, index: &mut StructuralIndex) -> Option<(usize, digits::Found)> {
        let first = self.after_blanks(from);
        index.advance_to(self.bytes, first);
        let [marks @ .., _, _] = index.from(first);
        Some((first, digits::number(self.bytes, first, marks)?))
    }

    /// Where the text ends that begins at `from`.
    #[inline(always)]
    fn text_end(self, from: usize, is_quoted: bool) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        let length = match is_quoted {
            true => memchr(self.quoting.quote, rest),
            false => memchr3(self.delimiter, b'\n', b'\r', rest),
        };
        Some(from + length?)
    }

    /// The content of a cell. `None`: a quote comes after blanks.
    #[inline(always)]
    fn text(self, from: usize, end: usize, is_quoted: bool) -> Option<&'b [u8]> {
        let text = &self.bytes[from..end];
        if is_quoted {
            return Some(text);
        }
        let text = text.trim_ascii();
        (text.first() != Some(&self.quoting.quote)).then_some(text)
    }

    /// How the cell ends whose content ends at `at`, and the place after that.
    #[inline(always)]
    fn cell_end(self, mut at: usize, is_quoted: bool) -> Option<(End, usize)> {
        if is_quoted {
            if self.bytes.get(at) != Some(&self.quoting.quote) {
                return None;
            }
            at += 1;
        }
        match (self.bytes.get(at)?, self.bytes.get(at + 1)) {
            (&byte, _) if byte == self.delimiter => Some((End::Cell, at + 1)),
            (b'\n', _) => Some((End::Row, at + 1)),
            (b'\r', Some(b'\n')) => Some((End::Row, at + 2)),
            _ => None,
        }
    }

    /// The place of the first byte from `at` on that is no blank of a cell.
    #[inline(always)]
    fn after_blanks(self, mut at: usize) -> usize {
        while let Some(b' ' | b'\t') = self.bytes.get(at)
            && self.bytes[at] != self.delimiter
        {
            at += 1;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use std::ops::ControlFlow::Continue;

    use super::{
        super::{parser::TableParser, records::each_record},
        *,
    };
    use crate::{
        fault::{Excerpt, Fault},
        input::parser::BlockParser,
        number::{self, Number},
        options::{OnError, Quoting, TextNumbers},
        table::{
            batch::{Body, LabelUse},
            dictionary::Dictionary,
        },
    };

    fn parser(roles: Vec<Role>, delimiter: u8, on_error: OnError) -> TableParser {
        let numbers = roles.iter().filter(|role| matches!(role, Role::Number(_))).count();
        let categories = roles.iter().filter(|role| matches!(role, Role::Category(_))).count();
        let names = (0..roles.len()).map(|i| format!("c{i}")).collect();
        // Every second column of categories may hold no number.
        let is_text_like = |place: usize| (place % 2 == 1).then(|| Excerpt::new(b"x"));
        let (text_like, texts) = ((0..categories).map(is_text_like).collect(), Vec::new());
        let cells = vec![CellRules::default(); roles.len()];
        let layout = Layout { roles, names, numbers, categories, text_like, texts, cells };
        let rows = RowReader {
            layout,
            labels: LabelUse::Learn,
            dictionary: false,
            numbers: TextNumbers::Floats,
        };
        let separator = Delimiter::Byte(delimiter);
        let dialect = Dialect { separator, quoting: Quoting::default() };
        let (ends_with_separator, odd_rows) = (false, Vec::new());
        TableParser { dialect, rows, on_error, id: None, ends_with_separator, odd_rows }
    }

    /// All rows the slow way.
    fn slowly(parser: &TableParser, block: &[u8]) -> Result<Batch, Fault> {
        let mut batch = Batch::default();
        let mut table = TableRows::new(&parser.rows.layout);
        parser.general_rows(block, 0, &mut batch, &mut table)?;
        batch.body = Body::Table(table);
        Ok(batch)
    }

    /// All that a batch holds; dictionaries by their names and counts.
    fn told(result: Result<Batch, Fault>) -> String {
        let dictionary = |it: &Dictionary| format!("{:?} {:?}", it.names(), it.counts());
        result.map_or_else(
            |fault| format!("{fault:?}"),
            |batch| {
                let labels = (&batch.labels.codes, dictionary(&batch.labels.dictionary));
                let Body::Table(table) = &batch.body else { panic!() };
                let categories: Vec<String> = table.categories.iter().map(dictionary).collect();
                let cells = (table.rows, &table.numbers, &table.codes, categories);
                format!("{cells:?} {labels:?} {:?}", batch.skipped)
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn quick_rows_are_those_of_the_slow_way(
            rows in proptest::collection::vec(
                proptest::collection::vec(
                    "-?[0-9]{1,9}(\\.[0-9]{1,9})?|[ a1\"e.-]{0,3}|\u{feff}1|\
                     [ \t]{0,2}[+-]?[0-9]{0,25}(\\.[0-9]{0,25})?([eE][+-]?([0-9]{0,2}|3[0-4][0-9]))?[ \t]{0,2}",
                    2..5,
                ),
                0..6,
            ),
            ends in proptest::collection::vec("\n|\n|\n|\r\n|\r|\n\n| \n", 6),
            label in 0usize..4,
            skip in any::<bool>(),
            delimiter in prop::sample::select(vec![',', ';', '\t', ' ']),
        ) {
            let mut text = String::new();
            for (row, end) in rows.iter().zip(&ends) {
                text += &(row.join(&delimiter.to_string()) + end);
            }
            let mut places = 0..;
            let role = |column| match column {
                _ if column == label => Role::Label,
                _ => places.next().map_or(Role::Leave, Role::Number),
            };
            let roles = (0..3).map(role).collect();
            let parser = parser(roles, delimiter as u8, if skip { OnError::Skip } else { OnError::Stop });
            let block = text.as_bytes();
            prop_assert_eq!(told(parser.parse(block, false)), told(slowly(&parser, block)), "{:?}", text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        /// The marks of a block are found piece by piece; quoted line breaks carry a row past the end of a piece.
        #[test]
        fn quoted_line_breaks_cross_the_pieces_of_the_index(
            lengths in proptest::collection::vec(prop_oneof![4 => 0usize..40, 1 => 3_000usize..40_000], 300..900),
        ) {
            let row = |length: &usize| {
                let text = "x1,5\n".repeat(length / 5 + 1);
                format!("{length}.25,\"{}\",-{length}\n", &text[..*length])
            };
            let text: String = lengths.iter().map(row).collect();
            let roles = vec![Role::Number(0), Role::Leave, Role::Number(1)];
            let parser = parser(roles, b',', OnError::Stop);
            let quick = told(parser.parse(text.as_bytes(), false));
            prop_assert!(quick == told(slowly(&parser, text.as_bytes())));
        }
    }

    /// A cell, which may be quoted and hold anything then, of few values so that they come again.
    const CELLS: &str = "-?[0-9]{1,2}(\\.[0-9]{1,9})?|[ab]|[ab]|\"[ab]\"|\"-?[0-9.]{1,4}\"|\"[ab1,\n\u{e9} ]{0,4}\"|\
        \"(a|\"\"){0,3}\"|[ ab1\u{e9}\"]{0,3}|\"a\" |\"a\"b|\"|h[0-2]|\"h[0-2]\"|[a-c]{60,90}|\"[a-c,\n]{60,90}\"";

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6000))]

        #[test]
        fn quick_rows_with_quotes_and_categories_are_those_of_the_slow_way(
            rows in proptest::collection::vec(proptest::collection::vec(CELLS, 3..=3), 0..12),
            ends in proptest::collection::vec("\n|\n|\n|\n|\n|\n|\r\n|\r\n|\n\n|,\n| \n", 12),
            lone in prop::option::weighted(0.1, "\r|a\r\"b\n"),
            roles in proptest::collection::vec(0..4u8, 3),
            header in any::<bool>(),
            stops in any::<bool>(),
        ) {
            let lines = rows.iter().zip(&ends).map(|(row, end)| row.join(",") + end);
            let text = lines.collect::<String>() + &lone.unwrap_or_default();
            let (mut numbers, mut categories, mut labels) = (0.., 0.., 0..1);
            let mut role = |&kind: &u8| match kind {
                0 => numbers.next().map(Role::Number),
                1 => labels.next().map(|_| Role::Label),
                2 => categories.next().map(Role::Category),
                _ => None,
            };
            let roles = roles.iter().map(|kind| role(kind).unwrap_or(Role::Leave)).collect();
            let on_error = if stops { OnError::Stop } else { OnError::Skip };
            let mut parser = parser(roles, b',', on_error);
            if header {
                let row = ByteRecord::from(vec!["h0", "h1", "h2"]);
                parser.odd_rows.push((row, CsvProblem::HeaderAgain));
            }
            let block = text.as_bytes();
            prop_assert_eq!(told(parser.parse(block, false)), told(slowly(&parser, block)), "{:?}", text);
        }

        /// What no general way need look at: the cells of a row, with the numbers among them.
        #[test]
        fn quick_looks_find_the_cells_of_the_slow_way(
            rows in proptest::collection::vec(proptest::collection::vec(CELLS, 3..=3), 0..12),
            ends in proptest::collection::vec("\n|\n|\n|\r\n|\n\n|,\n", 12),
        ) {
            let lines = rows.iter().zip(&ends).map(|(row, end)| row.join(",") + end);
            let text = lines.collect::<String>();
            let dialect = Dialect { separator: Delimiter::Byte(b','), quoting: Quoting::default() };
            let Some(plain) = PlainBlock::new(text.as_bytes(), dialect) else { return Ok(()) };
            let (mut index, mut cells, mut start) = (StructuralIndex::default(), Vec::new(), 0);
            while start < text.len() {
                let Some(next) = plain.look(start, 3, &mut index, &mut cells) else {
                    start = plain.row_end(start);
                    continue;
                };
                let mut seen = 0;
                let _ = each_record(&text.as_bytes()[start..next], dialect, |_, record| {
                    seen += 1;
                    assert!(record.iter().map(<[u8]>::trim_ascii).eq(cells.iter().map(|cell| cell.text.trim_ascii())), "{text:?}");
                    Continue::<()>(())
                });
                prop_assert_eq!(seen, 1, "{:?}", text);
                for cell in &cells {
                    let own = number::parse(cell.text);
                    prop_assert!(cell.number.is_none_or(|number| own == Number::Finite(number)), "{:?}", text);
                }
                start = next;
            }
        }
    }

    /// Categories and quotes are read quickly once they are known.
    #[test]
    fn known_categories_and_quotes_are_read_quickly() {
        let roles = vec![Role::Category(0), Role::Number(0), Role::Label];
        let parser = parser(roles, b',', OnError::Stop);
        let block = b"\"a,\nb\",\" 1.5 \",\"x\"\r\n\"a,\nb\",2,x\n\"a\"\"b\",1,x\n";
        let (mut batch, mut table) = (Batch::default(), TableRows::new(&parser.rows.layout));
        table.categories[0].number_of("a,\nb");
        let reader = QuickReader { rows: &parser.rows, odd_rows: &[] };
        let plain = PlainBlock::new(block, parser.dialect).unwrap();
        let mut index = StructuralIndex::default();
        let mut next = |start| plain.take_in(start, &reader, &mut index, &mut batch, &mut table);
        assert_eq!((next(0), next(20), next(31)), (Some(20), Some(31), None));
        assert_eq!((table.numbers, table.codes), (vec![1.5, 2.0], vec![0, 0]));
        assert_eq!(table.categories[0].counts(), [3]);
        assert_eq!((plain.row_end(0), plain.row_end(31)), (20, block.len()));
    }

    /// A row of the common form is indeed read quickly, so that the test above compares two ways.
    #[test]
    fn the_common_form_is_read_quickly() {
        let parser = parser(vec![Role::Number(0), Role::Label, Role::Leave], b',', OnError::Stop);
        let block = b"-1.25,yes,x y\r\n2,no,\n3.5,yes,z\n0,0,0,0";
        let (mut batch, mut table) = (Batch::default(), TableRows::new(&parser.rows.layout));
        let reader = QuickReader { rows: &parser.rows, odd_rows: &[] };
        let plain = PlainBlock::new(block, parser.dialect).unwrap();
        let mut next = |start| {
            let mut index = StructuralIndex::default();
            plain.take_in(start, &reader, &mut index, &mut batch, &mut table)
        };
        assert_eq!((next(0), next(15), next(21), next(31)), (Some(15), Some(21), Some(31), None));
        assert_eq!((table.numbers, table.rows), (vec![-1.25, 2.0, 3.5], 3));
        assert_eq!(batch.labels.codes, [0, 1, 0]);
    }

    #[test]
    fn blanks_and_long_numbers_are_read_quickly() {
        let parser =
            parser(vec![Role::Label, Role::Number(0), Role::Number(1)], b',', OnError::Stop);
        let block = b"1, 0.12345678901234567 ,-1.234567890123456789e-01\n2, 1700000000,+1.5E5\t\n";
        let (mut batch, mut table) = (Batch::default(), TableRows::new(&parser.rows.layout));
        let reader = QuickReader { rows: &parser.rows, odd_rows: &[] };
        let plain = PlainBlock::new(block, parser.dialect).unwrap();
        let mut next = |start| {
            let mut index = StructuralIndex::default();
            plain.take_in(start, &reader, &mut index, &mut batch, &mut table)
        };
        assert_eq!((next(0), next(50)), (Some(50), Some(block.len())));
        assert_eq!(table.numbers, [0.12345678901234567, -0.12345678901234568, 1.7e9, 1.5e5]);
    }
}
