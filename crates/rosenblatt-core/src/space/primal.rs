//! Feature space: one weight per feature.

use std::{cell::OnceCell, cmp::Ordering};

use super::{Scores, Space, TrainingExample};
#[cfg(feature = "fast")]
use crate::fast::ScorePanel;
use crate::{
    data::{Row, Rows},
    exact,
    hyperplane::{Hyperplane, NormBounds},
    radius::Radius,
    rules::ExampleView,
};

impl ExampleView for Row<'_> {
    #[inline]
    fn compare(&self, hyperplane: &Hyperplane, threshold: f64) -> Ordering {
        exact::compare_score(&hyperplane.weights, hyperplane.bias, *self, threshold)
    }

    fn score_beyond(&self, hyperplane: &Hyperplane, threshold: f64) -> f64 {
        exact::score_beyond(&hyperplane.weights, hyperplane.bias, *self, threshold)
    }

    fn squared_norm(&self, extra: f64) -> f64 {
        exact::squared_row_norm(*self, extra)
    }

    fn is_zero(&self) -> bool {
        let mut zero = true;
        self.for_each(|_, x| zero &= x == 0.0);
        zero
    }
}

impl TrainingExample for Row<'_> {
    fn direction(&self) -> Row<'_> {
        *self
    }

    fn weights_needed(&self) -> usize {
        0
    }
}

/// The training rows without a mapping.
#[derive(Clone, Debug)]
pub(crate) struct PrimalSpace<'a> {
    rows: &'a Rows<'a>,
    radius: OnceCell<Radius>,
    threads: usize,
}

impl<'a> PrimalSpace<'a> {
    pub(crate) fn new(rows: &'a Rows<'a>) -> Self {
        PrimalSpace { rows, radius: OnceCell::new(), threads: 1 }
    }

    /// Lets this many threads work.
    pub(crate) fn with_threads(self, threads: usize) -> Self {
        PrimalSpace { threads, ..self }
    }
}

impl Space for PrimalSpace<'_> {
    type Example<'s>
        = Row<'s>
    where
        Self: 's;
    type Scores<'s>
        = LinearScores<'s>
    where
        Self: 's;

    fn dimension(&self) -> usize {
        self.rows.features()
    }

    fn radius(&self) -> Radius {
        *self.radius.get_or_init(|| crate::radius::radius(self.rows))
    }

    fn uncertainty(&self) -> f64 {
        0.0
    }

    fn example(&mut self, example: usize, _: usize) -> Row<'_> {
        self.rows.row(example)
    }

    fn compare(&mut self, example: usize, _: usize, hyperplane: &Hyperplane) -> Ordering {
        hyperplane.unchecked_sign(self.rows.row(example))
    }

    fn scores<'s>(&'s self, planes: &'s [Hyperplane]) -> LinearScores<'s> {
        LinearScores::within(planes, self.rows, self.radius().length)
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn feature_radius(&self) -> Option<&OnceCell<Radius>> {
        Some(&self.radius)
    }

    fn scores_on<'s>(&'s self, planes: &'s [Hyperplane], rows: &'s Rows<'s>) -> LinearScores<'s> {
        LinearScores::new(planes, rows)
    }

    fn norm_bounds(&self, planes: &[Hyperplane], bias_coordinates: &[f64]) -> Vec<NormBounds> {
        planes
            .iter()
            .zip(bias_coordinates)
            .map(|(plane, &last)| plane.norm_bounds_with(last))
            .collect()
    }
}

/// The scores of hyperplanes on rows, each computed on request.
#[derive(Clone, Debug)]
pub(crate) struct LinearScores<'a> {
    planes: &'a [Hyperplane],
    rows: &'a Rows<'a>,
    /// For each hyperplane an upper bound on ‖w‖·‖x‖ of all rows, up to rounding; infinite if unknown.
    norm_products: Vec<f64>,
    /// All hyperplanes together, where that is faster; made when the highest score is first asked for.
    #[cfg(feature = "fast")]
    panel: OnceCell<Option<ScorePanel>>,
}

impl<'a> LinearScores<'a> {
    pub(crate) fn new(planes: &'a [Hyperplane], rows: &'a Rows<'a>) -> Self {
        let norm_products = vec![f64::INFINITY; planes.len()];
        LinearScores {
            planes,
            rows,
            norm_products,
            #[cfg(feature = "fast")]
            panel: OnceCell::new(),
        }
    }

    /// The scores on rows whose radius is known.
    fn within(planes: &'a [Hyperplane], rows: &'a Rows<'a>, radius: f64) -> Self {
        let norm_products = planes.iter().map(|plane| plane.norm() * radius).collect();
        LinearScores { norm_products, ..Self::new(planes, rows) }
    }

    #[cfg(feature = "fast")]
    pub(crate) fn hyperplane(&self, plane: usize) -> &Hyperplane {
        &self.planes[plane]
    }

    #[cfg(feature = "fast")]
    pub(crate) fn norm_product(&self, plane: usize) -> f64 {
        self.norm_products[plane]
    }
}

impl Scores for LinearScores<'_> {
    fn planes(&self) -> usize {
        self.planes.len()
    }

    fn bounds(&self, plane: usize, row: usize) -> (f64, f64) {
        let Hyperplane { weights, bias } = &self.planes[plane];
        let row = self.rows.row(row);
        let lengths = self.norm_products[plane];
        let (low, high) = match lengths < f64::INFINITY {
            true => exact::score_bounds_within(weights, *bias, row, lengths),
            false => (f64::NEG_INFINITY, f64::INFINITY),
        };
        if low > 0.0 || high < 0.0 { (low, high) } else { exact::score_bounds(weights, *bias, row) }
    }

    fn sign(&self, plane: usize, row: usize) -> Ordering {
        self.planes[plane].unchecked_sign(self.rows.row(row))
    }

    fn score(&self, plane: usize, row: usize) -> f64 {
        self.planes[plane].unchecked_score(self.rows.row(row))
    }

    fn compare(&self, first: usize, second: usize, row: usize) -> Ordering {
        let of = |plane: usize| (self.planes[plane].weights.as_slice(), self.planes[plane].bias);
        exact::compare_two_scores(of(first), of(second), self.rows.row(row))
    }

    #[cfg(feature = "fast")]
    fn all_bounds(&self, row: usize) -> Vec<(f64, f64)> {
        let make = || ScorePanel::for_rows(self.planes, self.rows.len());
        let Some(panel) = self.panel.get_or_init(make) else {
            return (0..self.planes()).map(|plane| self.bounds(plane, row)).collect();
        };
        panel.bounds(self.rows.row(row))
    }

    fn linear(&self) -> Option<&LinearScores<'_>> {
        Some(self)
    }
}
