//! The cells of a sheet → the text of a table.

use std::io::{Cursor, Read};

use calamine::{DataRef, ExcelDateTime, Reader as _, SheetType, Xlsx, XlsxError};

use super::{SheetTable, WorkbookProblem, archive};
use crate::{formats::columnar::decode, text::names};

type Book = Xlsx<Cursor<Vec<u8>>>;

/// Reads a sheet, or the first one that has a table or, if none has, cells.
pub(super) fn table(
    bytes: Box<dyn Read + Send>,
    sheet: Option<&str>,
) -> Result<SheetTable, WorkbookProblem> {
    let bytes = archive::read(bytes)?;
    decode(|| read(bytes, sheet))
}

impl From<String> for WorkbookProblem {
    fn from(message: String) -> Self {
        WorkbookProblem::Damaged { message }
    }
}

impl From<XlsxError> for WorkbookProblem {
    fn from(error: XlsxError) -> Self {
        WorkbookProblem::Damaged { message: error.to_string() }
    }
}

fn read(bytes: Vec<u8>, wanted: Option<&str>) -> Result<SheetTable, WorkbookProblem> {
    let mut book: Book = Xlsx::new(Cursor::new(bytes))?;
    let is_of_cells = |sheet: &&calamine::Sheet| sheet.typ == SheetType::WorkSheet;
    let sheets: Vec<String> =
        book.sheets_metadata().iter().filter(is_of_cells).map(|sheet| sheet.name.clone()).collect();
    let chosen = match wanted {
        None => sheets.clone(),
        Some(name) if sheets.iter().any(|sheet| sheet == name) => vec![name.to_owned()],
        Some(name) => {
            let (name, sheets) = (name.to_owned(), names(&sheets));
            return Err(WorkbookProblem::NoSheet { name, sheets });
        }
    };
    let mut first = None;
    for sheet in chosen {
        let cells = cells(&mut book, &sheet)?;
        let is_table = cells.is_table();
        if is_table || first.is_none() && !cells.rows.is_empty() {
            first = Some((sheet, cells));
        }
        if is_table {
            break;
        }
    }
    let (sheet, cells) = first.ok_or(WorkbookProblem::NoCells)?;
    let shown = names(std::slice::from_ref(&sheet));
    let words = (sheets.len() > 1)
        .then(|| format!("the sheet `{shown}`; the workbook has {}", names(&sheets)));
    Ok(SheetTable { text: cells.text()?, words })
}

/// The cells of a sheet, row by row, as far as they are not empty.
#[derive(Default)]
struct Cells {
    rows: Vec<Row>,
    /// The cells of all rows, each row with commas between its cells and before the first one.
    text: Vec<u8>,
    /// The first and the last column.
    columns: Option<(u32, u32)>,
}

/// A row with at least one cell.
struct Row {
    number: u32,
    /// The end of its text.
    end: usize,
    cells: u32,
    last: u32,
}

/// The most bytes of the text of a sheet.
const MOST: u64 = 1 << 29;

fn cells(book: &mut Book, sheet: &str) -> Result<Cells, WorkbookProblem> {
    let mut cells = Cells::default();
    let mut reader = book.worksheet_cells_reader(sheet)?;
    while let Some(cell) = reader.next_cell()? {
        if let Some(text) = text_of(cell.get_value()) {
            cells.add(cell.get_position(), &text)?;
        }
    }
    Ok(cells)
}

impl Cells {
    fn add(&mut self, (row, column): (u32, u32), cell: &str) -> Result<(), WorkbookProblem> {
        let last = self.rows.last().map(|row| (row.number, row.last));
        if last.is_some_and(|last| last >= (row, column)) {
            return Err("the cells of the sheet are not in order".to_owned().into());
        }
        let after = match last {
            Some((number, last)) if number == row => last,
            _ => {
                self.rows.push(Row { number: row, end: 0, cells: 0, last: 0 });
                0
            }
        };
        self.text.extend(std::iter::repeat_n(b',', (column - after) as usize));
        push(&mut self.text, cell);
        if self.text.len() as u64 > MOST {
            return Err(WorkbookProblem::TooLarge { most: MOST, what: "text in a sheet" });
        }
        if let Some(row) = self.rows.last_mut() {
            (row.end, row.last, row.cells) = (self.text.len(), column, row.cells + 1);
        }
        let (first, last) = self.columns.unwrap_or((column, column));
        self.columns = Some((first.min(column), last.max(column)));
        Ok(())
    }

    /// Whether several rows have several cells.
    fn is_table(&self) -> bool {
        self.rows.iter().filter(|row| row.cells > 1).nth(1).is_some()
    }

    /// A line for each row, from the first to the last column. A title above the table is a line of its own, without the
    /// commas of cells that it does not have.
    fn text(&self) -> Result<Vec<u8>, WorkbookProblem> {
        let Some((first, last)) = self.columns else { return Ok(Vec::new()) };
        let (mut text, mut start, mut lines, mut are_titles) = (Vec::new(), 0, 0, true);
        for row in &self.rows {
            text.extend(std::iter::repeat_n(b'\n', (row.number - lines) as usize));
            lines = row.number;
            // Before its first cell each row has a comma for each column on the left.
            let cells = &self.text[start + first as usize..row.end];
            start = row.end;
            are_titles &= row.cells == 1 && last > first;
            if are_titles {
                let title = cells.iter().position(|&byte| byte != b',').unwrap_or(0);
                text.extend_from_slice(&cells[title..]);
                continue;
            }
            text.extend_from_slice(cells);
            text.extend(std::iter::repeat_n(b',', (last - row.last) as usize));
            if text.len() as u64 > MOST {
                return Err(WorkbookProblem::TooLarge { most: MOST, what: "text in a sheet" });
            }
        }
        text.push(b'\n');
        Ok(text)
    }
}

/// Adds a cell, within quotes where it needs them.
fn push(text: &mut Vec<u8>, cell: &str) {
    let is_special = |byte: u8| matches!(byte, b',' | b'"' | b'\n' | b'\r' | b'\'' | b'#');
    let has_blanks = cell.trim_ascii().len() < cell.len();
    if !has_blanks && !cell.bytes().any(is_special) {
        text.extend_from_slice(cell.as_bytes());
        return;
    }
    text.push(b'"');
    text.extend_from_slice(cell.replace('"', "\"\"").as_bytes());
    text.push(b'"');
}

/// The text of a value; none of an error or of nothing.
fn text_of(value: &DataRef<'_>) -> Option<String> {
    let text = match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.clone()
        }
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(value) => value.to_string(),
        DataRef::DateTime(time) => time_of(time),
        DataRef::Error(_) | DataRef::Empty => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

/// A date, a time, or both; a duration is a number of days.
fn time_of(time: &ExcelDateTime) -> String {
    if time.is_duration() {
        return time.as_f64().to_string();
    }
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    let clock = format!("{hour:02}:{minute:02}:{second:02}");
    match (time.as_f64() < 1.0, (hour, minute, second) == (0, 0, 0)) {
        (true, _) => clock,
        (false, true) => date,
        (false, false) => format!("{date} {clock}"),
    }
}
