//! The epoch of the order [`Order::Mistaken`](crate::schedule::Order::Mistaken): a look at all examples, and a visit of one mistake.

use std::ops::ControlFlow;

use super::trainer::Training;
use crate::{
    events::{Epoch, EpochOutcome},
    learner::{Observer, TrainError},
    schedule,
    space::{Scores, Space},
};

/// The number of examples between two polls of the observer.
const BLOCK: usize = 1 << 10;

impl<S: Space> Training<'_, '_, S> {
    /// Runs epoch `number` (from 1): counts the mistakes of the present weights and, if there are more than allowed, visits one
    /// of them. The run has one hyperplane.
    ///
    /// # Errors
    /// [`TrainError::Overflow`].
    pub(super) fn mistaken_epoch(
        &mut self,
        number: u64,
        observer: &mut impl Observer,
    ) -> Result<EpochOutcome, TrainError> {
        let mut epoch = Epoch::new(number);
        self.trainers[0].begin_epoch(number);
        let (mistaken, flow) = self.mistaken(observer);
        epoch.mistakes = mistaken.len() as u64;
        let visits = flow.is_continue() && epoch.mistakes > self.options.allow_mistakes;
        // The visit counts one of them.
        self.trainers[0].count_mistakes(epoch.mistakes - u64::from(visits));
        if !visits {
            return Ok(EpochOutcome { epoch, flow, is_whole: flow.is_continue() });
        }
        let example = schedule::choose(self.options.seed, number, &mistaken);
        self.space.begin_epoch(&[example]);
        let trainer = &mut self.trainers[0];
        let visit = trainer.visit(&mut self.space, example, 0);
        let visit = visit.map_err(|_| TrainError::Overflow { example, epoch: number })?;
        (epoch.visits, epoch.updates) = (1, 1);
        let mut flow = observer.visited(example, visit, trainer);
        if flow.is_continue() {
            flow = observer.poll();
        }
        Ok(EpochOutcome { epoch, flow, is_whole: true })
    }

    /// The examples that are mistakes of the present weights, in their order. A break of the observer ends the look.
    fn mistaken(&mut self, observer: &impl Observer) -> (Vec<usize>, ControlFlow<()>) {
        self.space.end_visits();
        let trainer = &self.trainers[0];
        let planes = self.in_space(vec![trainer.learner.stored().clone()]);
        let scores = self.space.current_scores(&planes);
        let examples = trainer.examples.len();
        let mut mistaken = Vec::new();
        for from in (0..examples).step_by(BLOCK) {
            let until = examples.min(from + BLOCK);
            let mut example = self.next(&scores, (from, until));
            while example < until {
                let sign = trainer.examples.sign(example);
                if trainer.learner.is_mistake(scores.sign(0, example), sign) {
                    mistaken.push(example);
                }
                example = self.next(&scores, (example + 1, until));
            }
            if observer.poll().is_break() {
                return (mistaken, ControlFlow::Break(()));
            }
        }
        (mistaken, ControlFlow::Continue(()))
    }

    /// The first of these examples that may be a mistake.
    #[cfg(feature = "fast")]
    fn next(&self, scores: &S::Scores<'_>, examples: (usize, usize)) -> usize {
        let Some(scores) = scores.linear() else { return examples.0 };
        crate::fast::skip_rows(scores, 0, &self.trainers[0].examples, examples, (0.0, false)).until
    }

    /// By the definition every example may be one.
    #[cfg(not(feature = "fast"))]
    fn next(&self, _: &S::Scores<'_>, examples: (usize, usize)) -> usize {
        examples.0
    }
}
