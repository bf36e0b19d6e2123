//! Where the hyperplane lives: in feature space, or in the space that a [`Kernel`] implies (the
//! dual form).
//!
//! In feature space the score of a row is `s = w·x + b`. In the dual form the weights are a
//! combination of rows, `w = Σ cⱼ φ(xⱼ)`, and the score is `s = Σ cⱼ K(xⱼ, x) + b`: again a product
//! of stored numbers, of the coefficients with the kernel values. So its sign is exact in the same way
//! ([`exact`](crate::exact)), and a kernel value is the only thing that is rounded, in one fixed
//! order ([`Kernel`]). What a score of 0 predicts is the model's choice ([`ZeroScore`]).
//!
//! A new space implements `Space`, which the training loop asks for examples, and `Scores`.

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
    exact::Radius,
    hyperplane::NormBounds,
    kernel::KernelCache,
    rules::ExampleView,
};

/// The scores of some hyperplanes on some rows.
pub(crate) trait Scores {
    /// The number of hyperplanes.
    fn planes(&self) -> usize;
    /// A lower and an upper bound of a score, infinite where nothing is known.
    fn bounds(&self, plane: usize, row: usize) -> (f64, f64);
    /// The sign of a score.
    fn sign(&self, plane: usize, row: usize) -> Ordering;
    /// The score rounded once.
    fn score(&self, plane: usize, row: usize) -> f64;
    /// How the score of the first hyperplane compares to that of the second.
    fn compare(&self, first: usize, second: usize, row: usize) -> Ordering;

    /// The hyperplanes and rows, where the scores are those of feature space.
    fn linear(&self) -> Option<&LinearScores<'_>> {
        None
    }

    /// The predicted sign of one hyperplane.
    fn predict(&self, plane: usize, row: usize, zero: ZeroScore) -> Sign {
        zero.predicts(self.sign(plane, row))
    }

    /// The number of the class that the scores decide for.
    fn class(&self, by: Decision, row: usize) -> usize {
        match by.scheme {
            Scheme::Two { positive } => by.class_of_sign(positive, self.predict(0, row, by.zero)),
            Scheme::OneVsRest { .. } => self.highest(row),
        }
    }

    /// The first hyperplane of those with the highest score: only those that could be it are compared
    /// exactly.
    fn highest(&self, row: usize) -> usize {
        let bounds: Vec<(f64, f64)> =
            (0..self.planes()).map(|plane| self.bounds(plane, row)).collect();
        self.highest_of(&bounds, row)
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

/// An example as the training loop meets it.
pub(crate) trait TrainingExample: ExampleView {
    /// The row along which an update moves the weights.
    fn direction(&self) -> Row<'_>;

    /// The number of weights that a hyperplane needs for that; more have been there before.
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

    /// By how much, relative to ‖φ(x)‖·‖φ(z)‖, an inner product of the space is off: 0 where none is
    /// rounded.
    fn uncertainty(&self) -> f64;

    /// Announces the visits of an epoch: all hyperplanes visit the examples in this order.
    fn begin_epoch(&mut self, order: &[usize]) {
        let _ = order;
    }

    /// The example that hyperplane `plane` visits now.
    fn example(&mut self, example: usize, plane: usize) -> Self::Example<'_>;

    /// Takes in the update that this visit made; `step` has the sign of the example.
    fn updated(&mut self, example: usize, plane: usize, step: f64) {
        let _ = (example, plane, step);
    }

    /// How the score of an example by the present weights of hyperplane `plane` compares to 0.
    fn compare(&mut self, example: usize, plane: usize, hyperplane: &Hyperplane) -> Ordering;

    /// The scores of hyperplanes on the training rows.
    fn scores<'s>(&'s self, planes: &'s [Hyperplane]) -> Self::Scores<'s>;

    /// The scores of the present weights, all learners', on the training rows; after
    /// [`end_visits`](Self::end_visits).
    fn present_scores<'s>(&'s self, planes: &'s [Hyperplane]) -> Self::Scores<'s> {
        self.scores(planes)
    }

    /// Ends the visits of the run.
    fn end_visits(&mut self) {}

    /// In the dual form, what a checkpoint holds beside the weights.
    fn support_state(&self) -> Option<SupportState> {
        None
    }

    /// Resumes from these rows and their coefficients.
    fn restore(&mut self, state: &SupportState, planes: &[&Hyperplane]) {
        let _ = (state, planes);
    }

    /// In the dual form the training rows, and the kernel values of these examples with them that are kept.
    fn kept_values(&self, examples: &[usize]) -> Option<(&CanonicalRows, &KernelCache)> {
        let _ = examples;
        None
    }

    /// In feature space, the radius of the rows once it is known.
    fn feature_radius(&self) -> Option<&OnceCell<Radius>> {
        None
    }

    /// The scores of hyperplanes on other rows.
    fn scores_on<'s>(&'s self, planes: &'s [Hyperplane], rows: &'s Rows<'s>) -> Self::Scores<'s>;

    /// `‖(w, last)‖` of each hyperplane with its number of `bias_coordinates`.
    fn norm_bounds(&self, planes: &[Hyperplane], bias_coordinates: &[f64]) -> Vec<NormBounds>;
}
