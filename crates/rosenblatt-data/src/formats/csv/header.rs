//! The first rows of a table: the names of its columns, and what their cells are.

use std::{
    collections::HashSet,
    ops::ControlFlow::{Break, Continue},
};

use ::csv::ByteRecord;

use super::{
    error::CsvProblem,
    records::{cell_offset, each_record},
};
use crate::{
    fault::{Excerpt, Fault, Problem},
    number,
    options::{Delimiter, Header, ReadOptions},
    read_error::ReadError,
    table::{
        layout::{ChoiceError, ColumnKind, FileColumns, Layout, MatchBy},
        schema::Columns,
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

/// A block that begins with the first row.
pub(super) struct FirstRows<'b> {
    pub(super) block: &'b [u8],
    pub(super) delimiter: Delimiter,
    pub(super) header: Header,
}

impl FirstRows<'_> {
    /// The layout for training, and the columns of a model trained on it (its categories still empty).
    pub(super) fn for_training(
        &self,
        file: &str,
        options: &ReadOptions,
    ) -> Result<(Layout, Columns), HeaderError> {
        let names = self.names()?;
        let kinds = self.kinds(names.len());
        FileColumns { file, names }.choose(kinds, options).map_err(|error| match error {
            ChoiceError::Column(column, problem) => self.fault(column, problem).into(),
            ChoiceError::Columns(error) => error.into(),
        })
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
        if self.header == Header::Expected && number::is_number(cell) {
            return Err(self.fault(column, CsvProblem::HeaderIsNumber { text: text() }));
        }
        if !name.is_empty() && !seen.insert(name.to_owned()) {
            let name = name.to_owned();
            return Err(self.fault(column, Problem::DuplicateColumn { name }));
        }
        Ok(name.to_owned())
    }

    /// The kind of each column by its first cell that is not empty, within the block; rows of another length are passed
    /// over. A column that then holds the other kind is an error when that cell is met.
    fn kinds(&self, columns: usize) -> Vec<ColumnKind> {
        let mut kinds: Vec<Option<ColumnKind>> = vec![None; columns];
        let mut is_header = self.header != Header::Absent;
        let _ = each_record(self.block, self.delimiter, |_, record| {
            if !std::mem::take(&mut is_header) && record.len() == columns {
                for (kind, cell) in kinds.iter_mut().zip(record) {
                    if kind.is_none() {
                        *kind = kind_of(cell.trim_ascii());
                    }
                }
            }
            if kinds.iter().all(Option::is_some) { Break(()) } else { Continue(()) }
        });
        kinds.into_iter().map(|kind| kind.unwrap_or(ColumnKind::Number)).collect()
    }
}

/// The kind of a column by one of its cells; an empty cell shows none.
fn kind_of(cell: &[u8]) -> Option<ColumnKind> {
    match cell {
        [] => None,
        cell if number::is_number(cell) => Some(ColumnKind::Number),
        cell => Some(ColumnKind::Text { first: Excerpt::new(cell) }),
    }
}
