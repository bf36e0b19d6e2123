//! Errors of training.

use crate::{
    data::{RowError, ScaleError, Scheme, SchemeError},
    keep::VoteError,
    kernel::Kernel,
    options::{ClassWeight, OptionError},
};

/// A weight left the range of `f64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a weight left the range of 64-bit numbers")]
pub struct WeightOverflow;

/// An example that could not be learned.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// A row that does not fit the learner, which is unchanged.
    #[error(transparent)]
    Row(#[from] RowError),
    /// A weight left the range of `f64`; the learner is unusable.
    #[error(transparent)]
    Overflow(#[from] WeightOverflow),
}

/// An error of training. Fields count examples from 0, messages from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// Examples of a stream that could not be scaled.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// An invalid option.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// No examples, or no features.
    #[error("there is nothing to learn from: {examples} examples with {features} features")]
    Empty {
        /// The number of examples.
        examples: usize,
        /// The number of features.
        features: usize,
    },
    /// All examples belong to one class.
    #[error("all {examples} examples are of one class: there is nothing to separate")]
    OneClass {
        /// The number of examples.
        examples: usize,
    },
    /// A class without examples.
    #[error("there is no example of class {} of {classes}", .class + 1)]
    NoExample {
        /// The class, counted from 0.
        class: usize,
        /// The number of classes.
        classes: usize,
    },
    /// Too many weights for the memory limit.
    #[error("{features} features times {classes} hyperplanes are {} weights, the limit is {limit}", .classes.saturating_mul(*.features))]
    TooLarge {
        /// The number of hyperplanes.
        classes: usize,
        /// The number of features.
        features: usize,
        /// The maximum number of weights.
        limit: usize,
    },
    /// A kernel value that could leave the range of `f64`.
    #[error(
        "the kernel {kernel} of the longest row with itself is {value:e}, past the range of 64-bit numbers"
    )]
    KernelOverflow {
        /// The kernel.
        kernel: Kernel,
        /// Its value.
        value: f64,
    },
    /// A squared distance that could leave the range of `f64`.
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
        /// The example of the update.
        example: usize,
        /// The epoch, counted from 1.
        epoch: u64,
    },
    /// The bias unit R² left the range of `f64`.
    #[error("the square of the radius {radius:e} is not a 64-bit number")]
    Radius {
        /// The radius R.
        radius: f64,
    },
    /// An impossible scheme.
    #[error(transparent)]
    Scheme(#[from] SchemeError),
    /// Held-out examples, or a batch of a stream, whose classes differ from those of the run.
    #[error("the examples have {found}, the run has {expected}")]
    OtherClasses {
        /// The classes of these examples.
        found: Scheme,
        /// The classes of the run.
        expected: Scheme,
    },
    /// Held-out rows, or dense rows of a stream, with another number of features than the run.
    #[error("the rows have {found} features, the run has {expected}")]
    OtherFeatures {
        /// The features of these rows.
        found: usize,
        /// The features of the run.
        expected: usize,
    },
    /// The weights of the run cannot vote.
    #[error(transparent)]
    Vote(#[from] VoteError),
    /// Early stopping without held-out examples.
    #[error("early stopping needs held-out examples, there are none")]
    NothingHeldOut,
    /// A checkpoint of another run.
    #[error("the checkpoint does not fit this run: {problem}")]
    Checkpoint {
        /// The part that does not fit.
        problem: &'static str,
    },
    /// The observer stopped the run while the votes for the report were counted.
    #[error("the run was stopped before its votes were counted")]
    Stopped,
    /// The average left the range of `f64`.
    #[error("the sum of the visited weights left the range of 64-bit numbers")]
    AverageOverflow,
}

impl TrainError {
    /// Adds the number of examples that came before this batch.
    pub(crate) fn after(self, examples: usize) -> Self {
        match self {
            TrainError::Overflow { example, epoch } => {
                TrainError::Overflow { example: examples + example, epoch }
            }
            other => other,
        }
    }
}

/// Rejects hyperplanes whose weights would exceed the memory limit of 4 GiB.
pub(crate) fn sized(features: usize, classes: usize) -> Result<(), TrainError> {
    const LIMIT: usize = 1 << 29;
    if classes.saturating_mul(features) > LIMIT {
        return Err(TrainError::TooLarge { classes, features, limit: LIMIT });
    }
    Ok(())
}

/// Checks that there are examples and features, and that every class has examples.
pub(crate) fn check_sizes(
    examples: usize,
    features: usize,
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
