//! The cells of data for a model that the model knows no category for, or that another value stands in for.

use std::collections::BTreeMap;

use rosenblatt_data::{
    Filled, Note, NoteCode,
    encode::{CellPlace, Encoded},
    schema::{Columns, Inputs, Schema},
};

use crate::text::{counted, name};

/// The number of such cells of each column.
pub(super) struct CellCounts<'s> {
    schema: &'s Schema,
    unknown: Vec<u64>,
    filled: Vec<u64>,
}

impl<'s> CellCounts<'s> {
    pub(super) fn new(schema: &'s Schema) -> Self {
        let columns = columns(schema).map_or(0, |columns| columns.features.len());
        CellCounts { schema, unknown: vec![0; columns], filled: vec![0; columns] }
    }

    /// Counts the cells of a batch.
    pub(super) fn add(&mut self, encoded: &Encoded) {
        encoded.unknown.iter().for_each(|cell| self.unknown[cell.column] += 1);
        encoded.filled.iter().for_each(|cell| self.filled[cell.column] += 1);
    }

    /// The notes on the cells.
    pub(super) fn notes(&self) -> Vec<Note> {
        let filled = self.named(&self.filled);
        let filled: Vec<Filled> =
            filled.map(|(column, &cells)| Filled { column: column.to_owned(), cells }).collect();
        let unknown = self.named(&self.unknown).map(|(column, &cells)| {
            let (counted, shown) = (counted(cells, "cell"), name(column));
            let words = format!(
                "{counted} of `{shown}` with a category that is not in the training data: it gives no feature"
            );
            let note = Note::new(NoteCode::UnknownCategories, words);
            note.columns([&column.to_owned()]).count(cells)
        });
        Filled::notes(&filled, self.schema).into_iter().chain(unknown).collect()
    }

    /// The columns with a category that the model does not know, and how many cells have one.
    pub(super) fn unknown(&self) -> BTreeMap<String, u64> {
        self.named(&self.unknown).map(|(column, &cells)| (column.to_owned(), cells)).collect()
    }

    /// The columns with missing cells that another value stands in for, and how many there are.
    pub(super) fn filled(&self) -> BTreeMap<String, u64> {
        self.named(&self.filled).map(|(column, &cells)| (column.to_owned(), cells)).collect()
    }

    /// The names of the columns whose count is not 0, with their counts.
    fn named<'c>(
        &self,
        counts: &'c [u64],
    ) -> impl Iterator<Item = (&'s str, &'c u64)> + use<'s, 'c> {
        let features = columns(self.schema).map_or(&[][..], |columns| &columns.features);
        let named = features.iter().map(|column| column.name.as_str()).zip(counts);
        named.filter(|(_, count)| **count > 0)
    }
}

/// The columns of the cells of one row.
#[derive(Clone, Debug, Default)]
pub(super) struct RowCells {
    /// Those with a category that the model does not know.
    pub(super) unknown: Vec<String>,
    /// Those with a missing cell that another value stands in for.
    pub(super) filled: Vec<String>,
}

/// The cells of each row of a batch.
pub(super) fn by_row(schema: &Schema, encoded: &Encoded) -> Vec<RowCells> {
    let mut rows = vec![RowCells::default(); encoded.rows.len()];
    let Some(columns) = columns(schema) else { return rows };
    let name = |cell: &CellPlace| columns.features[cell.column].name.clone();
    encoded.unknown.iter().for_each(|cell| rows[cell.row].unknown.push(name(cell)));
    encoded.filled.iter().for_each(|cell| rows[cell.row].filled.push(name(cell)));
    rows
}

fn columns(schema: &Schema) -> Option<&Columns> {
    match &schema.inputs {
        Inputs::Columns(columns) => Some(columns),
        Inputs::Indexed { .. } => None,
    }
}
