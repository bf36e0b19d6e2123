//! A sheet as it was written: its columns and cells.

use serde_json::Value;

use super::{SheetError, cell::said, number::WrittenNumber};
use crate::trace::{FIXED, Names};

/// The content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Epoch,
    Visit,
    Example,
    X(usize),
    XVector,
    Y,
    Score,
    Mistake,
    Step,
    Update,
    W(usize),
    WVector,
    /// The bias or the threshold, whichever the notes have.
    B,
    Bias,
    Threshold,
    ScoreAfter,
    Alpha,
}

/// A sheet.
#[derive(Debug)]
pub struct Sheet {
    /// The columns that are checked, each with its name and its place.
    pub(super) columns: Vec<(Column, String, usize)>,
    /// The names of the other columns.
    pub ignored: Vec<String>,
    pub(super) rows: Vec<SheetRow>,
    /// The columns of mistakes and updates that mark some visits and never say no.
    marking: Vec<Column>,
}

/// A row of a sheet.
#[derive(Debug)]
pub(super) struct SheetRow {
    /// The line of the file, counted from 1; in JSON the number of the visit.
    pub(super) line: usize,
    pub(super) cells: Vec<String>,
}

impl Sheet {
    /// The largest number of rows.
    pub const MOST_ROWS: usize = 100_000;

    /// Reads a table of CSV, Markdown or LaTeX, or the JSON of a trace. `features` and `target` are the columns of the data.
    ///
    /// # Errors
    /// [`SheetError`].
    pub fn read(text: &str, features: &[String], target: Option<&str>) -> Result<Self, SheetError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut rows = match Form::of(text) {
            Form::Json => json_rows(text)?,
            Form::Markdown => lines(text, |line| line.contains('|').then(|| markdown(line))),
            Form::Latex => lines(text, |line| line.contains('&').then(|| latex(line))),
            Form::Csv(delimiter) => csv_rows(text, delimiter)?,
        };
        if rows.len() < 2 {
            return Err(SheetError::NoRows);
        }
        let head = rows.remove(0).cells;
        if rows.len() > Self::MOST_ROWS {
            return Err(SheetError::TooManyRows { found: rows.len() });
        }
        if let Some(row) = rows.iter().find(|row| row.cells.len() != head.len()) {
            let (line, found, expected) = (row.line, row.cells.len(), head.len());
            return Err(SheetError::Cells { line, found, expected });
        }
        let (columns, ignored) = columns(&head, &rows, features, target)?;
        let marking = [Column::Mistake, Column::Update];
        let mut sheet = Sheet { columns, ignored, rows, marking: Vec::new() };
        sheet.marking = marking.into_iter().filter(|&column| sheet.never_says_no(column)).collect();
        Ok(sheet)
    }

    /// The number of rows, with that of the weights before the run.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The names of the columns that are checked.
    pub fn column_names(&self) -> Vec<&str> {
        self.columns.iter().map(|(_, name, _)| name.as_str()).collect()
    }

    /// Whether some row says that its visit makes no update.
    pub(super) fn has_idle_visits(&self) -> bool {
        let says_no = |row: &SheetRow, column| {
            self.cell(row, column).is_some_and(|cell| said(&cell) == Some(false))
        };
        let columns = [Column::Mistake, Column::Update, Column::Step];
        self.rows.iter().any(|row| columns.into_iter().any(|column| says_no(row, column)))
    }

    /// Whether a blank cell of this column means no: others mark the mistakes.
    pub(super) fn marks(&self, column: Column) -> bool {
        self.marking.contains(&column)
    }

    fn never_says_no(&self, column: Column) -> bool {
        let cells: Vec<_> = self.rows.iter().filter_map(|row| self.cell(row, column)).collect();
        !cells.is_empty() && cells.iter().all(|cell| said(cell) != Some(false))
    }

    pub(super) fn has(&self, column: Column) -> bool {
        self.columns.iter().any(|(own, ..)| *own == column)
    }

    /// The cell of a row in the first column of this kind that is not blank.
    pub(super) fn cell(&self, row: &SheetRow, column: Column) -> Option<String> {
        let mut cells = self.columns.iter().filter(|(own, ..)| *own == column);
        cells
            .find_map(|&(.., place)| Some(row.cells[place].clone()).filter(|cell| !cell.is_empty()))
    }
}

