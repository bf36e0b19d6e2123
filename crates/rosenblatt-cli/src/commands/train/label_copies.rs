//! Columns that are probably the label in another form.

use std::collections::HashSet;

use rosenblatt::recipe::Part;
use rosenblatt_core::validation;
use rosenblatt_data::schema::{Column, Inputs, Schema};

/// The columns of numbers that are probably the label.
pub(super) fn label_copies(part: &Part<'_>, schema: &Schema) -> Vec<String> {
    let Inputs::Columns(columns) = &schema.inputs else { return Vec::new() };
    let (features, names) =
        (validation::label_copies(part.rows(), part.numbers()), schema.feature_names());
    let is_number = |column: &&Column| column.categories.is_none() && column.words.is_none();
    let numbers: HashSet<&str> =
        columns.features.iter().filter(is_number).map(|column| column.name.as_str()).collect();
    let named = features.into_iter().map(|feature| names[feature].clone());
    named.filter(|name| numbers.contains(name.as_str())).collect()
}
