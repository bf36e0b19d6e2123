//! Rows of the common form: a label and numbers, no quotes, nothing wrong.
//!
//! Each is read in one pass over its bytes. As soon as anything is unusual, the row is left to
//! [`TableParser::general_rows`](super::parser::TableParser::general_rows), which reads every form and finds the fault if there is one. Only speed depends on this
//! module.

use super::{dialect::Dialect, records::BYTE_ORDER_MARK};
use crate::{
    fast::{digits, structural_index::StructuralIndex},
    number::has_few_digits,
    options::Delimiter,
    table::{
        batch::Batch,
        layout::{CellRules, Layout, Role},
        row_reader::RowReader,
        rows::TableRows,
    },
};

/// A row of a block in which most rows have the common form.
#[derive(Clone, Copy)]
pub(super) struct PlainRow<'b> {
    pub(super) block: &'b [u8],
    /// The place of the row in the block.
    pub(super) start: usize,
    pub(super) delimiter: u8,
}

/// How a cell ends.
enum End {
    Cell,
    Row,
}

/// The byte that separates cells, where rows of a block may have the common form.
pub(super) fn separator(layout: &Layout, dialect: Dialect, block: &[u8]) -> Option<u8> {
    let Dialect { separator, quoting } = dialect;
    let Delimiter::Byte(delimiter) = separator else { return None };
    let plain = layout.categories == 0
        && layout.texts.is_empty()
        && layout.cells.iter().all(CellRules::are_plain);
    // Numbers end where a delimiter begins.
    let distinct = !delimiter.is_ascii_alphanumeric() && !b".+-\"".contains(&delimiter);
    let has_comments = |sign| memchr::memchr(sign, block).is_some();
    let has_signs = quoting.is_in(block) || quoting.comment.is_some_and(has_comments);
    (plain && distinct && !has_signs).then_some(delimiter)
}

impl PlainRow<'_> {
    /// Takes in a row and returns the place after it. `None`: the row was not taken in and may have any form.
    #[inline(always)]
    pub(super) fn take_in(
        self,
        rows: &RowReader,
        index: &mut StructuralIndex,
        batch: &mut Batch,
        table: &mut TableRows,
    ) -> Option<usize> {
        if self.block[self.start..].starts_with(&BYTE_ORDER_MARK[..1]) {
            return None;
        }
        let before = table.numbers.len();
        table.numbers.resize(before + rows.layout.numbers, 0.0);
        let numbers = &mut table.numbers[before..];
        let next = self.cells(rows, index, batch, numbers);
        match next {
            Some(_) => table.rows += 1,
            None => table.numbers.truncate(before),
        }
        next
    }

    #[inline(always)]
    fn cells(
        self,
        rows: &RowReader,
        index: &mut StructuralIndex,
        batch: &mut Batch,
        numbers: &mut [f64],
    ) -> Option<usize> {
        let PlainRow { block, start, delimiter } = self;
        let mut at = start;
        let mut label = None;
        let last = rows.layout.roles.len().checked_sub(1)?;
        for (column, &role) in rows.layout.roles.iter().enumerate() {
            let end = match role {
                Role::Number(place) => {
                    let first = after_blanks(block, at, delimiter);
                    let [marks @ .., _, _] = index.from(first);
                    let found = digits::number(block, first, marks)?;
                    if rows.numbers.has_decimals()
                        && !has_few_digits(&block[first..found.end], found.value)
                    {
                        return None;
                    }
                    index.pass(found.marks);
                    numbers[place] = found.value;
                    after_blanks(block, found.end, delimiter)
                }
                Role::Label | Role::Leave => {
                    let ends = |&byte: &u8| byte == delimiter || byte == b'\n' || byte == b'\r';
                    let end = at + block[at..].iter().position(ends)?;
                    if role == Role::Label {
                        let cell = block[at..end].trim_ascii();
                        label = Some(rows.label(column, cell).ok()?);
                    }
                    end
                }
                Role::Category(_) | Role::Text(_) => return None,
            };
            let (ended, next) = cell_end(block, end, delimiter)?;
            match (ended, column == last) {
                (End::Cell, false) | (End::Row, true) => at = next,
                _ => return None,
            }
        }
        // A row of nothing but blanks is none.
        if last == 0 && block[start..at].trim_ascii().is_empty() {
            return None;
        }
        if let Some(label) = label {
            let labels = &mut batch.labels;
            let code = labels.dictionary.number(label, |name| rows.labels.allows(name)).ok()?;
            labels.codes.push(code);
        }
        Some(at)
    }
}

/// How the cell ends whose text ends at `at`, and the place after that.
#[inline(always)]
fn cell_end(block: &[u8], at: usize, delimiter: u8) -> Option<(End, usize)> {
    match (block.get(at)?, block.get(at + 1)) {
        (&byte, _) if byte == delimiter => Some((End::Cell, at + 1)),
        (b'\n', _) => Some((End::Row, at + 1)),
        (b'\r', Some(b'\n')) => Some((End::Row, at + 2)),
        _ => None,
    }
}

/// The place of the first byte from `at` on that is no blank of a cell.
#[inline(always)]
fn after_blanks(block: &[u8], mut at: usize, delimiter: u8) -> usize {
    while let Some(b' ' | b'\t') = block.get(at)
        && block[at] != delimiter
    {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::parser::TableParser, *};
    use crate::{
        fault::Fault,
        input::parser::BlockParser,
        options::{OnError, Quoting, TextNumbers},
        table::{
            batch::{Body, LabelUse},
            dictionary::Dictionary,
        },
    };

    fn parser(roles: Vec<Role>, delimiter: u8, on_error: OnError) -> TableParser {
        let numbers = roles.iter().filter(|role| matches!(role, Role::Number(_))).count();
        let names = (0..roles.len()).map(|i| format!("c{i}")).collect();
        let (text_like, texts) = (Vec::new(), Vec::new());
        let cells = vec![CellRules::default(); roles.len()];
        let layout = Layout { roles, names, numbers, categories: 0, text_like, texts, cells };
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
                format!("{:?} {labels:?} {:?}", batch.body, batch.skipped)
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

    /// A row of the common form is indeed read quickly, so that the test above compares two ways.
    #[test]
    fn the_common_form_is_read_quickly() {
        let parser = parser(vec![Role::Number(0), Role::Label, Role::Leave], b',', OnError::Stop);
        let block = b"-1.25,yes,x y\r\n2,no,\n3.5,yes,z\n0,0,0,0";
        let (mut batch, mut table) = (Batch::default(), TableRows::new(&parser.rows.layout));
        let mut next = |start| {
            let mut index = StructuralIndex::default();
            index.advance_to(block, start);
            let row = PlainRow { block, start, delimiter: b',' };
            row.take_in(&parser.rows, &mut index, &mut batch, &mut table)
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
        let mut next = |start| {
            let mut index = StructuralIndex::default();
            index.advance_to(block, start);
            let row = PlainRow { block, start, delimiter: b',' };
            row.take_in(&parser.rows, &mut index, &mut batch, &mut table)
        };
        assert_eq!((next(0), next(50)), (Some(50), Some(block.len())));
        assert_eq!(table.numbers, [0.12345678901234567, -0.12345678901234568, 1.7e9, 1.5e5]);
    }
}
