//! A whole file in memory.

use std::collections::HashSet;

use rosenblatt_core::data::{ClassError, Classes, Rows, Spellings};
use rosenblatt_proofs::Decimals;

use super::{
    batch::Labels,
    interactions::with_products,
    missing::learned,
    schema::{Inputs, Schema},
};
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
    /// The cell of each row in the column [`ReadOptions::id`](crate::ReadOptions::id), if there is one.
    pub ids: Vec<String>,
    /// How the numbers are written, if the options ask for it; `None` too where they are no decimals: those of binary files,
    /// times of a day, hashed products.
    pub decimals: Option<Decimals>,
    pub(crate) labels: Labels,
    /// The missing cells whose value is a mean or a median, row after row.
    pub(crate) missing: Vec<MissingNumber>,
    /// The check of rows that lie in a packed file.
    pub(crate) seal: Option<Seal>,
}

/// A missing cell of a column of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MissingNumber {
    pub(crate) row: usize,
    pub(crate) feature: usize,
}

impl Dataset {
    /// The data set with means and medians that follow from the examples at `places` alone, which stand in for missing
    /// numbers of all examples. `None`: they do not depend on the examples.
    pub fn filled_by(&self, places: &[usize]) -> Option<Dataset> {
        let Inputs::Columns(columns) = &self.schema.inputs else { return None };
        if self.missing.is_empty() {
            return None;
        }
        let mut values = vec![None; columns.own_features()];
        let mut schema = self.schema.clone();
        let mut first = 0;
        let Inputs::Columns(filled) = &mut schema.inputs else { return None };
        for (column, filled) in columns.features.iter().zip(&mut filled.features) {
            if let Some(missing) = filled.missing.as_mut().filter(|one| one.fill.is_learned()) {
                missing.value = learned(missing.fill, self.present_numbers(first, places));
                values[first] = Some(missing.value);
            }
            first += column.features();
        }
        let rows = with_products(self.with_missing(&values), &columns.products());
        Some(Dataset { rows, schema, decimals: None, ..self.clone() })
    }

    /// The numbers of a feature that are not missing, of the examples at `places`.
    fn present_numbers(&self, feature: usize, places: &[usize]) -> Vec<f64> {
        let of_feature = self.missing.iter().filter(|missing| missing.feature == feature);
        let missing: HashSet<usize> = of_feature.map(|missing| missing.row).collect();
        let number = |&place: &usize| {
            let mut number = 0.0;
            self.rows.row(place).for_each(|j, x| number = if j == feature { x } else { number });
            number
        };
        places.iter().filter(|place| !missing.contains(place)).map(number).collect()
    }

    /// The rows of the features of columns, with these values of features in their missing cells.
    fn with_missing(&self, values: &[Option<f64>]) -> Rows<'static> {
        let mut missing = self.missing.iter().peekable();
        let features = values.len();
        let (mut offsets, mut indices, mut stored) = (vec![0], Vec::new(), Vec::new());
        for (i, row) in self.rows.iter().enumerate() {
            let mut entries = Vec::new();
            row.for_each(|j, x| {
                if j < features {
                    entries.push((j, x));
                }
            });
            while let Some(cell) = missing.next_if(|missing| missing.row == i) {
                put(&mut entries, cell.feature, values[cell.feature].unwrap_or(0.0));
            }
            if self.rows.is_sparse() {
                entries.retain(|(_, value)| *value != 0.0);
                indices.extend(entries.iter().map(|(j, _)| *j as u32));
            }
            stored.extend(entries.iter().map(|(_, value)| *value));
            offsets.push(stored.len());
        }
        let rows = match self.rows.is_sparse() {
            true => Rows::sparse(offsets, indices, stored, features),
            false => Rows::dense(stored, features),
        };
        // Only finite numbers were replaced by others.
        #[allow(clippy::expect_used)]
        rows.expect("filled rows are rows")
    }

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

    /// Decides the classes by the examples at `places` alone, and gives the number of the class of each row: that of a row whose
    /// label none of them has is the number of classes.
    ///
    /// # Errors
    /// [`ClassError`], as for [`Self::classes`].
    pub fn classes_at(
        &self,
        positive: Option<&str>,
        places: &[usize],
    ) -> Result<(Classes, Vec<u32>), ClassError> {
        let Labels { codes, dictionary } = &self.labels;
        let mut counts = vec![0; dictionary.names().len()];
        places.iter().for_each(|&place| counts[codes[place] as usize] += 1);
        let found = dictionary.names().iter().cloned().zip(counts).filter(|(_, count)| *count > 0);
        let (labels, counts) = found.unzip();
        let (classes, _) = Spellings { labels, counts }.classes(positive)?;
        let number = |label: &String| classes.number(label).unwrap_or(classes.names().len()) as u32;
        let of_spelling: Vec<u32> = dictionary.names().iter().map(number).collect();
        let numbers = codes.iter().map(|&code| of_spelling[code as usize]).collect();
        Ok((classes, numbers))
    }

    /// The number of the label of each row, and the labels as spelt.
    pub fn into_labels(self) -> (Vec<u32>, Vec<String>) {
        let Labels { codes, dictionary } = self.labels;
        (codes, dictionary.names().to_vec())
    }
}

