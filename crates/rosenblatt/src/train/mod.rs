//! Training: the loop over epochs.
//!
//! A [`Learner`] learns one example at a time; [`train`] shows it a training set, epoch after epoch,
//! in the order of the schedule, until an epoch makes no more mistakes than allowed, or there are no
//! epochs left, or the observer stops it. A single step, a stream and a full run give the same bits: where nobody
//! watches the visits of the only hyperplane, those that need not be made one by one are made or counted together.
//!
//! The rule, with sign `y`, score `s = w·x + b` and the step τ of the update rule (for the perceptron: on
//! a mistake, the learning rate η times the weight of the class, times that of the example if it has one):
//!
//! ```text
//! w ← w + τ·y·x        b ← b + τ·y·B
//! ```
//!
//! with B = 1 for the bias `unit`, 0 for `none`, R² for `radius`.

mod checkpoint;
mod error_weights;
mod fit;
mod learner;
mod lesson;
mod observer;
mod options;
mod pupil;
mod stream;
mod stream_state;

pub use checkpoint::{Best, Checkpoint, InPocket, Mistaken, Standing, Totals};
pub(crate) use error_weights::{ErrorWeights, Loss};
pub use fit::{Fit, HeldOut, fit};
pub(crate) use learner::{FAR_FROM_OVERFLOW, Moving, lengthened};
pub use learner::{LearnError, Learner, Visit, WeightOverflow};
pub use observer::{Epoch, Observer};
pub use options::{Bias, ClassWeight, OptionError, Options, Resources};
pub use pupil::Pupil;
pub(crate) use pupil::Rates;
pub use stream::Stream;
pub use stream_state::StreamState;

pub(crate) use lesson::Course;

use lesson::Lesson;
use options::positive;

use crate::{
    data::{Examples, Scheme, SchemeError},
    keep::{Keep, VoteError},
    report::Report,
    space::{Hyperplane, Linear},
};

