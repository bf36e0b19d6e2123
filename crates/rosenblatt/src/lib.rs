//! The perceptron: training, reports and proofs for linear and kernel classifiers.
//!
//! This crate turns data in memory into a model and a report. It opens no file, prints nothing and reads no clock. It makes
//! three promises:
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
//! | [`hold_out`](Perceptron::hold_out), [`folds`](Perceptron::folds), [`sweep`](Perceptron::sweep), [`calibrate`](Perceptron::calibrate) | what is measured, chosen and calibrated on examples that the model does not learn from |
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
//! What this crate exports is covered by the promises of its version. It comes from `rosenblatt-core`, `rosenblatt-proofs` and
//! `rosenblatt-exact`, which are open to read and use, and may change in any release.
//!
//! # When not to use it
//! Use another model for regression. Probabilities need a [`calibration`].

mod error;
pub mod guarantee;
mod online;
mod perceptron;
pub mod recipe;
pub mod study;

/// What options do to a run.
pub mod dynamics {
    pub use rosenblatt_core::dynamics::{
        CleanEpoch, Compared, Dynamics, Ending, Foresight, NoTheorem, NotASum, Visits, WeightsAre,
    };
}

/// The ways to keep weights, and what a run that is not over holds of them.
pub mod keep {
    pub use rosenblatt_core::keep::{
        Keeper, MeanState, Pocket, PocketState, TrialBudget, UpdateRecord, VoteError, VoteTerms,
        Voted, WeightSequence,
    };
}

/// The properties of update rules.
pub mod rules {
    pub use rosenblatt_core::rules::{
        ALL, CleanOf, ExampleView, Moved, OwnStep, Parameter, Precise, PreciseMove, Rule, Step,
        StepInput, StepLength,
    };
}

/// The steps of the preparation of rows.
pub mod transforms {
    pub use rosenblatt_core::transforms::{
        ApplyStep, CountWeights, Format, Learned, NamedSteps, Preparation, PreparationText,
        PrepareOptions, RowTransform, Step, StepWords,
    };
}

pub use rosenblatt_core::{
    calibration,
    data::{
        ClassError, Classes, Decision, Examples, Label, Labelled, Parts, Row, RowError, Rows,
        RowsBuilder, RowsError, Scale, ScaleError, Scaling, Scheme, SchemeError, Sign, Spellings,
        Storage, Values, ZeroScore,
    },
    decision_radius::{ChangeNorm, DecisionRadius, RadiusError},
    events::{Epoch, Stop, Visit},
    explanation::{ExplainError, Explanation, Explanations, Largest},
    hyperplane::Hyperplane,
    keep::{Keep, Kept, Tally, UnknownTally},
    kernel::{CanonicalRows, Kernel, Support, UnknownKernel},
    learner::{
        BestState, BinaryTrainer, Checkpoint, LearnError, Learner, LearnerState, Observer,
        PenaltyState, Precisions, TrainError, WeightOverflow,
    },
    metrics,
    mixing::{MixError, mix, worst},
    model::{
        Classifier, Dual, ModelParts, PredictError, PredictOptions, Prediction, Predictions,
        RowOverflow,
    },
    options::{
        Bias, ClassWeight, Decay, LearningRate, Multiclass, OptionError, Options, Penalty,
        Resources, UnknownBias, UnknownNotes, UnknownPenalty, UnknownRate,
    },
    prototype::Baseline,
    radius::Radius,
    reference,
    report::{Candidate, ClassReport, CountedErrors, Errors, MarginBracket, Report},
    rules::{Mistake, UnknownUpdate, Update},
    schedule::{Init, Order},
    signed_distance::DistanceError,
    space::SupportState,
    split::{Copies, KFold, Split, SplitError, Splitter},
    trace,
    train::{Fit, HeldOut, StreamState},
    transforms::{DocumentFrequency, Normalise, UnknownDocumentFrequency, Weighting},
    validation,
};
pub use rosenblatt_exact::Accumulator;
pub use rosenblatt_proofs::{
    Bracket, Certificate, CertificateError, Compression, Convergence, Ended, FreeBias, Interval,
    KnownSeparation, MarginBounds, Margins, Named, Numbers, Relation, SeparabilityOptions,
    Separation, SeparationCase, SeparationCertificate, SeparationError, SeparationStatement,
    SeparationSummary, SeparationVerdict, SignedRows, Statement, Verdict, separable, separation,
    verify, verify_separation,
};

