//! Rows of the common form: a label and numbers, no quotes, nothing wrong.
//!
//! Each is read in one pass over its bytes. As soon as anything is unusual the row is left to the slow way,
//! [`TableParser::row`], which reads everything and knows what to say.

use super::{BYTE_ORDER_MARK, Cells, Role, TableParser};
use crate::{batch::Batch, marks::Marks, number, options::Delimiter};

/// How a cell ends.
enum End {
    Cell,
    Row,
}

impl TableParser {
    /// The delimiter, when rows of a block may have the common form.
    pub(super) fn plain(&self, block: &[u8]) -> Option<u8> {
        let Delimiter::Byte(delimiter) = self.delimiter else { return None };
        let plain = self.layout.categories == 0 && self.layout.texts.is_empty();
        // Numbers end where a delimiter begins.
        let distinct = !delimiter.is_ascii_alphanumeric() && !b".+-\"".contains(&delimiter);
        (plain && distinct && memchr::memchr(b'"', block).is_none()).then_some(delimiter)
    }

    /// Takes in the row at `start` and gives the place after it; `None`, with nothing taken in, leaves it to
    /// the slow way.
    #[inline(always)]
    pub(super) fn quick_row(
        &self,
        (block, start, delimiter): (&[u8], usize, u8),
        marks: &mut Marks,
        batch: &mut Batch,
        cells: &mut Cells,
    ) -> Option<usize> {
        if block[start..].starts_with(&BYTE_ORDER_MARK[..1]) {
            return None;
        }
        let before = cells.numbers.len();
        cells.numbers.resize(before + self.layout.numbers, 0.0);
        let numbers = &mut cells.numbers[before..];
        let next = self.quick_cells((block, start, delimiter), marks, batch, numbers);
        match next {
            Some(_) => cells.rows += 1,
            None => cells.numbers.truncate(before),
        }
        next
    }

    #[inline(always)]
    fn quick_cells(
        &self,
        (block, start, delimiter): (&[u8], usize, u8),
        marks: &mut Marks,
        batch: &mut Batch,
        numbers: &mut [f64],
    ) -> Option<usize> {
        let mut at = start;
        let mut label = None;
        let last = self.layout.roles.len().checked_sub(1)?;
        for (column, &role) in self.layout.roles.iter().enumerate() {
            let end = match role {
                Role::Number(place) => {
                    let [ahead @ .., _, _] = marks.from(at);
                    let (value, used) = number::quick(block, at, ahead)?;
                    numbers[place] = value;
                    let end = ahead[used - 1] as usize;
                    marks.pass(used);
                    end
                }
                Role::Label | Role::Leave => {
                    let ends = |&byte: &u8| byte == delimiter || byte == b'\n' || byte == b'\r';
                    let end = at + block[at..].iter().position(ends)?;
                    if role == Role::Label {
                        let cell = block[at..end].trim_ascii();
                        label = Some(self.label(column, cell).ok()?);
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
            let code = labels.dictionary.number(label, |name| self.labels.allows(name)).ok()?;
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        batch::{Body, LabelUse},
        csv::Layout,
        dictionary::Dictionary,
        error::Fault,
        options::OnError,
    };

    fn parser(roles: Vec<Role>, on_error: OnError) -> TableParser {
        let numbers = roles.iter().filter(|role| matches!(role, Role::Number(_))).count();
        let names = (0..roles.len()).map(|i| format!("c{i}")).collect();
        let (text_like, texts) = (Vec::new(), Vec::new());
        let layout = Layout { roles, names, numbers, categories: 0, text_like, texts };
        TableParser {
            delimiter: Delimiter::Byte(b','),
            layout,
            labels: LabelUse::Learn,
            on_error,
            dictionary: false,
        }
    }

    /// All rows the slow way.
    fn slowly(parser: &TableParser, block: &[u8]) -> Result<Batch, Fault> {
        let mut batch = Batch::default();
        let mut cells = Cells::new(&parser.layout);
        parser.rows(block, 0, &mut batch, &mut cells)?;
        batch.body = Body::from(cells);
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
                proptest::collection::vec("-?[0-9]{1,9}(\\.[0-9]{1,9})?|[ a1\"e.-]{0,3}|\u{feff}1", 2..5),
                0..6,
            ),
            ends in proptest::collection::vec("\n|\n|\n|\r\n|\r|\n\n| \n", 6),
            label in 0usize..4,
            skip in any::<bool>(),
        ) {
            let mut text = String::new();
            for (row, end) in rows.iter().zip(&ends) {
                text += &(row.join(",") + end);
            }
            let mut places = 0..;
            let role = |column| match column {
                _ if column == label => Role::Label,
                _ => places.next().map_or(Role::Leave, Role::Number),
            };
            let roles = (0..3).map(role).collect();
            let parser = parser(roles, if skip { OnError::Skip } else { OnError::Stop });
            let block = text.as_bytes();
            prop_assert_eq!(told(parser.parse(block)), told(slowly(&parser, block)), "{:?}", text);
        }
    }

    /// A row of the common form is indeed read quickly, so that the test above compares two ways.
    #[test]
    fn the_common_form_is_read_quickly() {
        let parser = parser(vec![Role::Number(0), Role::Label, Role::Leave], OnError::Stop);
        let block = b"-1.25,yes,x y\r\n2,no,\n3.5,yes,z\n0,0,0,0";
        let (mut batch, mut cells) = (Batch::default(), Cells::new(&parser.layout));
        let mut next = |start| {
            let mut marks = Marks::default();
            marks.reach(block, start);
            parser.quick_row((block, start, b','), &mut marks, &mut batch, &mut cells)
        };
        assert_eq!((next(0), next(15), next(21), next(31)), (Some(15), Some(21), Some(31), None));
        assert_eq!((cells.numbers, cells.rows), (vec![-1.25, 2.0, 3.5], 3));
        assert_eq!(batch.labels.codes, [0, 1, 0]);
    }
}
