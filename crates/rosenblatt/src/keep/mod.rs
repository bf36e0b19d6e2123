//! The weights that can become the model.
//!
//! `last` needs no memory. [`Average`], [`Pocket`] and the [`WeightSequence`] of a vote follow the run and cost nothing
//! if unused.

mod average;
mod loss;
mod pocket;
mod vote;

pub use crate::options::{Keep, Kept};
pub use average::{Average, AverageState};
pub(crate) use loss::Loss;
pub use pocket::{Pocket, PocketState, TrialBudget, count_errors};
pub use vote::{Tally, UnknownTally, UpdateRecord, VoteError, VoteTerms, Voted, WeightSequence};