/// What a [`Perceptron`] learned: it predicts, and says how it was trained.
///
/// ```
/// use rosenblatt::{Perceptron, Rows};
/// let rows = Rows::dense(&[3.0, 0.0, 0.0, 2.0, -2.0, -2.0], 2)?;
/// let model = Perceptron::new().fit(&rows, &["right", "up", "down"])?;
/// let prediction = model.predict(&[4.0, 1.0])?;
/// assert_eq!(prediction.label(), "right");
/// assert!(model.report().converged);
/// # Ok::<(), rosenblatt::Error>(())
/// ```
/// Probabilities, from the scores of rows that the model did not learn from:
/// ```
/// use rosenblatt::{Perceptron, Rows, calibration::{Calibration, CalibrationMethod}};
/// let rows = Rows::dense(&[2.0, 1.0, -1.0, -2.0], 1)?;
/// let model = Perceptron::new().fit(&rows, &["yes", "yes", "no", "no"])?;
/// // Others, of which one is not as the model says.
/// let others = Rows::dense(&[3.0, 1.0, 1.0, -2.0], 1)?;
/// let (classes, scores) = ([1, 1, 0, 0], model.predict_rows(&others)?.scores);
/// let scheme = model.classes().scheme();
/// let calibration = Calibration::fit(CalibrationMethod::Isotonic, scheme, &scores, &classes)?;
/// let model = model.with_calibration(calibration)?;
/// let scores = model.predict_rows(&Rows::dense(&[1.0], 1)?)?.scores;
/// assert_eq!(model.probabilities(&scores), Some(vec![0.5, 0.5]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// How far a row may change until its class does:
/// ```
/// use rosenblatt::{ChangeNorm, Perceptron, Rows, Scale};
/// let rows = Rows::dense(&[0.0, 0.0, 3.0, 4.0], 2)?;
/// let model = Perceptron::new().scale(Scale::None).fit(&rows, &["no", "yes"])?;
/// // 3x + 4y − 1 = 0 separates them: at distances 1/5 and 24/5.
/// let radii = model.decision_radii(&rows, ChangeNorm::L2)?;
/// assert_eq!(radii, [0.2f64.next_down(), 4.8f64.next_down()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// How far rows lie from the hyperplane:
/// ```
/// use rosenblatt::{Keep, Order, Perceptron, Rows, Scale};
/// let rows = Rows::dense(&[0.0, 0.0, 3.0, 4.0], 2)?;
/// let perceptron = Perceptron::new().scale(Scale::None).keep(Keep::Last).order(Order::Given);
/// let model = perceptron.fit(&rows, &["no", "yes"])?;
/// // 3x + 4y − 1 = 0 separates them.
/// assert_eq!(model.signed_distances(&rows)?, [-1.0 / 5.0, 24.0 / 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// Why a row is where it is: what each feature adds to its score.
/// ```
/// use rosenblatt::{Keep, Order, Perceptron, Rows, Scale};
/// let rows = Rows::dense(&[0.0, 0.0, 3.0, 4.0], 2)?;
/// let perceptron = Perceptron::new().scale(Scale::None).keep(Keep::Last).order(Order::Given);
/// let model = perceptron.fit(&rows, &["no", "yes"])?;
/// // 3x + 4y − 1: the second row has the score 9 + 16 − 1.
/// let explanation = model.explain(&rows)?.of(1, 0)?;
/// assert_eq!((explanation.score, explanation.bias), (24.0, -1.0));
/// assert_eq!(explanation.contributions, [(0, 9.0), (1, 16.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use rosenblatt_core::model::Model;

/// An observer of epochs for [`Run::observer`], from a closure.
///
/// ```
/// use rosenblatt::{EpochFn, Perceptron, Rows, Run};
/// use std::ops::ControlFlow;
/// let rows = Rows::dense(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let mut mistakes = Vec::new();
/// let mut observer = EpochFn::new(|epoch| {
///     mistakes.push(epoch.mistakes);
///     if epoch.number == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
/// });
/// let run = Run { observer: Some(&mut observer), ..Run::default() };
/// Perceptron::new().fit_with(&rows, &[false, true, true, false], run)?;
/// assert_eq!(mistakes.len(), 3);
/// # Ok::<(), rosenblatt::Error>(())
/// ```
pub use rosenblatt_core::learner::EpochFn;

/// Whose rules [`Perceptron::notes`] follows.
///
/// ```
/// use rosenblatt::{LectureNotes, Perceptron, Rows};
/// let and = Rows::dense(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let model = Perceptron::notes(LectureNotes::Lauer).fit(&and, &[-1, -1, -1, 1])?;
/// assert_eq!((model.report().updates, model.report().epochs), (11, 6));
/// # Ok::<(), rosenblatt::Error>(())
/// ```
pub use rosenblatt_core::options::LectureNotes;

pub use error::{Error, Result};
pub use online::{Online, OnlineState};
pub use perceptron::{Perceptron, Run};
pub use rosenblatt_core::metrics::Confusion;

/// The README, whose program is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
