//! The model: everything needed to classify a row as it stands in the data.

use crate::{
    data::{Classes, Row, Scaling, Sign},
    space::Hyperplane,
};

/// A trained linear classifier of two classes.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearModel {
    /// The kept weights, in the space of the scaled features.
    pub hyperplane: Hyperplane,
    /// The scaling that was fitted on the training rows, if any.
    pub scaling: Option<Scaling>,
    /// The names of the classes.
    pub classes: Classes,
}

impl LinearModel {
    /// The number of features.
    pub fn features(&self) -> usize {
        self.hyperplane.weights.len()
    }

    /// Something that classifies rows one after another.
    pub fn predictor(&self) -> Predictor<'_> {
        let keep_sparse = self.scaling.as_ref().is_none_or(|scaling| !scaling.shifts());
        Predictor { model: self, keep_sparse, buffer: Vec::new() }
    }
}

/// Classifies rows as they stand in the data, with one buffer for the scaled values.
#[derive(Clone, Debug)]
pub struct Predictor<'m> {
    model: &'m LinearModel,
    keep_sparse: bool,
    buffer: Vec<f64>,
}

impl Predictor<'_> {
    /// The score of an unscaled row, correctly rounded from the scaled values; `None` when scaling
    /// overflows. The features of the row must be below [`LinearModel::features`].
    pub fn score(&mut self, row: Row<'_>) -> Option<f64> {
        let hyperplane = &self.model.hyperplane;
        self.scaled(row).map(|row| hyperplane.score(row))
    }

    /// The class of an unscaled row, decided exactly; `None` when scaling overflows.
    pub fn predict(&mut self, row: Row<'_>) -> Option<Sign> {
        let hyperplane = &self.model.hyperplane;
        self.scaled(row).map(|row| hyperplane.predict(row))
    }

    fn scaled<'b>(&'b mut self, row: Row<'b>) -> Option<Row<'b>> {
        let Some(scaling) = &self.model.scaling else { return Some(row) };
        let row = scaling.row(row, self.keep_sparse, &mut self.buffer);
        let mut finite = true;
        row.for_each(|_, x| finite &= x.is_finite());
        finite.then_some(row)
    }
}
