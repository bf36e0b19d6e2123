//! A block of whole rows → a batch, or a fault at a byte.

use std::ops::ControlFlow::{Break, Continue};

use super::{
    dialect::Dialect,
    error::CsvProblem,
    fast_rows::{PlainBlock, QuickReader, are_plain},
    records::{BYTE_ORDER_MARK, blank_lines, cell_offset, each_record},
};
use crate::{
    fast::structural_index::StructuralIndex,
    fault::{Excerpt, Fault, Problem},
    input::{
        parser::BlockParser,
        quotes::{open_quote, text_after_quotes},
    },
    options::{Delimiter, OnError},
    table::{
        batch::{Batch, Body, Gap, Spelling},
        layout::Role,
        row_reader::{CellFault, RowReader},
        rows::TableRows,
    },
};
use ::csv::ByteRecord;

/// Parses blocks of a table.
#[derive(Clone, Debug)]
pub(super) struct TableParser {
    pub(super) dialect: Dialect,
    pub(super) rows: RowReader,
    pub(super) on_error: OnError,
    /// The column that is copied to predictions.
    pub(super) id: Option<usize>,
    /// Whether rows may have empty cells more at their end.
    pub(super) ends_with_separator: bool,
    /// Rows that are no examples.
    pub(super) odd_rows: Vec<(ByteRecord, CsvProblem)>,
}

impl BlockParser for TableParser {
    #[inline(always)]
    fn parse(&self, block: &[u8], is_last: bool) -> Result<Batch, Fault> {
        if let (true, Delimiter::Byte(delimiter)) = (is_last, self.dialect.separator)
            && let Some(at) = open_quote(block, delimiter, self.dialect.quoting)
        {
            return Err(Fault::new(at, CsvProblem::OpenQuote));
        }
        let spelling = self.rows.numbers.has_decimals().then(Spelling::default);
        let mut batch = Batch { spelling, ..Batch::default() };
        let mut table = TableRows::new(&self.rows.layout);
        let is_plain = self.id.is_none() && are_plain(&self.rows.layout);
        match PlainBlock::new(block, self.dialect).filter(|_| is_plain) {
            None => self.rows_and_gaps(block, 0, &mut batch, &mut table)?,
            Some(plain) => self.plain_rows(block, plain, &mut batch, &mut table)?,
        }
        batch.body = Body::Table(table);
        Ok(batch)
    }
}

impl TableParser {
    /// Takes in the rows of a block in which most have the common form.
    #[inline(always)]
    fn plain_rows(
        &self,
        block: &[u8],
        plain: PlainBlock<'_>,
        batch: &mut Batch,
        table: &mut TableRows,
    ) -> Result<(), Fault> {
        /// The usual bytes of a cell; grown little by little, the numbers would be copied several times.
        const USUAL: usize = 8;
        table.numbers.reserve(block.len() / USUAL);
        let mut index = StructuralIndex::default();
        let reader = QuickReader { rows: &self.rows, odd_rows: &self.odd_rows };
        let mut start = 0;
        while start < block.len() {
            if let Some(next) = plain.take_in(start, &reader, &mut index, batch, table) {
                start = next;
                continue;
            }
            let end = plain.row_end(start);
            self.rows_and_gaps(&block[start..end], start, batch, table)?;
            start = end;
        }
        Ok(())
    }

    /// Takes in rows of any form, and blank lines if they leave a gap.
    fn rows_and_gaps(
        &self,
        part: &[u8],
        offset: usize,
        batch: &mut Batch,
        table: &mut TableRows,
    ) -> Result<(), Fault> {
        if self.on_error != OnError::Blank {
            return self.general_rows(part, offset, batch, table);
        }
        let mut start = 0;
        for line in blank_lines(part, self.dialect) {
            self.general_rows(&part[start..line.start], offset + start, batch, table)?;
            batch.gaps.push(Gap { before: table.rows, id: None, problem: None });
            start = line.end;
        }
        self.general_rows(&part[start..], offset + start, batch, table)
    }

