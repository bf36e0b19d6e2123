//! A record batch → rows as they stand in the file.
//!
//! Columns are parsed one after the other. Faults wait until the rows are put together, so that of several faults the
//! first one of the first row is reported.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use arrow_array::{
    Array, ArrowPrimitiveType, RecordBatch,
    cast::AsArray,
    types::{
        Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
        UInt8Type, UInt16Type, UInt32Type, UInt64Type,
    },
};
use arrow_schema::DataType;

use crate::{
    fault::{Excerpt, Problem},
    number::Number,
    options::{Hashing, OnError},
    table::{
        batch::{Batch, Body, Gap, LabelUse},
        dictionary::Dictionary,
        layout::{CellRules, Role},
        missing::WhenMissing,
        row_reader::check_label,
        rows::TableRows,
        words::Texts,
    },
};

/// A column of a record batch.
pub(super) struct FileColumn {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) rules: CellRules,
}

/// Parses record batches whose columns are these.
pub(super) struct RecordBatchParser {
    pub(super) columns: Vec<FileColumn>,
    /// The column whose cells are kept with the rows, as text.
    pub(super) id: Option<usize>,
    /// The number of columns of numbers.
    pub(super) numbers: usize,
    /// How each column of text is hashed.
    pub(super) texts: Vec<Hashing>,
    pub(super) labels: LabelUse,
    pub(super) on_error: OnError,
    /// Whether to remember the words of texts.
    pub(super) dictionary: bool,
}

/// The first fault of each row that has any: row, column, and problem.
type Faults = BTreeMap<usize, (usize, Problem)>;

/// A row that cannot be used.
pub(super) struct RowFault {
    /// The row in the record batch, from 0.
    pub(super) row: usize,
    pub(super) problem: Problem,
}

/// A batch, and the rows that were left out of it.
type ParsedRows = (Batch, Vec<RowFault>);

