//! Where the hyperplane lives: in the space of the features (`linear`), or in the space that a
//! [`Kernel`] implies (the dual form).
//!
//! In the space of the features the score of a row is `s = w·x + b`. In the dual form the weights are a
//! combination of rows, `w = Σ cⱼ φ(xⱼ)`, and the score is `s = Σ cⱼ K(xⱼ, x) + b`: once more a product
//! of stored numbers, of the coefficients with the kernel values. So its sign is exact in the same way
//! ([`exact`](crate::exact)), and a kernel value is the only thing that is rounded: in one fixed
//! order of its own ([`Kernel`]), whatever is computed beside it. What a score of 0 predicts is the model's
//! choice ([`ZeroScore`]).
//!
//! To add a space: a value that the training loop can walk through (`Space`) and the scores of
//! hyperplanes in it (`Scores`).

mod expanded;
mod hyperplane;
mod kernel;
mod linear;
mod machine;
mod narrow;
mod packed;
mod panel;
mod shares;
mod step;
mod strip;

pub use hyperplane::Hyperplane;
pub use kernel::{Kernel, UnknownKernel, inner_product};
pub use packed::{Packed, Support};

pub(crate) use expanded::Expanded;
pub(crate) use linear::{Linear, OnRows};
pub(crate) use machine::Machine;
pub(crate) use narrow::Made;
pub(crate) use panel::{GROUP, Known, for_each_group};
pub(crate) use shares::in_shares;
pub(crate) use step::{Step, along, part};

use std::cmp::Ordering;

use crate::{
    data::{Decision, Examples, Rows, Scheme, Sign, ZeroScore},
    exact::Radius,
    train::{Learner, Mistaken, Rates, Visit, WeightOverflow},
};

/// What a rule looks at: an example, whose scores are decided exactly.
pub(crate) trait Seen {
    /// How the score compares to `threshold`.
    fn compare(&self, plane: &Hyperplane, threshold: f64) -> Ordering;
    /// The score minus `threshold`, rounded once.
    fn score_beyond(&self, plane: &Hyperplane, threshold: f64) -> f64;
    /// `‖φ(x)‖² + extra`, rounded once.
    fn squared_norm(&self, extra: f64) -> f64;
    /// Whether φ(x) is 0.
    fn is_zero(&self) -> bool;
    /// An upper bound on ‖x‖, up to rounding; infinite when none is known.
    fn reach(&self) -> f64 {
        f64::INFINITY
    }
}

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

    /// The first row of `from..until` whose functional margin may not be beyond `least`, which is at least 0;
    /// `until` if there is none.
    fn untouched(
        &self,
        (plane, least): (usize, f64),
        examples: &Examples<'_>,
        (from, until): (usize, usize),
    ) -> usize {
        let _ = (plane, least, examples, until);
        from
    }

    /// A row of `from..until` whose functional margin may be 0 or not be beyond `least`, which is at most 0 (−∞ where
    /// that does not matter), and how many rows before it have a negative margin; `until` if there is no such row.
    fn count(
        &self,
        (plane, least): (usize, f64),
        examples: &Examples<'_>,
        (from, until): (usize, usize),
    ) -> (usize, usize) {
        let _ = (plane, least, examples, until);
        (from, 0)
    }

    /// So many rows that are looked at remain near.
    fn near(&self) -> usize {
        1 << 10
    }

    /// The predicted sign of one hyperplane.
    fn predict(&self, plane: usize, row: usize, zero: ZeroScore) -> Sign {
        zero.predicts(self.sign(plane, row))
    }

    /// The number of the class that the scores decide for.
    fn class(&self, by: Decision, row: usize) -> usize {
        match by.scheme {
            Scheme::Two { positive } => by.class_of_sign(positive, self.predict(0, row, by.zero)),
            Scheme::OneAgainstRest { .. } => self.highest(row),
        }
    }

    /// The first hyperplane of those with the highest score: only those that could be it are compared
    /// exactly.
    fn highest(&self, row: usize) -> usize {
        let bounds: Vec<(f64, f64)> =
            (0..self.planes()).map(|plane| self.bounds(plane, row)).collect();
        self.highest_of(&bounds, row)
    }

    /// The same where the bounds of all hyperplanes are known.
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

/// A hyperplane's length in its space: bounds, or twice the length rounded once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// What the training loop needs of a space with the training rows in it.
pub(crate) trait Space {
    /// The scores of hyperplanes of this space.
    type Scores<'s>: Scores
    where
        Self: 's;

    /// The number of weights of a hyperplane.
    fn dimension(&self) -> usize;

    /// The reach of the rows in this space.
    fn radius(&self) -> Radius;

    /// By how much, relative to ‖φ(x)‖·‖φ(z)‖, an inner product of the space is off: 0 where none is
    /// rounded.
    fn uncertainty(&self) -> f64;

    /// Called before the visits of `order[place]`, the examples of this epoch in their order.
    fn arrive(&mut self, order: &[usize], place: usize);

    /// The first place of `order`, all examples in their order in this epoch, from `from` on, and not after
    /// `until`, whose example may need a visit of the learner of
    /// hyperplane `plane`: all before it have functional margins beyond the one at which its rule rests.
    fn untouched(
        &mut self,
        (order, from, until): (&[usize], usize, usize),
        plane: usize,
        learner: &Learner,
        examples: &Examples<'_>,
    ) -> usize {
        let _ = (order, until, plane, learner, examples);
        from
    }

    /// Makes the visits at these places of `order` at once, by the one learner there is, up to the first that needs
    /// the ordinary way; nobody watches them. `None` where that way is as good for all.
    fn make_visits(
        &mut self,
        (order, from, until): (&[usize], usize, usize),
        learner: &mut Learner,
        examples: &Examples<'_>,
        rates: &Rates<'_>,
    ) -> Option<Made> {
        let _ = (order, from, until, learner, examples, rates);
        None
    }

    /// Shows an example to the learner of hyperplane `plane`.
    fn learn(
        &mut self,
        example: usize,
        plane: usize,
        learner: &mut Learner,
        visit: (Sign, f64),
    ) -> Result<Visit, WeightOverflow>;

    /// How the score of an example by the present weights of a learner compares to 0.
    fn compare(&mut self, example: usize, plane: usize, learner: &Learner) -> Ordering;

    /// The scores of hyperplanes on the training rows.
    fn scores<'s>(&'s self, planes: &'s [Hyperplane]) -> Self::Scores<'s>;

    /// The scores of the present weights, all learners', on the training rows; after
    /// [`settle`](Self::settle).
    fn present_scores<'s>(&'s self, planes: &'s [Hyperplane]) -> Self::Scores<'s>;

    /// Ends the visits: takes all updates into account.
    fn settle(&mut self);

    /// In the dual form, what a checkpoint holds beside the weights.
    fn mistaken(&self) -> Option<Mistaken> {
        None
    }

    /// Goes on from these rows and their coefficients.
    fn restore(&mut self, mistaken: &Mistaken, planes: &[&Hyperplane]) {
        let _ = (mistaken, planes);
    }

    /// In the dual form the training rows, and what is known of the kernel values of these examples with
    /// them.
    fn known(&self, examples: &[usize]) -> Option<(&Packed, &Known)> {
        let _ = examples;
        None
    }

    /// The scores of hyperplanes on other rows.
    fn scores_on<'s>(&'s self, planes: &'s [Hyperplane], rows: &'s Rows<'s>) -> Self::Scores<'s>;

    /// `‖(w, last)‖` of each hyperplane with its number of `lasts`.
    fn lengths(&self, planes: &[Hyperplane], lasts: &[f64]) -> Vec<Length>;
}
