//! From rows as they stand in a file to rows of features.
//!
//! A column of numbers is one feature. A column of text is one feature for each category, in sorted
//! order, 1 for the row's category and 0 for the others (one-hot).

use std::collections::HashMap;

use rosenblatt::data::Rows;

use crate::{
    batch::{Batch, Body},
    dictionary::Dictionary,
    schema::{Inputs, Schema},
};

/// Encodes batches for one schema.
#[derive(Debug)]
pub struct Encoder<'s> {
    schema: &'s Schema,
    /// For each feature column in order: its first feature, and its categories if it has any.
    columns: Vec<(usize, Option<HashMap<&'s str, u32>>)>,
}

/// Encoded rows.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The rows; sparse when there are categories.
    pub rows: Rows<'static>,
    /// How many cells held a category that the schema does not know; they give no feature.
    pub unknown_categories: u64,
}

impl<'s> Encoder<'s> {
    /// An encoder for the features of `schema`.
    pub fn new(schema: &'s Schema) -> Self {
        let mut columns = Vec::new();
        let mut first = 0;
        if let Inputs::Columns(of_table) = &schema.inputs {
            for column in &of_table.features {
                let numbered = column
                    .categories
                    .as_ref()
                    .map(|categories| categories.iter().map(String::as_str).zip(0u32..).collect());
                columns.push((first, numbered));
                first += column.features();
            }
        }
        Encoder { schema, columns }
    }

    /// The rows of a batch that was read with this schema.
    pub fn encode_batch(&self, batch: Batch) -> Encoded {
        self.encode(batch.body)
    }

    pub(crate) fn encode(&self, body: Body) -> Encoded {
        let features = self.schema.features();
        let (rows, unknown_categories) = match body {
            Body::Sparse { offsets, indices, values, .. } => {
                (Rows::sparse(offsets, indices, values, features), 0)
            }
            Body::Table { numbers, categories, .. } if categories.is_empty() => {
                (Rows::dense(numbers, features), 0)
            }
            Body::Table { rows, numbers, codes, categories } => {
                let (parts, unknown) = self.one_hot(rows, &numbers, &codes, &categories);
                (Rows::sparse(parts.offsets, parts.indices, parts.values, features), unknown)
            }
        };
        // Parsers give finite numbers in whole rows, and indices that ascend below `features`.
        #[allow(clippy::expect_used)]
        let rows = rows.expect("what a parser gives makes rows");
        Encoded { rows, unknown_categories }
    }

    fn one_hot(
        &self,
        rows: usize,
        numbers: &[f64],
        codes: &[u32],
        categories: &[Dictionary],
    ) -> (Csr, u64) {
        let text_columns = self.columns.iter().filter_map(|(_, known)| known.as_ref());
        let known: Vec<Vec<Option<u32>>> = text_columns
            .zip(categories)
            .map(|(known, dictionary)| {
                dictionary.names().iter().map(|name| known.get(name.as_str()).copied()).collect()
            })
            .collect();
        let (n_text, n_numbers) = (known.len(), self.columns.len() - known.len());
        let (mut csr, mut unknown) = (Csr::default(), 0);
        for row in 0..rows {
            let mut cells = numbers[row * n_numbers..][..n_numbers].iter();
            let mut codes = codes[row * n_text..][..n_text].iter().zip(&known);
            for (first, text) in &self.columns {
                if text.is_none() {
                    cells.next().into_iter().for_each(|&value| csr.push(*first, value));
                } else if let Some((&code, known)) = codes.next() {
                    match known[code as usize] {
                        Some(category) => csr.push(first + category as usize, 1.0),
                        None => unknown += 1,
                    }
                }
            }
            csr.end_row();
        }
        (csr, unknown)
    }
}

/// A growing sparse matrix.
struct Csr {
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Default for Csr {
    fn default() -> Self {
        Csr { offsets: vec![0], indices: Vec::new(), values: Vec::new() }
    }
}

impl Csr {
    fn push(&mut self, feature: usize, value: f64) {
        if value != 0.0 {
            self.indices.push(feature as u32);
            self.values.push(value);
        }
    }

    fn end_row(&mut self) {
        self.offsets.push(self.values.len());
    }
}
