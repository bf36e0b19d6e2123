//! The cells of a file, counted column by column.
//!
//! The roles and kinds of columns, and the questions about a file that is to be learned from, follow from these counts
//! alone. The order of the rows never matters: counts of parts of a file add up to those of the whole.

use std::collections::HashMap;

use super::{distinct::Distinct, missing::MissingSpellings};
use crate::{
    fast::hash::SeededHash,
    fault::Excerpt,
    notes::DoubtfulValues,
    number::{self, Number},
    number_form::{DateOrder, Decimal, NumberForm, is_currency, unit_of},
};

/// A cell: the number of lines of the file before its row, and its text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CellPlace {
    pub(crate) row: u64,
    pub(crate) text: Excerpt,
}

/// The counts of all columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    pub(crate) rows: u64,
    pub(crate) columns: Vec<ColumnSurvey>,
}

/// The counts of one column. Every cell is a number, missing, or text.
#[derive(Clone, Debug)]
pub(crate) struct ColumnSurvey {
    /// Cells that are numbers.
    pub(crate) numbers: u64,
    pub(crate) first_number: Option<CellPlace>,
    /// The first number that is not whole.
    pub(crate) first_fraction: Option<CellPlace>,
    /// Numbers of at least five digits.
    pub(crate) long_numbers: u64,
    /// Whole numbers that begin with a zero, as `007` does.
    leading_zeros: u64,
    first_leading_zero: Option<CellPlace>,
    /// The finite numbers from above, and their negatives from above.
    ends: [End; 2],
    /// The sum of the whole numbers.
    whole_sum: i128,
    /// Words for a number that is not finite, such as `inf`: text in a column of text.
    pub(crate) words: u64,
    /// Empty cells.
    pub(crate) empty: u64,
    pub(crate) first_empty: Option<CellPlace>,
    /// Cells with another spelling of a missing value, and those of them that may be labels.
    pub(crate) spelled: u64,
    label_words: u64,
    pub(crate) first_spelled: Option<CellPlace>,
    /// All other cells.
    pub(crate) texts: u64,
    pub(crate) first_text: Option<CellPlace>,
    /// Those of them that have five words or more.
    pub(crate) sentences: u64,
    /// Those of them that have three words or more.
    pub(crate) phrases: u64,
    /// Those of them that have a digit.
    pub(crate) with_digits: u64,
    /// The different numbers, spellings of missing values, and texts.
    pub(crate) number_values: Distinct,
    pub(crate) spelled_values: Distinct,
    pub(crate) text_values: Distinct,
    forms: Forms,
    /// Rows that have no other cell; they are not among the counts.
    lone: Vec<LoneCell>,
    /// Some of the cells that were counted and are no numbers: only their numbers grow when they come again.
    met: HashMap<Box<[u8]>, CellCounts, SeededHash>,
}

/// Rows whose only cell that is not empty has this text.
#[derive(Clone, Debug)]
struct LoneCell {
    text: Box<[u8]>,
    rows: u64,
    /// The number of lines of the file before the first of them.
    first: u64,
}

/// What a cell that is no number counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellCounts {
    Spelled { is_label: bool },
    Text { is_sentence: bool, is_phrase: bool, has_digits: bool },
    Word,
}

/// A cell without blanks around it, and its number where that was read as the form of the options has it.
pub(crate) struct SurveyCell<'b> {
    pub(crate) text: &'b [u8],
    pub(crate) number: Option<f64>,
}

/// The forms of numbers that read every text of a column so far.
#[derive(Clone, Debug, PartialEq)]
struct Forms {
    /// For each of [`Counting::forms`], whether it does.
    alive: u32,
    /// The unit of the texts that have one.
    unit: Option<String>,
}

/// The greatest of some numbers, how many are equal to it, and the next lower one.
#[derive(Clone, Debug, PartialEq)]
struct End {
    value: f64,
    cells: u64,
    next: f64,
    /// The first cell with it, if it has nines alone or was far from all numbers before it.
    odd: Option<Excerpt>,
}

impl Default for End {
    fn default() -> Self {
        End { value: f64::NEG_INFINITY, cells: 0, next: f64::NEG_INFINITY, odd: None }
    }
}

impl End {
    fn add(&mut self, value: f64, place: &impl Fn() -> CellPlace) {
        if value > self.value {
            let is_odd = NINES.contains(&value.abs()) || value >= FAR * self.value;
            let odd = is_odd.then(|| place().text);
            *self = End { value, cells: 1, next: self.value, odd };
        } else if value == self.value {
            self.cells += 1;
        } else {
            self.next = self.next.max(value);
        }
    }

