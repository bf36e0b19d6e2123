//! Which of the weights visited is the model.
//!
//! `last` needs no memory; [`Average`], [`Pocket`] and the [`WeightSequence`] of a vote watch the run and cost
//! nothing when absent.

mod average;
mod loss;
mod pocket;
mod vote;

pub use crate::options::{Keep, Kept};
pub use average::{Average, AverageState};
pub(crate) use loss::Loss;
pub use pocket::{Pocket, PocketState, TrialBudget, count_errors};
pub use vote::{Tally, UnknownTally, UpdateRecord, VoteError, VoteTerms, Voted, WeightSequence};