/// Why training could not start or go on. Examples are counted from 0, in messages from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// An option has a value that it may not have.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// There is no example, or no feature.
    #[error("there is nothing to learn from: {examples} examples with {features} features")]
    Empty {
        /// The number of examples.
        examples: usize,
        /// The number of features.
        features: usize,
    },
    /// All examples are of one class.
    #[error("all {examples} examples are of one class: there is nothing to separate")]
    OneClass {
        /// The number of examples.
        examples: usize,
    },
    /// A class without examples.
    #[error("there is no example of class {} of {classes}", .class + 1)]
    NoExample {
        /// The class, from 0.
        class: usize,
        /// The number of classes.
        classes: usize,
    },
    /// The weights of all hyperplanes would take too much memory.
    #[error("{features} features times {classes} hyperplanes are {} weights, the limit is {limit}", .classes.saturating_mul(*.features))]
    TooLarge {
        /// The number of hyperplanes.
        classes: usize,
        /// The number of features.
        features: usize,
        /// The most weights.
        limit: usize,
    },
    /// A kernel value could leave the range of `f64`.
    #[error(
        "the kernel {kernel} of the longest row with itself is {value:e}, past the range of 64-bit numbers"
    )]
    KernelOverflow {
        /// The kernel.
        kernel: crate::space::Kernel,
        /// Its value.
        value: f64,
    },
    /// A squared distance could leave the range of `f64`.
    #[error(
        "the squared length of the longest row is {square:e}, its distances are past the range of 64-bit numbers"
    )]
    DistanceOverflow {
        /// The squared length.
        square: f64,
    },
    /// A weight left the range of `f64`.
    #[error("the weights left the range of 64-bit numbers at example {} of epoch {epoch}", .example + 1)]
    Overflow {
        /// The example whose update it was.
        example: usize,
        /// The epoch, from 1.
        epoch: u64,
    },
    /// The bias unit R² left the range of `f64`.
    #[error("the squared radius of rows as long as {radius:e} is not a 64-bit number")]
    Radius {
        /// The radius R.
        radius: f64,
    },
    /// A scheme that names no classes.
    #[error(transparent)]
    Scheme(#[from] SchemeError),
    /// Examples held out, or a batch of a stream, of other classes than the run.
    #[error("the examples are of {found}, those of the run of {expected}")]
    OtherClasses {
        /// Theirs.
        found: Scheme,
        /// Those of the run.
        expected: Scheme,
    },
    /// Rows held out, or dense rows of a stream, of other features than the run.
    #[error("the rows have {found} features, those of the run have {expected}")]
    OtherFeatures {
        /// How many they have.
        found: usize,
        /// How many those of the run have.
        expected: usize,
    },
    /// The weights of the run cannot vote.
    #[error(transparent)]
    Vote(#[from] VoteError),
    /// No example is held out to stop by.
    #[error("there is no example held out to stop by")]
    NothingHeldOut,
    /// A checkpoint that is none of such a run.
    #[error("this is no checkpoint of such a run: {problem}")]
    Checkpoint {
        /// What does not fit.
        problem: &'static str,
    },
    /// The observer wanted to stop while the votes for the report were counted.
    #[error("the run was stopped before its votes were counted")]
    Stopped,
    /// The average left the range of `f64`.
    #[error("the sum of the weights visited left the range of 64-bit numbers")]
    AverageOverflow,
}

impl TrainError {
    /// The same where so many examples came before the first.
    fn after(self, examples: usize) -> Self {
        match self {
            TrainError::Overflow { example, epoch } => {
                TrainError::Overflow { example: examples + example, epoch }
            }
            other => other,
        }
    }
}

/// Refuses hyperplanes whose weights would take all memory: 4 GiB.
fn sized(features: usize, classes: usize) -> Result<(), TrainError> {
    const LIMIT: usize = 1 << 29;
    if classes.saturating_mul(features) > LIMIT {
        return Err(TrainError::TooLarge { classes, features, limit: LIMIT });
    }
    Ok(())
}

/// A finished run of two classes in the space of the features.
#[derive(Clone, Debug)]
pub struct Run {
    /// The weights that were kept.
    pub hyperplane: Hyperplane,
    /// What happened.
    pub report: Report,
}

/// Trains one hyperplane in the space of the features on examples of two classes; `observer` sees every
/// visit and epoch (`&mut ()` sees nothing and costs nothing). [`fit`] is for kernels, votes and
/// more classes.
///
/// Cost: one pass over the rows an epoch, and a few more for the report.
///
/// # Errors
/// [`TrainError`].
///
/// ```
/// use rosenblatt::{data::{Examples, Rows, Sign}, train::{train, Options}, schedule::Order};
/// // The logical AND, in the order 00, 01, 10, 11.
/// let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let signs = [Sign::Minus, Sign::Minus, Sign::Minus, Sign::Plus];
/// let options = Options { order: Order::Given, ..Options::default() };
/// let run = train(&Examples::new(&rows, &signs)?, &options, &mut ())?;
/// assert!(run.report.converged);
/// assert_eq!((run.hyperplane.weights, run.hyperplane.bias), (vec![3.0, 2.0], -4.0));
/// assert_eq!((run.report.updates, run.report.epochs), (18, 9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn train(
    examples: &Examples<'_>,
    options: &Options,
    observer: &mut impl Observer,
) -> Result<Run, TrainError> {
    options.check()?;
    if options.kernel.is_some() || options.keep == Keep::Vote {
        return Err(OptionError::NotOneHyperplane.into());
    }
    let (minus, plus) = examples.class_sizes();
    check(examples, &[minus, plus], &options.class_weight)?;
    options.check_first(1, Some(examples.features()))?;
    let mut space = Linear::new(examples.rows());
    let mut pupil = Pupil::of_signs(*examples, options, &space)?;
    pupil.begin(options, &mut space, (0, 1));
    let scheme = Scheme::Two { positive: 1 };
    let mut lesson = Lesson { options, scheme, space, pupils: vec![pupil] };
    let ended = lesson.epochs(None, None, observer)?;
    let (candidates, report) = lesson.judge(ended, None)?;
    // There is one pupil, so each candidate is one hyperplane.
    let kept = candidates.into_iter().next().and_then(|kept| kept.planes.into_iter().next());
    let hyperplane = kept.unwrap_or_else(|| Hyperplane::zero(0));
    Ok(Run { hyperplane, report })
}

/// Whether there is anything to learn from examples of classes of these sizes.
fn check(
    examples: &Examples<'_>,
    sizes: &[usize],
    class_weight: &ClassWeight,
) -> Result<(), TrainError> {
    check_sizes((examples.len(), examples.features()), sizes, class_weight)
}

/// Whether there is anything to learn from so many examples and features, and classes of these sizes.
fn check_sizes(
    (examples, features): (usize, usize),
    sizes: &[usize],
    class_weight: &ClassWeight,
) -> Result<(), TrainError> {
    let is_missing = |&class: &usize| sizes[class] == 0 && !class_weight.leaves_out(class);
    let missing: Vec<usize> = (0..sizes.len()).filter(is_missing).collect();
    if examples == 0 || features == 0 {
        Err(TrainError::Empty { examples, features })
    } else if missing.len() + 1 == sizes.len() {
        Err(TrainError::OneClass { examples })
    } else if let Some(&class) = missing.first() {
        Err(TrainError::NoExample { class, classes: sizes.len() })
    } else {
        Ok(())
    }
}
