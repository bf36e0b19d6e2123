//! The perceptron: training, reports and proofs for linear and kernel classifiers.
//!
//! This crate is the engine: it turns data in memory into a model and a report. It opens no file, prints nothing and
//! reads no clock. It makes three promises:
//!
//! 1. **Exact decisions.** An example is a mistake according to the sign of the real number `y·(w·x + b)`; only the
//!    values of a kernel are rounded. So the same rows, options and seed give the same bits of the model, dense or sparse,
//!    `f32` or `f64`, on every machine.
//! 2. **Complete reports.** A [`Report`] lists the mistakes of each epoch, why the run ended, the margin of the weights
//!    and, where the theorem holds, Novikoff's bound.
//! 3. **Speed without side effects.** Code that exists only for speed is behind the feature `fast` (on by default).
//!    Without it every result is bit-for-bit identical.
//!
//! # A first model
//! ```
//! use rosenblatt::{Perceptron, Rows};
//!
//! let rows = Rows::dense(&[2.0, 1.0, 1.0, 3.0, -1.0, -2.0, -2.0, -1.0], 2)?;
//! let model = Perceptron::new().fit(&rows, &["up", "up", "down", "down"])?;
//! assert!(model.report().converged);
//! assert_eq!(model.predict(&[3.0, 3.0])?.label(), "up");
//! # Ok::<(), rosenblatt::Error>(())
//! ```
//!
//! # The family of algorithms
//! Each algorithm is a combination of independent options of [`Perceptron`]:
//!
//! | option | chooses |
//! |---|---|
//! | [`update`](Perceptron::update) | when and how far the weights move: Rosenblatt's rule, a margin, passive-aggressive |
//! | [`keep`](Perceptron::keep) | which weights become the model: last, average, pocket, vote |
//! | [`kernel`](Perceptron::kernel) | feature space, or the space of a kernel |
//! | [`penalty`](Perceptron::penalty) | a penalty on large weights |
//! | [`order`](Perceptron::order), [`init`](Perceptron::init) | the order of the examples and the weights at the start |
//! | [`bias`](Perceptron::bias), [`mistake`](Perceptron::mistake), [`zero`](Perceptron::zero) | the bias, and the class that a score of 0 predicts |
//! | [`epochs`](Perceptron::epochs), [`allow_mistakes`](Perceptron::allow_mistakes), [`early_stopping`](Perceptron::early_stopping) | when a run ends |
//!
//! The module [`reference`](mod@reference) defines each of them in plain code, and the tests compare the engine with it.
//!
//! # Next steps
//! - [`Perceptron::fit_with`] takes an [`Observer`], weights of examples, threads and a [`Checkpoint`].
//! - [`Perceptron::online`] learns from examples that come one by one.
//! - [`separable`](fn@separable) decides whether a hyperplane separates two classes, with a [`Certificate`] that
//!   [`verify`] checks in exact arithmetic.
//! - [`mix`] and [`worst`] learn and search on several machines, and [`Online`] learns on each of them.
//! - The crate `rosenblatt-data` reads files and writes models.
//!
//! Modules that the documentation does not list serve the other crates of this project. They can change in any release.
//!
//! # When not to use it
//! Use another model for regression. Probabilities need a [`calibration`].

#![cfg_attr(not(feature = "fast"), allow(dead_code, unused_imports))] // what only `fast` uses

#[cfg(test)]
extern crate self as rosenblatt; // for files that tests of this crate and of others share

pub mod calibration;
#[doc(hidden)]
pub mod data;
#[doc(hidden)]
pub mod decision_radius;
mod double_double;
mod dynamics;
mod error;
mod evaluate;
mod events;
#[doc(hidden)]
pub mod exact;
#[cfg(feature = "fast")]
mod fast;
pub mod guarantee;
mod hyperplane;
#[doc(hidden)]
pub mod keep;
mod kernel;
mod learner;
#[doc(hidden)]
pub mod metrics;
mod mixing;
#[doc(hidden)]
pub mod model;
mod online;
mod options;
mod parallel;
mod perceptron;
#[doc(hidden)]
pub mod prototype;
pub mod reference;
#[doc(hidden)]
pub mod report;
mod rules;
#[doc(hidden)]
pub mod schedule;
#[doc(hidden)]
pub mod separability;
#[doc(hidden)]
pub mod signed_distance;
mod simd;
#[doc(hidden)]
pub mod space;
#[doc(hidden)]
pub mod split;
#[doc(hidden)]
pub mod study;
pub mod trace;
#[doc(hidden)]
pub mod train;
#[doc(hidden)]
pub mod transforms;

#[doc(hidden)]
pub use evaluate::margin;

pub use data::{Examples, Label, Row, Rows, RowsBuilder, Scale, Sign, Values, ZeroScore};
pub use decision_radius::{ChangeNorm, DecisionRadius, RadiusError};
pub use error::{Error, Result};
pub use events::{Epoch, Stop, Visit};
pub use hyperplane::Hyperplane;
pub use keep::{Keep, Kept};
pub use kernel::Kernel;
pub use learner::{BinaryTrainer, Checkpoint, EpochFn, Observer};
pub use metrics::Confusion;
pub use mixing::{MixError, mix, worst};
pub use model::{Model, PredictOptions, Prediction, Predictions};
pub use online::{Online, OnlineState};
pub use options::{
    Bias, ClassWeight, Decay, LearningRate, LectureNotes, Multiclass, Options, Penalty, Resources,
};
pub use perceptron::{Perceptron, Run};
pub use report::Report;
pub use rules::{Mistake, Update};
pub use schedule::{Init, Order};
pub use separability::{Certificate, Margins, SeparabilityOptions, Verdict, separable, verify};
pub use signed_distance::DistanceError;
pub use transforms::{DocumentFrequency, Normalise, UnknownDocumentFrequency, Weighting};

/// Update rules and what counts as a mistake.
#[doc(hidden)]
pub mod update {
    pub use crate::rules::{
        ALL, CleanOf, ExampleView, Mistake, OwnStep, Parameter, Precise, PreciseMove, Rule, Step,
        StepInput, StepLength, UnknownUpdate, Update,
    };
}

/// The README, whose program is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
