//! The contents of a checkpoint; [`train`](crate::train) creates it and resumes from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use super::{PenaltyState, Precisions};
use crate::{
    events::Stop,
    hyperplane::Hyperplane,
    keep::{Kept, MeanState, PocketState, WeightSequence},
    space::SupportState,
};

/// The state of a run after an epoch.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Checkpoint {
    /// Why the run ended, if it did for another reason than the maximum number of epochs.
    pub stop: Option<Stop>,
    /// The state of each hyperplane's learner.
    pub standings: Vec<LearnerState>,
    /// With early stopping, the best weights so far.
    pub best: Option<BestState>,
    /// In the dual form, the supporting rows.
    pub mistaken: Option<SupportState>,
}

/// The state of one hyperplane of a run. All hyperplanes of a run have the same number of weights.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LearnerState {
    /// The current weights; with a penalty, those as of [`PenaltyState::settled`].
    pub hyperplane: Hyperplane,
    /// The number of updates.
    pub updates: u64,
    /// The sum of the absolute steps.
    pub steps: f64,
    /// The number of mistakes in each epoch.
    pub mistakes_per_epoch: Vec<u64>,
    /// The means of weights that the run keeps.
    #[serde(flatten, deserialize_with = "means")]
    pub means: BTreeMap<Kept, MeanState>,
    /// The precisions of the weights, for a second-order rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precisions: Option<Precisions>,
    /// The state of the penalty, if the run has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub penalty: Option<PenaltyState>,
    /// The pocket, if the run keeps one.
    pub pocket: Option<PocketState>,
    /// All visited weights, if the run keeps them.
    pub path: Option<WeightSequence>,
}

/// Reads means by the names of their weights; a mean that is null is not kept.
fn means<'de, D: Deserializer<'de>>(given: D) -> Result<BTreeMap<Kept, MeanState>, D::Error> {
    let read: BTreeMap<Kept, Option<MeanState>> = Deserialize::deserialize(given)?;
    Ok(read.into_iter().filter_map(|(kept, state)| Some((kept, state?))).collect())
}

/// The weights with the fewest held-out errors so far.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct BestState {
    /// The number of held-out errors.
    pub errors: usize,
    /// The epoch of the weights.
    pub epoch: u64,
    /// Which weights of the run these are.
    pub kept: Kept,
    /// The hyperplanes.
    pub planes: Vec<Hyperplane>,
}

impl Checkpoint {
    /// The number of finished epochs.
    pub fn epochs(&self) -> u64 {
        self.standings.first().map_or(0, |one| one.mistakes_per_epoch.len() as u64)
    }

    /// The mistakes in each epoch, summed over all hyperplanes.
    pub fn mistakes_per_epoch(&self) -> Vec<u64> {
        let of_epoch = |epoch: usize| {
            let counts = self.standings.iter().map(|one| one.mistakes_per_epoch.get(epoch));
            counts.flatten().fold(0u64, |sum, &count| sum.saturating_add(count))
        };
        (0..self.epochs() as usize).map(of_epoch).collect()
    }
}
