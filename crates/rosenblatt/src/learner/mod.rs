//! What learns: one hyperplane, one example at a time, and what watches it.

mod binary_trainer;
mod checkpoint;
mod error;
mod error_weights;
#[expect(clippy::module_inception, reason = "the learner itself")]
mod learner;
mod observer;
mod rates;

pub use binary_trainer::BinaryTrainer;
pub(crate) use binary_trainer::radius_for_bias;
pub use checkpoint::{BestState, Checkpoint, LearnerState};
pub use error::{LearnError, TrainError, WeightOverflow};
pub(crate) use error::{check_sizes, sized};
pub(crate) use error_weights::ErrorWeights;
#[cfg(feature = "fast")]
pub(crate) use learner::ConstantStepState;
pub use learner::Learner;
pub(crate) use learner::{Direction, FAR_FROM_OVERFLOW, norm_after_step};
pub use observer::Observer;
pub(crate) use rates::{Rates, bias_unit, rates};
