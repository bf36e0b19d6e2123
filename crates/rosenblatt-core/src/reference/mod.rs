//! The definition of a run: the perceptron and its relatives, in the shortest code that states them.
//!
//! This module defines the numbers that the engine computes. The rest of the engine computes the same bits, faster,
//! and the tests compare the two. Nothing here is fast: a run visits one example at a time and stores every
//! hyperplane. Read [`rule`] first, then [`primal`], [`keep`] and [`dual`].
//!
//! # Notation
//! | symbol | here | meaning |
//! |---|---|---|
//! | x, y | [`Example::x`], [`Example::sign`] | the features and the class, +1 or −1 |
//! | w, b | [`Hyperplane`] | the weights and the bias |
//! | s = w·x + b | [`Example::score_sign`] | the score |
//! | y·s | [`Example::margin_beyond`] | the functional margin |
//! | ηᵢ | [`Example::rate`] | learning rate η × weight of the class × weight of the example ([`rates`]), divided by t or √t in epoch t if the rate falls ([`Settings::decay`]) |
//! | τ | [`rule::step`] | the step of an update: w ← w + y·τ·x, b ← b + y·τ·B; [`second_order`] moves each weight by its own part, and [`penalty`] makes weights smaller |
//! | B | [`Settings::bias_unit`] | 1, 0 for no bias, or R² with R = max‖x‖ ([`primal::squared_radius`]) |
//! | ε | [`Settings::allow_mistakes`] | an epoch with 1 to ε mistakes ends the run, as a clean epoch does |
//! | wₜ, bₜ | [`RecordedVisit::after`] | the weights and the bias after visit t |
//!
//! # The orders
//! A run visits all examples in every epoch, in a given order for each. By the order `mistaken` an epoch counts the mistakes of
//! the weights as they are and visits one of these, if there are more than ε: [`primal::train_on_mistakes`],
//! [`dual::train_on_mistakes`]. So its weights after an epoch with at most ε mistakes make just these.
//!
//! # Arithmetic
//! Scores and margins are sums without rounding ([`Accumulator`]), so every decision is that of real arithmetic.
//! Weights are `f64`: an update rounds each product y·τ·xⱼ and each sum wⱼ + y·τ·xⱼ to the nearest number. A number
//! past the range of `f64` is an error in the engine; here the next score that reads it panics.
//!
//! # The lectures
//! All lectures of `docs/lectures` teach [`primal::train`] and differ in its arguments:
//!
//! | lecture | initial weights | orders | mistake | B | last epoch |
//! |---|---|---|---|---|---|
//! | Varner | random | as given | y·s ≤ 0 | 1 | at most ε mistakes, or `maxiter` + 1 epochs |
//! | Lauer | 0 | as given | label | 1 or 0 | no mistake, or a maximum |
//! | Shalizi | 0 | as given | label | R² | no mistake |
//! | DSC 255 | 0 | shuffled | y·s ≤ 0 or label | 1 | no mistake, or a maximum |
//! | Carson | 0 | as given | y·s ≤ 0 | 1 | T epochs |
//!
//! DSC 255 also names the pocket ([`keep::pocket`]), the average ([`primal::average`]), the vote and kernels ([`dual`]).
//!
//! # Example
//! AND from zero, in the order 00, 01, 10, 11: 18 updates in nine epochs, the last of them without mistakes. Varner's
//! page works each visit by hand.
//! ```
//! use rosenblatt_core::{data::Sign::{Minus, Plus}, space::Hyperplane};
//! use rosenblatt_core::reference::{Settings, primal};
//!
//! let rows = [vec![0.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0], vec![1.0, 1.0]];
//! let examples = primal::examples(&rows, &[Minus, Minus, Minus, Plus], &[1.0; 4]);
//! let orders = vec![vec![0, 1, 2, 3]; 1000];
//! let run = primal::train(&examples, &Hyperplane::zero(2), &Settings::default(), &orders);
//! assert_eq!(run.last(), &Hyperplane { weights: vec![3.0, 2.0], bias: -4.0 });
//! assert_eq!((run.updates().count(), run.mistakes_per_epoch()), (18, vec![2, 3, 3, 2, 2, 3, 2, 1, 0]));
//! assert!(run.converged);
//! ```
//!
//! # Not defined here
//! The orders of the epochs, the choice of one mistake and random initial weights come from [`schedule`](crate::schedule). More than two classes
//! are learned together ([`joint`]), or each class has a hyperplane and its own signs: all hyperplanes then visit an
//! example before the next one, and the run ends when their mistakes together allow it. On large data the engine tries
//! fewer weights for the pocket
//! ([`TrialBudget`](crate::keep::TrialBudget)).

