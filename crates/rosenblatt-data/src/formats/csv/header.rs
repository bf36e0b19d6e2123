//! The first rows of a table: the names of its columns, and what their cells are.

use std::ops::ControlFlow::{Break, Continue};

use ::csv::ByteRecord;
use memchr::memchr_iter;

use super::{
    dialect::Dialect,
    error::CsvProblem,
    fast_rows::PlainBlock,
    head::Head,
    parser::{ends_empty, is_sparse},
    records::{BYTE_ORDER_MARK, cell_offset, each_record},
};
use crate::{
    fast::structural_index::StructuralIndex,
    fault::{Excerpt, Fault, Problem},
    formats::format::Counted,
    input::{
        pipeline::newlines,
        quotes::{open_quote, text_after_quotes},
    },
    notes::Decisions,
    options::{Delimiter, Header, ReadOptions},
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

/// The number of bytes of comment lines (`# …`, or with another sign) and blank lines before the first row.
pub(super) fn leading_comments(block: &[u8], sign: Option<u8>) -> usize {
    let sign = sign.unwrap_or(b'#');
    let is_comment = |line: &[u8]| line.first() == Some(&sign) && line.ends_with(b"\n");
    block
        .split_inclusive(|&byte| byte == b'\n')
        .take_while(|line| is_comment(line) || line.trim_ascii().is_empty())
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
    pub(super) decisions: Decisions,
    /// Rows with nothing but a text where labels stand, which is no label.
    pub(super) footers: Vec<(ByteRecord, CsvProblem)>,
}

/// A block that begins with the first row.
pub(super) struct FirstRows<'b> {
    pub(super) block: &'b [u8],
    pub(super) dialect: Dialect,
    pub(super) head: &'b Head,
    pub(super) header: Header,
    /// The lines of the file before the block.
    pub(super) before: u64,
}

/// The names and the survey of a table that is to be learned from.
pub(super) struct Look {
    /// The name of each column.
    names: Vec<String>,
    pub(super) survey: Survey,
    /// Whether rows may have empty cells more at their end.
    ends_with_separator: bool,
    /// Rows that are no examples.
    odd_rows: Vec<ByteRecord>,
    /// Whether there are more columns than may be: the choice of columns refuses them before it looks at their cells.
    is_wide: bool,
}

impl Look {
    /// A look at the same columns that has counted nothing.
    pub(super) fn without_counts(&self) -> Look {
        Look {
            names: self.names.clone(),
            survey: self.survey.part(),
            odd_rows: self.odd_rows.clone(),
            ..*self
        }
    }

    pub(super) fn into_counted(self) -> Counted {
        Counted { names: self.names, survey: self.survey }
    }

    /// Takes counts of the same columns for its own. Returns whether they are.
    pub(super) fn take_counts(&mut self, counted: &Counted) -> bool {
        let are_same = self.names == counted.names;
        if are_same {
            self.survey = counted.survey.clone();
        }
        are_same
    }

    /// Counts the cells of a block. Rows of another length and rows with faulty quotes are passed over: it shows what they
    /// are when they are read. So are rows of at most one cell that is not empty, unless it turns out to be a label.
    pub(super) fn add(&mut self, block: &Block<'_>, options: &ReadOptions) {
        if self.is_wide {
            return;
        }
        let missing = MissingSpellings { chosen: options.missing_values.clone() };
        let form = options.number_form();
        let counting = Counting::new(&form, &missing);
        let plain = PlainBlock::new(block.bytes, block.dialect);
        match plain.filter(|_| block.head_rows == 0 && counting.has_plain_numbers()) {
            None => self.add_any(block, &counting),
            Some(plain) => self.add_plain(block, plain, &counting),
        }
    }

    /// Counts the cells of a block in which most rows have the common form.
    fn add_plain(&mut self, block: &Block<'_>, plain: PlainBlock<'_>, counting: &Counting<'_>) {
        let (mut index, mut cells) = (StructuralIndex::default(), Vec::new());
        let (mut start, mut before) = (0, block.before);
        while start < block.bytes.len() {
            let next = plain.look(start, self.names.len(), &mut index, &mut cells);
            let end = match next.filter(|_| self.is_row(cells.iter().map(|cell| cell.text))) {
                Some(next) => {
                    self.survey.add_row(before, &cells, counting);
                    next
                }
                None => {
                    let end = plain.row_end(start);
                    let bytes = &block.bytes[start..end];
                    self.add_any(&Block { bytes, before, ..*block }, counting);
                    end
                }
            };
            before += newlines(&block.bytes[start..end]);
            start = end;
        }
    }

    /// Whether cells, one for each column, may be those of an example.
    fn is_row<'c>(&self, cells: impl Iterator<Item = &'c [u8]> + Clone) -> bool {
        !is_sparse(cells.clone(), self.names.len()) && !self.is_odd(cells)
    }

    fn is_odd<'c>(&self, cells: impl Iterator<Item = &'c [u8]> + Clone) -> bool {
        self.odd_rows.iter().any(|row| row.iter().eq(cells.clone()))
    }

    /// Counts the cells of rows of any form.
    fn add_any(&mut self, block: &Block<'_>, counting: &Counting<'_>) {
        let mut faults = block.faulty_quotes().into_iter().peekable();
        let mut head_rows = block.head_rows;
        let mut lines = block.before;
        let mut counted = 0;
        let _ = each_record(block.bytes, block.dialect, |place, record| {
            lines += newlines(&block.bytes[counted..place.start]);
            counted = place.start;
            let is_faulty = faults.next_if(|&offset| offset < place.end).is_some();
            while faults.next_if(|&offset| offset < place.end).is_some() {}
            let has_mark = block.bytes[place.start..].starts_with(BYTE_ORDER_MARK);
            let cells = self.names.len();
            let has_length =
                record.len() == cells || self.ends_with_separator && ends_empty(record, cells);
            let may_be_row = has_length && !is_faulty && !has_mark;
            if head_rows > 0 {
                head_rows -= 1;
            } else if may_be_row && self.is_row(record.iter()) {
                self.survey.add(lines, record.iter(), counting);
            } else if may_be_row && !self.is_odd(record.iter()) {
                self.survey.add_lone(lines, record.iter());
            }
            Continue::<()>(())
        });
    }
}

