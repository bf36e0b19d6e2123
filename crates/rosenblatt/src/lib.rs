//! The perceptron: training, reports and proofs for linear and kernel classifiers.
//!
//! This is the engine: data in memory become a model and a report. It opens no file, prints nothing and
//! looks at no clock. Three promises:
//!
//! 1. **Exact decisions.** Whether an example is a mistake is the sign of the real number
//!    `y·(w·x + b)` ([`exact`]), so the same rows, options and seed give the same bits of the model,
//!    dense or sparse, `f32` or `f64`, on any machine.
//! 2. **Complete reports.** A report has the mistakes of each epoch, why the run ended, the margin of the weights and
//!    what Novikoff's theorem allows ([`report`], [`margin`]).
//! 3. **Speed that changes nothing.** What exists only for speed is behind the feature `fast` (on by default), and
//!    without it every result is the same to the last bit.
//!
//! # The family
//! Each algorithm is a point in a product of independent choices, all in [`train::Options`]:
//! when and how far the weights move ([`update`]), which of the weights visited is the model
//! ([`keep`]), where the hyperplane lives ([`space`]), in which order and from where
//! ([`schedule`]). All of them share one loop over epochs ([`train`]). The module
//! [`reference`](mod@reference) defines each of them in plain code, and the tests compare the engine with it.
//!
//! # Example
//! ```
//! use rosenblatt::{data::{Examples, Rows, Sign}, train::{train, Options}};
//!
//! let rows = Rows::dense(vec![2.0, 1.0, 1.0, 3.0, -1.0, -2.0, -2.0, -1.0], 2)?;
//! let signs = [Sign::Plus, Sign::Plus, Sign::Minus, Sign::Minus];
//! let run = train(&Examples::new(&rows, &signs)?, &Options::default(), &mut ())?;
//! assert!(run.report.converged);
//! assert_eq!(run.hyperplane.predict(rows.row(3))?, Sign::Minus);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # When not to use it
//! Use another model for probabilities, regression or regularized fits.

#![cfg_attr(not(feature = "fast"), allow(dead_code, unused_imports))] // what only `fast` uses

pub mod data;
mod evaluate;
mod events;
pub mod exact;
#[cfg(feature = "fast")]
mod fast;
mod hyperplane;
pub mod keep;
mod kernel;
mod learner;
pub mod metrics;
pub mod model;
mod options;
mod parallel;
pub mod prototype;
pub mod reference;
pub mod report;
mod rules;
pub mod schedule;
pub mod separability;
mod simd;
pub mod space;
pub mod split;
pub mod study;
pub mod train;

pub use evaluate::margin;

/// Update rules and what counts as a mistake.
pub mod update {
    pub use crate::rules::{
        ALL, ExampleView, Mistake, OwnStep, Parameter, Rule, Step, StepInput, UnknownUpdate, Update,
    };
}

/// The pages of `docs/lectures` and the README, whose Rust runs as tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    pub struct Readme;
    #[doc = include_str!("../../../docs/lectures/varner.md")]
    pub struct Varner;
    #[doc = include_str!("../../../docs/lectures/lauer.md")]
    pub struct Lauer;
    #[doc = include_str!("../../../docs/lectures/shalizi.md")]
    pub struct Shalizi;
    #[doc = include_str!("../../../docs/lectures/dsc255.md")]
    pub struct Dsc255;
    #[doc = include_str!("../../../docs/lectures/carson.md")]
    pub struct Carson;
}
