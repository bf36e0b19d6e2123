//! A block of whole objects → a batch, or a fault at a byte.

use std::collections::HashMap;

use super::error::JsonProblem;
use super::object::{Member, Scanner, Value, nested_end};
use crate::{
    fault::{Excerpt, Fault, Problem},
    input::parser::BlockParser,
    options::OnError,
    table::{
        batch::{Batch, Body, Gap, Spelling},
        layout::Role,
        row_reader::{CellFault, RowReader},
        rows::TableRows,
    },
};

/// How the objects of a file stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One on each line.
    Lines,
    /// In one list, whose opening bracket is a blank.
    List,
}

/// Parses blocks of objects.
pub(super) struct JsonParser {
    pub(super) form: Form,
    /// The column of each key.
    pub(super) columns: HashMap<String, usize>,
    pub(super) rows: RowReader,
    pub(super) on_error: OnError,
    /// The column that is copied to predictions.
    pub(super) id: Option<usize>,
}

/// The bytes of an object in a block, or of a blank line.
pub(super) struct Record<'b> {
    pub(super) start: usize,
    pub(super) bytes: &'b [u8],
}

impl BlockParser for JsonParser {
    fn parse(&self, block: &[u8], is_last: bool) -> Result<Batch, Fault> {
        let spelling = self.rows.numbers.has_decimals().then(Spelling::default);
        let mut batch = Batch { spelling, ..Batch::default() };
        let mut table = TableRows::new(&self.rows.layout);
        for record in records(self.form, block, is_last) {
            let Record { start, bytes } = record?;
            if bytes.trim_ascii().is_empty() {
                if self.on_error == OnError::Blank {
                    batch.gaps.push(Gap { before: table.rows, id: None, problem: None });
                }
                continue;
            }
            let mut id = None;
            match self.row(bytes, &mut id, &mut batch, &mut table) {
                // A row that is left out because a cell is missing is no fault.
                Ok(()) if self.id.is_some() && batch.ids.len() < table.rows => {
                    batch.ids.push(id.unwrap_or_default());
                }
                Ok(()) => {}
                Err(fault) => {
                    batch.fault(fault.after(start), self.on_error, table.rows)?;
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
    /// Takes in the row of an object.
    fn row(
        &self,
        bytes: &[u8],
        id: &mut Option<String>,
        batch: &mut Batch,
        table: &mut TableRows,
    ) -> Result<(), Fault> {
        let members = members(bytes)?;
        let mut of_column: Vec<Option<&Member<'_>>> = vec![None; self.columns.len()];
        for member in &members {
            let name = || member.name.clone().into_owned();
            let Some(&column) = self.columns.get(&*member.name) else {
                return Err(Fault::new(member.name_at, JsonProblem::NewKey { name: name() }));
            };
            if of_column[column].replace(member).is_some() {
                let problem = Problem::DuplicateColumn { name: name() };
                return Err(Fault::new(member.name_at, problem));
            }
            if self.id == Some(column) {
                *id = Some(String::from_utf8_lossy(cell(Some(member))).into_owned());
            }
        }
        for (column, member) in of_column.iter().enumerate() {
            if let Some(member) = member {
                self.check(column, member)
                    .map_err(|problem| Fault::new(member.value_at, problem))?;
            }
        }
        let cells = of_column.iter().map(|member| cell(*member));
        self.rows.row(cells, batch, table).map_err(|CellFault { column, problem }| {
            let at = of_column.get(column).copied().flatten().map_or(0, |member| member.value_at);
            Fault::new(at, problem)
        })
    }

    /// Refuses values that are no cell, and text in a column of numbers.
    fn check(&self, column: usize, member: &Member<'_>) -> Result<(), Problem> {
        let name = || member.name.clone().into_owned();
        match (&member.value, self.rows.layout.roles[column]) {
            (_, Role::Leave) => Ok(()),
            (Value::Nested, _) => Err(JsonProblem::Nested { column: name() }.into()),
            (Value::Text(text), Role::Number(_)) => {
                let text = Excerpt::new(format!("\"{text}\"").as_bytes());
                Err(Problem::NotANumber { text, column: name() })
            }
            _ => Ok(()),
        }
    }
}

/// The members of an object that is all of these bytes.
pub(super) fn members(bytes: &[u8]) -> Result<Vec<Member<'_>>, Fault> {
    let mut scanner = Scanner { bytes, at: 0 };
    let members = scanner.object()?;
    match scanner.next() {
        None => Ok(members),
        Some(_) => Err(scanner.unexpected("one object per line")),
    }
}

/// The text of a value as a cell; null and a value that is not there are empty.
fn cell<'m>(member: Option<&'m Member<'_>>) -> &'m [u8] {
    match member.map(|member| &member.value) {
        Some(Value::Text(text)) => text.as_bytes(),
        Some(Value::Number(number)) => number,
        Some(Value::Truth(word)) => word.as_bytes(),
        Some(Value::Null | Value::Nested) | None => b"",
    }
}

/// The objects of a block, in order. After a fault there is none.
pub(super) fn records(
    form: Form,
    block: &[u8],
    is_last: bool,
) -> Box<dyn Iterator<Item = Result<Record<'_>, Fault>> + '_> {
    match form {
        Form::Lines => {
            let mut end = 0;
            Box::new(block.split_inclusive(|&byte| byte == b'\n').map(move |bytes| {
                let start = end;
                end += bytes.len();
                Ok(Record { start, bytes })
            }))
        }
        Form::List => {
            let scanner = Scanner { bytes: block, at: 0 };
            Box::new(ListRecords { scanner, is_last, ended: false, after_comma: false })
        }
    }
}

/// The objects of a list.
struct ListRecords<'b> {
    scanner: Scanner<'b>,
    is_last: bool,
    ended: bool,
    after_comma: bool,
}

impl<'b> ListRecords<'b> {
    fn record(&mut self) -> Result<Option<Record<'b>>, Fault> {
        let scanner = &mut self.scanner;
        match scanner.next() {
            None if !self.is_last => return Ok(None),
            Some(b']') if !self.after_comma => {
                scanner.at += 1;
                return match scanner.next() {
                    None => Ok(None),
                    Some(_) => Err(scanner.unexpected("nothing after the list")),
                };
            }
            Some(b'{') => {}
            _ => return Err(scanner.unexpected("an object, which begins with `{`")),
        }
        let (start, rest) = (scanner.at, &scanner.bytes[scanner.at..]);
        let length =
            nested_end(rest).ok_or_else(|| scanner.unexpected("an object with its end"))?;
        scanner.at += length;
        self.after_comma = scanner.next() == Some(b',');
        if self.after_comma {
            scanner.at += 1;
        } else if scanner.next() != Some(b']') {
            return Err(scanner.unexpected("`,` or `]` after an object of the list"));
        }
        // After the comma of the last object of a block comes the next block.
        if scanner.next().is_none() && !self.is_last {
            self.after_comma = false;
        }
        Ok(Some(Record { start, bytes: &rest[..length] }))
    }
}

impl<'b> Iterator for ListRecords<'b> {
    type Item = Result<Record<'b>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let record = self.record();
        self.ended = !matches!(record, Ok(Some(_)));
        record.transpose()
    }
}