/// The columns of a batch that are text: the labels and their column, categories and texts with their
/// places.
#[derive(Default)]
struct TextColumns<'a> {
    label: Option<(usize, Names<'a>)>,
    categories: Vec<(usize, Names<'a>)>,
    texts: Vec<(usize, Names<'a>)>,
    id: Option<Names<'a>>,
    /// Rows that are left out because a cell is missing.
    dropped: BTreeSet<usize>,
}

/// Whether the values are numbers.
pub(super) fn is_number(data_type: &DataType) -> bool {
    use DataType::{Boolean, Float16, Float32, Float64};
    data_type.is_integer() || matches!(data_type, Boolean | Float16 | Float32 | Float64)
}

/// Whether the values are text, names in a dictionary, or truth values, which are the words `true` and `false` as in every
/// other format.
pub(super) fn is_text(data_type: &DataType) -> bool {
    use DataType::{Boolean, Dictionary, LargeUtf8, Utf8, Utf8View};
    match data_type {
        Boolean | Utf8 | LargeUtf8 | Utf8View => true,
        Dictionary(_, values) => {
            is_number(values) || matches!(**values, Utf8 | LargeUtf8 | Utf8View)
        }
        _ => false,
    }
}

impl FileColumn {
    /// Gives each number of the column, also where it is one in text. A truth value of a column of numbers is 0 or 1.
    fn each_number(&self, array: &dyn Array, put: &mut dyn FnMut(usize, Result<f64, Problem>)) {
        match array.data_type() {
            DataType::Boolean => each_number(array, &self.name, put),
            data_type if is_text(data_type) => each_number_in_text(array, self, put),
            _ => each_number(array, &self.name, put),
        }
    }
}

impl RecordBatchParser {
    /// The rows of a record batch, and those that were left out of it, each with its problem.
    pub(super) fn batch(&self, from: &RecordBatch) -> Result<ParsedRows, RowFault> {
        let rows = from.num_rows();
        let mut faults = Faults::new();
        let mut numbers = vec![0.0; rows * self.numbers];
        let mut columns = TextColumns::default();
        let mut dropped = BTreeSet::new();
        for (i, (array, column)) in from.columns().iter().zip(&self.columns).enumerate() {
            let FileColumn { name, role, rules } = column;
            let when_missing = &rules.when_missing;
            let mut fault = |row: usize, problem| {
                faults.entry(row).or_insert((i, problem));
            };
            match *role {
                Role::Leave => {}
                Role::Number(place)
                    if write_plain(array, rules, self.numbers, &mut numbers[place..]) => {}
                Role::Number(place) => {
                    let cells = &mut numbers[place..];
                    column.each_number(array, &mut |row, number| match (number, when_missing) {
                        (Ok(number), _) if rules.allow(number) => {
                            cells[row * self.numbers] = number;
                        }
                        (Ok(number), _) => {
                            let text = Excerpt::new(format!("{number:e}").as_bytes());
                            fault(row, Problem::TooLargeFactor { text, column: name.clone() });
                        }
                        (Err(problem), WhenMissing::Refuse) => fault(row, problem),
                        (Err(problem), _) if !is_missing(&problem) => fault(row, problem),
                        (Err(_), WhenMissing::Fill) => cells[row * self.numbers] = f64::NAN,
                        (Err(_), WhenMissing::Drop) => drop(dropped.insert(row)),
                    });
                }
                Role::Category(place) => {
                    let names = Names::of(array);
                    match when_missing {
                        WhenMissing::Refuse => {
                            each_fault(rows, &names, |cell| present(cell, name), &mut fault);
                        }
                        WhenMissing::Fill => {}
                        WhenMissing::Drop => {
                            dropped.extend(
                                (0..rows)
                                    .filter(|&row| names.get(row).unwrap_or_default().is_empty()),
                            );
                        }
                    }
                    columns.categories.push((place, names));
                }
                Role::Text(place) => {
                    columns.texts.push((place, Names::of(array)));
                }
                Role::Label => {
                    let names = Names::of(array);
                    let check = |cell: Option<&str>| {
                        check_label(cell.unwrap_or_default().as_bytes(), || name.clone())
                    };
                    each_fault(rows, &names, check, &mut fault);
                    columns.label = Some((i, names));
                }
            }
        }
        // A row that cannot be read is no row to be left out.
        dropped.retain(|row| !faults.contains_key(row));
        columns.dropped = dropped;
        columns.id = self.id.map(|column| Names::of(from.column(column)));
        self.rows(rows, numbers, columns, faults)
    }

    /// Puts the rows together.
    fn rows(
        &self,
        rows: usize,
        mut numbers: Vec<f64>,
        columns: TextColumns<'_>,
        mut faults: Faults,
    ) -> Result<ParsedRows, RowFault> {
        let TextColumns { label, mut categories, mut texts, id, dropped } = columns;
        let mut batch = Batch { dropped: dropped.len() as u64, ..Batch::default() };
        if let Some((column, names)) = &label {
            for row in 0..rows {
                // A row that is left out gives no label.
                if faults.contains_key(&row) || dropped.contains(&row) {
                    continue;
                }
                let allows = |name: &str| self.labels.allows(name);
                match batch.labels.dictionary.number(names.get(row).unwrap_or_default(), allows) {
                    Ok(code) => batch.labels.codes.push(code),
                    Err(problem) => drop(faults.insert(row, (*column, problem))),
                }
            }
        }
        let is_unlabelled = |problem: &Problem| self.labels.pass_over(problem);
        let mut stopping = faults.iter().filter(|(_, (_, problem))| !is_unlabelled(problem));
        if let (OnError::Stop, Some((row, (_, problem)))) = (self.on_error, stopping.next()) {
            return Err(RowFault { row: *row, problem: problem.clone() });
        }
        batch.unlabelled =
            faults.values().filter(|(_, problem)| is_unlabelled(problem)).count() as u64;
        let kept: Vec<usize> =
            (0..rows).filter(|row| !faults.contains_key(row) && !dropped.contains(row)).collect();
        let width = self.numbers;
        if kept.len() < rows {
            for (to, &from) in kept.iter().enumerate() {
                numbers.copy_within(from * width..(from + 1) * width, to * width);
            }
            numbers.truncate(kept.len() * width);
        }
        categories.sort_by_key(|(place, _)| *place);
        texts.sort_by_key(|(place, _)| *place);
        let mut codes = vec![0; kept.len() * categories.len()];
        let mut dictionaries = Vec::new();
        let n_categories = categories.len();
        for (place, names) in &categories {
            let mut dictionary = Dictionary::default();
            for (row, code) in kept.iter().zip(codes.iter_mut().skip(*place).step_by(n_categories))
            {
                *code = dictionary.number_of(names.get(*row).unwrap_or_default());
            }
            dictionaries.push(dictionary);
        }
        let text = |(place, names): &(usize, Names<'_>)| {
            let mut texts = Texts::default();
            for &row in &kept {
                let text = names.get(row).unwrap_or_default();
                texts.push(text, self.texts[*place], self.dictionary);
            }
            texts
        };
        let texts = texts.iter().map(text).collect();
        let cell = |row: usize| id.as_ref().map(|id| id.get(row).unwrap_or_default().to_owned());
        batch.ids = kept.iter().filter_map(|&row| cell(row)).collect();
        let table = TableRows { rows: kept.len(), numbers, codes, categories: dictionaries, texts };
        batch.body = Body::Table(table);
        if self.on_error == OnError::Blank {
            let gap = |(earlier, (&row, (_, problem))): (usize, (&usize, &(usize, Problem)))| Gap {
                before: row - earlier,
                id: cell(row),
                problem: Some(problem.to_string()),
            };
            batch.gaps = faults.iter().enumerate().map(gap).collect();
        }
        let faults = faults.into_iter().map(|(row, (_, problem))| RowFault { row, problem });
        Ok((batch, faults.collect()))
    }
}

/// Whether the problem of a number is that there is none.
pub(super) fn is_missing(problem: &Problem) -> bool {
    match problem {
        Problem::Null { .. } | Problem::EmptyCell { .. } | Problem::MissingValue { .. } => true,
        Problem::NotFinite { text, .. } => text.to_string() == "NaN",
        _ => false,
    }
}

fn present(cell: Option<&str>, column: &str) -> Result<(), Problem> {
    match cell {
        None => Err(Problem::Null { column: column.to_owned() }),
        Some("") => Err(Problem::EmptyCell { column: column.to_owned() }),
        Some(_) => Ok(()),
    }
}

fn each_fault(
    rows: usize,
    names: &Names<'_>,
    check: impl Fn(Option<&str>) -> Result<(), Problem>,
    mut fault: impl FnMut(usize, Problem),
) {
    for row in 0..rows {
        if let Err(problem) = check(names.get(row)) {
            fault(row, problem);
        }
    }
}

/// A column as text, without the blanks around it.
pub(super) enum Names<'a> {
    Each(Vec<Option<Cow<'a, str>>>),
    /// The place of each row's text among these.
    Keys(Vec<Option<usize>>, Vec<Option<Cow<'a, str>>>),
}

impl<'a> Names<'a> {
    pub(super) fn of(array: &'a dyn Array) -> Self {
        let Some(dictionary) = array.as_any_dictionary_opt() else {
            return Names::Each(texts(array));
        };
        let values = dictionary.values();
        if values.is_empty() {
            return Names::Each(vec![None; array.len()]);
        }
        let key = |(row, key)| array.is_valid(row).then_some(key);
        let keys = dictionary.normalized_keys().into_iter().enumerate().map(key).collect();
        Names::Keys(keys, texts(values))
    }

    pub(super) fn get(&self, row: usize) -> Option<&str> {
        match self {
            Names::Each(texts) => texts[row].as_deref(),
            Names::Keys(keys, texts) => texts[keys[row]?].as_deref(),
        }
    }
}

/// Each value as text; numbers as Rust spells them.
fn texts(array: &dyn Array) -> Vec<Option<Cow<'_, str>>> {
    fn trimmed<'t>(texts: impl Iterator<Item = Option<&'t str>>) -> Vec<Option<Cow<'t, str>>> {
        texts.map(|text| Some(Cow::Borrowed(text?.trim_ascii()))).collect()
    }
    fn spelt<T: ArrowPrimitiveType>(array: &dyn Array) -> Vec<Option<Cow<'_, str>>> {
        let text = |number| Some(Cow::Owned(format!("{:?}", number?)));
        array.as_primitive::<T>().iter().map(text).collect()
    }
    match array.data_type() {
        DataType::Utf8 => trimmed(array.as_string::<i32>().iter()),
        DataType::LargeUtf8 => trimmed(array.as_string::<i64>().iter()),
        DataType::Utf8View => trimmed(array.as_string_view().iter()),
        DataType::Boolean => {
            let text = |value| Some(Cow::Borrowed(if value? { "true" } else { "false" }));
            array.as_boolean().iter().map(text).collect()
        }
        DataType::Int8 => spelt::<Int8Type>(array),
        DataType::Int16 => spelt::<Int16Type>(array),
        DataType::Int32 => spelt::<Int32Type>(array),
        DataType::Int64 => spelt::<Int64Type>(array),
        DataType::UInt8 => spelt::<UInt8Type>(array),
        DataType::UInt16 => spelt::<UInt16Type>(array),
        DataType::UInt32 => spelt::<UInt32Type>(array),
        DataType::UInt64 => spelt::<UInt64Type>(array),
        DataType::Float16 => spelt::<Float16Type>(array),
        DataType::Float32 => spelt::<Float32Type>(array),
        DataType::Float64 => spelt::<Float64Type>(array),
        // Their types were checked.
        _ => vec![None; array.len()],
    }
}