    fn join(&mut self, later: End) {
        if later.value > self.value {
            *self = End { next: later.next.max(self.value), ..later };
        } else if later.value == self.value {
            self.cells += later.cells;
            self.next = self.next.max(later.next);
        } else {
            self.next = self.next.max(later.value);
        }
    }
}

/// What programs and questionnaires write for a missing number.
const NINES: [f64; 7] = [99.0, 999.0, 9999.0, 99_999.0, 999_999.0, 9_999_999.0, 99_999_999.0];

/// A number so many times greater than all others may be a mistake.
const FAR: f64 = 100.0;

/// How cells are told apart while they are counted.
pub(crate) struct Counting<'o> {
    /// The form of numbers that the options choose.
    form: &'o NumberForm,
    missing: &'o MissingSpellings,
    /// The other forms that may read a column, the likelier first.
    forms: Vec<NumberForm>,
}

impl<'o> Counting<'o> {
    /// Whether what programs write as a number is one in every column.
    pub(crate) fn has_plain_numbers(&self) -> bool {
        self.form.is_plain() && self.missing.chosen.is_none()
    }

    pub(crate) fn new(form: &'o NumberForm, missing: &'o MissingSpellings) -> Self {
        Counting { form, missing, forms: other_forms(form) }
    }
}

impl Survey {
    pub(crate) fn new(columns: usize) -> Self {
        let mut survey = Survey::default();
        survey.grow(columns);
        survey
    }

    /// Adds columns without any cell, up to this number.
    pub(crate) fn grow(&mut self, columns: usize) {
        /// All columns together remember about so many values.
        const VALUES: usize = 1 << 22;
        let exact = (VALUES / columns.max(1)).clamp(1 << 6, 1 << 14);
        self.columns.resize_with(columns, || ColumnSurvey::new(exact));
    }

    /// A survey of no rows, to be joined with this one.
    pub(crate) fn part(&self) -> Self {
        Survey { rows: 0, columns: self.columns.iter().map(ColumnSurvey::part).collect() }
    }

    /// Counts the cells of a row that has `row` lines of the file before it.
    pub(crate) fn add_row(&mut self, row: u64, cells: &[SurveyCell<'_>], counting: &Counting<'_>) {
        self.rows += 1;
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            match cell.number {
                Some(number) => column.add_number(row, cell.text, number),
                None => column.add(row, cell.text.trim_ascii(), counting),
            }
        }
    }

    /// Adds the counts of rows that come after those so far.
    pub(crate) fn join(&mut self, later: Survey) {
        self.rows += later.rows;
        for (column, later) in self.columns.iter_mut().zip(later.columns) {
            column.join(later);
        }
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
    /// Remembers a row with one cell that is not empty: an example without any value, if the cell is a label, else none.
    pub(crate) fn add_lone<'c>(&mut self, row: u64, cells: impl Iterator<Item = &'c [u8]>) {
        let mut cells = cells.map(<[u8]>::trim_ascii).enumerate();
        let Some((column, cell)) = cells.find(|(_, cell)| !cell.is_empty()) else { return };
        self.columns[column].add_lone(LoneCell { text: cell.into(), rows: 1, first: row });
    }

    /// The texts that stand alone in their rows, in this column, and that no other row has there: no labels, if it is the label.
    pub(crate) fn lone_texts(&self, label: usize) -> impl Iterator<Item = &[u8]> {
        let column = &self.columns[label];
        let lone = column.lone.iter().filter(|lone| !column.has_value(&lone.text));
        lone.map(|lone| &*lone.text)
    }

    /// The counts with the rows that have nothing but a label, where this column is the label; `None` if there are none.
    pub(crate) fn with_lone_labels(&self, label: usize) -> Option<Survey> {
        let column = &self.columns[label];
        let labels = || column.lone.iter().filter(|lone| column.has_value(&lone.text));
        let first = labels().map(|lone| lone.first).min()?;
        let rows = labels().map(|lone| lone.rows).sum();
        let mut survey = self.clone();
        survey.rows += rows;
        for other in (0..self.columns.len()).filter(|&other| other != label) {
            survey.add_absent(first, other, rows);
        }
        Some(survey)
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
        self.columns[column].add_absent(row, cells);
    }
}

