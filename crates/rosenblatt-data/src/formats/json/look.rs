//! The columns of a file, and what their cells are.
//!
//! A column is a key of any row. A cell is the text of its value, so that every decision is that about the same table as
//! CSV: quotes around a number change nothing, and `true` and `false` are two words. A key that a row does not have, and
//! null, are empty cells.

use std::collections::HashSet;

use super::{
    object::{Member, Value},
    parser::{cell, check_not_sparse},
    rows::{Keys, Rows, twice},
};
use crate::{
    fault::{Fault, Problem},
    notes::{LeftOutBecause, LeftOutColumn},
    options::{OnError, ReadOptions},
    table::{
        missing::MissingSpellings,
        survey::{Counting, Survey},
    },
};

/// The columns that were found so far.
#[derive(Default)]
pub(super) struct Look {
    pub(super) names: Vec<String>,
    keys: Keys,
    seen: Vec<Seen>,
    pub(super) survey: Survey,
    /// The fault of the first row that was passed over.
    pub(super) first_fault: Option<Fault>,
}

/// What was seen of a column besides the survey.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// One more than the number of the last row with the key.
    last: u64,
    /// The cells that were counted.
    cells: u64,
    /// The first row without one.
    first_absent: Option<u64>,
    /// The cells that are objects or lists.
    nested: u64,
    /// The cells that are text in quotes.
    texts: u64,
    nulls: u64,
}

impl Look {
    pub(super) fn new(rows: &Rows) -> Self {
        let mut look = Look::default();
        for name in rows.names() {
            look.place(name, None);
        }
        look
    }

    fn place(&mut self, name: &str, before: Option<usize>) -> usize {
        if let Some(place) = self.keys.find(name, before) {
            return place;
        }
        let place = self.names.len();
        self.names.push(name.to_owned());
        self.keys.add(name);
        self.seen.push(Seen::default());
        self.survey.grow(place + 1);
        place
    }

    /// Counts the cells of a block. Rows that cannot be read are passed over where that is asked for.
    pub(super) fn add(
        &mut self,
        rows: &Rows,
        block: &[u8],
        is_last: bool,
        options: &ReadOptions,
    ) -> Result<(), Fault> {
        let missing = MissingSpellings { chosen: options.missing_values.clone() };
        let form = options.number_form();
        let counting = Counting::new(&form, &missing);
        let mut of_block = 0;
        for record in rows.records(block, is_last) {
            let record = match record {
                Ok(record) if record.is_blank() => continue,
                Ok(record) => record,
                Err(fault) if options.on_error == OnError::Stop => return Err(fault),
                // The rest of the block cannot be read: the same error comes when it is.
                Err(fault) => {
                    self.first_fault.get_or_insert(fault);
                    break;
                }
            };
            let members = rows.members(&record);
            match members.and_then(|members| self.add_row(&members, &counting)) {
                Ok(()) => {}
                Err(fault) if options.on_error == OnError::Stop => {
                    return Err(fault.after(record.start));
                }
                Err(fault) => {
                    self.first_fault.get_or_insert(fault.after(record.start));
                    continue;
                }
            }
            self.survey.rows += 1;
            of_block += 1;
            let (features, limit) = (self.names.len(), options.max_features);
            if features > limit.saturating_add(1 + options.ignore.len()) {
                let problem = Problem::TooManyFeatures { features, limit };
                return Err(Fault::new(record.start, problem));
            }
            check_not_sparse(of_block, self.names.len(), block)
                .map_err(|fault| fault.after(record.start))?;
        }
        Ok(())
    }