pub mod dual;
pub mod joint;
pub mod keep;
pub mod penalty;
pub mod primal;
pub mod rule;
mod run;
pub mod second_order;

pub use run::{Choose, RecordedVisit, RunHistory};

use std::cmp::Ordering;

use crate::{
    data::{Sign, ZeroScore},
    exact::Accumulator,
    hyperplane::Hyperplane,
    options::Decay,
    rules::{Mistake, Update},
};

/// The settings of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// When and how far the weights move.
    pub update: Update,
    /// When a visit is a mistake.
    pub mistake: Mistake,
    /// The class that a score of 0 predicts.
    pub zero: ZeroScore,
    /// B, the factor of the bias's step.
    pub bias_unit: f64,
    /// How all learning rates fall from epoch to epoch, if they do.
    pub decay: Option<Decay>,
    /// The change of the weights by a penalty at each visit.
    pub penalty: Option<penalty::Shrinkage>,
    /// ε: an epoch with mistakes, but at most this many, ends the run.
    pub allow_mistakes: u64,
}

impl Settings {
    /// The divisor of all learning rates in an epoch, counted from 1.
    fn divisor(&self, epoch: u64) -> f64 {
        self.decay.map_or(1.0, |decay| decay.divisor(epoch))
    }
}

impl Default for Settings {
    /// Rosenblatt's rule on y·s ≤ 0, with B = 1, until an epoch without mistakes. A score of 0 predicts +1.
    fn default() -> Self {
        Settings {
            update: Update::PERCEPTRON,
            mistake: Mistake::Margin,
            zero: ZeroScore::Positive,
            bias_unit: 1.0,
            decay: None,
            penalty: None,
            allow_mistakes: 0,
        }
    }
}

/// An example (x, y) and its learning rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// In feature space the row of features. In the dual form the kernel values K(x₁, x), …, K(xₙ, x) of the row with
    /// every training row.
    pub x: Vec<f64>,
    /// y.
    pub sign: Sign,
    /// η, in the first epoch.
    pub rate: f64,
}

impl Example {
    /// y·(w·x + b) − m, without rounding.
    ///
    /// w = (3, 2), b = −4, x = (1, 0), y = −1: the score is −1, so y·s = 1.
    /// ```
    /// use rosenblatt_core::{data::Sign, reference::Example, space::Hyperplane};
    /// let now = Hyperplane { weights: vec![3.0, 2.0], bias: -4.0 };
    /// let example = Example { x: vec![1.0, 0.0], sign: Sign::Minus, rate: 1.0 };
    /// assert_eq!(example.margin_beyond(0.0, &now).rounded(), 1.0);
    /// assert!(example.margin_beyond(1.0, &now).sign().is_eq());
    /// ```
    pub fn margin_beyond(&self, m: f64, now: &Hyperplane) -> Accumulator {
        let mut sum = Accumulator::new();
        for (&w, &x) in now.weights.iter().zip(&self.x) {
            sum.add_product(self.sign * w, x);
        }
        sum.add(self.sign * now.bias);
        sum.add(-m);
        sum
    }

    /// Compares the score s = w·x + b with 0. In the dual form s = Σ cⱼK(xⱼ, x) + b.
    pub fn score_sign(&self, now: &Hyperplane) -> Ordering {
        let margin = self.margin_beyond(0.0, now).sign();
        if self.sign == Sign::Plus { margin } else { margin.reverse() }
    }
}

/// The rate of each example: η · (weight of its class) · (its own weight). `class_weights` are those of −1 and +1.
///
/// ```
/// use rosenblatt_core::{data::Sign::{Minus, Plus}, reference::rates};
/// assert_eq!(rates(0.5, [1.0, 4.0], &[Plus, Minus], &[2.0, 3.0]), [4.0, 1.5]);
/// ```
pub fn rates(eta: f64, class_weights: [f64; 2], signs: &[Sign], weights: &[f64]) -> Vec<f64> {
    let of_class = |sign: Sign| class_weights[usize::from(sign == Sign::Plus)];
    signs.iter().zip(weights).map(|(&sign, weight)| eta * of_class(sign) * weight).collect()
}
