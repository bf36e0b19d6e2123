//! The loop over the epochs of a run, and what follows it.
//!
//! A pass over the examples has two forms: visits one by one ([`Lesson::epoch`]), and, where nobody watches the visits
//! of the only hyperplane, many at once (`unwatched_epoch`). Both make the same decisions and the same weights.

use std::ops::ControlFlow;

use super::{Checkpoint, Epoch, ErrorWeights, HeldOut, Loss, Observer, Options, Pupil, TrainError};
use crate::{
    data::{Decision, Scheme, Sign},
    keep::Kept,
    report::{Candidate, Finished, Report, Stop},
    space::{Hyperplane, Scores, Space},
};

/// The most examples that are scanned at once, for one hyperplane, and for each of several.
const ALONE: usize = 1 << 10;
const TOGETHER: usize = 1 << 3;

/// How the epochs went.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) mistakes_per_epoch: Vec<u64>,
    pub(crate) stop: Stop,
    /// Whether the last epoch visited every example.
    pub(crate) is_whole: bool,
    /// With early stopping, the epoch whose weights are the model.
    pub(crate) best_epoch: Option<u64>,
}

impl Course {
    pub(crate) fn converged(&self) -> bool {
        self.stop == Stop::CleanEpoch
    }
}

/// All that takes part in a run.
pub(super) struct Lesson<'a, 'o, S> {
    pub(super) options: &'o Options,
    pub(super) scheme: Scheme,
    pub(super) space: S,
    pub(super) pupils: Vec<Pupil<'a>>,
}

/// A run whose epochs are over.
pub(super) struct Ended {
    course: Course,
    /// With early stopping, the best weights.
    best: Option<Candidate>,
}

/// An epoch that is over, or was broken off.
pub(super) struct Passed {
    pub(super) epoch: Epoch,
    /// Whether the observer broke.
    pub(super) flow: ControlFlow<()>,
    /// Whether every hyperplane visited every example.
    is_whole: bool,
}

/// Judges a run by examples held out, epoch by epoch.
struct Examination<'h, 'a> {
    held_out: &'h HeldOut<'a>,
    error_weights: ErrorWeights<'a>,
    /// The weight of all its examples.
    total: u128,
    /// After the last fall of the errors.
    best: Option<BestSoFar>,
}

/// The best weights by examples held out.
pub(super) struct BestSoFar {
    pub(super) loss: Loss,
    /// The epoch after which they were made.
    pub(super) epoch: u64,
    pub(super) candidate: Candidate,
}

impl<S: Space> Lesson<'_, '_, S> {
    /// All epochs, or those after a checkpoint.
    ///
    /// An observer that breaks ends the run, but a run that is over anyway ends for its own reason.
    pub(super) fn epochs(
        &mut self,
        start: Option<&Checkpoint>,
        held_out: Option<&HeldOut<'_>>,
        observer: &mut impl Observer,
    ) -> Result<Ended, TrainError> {
        let examples = self.pupils.first().map_or(0, |pupil| pupil.examples.len());
        let mut order = vec![0; examples];
        start.map_or(Ok(()), |start| self.restore(start))?;
        let mut mistakes_per_epoch = start.map(Checkpoint::mistakes_per_epoch).unwrap_or_default();
        let mut examination =
            held_out.map(|held_out| Examination::new(held_out, self)).transpose()?;
        if let (Some(examination), Some(best)) =
            (&mut examination, start.and_then(|start| start.best.as_ref()))
        {
            let candidate = best.candidate();
            let loss = examination.loss(self, &candidate);
            examination.best = Some(BestSoFar { loss, epoch: best.epoch, candidate });
        }
        let mut stop = start.and_then(|start| start.stop);
        let mut is_whole = true;
        for number in mistakes_per_epoch.len() as u64 + 1..=self.options.epochs {
            if stop.is_some() {
                break;
            }
            self.options.order.arrange(self.options.seed, number, &mut order);
            let passed = self.epoch(number, &order, observer)?;
            mistakes_per_epoch.push(passed.epoch.mistakes);
            is_whole = passed.is_whole;
            stop = match is_whole {
                true => self.end_epoch(passed, examination.as_mut(), observer)?,
                false => Some(Stop::Observer),
            };
        }
        let stop = stop.unwrap_or(Stop::MaxEpochs);
        let best = examination.and_then(|examination| examination.best);
        let best_epoch = best.as_ref().map(|best| best.epoch);
        let course = Course { mistakes_per_epoch, stop, is_whole, best_epoch };
        Ok(Ended { course, best: best.map(|best| best.candidate) })
    }

    /// How scores become a class.
    pub(super) fn decision(&self) -> Decision {
        Decision { scheme: self.scheme, zero: self.options.zero }
    }

    /// Whether a training example is of this class.
    pub(super) fn is_of_class(&self, row: usize, class: usize) -> bool {
        let sign = |plane: usize| self.pupils[plane].examples.sign(row);
        match self.scheme {
            Scheme::Two { positive } => (sign(0) == Sign::Plus) == (class == positive),
            Scheme::OneAgainstRest { .. } => sign(class) == Sign::Plus,
        }
    }