/// Sets the value of a feature among entries in ascending order.
fn put(entries: &mut Vec<(usize, f64)>, feature: usize, value: f64) {
    match entries.binary_search_by_key(&feature, |entry| entry.0) {
        Ok(at) => entries[at].1 = value,
        Err(at) => entries.insert(at, (feature, value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        MissingOption, MissingRule, Source,
        options::{FormatKind, ReadOptions},
        read::read,
    };

    fn dataset(text: &'static str, rule: MissingRule, indicator: bool) -> Dataset {
        let options = ReadOptions {
            format: Some(FormatKind::CSV),
            missing: vec![MissingOption { column: None, rule, indicator }],
            ..ReadOptions::default()
        };
        read(Source::stream("data", text.as_bytes()).unwrap(), &options).unwrap()
    }

    fn rows(rows: &Rows<'_>) -> Vec<Vec<(usize, f64)>> {
        let entries = |row: rosenblatt_core::data::Row<'_>| {
            let mut entries = Vec::new();
            row.for_each(|j, x| entries.push((j, x)));
            entries
        };
        rows.iter().map(entries).collect()
    }

    #[test]
    fn means_follow_from_the_chosen_examples() {
        let text = "a,b,c\n1,,x\n,4,y\n3,6,x\n8,NA,y\n";
        let all = dataset(text, MissingRule::Mean, true);
        let dense = |values: [f64; 4]| values.into_iter().enumerate().collect::<Vec<_>>();
        let first = [dense([1.0, 0.0, 5.0, 1.0]), dense([4.0, 1.0, 4.0, 0.0])];
        assert_eq!(rows(&all.rows)[..2], first);
        let names = ["a", "a is missing", "b", "b is missing"];
        assert_eq!(all.schema.feature_names(), names);
        let some = all.filled_by(&[0, 2, 3]).unwrap();
        let expected = [
            dense([1.0, 0.0, 6.0, 1.0]),
            dense([4.0, 1.0, 4.0, 0.0]),
            dense([3.0, 0.0, 6.0, 0.0]),
            dense([8.0, 0.0, 6.0, 1.0]),
        ];
        assert_eq!(rows(&some.rows), expected);
        assert!(dataset(text, MissingRule::Zero, false).filled_by(&[0]).is_none());
    }

    /// A filled cell of sparse rows may become 0, or cease to be.
    #[test]
    fn medians_of_sparse_rows() {
        let text = "a,k,c\n1,r,x\n,s,y\n-1,r,x\n,,y\n5,r,x\n";
        let all = dataset(text, MissingRule::Median, false);
        assert_eq!(rows(&all.rows)[1], [(0, 1.0), (3, 1.0)]);
        let some = all.filled_by(&[0, 2]).unwrap();
        assert_eq!(rows(&some.rows)[1], [(3, 1.0)]);
        let others = some.filled_by(&[4]).unwrap();
        assert_eq!(rows(&others.rows)[3], [(0, 5.0), (1, 1.0)]);
        assert_eq!(others.schema.feature_names(), ["a", "k=", "k=r", "k=s"]);
    }
}
