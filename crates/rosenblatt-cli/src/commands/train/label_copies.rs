//! Columns that are probably the label in another form, or alone tell it.

use std::collections::HashSet;

use rosenblatt::recipe::Part;
use rosenblatt_core::validation::{self, TellingFeature};
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

/// The columns that alone nearly decide the label, by their number or by one of their categories, with the AUC of each;
/// without those that are the label.
pub(super) fn telling_columns(
    part: &Part<'_>,
    schema: &Schema,
    copies: &[String],
) -> Vec<(String, f64)> {
    let Inputs::Columns(columns) = &schema.inputs else { return Vec::new() };
    let mut found: Vec<(String, f64)> = Vec::new();
    for TellingFeature { feature, auc } in validation::telling_features(part.rows(), part.numbers())
    {
        let mut end = 0;
        let of_feature = |column: &&Column| {
            end += column.features();
            feature < end
        };
        let Some(column) = columns.features.iter().find(of_feature) else { continue };
        let is_told =
            copies.contains(&column.name) || found.iter().any(|(name, _)| *name == column.name);
        found.extend((!is_told).then(|| (column.name.clone(), auc)));
    }
    found
}
