//! From rows as they stand in a file to rows of features.
//!
//! A column of numbers is one feature. A column of text is one feature for each category, in sorted
//! order, 1 for the row's category and 0 for the others (one-hot). A column whose words count is one
//! feature for each bucket of its hashed n-grams ([`Hashing`](crate::Hashing)).

use std::collections::HashMap;

use rosenblatt::data::Rows;

use super::{
    batch::{Batch, Body},
    rows::TableRows,
    schema::{Inputs, Missing, Schema},
};

/// Encodes batches for one schema.
#[derive(Debug)]
pub struct Encoder<'s> {
    schema: &'s Schema,
    /// For each feature column in order: its first feature, and what its cells are.
    columns: Vec<(usize, ColumnEncoding<'s>)>,
}

#[derive(Debug)]
enum ColumnEncoding<'s> {
    /// The rule for missing numbers.
    Numbers(Option<Missing>),
    /// The number of each category.
    Categories(HashMap<&'s str, u32>),
    Text,
}

impl ColumnEncoding<'_> {
    fn missing(&self) -> Option<Missing> {
        match self {
            ColumnEncoding::Numbers(missing) => *missing,
            ColumnEncoding::Categories(_) | ColumnEncoding::Text => None,
        }
    }
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
                let cells = match (&column.words, &column.categories) {
                    (Some(_), _) => ColumnEncoding::Text,
                    (None, Some(names)) => ColumnEncoding::Categories(
                        names.iter().map(String::as_str).zip(0u32..).collect(),
                    ),
                    (None, None) => ColumnEncoding::Numbers(column.missing),
                };
                columns.push((first, cells));
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
            Body::Table(table) if table.is_numbers() => {
                (Rows::dense(self.dense(table.numbers), features), 0)
            }
            Body::Table(table) => {
                let (parts, unknown) = self.sparse(&table);
                (Rows::sparse(parts.offsets, parts.indices, parts.values, features), unknown)
            }
            Body::Encoded(rows) => return Encoded { rows, unknown_categories: 0 },
        };
        // Parsers give finite numbers in whole rows, and indices that ascend below `features`.
        #[allow(clippy::expect_used)]
        let rows = rows.expect("what a parser gives makes rows");
        Encoded { rows, unknown_categories }
    }

    /// Rows of numbers, whose missing cells are filled.
    fn dense(&self, mut numbers: Vec<f64>) -> Vec<f64> {
        let rules: Vec<Option<Missing>> =
            self.columns.iter().map(|(_, encoding)| encoding.missing()).collect();
        if rules.iter().all(Option::is_none) {
            return numbers;
        }
        if !rules.iter().flatten().any(|missing| missing.indicator) {
            let all = numbers.iter_mut().zip(rules.iter().cycle());
            all.for_each(|(number, rule)| *number = filled_in(*number, *rule).0);
            return numbers;
        }
        let mut filled = Vec::with_capacity(numbers.len() / rules.len() * self.schema.features());
        for (&number, rule) in numbers.iter().zip(rules.iter().cycle()) {
            let (value, indicator) = filled_in(number, *rule);
            filled.push(value);
            filled.extend(indicator);
        }
        filled
    }

    /// Rows with categories or text, and how many categories are unknown.
    fn sparse(&self, table: &TableRows) -> (Csr, u64) {
        let known: Vec<Vec<Option<u32>>> = self
            .columns
            .iter()
            .filter_map(|(_, cells)| match cells {
                ColumnEncoding::Categories(known) => Some(known),
                ColumnEncoding::Numbers(_) | ColumnEncoding::Text => None,
            })
            .zip(&table.categories)
            .map(|(known, dictionary)| {
                dictionary.names().iter().map(|name| known.get(name.as_str()).copied()).collect()
            })
            .collect();
        let n_numbers = self.columns.len() - known.len() - table.texts.len();
        let (mut csr, mut unknown) = (Csr::default(), 0);
        for row in 0..table.rows {
            let mut numbers = table.numbers[row * n_numbers..][..n_numbers].iter();
            let mut codes = table.codes[row * known.len()..][..known.len()].iter().zip(&known);
            let mut texts = table.texts.iter();
            for (first, cells) in &self.columns {
                match cells {
                    ColumnEncoding::Numbers(rule) => {
                        if let Some(&number) = numbers.next() {
                            let (value, indicator) = filled_in(number, *rule);
                            csr.push(*first, value);
                            csr.push(first + 1, indicator.unwrap_or(0.0));
                        }
                    }
                    ColumnEncoding::Categories(_) => {
                        let category = codes.next().and_then(|(&code, known)| known[code as usize]);
                        match category {
                            Some(category) => csr.push(first + category as usize, 1.0),
                            None => unknown += 1,
                        }
                    }
                    ColumnEncoding::Text => {
                        for (bucket, value) in
                            texts.next().into_iter().flat_map(|text| text.row(row))
                        {
                            csr.push(first + bucket as usize, value);
                        }
                    }
                }
            }
            csr.end_row();
        }
        (csr, unknown)
    }
}

/// The value of a number, or what stands in for a missing one; and the indicator, if the column has one.
fn filled_in(number: f64, rule: Option<Missing>) -> (f64, Option<f64>) {
    let Some(missing) = rule else { return (number, None) };
    let is_missing = number.is_nan();
    let value = if is_missing { missing.value } else { number };
    (value, missing.indicator.then_some(if is_missing { 1.0 } else { 0.0 }))
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
