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

mod error;
pub mod guarantee;
pub mod metrics;
mod online;
mod perceptron;
pub mod study;

pub use rosenblatt_core::{
    calibration,
    data::{Examples, Label, Row, Rows, RowsBuilder, Scale, Sign, Values, ZeroScore},
    decision_radius::{ChangeNorm, DecisionRadius, RadiusError},
    events::{Epoch, Stop, Visit},
    hyperplane::Hyperplane,
    keep::{Keep, Kept},
    kernel::Kernel,
    learner::{BinaryTrainer, Checkpoint, EpochFn, Observer},
    mixing::{MixError, mix, worst},
    model::{Model, PredictOptions, Prediction, Predictions},
    options::{
        Bias, ClassWeight, Decay, LearningRate, LectureNotes, Multiclass, Options, Penalty,
        Resources,
    },
    reference,
    report::Report,
    rules::{Mistake, Update},
    schedule::{Init, Order},
    signed_distance::DistanceError,
    trace,
    transforms::{DocumentFrequency, Normalise, UnknownDocumentFrequency, Weighting},
};
pub use rosenblatt_proofs::{
    Certificate, Margins, SeparabilityOptions, Verdict, separable, verify,
};

pub use error::{Error, Result};
pub use metrics::Confusion;
pub use online::{Online, OnlineState};
pub use perceptron::{Perceptron, Run};

use rosenblatt_core::{
    data, dynamics, events, hyperplane, keep, kernel, learner, margin, model, options, prototype,
    radius, report, rules, schedule, space, split, train, transforms,
};
use rosenblatt_exact as exact;
use rosenblatt_proofs as separability;

/// The README, whose program is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
