//! Columns that are probably the label in another form.

use std::collections::HashSet;

use rosenblatt_core::data::{Row, Values};
use rosenblatt_data::schema::{Column, Columns, Inputs, Schema};

use super::context::Part;

/// The columns of numbers with one value in all examples of a class, and another value in each class. Sparse rows have
/// none, and in few rows it may be chance. The cost is one pass over the rows while such a column is left.
pub(super) fn label_copies(part: &Part<'_>, schema: &Schema) -> Vec<String> {
    const FEW: usize = 20;
    let Inputs::Columns(columns) = &schema.inputs else { return Vec::new() };
    if part.rows.len() < FEW {
        return Vec::new();
    }
    let mut left: Vec<usize> = (0..part.rows.features()).collect();
    let mut first_of_class: Vec<Option<Row<'_>>> = Vec::new();
    for (row, &class) in part.rows.iter().zip(&part.classes) {
        let class = class as usize;
        if row.indices().is_some() || left.is_empty() {
            return Vec::new();
        }
        if first_of_class.len() <= class {
            first_of_class.resize(class + 1, None);
        }
        if let Some(first) = first_of_class[class] {
            left.retain(|&feature| value(row, feature) == value(first, feature));
            continue;
        }
        let others = first_of_class.iter().flatten();
        left.retain(|&feature| {
            others.clone().all(|&other| value(row, feature) != value(other, feature))
        });
        first_of_class[class] = Some(row);
    }
    if first_of_class.iter().flatten().count() < 2 {
        return Vec::new();
    }
    named(&left, columns, &schema.feature_names())
}

/// The names of those features that are columns of numbers.
fn named(features: &[usize], columns: &Columns, names: &[String]) -> Vec<String> {
    let is_number = |column: &&Column| column.categories.is_none() && column.words.is_none();
    let numbers: HashSet<&str> =
        columns.features.iter().filter(is_number).map(|column| column.name.as_str()).collect();
    let named = features.iter().map(|&feature| names[feature].clone());
    named.filter(|name| numbers.contains(name.as_str())).collect()
}

/// A value of a dense row.
fn value(row: Row<'_>, feature: usize) -> f64 {
    match row.values() {
        Values::F64(values) => values[feature],
        Values::F32(values) => values[feature].into(),
    }
}
