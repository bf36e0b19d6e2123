//! The dual form: a hyperplane is a combination of training rows.

use std::{borrow::Cow, cmp::Ordering};

use super::{KernelScores, Space, SupportState, TrainingExample, kernel_scores::on_support};
use crate::{
    data::{Row, Rows, Values},
    exact,
    hyperplane::{Hyperplane, NormBounds},
    kernel::{CanonicalRows, Kernel, KernelCache, pair_value},
    radius::Radius,
    rules::ExampleView,
};

/// The training rows in the space of a kernel, and the supporting rows among them.
#[derive(Clone, Debug)]
pub(crate) struct DualSpace<'a> {
    pub(crate) kernel: Kernel,
    pub(crate) rows: &'a CanonicalRows,
    /// The number of hyperplanes.
    pub(crate) planes: usize,
    pub(crate) threads: usize,
    /// The rows that had an update, in the order of their first update.
    pub(crate) support: Vec<usize>,
    /// The place of each row in `support`.
    places: Vec<u32>,
    /// The number of updates for each hyperplane and supporting row.
    pub(crate) counts: Vec<Vec<u64>>,
}

const ABSENT: u32 = u32::MAX;

impl<'a> DualSpace<'a> {
    pub(crate) fn new(
        kernel: Kernel,
        rows: &'a CanonicalRows,
        planes: usize,
        threads: usize,
    ) -> Self {
        DualSpace {
            kernel,
            rows,
            planes,
            threads,
            support: Vec::new(),
            places: vec![ABSENT; rows.len()],
            counts: vec![Vec::new(); planes],
        }
    }

    /// The coordinate of a row: its place among the supporting rows, or the next free place before its first update.
    pub(crate) fn coordinate(&self, example: usize) -> u32 {
        match self.places[example] {
            ABSENT => self.support.len() as u32,
            place => place,
        }
    }

    /// Whether a row had an update.
    pub(crate) fn is_supporting(&self, example: usize) -> bool {
        self.places[example] != ABSENT
    }

    /// Counts an update along a row. Returns its coordinate.
    pub(crate) fn count_update(&mut self, example: usize, plane: usize) -> u32 {
        let place = self.coordinate(example);
        if !self.is_supporting(example) {
            self.places[example] = place;
            self.support.push(example);
            self.counts.iter_mut().for_each(|counts| counts.push(0));
        }
        self.counts[plane][place as usize] += 1;
        place
    }

    /// Restores the supporting rows of a checkpoint.
    pub(crate) fn restore_support(&mut self, state: &SupportState) {
        self.support.clone_from(&state.examples);
        self.places.fill(ABSENT);
        (0u32..).zip(&self.support).for_each(|(place, &row)| self.places[row] = place);
        self.counts.clone_from(&state.counts);
    }

    /// `K(x, x)` of an example.
    pub(crate) fn kernel_square(&self, example: usize) -> f64 {
        self.rows.kernel_square(self.kernel, example)
    }

    pub(crate) fn expand<'s>(
        &'s self,
        planes: &'s [Hyperplane],
        (rows, cache): (Cow<'s, CanonicalRows>, &KernelCache),
    ) -> KernelScores<'s> {
        let support = Cow::Owned(self.rows.select(&self.support));
        KernelScores::new(self.kernel, (support, cache), planes, rows, self.threads)
    }

    /// [`Space::norm_bounds`] with cached kernel values between the supporting rows.
    pub(crate) fn norm_bounds_with_cache(
        &self,
        planes: &[Hyperplane],
        bias_coordinates: &[f64],
        cache: &KernelCache,
    ) -> Vec<NormBounds> {
        let support = self.rows.select(&self.support);
        let scores = self.expand(planes, (Cow::Owned(support), cache));
        let length = |(plane, last): (usize, &f64)| {
            let (square, error) = scores.squared_length(plane);
            let weights = &planes[plane].weights;
            let sum: f64 = weights.iter().map(|weight| weight.abs()).sum();
            let unsure = self.uncertainty() * self.radius().square * sum * sum;
            let (square, error) = (square + last * last, (error + unsure) * 1.001);
            let error = error + 4.0 * f64::EPSILON * (square.abs() + last * last);
            // ∞ · 0, if the bound is infinite and all kernel values are 0.
            let error = if error.is_nan() { f64::INFINITY } else { error };
            NormBounds {
                low: (square - error).max(0.0).sqrt().next_down().max(0.0),
                high: (square + error).max(0.0).sqrt().next_up(),
            }
        };
        bias_coordinates.iter().enumerate().map(length).collect()
    }
}

