//! What a checkpoint holds; [`train`](crate::train) makes it and resumes from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::{
    events::Stop,
    hyperplane::Hyperplane,
    keep::{Kept, MeanState, PocketState, WeightSequence},
    space::SupportState,
};

/// A run after an epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Why the run is over, if it is; not for want of epochs.
    pub stop: Option<Stop>,
    /// What learned, one a hyperplane.
    pub standings: Vec<LearnerState>,
    /// With early stopping, the best weights so far.
    pub best: Option<BestState>,
    /// In the dual form, the rows of the coefficients.
    pub mistaken: Option<SupportState>,
}

/// One hyperplane of a run. All of a run have as many weights.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LearnerState {
    /// The present weights.
    pub hyperplane: Hyperplane,
    /// The number of updates.
    pub updates: u64,
    /// Σ of the sizes of all steps.
    pub steps: f64,
    /// The mistakes in each epoch.
    pub mistakes_per_epoch: Vec<u64>,
    /// The means of weights that the run keeps.
    #[serde(flatten, deserialize_with = "means")]
    pub means: BTreeMap<Kept, MeanState>,
    /// The pocket, if the run keeps one.
    pub pocket: Option<PocketState>,
    /// All weights visited, if the run keeps them.
    pub path: Option<WeightSequence>,
}

/// Reads means by the names of their weights; a mean that is null is not kept.
fn means<'de, D: Deserializer<'de>>(given: D) -> Result<BTreeMap<Kept, MeanState>, D::Error> {
    let read: BTreeMap<Kept, Option<MeanState>> = Deserialize::deserialize(given)?;
    Ok(read.into_iter().filter_map(|(kept, state)| Some((kept, state?))).collect())
}

/// The best weights by the examples held out.
#[derive(Clone, Debug, PartialEq)]
pub struct BestState {
    /// The errors on the examples held out.
    pub errors: usize,
    /// The epoch after which they were made.
    pub epoch: u64,
    /// Which weights of the run they are.
    pub kept: Kept,
    /// The hyperplanes.
    pub planes: Vec<Hyperplane>,
}

impl Checkpoint {
    /// The number of epochs that are over.
    pub fn epochs(&self) -> u64 {
        self.standings.first().map_or(0, |one| one.mistakes_per_epoch.len() as u64)
    }

    /// The mistakes in each epoch, of all hyperplanes.
    pub fn mistakes_per_epoch(&self) -> Vec<u64> {
        let of_epoch = |epoch: usize| {
            let counts = self.standings.iter().map(|one| one.mistakes_per_epoch.get(epoch));
            counts.flatten().fold(0u64, |sum, &count| sum.saturating_add(count))
        };
        (0..self.epochs() as usize).map(of_epoch).collect()
    }
}