    /// What follows an epoch that visited every example: the observer hears of it, the examples held out are
    /// examined, and a checkpoint is offered, also where the observer has broken already. Gives why the run is over,
    /// if it is.
    fn end_epoch(
        &self,
        Passed { epoch, flow, .. }: Passed,
        mut examination: Option<&mut Examination<'_, '_>>,
        observer: &mut impl Observer,
    ) -> Result<Option<Stop>, TrainError> {
        let heard = observer.epoch_ended(epoch, &self.pupils[0]);
        let natural = Stop::after(epoch, self.options);
        let examined = examination.as_mut();
        let patient = examined.map(|examined| examined.examine(self, epoch.number, natural));
        let impatient = patient.transpose()?.is_some_and(|patient| !patient);
        let stop = natural.or(impatient.then_some(Stop::Patience));
        let best = examination.and_then(|examination| examination.best.as_ref());
        let offered = observer.checkpoint(&mut || self.checkpoint(stop, best));
        let is_last = epoch.number == self.options.epochs;
        let is_stopped = [flow, heard, offered].iter().any(ControlFlow::is_break);
        let own = stop.or(is_last.then_some(Stop::MaxEpochs));
        Ok(own.or(is_stopped.then_some(Stop::Observer)))
    }

    /// One pass: every hyperplane visits an example before the next one comes.
    pub(super) fn epoch(
        &mut self,
        number: u64,
        order: &[usize],
        observer: &mut impl Observer,
    ) -> Result<Passed, TrainError> {
        if let ([pupil], false) = (self.pupils.as_slice(), observer.watches_visits())
            && !pupil.is_watched()
        {
            return self.unwatched_epoch(number, order, observer);
        }
        let mut epoch = Epoch { number, visits: 0, mistakes: 0, updates: 0 };
        self.pupils.iter_mut().for_each(|pupil| pupil.mistakes_per_epoch.push(0));
        // How far each hyperplane has scanned: what comes before changes nothing. With several hyperplanes not
        // far, so that the rows are still near for the next.
        let mut scanned = vec![0; self.pupils.len()];
        let most = if scanned.len() == 1 { ALONE } else { TOGETHER };
        for (place, &example) in order.iter().enumerate() {
            self.space.arrive(order, place);
            for (plane, pupil) in self.pupils.iter_mut().enumerate() {
                if scanned[plane] <= place {
                    let places = (order, place, place + most);
                    scanned[plane] = pupil.untouched(&mut self.space, places, plane);
                }
                let visit = if place < scanned[plane] {
                    pupil.pass(&mut self.space, example, plane)
                } else {
                    let visit = pupil.visit(&mut self.space, example, plane);
                    visit.map_err(|_| TrainError::Overflow { example, epoch: number })?
                };
                epoch.count(visit);
                let flow = observer.visited(example, visit, pupil);
                if flow.is_break() {
                    let is_whole = place + 1 == order.len() && plane + 1 == scanned.len();
                    return Ok(Passed { epoch, flow, is_whole });
                }
            }
            if observer.wants_stop() {
                let is_whole = place + 1 == order.len();
                return Ok(Passed { epoch, flow: ControlFlow::Break(()), is_whole });
            }
        }
        Ok(Passed { epoch, flow: ControlFlow::Continue(()), is_whole: true })
    }

    /// The same where there is one hyperplane and nobody watches its visits: those that change nothing are only
    /// counted.
    fn unwatched_epoch(
        &mut self,
        number: u64,
        order: &[usize],
        observer: &impl Observer,
    ) -> Result<Passed, TrainError> {
        let Lesson { space, pupils, .. } = self;
        let mut epoch = Epoch { number, visits: 0, mistakes: 0, updates: 0 };
        let mut flow = ControlFlow::Continue(());
        let Some(pupil) = pupils.first_mut() else {
            return Ok(Passed { epoch, flow, is_whole: true });
        };
        pupil.mistakes_per_epoch.push(0);
        let mut place = 0;
        while place < order.len() && flow.is_continue() {
            // With the visit that follows so many that the observer is asked often enough.
            let places = (order, place, place + ALONE - 1);
            let next = if let Some(made) = pupil.make_visits(space, places) {
                epoch.mistakes += made.mistakes;
                epoch.updates += made.updates;
                made.until
            } else {
                let next = pupil.untouched(space, places, 0);
                pupil.pass_all((next - place) as u64);
                next
            };
            epoch.visits += (next - place) as u64;
            place = next;
            if let Some(&example) = order.get(next) {
                space.arrive(order, next);
                let visit = pupil.visit(space, example, 0);
                let overflow = |_| TrainError::Overflow { example, epoch: number };
                epoch.count(visit.map_err(overflow)?);
                place += 1;
            }
            if observer.wants_stop() {
                flow = ControlFlow::Break(());
            }
        }
        Ok(Passed { epoch, flow, is_whole: place == order.len() })
    }