impl ColumnSurvey {
    /// Counts a cell that is a number by its type.
    #[cfg_attr(not(feature = "columnar"), expect(dead_code, reason = "of files of columns"))]
    #[inline]
    pub(crate) fn add_typed(&mut self, row: u64, number: f64) {
        let place = || CellPlace { row, text: Excerpt::new(number.to_string().as_bytes()) };
        self.numbers += 1;
        self.first_number.get_or_insert_with(place);
        self.number_values.add_number(number);
        self.count_number(number, place);
    }

    /// Counts cells that are not there as empty ones; the first is that of `row`.
    pub(crate) fn add_absent(&mut self, row: u64, cells: u64) {
        self.empty += cells;
        let place = CellPlace { row, text: Excerpt::new(b"") };
        if self.first_empty.as_ref().is_none_or(|first| row < first.row) {
            self.first_empty = Some(place);
        }
    }

    /// A survey of no cells that tells up to `exact` values apart and estimates the number of more.
    fn new(exact: usize) -> Self {
        let values = || Distinct::new(exact);
        Self::of_values([values(), values(), values()])
    }

    /// A survey of no cells, to be joined with this one.
    fn part(&self) -> Self {
        let all = [&self.number_values, &self.spelled_values, &self.text_values];
        Self::of_values(all.map(Distinct::part))
    }

    fn of_values([number_values, spelled_values, text_values]: [Distinct; 3]) -> Self {
        ColumnSurvey {
            numbers: 0,
            first_number: None,
            first_fraction: None,
            long_numbers: 0,
            leading_zeros: 0,
            first_leading_zero: None,
            ends: [End::default(), End::default()],
            whole_sum: 0,
            words: 0,
            empty: 0,
            first_empty: None,
            spelled: 0,
            label_words: 0,
            first_spelled: None,
            texts: 0,
            first_text: None,
            sentences: 0,
            phrases: 0,
            with_digits: 0,
            number_values,
            spelled_values,
            text_values,
            forms: Forms { alive: u32::MAX, unit: None },
            lone: Vec::new(),
            met: HashMap::default(),
        }
    }

    fn join(&mut self, later: ColumnSurvey) {
        let ColumnSurvey {
            numbers,
            first_number,
            first_fraction,
            long_numbers,
            leading_zeros,
            first_leading_zero,
            ends,
            whole_sum,
            words,
            empty,
            first_empty,
            spelled,
            label_words,
            first_spelled,
            texts,
            first_text,
            sentences,
            phrases,
            with_digits,
            number_values,
            spelled_values,
            text_values,
            forms,
            lone,
            met: _,
        } = later;
        for (sum, more) in [
            (&mut self.numbers, numbers),
            (&mut self.long_numbers, long_numbers),
            (&mut self.leading_zeros, leading_zeros),
            (&mut self.words, words),
            (&mut self.empty, empty),
            (&mut self.spelled, spelled),
            (&mut self.label_words, label_words),
            (&mut self.texts, texts),
            (&mut self.sentences, sentences),
            (&mut self.phrases, phrases),
            (&mut self.with_digits, with_digits),
        ] {
            *sum += more;
        }
        for (first, later) in [
            (&mut self.first_number, first_number),
            (&mut self.first_fraction, first_fraction),
            (&mut self.first_leading_zero, first_leading_zero),
            (&mut self.first_empty, first_empty),
            (&mut self.first_spelled, first_spelled),
            (&mut self.first_text, first_text),
        ] {
            *first = first.take().or(later);
        }
        for (end, later) in self.ends.iter_mut().zip(ends) {
            end.join(later);
        }
        self.whole_sum = self.whole_sum.saturating_add(whole_sum);
        self.number_values.join(number_values);
        self.spelled_values.join(spelled_values);
        self.text_values.join(text_values);
        self.forms.join(forms);
        lone.into_iter().for_each(|lone| self.add_lone(lone));
    }

    fn add_lone(&mut self, cell: LoneCell) {
        /// More different ones are no labels that come again.
        const MANY: usize = 64;
        match self.lone.iter().position(|one| one.text == cell.text) {
            Some(place) => self.lone[place].rows += cell.rows,
            None if self.lone.len() < MANY => self.lone.push(cell),
            None => {}
        }
    }

    /// Whether other rows have a cell that is equal, as far as values are told apart.
    fn has_value(&self, cell: &[u8]) -> bool {
        let is_number = |number| self.number_values.contains_number(number);
        self.text_values.contains_text(cell)
            || matches!(number::parse(cell), Number::Finite(number) if is_number(number))
    }

