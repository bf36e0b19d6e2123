//! The cells of a file, counted column by column.
//!
//! The roles and kinds of columns, and the questions about a file that is to be learned from, follow from these counts
//! alone. The first block is counted; a question that follows from it is asked only after all of the file was counted.

use std::{
    collections::{HashSet, hash_map::DefaultHasher},
    hash::Hasher,
};

use rosenblatt_core::data::Classes;

use super::{missing::MissingSpellings, number_order::NumberOrder};
use crate::{
    fault::Excerpt,
    number::{self, Number},
    number_form::{DateOrder, Decimal, NumberForm, unit_of},
};

/// A cell: the number of lines of the file before its row, and its text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CellPlace {
    pub(crate) row: u64,
    pub(crate) text: Excerpt,
}

/// The counts of all columns.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) rows: u64,
    pub(crate) columns: Vec<ColumnSurvey>,
}

/// The counts of one column. Every cell is a number, missing, or text.
#[derive(Debug)]
pub(crate) struct ColumnSurvey {
    /// Cells that are numbers.
    pub(crate) numbers: u64,
    pub(crate) first_number: Option<CellPlace>,
    /// The first number that is not whole.
    pub(crate) first_fraction: Option<CellPlace>,
    /// Words for a number that is not finite, such as `inf`: text in a column of text.
    pub(crate) words: u64,
    /// Empty cells.
    pub(crate) empty: u64,
    pub(crate) first_empty: Option<CellPlace>,
    /// Cells with another spelling of a missing value.
    pub(crate) spelled: u64,
    pub(crate) first_spelled: Option<CellPlace>,
    /// All other cells.
    pub(crate) texts: u64,
    pub(crate) first_text: Option<CellPlace>,
    /// Those of them that are equal to the first.
    pub(crate) first_texts: u64,
    hash_of_first_text: u64,
    /// The hashes of the distinct cells that are not empty; numbers count only up to more than can be labels.
    distinct: HashSet<u64>,
    /// The forms of numbers that have read every text so far.
    forms: Forms,
    /// Whether two of the numbers are equal, as far as they are told apart.
    pub(crate) repeats: bool,
    pub(crate) order: NumberOrder,
    /// The last number, while each number was greater by 1 than the one before it.
    counted_to: Counted,
}

/// Whether the numbers of a column count the rows.
#[derive(Debug)]
enum Counted {
    NoNumber,
    To(f64),
    /// A number did not follow the one before it.
    Not,
}

impl Counted {
    fn next(&self, number: Number) -> Counted {
        match (self, number) {
            (Counted::NoNumber, Number::Finite(value)) if value.fract() == 0.0 => {
                Counted::To(value)
            }
            (Counted::To(last), Number::Finite(value)) if value == last + 1.0 => Counted::To(value),
            _ => Counted::Not,
        }
    }
}

/// The forms of numbers that may read a column.
#[derive(Debug)]
enum Forms {
    /// There was no text yet.
    All,
    Left(Vec<NumberForm>),
}

/// How cells are told apart while they are counted.
pub(crate) struct Counting<'o> {
    /// The form of numbers that the options choose.
    pub(crate) form: &'o NumberForm,
    pub(crate) missing: &'o MissingSpellings,
}

/// More different numbers than this need not be told apart.
const MOST_NUMBERS: usize = Classes::MOST;

impl Survey {
    pub(crate) fn new(columns: usize) -> Self {
        let columns = (0..columns).map(|_| ColumnSurvey::default()).collect();
        Survey { rows: 0, columns }
    }

    /// Counts the cells of a row that has `row` lines of the file before it.
    pub(crate) fn add<'c>(
        &mut self,
        row: u64,
        cells: impl Iterator<Item = &'c [u8]>,
        counting: &Counting<'_>,
    ) {
        self.rows += 1;
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.add(row, cell.trim_ascii(), counting);
        }
    }
}

/// Rows that do not have a cell for each column.
impl Survey {
    /// Adds columns without any cell, up to this number.
    pub(crate) fn grow(&mut self, columns: usize) {
        self.columns.resize_with(columns, ColumnSurvey::default);
    }

    /// Counts one cell of a row.
    pub(crate) fn add_cell(
        &mut self,
        row: u64,
        column: usize,
        cell: &[u8],
        counting: &Counting<'_>,
    ) {
        self.columns[column].add(row, cell.trim_ascii(), counting);
    }

    /// Counts cells that are not there as empty ones; the first is that of `row`.
    pub(crate) fn add_absent(&mut self, row: u64, column: usize, cells: u64) {
        let column = &mut self.columns[column];
        column.empty += cells;
        let place = CellPlace { row, text: Excerpt::new(b"") };
        if column.first_empty.as_ref().is_none_or(|first| row < first.row) {
            column.first_empty = Some(place);
        }
    }
}

