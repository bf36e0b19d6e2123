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
    options::{Delimiter, Header, OnError, ReadOptions},
    read_error::{Place, ReadError},
    table::{
        identifier::{identifiers, row_numbers},
        layout::{ChoiceError, Contents, FileColumns, Layout, MatchBy},
        missing::MissingSpellings,
        schema::Columns,
        survey::{Counting, Survey},
    },
};

/// Why a table cannot be used: something at a place in its header, something about the columns, or something about a column,
/// which shows in a cell of the row that has `row` lines before it.
pub(super) enum HeaderError {
    Fault(Fault),
    Columns(ReadError),
    Cell { row: u64, column: usize, problem: Problem },
}

impl HeaderError {
    /// Whether it says something about all rows.
    pub(super) fn is_of_all_rows(&self) -> bool {
        use ReadError::{QuantityTarget, UnclearTarget};
        let of_target = |error: &_| matches!(error, QuantityTarget { .. } | UnclearTarget { .. });
        match self {
            HeaderError::Fault(_) => false,
            HeaderError::Columns(error) => of_target(error),
            HeaderError::Cell { .. } => true,
        }
    }
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
    /// The lines of the file before the block.
    pub(super) before: u64,
}

/// The names and the survey of a table that is to be learned from.
pub(super) struct Look {
    /// The name of each column.
    names: Vec<String>,
    pub(super) survey: Survey,
    /// Whether there are more columns than may be: the choice of columns refuses them before it looks at their cells.
    is_wide: bool,
}

impl Look {
    /// Counts the cells of a block. Rows of another length, rows with faulty quotes and rows of empty cells are passed
    /// over: they are errors when they are read.
    pub(super) fn add(&mut self, block: &Block<'_>, options: &ReadOptions) {
        if self.is_wide {
            return;
        }
        let missing = MissingSpellings { chosen: options.missing_values.clone() };
        let counting = Counting { form: &options.number_form(), missing: &missing };
        let mut faults = block.faulty_quotes().into_iter().peekable();
        let mut is_header = block.has_header;
        let mut lines = block.before;
        let mut counted = 0;
        let _ = each_record(block.bytes, block.delimiter, |place, record| {
            lines += memchr_iter(b'\n', &block.bytes[counted..place.start]).count() as u64;
            counted = place.start;
            let is_faulty = faults.next_if(|&offset| offset < place.end).is_some();
            while faults.next_if(|&offset| offset < place.end).is_some() {}
            let has_mark = block.bytes[place.start..].starts_with(BYTE_ORDER_MARK);
            let is_empty = record.iter().all(|cell| cell.trim_ascii().is_empty());
            let is_row = record.len() == self.names.len() && !is_faulty && !has_mark && !is_empty;
            if !std::mem::take(&mut is_header) && is_row {
                self.survey.add(lines, record.iter(), &counting);
            }
            Continue::<()>(())
        });
    }
}

/// A block of rows of a table.
pub(super) struct Block<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) delimiter: Delimiter,
    /// Whether its first row names the columns.
    pub(super) has_header: bool,
    /// The lines of the file before it.
    pub(super) before: u64,
}

impl Block<'_> {
    /// The place of a cell of the row that has `row` lines of the file before it; `None` if it comes after the block.
    pub(super) fn place(&self, row: u64, column: usize) -> Option<Place> {
        let lines = usize::try_from(row.checked_sub(self.before)?).ok()?;
        let start = match lines.checked_sub(1) {
            None => 0,
            Some(last) => memchr_iter(b'\n', self.bytes).nth(last)? + 1,
        };
        let is_here = start < self.bytes.len();
        let cell = is_here.then(|| cell_offset(self.bytes, start, column, self.delimiter))?;
        Some(Place::of(self.bytes, cell, self.before))
    }

    /// The lines of the file up to the end of the block.
    pub(super) fn end(&self) -> u64 {
        Place::of(self.bytes, self.bytes.len(), self.before).line - 1
    }

    /// The offsets of quotes that are not closed, or closed before the end of their cell.
    fn faulty_quotes(&self) -> Vec<usize> {
        match self.delimiter {
            Delimiter::Byte(byte) => {
                let open = open_quote(self.bytes, byte);
                text_after_quotes(self.bytes, byte).into_iter().chain(open).collect()
            }
            Delimiter::Unquoted(_) | Delimiter::Whitespace => Vec::new(),
        }
    }
}

