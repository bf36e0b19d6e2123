//! Batches that leave a stream unchanged if they fail.

use std::{mem, ops::ControlFlow};

use super::Stream;
use crate::{
    data::{Labelled, Rows},
    learner::{FeatureValues, Observer, TrainError, picked, put_back},
};

/// The numbers of a stream that a sparse batch can change.
struct Before {
    /// The stream without its vectors of features.
    rest: Stream,
    learners: Vec<FeatureValues>,
    /// The class sums of the features of the batch.
    sums: Option<Vec<Vec<f64>>>,
}

impl Stream {
    /// Learns like [`learn`](Self::learn), but an error or a break leaves the stream unchanged.
    ///
    /// Cost: in addition, a copy of the stream, or of the features of the batch if these are fewer. After a panic that
    /// interrupts the latter, every call returns [`TrainError::Stopped`].
    pub fn learn_whole(
        &mut self,
        batch: &Labelled<'_>,
        observer: &mut impl Observer,
    ) -> Result<ControlFlow<()>, TrainError> {
        let is_whole = |outcome: &Result<ControlFlow<()>, TrainError>| {
            outcome.as_ref().is_ok_and(ControlFlow::is_continue)
        };
        let Some(features) = self.few_features(batch.rows()) else {
            let mut next = self.clone();
            let outcome = next.learn(batch, observer);
            if is_whole(&outcome) {
                *self = next;
            }
            return outcome;
        };
        self.usable()?;
        let before = self.before(features);
        let learners = before.learners.iter().map(FeatureValues::rest).collect();
        let interrupted =
            Stream { failed: Some(TrainError::Stopped), learners, ..before.rest.clone() };
        let mut running = mem::replace(self, interrupted);
        let outcome = running.learn(batch, observer);
        if !is_whole(&outcome) {
            running.restore(before, features);
        }
        *self = running;
        outcome
    }

    /// The features of a sparse batch, if they are fewer than those of the stream and none is new.
    fn few_features<'r>(&self, rows: &'r Rows<'_>) -> Option<&'r [u32]> {
        let (_, features) = rows.sparse_parts()?;
        let has_room = rows.features() <= self.features && self.sums.have_room(self.features);
        (has_room && features.len() < self.features).then_some(features)
    }

    fn before(&mut self, features: &[u32]) -> Before {
        let (learners, order) = (mem::take(&mut self.learners), mem::take(&mut self.order));
        let sums = self.sums.take_sums();
        let rest = self.clone();
        (self.learners, self.order) = (learners, order);
        let picked_sums =
            sums.as_ref().map(|sums| sums.iter().map(|sum| picked(sum, features)).collect());
        self.sums.set_sums(sums);
        let learners = self.learners.iter_mut().map(|learner| learner.part(features)).collect();
        Before { rest, learners, sums: picked_sums }
    }

    fn restore(&mut self, before: Before, features: &[u32]) {
        let (mut learners, order) = (mem::take(&mut self.learners), mem::take(&mut self.order));
        for (learner, part) in learners.iter_mut().zip(before.learners) {
            learner.restore_part(part, features);
        }
        let mut sums = self.sums.take_sums();
        for (sum, values) in sums.iter_mut().flatten().zip(before.sums.iter().flatten()) {
            put_back(sum, features, values);
        }
        *self = Stream { learners, order, ..before.rest };
        self.sums.set_sums(sums);
    }
}
