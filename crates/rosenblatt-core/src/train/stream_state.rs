//! The state of a stream between two batches, from which it can continue.
//!
//! It stores only what cannot be recomputed from options and scheme. With both, [`Stream::of_state`] continues with the
//! bits of an uninterrupted stream. The caller must pass the same options and scheme. A state that visibly does not fit
//! them is rejected, and no accepted state can cause a panic.

use serde::{Deserialize, Deserializer};

use super::{
    Stream,
    resume::{Checked, ensure, is_sound},
};
use crate::{
    data::Scheme,
    events::Epoch,
    learner::{LearnerState, TrainError, sized},
    options::Options,
    prototype::Sums,
    radius::Radius,
};

/// The state of a [`Stream`] between two batches.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StreamState {
    /// The state of each hyperplane's learner, without pocket and weight sequence. Its mistakes are those of the one
    /// epoch.
    pub standings: Vec<LearnerState>,
    /// The visits of each hyperplane: those of the epoch, except for examples at which an observer stopped.
    pub visits: Vec<u64>,
    /// The number of features so far, and of weights per hyperplane.
    pub features: usize,
    /// R = max‖x‖ so far. If it or R² overflows, it is null in JSON.
    #[serde(deserialize_with = "length")]
    pub radius: f64,
    /// R², rounded separately.
    #[serde(deserialize_with = "length")]
    pub squared_radius: f64,
    /// The largest learning rate of an example so far; 0 before the first.
    pub largest_rate: f64,
    /// The counts of the epoch so far; its number is 1.
    pub epoch: Epoch,
    /// The number of examples of each class.
    pub class_sizes: Vec<usize>,
    /// The sums of the rows of each class, for the [`Baseline`](crate::prototype::Baseline); `None` if they would be
    /// too large. A sum that overflowed is null in JSON and NaN when read.
    #[serde(default, deserialize_with = "sums")]
    pub class_sums: Option<Vec<Vec<f64>>>,
}

fn length<'de, D: Deserializer<'de>>(given: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(given)?.unwrap_or(f64::INFINITY))
}

fn sums<'de, D: Deserializer<'de>>(given: D) -> Result<Option<Vec<Vec<f64>>>, D::Error> {
    let read: Option<Vec<Vec<Option<f64>>>> = Deserialize::deserialize(given)?;
    let finite = |sum: Vec<Option<f64>>| sum.into_iter().map(|x| x.unwrap_or(f64::NAN)).collect();
    Ok(read.map(|all| all.into_iter().map(finite).collect()))
}

impl Stream {
    /// Returns the state of the stream. Cost: a copy of all weights and sums.
    pub fn state(&self) -> StreamState {
        let standing = |(learner, mistakes): (&crate::learner::Learner, &u64)| LearnerState {
            hyperplane: learner.stored().clone(),
            updates: learner.updates(),
            steps: learner.steps(),
            mistakes_per_epoch: vec![*mistakes],
            means: learner.mean_states(),
            precisions: learner.precisions().cloned(),
            penalty: learner.penalty_state().cloned(),
            pocket: None,
            path: None,
        };
        let (class_sizes, class_sums) = self.sums.state();
        StreamState {
            standings: self.learners.iter().zip(&self.mistakes).map(standing).collect(),
            visits: self.learners.iter().map(super::Learner::visits).collect(),
            features: self.features,
            radius: self.radius.length,
            squared_radius: self.radius.square,
            largest_rate: self.largest_rate,
            epoch: self.epoch,
            class_sizes,
            class_sums,
        }
    }