    /// Takes in rows of any form, of a part of a block that begins at `offset`.
    pub(super) fn general_rows(
        &self,
        part: &[u8],
        offset: usize,
        batch: &mut Batch,
        table: &mut TableRows,
    ) -> Result<(), Fault> {
        let mut quotes = self.text_after_quotes(part).into_iter().peekable();
        let stopped = each_record(part, self.dialect, |place, record| {
            let malformed = quotes.next_if(|&offset| offset < place.end);
            while quotes.next_if(|&offset| offset < place.end).is_some() {}
            let read = if let Some(offset) = malformed {
                Err(Fault::new(offset, CsvProblem::TextAfterQuote))
            } else if part[place.start..].starts_with(BYTE_ORDER_MARK) {
                Err(Fault::new(place.start, CsvProblem::ByteOrderMark))
            } else {
                self.general_row(record, batch, table).map_err(|CellFault { column, problem }| {
                    Fault::new(cell_offset(part, place.start, column, self.dialect), problem)
                })
            };
            let id = self.id.map(|column| {
                record
                    .get(column)
                    .map(|cell| String::from_utf8_lossy(cell.trim_ascii()).into_owned())
            });
            let taken = match (read, id) {
                (Ok(()), id) => {
                    // A row that is left out because a cell is missing is no fault.
                    let is_taken = batch.ids.len() < table.rows;
                    batch.ids.extend(id.filter(|_| is_taken).map(Option::unwrap_or_default));
                    Ok(())
                }
                (Err(fault), id) => {
                    let passed = self.passed_over(&fault.problem);
                    let on_error = passed.map_or(self.on_error, |_| OnError::Skip);
                    batch.no_examples += u64::from(passed.is_some());
                    let is_lone = matches!(passed, Some(CsvProblem::LoneCell { .. }));
                    batch.lone_cells += u64::from(is_lone);
                    let noted =
                        batch.fault(fault.after(offset), on_error, &self.rows.labels, table.rows);
                    if let (Some(gap), Some(id)) = (batch.gaps.last_mut(), id) {
                        gap.id = id;
                    }
                    noted
                }
            };
            taken.map_or_else(Break, Continue)
        });
        if let Break(fault) = stopped { Err(fault) } else { Ok(()) }
    }

    /// Takes in one row, whole or, when a cell is faulty, not at all.
    fn general_row(
        &self,
        record: &ByteRecord,
        batch: &mut Batch,
        table: &mut TableRows,
    ) -> Result<(), CellFault> {
        let (found, expected) = (record.len(), self.rows.layout.roles.len());
        let ends_empty = ends_empty(record, expected);
        let has_one_more = found == expected + 1 && ends_empty;
        let is_sparse = is_sparse(record.iter(), expected);
        if found != expected && !(ends_empty && self.ends_with_separator) {
            if is_sparse {
                return Err(CellFault { column: 0, problem: of_sparse(record).into() });
            }
            let starts_comment = record.get(0).is_some_and(|cell| cell.starts_with(b"#"));
            let problem = match (has_one_more, starts_comment) {
                (_, true) => CsvProblem::CommentInTable { sign: '#', found, expected },
                (true, _) => CsvProblem::SeparatorAtEnd { found, expected },
                _ => CsvProblem::RaggedRow { found, expected },
            };
            let problem = problem.into();
            return Err(CellFault { column: found.min(expected), problem });
        }
        if let Some((_, problem)) = self.odd_rows.iter().find(|(row, _)| row == record) {
            return Err(CellFault { column: 0, problem: problem.clone().into() });
        }
        let read = self.rows.row(record.iter(), batch, table);
        read.map_err(|fault| match is_sparse && !self.has_label(record) {
            true => CellFault { column: 0, problem: of_sparse(record).into() },
            false => fault,
        })
    }

    fn has_label(&self, record: &ByteRecord) -> bool {
        let label = self.rows.layout.roles.iter().position(|role| matches!(role, Role::Label));
        label.and_then(|label| record.get(label)).is_some_and(|cell| !cell.trim_ascii().is_empty())
    }

    /// The problem, if a row with it is left out without being asked: it is no example.
    fn passed_over<'p>(&self, problem: &'p Problem) -> Option<&'p CsvProblem> {
        let Problem::Format(problem) = problem else { return None };
        let passes = self.rows.labels.pass_over_rows();
        problem.downcast_ref().filter(|problem: &&CsvProblem| passes && problem.is_of_no_example())
    }

    fn text_after_quotes(&self, block: &[u8]) -> Vec<usize> {
        match self.dialect.separator {
            Delimiter::Byte(byte) => text_after_quotes(block, byte, self.dialect.quoting),
            Delimiter::Unquoted(_) | Delimiter::Whitespace => Vec::new(),
        }
    }
}

/// Whether a row of several columns has at most one cell that is not empty; of two columns, none.
pub(super) fn is_sparse<'c>(cells: impl Iterator<Item = &'c [u8]>, columns: usize) -> bool {
    let most = usize::from(columns > 2);
    columns > 1 && cells.filter(|cell| !cell.trim_ascii().is_empty()).nth(most).is_none()
}

fn of_sparse(record: &ByteRecord) -> CsvProblem {
    match record.iter().map(<[u8]>::trim_ascii).find(|cell| !cell.is_empty()) {
        None => CsvProblem::EmptyRow,
        Some(cell) => CsvProblem::LoneCell { text: Excerpt::new(cell) },
    }
}

/// Whether a row has more cells than these, and all of them are empty.
pub(super) fn ends_empty(record: &ByteRecord, cells: usize) -> bool {
    record.len() > cells && record.iter().skip(cells).all(|cell| cell.trim_ascii().is_empty())
}
