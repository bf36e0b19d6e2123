//! AROW: adaptive regularization of weights, with a diagonal matrix.
//!
//! K. Crammer, A. Kulesza & M. Dredze, *Advances in Neural Information Processing Systems* 22, 2009. The weights have a
//! normal distribution with the mean w and the covariance Σ. If the hinge loss l = 1 − y·s is positive, w moves by α·y·Σx with
//! α = l/(x·Σx + r), and Σ⁻¹ becomes Σ⁻¹ + xxᵀ/r. Of this matrix only the diagonal is kept, as in Dredze, Crammer & Pereira,
//! *Confidence-weighted linear classification*, 2008; the other diagonal form keeps that of Σ itself. The paper's bound is
//! for the whole matrix and holds here only where every row has one feature at most.

use super::{
    Parameter, Precise, PreciseMove, Rule, Step, Update, passive_aggressive::MARGIN, precise,
};

pub(super) static RULE: Rule = Rule {
    name: "arow",
    label: "AROW",
    words: precise::WORDS,
    parameter: Some(Parameter::Regularization),
    step: Step::Own(|input, r, rate| {
        let step = input.hinge_loss()? / (input.variance() + noise(r, rate));
        Some(step).filter(|&step| step > 0.0)
    }),
    symbol: "α",
    precise: Some(&Arow),
    inactive_above: |_| MARGIN,
    ends_despite_updates: true,
    takes_learning_rate: false,
    keeps_last: true,
    takes_weights: true,
    novikoff: None,
    without_bound: Some(precise::WITHOUT_BOUND),
};

impl Update {
    /// If the hinge loss is positive, moves each weight by `α·y·x/a` for its precision a, and a by `x²/r`, r > 0. Every
    /// precision begins at 1.
    pub const fn arow(r: f64) -> Self {
        Update::new(&RULE, r)
    }
}

/// The r of an example: weights of classes and examples divide it. It is no smaller than a normal number, so that 0/r is
/// 0.
#[inline(always)]
fn noise(r: f64, rate: f64) -> f64 {
    (r / rate).max(f64::MIN_POSITIVE)
}

#[derive(Debug)]
struct Arow;

impl Precise for Arow {
    fn formulas(&self) -> [&'static str; 2] {
        ["w + α y x/a", "a + x²/r"]
    }

    fn first(&self, _: f64) -> f64 {
        1.0
    }

    #[inline(always)]
    fn moved(&self, (_, a): (f64, f64), (x, square): (f64, f64), by: PreciseMove) -> (f64, f64) {
        let precision = (a + square / noise(by.parameter, by.rate)).min(f64::MAX);
        (by.step * (x / a), precision)
    }
}