impl Default for ColumnSurvey {
    fn default() -> Self {
        ColumnSurvey {
            numbers: 0,
            first_number: None,
            first_fraction: None,
            words: 0,
            empty: 0,
            first_empty: None,
            spelled: 0,
            first_spelled: None,
            texts: 0,
            first_text: None,
            first_texts: 0,
            hash_of_first_text: 0,
            distinct: HashSet::new(),
            forms: Forms::All,
            repeats: false,
            order: NumberOrder::default(),
            counted_to: Counted::NoNumber,
        }
    }
}

impl ColumnSurvey {
    fn add(&mut self, row: u64, cell: &[u8], counting: &Counting<'_>) {
        let place = || CellPlace { row, text: Excerpt::new(cell) };
        if cell.is_empty() {
            self.empty += 1;
            self.first_empty.get_or_insert_with(place);
            return;
        }
        if counting.missing.contain(cell) {
            self.distinct.insert(hash(cell));
            self.spelled += 1;
            self.first_spelled.get_or_insert_with(place);
            return;
        }
        let number = counting.form.parse(cell);
        if number == Number::Not || self.distinct.len() <= MOST_NUMBERS {
            let is_new = self.distinct.insert(hash(cell));
            self.repeats |= !is_new && number != Number::Not;
        }
        if let Number::Finite(value) = number {
            self.order.add(value);
        }
        if number == Number::Not {
            self.texts += 1;
            self.count_text(cell, place);
            self.keep_forms_of(cell, counting.form);
            return;
        }
        self.counted_to = self.counted_to.next(number);
        if number::is_word(cell) {
            self.words += 1;
            return;
        }
        self.numbers += 1;
        self.first_number.get_or_insert_with(place);
        if is_fraction(number) {
            self.first_fraction.get_or_insert_with(place);
        }
    }

    fn count_text(&mut self, cell: &[u8], place: impl FnOnce() -> CellPlace) {
        if self.first_text.is_none() {
            self.hash_of_first_text = hash(cell);
            self.first_text = Some(place());
        }
        self.first_texts += u64::from(hash(cell) == self.hash_of_first_text);
    }

    fn keep_forms_of(&mut self, cell: &[u8], base: &NumberForm) {
        if matches!(self.forms, Forms::All) {
            let unit = std::str::from_utf8(cell).ok().and_then(unit_of);
            self.forms = Forms::Left(candidates(base, unit));
        }
        if let Forms::Left(forms) = &mut self.forms {
            forms.retain(|form| form.parse(cell) != Number::Not);
        }
    }

    /// The number of cells that are not missing.
    pub(crate) fn present(&self) -> u64 {
        self.numbers + self.words + self.texts
    }

    /// The number of cells that are missing.
    pub(crate) fn missing(&self) -> u64 {
        self.empty + self.spelled
    }

    /// The number of all cells.
    pub(crate) fn cells(&self) -> u64 {
        self.present() + self.missing()
    }

    /// The number of distinct cells that are not empty.
    pub(crate) fn distinct(&self) -> u64 {
        self.distinct.len() as u64
    }

    /// Whether the column numbers the rows: every cell is greater by 1 than the one above it. Few rows may do so by
    /// chance.
    pub(crate) fn numbers_rows(&self) -> bool {
        const FEW: u64 = 20;
        let all = self.numbers >= FEW && self.texts + self.missing() == 0;
        all && matches!(self.counted_to, Counted::To(_))
    }

    /// Whether a cell of the column has this text.
    pub(crate) fn contains(&self, cell: &[u8]) -> bool {
        self.distinct.contains(&hash(cell))
    }

    /// The form that reads every cell of a column in which not all cells are numbers of the chosen form. If dates of
    /// several orders do, those of `dates` come first.
    pub(crate) fn form(&self, dates: Option<DateOrder>) -> Option<&NumberForm> {
        let Forms::Left(forms) = &self.forms else { return None };
        let numbers = [&self.first_number, &self.first_fraction].into_iter().flatten();
        let numbers: Vec<String> = numbers.map(|place| place.text.to_string()).collect();
        let reads_numbers = |form: &NumberForm| {
            numbers.iter().all(|number| form.parse(number.as_bytes()) != Number::Not)
        };
        // A stray `4x` among numbers is a mistake, not a unit.
        let is_common = |form: &NumberForm| form.unit.is_none() || self.texts > self.numbers;
        let reading = || forms.iter().filter(|form| reads_numbers(form) && is_common(form));
        let chosen = reading().find(|form| form.dates.is_some() && form.dates == dates);
        chosen.or_else(|| reading().next())
    }
}