impl FirstRows<'_> {
    /// The names of the columns for training, and the counts of the cells of this block.
    pub(super) fn look(&self, file: &str, options: &ReadOptions) -> Result<Look, HeaderError> {
        self.check_separator(file, options)?;
        let names = self.names()?;
        if names.len() == 1 {
            self.check_no_title()?;
        } else if self.header != Header::Absent && options.on_error == OnError::Stop {
            self.check_length(names.len())?;
        }
        let most = options.max_features.saturating_add(1 + options.ignore.len());
        let mut look =
            Look { survey: Survey::new(names.len()), is_wide: names.len() > most, names };
        look.add(&self.all(), options);
        Ok(look)
    }

    /// The columns for training, by what was seen of the file.
    pub(super) fn for_training(
        &self,
        file: &str,
        look: &Look,
        options: &ReadOptions,
    ) -> Result<TrainingColumns, HeaderError> {
        let Look { survey, .. } = look;
        let no_number = survey.columns.iter().all(|column| column.numbers == 0);
        let text_header = self.header == Header::Expected && survey.rows > 0 && no_number;
        if text_header {
            self.check_header(survey)?;
        }
        let (layout, columns) = self.choose(file, look, options)?;
        let identifiers = identifiers(&columns, survey);
        let row_numbers = row_numbers(&columns, survey);
        Ok(TrainingColumns { layout, columns, text_header, row_numbers, identifiers })
    }

    /// The rows of the block, with the first one.
    pub(super) fn all(&self) -> Block<'_> {
        let has_header = self.header != Header::Absent;
        let (block, delimiter, before) = (self.block, self.delimiter, self.before);
        Block { bytes: block, delimiter, has_header, before }
    }

    fn choose(
        &self,
        file: &str,
        look: &Look,
        options: &ReadOptions,
    ) -> Result<(Layout, Columns), HeaderError> {
        let columns = FileColumns { file, names: look.names.clone() };
        columns.choose(&Contents::Cells(&look.survey), options).map_err(|error| match error {
            ChoiceError::Name { column, problem } => self.fault(column, problem).into(),
            ChoiceError::Cell { row, column, problem } => {
                HeaderError::Cell { row, column, problem }
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
                cells => Break(Some((self.line(place.start), cells))),
            }
        });
        match longer.break_value().flatten() {
            None => Ok(()),
            Some((line, cells)) => Err(self.fault(0, CsvProblem::TitleAbove { line, cells })),
        }
    }

    /// Refuses a first row of `names` cells above rows that all have another number of them.
    fn check_length(&self, names: usize) -> Result<(), Fault> {
        let is_empty = |cell: Option<&[u8]>| cell.is_some_and(|cell| cell.trim_ascii().is_empty());
        let (mut rows, mut second) = (0, None);
        let other = each_record(self.block, self.delimiter, |place, record| {
            rows += 1;
            if rows == 1 {
                return Continue(());
            }
            let (_, cells, _) = *second.get_or_insert_with(|| {
                (place.start, record.len(), is_empty(record.iter().next_back()))
            });
            if record.len() == cells && cells != names { Continue(()) } else { Break(()) }
        });
        let Some((start, cells, ends_empty)) = second.filter(|_| other.is_continue() && rows > 2)
        else {
            return Ok(());
        };
        // A separator at the end of each row is an error of its own.
        if cells == names + 1 && ends_empty {
            return Ok(());
        }
        let line = self.line(start);
        let first = self.first();
        let empty = match cells + 1 == names {
            true if is_empty(first.iter().next_back()) => Some("last"),
            true if is_empty(first.get(0)) => Some("first"),
            _ => None,
        };
        Err(self.fault(0, CsvProblem::HeaderLength { found: names, line, cells, empty }))
    }

    /// The line of the file at an offset.
    fn line(&self, offset: usize) -> u64 {
        Place::of(self.block, offset, self.before).line
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
}

/// Whether a cell is a number, with a decimal point or comma.
fn is_number(cell: &[u8]) -> bool {
    let comma = NumberForm { decimal: Decimal::Comma, ..NumberForm::default() };
    number::is_number(cell) && !number::is_word(cell) || comma.parse(cell) != Number::Not
}
