//! The loop over the examples of several classes that are learned together.

use std::ops::ControlFlow;

use super::trainer::Training;
use crate::{
    events::{Epoch, EpochOutcome},
    learner::{Observer, Rivalry, TrainError, best_rival, visit_jointly},
    space::Space,
};

impl<S: Space> Training<'_, '_, S> {
    /// Runs epoch `number` (from 1) in which all hyperplanes learn together, over the examples in this order.
    ///
    /// # Errors
    /// [`TrainError::Overflow`].
    pub(super) fn joint_epoch(
        &mut self,
        number: u64,
        order: &[usize],
        observer: &mut impl Observer,
    ) -> Result<EpochOutcome, TrainError> {
        // The only entrance to the fast path, which makes the same visits.
        #[cfg(feature = "fast")]
        {
            use crate::fast::{self, Pass};
            let (space, trainers) = (&mut self.space, self.trainers.as_mut_slice());
            let pass = Pass { space, trainers, order, number };
            if let Some(outcome) = fast::joint_epoch(pass, observer) {
                return outcome;
            }
        }
        self.joint_epoch_by_definition(number, order, observer)
    }

    /// Visits the examples one by one. The observer sees one visit of each and is polled after it; it may stop the epoch
    /// at either.
    fn joint_epoch_by_definition(
        &mut self,
        number: u64,
        order: &[usize],
        observer: &mut impl Observer,
    ) -> Result<EpochOutcome, TrainError> {
        let mut epoch = Epoch::new(number);
        let trainers = self.trainers.as_mut_slice();
        trainers.iter_mut().for_each(|trainer| trainer.begin_epoch(number));
        let examples = trainers[0].examples;
        for (position, &example) in order.iter().enumerate() {
            let own = examples.classes().map_or(0, |classes| classes[example] as usize);
            let rival = best_rival(trainers, own, examples.rows().row(example));
            let rivalry = Rivalry { own, rival, order: None };
            let visit = visit_jointly(trainers, rivalry, example, f64::INFINITY);
            let visit = visit.map_err(|_| TrainError::Overflow { example, epoch: number })?;
            let others = (0..trainers.len()).filter(|plane| ![own, rival].contains(plane));
            others.for_each(|plane| trainers[plane].learner.skip_many(1));
            epoch.count_joint(visit);
            let mut flow = observer.visited(example, visit, &trainers[own]);
            if flow.is_continue() {
                flow = observer.poll();
            }
            if flow.is_break() {
                let is_whole = position + 1 == order.len();
                return Ok(EpochOutcome { epoch, flow, is_whole });
            }
        }
        Ok(EpochOutcome { epoch, flow: ControlFlow::Continue(()), is_whole: true })
    }
}
