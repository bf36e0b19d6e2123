//! Training of one hyperplane, one example at a time, and its observers.

mod binary_trainer;
mod checkpoint;
mod error;
mod error_weights;
mod joint;
#[expect(clippy::module_inception, reason = "the learner itself")]
mod learner;
mod observer;
mod part;
mod penalized;
mod precisions;
mod rates;
mod row_pair;

pub use binary_trainer::BinaryTrainer;
pub(crate) use binary_trainer::radius_for_bias;
pub use checkpoint::{BestState, Checkpoint, LearnerState};
pub use error::{LearnError, TrainError, WeightOverflow};
pub(crate) use error::{check_sizes, sized};
pub(crate) use error_weights::ErrorWeights;
#[cfg(feature = "fast")]
pub(crate) use joint::best_of;
pub(crate) use joint::{Rivalry, best_rival, visit_jointly};
pub(crate) use learner::Direction;
pub use learner::Learner;
#[cfg(all(feature = "fast", target_arch = "x86_64"))]
pub(crate) use learner::{ConstantStepState, FAR_FROM_OVERFLOW, norm_after_step};
pub use observer::{EpochFn, Observer};
pub(crate) use part::{FeatureValues, picked, put_back};
pub use penalized::PenaltyState;
pub use precisions::Precisions;
pub(crate) use rates::{Rates, bias_unit, rates};
