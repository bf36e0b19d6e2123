//! The space of the hyperplane: feature space, or the space of a [`Kernel`] (the dual form).
//!
//! In feature space the score of a row is `s = w·x + b`. In the dual form the weights are a combination of rows, `w = Σ
//! cⱼ φ(xⱼ)`, and the score is `s = Σ cⱼ K(xⱼ, x) + b`: again a product of stored numbers, of the coefficients with the
//! kernel values. So its sign is exact in the same way ([`exact`](crate::exact)). Only kernel values are rounded, in
//! one fixed order ([`Kernel`]). The model's [`ZeroScore`] gives the prediction of a score of 0.
//!
//! A new space implements `Space`, from which the training loop gets its examples, and `Scores`.

mod dual;
mod kernel_scores;
mod primal;
mod support_state;

pub(crate) use dual::DualSpace;
#[cfg(feature = "fast")]
pub(crate) use dual::unit_row;
pub(crate) use kernel_scores::KernelScores;
#[cfg(feature = "fast")]
pub(crate) use kernel_scores::on_support;
pub(crate) use primal::{LinearScores, PrimalSpace};
pub use support_state::SupportState;

pub use crate::{
    hyperplane::Hyperplane,
    kernel::{CanonicalRows, Kernel, Support, UnknownKernel, inner_product},
};

use std::{cell::OnceCell, cmp::Ordering};

use crate::{
    data::{Decision, Row, Rows, Scheme, Sign, ZeroScore},
    hyperplane::NormBounds,
    kernel::KernelCache,
    radius::Radius,
    rules::ExampleView,
};

/// The scores of several hyperplanes on several rows.
pub(crate) trait Scores {
    /// The number of hyperplanes.
    fn planes(&self) -> usize;
    /// A lower and an upper bound of a score; infinite if unknown.
    fn bounds(&self, plane: usize, row: usize) -> (f64, f64);
    /// The sign of a score.
    fn sign(&self, plane: usize, row: usize) -> Ordering;
    /// The score rounded once.
    fn score(&self, plane: usize, row: usize) -> f64;
    /// Compares the score of the first hyperplane with that of the second.
    fn compare(&self, first: usize, second: usize, row: usize) -> Ordering;

    /// The hyperplanes and rows, if the scores are those of feature space.
    fn linear(&self) -> Option<&LinearScores<'_>> {
        None
    }

    /// The predicted sign of one hyperplane.
    fn predict(&self, plane: usize, row: usize, zero: ZeroScore) -> Sign {
        zero.predicts(self.sign(plane, row))
    }

    /// The number of the predicted class.
    fn class(&self, by: Decision, row: usize) -> usize {
        match by.scheme {
            Scheme::Two { positive } => by.class_of_sign(positive, self.predict(0, row, by.zero)),
            Scheme::OneVsRest { .. } => self.highest(row),
        }
    }

    /// The first hyperplane with the highest score. Only hyperplanes that could have it are compared exactly.
    fn highest(&self, row: usize) -> usize {
        self.highest_of(&self.all_bounds(row), row)
    }

    /// The bounds of the scores of a row by all hyperplanes.
    fn all_bounds(&self, row: usize) -> Vec<(f64, f64)> {
        (0..self.planes()).map(|plane| self.bounds(plane, row)).collect()
    }

    /// As [`highest`](Self::highest), from bounds of the scores of all hyperplanes.
    fn highest_of(&self, bounds: &[(f64, f64)], row: usize) -> usize {
        let least = bounds.iter().fold(f64::NEG_INFINITY, |least, bound| least.max(bound.0));
        let mut possible = (0..bounds.len()).filter(|&plane| bounds[plane].1 >= least);
        let first = possible.next().unwrap_or(0);
        possible.fold(first, |best, plane| match self.compare(plane, best, row) {
            Ordering::Greater => plane,
            _ => best,
        })
    }
}

/// An example in the training loop.
pub(crate) trait TrainingExample: ExampleView {
    /// The row along which an update moves the weights.
    fn direction(&self) -> Row<'_>;

    /// The number of weights that a hyperplane needs for an update along the example.
    fn weights_needed(&self) -> usize;
}

/// The training rows in the space of a run.
pub(crate) trait Space {
    /// An example of this space.
    type Example<'s>: TrainingExample
    where
        Self: 's;
    /// The scores of hyperplanes of this space.
    type Scores<'s>: Scores
    where
        Self: 's;

    /// The number of weights of a hyperplane.
    fn dimension(&self) -> usize;

    /// The largest norm of a row in this space.
    fn radius(&self) -> Radius;

    /// The error of an inner product of the space, relative to ‖φ(x)‖·‖φ(z)‖; 0 without rounding.
    fn uncertainty(&self) -> f64;

    /// Announces the visits of an epoch: all hyperplanes visit the examples in this order.
    fn begin_epoch(&mut self, order: &[usize]) {
        let _ = order;
    }

    /// The example of the current visit of hyperplane `plane`.
    fn example(&mut self, example: usize, plane: usize) -> Self::Example<'_>;

    /// Records the update of this visit; `step` has the sign of the example.
    fn updated(&mut self, example: usize, plane: usize, step: f64) {
        let _ = (example, plane, step);
    }

    /// Compares the score of an example under the current weights of hyperplane `plane` with 0.
    fn compare(&mut self, example: usize, plane: usize, hyperplane: &Hyperplane) -> Ordering;

    /// The scores of hyperplanes on the training rows.
    fn scores<'s>(&'s self, planes: &'s [Hyperplane]) -> Self::Scores<'s>;

    /// The scores of the current weights of all learners on the training rows. Call [`end_visits`](Self::end_visits)
    /// first.
    fn current_scores<'s>(&'s self, planes: &'s [Hyperplane]) -> Self::Scores<'s> {
        self.scores(planes)
    }

    /// Ends the visits of the run, or for now.
    fn end_visits(&mut self) {}

    /// In the dual form, the supporting rows for a checkpoint.
    fn support_state(&self) -> Option<SupportState> {
        None
    }

    /// Restores these supporting rows and their coefficients.
    fn restore(&mut self, state: &SupportState, planes: &[&Hyperplane]) {
        let _ = (state, planes);
    }

    /// In the dual form, the training rows and the cached kernel values of these examples with them.
    fn cached_values(&self, examples: &[usize]) -> Option<(&CanonicalRows, &KernelCache)> {
        let _ = examples;
        None
    }

    /// The number of threads that may work.
    fn threads(&self) -> usize {
        1
    }

    /// In feature space, the radius of the rows once it is computed.
    fn feature_radius(&self) -> Option<&OnceCell<Radius>> {
        None
    }

    /// The scores of hyperplanes on other rows.
    fn scores_on<'s>(&'s self, planes: &'s [Hyperplane], rows: &'s Rows<'s>) -> Self::Scores<'s>;

    /// `‖(w, last)‖` of each hyperplane, where `last` is its entry of `bias_coordinates`.
    fn norm_bounds(&self, planes: &[Hyperplane], bias_coordinates: &[f64]) -> Vec<NormBounds>;
}