    fn add_row(&mut self, members: &[Member<'_>], counting: &Counting<'_>) -> Result<(), Fault> {
        let (mut before, row) = (None, self.survey.rows);
        let mut columns = Vec::with_capacity(members.len());
        for member in members {
            let column = self.place(&member.name, before);
            if self.seen[column].last > row {
                columns.iter().for_each(|&column: &usize| self.seen[column].last = 0);
                return Err(twice(member));
            }
            self.seen[column].last = row + 1;
            columns.push(column);
            before = Some(column);
        }
        for (member, column) in members.iter().zip(columns) {
            self.add_cell(member, column, counting);
        }
        Ok(())
    }

    fn add_cell(&mut self, member: &Member<'_>, column: usize, counting: &Counting<'_>) {
        let row = self.survey.rows;
        let seen = &mut self.seen[column];
        match member.value {
            Value::Nested => {
                seen.nested += 1;
                return;
            }
            Value::Text(_) => seen.texts += 1,
            Value::Null => seen.nulls += 1,
            Value::Number(_) | Value::Truth(_) => {}
        }
        if seen.cells < row && seen.first_absent.is_none() {
            seen.first_absent = Some(seen.cells);
        }
        seen.cells += 1;
        self.survey.add_cell(row, column, cell(Some(member)), counting);
    }

    /// Removes the columns without a value whose keys hold objects in other rows, and gives their names.
    pub(super) fn remove_empty_objects(&mut self) -> Vec<String> {
        let with_members: HashSet<&str> = self
            .names
            .iter()
            .flat_map(|name| name.match_indices('.').map(|(dot, _)| &name[..dot]))
            .collect();
        let is_empty = |column: &usize| {
            let Seen { cells, nulls, nested, .. } = self.seen[*column];
            cells == nulls && nested == 0 && with_members.contains(&*self.names[*column])
        };
        let empty: Vec<usize> = (0..self.names.len()).filter(is_empty).collect();
        empty.into_iter().rev().map(|column| self.remove(column)).collect()
    }

    fn remove(&mut self, column: usize) -> String {
        self.seen.remove(column);
        self.survey.columns.remove(column);
        self.names.remove(column)
    }

    /// Counts the cells that rows do not have.
    pub(super) fn count_absent(&mut self) {
        for (column, seen) in self.seen.iter().enumerate() {
            let absent = self.survey.rows - seen.cells;
            if absent > 0 {
                self.survey.add_absent(seen.first_absent.unwrap_or(seen.cells), column, absent);
            }
        }
    }

    /// Removes the columns that are mostly objects or lists, and the columns
    /// `row_names`, unless the options name them. Gives the names of the former.
    pub(super) fn finish(&mut self, row_names: &[String], options: &ReadOptions) -> LeftOut {
        let is_nested = |seen: &Seen| 2 * seen.nested > seen.cells + seen.nested - seen.nulls;
        let mut left_out = LeftOut::default();
        for column in (0..self.names.len()).rev() {
            let (name, is_nested) = (&self.names[column], is_nested(&self.seen[column]));
            if options.names_column(name) || !is_nested && !row_names.contains(name) {
                continue;
            }
            let list = if is_nested { &mut left_out.nested } else { &mut left_out.row_names };
            list.push(self.remove(column));
        }
        left_out.nested.reverse();
        left_out.row_names.reverse();
        left_out
    }

    /// Of these columns of numbers, those with numbers in quotes.
    pub(super) fn in_quotes(&self, columns: impl Iterator<Item = usize>) -> Vec<String> {
        let quoted = columns.filter(|&column| {
            self.seen[column].texts > 0 && self.survey.columns[column].texts == 0
        });
        quoted.map(|column| self.names[column].clone()).collect()
    }
}

/// The columns that are left out.
#[derive(Debug, Default, PartialEq)]
pub(super) struct LeftOut {
    /// Those of objects and lists.
    pub(super) nested: Vec<String>,
    /// Those that name the rows.
    pub(super) row_names: Vec<String>,
    /// Those of objects, of which the members are columns.
    pub(super) objects: Vec<String>,
}

impl LeftOut {
    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.nested.iter().chain(&self.row_names).chain(&self.objects)
    }

    pub(super) fn as_decisions(&self) -> Vec<LeftOutColumn> {
        let of = |columns: &[String], because| -> Vec<LeftOutColumn> {
            columns.iter().map(|column| LeftOutColumn { column: column.clone(), because }).collect()
        };
        let nested = of(&self.nested, LeftOutBecause::OtherType);
        nested.into_iter().chain(of(&self.row_names, LeftOutBecause::RowNames)).collect()
    }
}
