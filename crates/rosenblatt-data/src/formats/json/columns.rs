//! A document in which the values of each column stand together: `{"age": {"0": 31, "1": 45}, …}`, as pandas writes it
//! unless it is told otherwise, or `{"age": [31, 45], …}`.
//!
//! All of it is in memory, with four bytes for each cell that say where its value is.

use std::{borrow::Cow, collections::HashMap};

use super::{
    error::JsonProblem,
    object::{Member, Scanner, Value},
    parser::{CELLS_PER_BYTE, FEW},
};
use crate::fault::{Fault, Problem};

/// Where the value of each cell is.
#[derive(Default)]
pub(super) struct ColumnTable {
    pub(super) names: Vec<String>,
    pub(super) rows: usize,
    /// For each column, the offset of the value of each row.
    cells: Vec<Vec<u32>>,
}

/// The offset of a value that is not there.
const NONE: u32 = u32::MAX;

impl ColumnTable {
    /// The most bytes of a document.
    pub(super) const MOST: usize = 1 << 30;

    /// Finds the cells of a document, whose columns have these names and offsets.
    pub(super) fn new(
        document: &[u8],
        columns: &[(Cow<'_, str>, usize)],
    ) -> Result<ColumnTable, Fault> {
        let (mut table, mut count) = (ColumnTable::default(), 0);
        let mut keys: Vec<Cow<'_, str>> = Vec::new();
        let mut of_key: HashMap<Cow<'_, str>, usize> = HashMap::new();
        for (name, at) in columns {
            let mut scanner = Scanner { bytes: document, at: *at };
            let cells = match scanner.next() {
                Some(b'[') => scanner.list()?.into_iter().map(|(_, at)| at as u32).collect(),
                _ => of_object(&mut scanner, &mut keys, &mut of_key)?,
            };
            let is_list = document.get(*at) == Some(&b'[');
            if is_list && !table.cells.is_empty() && cells.len() != table.rows {
                let (found, expected) = (cells.len(), table.rows);
                return Err(Fault::new(*at, JsonProblem::Length { found, expected }));
            }
            table.rows = table.rows.max(cells.len());
            count += cells.len();
            if count > CELLS_PER_BYTE * document.len() + FEW {
                let keys = keys.len();
                return Err(Fault::new(*at, JsonProblem::SparseKeys { keys }));
            }
            table.names.push(name.clone().into_owned());
            table.cells.push(cells);
        }
        Ok(table)
    }

    /// The values of a row of the document.
    pub(super) fn members<'r>(
        &'r self,
        document: &'r [u8],
        row: usize,
    ) -> Result<Vec<Member<'r>>, Fault> {
        let mut members = Vec::with_capacity(self.names.len());
        for (name, cells) in self.names.iter().zip(&self.cells) {
            let at = match cells.get(row) {
                None | Some(&NONE) => continue,
                Some(&at) => at as usize,
            };
            let value: Value<'r> = Scanner { bytes: document, at }.value()?;
            let name = Cow::Borrowed(name.as_str());
            members.push(Member { name, value, name_at: at, value_at: at });
        }
        Ok(members)
    }
}

/// The offsets of the values of an object, by the row of each key.
fn of_object<'b>(
    scanner: &mut Scanner<'b>,
    keys: &mut Vec<Cow<'b, str>>,
    of_key: &mut HashMap<Cow<'b, str>, usize>,
) -> Result<Vec<u32>, Fault> {
    let mut cells = Vec::with_capacity(keys.len());
    scanner.pass(b'{', "an object, which begins with `{`")?;
    if scanner.passes(b'}') {
        return Ok(cells);
    }
    loop {
        let (key, key_at) = scanner.key()?;
        // Mostly the rows of all columns have one order.
        let row = match keys.get(cells.len()) {
            Some(next) if *next == key => cells.len(),
            _ => *of_key.entry(key.clone()).or_insert_with(|| {
                keys.push(key.clone());
                keys.len() - 1
            }),
        };
        if row >= cells.len() {
            cells.resize(row + 1, NONE);
        }
        scanner.next();
        if cells[row] != NONE {
            let problem = Problem::from(JsonProblem::DuplicateKey { name: key.into_owned() });
            return Err(Fault::new(key_at, problem));
        }
        cells[row] = scanner.at as u32;
        scanner.any()?;
        if !scanner.passes(b',') {
            scanner.pass(b'}', "`,` or `}`")?;
            return Ok(cells);
        }
    }
}