    /// Restores a stream from its state.
    ///
    /// # Errors
    /// [`TrainError`], as for [`Stream::new`]; [`TrainError::Checkpoint`] for the state of another stream.
    pub fn of_state(
        options: &Options,
        scheme: Scheme,
        state: StreamState,
    ) -> Result<Self, TrainError> {
        let mut stream = Stream::new(options, scheme)?;
        state.check(&stream).map_err(|problem| TrainError::Checkpoint { problem })?;
        sized(state.features, scheme.hyperplanes())?;
        let all = state.standings.iter().zip(&state.visits);
        for ((standing, &visits), (learner, mistakes)) in
            all.zip(stream.learners.iter_mut().zip(&mut stream.mistakes))
        {
            learner.restore(standing, visits);
            *mistakes = standing.mistakes_per_epoch.iter().sum();
        }
        stream.features = state.features;
        stream.radius = Radius { length: state.radius, square: state.squared_radius };
        stream.largest_rate = state.largest_rate;
        stream.epoch = state.epoch;
        stream.sums = Sums::of(scheme, (state.class_sizes, state.class_sums));
        Ok(stream)
    }
}

impl StreamState {
    /// Checks that the state fits `stream`, which has just begun.
    fn check(&self, stream: &Stream) -> Checked {
        let Epoch { number, visits, mistakes, updates } = self.epoch;
        let planes = stream.scheme.hyperplanes();
        let fits = self.standings.len() == planes && self.visits.len() == planes;
        ensure(fits, "it has another number of hyperplanes")?;
        let possible = [visits, mistakes, updates].iter().all(|&count| count < 1 << 62);
        ensure(number == 1 && possible, "its counts are impossible")?;
        let given = stream.options.given_features();
        let features = given.is_none_or(|features| features == self.features);
        ensure(features, "its features do not match the given weights")?;
        for (standing, &own) in self.standings.iter().zip(&self.visits) {
            // If an observer stopped within an example, the later hyperplanes have not visited it.
            ensure(own <= visits, "its hyperplanes have more visits than the epoch")?;
            standing.check_in_stream(stream, (self.features, own))?;
        }
        let sum = |count: &dyn Fn(&LearnerState) -> u64| {
            let mut all = self.standings.iter().map(count);
            all.try_fold(0u64, |sum, count| sum.checked_add(count))
        };
        let same = sum(&|one| one.updates) == Some(updates)
            && sum(&|one| one.mistakes_per_epoch[0]) == Some(mistakes);
        ensure(same, "its epoch does not match its hyperplanes")?;
        let numbers = [self.radius, self.squared_radius, self.largest_rate];
        ensure(
            numbers.iter().all(|&number| number >= 0.0),
            "its radius or rate is not a number ≥ 0",
        )?;
        let mut sizes = self.class_sizes.iter().map(|&size| size as u64);
        let examples = sizes.try_fold(0u64, |sum, size| sum.checked_add(size));
        let classes = stream.scheme.classes();
        let fits = self.class_sizes.len() == classes && examples == Some(visits);
        ensure(fits, "its class sizes do not fit")?;
        let Some(sums) = &self.class_sums else { return Ok(()) };
        // Without a batch the sums are empty.
        let is_wide =
            |sum: &Vec<f64>| sum.len() == self.features || (visits == 0 && sum.is_empty());
        ensure(sums.len() == classes && sums.iter().all(is_wide), "its class sums do not fit")
    }
}

impl LearnerState {
    fn check_in_stream(&self, stream: &Stream, (features, visits): (usize, u64)) -> Checked {
        let possible =
            matches!(self.mistakes_per_epoch.as_slice(), [mistakes] if *mistakes <= visits);
        ensure(possible, "its mistakes do not match its epoch")?;
        ensure(self.updates <= visits, "it counts more updates than visits")?;
        ensure(self.steps >= 0.0, "the sum of its steps is not a number ≥ 0")?;
        ensure(is_sound(&self.hyperplane, features), "its weights do not fit")?;
        let fits = self.pocket.is_none() && self.path.is_none();
        ensure(fits, "a stream has no pocket and no vote")?;
        ensure(self.has_means_of(&stream.options), "its average does not match the options")?;
        self.check_precisions(&stream.options, features)?;
        self.check_penalty(&stream.options, (features, visits))?;
        self.means.values().try_for_each(|mean| mean.check(features, visits))
    }
}
