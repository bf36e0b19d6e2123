//! Tables: CSV, TSV and columns separated by blanks.
//!
//! [`layout`] decides once what each column is; [`TableParser`] then parses blocks of whole rows, each
//! on its own. Blanks around a cell are not part of it; blank lines are passed over.

mod layout;
mod quick;
mod records;

#[cfg(feature = "columnar")]
pub(crate) use layout::{ChoiceError, Kind, choose, of_model};
pub(crate) use layout::{
    Layout, LayoutError, for_model, for_training, leading_comments, second_record,
};

use std::ops::ControlFlow::{Break, Continue};

use ::csv::ByteRecord;
use memchr::memchr;

use crate::{
    batch::{Batch, Body, LabelUse},
    blocks::text_after_quotes,
    dictionary::Dictionary,
    error::{Excerpt, Fault, Problem},
    marks::Marks,
    number::{self, Number},
    options::{Delimiter, OnError},
    words::Texts,
};
use records::{cell_offset, each_record};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What a column of the file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The labels.
    Label,
    /// Nothing.
    Leave,
    /// The numbers of this place among the columns of numbers.
    Number(usize),
    /// The categories of this place among the columns of categories.
    Category(usize),
    /// The words of this place among the columns of text.
    Text(usize),
}

/// Parses blocks of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableParser {
    pub(crate) delimiter: Delimiter,
    pub(crate) layout: Layout,
    pub(crate) labels: LabelUse,
    pub(crate) on_error: OnError,
    /// Whether to remember the words of texts.
    pub(crate) dictionary: bool,
}

/// The growing columns of a table.
struct Cells {
    numbers: Vec<f64>,
    codes: Vec<u32>,
    categories: Vec<Dictionary>,
    texts: Vec<Texts>,
    rows: usize,
}

impl Cells {
    fn new(layout: &Layout) -> Self {
        Cells {
            numbers: Vec::new(),
            codes: Vec::new(),
            categories: vec![Dictionary::default(); layout.categories],
            texts: vec![Texts::default(); layout.texts.len()],
            rows: 0,
        }
    }
}

impl From<Cells> for Body {
    fn from(Cells { numbers, codes, categories, texts, rows }: Cells) -> Self {
        Body::Table { rows, numbers, codes, categories, texts }
    }
}

/// A problem and the column where it shows.
type CellFault = (usize, Problem);

impl TableParser {
    /// Parses a block of whole rows.
    #[inline(always)]
    pub(crate) fn parse(&self, block: &[u8]) -> Result<Batch, Fault> {
        let mut batch = Batch::default();
        let mut cells = Cells::new(&self.layout);
        match self.plain(block) {
            None => self.rows(block, 0, &mut batch, &mut cells)?,
            Some(delimiter) => self.plain_rows(block, delimiter, &mut batch, &mut cells)?,
        }
        batch.body = cells.into();
        Ok(batch)
    }

    /// Takes in the rows of a block in which most have the common form.
    #[inline(always)]
    fn plain_rows(
        &self,
        block: &[u8],
        delimiter: u8,
        batch: &mut Batch,
        cells: &mut Cells,
    ) -> Result<(), Fault> {
        /// The usual bytes of a cell; grown little by little, the numbers would be copied several times.
        const USUAL: usize = 8;
        cells.numbers.reserve(block.len() / USUAL);
        let (mut start, mut marks) = (0, Marks::default());
        while start < block.len() {
            marks.reach(block, start);
            let row = (block, start, delimiter);
            if let Some(next) = self.quick_row(row, &mut marks, batch, cells) {
                start = next;
                continue;
            }
            let end = memchr(b'\n', &block[start..]).map_or(block.len(), |i| start + i + 1);
            self.rows(&block[start..end], start, batch, cells)?;
            start = end;
        }
        Ok(())
    }

