//! Features that are probably the label in another form.

use crate::data::{Row, Rows, Values};

/// The features with one value in all examples of a class, and another value in each class. Sparse rows have
/// none, and in few rows it may be chance.
///
/// Cost: one pass over the rows while such a feature is left.
pub fn label_copies(rows: &Rows<'_>, numbers: &[u32]) -> Vec<usize> {
    const FEW: usize = 20;
    if rows.len() < FEW {
        return Vec::new();
    }
    let mut left: Vec<usize> = (0..rows.features()).collect();
    let mut first_of_class: Vec<Option<Row<'_>>> = Vec::new();
    for (row, &class) in rows.iter().zip(numbers) {
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
    if first_of_class.iter().flatten().count() < 2 { Vec::new() } else { left }
}

/// A value of a dense row.
fn value(row: Row<'_>, feature: usize) -> f64 {
    match row.values() {
        Values::F64(values) => values[feature],
        Values::F32(values) => values[feature].into(),
    }
}