/// The forms that may read a column whose first text has this unit, the likelier first.
fn candidates(base: &NumberForm, unit: Option<&str>) -> Vec<NumberForm> {
    let mut numbers = vec![base.clone()];
    if base.is_plain() {
        let plain = NumberForm::default;
        numbers.push(NumberForm { thousands: Some(','), ..plain() });
        let comma = NumberForm { decimal: Decimal::Comma, ..plain() };
        numbers.push(comma.clone());
        numbers.push(NumberForm { thousands: Some('.'), ..comma.clone() });
        for thousands in [' ', '\'', '_'] {
            numbers.push(NumberForm { thousands: Some(thousands), ..plain() });
            numbers.push(NumberForm { thousands: Some(thousands), ..comma.clone() });
        }
    }
    if let Some(unit) = unit {
        numbers.iter_mut().for_each(|form| form.unit = Some(unit.to_owned()));
    }
    let orders = [DateOrder::Ymd, DateOrder::Dmy, DateOrder::Mdy];
    let dates = orders.map(|order| NumberForm { dates: Some(order), ..NumberForm::default() });
    numbers.into_iter().chain(dates).collect()
}

fn is_fraction(number: Number) -> bool {
    matches!(number, Number::Finite(value) if value.fract() != 0.0)
}

fn hash(cell: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(cell);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(cells: &[&str]) -> ColumnSurvey {
        let missing = MissingSpellings::default();
        let form = NumberForm::default();
        let counting = Counting { form: &form, missing: &missing };
        let mut survey = Survey::new(1);
        for (row, cell) in cells.iter().enumerate() {
            survey.add(row as u64, std::iter::once(cell.as_bytes()), &counting);
        }
        survey.columns.remove(0)
    }

    #[test]
    fn every_cell_counts_once() {
        let column = survey(&["1", " 2.5", "", "NA", "x", "?", "2.5"]);
        let counts = (column.numbers, column.empty, column.spelled, column.texts);
        assert_eq!(counts, (3, 1, 2, 1));
        assert_eq!(column.first_fraction.as_ref().map(|place| place.row), Some(1));
        assert_eq!((column.present(), column.distinct()), (4, 5));
        assert_eq!(column.first_spelled.as_ref().map(|place| place.row), Some(3));
        assert!(column.contains(b"x") && !column.contains(b"y"));
    }

    #[test]
    fn numbers_of_rows_increase_by_one() {
        let column = |first: i32, rows: i32| {
            let cells: Vec<String> = (first..first + rows).map(|i| i.to_string()).collect();
            survey(&cells.iter().map(String::as_str).collect::<Vec<_>>())
        };
        assert!(column(1, 20).numbers_rows() && column(-3, 40).numbers_rows());
        assert!(!column(1, 19).numbers_rows());
        let mut cells: Vec<String> = (0..30).map(|i| i.to_string()).collect();
        for wrong in ["7.5", "", "x", "17"] {
            cells[8] = wrong.to_owned();
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            assert!(!survey(&cells).numbers_rows(), "{wrong}");
        }
    }

    #[test]
    fn the_form_reads_every_cell() {
        let form = |cells: &[&str]| survey(cells).form(None).cloned();
        let thousands = form(&["12,345", "900"]).unwrap();
        assert_eq!((thousands.thousands, thousands.decimal), (Some(','), Decimal::Point));
        assert_eq!(form(&["5,1", "1,234"]).unwrap().decimal, Decimal::Comma);
        assert_eq!(form(&["$1,200", "$7"]).unwrap().unit.as_deref(), Some("$"));
        assert_eq!(form(&["2024-01-31"]).unwrap().dates, Some(DateOrder::Ymd));
        assert_eq!(form(&["05/06/2024", "31/01/2024"]).unwrap().dates, Some(DateOrder::Dmy));
        let both = survey(&["05/06/2024"]);
        let order = |dates| both.form(dates).and_then(|form| form.dates);
        assert_eq!(order(None), Some(DateOrder::Dmy));
        assert_eq!(order(Some(DateOrder::Mdy)), Some(DateOrder::Mdy));
        for cells in [
            &["12,345", "many"][..],
            &["5,1", "5.1"],
            &["1", "2", "4x"],
            &["1st", "2nd"],
            &["red"],
            &["1"],
            &["2024-01-31", "7"],
        ] {
            assert_eq!(form(cells), None, "{cells:?}");
        }
    }
}
