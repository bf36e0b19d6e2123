//! The first rows of a table: the names of its columns, and what their cells are.

use std::{
    collections::HashSet,
    ops::ControlFlow::{Break, Continue},
};

use ::csv::ByteRecord;
use memchr::memchr_iter;

use super::{
    error::CsvProblem,
    first_row,
    records::{BYTE_ORDER_MARK, cell_offset, each_record},
};
use crate::{
    fault::{Excerpt, Fault, Problem},
    input::quotes::{open_quote, text_after_quotes},
    number::{self, Number},
    number_form::{Decimal, NumberForm},
    options::{Delimiter, Header, ReadOptions},
    read_error::ReadError,
    table::{
        identifier::identifiers,
        layout::{ChoiceError, Contents, FileColumns, Layout, MatchBy},
        missing::MissingSpellings,
        schema::Columns,
        survey::{Counting, Survey},
    },
};

/// Why a header cannot be used: something at a place in it, or something about the columns.
pub(super) enum HeaderError {
    Fault(Fault),
    Columns(ReadError),
}

impl From<Fault> for HeaderError {
    fn from(fault: Fault) -> Self {
        HeaderError::Fault(fault)
    }
}

impl From<ReadError> for HeaderError {
    fn from(error: ReadError) -> Self {
        HeaderError::Columns(error)
    }
}

/// The number of bytes of comment lines (`# …`) and blank lines before the first row.
pub(super) fn leading_comments(block: &[u8]) -> usize {
    let line_end = |line: &[u8]| line.ends_with(b"\n");
    block
        .split_inclusive(|&byte| byte == b'\n')
        .take_while(|line| line.starts_with(b"#") && line_end(line) || line.trim_ascii().is_empty())
        .map(<[u8]>::len)
        .sum()
}

/// The columns of a table that is to be learned from.
pub(super) struct TrainingColumns {
    pub(super) layout: Layout,
    /// The columns of a model trained on it, its categories still empty.
    pub(super) columns: Columns,
    /// Whether the first row names the columns and no cell is a number.
    pub(super) text_header: bool,
    /// The features that number the rows.
    pub(super) row_numbers: Vec<String>,
    /// The features that may be identifiers of the rows.
    pub(super) identifiers: Vec<String>,
}

/// A block that begins with the first row.
pub(super) struct FirstRows<'b> {
    pub(super) block: &'b [u8],
    pub(super) delimiter: Delimiter,
    pub(super) header: Header,
}

