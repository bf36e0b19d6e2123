//! The common part of second-order rules: a precision for each weight.

use std::fmt;

use crate::{
    data::Row,
    simd::elementwise::{ElementStep, element_wise, part},
};

/// The kind of the rules, for people.
pub(super) const WORDS: &str = "second-order, with a step of its own for each weight";

/// Why their runs have no bound by Novikoff's theorem.
pub(super) const WITHOUT_BOUND: &str = "Novikoff's theorem does not cover second-order updates";

/// A second-order rule. Each weight and the bias has a precision, a number > 0 that grows with the squares of its
/// entries. The more precise a weight is, the less it moves. The bias is the weight of a feature √B, and b is √B times
/// that weight, so that it moves as a weight with the entry B and the square B.
pub trait Precise: fmt::Debug + Sync {
    /// A moved weight w and its new precision a, from an entry x and the step, as formulas.
    fn formulas(&self) -> [&'static str; 2];

    /// The precision of every weight before its first update, from the parameter.
    fn first(&self, parameter: f64) -> f64;

    /// By how much a weight moves, and its new precision, from the weight and its precision, and from an entry and its
    /// square. An entry 0 changes nothing.
    fn moved(&self, weight: (f64, f64), entry: (f64, f64), by: PreciseMove) -> (f64, f64);

    /// Moves the weights along a row, element by element.
    fn move_row(
        &self,
        row: Row<'_>,
        weights: &mut [f64],
        precisions: &mut [f64],
        by: PreciseMove,
    ) -> Moved {
        let mut all = Moved { squares: 0.0, largest: 0.0, finite: true };
        element_wise(row, MoveRow { rule: self, weights, precisions, by, all: &mut all });
        all
    }
}

/// Moves the weights along a row.
struct MoveRow<'m, P: ?Sized> {
    rule: &'m P,
    weights: &'m mut [f64],
    precisions: &'m mut [f64],
    by: PreciseMove,
    all: &'m mut Moved,
}

impl<P: Precise + ?Sized> ElementStep for MoveRow<'_, P> {
    #[inline(always)]
    fn chunk<const N: usize>(&mut self, at: usize, x: [f64; N]) {
        let (Some(weights), Some(precisions)) =
            (part::<f64, N>(self.weights, at), part::<f64, N>(self.precisions, at))
        else {
            return;
        };
        // In steps over all lanes, so that each is one operation of a register.
        let (mut moves, mut after) = ([0.0; N], [0.0; N]);
        for lane in 0..N {
            let entry = (x[lane], x[lane] * x[lane]);
            (moves[lane], after[lane]) =
                self.rule.moved((weights[lane], precisions[lane]), entry, self.by);
        }
        *precisions = after;
        for lane in 0..N {
            weights[lane] += moves[lane];
        }
        let all = &mut *self.all;
        for moved in moves {
            all.squares += moved * moved;
            all.largest = all.largest.max(moved.abs());
        }
        all.finite &= weights.iter().fold(true, |finite, weight| finite & weight.is_finite());
    }
}

/// The moves of the weights along a row.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// The sum of their squares; infinite where a square is too large.
    pub squares: f64,
    /// The largest of their sizes.
    pub largest: f64,
    /// Whether all moved weights are finite.
    pub finite: bool,
}

/// The numbers of an update that all weights share.
#[derive(Clone, Copy, Debug)]
pub struct PreciseMove {
    /// The step with the sign of the example.
    pub step: f64,
    /// The weights of the example and its class.
    pub rate: f64,
    /// The parameter of the rule.
    pub parameter: f64,
}