    /// Counts a cell without blanks around it.
    pub(crate) fn add(&mut self, row: u64, cell: &[u8], counting: &Counting<'_>) {
        /// Few cells that come again are longer, and few columns of them have more.
        const LONG: usize = 64;
        const MANY: usize = 256;
        let place = || CellPlace { row, text: Excerpt::new(cell) };
        if cell.is_empty() {
            self.empty += 1;
            self.first_empty.get_or_insert_with(place);
            return;
        }
        if cell.len() <= LONG
            && let Some(&counts) = self.met.get(cell)
        {
            return self.count(counts);
        }
        if let Some(counts) = self.add_new(row, cell, counting) {
            self.count(counts);
            if cell.len() <= LONG && self.met.len() < MANY {
                self.met.insert(cell.into(), counts);
            }
        }
    }

    /// Adds a cell that may not have been met. What it counts as, if it is no number, is for the caller to count.
    fn add_new(&mut self, row: u64, cell: &[u8], counting: &Counting<'_>) -> Option<CellCounts> {
        let place = || CellPlace { row, text: Excerpt::new(cell) };
        if counting.missing.contain(cell) {
            self.spelled_values.add_text(cell);
            self.first_spelled.get_or_insert_with(place);
            let is_label = !counting.missing.contain_label(cell);
            return Some(CellCounts::Spelled { is_label });
        }
        match counting.form.parse(cell) {
            Number::Not => {
                self.first_text.get_or_insert_with(place);
                self.text_values.add_text(cell);
                self.forms.keep_those_of(cell, counting);
                return Some(CellCounts::of_text(cell));
            }
            _ if number::is_word(cell) => {
                self.text_values.add_text(cell);
                return Some(CellCounts::Word);
            }
            Number::Finite(value) => self.add_number(row, cell, value),
            _ => {
                self.numbers += 1;
                self.first_number.get_or_insert_with(place);
            }
        }
        None
    }

    fn count(&mut self, counts: CellCounts) {
        match counts {
            CellCounts::Spelled { is_label } => {
                self.spelled += 1;
                self.label_words += u64::from(is_label);
            }
            CellCounts::Text { is_sentence, is_phrase, has_digits } => {
                self.texts += 1;
                self.sentences += u64::from(is_sentence);
                self.phrases += u64::from(is_phrase);
                self.with_digits += u64::from(has_digits);
            }
            CellCounts::Word => self.words += 1,
        }
    }

    /// Counts a cell that is a finite number.
    fn add_number(&mut self, row: u64, cell: &[u8], value: f64) {
        let place = || CellPlace { row, text: Excerpt::new(cell) };
        self.numbers += 1;
        self.first_number.get_or_insert_with(place);
        if let [b'0', b'0'..=b'9', ..] = cell {
            self.leading_zeros += 1;
            self.first_leading_zero.get_or_insert_with(place);
        }
        // As labels and identifiers such integers differ, although their floats do not.
        match number::is_inexact_integer(cell, value) {
            true => self.number_values.add_text(cell),
            false => self.number_values.add_number(value),
        }
        self.count_number(value, place);
    }

