//! From rows as they stand in a file to rows of features.
//!
//! A column of numbers is one feature. A column of text is one feature for each category, in sorted
//! order, 1 for the row's category and 0 for the others (one-hot). A column whose words count is one
//! feature for each bucket of its hashed n-grams ([`Hashing`](crate::Hashing)). The products of columns
//! ([`Interaction`](super::schema::Interaction)) follow.

use std::collections::HashMap;

use rosenblatt_core::data::Rows;

use super::{
    batch::{Batch, Body},
    dictionary::Dictionary,
    interactions::{Products, with_products},
    rows::TableRows,
    schema::{Inputs, Missing, Schema},
};

/// Encodes batches for one schema.
#[derive(Debug)]
pub struct Encoder<'s> {
    schema: &'s Schema,
    /// For each feature column in order: its first feature, and what its cells are.
    columns: Vec<(usize, ColumnEncoding<'s>)>,
    products: Vec<Products>,
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
    /// The cells with a category that the schema does not know, in order of the rows; they give no feature.
    pub unknown: Vec<CellPlace>,
    /// The missing cells that the schema has a rule for, in order of the rows.
    pub filled: Vec<CellPlace>,
}

/// A cell of a column that is a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellPlace {
    /// The row in its batch, from 0.
    pub row: usize,
    /// The place of its column in [`Columns::features`](super::schema::Columns::features).
    pub column: usize,
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
        let products = match &schema.inputs {
            Inputs::Columns(columns) => columns.products(),
            Inputs::Indexed { .. } => Vec::new(),
        };
        Encoder { schema, columns, products }
    }

    /// The rows of a batch that was read with this schema.
    pub fn encode_batch(&self, batch: Batch) -> Encoded {
        let (filled, unknown) = match &batch.body {
            Body::Table(table) => (self.filled(table), self.unknown(table)),
            Body::Sparse { .. } | Body::Encoded(_) => (Vec::new(), Vec::new()),
        };
        Encoded { rows: self.encode(batch.body), unknown, filled }
    }

    pub(crate) fn encode(&self, body: Body) -> Rows<'static> {
        let features = match &self.schema.inputs {
            Inputs::Indexed { features } => *features,
            Inputs::Columns(columns) => columns.own_features(),
        };
        let rows = match body {
            Body::Sparse { offsets, indices, values, .. } => {
                Rows::sparse(offsets, indices, values, features)
            }
            Body::Table(table) if table.is_numbers() => {
                Rows::dense(self.dense(table.numbers), features)
            }
            Body::Table(table) => {
                let parts = self.sparse(&table);
                Rows::sparse(parts.offsets, parts.indices, parts.values, features)
            }
            Body::Encoded(rows) => return rows,
        };
        // Parsers give finite numbers in whole rows, and indices that ascend below `features`.
        #[allow(clippy::expect_used)]
        let rows = rows.expect("what a parser gives makes rows");
        with_products(rows, &self.products)
    }

    /// The missing cells of a table that the schema has a rule for. A missing category that it does not know counts as
    /// unknown.
    fn filled(&self, table: &TableRows) -> Vec<CellPlace> {
        let (mut numbers, mut categories) = (Vec::new(), Vec::new());
        for (column, (_, cells)) in self.columns.iter().enumerate() {
            match cells {
                ColumnEncoding::Numbers(_) => numbers.push(column),
                ColumnEncoding::Categories(known) => {
                    categories.push((column, known.contains_key("")));
                }
                ColumnEncoding::Text => {}
            }
        }
        // Without a rule for its column, a missing number is an error.
        let has_rule = self.columns.iter().any(|(_, cells)| cells.missing().is_some());
        let cells = if has_rule { table.numbers.as_slice() } else { &[] };
        let missing = cells.iter().enumerate().filter(|(_, number)| number.is_nan());
        let missing = missing
            .map(|(i, _)| CellPlace { row: i / numbers.len(), column: numbers[i % numbers.len()] });
        let is_empty = |(i, code): &(usize, &u32)| {
            let (place, dictionary) = (i % categories.len(), &table.categories);
            categories[place].1 && dictionary[place].names()[**code as usize].is_empty()
        };
        let empty = table.codes.iter().enumerate().filter(is_empty);
        let empty = empty.map(|(i, _)| CellPlace {
            row: i / categories.len(),
            column: categories[i % categories.len()].0,
        });
        let mut all: Vec<CellPlace> = missing.chain(empty).collect();
        all.sort_unstable_by_key(|cell| (cell.row, cell.column));
        all
    }

    /// The cells of a table with a category that the schema does not know.
    fn unknown(&self, table: &TableRows) -> Vec<CellPlace> {
        let known = self.known(table);
        let is_category =
            |cells: &ColumnEncoding<'_>| matches!(cells, ColumnEncoding::Categories(_));
        let columns = self.columns.iter().enumerate().filter(|(_, (_, cells))| is_category(cells));
        let columns: Vec<usize> = columns.map(|(column, _)| column).collect();
        let unknown =
            |&(i, code): &(usize, &u32)| known[i % columns.len()][*code as usize].is_none();
        let cells = table.codes.iter().enumerate().filter(unknown);
        cells
            .map(|(i, _)| CellPlace { row: i / columns.len(), column: columns[i % columns.len()] })
            .collect()
    }

    /// For each column of categories the number of each category of a table that the schema knows.
    fn known(&self, table: &TableRows) -> Vec<Vec<Option<u32>>> {
        let categories = self.columns.iter().filter_map(|(_, cells)| match cells {
            ColumnEncoding::Categories(known) => Some(known),
            ColumnEncoding::Numbers(_) | ColumnEncoding::Text => None,
        });
        let numbers = |(known, dictionary): (&HashMap<&str, u32>, &Dictionary)| {
            dictionary.names().iter().map(|name| known.get(name.as_str()).copied()).collect()
        };
        categories.zip(&table.categories).map(numbers).collect()
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
        let mut filled = Vec::with_capacity(2 * numbers.len());
        for (&number, rule) in numbers.iter().zip(rules.iter().cycle()) {
            let (value, indicator) = filled_in(number, *rule);
            filled.push(value);
            filled.extend(indicator);
        }
        filled
    }

    /// Rows with categories or text.
    fn sparse(&self, table: &TableRows) -> Csr {
        let known = self.known(table);
        let n_numbers = self.columns.len() - known.len() - table.texts.len();
        let mut csr = Csr::default();
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
                        if let Some(category) = category {
                            csr.push(first + category as usize, 1.0);
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
        csr
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
