//! Which of the weights visited is the model.
//!
//! `last` needs no memory; [`Average`], [`Pocket`] and the [`Path`] of a vote watch the run and cost
//! nothing when absent.

mod average;
mod pocket;
mod vote;

pub use average::Average;
pub use pocket::{Pocket, TrialBudget, count_errors};
pub use vote::{Move, Path, Tally, UnknownTally, VoteError, VoteTerms, Voted};

/// Which of the weights visited is the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// The last weights after an epoch without a mistake, otherwise their average.
    #[default]
    Auto,
    /// The weights at the end of the run.
    Last,
    /// The plain mean of the weights after every visited example.
    Average,
    /// The weights with the fewest training errors, or where classes or examples have weights, those whose errors
    /// weigh least (Gallant's pocket with ratchet; [`TrialBudget`] bounds its cost).
    Pocket,
    /// All weights visited, each with a vote for every example that it survived (Freund & Schapire 1999).
    Vote,
}

impl Keep {
    /// What this choice comes to at the end of a run.
    pub fn resolve(self, converged: bool) -> Kept {
        match self {
            Keep::Last => Kept::Last,
            Keep::Average => Kept::Average,
            Keep::Pocket => Kept::Pocket,
            Keep::Vote => Kept::Vote,
            Keep::Auto if converged => Kept::Last,
            Keep::Auto => Kept::Average,
        }
    }
}

/// Which weights were kept in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// The last weights.
    Last,
    /// The mean of all weights.
    Average,
    /// The pocket's weights.
    Pocket,
    /// All weights visited.
    Vote,
}

impl Kept {
    /// The word for it: `last`, `average`, `pocket` or `vote`.
    pub fn name(self) -> &'static str {
        match self {
            Kept::Last => "last",
            Kept::Average => "average",
            Kept::Pocket => "pocket",
            Kept::Vote => "vote",
        }
    }
}
