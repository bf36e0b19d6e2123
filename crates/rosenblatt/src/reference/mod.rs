//! The definition of a run: the perceptron and its relatives, in the shortest code that states them.
//!
//! This module says which numbers the engine computes. The rest of the engine computes these numbers faster, to the
//! last bit, and the tests compare the two. Nothing here is fast: a run visits one example at a time and writes every
//! hyperplane down. Read [`rule`] first, then [`primal`], [`dual`] and [`keep`].
//!
//! # Notation
//! | symbol | here | meaning |
//! |---|---|---|
//! | x, y | [`Example::x`], [`Example::sign`] | the features and the class, +1 or −1 |
//! | w, b | [`Hyperplane`] | the weights and the bias |
//! | s = w·x + b | [`Example::score_sign`] | the score |
//! | y·s | [`Example::margin_beyond`] | the functional margin |
//! | η | [`Example::rate`] | learning rate × weight of the class × weight of the example ([`rates`]) |
//! | τ | [`rule::step`] | the step of an update: w ← w + y·τ·x, b ← b + y·τ·B |
//! | B | [`Settings::bias_unit`] | 1, 0 for no bias, or R² with R = max‖x‖ ([`primal::squared_radius`]) |
//! | ε | [`Settings::allow_mistakes`] | an epoch with at most ε mistakes ends the run |
//! | wₜ, bₜ | [`Visit::after`] | the weights and the bias after visit t |
//!
//! # Arithmetic
//! Scores and margins are sums without rounding ([`Accumulator`]), so every decision is that of real arithmetic.
//! Weights are `f64`: an update rounds each product y·τ·xⱼ and each sum wⱼ + y·τ·xⱼ to the nearest number. A number
//! past the range of `f64` panics here; in the engine it is an error.
//!
//! # The lectures
//! All lectures of `docs/lectures` teach [`primal::train`] and differ in its arguments:
//!
//! | lecture | first weights | orders | mistake | B | last epoch |
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
//! AND from zero, in the order 00, 01, 10, 11: 18 updates in nine epochs, the last of them without a mistake. Varner's
//! page works each visit by hand.
//! ```
//! use rosenblatt::{data::Sign::{Minus, Plus}, space::Hyperplane};
//! use rosenblatt::reference::{Settings, primal};
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
//! The orders of the epochs and random first weights come from [`schedule`](crate::schedule). With more than two
//! classes each class has a hyperplane and its own signs, all hyperplanes visit an example before the next one comes,
//! and the run ends when their mistakes together allow it. On large data the engine tries fewer weights for the pocket
//! ([`TrialBudget`](crate::keep::TrialBudget)).

pub mod dual;
pub mod keep;
pub mod primal;
pub mod rule;

use std::cmp::Ordering;

use crate::{
    data::{Sign, ZeroScore},
    exact::Accumulator,
    space::Hyperplane,
    update::{Mistake, Update},
};

/// The choices of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// When, and how far, the weights move.
    pub update: Update,
    /// When a visit is a mistake.
    pub mistake: Mistake,
    /// The class that a score of 0 predicts.
    pub zero: ZeroScore,
    /// B, the factor of the bias's step.
    pub bias_unit: f64,
    /// ε, the number of mistakes that an epoch may have to be the last.
    pub allow_mistakes: u64,
}