    /// The weights of all hyperplanes that would be kept now, if the run kept track of them.
    fn candidate(&self, kept: Kept) -> Result<Option<Candidate>, TrainError> {
        let plane = |pupil: &Pupil<'_>| match kept {
            Kept::Last | Kept::Vote => Ok(Some(pupil.learner.hyperplane().clone())),
            Kept::Average => pupil.learner.average().transpose(),
            Kept::Pocket => Ok(pupil.pocket.as_ref().map(|pocket| pocket.best().clone())),
        };
        let planes: Result<Option<Vec<Hyperplane>>, TrainError> = self
            .pupils
            .iter()
            .map(|pupil| plane(pupil).transpose())
            .collect::<Option<_>>()
            .transpose();
        let mut planes = planes?;
        for plane in planes.iter_mut().flatten() {
            // In the dual form a hyperplane knows the rows up to the last that it met.
            plane.weights.resize(self.space.dimension(), 0.0);
        }
        let is_present = matches!(kept, Kept::Last | Kept::Vote);
        Ok(planes.map(|planes| Candidate { kept, planes, is_present }))
    }

    /// Judges the weights that may be the model; the model's come first.
    pub(super) fn judge(
        &mut self,
        ended: Ended,
        vote_errors: Option<usize>,
    ) -> Result<(Vec<Candidate>, Report), TrainError> {
        for (plane, pupil) in self.pupils.iter_mut().enumerate() {
            pupil.end(&mut self.space, plane);
        }
        self.space.settle();
        let Ended { course, best } = ended;
        let kept = self.options.keep.resolve(course.converged());
        let kept = best.as_ref().map_or(kept, |best| best.kept);
        let mut candidates = Vec::new();
        for candidate in [Kept::Last, Kept::Average, Kept::Pocket] {
            match self.candidate(candidate) {
                // An average that is only compared may be missing from the report.
                Err(_) if candidate != kept => {}
                made => candidates.extend(made?),
            }
        }
        let find = |kept| candidates.iter().position(|candidate| candidate.kept == kept);
        // What is wanted was kept track of; for a vote the last weights stand in.
        let wanted = find(kept).unwrap_or(0);
        if let Some(mut best) = best {
            // Rows may have come after its epoch.
            let dimension = self.space.dimension();
            best.planes.iter_mut().for_each(|plane| plane.weights.resize(dimension, 0.0));
            candidates[wanted] = Candidate { is_present: false, ..best };
        }
        let finished = Finished {
            space: &self.space,
            pupils: &self.pupils,
            scheme: self.scheme,
            options: self.options,
            course,
            candidates,
            wanted,
            vote_errors,
        };
        Ok(finished.judge())
    }
}

impl<'h, 'a> Examination<'h, 'a> {
    /// Before the first epoch of a run.
    fn new<S: Space>(
        held_out: &'h HeldOut<'a>,
        lesson: &Lesson<'_, '_, S>,
    ) -> Result<Self, TrainError> {
        let rates = lesson.pupils[0].rates_of(&held_out.labelled, lesson.options)?;
        let error_weights = ErrorWeights::new(&rates);
        // Rates are those of classes: the sign does not matter.
        let weight = |row| u128::from(error_weights.of(row, Sign::Plus));
        let total = (0..held_out.labelled.classes().len()).map(weight).sum();
        Ok(Examination { held_out, error_weights, total, best: None })
    }

    /// The errors of weights on the examples held out.
    fn loss<S: Space>(&self, lesson: &Lesson<'_, '_, S>, candidate: &Candidate) -> Loss {
        let labelled = &self.held_out.labelled;
        let scores = lesson.space.scores_on(&candidate.planes, labelled.rows());
        let error = |(row, &class): (usize, &u32)| {
            let is_right = Scores::class(&scores, lesson.decision(), row) == class as usize;
            if is_right { 0 } else { self.error_weights.of(row, Sign::Plus) }
        };
        labelled.classes().iter().enumerate().map(error).collect()
    }

    /// Judges the weights after an epoch; whether there is patience for more.
    fn examine<S: Space>(
        &mut self,
        lesson: &Lesson<'_, '_, S>,
        epoch: u64,
        stop: Option<Stop>,
    ) -> Result<bool, TrainError> {
        let converged = stop == Some(Stop::CleanEpoch);
        let kept = lesson.options.keep.resolve(converged);
        let Some(candidate) = lesson.candidate(kept)? else { return Ok(true) };
        let loss = self.loss(lesson, &candidate);
        let better = self.best.as_ref().is_none_or(|best| {
            self.has_fallen(best.loss, loss) || (converged && loss.weight <= best.loss.weight)
        });
        if better {
            self.best = Some(BestSoFar { loss, epoch, candidate });
        }
        let since = self.best.as_ref().map_or(0, |best| epoch - best.epoch);
        Ok(since < self.held_out.patience)
    }

    /// Whether the errors weigh less by at least what `least` errors of the mean weight do.
    fn has_fallen(&self, before: Loss, now: Loss) -> bool {
        let examples = self.held_out.labelled.classes().len() as u128;
        let fall = before.weight.saturating_sub(now.weight);
        let least = self.held_out.least.max(1) as u128;
        fall.saturating_mul(examples) >= least.saturating_mul(self.total)
    }
}