    fn count_number(&mut self, value: f64, place: impl Fn() -> CellPlace) {
        const FIVE_DIGITS: f64 = 10_000.0;
        /// Every float from here on is whole.
        const WHOLE: f64 = (1_u64 << 52) as f64;
        self.long_numbers += u64::from(value.abs() >= FIVE_DIGITS);
        let [above, below] = &mut self.ends;
        if value >= above.next {
            above.add(value, &place);
        }
        if -value >= below.next {
            below.add(-value, &place);
        }
        let whole = value as i64;
        if whole as f64 == value && whole < i64::MAX {
            self.whole_sum = self.whole_sum.saturating_add(i128::from(whole));
        } else if value.abs() < WHOLE {
            self.first_fraction.get_or_insert_with(place);
        } else {
            // Saturates for numbers beyond every count of rows.
            self.whole_sum = self.whole_sum.saturating_add(value as i128);
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

    /// The number of cells that are missing if the column is the label.
    pub(crate) fn missing_labels(&self) -> u64 {
        self.missing() - self.label_words
    }

    /// The number of all cells.
    pub(crate) fn cells(&self) -> u64 {
        self.present() + self.missing()
    }

    /// The number of different cells that are not empty, estimated if there are very many.
    pub(crate) fn distinct(&self) -> u64 {
        let all = [&self.number_values, &self.spelled_values, &self.text_values];
        all.into_iter().map(Distinct::count).sum::<u64>().min(self.present() + self.spelled)
    }

    /// Whether the column numbers the rows: its cells are consecutive whole numbers in some order. Few rows may do so by
    /// chance.
    pub(crate) fn numbers_rows(&self) -> bool {
        const FEW: u64 = 20;
        let all = self.numbers >= FEW && self.present() == self.numbers && self.missing() == 0;
        let Some((least, greatest)) = self.range().filter(|_| all && self.first_fraction.is_none())
        else {
            return false;
        };
        let n = i128::from(self.numbers);
        let (least, greatest) = (least as i128, greatest as i128);
        // Where the values are too many to be told apart, their sum shows that none is missing.
        greatest.checked_sub(least) == Some(n - 1)
            && self.whole_sum == n * least + n * (n - 1) / 2
            && self.are_different()
    }

    /// Whether no two numbers are equal, as far as they are told apart.
    pub(crate) fn are_different(&self) -> bool {
        let values = self.number_values.count();
        values == self.numbers || !self.number_values.is_exact() && 10 * values > 9 * self.numbers
    }

    /// The least and the greatest number.
    pub(crate) fn range(&self) -> Option<(f64, f64)> {
        let [above, below] = &self.ends;
        // Without a number they are infinite. The difference makes 0 of −0.
        above.value.is_finite().then_some((0.0 - below.value, above.value))
    }

    /// The least number.
    pub(crate) fn least(&self) -> Option<f64> {
        self.range().map(|(least, _)| least)
    }

    /// Numbers that may not be meant as they are read, and how many cells have them.
    pub(crate) fn doubtful_numbers(&self) -> Option<(u64, DoubtfulValues)> {
        self.far_number().or_else(|| self.leading_zeros(false))
    }

    /// Whole numbers that begin with a zero.
    pub(crate) fn leading_zeros(&self, are_labels: bool) -> Option<(u64, DoubtfulValues)> {
        let is_whole = self.texts == 0 && self.first_fraction.is_none();
        let first = self.first_leading_zero.as_ref().filter(|_| is_whole)?;
        let text = first.text.to_string();
        Some((self.leading_zeros, DoubtfulValues::LeadingZeros { text, are_labels }))
    }

    /// Nines alone, farther from all other numbers than these are from each other; or a single number, a hundred times
    /// greater than all others.
    fn far_number(&self) -> Option<(u64, DoubtfulValues)> {
        const FEW: u64 = 5;
        if self.texts > 0 || self.number_values.count() <= FEW {
            return None;
        }
        let far = |end: &End, other: &End| {
            let text = end.odd.as_ref()?.to_string();
            let is_code =
                NINES.contains(&end.value.abs()) && end.value - end.next > end.next + other.value;
            let greatest = end.next.abs().max(other.value.abs());
            let is_far = end.cells == 1 && end.value >= FAR * greatest;
            (is_code || is_far).then_some((end.cells, text, is_code))
        };
        let [above, below] = &self.ends;
        let of = |(cells, text, is_code), least, greatest| {
            (cells, DoubtfulValues::Far { text, is_code, least, greatest })
        };
        far(above, below)
            .map(|far| of(far, 0.0 - below.value, above.next))
            .or_else(|| far(below, above).map(|far| of(far, 0.0 - below.next, above.value)))
    }

    /// The number of cells and their categories, if these are more than a third.
    pub(crate) fn many_categories(&self) -> Option<(u64, DoubtfulValues)> {
        const FEW: u64 = 20;
        let (categories, cells) = (self.distinct(), self.present() + self.spelled);
        let are_many = cells >= FEW && 3 * categories > cells;
        are_many.then_some((cells, DoubtfulValues::ManyCategories { categories }))
    }

    /// Whether a cell of the column has this text.
    pub(crate) fn contains(&self, cell: &[u8]) -> bool {
        self.text_values.contains_text(cell) || self.spelled_values.contains_text(cell)
    }

    /// The form that reads every cell of a column in which not all cells are numbers of the chosen form, and whether it
    /// alone does. If dates of several orders do, those of `dates` come first.
    pub(crate) fn form(
        &self,
        counting: &Counting<'_>,
        dates: Option<DateOrder>,
    ) -> Option<(NumberForm, bool)> {
        let numbers = [&self.first_number, &self.first_fraction].into_iter().flatten();
        let numbers: Vec<String> = numbers.map(|place| place.text.to_string()).collect();
        let reads_numbers = |form: &NumberForm| {
            numbers.iter().all(|number| form.parse(number.as_bytes()) != Number::Not)
        };
        // A stray `4x` among numbers is a mistake, not a unit.
        let is_common = self.forms.unit.is_none() || self.texts > self.numbers;
        if self.texts == 0 || !is_common {
            return None;
        }
        let with_unit = |form: &NumberForm| match form.dates {
            None => NumberForm { unit: self.forms.unit.clone(), ..form.clone() },
            Some(_) => form.clone(),
        };
        let alive = counting.forms.iter().zip(0..).filter(|(_, i)| self.forms.alive >> i & 1 == 1);
        let reading: Vec<NumberForm> =
            alive.map(|(form, _)| with_unit(form)).filter(reads_numbers).collect();
        let chosen = reading.iter().find(|form| form.dates.is_some() && form.dates == dates);
        let form = chosen.or(reading.first())?.clone();
        // Nor is a stray `4K` four thousand.
        if form.magnitudes && 20 * self.texts < self.present() {
            return None;
        }
        let orders = reading.iter().filter(|form| form.dates.is_some()).count();
        Some((form, orders < 2 && self.is_sure(&reading)))
    }

    /// Whether decimals and thousands cannot be taken for one another, of all forms that read a column: they may be in
    /// `12,345`, but of many numbers with decimals some have not three of them.
    fn is_sure(&self, reading: &[NumberForm]) -> bool {
        const MANY: u64 = 30;
        let has = |is: &dyn Fn(&NumberForm) -> bool| {
            reading.iter().any(|form| form.dates.is_none() && is(form))
        };
        let is_comma = |form: &NumberForm| form.decimal == Decimal::Comma;
        let may_be_either =
            has(&is_comma) && has(&|form| !is_comma(form) && form.thousands.is_some());
        let needs_neither = has(&|form| !is_comma(form) && form.thousands.is_none());
        let has_dollars = matches!(self.forms.unit.as_deref(), Some("$" | "£" | "¥" | "₹"));
        !may_be_either || needs_neither || has_dollars || self.texts >= MANY
    }
}

impl CellCounts {
    fn of_text(cell: &[u8]) -> Self {
        /// Fewer words are a name.
        const SENTENCE: usize = 5;
        const PHRASE: usize = 3;
        let words = cell.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let words = words.take(SENTENCE).count();
        CellCounts::Text {
            is_sentence: words == SENTENCE,
            is_phrase: words >= PHRASE,
            has_digits: cell.iter().any(u8::is_ascii_digit),
        }
    }
}

impl Forms {
    /// The forms of dates, which come first and have no unit.
    const DATES: u32 = 0b1111;

    fn join(&mut self, other: Forms) {
        let differ = matches!((&self.unit, &other.unit), (Some(own), Some(other)) if own != other);
        self.alive &= other.alive & if differ { Self::DATES } else { u32::MAX };
        self.unit = self.unit.take().or(other.unit);
    }

    /// Keeps the forms that read a text.
    fn keep_those_of(&mut self, cell: &[u8], counting: &Counting<'_>) {
        if self.alive == 0 {
            return;
        }
        let Ok(text) = std::str::from_utf8(cell) else {
            self.alive = 0;
            return;
        };
        let unit = unit_of(text);
        let is_other = matches!((&self.unit, unit), (Some(own), Some(unit)) if own != unit);
        if self.unit.is_none() {
            self.unit = unit.map(str::to_owned);
        }
        let is_money = unit.is_none_or(is_currency);
        let unit = unit.map(str::to_owned);
        for (i, form) in counting.forms.iter().enumerate() {
            let reads = || match form.dates {
                None if is_other || form.magnitudes && !is_money => Number::Not,
                None => NumberForm { unit: unit.clone(), ..form.clone() }.parse(cell),
                Some(_) => form.parse(cell),
            };
            if self.alive >> i & 1 == 1 && reads() == Number::Not {
                self.alive &= !(1 << i);
            }
        }
    }
}

/// The forms that may read a column if the chosen one does not: those of dates, and of numbers the likelier first.
fn other_forms(base: &NumberForm) -> Vec<NumberForm> {
    let plain = NumberForm::default;
    let mut numbers = vec![base.clone()];
    if base.is_plain() {
        let comma = NumberForm { decimal: Decimal::Comma, ..plain() };
        numbers.push(NumberForm { thousands: Some(','), ..plain() });
        numbers.push(comma.clone());
        numbers.push(NumberForm { thousands: Some('.'), ..comma.clone() });
        for thousands in [' ', '\'', '_'] {
            numbers.push(NumberForm { thousands: Some(thousands), ..plain() });
            numbers.push(NumberForm { thousands: Some(thousands), ..comma.clone() });
        }
    }
    let with_book_signs = |form: &NumberForm| NumberForm { book_signs: true, ..form.clone() };
    let signed: Vec<NumberForm> = numbers.iter().map(with_book_signs).collect();
    let with_magnitudes = |form: &NumberForm| NumberForm { magnitudes: true, ..form.clone() };
    // Plain numbers, and those with commas in either place.
    let multiplied: Vec<NumberForm> = numbers.iter().take(3).map(with_magnitudes).collect();
    let orders = [DateOrder::Ymd, DateOrder::Dmy, DateOrder::Mdy, DateOrder::Time];
    let dates = orders.map(|order| NumberForm { dates: Some(order), ..plain() });
    dates.into_iter().chain(numbers).chain(signed).chain(multiplied).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(cells: &[&str]) -> ColumnSurvey {
        let missing = MissingSpellings::default();
        let form = NumberForm::default();
        let counting = Counting::new(&form, &missing);
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
    fn numbers_far_from_all_others_are_doubtful() {
        let far = |cells: &[&str]| match survey(cells).doubtful_numbers() {
            Some((cells, DoubtfulValues::Far { text, is_code, least, greatest })) => {
                Some((text, cells, is_code, least, greatest))
            }
            _ => None,
        };
        let is = |text: &str, cells, is_code, least, greatest| {
            Some((text.to_owned(), cells, is_code, least, greatest))
        };
        let ages = ["31", "999", "18", "44", "999.0", "67", "25"];
        assert_eq!(far(&ages), is("999", 2, true, 18.0, 67.0));
        let below = ["-99", "0", "-7", "5", "3.5", "1", "-99"];
        assert_eq!(far(&below), is("-99", 2, true, -7.0, 5.0));
        // In its place among others, among few values, or another number.
        assert_eq!(far(&["90", "99", "95", "10", "97", "98"]), None);
        assert_eq!(far(&["1", "99", "2", "3"]), None);
        assert_eq!(far(&["31", "998", "18", "44", "67", "25"]), None);
        assert_eq!(far(&["31", "999", "18", "44", "67", "x", "25"]), None);
        // A hundred times greater, once, wherever it stands.
        let heights = ["1.5", "1.8", "1.7", "180", "1.6", "1.75"];
        for turn in 0..6 {
            let mut cells = heights;
            cells.rotate_left(turn);
            assert_eq!(far(&cells), is("180", 1, false, 1.5, 1.8));
        }
        assert_eq!(far(&["1", "2", "3", "4", "5", "1e12"]), is("1e12", 1, false, 1.0, 5.0));
        assert_eq!(far(&["1", "2", "3", "4", "5", "499"]), None);
        assert_eq!(far(&["1", "2", "3", "4", "5", "1e12", "1e12"]), None);
    }

    #[test]
    fn lost_zeros_and_rare_categories_are_doubtful() {
        let zeros = |cells: &[&str]| survey(cells).doubtful_numbers();
        let first = DoubtfulValues::LeadingZeros { text: "007".to_owned(), are_labels: false };
        assert_eq!(zeros(&["7", "007", "08"]), Some((2, first)));
        assert_eq!(zeros(&["0", "0.5", "07"]), None);
        assert_eq!(zeros(&["0", "7", "70"]), None);
        let towns = |n: usize| {
            let cells: Vec<String> = (0..30).map(|i| format!("t{}", i % n)).collect();
            survey(&cells.iter().map(String::as_str).collect::<Vec<_>>()).many_categories()
        };
        assert_eq!(towns(11), Some((30, DoubtfulValues::ManyCategories { categories: 11 })));
        assert_eq!(towns(10), None);
    }

    #[test]
    fn numbers_of_rows_are_consecutive_in_some_order() {
        let column = |first: i32, rows: i32| {
            let cells: Vec<String> = (first..first + rows).map(|i| i.to_string()).collect();
            survey(&cells.iter().map(String::as_str).collect::<Vec<_>>())
        };
        assert!(column(1, 20).numbers_rows() && column(-3, 40).numbers_rows());
        assert!(!column(1, 19).numbers_rows());
        let mut cells: Vec<String> = (0..30).rev().map(|i| i.to_string()).collect();
        assert!(survey(&cells.iter().map(String::as_str).collect::<Vec<_>>()).numbers_rows());
        for wrong in ["7.5", "", "x", "17"] {
            cells[8] = wrong.to_owned();
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            assert!(!survey(&cells).numbers_rows(), "{wrong}");
        }
    }

    #[test]
    fn the_form_reads_every_cell() {
        let (base, missing) = (NumberForm::default(), MissingSpellings::default());
        let counting = Counting::new(&base, &missing);
        let found = |cells: &[&str]| survey(cells).form(&counting, None);
        let form = |cells: &[&str]| found(cells).map(|(form, _)| form);
        let is_sure = |cells: &[&str]| found(cells).unwrap().1;
        let thousands = form(&["12,345", "900"]).unwrap();
        assert_eq!((thousands.thousands, thousands.decimal), (Some(','), Decimal::Point));
        assert_eq!(form(&["5,1", "1,234"]).unwrap().decimal, Decimal::Comma);
        assert!(is_sure(&["5,1", "1,234"]) && is_sure(&["1,234,567"]) && is_sure(&["$1,234"]));
        assert!(!is_sure(&["12,345", "900"]) && is_sure(&["12,345"; 30]));
        assert_eq!(form(&["$1,200", "$7"]).unwrap().unit.as_deref(), Some("$"));
        assert_eq!(form(&["7,5", "$1,2"]).unwrap().unit.as_deref(), Some("$"));
        let powers = form(&["$1.5M", "$350K", "$12", "$7"]).unwrap();
        assert_eq!((powers.unit.as_deref(), powers.magnitudes), (Some("$"), true));
        assert!(is_sure(&["1.5M", "350K", "12"]) && is_sure(&["'12", "'7.5"]));
        assert_eq!(form(&[vec!["7"; 30], vec!["4K"]].concat()), None);
        assert_eq!(form(&["2024-01-31"]).unwrap().dates, Some(DateOrder::Ymd));
        assert_eq!(form(&["05/06/2024", "31/01/2024"]).unwrap().dates, Some(DateOrder::Dmy));
        assert!(is_sure(&["31/01/2024"]) && !is_sure(&["05/06/2024"]));
        let both = survey(&["05/06/2024"]);
        let order = |dates| both.form(&counting, dates).and_then(|(form, _)| form.dates);
        assert_eq!(order(None), Some(DateOrder::Dmy));
        assert_eq!(order(Some(DateOrder::Mdy)), Some(DateOrder::Mdy));
        for cells in [
            &["12,345", "many"][..],
            &["5,1", "5.1"],
            &["1", "2", "4x"],
            &["1st", "2nd"],
            &["1.5M", "350x"],
            &["red"],
            &["1"],
            &["2024-01-31", "7"],
        ] {
            assert_eq!(form(cells), None, "{cells:?}");
        }
    }

    /// The counts of the cells in any order are the same, but for the first cells.
    #[test]
    fn the_order_of_cells_does_not_matter() {
        let mut cells: Vec<String> = (0..60).map(|i| format!("{}", i * 7 % 60)).collect();
        cells
            .extend(["", "NA", "x", "2,5", "a long sentence with words", "inf"].map(str::to_owned));
        let (base, missing) = (NumberForm::default(), MissingSpellings::default());
        let counting = Counting::new(&base, &missing);
        let counts = |cells: &[&str]| {
            let one = survey(cells);
            let all = [one.numbers, one.texts, one.words, one.missing(), one.distinct()];
            (all, one.sentences, one.numbers_rows(), one.form(&counting, None), one.least())
        };
        let mut shown: Vec<&str> = cells.iter().map(String::as_str).collect();
        let given = counts(&shown);
        shown.reverse();
        assert_eq!(counts(&shown), given);
        shown.rotate_left(17);
        assert_eq!(counts(&shown), given);
        for cut in [0, 1, 30, 63, shown.len()] {
            let whole = survey(&shown);
            let mut joined = survey(&shown[..cut]);
            joined.join(survey(&shown[cut..]));
            assert_eq!(joined.texts + joined.numbers, whole.texts + whole.numbers);
            assert_eq!((joined.distinct(), joined.ends), (whole.distinct(), whole.ends));
            assert_eq!((joined.forms, joined.whole_sum), (whole.forms, whole.whole_sum));
            assert_eq!(
                joined.first_text.map(|place| place.text),
                whole.first_text.map(|place| place.text)
            );
        }
    }
}