impl Default for Settings {
    /// Rosenblatt's rule on y·s ≤ 0, with B = 1, until an epoch without a mistake. A score of 0 predicts +1.
    fn default() -> Self {
        Settings {
            update: Update::Perceptron,
            mistake: Mistake::Margin,
            zero: ZeroScore::Positive,
            bias_unit: 1.0,
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
    /// η.
    pub rate: f64,
}

impl Example {
    /// y·(w·x + b) − m, without rounding.
    ///
    /// w = (3, 2), b = −4, x = (1, 0), y = −1: the score is −1, so y·s = 1.
    /// ```
    /// use rosenblatt::{data::Sign, reference::Example, space::Hyperplane};
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

    /// How the score s = w·x + b compares to 0. In the dual form s = Σ cⱼK(xⱼ, x) + b.
    pub fn score_sign(&self, now: &Hyperplane) -> Ordering {
        let margin = self.margin_beyond(0.0, now).sign();
        if self.sign == Sign::Plus { margin } else { margin.reverse() }
    }
}

/// The rate of each example: η · (weight of its class) · (its own weight). `class_weights` are those of −1 and +1.
///
/// ```
/// use rosenblatt::{data::Sign::{Minus, Plus}, reference::rates};
/// assert_eq!(rates(0.5, [1.0, 4.0], &[Plus, Minus], &[2.0, 3.0]), [4.0, 1.5]);
/// ```
pub fn rates(eta: f64, class_weights: [f64; 2], signs: &[Sign], weights: &[f64]) -> Vec<f64> {
    let of_class = |sign: Sign| class_weights[usize::from(sign == Sign::Plus)];
    signs.iter().zip(weights).map(|(&sign, weight)| eta * of_class(sign) * weight).collect()
}

/// One visit of an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    /// The number of the example, from 0.
    pub example: usize,
    /// Whether the visit was a mistake.
    pub mistake: bool,
    /// y·τ; none where the weights stay.
    pub step: Option<f64>,
    /// The hyperplane after the visit.
    pub after: Hyperplane,
}

impl Visit {
    /// The visit of example `i` before its update: the decisions of the rules, where `square` is ‖x‖².
    fn decided(
        examples: &[Example],
        i: usize,
        now: &Hyperplane,
        square: f64,
        settings: &Settings,
    ) -> Self {
        let example = &examples[i];
        let score = example.score_sign(now);
        let mistake = rule::is_mistake(settings.mistake, score, example.sign, settings.zero);
        let step = rule::step(example, now, square, settings).map(|step| example.sign * step);
        Visit { example: i, mistake, step, after: now.clone() }
    }
}

/// All visits of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The hyperplane before the first visit.
    pub first: Hyperplane,
    /// The visits of each epoch.
    pub epochs: Vec<Vec<Visit>>,
    /// Whether the last epoch was clean: no visit of it was a mistake. With the margin rule no visit of it was an
    /// update either.
    pub converged: bool,
}

impl Run {
    /// All visits in their order; [`Visit::after`] is the sequence w₁, w₂, … that an average or a vote is taken of.
    pub fn visits(&self) -> impl Iterator<Item = &Visit> {
        self.epochs.iter().flatten()
    }

    /// The visits that moved the weights.
    pub fn updates(&self) -> impl Iterator<Item = &Visit> {
        self.visits().filter(|visit| visit.step.is_some())
    }

    /// The number of mistakes of each epoch.
    pub fn mistakes_per_epoch(&self) -> Vec<u64> {
        self.epochs.iter().map(|epoch| mistakes(epoch)).collect()
    }

    /// The hyperplane at the end.
    pub fn last(&self) -> &Hyperplane {
        self.visits().last().map_or(&self.first, |visit| &visit.after)
    }
}

/// One visit of example `i` in one of the two forms: [`primal::visit`] or [`dual::visit`].
type VisitOf = fn(&[Example], usize, &Hyperplane, &Settings) -> Visit;

/// The loop of every run. An epoch visits the examples in its order. The run ends after a clean epoch, after an epoch
/// with at most ε mistakes, or with the last of the orders.
fn train(
    examples: &[Example],
    first: &Hyperplane,
    settings: &Settings,
    orders: &[Vec<usize>],
    visit: VisitOf,
) -> Run {
    let mut run = Run { first: first.clone(), epochs: Vec::new(), converged: false };
    let mut now = first.clone();
    for order in orders {
        let mut epoch = Vec::new();
        for &i in order {
            let visit = visit(examples, i, &now, settings);
            now = visit.after.clone();
            epoch.push(visit);
        }
        let mistakes = mistakes(&epoch);
        run.converged = is_clean(&epoch, settings.update);
        run.epochs.push(epoch);
        if run.converged || (1..=settings.allow_mistakes).contains(&mistakes) {
            break;
        }
    }
    run
}

fn mistakes(epoch: &[Visit]) -> u64 {
    epoch.iter().map(|visit| u64::from(visit.mistake)).sum()
}

/// The margin rule goes on until its margin is reached. The passive-aggressive rules need not: they may approach their
/// margin of 1 without end.
fn is_clean(epoch: &[Visit], update: Update) -> bool {
    let must_rest = matches!(update, Update::Margin(_));
    !epoch.iter().any(|visit| visit.mistake || (must_rest && visit.step.is_some()))
}
