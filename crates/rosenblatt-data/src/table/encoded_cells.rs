//! The cells of data for a model that the model knows no category for, or that another value stands in for.

use std::collections::BTreeMap;

use super::{
    encode::Encoded,
    schema::{Inputs, Schema},
};
use crate::{
    note::{Note, NoteCode},
    notes::Filled,
    text::{counted, name},
};

/// The number of such cells of each column.
#[derive(Clone, Debug)]
pub struct EncodedCells<'s> {
    schema: &'s Schema,
    unknown: Vec<u64>,
    filled: Vec<u64>,
}

impl<'s> EncodedCells<'s> {
    /// No cells yet of data that is read by `schema`.
    pub fn new(schema: &'s Schema) -> Self {
        let columns = match &schema.inputs {
            Inputs::Columns(columns) => columns.features.len(),
            Inputs::Indexed { .. } => 0,
        };
        EncodedCells { schema, unknown: vec![0; columns], filled: vec![0; columns] }
    }

    /// Counts the cells of a batch.
    pub fn add(&mut self, encoded: &Encoded) {
        encoded.unknown.iter().for_each(|cell| self.unknown[cell.column] += 1);
        encoded.filled.iter().for_each(|cell| self.filled[cell.column] += 1);
    }

    /// The notes on the cells.
    pub fn notes(&self) -> Vec<Note> {
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
    pub fn unknown(&self) -> BTreeMap<String, u64> {
        self.named(&self.unknown).map(|(column, &cells)| (column.to_owned(), cells)).collect()
    }

    /// The columns with missing cells that another value stands in for, and how many there are.
    pub fn filled(&self) -> BTreeMap<String, u64> {
        self.named(&self.filled).map(|(column, &cells)| (column.to_owned(), cells)).collect()
    }

    /// The names of the columns whose count is not 0, with their counts.
    fn named<'c>(
        &self,
        counts: &'c [u64],
    ) -> impl Iterator<Item = (&'s str, &'c u64)> + use<'s, 'c> {
        let features = match &self.schema.inputs {
            Inputs::Columns(columns) => columns.features.as_slice(),
            Inputs::Indexed { .. } => &[],
        };
        let named = features.iter().map(|column| column.name.as_str()).zip(counts);
        named.filter(|(_, count)| **count > 0)
    }
}