/// An example with its kernel values with the supporting rows.
#[derive(Clone, Debug)]
pub(crate) struct DualExample {
    values: Vec<f64>,
    coordinate: [u32; 1],
    kernel_square: f64,
}

impl ExampleView for DualExample {
    fn compare(&self, hyperplane: &Hyperplane, threshold: f64) -> Ordering {
        let row = on_support(&self.values, &hyperplane.weights);
        exact::compare_score(&hyperplane.weights, hyperplane.bias, row, threshold)
    }

    fn score_beyond(&self, hyperplane: &Hyperplane, threshold: f64) -> f64 {
        let row = on_support(&self.values, &hyperplane.weights);
        exact::score_beyond(&hyperplane.weights, hyperplane.bias, row, threshold)
    }

    fn squared_norm(&self, extra: f64) -> f64 {
        self.kernel_square + extra
    }

    fn is_zero(&self) -> bool {
        self.kernel_square == 0.0
    }
}

impl TrainingExample for DualExample {
    fn direction(&self) -> Row<'_> {
        unit_row(&self.coordinate)
    }

    fn weights_needed(&self) -> usize {
        self.coordinate[0] as usize + 1
    }
}

/// The row with 1 in one coordinate.
pub(crate) fn unit_row(coordinate: &[u32; 1]) -> Row<'_> {
    Row::sparse(coordinate, Values::F64(&[1.0]))
}

impl Space for DualSpace<'_> {
    type Example<'s>
        = DualExample
    where
        Self: 's;
    type Scores<'s>
        = KernelScores<'s>
    where
        Self: 's;

    fn dimension(&self) -> usize {
        self.support.len()
    }

    fn radius(&self) -> Radius {
        let square = self.rows.largest(self.kernel);
        Radius { length: square.sqrt(), square }
    }

    fn uncertainty(&self) -> f64 {
        let squares = (0..self.rows.len()).map(|i| self.rows.square(i));
        let largest = squares.fold(0.0, f64::max);
        // If products underflow, no relative bound holds.
        if self.rows.largest(self.kernel) < 1e-280 {
            return f64::INFINITY;
        }
        self.kernel.uncertainty(self.rows.most_entries(), largest)
    }

    fn example(&mut self, example: usize, _: usize) -> DualExample {
        let value = |&row: &usize| pair_value(self.kernel, (self.rows, example), (self.rows, row));
        DualExample {
            values: self.support.iter().map(value).collect(),
            coordinate: [self.coordinate(example)],
            kernel_square: self.kernel_square(example),
        }
    }

    fn updated(&mut self, example: usize, plane: usize, _: f64) {
        self.count_update(example, plane);
    }

    fn compare(&mut self, example: usize, plane: usize, hyperplane: &Hyperplane) -> Ordering {
        self.example(example, plane).compare(hyperplane, 0.0)
    }

    fn scores<'s>(&'s self, planes: &'s [Hyperplane]) -> KernelScores<'s> {
        self.expand(planes, (Cow::Borrowed(self.rows), &[]))
    }

    fn support_state(&self) -> Option<SupportState> {
        Some(SupportState { examples: self.support.clone(), counts: self.counts.clone() })
    }

    fn restore(&mut self, state: &SupportState, _: &[&Hyperplane]) {
        self.restore_support(state);
    }

    fn cached_values(&self, _: &[usize]) -> Option<(&CanonicalRows, &KernelCache)> {
        Some((self.rows, &[]))
    }

    fn scores_on<'s>(&'s self, planes: &'s [Hyperplane], rows: &'s Rows<'s>) -> KernelScores<'s> {
        self.expand(planes, (Cow::Owned(CanonicalRows::new(rows)), &[]))
    }

    fn norm_bounds(&self, planes: &[Hyperplane], bias_coordinates: &[f64]) -> Vec<NormBounds> {
        self.norm_bounds_with_cache(planes, bias_coordinates, &[])
    }
}