/// The form of a sheet.
enum Form {
    Csv(u8),
    Markdown,
    Latex,
    Json,
}

impl Form {
    fn of(text: &str) -> Self {
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        if first.starts_with(['{', '[']) {
            return Form::Json;
        }
        if text.lines().any(|line| line.trim_start().starts_with('|')) {
            return Form::Markdown;
        }
        if text.contains("\\\\") && text.contains('&') {
            return Form::Latex;
        }
        let delimiters = [b'\t', b';'].into_iter();
        let mut delimiters = delimiters.filter(|&delimiter| first.contains(char::from(delimiter)));
        Form::Csv(delimiters.next().unwrap_or(b','))
    }
}

/// The rows of the first lines that have cells; `\\hline` is no line.
fn lines(text: &str, cells: impl Fn(&str) -> Option<Vec<String>>) -> Vec<SheetRow> {
    let lines = text.lines().zip(1..).filter(|(text, _)| !text.trim().starts_with("\\hline"));
    let rows = lines.map(|(text, line)| Some(SheetRow { line, cells: cells(text)? }));
    let rows = rows.skip_while(Option::is_none).take_while(Option::is_some).flatten();
    rows.filter(|row| !row.cells.iter().all(|cell| is_rule(cell))).collect()
}

/// Whether a cell is a part of a line below the head.
fn is_rule(cell: &str) -> bool {
    !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':'))
}

fn markdown(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    line.split('|').map(clean).collect()
}

fn latex(line: &str) -> Vec<String> {
    let line = line.split("\\\\").next().unwrap_or_default();
    line.split('&').map(clean).collect()
}

/// A cell without the marks of mathematics.
fn clean(cell: &str) -> String {
    cell.replace(['$', '`', '*'], "").replace("\\cdot", "·").replace("\\", "").trim().to_owned()
}

fn csv_rows(text: &str, delimiter: u8) -> Result<Vec<SheetRow>, SheetError> {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true).delimiter(delimiter);
    let mut rows = Vec::new();
    for record in reader.from_reader(text.as_bytes()).records() {
        let record = record.map_err(|error| SheetError::Malformed(error.to_string()))?;
        let line = record.position().map_or(0, |position| position.line() as usize);
        rows.push(SheetRow { line, cells: record.iter().map(clean).collect() });
    }
    Ok(rows)
}

/// The visits of the JSON of a trace, after their keys.
fn json_rows(text: &str) -> Result<Vec<SheetRow>, SheetError> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| SheetError::Malformed(error.to_string()))?;
    let visits = value.get("visits").unwrap_or(&value).as_array().ok_or(SheetError::NoRows)?;
    let objects: Vec<_> = visits.iter().filter_map(Value::as_object).collect();
    let keys: Vec<String> =
        objects.first().map_or(Vec::new(), |first| first.keys().cloned().collect());
    let cells = |object: &serde_json::Map<String, Value>| -> Vec<String> {
        keys.iter().map(|key| object.get(key).map_or_else(String::new, json_cell)).collect()
    };
    let first = value.get("first").and_then(Value::as_object).map(|first| {
        let mut first = first.clone();
        first.insert("visit".to_owned(), Value::from(0));
        SheetRow { line: 0, cells: cells(&first) }
    });
    let rows =
        objects.iter().zip(1..).map(|(object, line)| SheetRow { line, cells: cells(object) });
    let head = SheetRow { line: 0, cells: keys.clone() };
    Ok([head].into_iter().chain(first).chain(rows).collect())
}

