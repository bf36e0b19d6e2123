//! Which of the weights visited is the model.
//!
//! `last` needs no memory; [`Average`], [`Pocket`] and the [`Path`] of a vote watch the run and cost
//! nothing when absent.

mod average;
mod loss;
mod pocket;
mod vote;

pub use crate::options::{Keep, Kept};
pub use average::{Average, Totals};
pub(crate) use loss::Loss;
pub use pocket::{InPocket, Pocket, TrialBudget, count_errors};
pub use vote::{Move, Path, Tally, UnknownTally, VoteError, VoteTerms, Voted};
