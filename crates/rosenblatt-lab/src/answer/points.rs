//! The points of a question as examples.

use rosenblatt_core::{
    data::{Examples, Labelled, Rows, Scheme, Sign},
    space::Hyperplane,
};

use super::Refusal;
use crate::question::Points;

/// Rows with their signs.
pub(super) struct PointSet {
    rows: Rows<'static>,
    signs: Vec<Sign>,
    /// The class of each row: 0 is −1, 1 is +1.
    classes: Vec<u32>,
}

impl PointSet {
    pub(super) fn new(points: &Points) -> Result<Self, Refusal> {
        let rows = rows(&points.rows, None)?;
        same("signs", points.signs.len(), points.rows.len())?;
        let sign = |(i, &sign): (usize, &i8)| match sign {
            1 => Ok(Sign::Plus),
            -1 => Ok(Sign::Minus),
            other => Err(Refusal::Mismatch {
                what: format!("points.signs[{i}]"),
                found: other.to_string(),
                expected: "1 or -1".to_owned(),
            }),
        };
        let signs: Vec<Sign> =
            points.signs.iter().enumerate().map(sign).collect::<Result<_, _>>()?;
        let classes = signs.iter().map(|&sign| u32::from(sign == Sign::Plus)).collect();
        Ok(PointSet { rows, signs, classes })
    }

    pub(super) fn examples(&self) -> Result<Examples<'_>, Refusal> {
        Ok(Examples::new(&self.rows, &self.signs)?)
    }

    pub(super) fn labelled(&self) -> Result<Labelled<'_>, Refusal> {
        Ok(Labelled::new(&self.rows, &self.classes, Scheme::Two { positive: 1 })?)
    }
}

/// Rows of one length, which is `features` if that is given.
pub(super) fn rows(rows: &[Vec<f64>], features: Option<usize>) -> Result<Rows<'static>, Refusal> {
    let features = features.unwrap_or_else(|| rows.first().map_or(0, Vec::len));
    at_most("rows", rows.len(), Points::MOST)?;
    at_most("features", features, Points::MOST_FEATURES)?;
    at_most("values", rows.len() * features, Points::MOST_VALUES)?;
    for (i, row) in rows.iter().enumerate() {
        same(&format!("rows[{i}]"), row.len(), features)?;
    }
    Ok(Rows::dense(rows.concat(), features)?)
}

/// Weights and bias, which a question has in one list.
pub(super) fn hyperplane(
    what: &str,
    numbers: &[f64],
    features: usize,
) -> Result<Hyperplane, Refusal> {
    same(what, numbers.len(), features + 1)?;
    let (weights, bias) = numbers.split_at(features);
    Ok(Hyperplane { weights: weights.to_vec(), bias: bias[0] })
}

/// Refuses lists that are too long for a page.
pub(super) fn at_most(what: &'static str, found: usize, most: usize) -> Result<(), Refusal> {
    if found <= most { Ok(()) } else { Err(Refusal::TooMuch { what, found, most }) }
}

/// Refuses lists whose lengths differ.
pub(super) fn same(what: &str, found: usize, expected: usize) -> Result<(), Refusal> {
    if found == expected {
        return Ok(());
    }
    Err(Refusal::Mismatch {
        what: what.to_owned(),
        found: format!("{found} of them"),
        expected: expected.to_string(),
    })
}