fn json_cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(is) => if *is { "yes" } else { "no" }.to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(json_cell).collect();
            format!("({})", items.join(", "))
        }
        other => other.to_string(),
    }
}

type Columns = (Vec<(Column, String, usize)>, Vec<String>);

fn columns(
    head: &[String],
    rows: &[SheetRow],
    features: &[String],
    target: Option<&str>,
) -> Result<Columns, SheetError> {
    let names = Names::new(features, true);
    let (mut known, mut ignored) = (Vec::<(Column, String, usize)>::new(), Vec::new());
    for (place, name) in head.iter().enumerate() {
        let mut cells = rows.iter().map(|row| row.cells[place].as_str());
        let has_numbers = cells
            .find(|cell| !cell.is_empty())
            .is_some_and(|cell| WrittenNumber::parse(cell).is_some());
        let Some(column) = column(name, has_numbers, &names, target) else {
            ignored.push(name.clone());
            continue;
        };
        if known.iter().any(|(other, ..)| *other == column) {
            return Err(SheetError::Twice { name: name.clone() });
        }
        known.push((column, name.clone(), place));
    }
    let tells = |column: &Column| !matches!(column, Column::Epoch | Column::Visit);
    if known.iter().any(|(column, ..)| tells(column)) {
        Ok((known, ignored))
    } else {
        Err(SheetError::NoColumns { found: head.join(", ") })
    }
}

/// The content of the column of this name. The names of a trace come first, then those of the features and of their weights, then
/// other words: a feature may be called `w` or `i`.
fn column(name: &str, has_numbers: bool, names: &Names, target: Option<&str>) -> Option<Column> {
    let own = plain(name);
    let place = |all: &[String]| all.iter().position(|one| plain(one) == own);
    if has_numbers && !FIXED.iter().any(|fixed| plain(fixed) == own) {
        let x = place(&names.x).map(Column::X);
        if let Some(number) = x.or_else(|| place(&names.w).map(Column::W)) {
            return Some(number);
        }
    }
    let numbered = |prefix: &str| {
        let number: usize = own.strip_prefix(prefix)?.parse().ok()?;
        (1..=names.w.len()).contains(&number).then(|| Column::W(number - 1))
    };
    let fixed = match own.as_str() {
        "epoch" | "pass" => Column::Epoch,
        "visit" | "#" => Column::Visit,
        "example" | "i" | "index" | "point" => Column::Example,
        "y" | "label" | "sign" => Column::Y,
        "score" | "s" | "activation" => Column::Score,
        "mistake" | "error" | "misclassified" => Column::Mistake,
        "step" => Column::Step,
        "update" => Column::Update,
        "w" | "weights" | "β" | "beta" | "θ" | "theta" => Column::WVector,
        "b" => Column::B,
        "bias" | "θ0" | "theta0" | "w0" | "intercept" => Column::Bias,
        "threshold" => Column::Threshold,
        "x" => Column::XVector,
        "scoreafter" => Column::ScoreAfter,
        "alpha" | "α" => Column::Alpha,
        _ => {
            let x = place(&names.x).map(Column::X);
            let w = place(&names.w).map(Column::W);
            let w = w.or_else(|| ["w", "θ", "theta", "β", "beta"].into_iter().find_map(numbered));
            let y = target.is_some_and(|target| plain(target) == own).then_some(Column::Y);
            return x.or(w).or(y);
        }
    };
    Some(fixed)
}

/// A name in small letters, without signs between words; subscripts are digits.
fn plain(name: &str) -> String {
    let digit = |c: char| match c {
        '₀'..='₉' => char::from_digit(c as u32 - '₀' as u32, 10).unwrap_or(c),
        other => other,
    };
    let letters = name.chars().filter(|c| !matches!(c, '_' | ' ' | '{' | '}' | '?'));
    letters.map(digit).collect::<String>().to_lowercase()
}