/// A block of rows of a table.
pub(super) struct Block<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) dialect: Dialect,
    /// The number of rows above the examples.
    pub(super) head_rows: usize,
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
        let cell = is_here.then(|| cell_offset(self.bytes, start, column, self.dialect))?;
        Some(Place::of(self.bytes, cell, self.before))
    }

    /// The lines of the file up to the end of the block.
    pub(super) fn end(&self) -> u64 {
        Place::of(self.bytes, self.bytes.len(), self.before).line - 1
    }

    /// The offsets of quotes that are not closed, or closed before the end of their cell.
    fn faulty_quotes(&self) -> Vec<usize> {
        let quoting = self.dialect.quoting;
        match self.dialect.separator {
            Delimiter::Byte(byte) => {
                let open = open_quote(self.bytes, byte, quoting);
                text_after_quotes(self.bytes, byte, quoting).into_iter().chain(open).collect()
            }
            Delimiter::Unquoted(_) | Delimiter::Whitespace => Vec::new(),
        }
    }
}

impl FirstRows<'_> {
    /// The names of the columns for training, and the counts of the cells of this block.
    pub(super) fn look(&self, options: &ReadOptions) -> Result<Look, HeaderError> {
        let names = self.head.names.clone();
        if names.len() == 1 {
            self.check_no_title()?;
        }
        let most = options.max_features.saturating_add(1 + options.ignore.len());
        let mut look = Look {
            survey: Survey::new(names.len()),
            ends_with_separator: self.head.ends_with_separator,
            odd_rows: self.head.odd_rows.iter().map(|(row, _)| row.clone()).collect(),
            is_wide: names.len() > most,
            names,
        };
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
        // A few texts may look like numbers.
        let no_number = survey.columns.iter().all(|column| column.numbers * 2 <= column.texts);
        let is_guessed = self.header == Header::Expected && self.head.is_row;
        let text_header = is_guessed && survey.rows > 0 && no_number;
        if text_header {
            self.check_header(survey)?;
        }
        let (layout, columns, decisions) = self.choose(file, look, options)?;
        let identifiers = identifiers(&columns, survey);
        let row_numbers = row_numbers(&columns, survey);
        let target = columns.target_position - 1;
        let footer = |text: &[u8]| {
            let cell = |column: usize| if column == target { text } else { b"" };
            let row = (0..columns.count).map(cell).collect();
            (row, CsvProblem::LoneCell { text: Excerpt::new(text) })
        };
        let footers = survey.lone_texts(target).map(footer).collect();
        Ok(TrainingColumns {
            layout,
            columns,
            text_header,
            row_numbers,
            identifiers,
            decisions,
            footers,
        })
    }

    /// The rows of the block, with the first one.
    pub(super) fn all(&self) -> Block<'_> {
        let (bytes, dialect, before) = (self.block, self.dialect, self.before);
        Block { bytes, dialect, head_rows: self.head.rows(), before }
    }

    fn choose(
        &self,
        file: &str,
        look: &Look,
        options: &ReadOptions,
    ) -> Result<(Layout, Columns, Decisions), HeaderError> {
        let columns = FileColumns { file, names: look.names.clone() };
        columns.choose(&Contents::Cells(&look.survey), options).map_err(|error| match error {
            ChoiceError::Name { column, problem } => self.fault(column, problem).into(),
            ChoiceError::Cell { row, column, problem } => {
                HeaderError::Cell { row, column, problem }
            }
            ChoiceError::Columns(error) => error.into(),
        })
    }

    /// Refuses a first row of one cell above a table of several columns.
    fn check_no_title(&self) -> Result<(), Fault> {
        const ROWS: usize = 20;
        let mut rows = 0;
        let longer = each_record(self.block, self.dialect, |place, record| {
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

    /// Refuses the header of a table without columns of numbers that looks like an example: one of its cells is a value of
    /// its own column.
    fn check_header(&self, survey: &Survey) -> Result<(), Fault> {
        let first = self.first();
        if first.len() != survey.columns.len() {
            return Ok(());
        }
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
        let names = self.head.names.clone();
        Ok(FileColumns { file, names }.for_model(by, model, labels)?)
    }

    /// The column that the options name to be copied to predictions.
    pub(super) fn id(
        &self,
        file: &str,
        options: &ReadOptions,
    ) -> Result<Option<usize>, HeaderError> {
        let Some(id) = &options.id else { return Ok(None) };
        let names = self.head.names.clone();
        Ok(Some(FileColumns { file, names }.find_or_error(id)?))
    }

    /// The offset of the first example.
    pub(super) fn first_example(&self) -> usize {
        let mut left = self.head.rows();
        let example = each_record(self.block, self.dialect, |place, _| {
            if left == 0 {
                return Break(place.start);
            }
            left -= 1;
            Continue(())
        });
        example.break_value().unwrap_or(self.block.len())
    }

    fn first(&self) -> ByteRecord {
        let first = each_record(self.block, self.dialect, |_, record| Break(record.clone()));
        first.break_value().unwrap_or_default()
    }

    fn fault(&self, column: usize, problem: impl Into<Problem>) -> Fault {
        Fault::new(cell_offset(self.block, 0, column, self.dialect), problem.into())
    }
}
