//! A block of whole rows → a batch, or a fault at a byte.

use super::{
    error::JsonProblem,
    object::{Member, Value},
    rows::{Keys, Record, Rows, twice},
};
use crate::{
    fault::Fault,
    input::parser::BlockParser,
    options::OnError,
    table::{
        batch::{Batch, Body, Gap, Spelling},
        layout::Role,
        row_reader::{CellFault, RowReader},
        rows::TableRows,
    },
};

/// Parses blocks of rows.
pub(super) struct JsonParser {
    pub(super) rows: Rows,
    /// The columns of the layout, and after them the keys that are left out.
    pub(super) columns: Keys,
    /// Whether a key that is none of these is left out too.
    pub(super) passes_new_keys: bool,
    pub(super) reader: RowReader,
    pub(super) on_error: OnError,
    /// The column that is copied to predictions.
    pub(super) id: Option<usize>,
}

impl BlockParser for JsonParser {
    fn parse(&self, block: &[u8], is_last: bool) -> Result<Batch, Fault> {
        let spelling = self.reader.numbers.has_decimals().then(Spelling::default);
        let mut batch = Batch { spelling, ..Batch::default() };
        let mut table = TableRows::new(&self.reader.layout);
        for record in self.rows.records(block, is_last) {
            let record = record?;
            if record.is_blank() {
                if self.on_error == OnError::Blank {
                    batch.gaps.push(Gap { before: table.rows, id: None, problem: None });
                }
                continue;
            }
            let (start, columns) = (record.start, self.columns.len());
            check_not_sparse(table.rows, columns, block).map_err(|error| error.after(start))?;
            let mut id = None;
            match self.row(&record, &mut id, &mut batch, &mut table) {
                // A row that is left out because a cell is missing is no fault.
                Ok(()) if self.id.is_some() && batch.ids.len() < table.rows => {
                    batch.ids.push(id.unwrap_or_default());
                }
                Ok(()) => {}
                Err(fault) => {
                    batch.fault(
                        fault.after(start),
                        self.on_error,
                        &self.reader.labels,
                        table.rows,
                    )?;
                    if let (OnError::Blank, Some(gap)) = (self.on_error, batch.gaps.last_mut()) {
                        gap.id = id;
                    }
                }
            }
        }
        batch.body = Body::Table(table);
        Ok(batch)
    }
}

impl JsonParser {
    /// Takes in a row.
    fn row(
        &self,
        record: &Record<'_>,
        id: &mut Option<String>,
        batch: &mut Batch,
        table: &mut TableRows,
    ) -> Result<(), Fault> {
        let members = self.rows.members(record)?;
        let mut of_column: Vec<Option<&Member<'_>>> = vec![None; self.columns.len()];
        let mut before = None;
        for member in &members {
            let name = || member.name.clone().into_owned();
            let column = match self.columns.find(&member.name, before) {
                Some(column) => column,
                None if self.passes_new_keys => continue,
                None => {
                    return Err(Fault::new(member.name_at, JsonProblem::NewKey { name: name() }));
                }
            };
            before = Some(column);
            if of_column[column].replace(member).is_some() {
                return Err(twice(member));
            }
            if self.id == Some(column) {
                *id = Some(String::from_utf8_lossy(cell(Some(member))).into_owned());
            }
        }
        of_column.truncate(self.reader.layout.roles.len());
        for (member, role) in of_column.iter().zip(&self.reader.layout.roles) {
            if let (Some(member), false) = (member, *role == Role::Leave)
                && member.value == Value::Nested
            {
                let column = member.name.clone().into_owned();
                return Err(Fault::new(member.value_at, JsonProblem::Nested { column }));
            }
        }
        let cells = of_column.iter().map(|member| cell(*member));
        self.reader.row(cells, batch, table).map_err(|CellFault { column, problem }| {
            let at = of_column.get(column).copied().flatten().map_or(0, |member| member.value_at);
            Fault::new(at, problem)
        })
    }
}

/// The most cells for each byte of a text, after a few.
pub(super) const CELLS_PER_BYTE: usize = 16;
pub(super) const FEW: usize = 1 << 20;

/// Refuses rows that would take many times the memory of their text, because most keys are in few of them.
pub(super) fn check_not_sparse(rows: usize, columns: usize, block: &[u8]) -> Result<(), Fault> {
    match rows.saturating_mul(columns) > CELLS_PER_BYTE * block.len() + FEW {
        true => Err(Fault::new(0, JsonProblem::SparseKeys { keys: columns })),
        false => Ok(()),
    }
}

/// The text of a value as a cell; null and a value that is not there are empty.
pub(super) fn cell<'m>(member: Option<&'m Member<'_>>) -> &'m [u8] {
    match member.map(|member| &member.value) {
        Some(Value::Text(text)) => text.as_bytes(),
        Some(Value::Number(number)) => number,
        Some(Value::Truth(word)) => word.as_bytes(),
        Some(Value::Null | Value::Nested) | None => b"",
    }
}
