//! The weights that can become the model.
//!
//! `last` needs no memory. [`Average`], [`Pocket`] and the [`WeightSequence`] of a vote follow the run and cost nothing
//! if unused.

mod average;
mod last;
mod loss;
mod mean;
mod pocket;
mod vote;

pub use average::Average;
pub(crate) use loss::Loss;
pub use mean::MeanState;
pub(crate) use mean::{Mean, RestoreMean, SumSince, mean};
pub use pocket::{Pocket, PocketState, TrialBudget, count_errors};
pub use vote::{Tally, UnknownTally, UpdateRecord, VoteError, VoteTerms, Voted, WeightSequence};

/// All ways to keep weights, in the order of reports.
pub static ALL: [&Keeper; 4] = [&last::KEEPER, &average::KEEPER, &pocket::KEEPER, &vote::KEEPER];

/// A way to keep weights and its properties.
#[derive(Debug)]
#[non_exhaustive]
pub struct Keeper {
    /// The option that chooses it.
    pub keep: Keep,
    /// The weights in reports and files.
    pub kept: Kept,
    /// The name in options, reports and files.
    pub name: &'static str,
    /// A description of the weights for reports.
    pub words: &'static str,
    /// A name of the weights for pictures and lists.
    pub title: &'static str,
    /// Where a run holds the weights.
    pub(crate) storage: Storage,
    /// Whether a run that compares weights keeps these as well.
    pub(crate) is_compared: bool,
}

impl Keeper {
    /// Whether the weights are one hyperplane; a vote has many.
    pub fn is_hyperplane(&self) -> bool {
        !matches!(self.storage, Storage::Sequence)
    }

    /// Whether the weights are those of the learner.
    pub fn is_present(&self) -> bool {
        matches!(self.storage, Storage::Learner)
    }

    /// Whether the weights are a mean of all weights of the learner.
    pub fn is_mean(&self) -> bool {
        matches!(self.storage, Storage::Mean(_))
    }
}

/// Where a run holds the weights that it keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Storage {
    /// In the learner: they are its current weights.
    Learner,
    /// In a mean, which this function makes from its saved sums.
    Mean(RestoreMean),
    /// In a pocket, which tries weights on all examples.
    Pocket,
    /// In the sequence of all weights.
    Sequence,
}

/// Which of the visited weights become the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Keep {
    /// The average. If the run converged, the average of the run continued by as few epochs without mistakes as make it
    /// right on all examples (none, if it is): the report gives their number
    /// ([`extra_epochs`](crate::report::Report::extra_epochs)).
    ///
    /// The last weights instead: with `arow`; if a converged run needs more further epochs than it made, or no number of
    /// them helps (a row on the last hyperplane under [`Mistake::Label`](crate::rules::Mistake::Label), or rounding); if
    /// its first epoch made no mistake; and if a converged passive-aggressive run, which would go on moving, has an average
    /// that errs. A [`Stream`](crate::train::Stream) has one epoch.
    ///
    /// Cost, after a run that converged: two or three passes over the rows.
    #[default]
    Auto,
    /// The weights at the end of the run.
    Last,
    /// The mean of the weights after every visit.
    Average,
    /// The weights with the fewest training errors among those tried: the initial and the last ones, and, within a
    /// budget, those with a longer run of correct visits than the pocket's (Gallant's pocket with ratchet). Where
    /// classes or examples have weights, those whose errors weigh least. The budget is [`TrialBudget::MODEL`].
    Pocket,
    /// The weights after every visit vote, with one vote for each visit (Freund & Schapire 1999).
    Vote,
}

/// The weights that were kept in the end.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// The last weights.
    Last,
    /// The mean of all weights.
    Average,
    /// The weights of the pocket.
    Pocket,
    /// All visited weights.
    Vote,
}

impl Keep {
    /// The weights that this option chooses; `Auto` may choose the last instead.
    pub fn kept(self) -> Kept {
        // `Keep::Auto` alone has no keeper of its own.
        let keeper = ALL.iter().find(|keeper| keeper.keep == self);
        keeper.map_or(Kept::Average, |keeper| keeper.kept)
    }

    /// Whether a learner that sees each example once can keep the weights.
    pub(crate) fn suits_one_pass(self) -> bool {
        let storage = self.kept().keeper().storage;
        matches!(storage, Storage::Learner | Storage::Mean(_))
    }
}

impl Kept {
    /// The properties of the way in which the weights were kept.
    pub fn keeper(self) -> &'static Keeper {
        ALL.iter().find(|keeper| keeper.kept == self).unwrap_or(&ALL[0])
    }

    /// The name: `last`, `average`, `pocket` or `vote`.
    pub fn name(self) -> &'static str {
        self.keeper().name
    }

    /// The weights that are means of all visited weights, each with the function that makes a mean of its state.
    pub(crate) fn means() -> impl Iterator<Item = (Kept, RestoreMean)> {
        ALL.iter().filter_map(|keeper| match keeper.storage {
            Storage::Mean(restored) => Some((keeper.kept, restored)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_has_one_keeper_under_its_serialized_name() {
        for keeper in ALL {
            let kept = serde_json::to_value(keeper.kept).unwrap();
            let keep = serde_json::to_value(keeper.keep).unwrap();
            assert_eq!((kept.as_str(), keep.as_str()), (Some(keeper.name), Some(keeper.name)));
            assert_eq!(keeper.keep.kept(), keeper.kept);
            assert_eq!(keeper.kept.name(), keeper.name);
        }
        assert_eq!(Keep::Auto.kept(), Kept::Average);
    }
}