impl FirstRows<'_> {
    /// The columns for training.
    pub(super) fn for_training(
        &self,
        file: &str,
        options: &ReadOptions,
    ) -> Result<TrainingColumns, HeaderError> {
        self.check_separator(file, options)?;
        let names = self.names()?;
        if names.len() == 1 {
            self.check_no_title()?;
        }
        let most = options.max_features.saturating_add(1 + options.ignore.len());
        // The choice of columns refuses too many before it looks at their cells.
        let survey = match names.len() > most {
            true => Survey::new(names.len()),
            false => self.survey(names.len(), options),
        };
        let no_number = survey.columns.iter().all(|column| column.numbers == 0);
        let text_header = self.header == Header::Expected && survey.rows > 0 && no_number;
        if text_header {
            self.check_header(&survey)?;
        }
        let numbered = names.iter().zip(&survey.columns).filter(|(_, cells)| cells.numbers_rows());
        let numbered: Vec<String> = numbered.map(|(name, _)| name.clone()).collect();
        let contents = Contents::Cells(survey);
        let (layout, columns) = self.choose(file, names, &contents, options)?;
        let identifiers =
            contents.survey().map_or_else(Vec::new, |survey| identifiers(&columns, survey));
        let features: HashSet<&str> =
            columns.features.iter().map(|column| column.name.as_str()).collect();
        let row_numbers =
            numbered.into_iter().filter(|name| features.contains(name.as_str())).collect();
        Ok(TrainingColumns { layout, columns, text_header, row_numbers, identifiers })
    }

    fn choose(
        &self,
        file: &str,
        names: Vec<String>,
        contents: &Contents,
        options: &ReadOptions,
    ) -> Result<(Layout, Columns), HeaderError> {
        let chosen = FileColumns { file, names }.choose(contents, options);
        chosen.map_err(|error| match error {
            ChoiceError::Cell { row, column, problem } => {
                let offset = cell_offset(self.block, row, column, self.delimiter);
                HeaderError::Fault(Fault::new(offset, problem))
            }
            ChoiceError::Columns(error) => error.into(),
        })
    }

    /// Refuses a table of several columns whose commas are decimal commas, where no option names the separator.
    fn check_separator(&self, file: &str, options: &ReadOptions) -> Result<(), ReadError> {
        let may_differ = self.delimiter == Delimiter::Byte(b',') && options.delimiter.is_none();
        if may_differ && first_row::has_decimal_commas_between(self.block, b';') {
            let separator = ';';
            return Err(ReadError::OtherSeparator { file: file.to_owned(), separator });
        }
        Ok(())
    }

    /// Refuses a first row of one cell above a table of several columns.
    fn check_no_title(&self) -> Result<(), Fault> {
        const ROWS: usize = 20;
        let mut rows = 0;
        let longer = each_record(self.block, self.delimiter, |place, record| {
            rows += 1;
            match record.len() {
                1 if rows < ROWS => Continue(()),
                1 => Break(None),
                // The commas are decimal commas, and the first row has none.
                _ if self.is_cut_by(b';', &self.block[place.start..]) => Break(None),
                cells => {
                    let before = memchr_iter(b'\n', &self.block[..place.start]).count();
                    Break(Some((before as u64 + 1, cells)))
                }
            }
        });
        match longer.break_value().flatten() {
            None => Ok(()),
            Some((line, cells)) => Err(self.fault(0, CsvProblem::TitleAbove { line, cells })),
        }
    }

    /// Whether the first row and the line at the beginning of `rest` have equally many of a byte.
    fn is_cut_by(&self, byte: u8, rest: &[u8]) -> bool {
        let count = |text: &[u8]| {
            let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
            memchr_iter(byte, line).count()
        };
        count(self.block) > 0 && count(self.block) == count(rest)
    }

    /// Refuses the header of a table without numbers that looks like an example: one of its cells is a value of its own
    /// column.
    fn check_header(&self, survey: &Survey) -> Result<(), Fault> {
        let first = self.first();
        let mut cells = first.iter().map(<[u8]>::trim_ascii).zip(&survey.columns).enumerate();
        let found = cells.find(|(_, (cell, column))| !cell.is_empty() && column.contains(cell));
        match found {
            None => Ok(()),
            Some((column, (cell, _))) => {
                let text = Excerpt::new(cell);
                Err(self.fault(column, CsvProblem::HeaderIsValue { text }))
            }
        }
    }

    /// The layout for a model, and the names of the columns that the model does not know. With `labels`, the target must
    /// be there.
    pub(super) fn for_model(
        &self,
        file: &str,
        by: MatchBy,
        model: &Columns,
        labels: bool,
    ) -> Result<(Layout, Vec<String>), HeaderError> {
        let names = self.names()?;
        Ok(FileColumns { file, names }.for_model(by, model, labels)?)
    }

    /// The column that the options name to be copied to predictions.
    pub(super) fn id(
        &self,
        file: &str,
        options: &ReadOptions,
    ) -> Result<Option<usize>, HeaderError> {
        let Some(id) = &options.id else { return Ok(None) };
        let names = self.names()?;
        Ok(Some(FileColumns { file, names }.find_or_error(id)?))
    }

    /// The offset of the second row: just after a header.
    pub(super) fn second(&self) -> usize {
        let mut first = true;
        let second = each_record(self.block, self.delimiter, |place, _| {
            if std::mem::take(&mut first) { Continue(()) } else { Break(place.start) }
        });
        second.break_value().unwrap_or(self.block.len())
    }

    fn first(&self) -> ByteRecord {
        let first = each_record(self.block, self.delimiter, |_, record| Break(record.clone()));
        first.break_value().unwrap_or_default()
    }

    fn fault(&self, column: usize, problem: impl Into<Problem>) -> Fault {
        Fault::new(cell_offset(self.block, 0, column, self.delimiter), problem.into())
    }

    /// The name of each column, by the first row; empty for a column without one.
    fn names(&self) -> Result<Vec<String>, Fault> {
        let first = self.first();
        if self.header == Header::Absent {
            return Ok((1..=first.len()).map(|position| position.to_string()).collect());
        }
        let mut seen = HashSet::new();
        let names = first.iter().enumerate();
        names.map(|(column, cell)| self.name(column, cell.trim_ascii(), &mut seen)).collect()
    }

    /// The name of a column, which is none of those seen before.
    fn name(
        &self,
        column: usize,
        cell: &[u8],
        seen: &mut HashSet<String>,
    ) -> Result<String, Fault> {
        let text = || Excerpt::new(cell);
        let name = std::str::from_utf8(cell)
            .map_err(|_| self.fault(column, Problem::NotUtf8 { text: text() }))?;
        if self.header == Header::Expected && is_number(cell) {
            let likely_names = first_row::is_likely_names(self.block, self.delimiter);
            return Err(
                self.fault(column, CsvProblem::HeaderIsNumber { text: text(), likely_names })
            );
        }
        if !name.is_empty() && !seen.insert(name.to_owned()) {
            let name = name.to_owned();
            return Err(self.fault(column, Problem::DuplicateColumn { name }));
        }
        Ok(name.to_owned())
    }

    /// Counts the cells of the block. Rows of another length, rows with faulty quotes and rows of empty cells are passed
    /// over: they are errors when they are read.
    fn survey(&self, columns: usize, options: &ReadOptions) -> Survey {
        let missing = MissingSpellings { chosen: options.missing_values.clone() };
        let counting = Counting { form: &options.number_form(), missing: &missing };
        let mut faults = self.faulty_quotes().into_iter().peekable();
        let mut survey = Survey::new(columns);
        let mut is_header = self.header != Header::Absent;
        let _ = each_record(self.block, self.delimiter, |place, record| {
            let is_faulty = faults.next_if(|&offset| offset < place.end).is_some();
            while faults.next_if(|&offset| offset < place.end).is_some() {}
            let has_mark = self.block[place.start..].starts_with(BYTE_ORDER_MARK);
            let is_empty = record.iter().all(|cell| cell.trim_ascii().is_empty());
            let is_row = record.len() == columns && !is_faulty && !has_mark && !is_empty;
            if !std::mem::take(&mut is_header) && is_row {
                survey.add(place.start, record.iter(), &counting);
            }
            Continue::<()>(())
        });
        survey
    }

    /// The offsets of quotes that are not closed, or closed before the end of their cell.
    fn faulty_quotes(&self) -> Vec<usize> {
        match self.delimiter {
            Delimiter::Byte(byte) => {
                let open = open_quote(self.block, byte);
                text_after_quotes(self.block, byte).into_iter().chain(open).collect()
            }
            Delimiter::Unquoted(_) | Delimiter::Whitespace => Vec::new(),
        }
    }
}

/// Whether a cell is a number, with a decimal point or comma.
fn is_number(cell: &[u8]) -> bool {
    let comma = NumberForm { decimal: Decimal::Comma, ..NumberForm::default() };
    number::is_number(cell) || comma.parse(cell) != Number::Not
}