    /// Takes in the rows of a part of a block, which begins at `offset`.
    fn rows(
        &self,
        block: &[u8],
        offset: usize,
        batch: &mut Batch,
        cells: &mut Cells,
    ) -> Result<(), Fault> {
        let mut quotes = self.text_after_quotes(block).into_iter().peekable();
        let stopped = each_record(block, self.delimiter, |place, record| {
            let malformed = quotes.next_if(|&offset| offset < place.end);
            while quotes.next_if(|&offset| offset < place.end).is_some() {}
            let read = if let Some(offset) = malformed {
                Err(Fault::new(offset, Problem::TextAfterQuote))
            } else if block[place.start..].starts_with(BYTE_ORDER_MARK) {
                Err(Fault::new(place.start, Problem::ByteOrderMark))
            } else {
                self.row(record, batch, cells).map_err(|(column, problem)| {
                    let offset = cell_offset(block, place.start, column, self.delimiter);
                    Fault::new(offset, problem)
                })
            };
            let within = |fault: Fault| Fault::new(offset + fault.offset, fault.problem);
            let read = read.or_else(|fault| batch.fault(within(fault), self.on_error));
            read.map_or_else(Break, Continue)
        });
        if let Break(fault) = stopped { Err(fault) } else { Ok(()) }
    }

    fn text_after_quotes(&self, block: &[u8]) -> Vec<usize> {
        match self.delimiter {
            Delimiter::Byte(byte) => text_after_quotes(block, byte),
            Delimiter::Whitespace => Vec::new(),
        }
    }

    /// Takes in one row, whole or, when a cell is faulty, not at all: what grows by more than numbers
    /// grows last.
    fn row(
        &self,
        record: &ByteRecord,
        batch: &mut Batch,
        cells: &mut Cells,
    ) -> Result<(), CellFault> {
        let expected = self.layout.roles.len();
        if record.len() != expected {
            let problem = Problem::RaggedRow { found: record.len(), expected };
            return Err((record.len().min(expected), problem));
        }
        let (mut label, mut categories, mut texts) = (None, Vec::new(), Vec::new());
        let before = cells.numbers.len();
        cells.numbers.resize(before + self.layout.numbers, 0.0);
        let numbers = &mut cells.numbers[before..];
        let mut read = || {
            for (column, (cell, &role)) in record.iter().zip(&self.layout.roles).enumerate() {
                let cell = cell.trim_ascii();
                let fault = |problem| (column, problem);
                match role {
                    Role::Leave => {}
                    Role::Label => label = Some((column, self.label(column, cell).map_err(fault)?)),
                    Role::Number(place) => {
                        numbers[place] = self.number(column, cell).map_err(fault)?;
                    }
                    Role::Text(place) => texts.push((place, text(cell).map_err(fault)?)),
                    Role::Category(place) => {
                        let known = &cells.categories[place];
                        let category = self.category(column, place, cell, known).map_err(fault)?;
                        categories.push((place, category));
                    }
                }
            }
            if let Some((column, label)) = label {
                let number = batch.labels.dictionary.number(label, |name| self.labels.allows(name));
                batch.labels.codes.push(number.map_err(|problem| (column, problem))?);
            }
            Ok(())
        };
        if let Err(fault) = read() {
            cells.numbers.truncate(before);
            return Err(fault);
        }
        let codes = cells.codes.len();
        cells.codes.resize(codes + self.layout.categories, 0);
        for (place, category) in categories {
            cells.codes[codes + place] = cells.categories[place].number_of(category);
        }
        for (place, text) in texts {
            cells.texts[place].push(text, self.layout.texts[place], self.dictionary);
        }
        cells.rows += 1;
        Ok(())
    }

    fn name(&self, column: usize) -> String {
        self.layout.names[column].clone()
    }

    fn label<'c>(&self, column: usize, cell: &'c [u8]) -> Result<&'c str, Problem> {
        check_label(cell, || self.name(column))?;
        text(cell)
    }

    fn number(&self, column: usize, cell: &[u8]) -> Result<f64, Problem> {
        match number::parse(cell) {
            Number::Finite(value) => Ok(value),
            _ if cell.is_empty() => Err(Problem::EmptyCell { column: self.name(column) }),
            Number::NotFinite => {
                Err(Problem::NotFinite { text: Excerpt::new(cell), column: self.name(column) })
            }
            Number::Not => {
                Err(Problem::NotANumber { text: Excerpt::new(cell), column: self.name(column) })
            }
        }
    }

    /// The category of a cell, checked against what its column may hold unless it is known already.
    fn category<'c>(
        &self,
        column: usize,
        place: usize,
        cell: &'c [u8],
        known: &Dictionary,
    ) -> Result<&'c str, Problem> {
        if cell.is_empty() {
            return Err(Problem::EmptyCell { column: self.name(column) });
        }
        let name = text(cell)?;
        match &self.layout.text_like[place] {
            Some(first) if !known.contains(name) && number::is_number(cell) => {
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
