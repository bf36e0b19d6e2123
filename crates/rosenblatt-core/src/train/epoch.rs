//! The loop: one pass over the examples.

use std::ops::ControlFlow;

use super::trainer::Training;
use crate::{
    events::{Epoch, EpochOutcome},
    learner::{Observer, TrainError},
    space::Space,
};

impl<S: Space> Training<'_, '_, S> {
    /// Runs epoch `number` (from 1) over the examples in this order.
    ///
    /// # Errors
    /// [`TrainError::Overflow`].
    pub(super) fn epoch(
        &mut self,
        number: u64,
        order: &[usize],
        observer: &mut impl Observer,
    ) -> Result<EpochOutcome, TrainError> {
        // The only entrance to the fast paths, which make the same visits.
        #[cfg(feature = "fast")]
        {
            use crate::fast::{self, Pass};
            let (space, trainers) = (&mut self.space, self.trainers.as_mut_slice());
            if let Some(outcome) = fast::epoch(Pass { space, trainers, order, number }, observer) {
                return outcome;
            }
        }
        self.epoch_by_definition(number, order, observer)
    }

    /// Visits the examples one by one. All hyperplanes visit an example before any visits the next one. The observer
    /// sees every visit and is polled after every example; it may stop the epoch at either.
    fn epoch_by_definition(
        &mut self,
        number: u64,
        order: &[usize],
        observer: &mut impl Observer,
    ) -> Result<EpochOutcome, TrainError> {
        let mut epoch = Epoch::new(number);
        self.trainers.iter_mut().for_each(|trainer| trainer.begin_epoch(number));
        self.space.begin_epoch(order);
        for (position, &example) in order.iter().enumerate() {
            let is_last = position + 1 == order.len();
            for (plane, trainer) in self.trainers.iter_mut().enumerate() {
                let visit = trainer.visit(&mut self.space, example, plane);
                let visit = visit.map_err(|_| TrainError::Overflow { example, epoch: number })?;
                epoch.count(visit);
                let flow = observer.visited(example, visit, trainer);
                if flow.is_break() {
                    let is_whole = is_last && plane + 1 == self.trainers.len();
                    return Ok(EpochOutcome { epoch, flow, is_whole });
                }
            }
            let flow = observer.poll();
            if flow.is_break() {
                return Ok(EpochOutcome { epoch, flow, is_whole: is_last });
            }
        }
        Ok(EpochOutcome { epoch, flow: ControlFlow::Continue(()), is_whole: true })
    }
}
