//! How the cells of a row become numbers, categories, words and labels.

use rosenblatt_core::data::Decimal;

use super::{
    batch::{Batch, LabelUse, Spelling},
    dictionary::Dictionary,
    layout::{CellRules, Layout, Role},
    missing::WhenMissing,
    rows::TableRows,
};
use crate::{
    fault::{Excerpt, Problem},
    number::{self, Number},
    options::TextNumbers,
};

/// A problem and the column in which it shows.
pub(crate) struct CellFault {
    pub(crate) column: usize,
    pub(crate) problem: Problem,
}

/// How a number is written.
enum Spelled {
    /// As the shortest decimal of its float.
    Shortest,
    /// As a time of a day.
    Time,
    /// As another decimal.
    Other(Decimal),
}

/// Reads the cells of a row by the layout of the columns.
#[derive(Clone, Debug)]
pub(crate) struct RowReader {
    pub(crate) layout: Layout,
    pub(crate) labels: LabelUse,
    /// Whether to remember the words of texts.
    pub(crate) dictionary: bool,
    pub(crate) numbers: TextNumbers,
}

impl RowReader {
    /// Takes in one row that has a cell for each column. A row with a faulty cell is not taken in at all: columns other
    /// than numbers grow only after all cells were read. A row that is left out because a cell is missing is counted.
    pub(crate) fn row<'c>(
        &self,
        cells: impl Iterator<Item = &'c [u8]>,
        batch: &mut Batch,
        rows: &mut TableRows,
    ) -> Result<(), CellFault> {
        let (mut label, mut categories, mut texts) = (None, Vec::new(), Vec::new());
        let mut spelling = Spelling::default();
        let before = rows.numbers.len();
        rows.numbers.resize(before + self.layout.numbers, 0.0);
        let numbers = &mut rows.numbers[before..];
        let mut is_dropped = false;
        let read = || {
            for (column, (whole, &role)) in cells.zip(&self.layout.roles).enumerate() {
                // Blanks belong to a text only where the format keeps them, as within quotes.
                let cell = whole.trim_ascii();
                let fault = |problem| CellFault { column, problem };
                let rules = &self.layout.cells[column];
                match role {
                    Role::Leave => {}
                    Role::Label => {
                        label = Some((column, self.label(column, whole).map_err(fault)?))
                    }
                    Role::Number(place) => {
                        let number = self.number(column, cell).map_err(fault)?;
                        let spelled = self.spelling(column, cell, number).map_err(fault)?;
                        match spelled {
                            Spelled::Shortest => {}
                            Spelled::Time => spelling.has_times = true,
                            Spelled::Other(value) => spelling.others.push((before + place, value)),
                        }
                        is_dropped |= number.is_nan() && rules.when_missing == WhenMissing::Drop;
                        numbers[place] = number;
                    }
                    Role::Text(place) => texts.push((place, text(cell).map_err(fault)?)),
                    Role::Category(place) => {
                        let known = &rows.categories[place];
                        let first = self.layout.text_like[place].as_ref();
                        let category = self.category(column, whole, known, first).map_err(fault)?;
                        is_dropped |=
                            category.is_empty() && rules.when_missing == WhenMissing::Drop;
                        categories.push((place, category));
                    }
                }
            }
            if let (Some((column, label)), false) = (label, is_dropped) {
                let number = batch.labels.dictionary.number(label, |name| self.labels.allows(name));
                batch.labels.codes.push(number.map_err(|problem| CellFault { column, problem })?);
            }
            Ok(())
        };
        if let Err(fault) = read() {
            rows.numbers.truncate(before);
            return Err(fault);
        }
        if is_dropped {
            rows.numbers.truncate(before);
            batch.dropped += 1;
            return Ok(());
        }
        self.add(&categories, &texts, rows);
        if let Some(all) = &mut batch.spelling {
            all.join(spelling, 0);
        }
        Ok(())
    }

    /// Adds the categories and the texts of a row, each with its place, to the columns.
    fn add(&self, categories: &[(usize, &str)], texts: &[(usize, &str)], rows: &mut TableRows) {
        let codes = rows.codes.len();
        rows.codes.resize(codes + self.layout.categories, 0);
        for &(place, category) in categories {
            rows.codes[codes + place] = rows.categories[place].number_of(category);
        }
        for &(place, text) in texts {
            rows.texts[place].push(text, self.layout.texts[place], self.dictionary);
        }
        rows.rows += 1;
    }

    fn name(&self, column: usize) -> String {
        self.layout.names[column].clone()
    }

    pub(crate) fn label<'c>(&self, column: usize, whole: &'c [u8]) -> Result<&'c str, Problem> {
        let cell = whole.trim_ascii();
        check_label(cell, || self.name(column))?;
        if self.layout.cells[column].spellings.contain_label(cell) {
            let (text, column) = (Excerpt::new(cell), self.name(column));
            return Err(Problem::MissingLabel { text, column });
        }
        text(whole)
    }

    /// The number of a cell; NaN for a missing one that is no error.
    fn number(&self, column: usize, cell: &[u8]) -> Result<f64, Problem> {
        let rules = &self.layout.cells[column];
        if cell.is_empty() || rules.spellings.contain(cell) {
            return self.missing(column, cell).map(|()| f64::NAN);
        }
        match rules.form.parse(cell) {
            Number::Finite(value) if rules.allow(value) => Ok(value),
            Number::Finite(_) => {
                Err(Problem::TooLargeFactor { text: Excerpt::new(cell), column: self.name(column) })
            }
            Number::NotFinite => {
                Err(Problem::NotFinite { text: Excerpt::new(cell), column: self.name(column) })
            }
            Number::Not => {
                Err(Problem::NotANumber { text: Excerpt::new(cell), column: self.name(column) })
            }
        }
    }

    /// How a cell that is read as `number` is written. Unless that is asked for, an integer that no float is is refused.
    fn spelling(&self, column: usize, cell: &[u8], number: f64) -> Result<Spelled, Problem> {
        let form = &self.layout.cells[column].form;
        if number.is_nan() {
            return Ok(Spelled::Shortest);
        }
        if form.dates.is_some() {
            let is_time = number.fract() != 0.0;
            return Ok(if is_time { Spelled::Time } else { Spelled::Shortest });
        }
        if self.numbers.are_floats() && number::is_inexact_integer(&form.spelled(cell), number) {
            return Err(Problem::NotExact { text: Excerpt::new(cell), column: self.name(column) });
        }
        if self.numbers.has_decimals() {
            let other = number::other_decimal(&form.spelled(cell), number);
            return Ok(other.map_or(Spelled::Shortest, Spelled::Other));
        }
        Ok(Spelled::Shortest)
    }

    /// Refuses a missing cell, unless there is a rule for it.
    fn missing(&self, column: usize, cell: &[u8]) -> Result<(), Problem> {
        match (self.layout.cells[column].when_missing, cell) {
            (WhenMissing::Fill | WhenMissing::Drop, _) => Ok(()),
            (WhenMissing::Refuse, []) => Err(Problem::EmptyCell { column: self.name(column) }),
            (WhenMissing::Refuse, cell) => {
                let (text, column) = (Excerpt::new(cell), self.name(column));
                Err(Problem::MissingValue { text, column })
            }
        }
    }

    /// The category of a cell; the empty one for a missing cell that is no error. `known` are the categories so far; `first` is the first cell of a column that may hold no
    /// number.
    fn category<'c>(
        &self,
        column: usize,
        whole: &'c [u8],
        known: &Dictionary,
        first: Option<&Excerpt>,
    ) -> Result<&'c str, Problem> {
        let cell = whole.trim_ascii();
        let rules: &CellRules = &self.layout.cells[column];
        // In columns of categories the usual spellings are categories.
        let is_spelled = rules.spellings.chosen.is_some() && rules.spellings.contain(cell);
        if cell.is_empty() || is_spelled {
            return self.missing(column, cell).map(|()| "");
        }
        let name = text(whole)?;
        match first {
            Some(first)
                if !known.contains(name)
                    && rules.form.parse(cell) != Number::Not
                    && !number::is_word(cell) =>
            {
                let (text, first) = (Excerpt::new(cell), first.clone());
                Err(Problem::NumberInText { text, column: self.name(column), first })
            }
            _ => Ok(name),
        }
    }
}

/// Refuses what is no label; the cell has no blanks around it.
pub(crate) fn check_label(cell: &[u8], column: impl FnOnce() -> String) -> Result<(), Problem> {
    if cell.is_empty() {
        return Err(Problem::EmptyLabel { column: column() });
    }
    if number::parse(cell) == Number::NotFinite {
        return Err(Problem::NotFiniteLabel { text: Excerpt::new(cell) });
    }
    if cell.iter().any(u8::is_ascii_control) {
        return Err(Problem::ControlInLabel { text: Excerpt::new(cell) });
    }
    Ok(())
}

fn text(cell: &[u8]) -> Result<&str, Problem> {
    std::str::from_utf8(cell).map_err(|_| Problem::NotUtf8 { text: Excerpt::new(cell) })
}