/// Writes a column of numbers that are all there, of which none is rounded or out of its range, to every `width`-th cell.
/// Returns false for any other column, some of which may be written.
fn write_plain(array: &dyn Array, rules: &CellRules, width: usize, cells: &mut [f64]) -> bool {
    fn write<T: ArrowPrimitiveType>(
        array: &dyn Array,
        (width, cells): (usize, &mut [f64]),
        value: impl Fn(T::Native) -> (f64, bool),
    ) -> bool {
        let mut are_plain = true;
        let values = array.as_primitive::<T>().values();
        for (cell, &native) in cells.iter_mut().step_by(width).zip(values) {
            let (number, is_plain) = value(native);
            *cell = number;
            are_plain &= is_plain;
        }
        are_plain
    }
    /// Integers up to here are exact.
    const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
    let to = (width, cells);
    let allowed = |number: f64| (number, number.is_finite() && rules.allow(number));
    array.null_count() == 0
        && match array.data_type() {
            DataType::Float64 => write::<Float64Type>(array, to, allowed),
            DataType::Float32 => write::<Float32Type>(array, to, |value| allowed(value.into())),
            DataType::Int32 => write::<Int32Type>(array, to, |value| allowed(value.into())),
            DataType::Int64 => write::<Int64Type>(array, to, |value| {
                let number = value as f64;
                (number, value.unsigned_abs() <= EXACT && rules.allow(number))
            }),
            _ => false,
        }
}

