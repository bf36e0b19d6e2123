//! A whole file in memory.

use rosenblatt::data::{ClassError, Classes, Rows};

use super::{batch::Labels, schema::Schema};
use crate::{mapped_file::Seal, notes::Notes, read_error::ReadError};

/// Rows, labels and how they were read.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The name of the file in messages.
    pub file: String,
    /// The rows, in the order of the file.
    pub rows: Rows<'static>,
    /// How a file becomes such rows.
    pub schema: Schema,
    /// The notes of reading.
    pub notes: Notes,
    pub(crate) labels: Labels,
    /// The check of rows that lie in a packed file.
    pub(crate) seal: Option<Seal>,
}

impl Dataset {
    /// Checks that the rows are still those that were read: rows of a packed file lie in it, where another program
    /// can write. Call it before anything is printed or written that was learned from them. Cost: for such rows a
    /// pass over them, else nothing.
    ///
    /// # Errors
    /// [`ReadError::Changed`].
    pub fn check_unchanged(&self) -> Result<(), ReadError> {
        self.seal.as_ref().map_or(Ok(()), Seal::check)
    }

    /// Decides the classes and gives the number of the class of each row.
    ///
    /// # Errors
    /// [`ClassError`] when there are fewer than two classes, or too many.
    pub fn classes(&self, positive: Option<&str>) -> Result<(Classes, Vec<u32>), ClassError> {
        let Labels { codes, dictionary } = &self.labels;
        let (classes, of_spelling) = dictionary.spellings().classes(positive)?;
        let numbers = codes.iter().map(|&code| of_spelling[code as usize]).collect();
        Ok((classes, numbers))
    }

    /// The number of the label of each row, and the labels as spelt.
    pub fn into_labels(self) -> (Vec<u32>, Vec<String>) {
        let Labels { codes, dictionary } = self.labels;
        (codes, dictionary.names().to_vec())
    }
}