/// Gives each value of a column of numbers as the same `f64`, or says why there is none.
pub(super) fn each_number(
    array: &dyn Array,
    column: &str,
    mut put: impl FnMut(usize, Result<f64, Problem>),
) {
    let exact = |wide: i128| {
        let number = wide as f64;
        // Below 2⁶⁴ a float converts back without saturation.
        let is_exact = number as i128 == wide;
        let not_exact = || Problem::NotExact {
            text: Excerpt::new(wide.to_string().as_bytes()),
            column: column.to_owned(),
        };
        is_exact.then_some(number).ok_or_else(not_exact)
    };
    let finite = |number: f64| {
        let not_finite = || Problem::NotFinite {
            text: Excerpt::new(number.to_string().as_bytes()),
            column: column.to_owned(),
        };
        number.is_finite().then_some(number).ok_or_else(not_finite)
    };
    match array.data_type() {
        DataType::Int8 => each::<Int8Type>(array, column, |v| Ok(f64::from(v)), put),
        DataType::Int16 => each::<Int16Type>(array, column, |v| Ok(f64::from(v)), put),
        DataType::Int32 => each::<Int32Type>(array, column, |v| Ok(f64::from(v)), put),
        DataType::Int64 => each::<Int64Type>(array, column, |v| exact(v.into()), put),
        DataType::UInt8 => each::<UInt8Type>(array, column, |v| Ok(f64::from(v)), put),
        DataType::UInt16 => each::<UInt16Type>(array, column, |v| Ok(f64::from(v)), put),
        DataType::UInt32 => each::<UInt32Type>(array, column, |v| Ok(f64::from(v)), put),
        DataType::UInt64 => each::<UInt64Type>(array, column, |v| exact(v.into()), put),
        DataType::Float16 => each::<Float16Type>(array, column, |v| finite(v.to_f64()), put),
        DataType::Float32 => each::<Float32Type>(array, column, |v| finite(v.into()), put),
        DataType::Float64 => each::<Float64Type>(array, column, finite, put),
        DataType::Boolean => {
            let null = || Problem::Null { column: column.to_owned() };
            for (row, value) in array.as_boolean().iter().enumerate() {
                put(row, value.map(|value| f64::from(u8::from(value))).ok_or_else(null));
            }
        }
        // Their types were checked.
        _ => {}
    }
}

/// Gives each number of a column of text.
fn each_number_in_text(
    array: &dyn Array,
    column: &FileColumn,
    mut put: impl FnMut(usize, Result<f64, Problem>),
) {
    let (names, rules, name) = (Names::of(array), &column.rules, || column.name.clone());
    for row in 0..array.len() {
        let cell = names.get(row);
        let text = || Excerpt::new(cell.unwrap_or_default().as_bytes());
        let number = match cell.map(str::as_bytes) {
            None => Err(Problem::Null { column: name() }),
            Some([]) => Err(Problem::EmptyCell { column: name() }),
            Some(cell) if rules.spellings.contain(cell) => {
                Err(Problem::MissingValue { text: text(), column: name() })
            }
            Some(cell) => match rules.form.parse(cell) {
                Number::Finite(value) => Ok(value),
                Number::NotFinite => Err(Problem::NotFinite { text: text(), column: name() }),
                Number::Not => Err(Problem::NotANumber { text: text(), column: name() }),
            },
        };
        put(row, number);
    }
}

fn each<T: ArrowPrimitiveType>(
    array: &dyn Array,
    column: &str,
    value: impl Fn(T::Native) -> Result<f64, Problem>,
    mut put: impl FnMut(usize, Result<f64, Problem>),
) {
    let array = array.as_primitive::<T>();
    if array.null_count() == 0 {
        array.values().iter().enumerate().for_each(|(row, &native)| put(row, value(native)));
        return;
    }
    let null = || Problem::Null { column: column.to_owned() };
    for (row, native) in array.iter().enumerate() {
        put(row, native.ok_or_else(null).and_then(&value));
    }
}
