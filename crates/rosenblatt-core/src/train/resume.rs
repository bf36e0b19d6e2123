//! Creating a checkpoint after an epoch, and resuming from it.
//!
//! A [`Checkpoint`] stores only what cannot be recomputed from options and data. The order of an epoch depends only on
//! the seed and its number ([`schedule`](crate::schedule)). Rates, radius, bounds and the running scores of the dual
//! form follow from the rows. So a run that resumes from the checkpoint of any epoch makes the same decisions and
//! updates as an uninterrupted run. Its model and report have the same bits.
//!
//! The run offers an observer its checkpoint after every epoch ([`Observer::checkpoint`]); [`Checkpoint::resume`]
//! continues from it. Only the number of epochs may then differ: a larger one continues a run that reached its maximum.
//! The caller must pass the same rows, classes and other options. A checkpoint that visibly does not fit them is
//! rejected.

use super::{
    early_stopping::{BestSoFar, HeldOut},
    fit::{Fit, fit_from},
    trainer::Training,
};
use crate::{
    data::Labelled,
    dynamics::Visits,
    events::Stop,
    hyperplane::Hyperplane,
    keep::{Kept, MeanState, PocketState},
    learner::{
        BestState, BinaryTrainer, Checkpoint, Learner, LearnerState, Observer, PenaltyState,
        Precisions, TrainError,
    },
    options::{Options, Resources},
    report::Candidate,
    space::{Space, SupportState},
};

impl Checkpoint {
    /// Continues a run as `fit` would have. A finished run is evaluated again.
    ///
    /// Cost: the remaining epochs; in the dual form also one kernel value for each pair of a row and a supporting row.
    ///
    /// # Errors
    /// [`TrainError`], as of the whole run; [`TrainError::Checkpoint`] for the checkpoint of another run.
    pub fn resume(
        &self,
        labelled: &Labelled<'_>,
        options: &Options,
        resources: &Resources,
        held_out: Option<&HeldOut<'_>>,
        observer: &mut impl Observer,
    ) -> Result<Fit, TrainError> {
        fit_from(Some(self), labelled, options, resources, (held_out, observer))
    }
}

impl<S: Space> Training<'_, '_, S> {
    /// The checkpoint of the run after an epoch; `best` are the best weights on the held-out examples.
    pub(super) fn checkpoint(&self, stop: Option<Stop>, best: Option<&BestSoFar>) -> Checkpoint {
        let dimension = self.space.dimension();
        // In the dual form a hyperplane has coefficients only up to the last row that updated it.
        let whole = |plane: &Hyperplane| {
            let mut plane = plane.clone();
            plane.weights.resize(dimension, 0.0);
            plane
        };
        let means = |learner: &Learner| {
            let mut means = learner.mean_states();
            means.values_mut().for_each(|mean| mean.resize(dimension));
            means
        };
        let standing = |trainer: &BinaryTrainer<'_>| LearnerState {
            hyperplane: whole(trainer.learner.stored()),
            updates: trainer.learner.updates(),
            steps: trainer.learner.steps(),
            mistakes_per_epoch: trainer.mistakes_per_epoch.clone(),
            means: means(&trainer.learner),
            precisions: trainer.learner.precisions().cloned(),
            penalty: trainer.learner.penalty_state().cloned(),
            pocket: trainer.pocket.as_ref().map(|pocket| {
                let state = pocket.state();
                PocketState { best: whole(&state.best), ..state }
            }),
            path: trainer.path.clone(),
        };
        let best = best.map(|BestSoFar { loss, epoch, candidate }| BestState {
            errors: loss.errors,
            epoch: *epoch,
            kept: candidate.kept,
            planes: candidate.planes.iter().map(whole).collect(),
        });
        let standings = self.trainers.iter().map(standing).collect();
        Checkpoint { stop, standings, best, mistaken: self.space.support_state() }
    }

    /// Restores the state of the checkpoint in a run that has just begun.
    pub(super) fn restore(&mut self, checkpoint: &Checkpoint) -> Result<(), TrainError> {
        let problem = |problem| TrainError::Checkpoint { problem };
        checkpoint.check(self).map_err(problem)?;
        let standings = &checkpoint.standings;
        if let Some(mistaken) = &checkpoint.mistaken {
            let planes: Vec<&Hyperplane> = standings.iter().map(|one| &one.hyperplane).collect();
            self.space.restore(mistaken, &planes);
        }
        for (trainer, standing) in self.trainers.iter_mut().zip(standings) {
            let visits = standing.visits(self.options, trainer.examples.len());
            trainer.learner.restore(standing, visits);
            if let Some(state) = &standing.pocket {
                trainer.restore_pocket(&self.space, state, visits);
            }
            trainer.path.clone_from(&standing.path);
            trainer.mistakes_per_epoch.clone_from(&standing.mistakes_per_epoch);
        }
        Ok(())
    }
}

impl BestState {
    /// The weights as a candidate.
    pub(super) fn candidate(&self) -> Candidate {
        Candidate {
            kept: self.kept,
            planes: self.planes.clone(),
            is_present: false,
            extra_epochs: 0,
        }
    }
}

/// The problem, if any.
pub(super) type Checked = Result<(), &'static str>;

pub(super) fn ensure(holds: bool, problem: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(problem) }
}

/// Checks all numbers of the checkpoint. After this check the rest of the run cannot fail on any of them.
impl Checkpoint {
    fn check<S: Space>(&self, training: &Training<'_, '_, S>) -> Checked {
        let (trainers, options) = (&training.trainers, training.options);
        let examples = trainers.first().map_or(0, |trainer| trainer.examples.len());
        let epochs = self.epochs();
        ensure(self.standings.len() == trainers.len(), "it has another number of hyperplanes")?;
        ensure(epochs > 0, "it has no finished epoch")?;
        ensure(epochs <= options.epochs, "it has more finished epochs than the options allow")?;
        let visits = epochs.checked_mul(examples as u64).filter(|&visits| visits < 1 << 62);
        ensure(visits.is_some(), "it counts more visits than there can be")?;
        let is_dual = options.kernel.is_some();
        ensure(self.mistaken.is_some() == is_dual, "its form does not match the kernel")?;
        let dimension = match &self.mistaken {
            None => training.space.dimension(),
            Some(mistaken) => mistaken.check(examples, &self.standings)?,
        };
        for (standing, trainer) in self.standings.iter().zip(trainers) {
            ensure(standing.has_means_of(options), "its average does not match the options")?;
            standing.check_precisions(options, dimension)?;
            let visits = standing.visits(options, examples);
            standing.check_penalty(options, (dimension, visits))?;
            standing.check(trainer, (dimension, epochs, visits))?;
        }
        let last: u64 = self.mistakes_per_epoch().last().copied().unwrap_or(0);
        match self.stop {
            Some(Stop::CleanEpoch) if last > 0 => Err("it ended without mistakes but counts some"),
            Some(Stop::MaxEpochs | Stop::Plateau | Stop::Observer) => {
                Err("its reason to stop is impossible")
            }
            _ => self.best.as_ref().map_or(Ok(()), |best| {
                let planes = best.planes.iter().all(|plane| is_sound(plane, dimension));
                let fits =
                    (1..=epochs).contains(&best.epoch) && best.planes.len() == trainers.len();
                ensure(fits && planes && best.kept != Kept::Vote, "its best weights do not fit")
            }),
        }
    }
}

impl LearnerState {
    /// The number of visits so far, of a run over this many examples. One that visits only mistakes updates at each.
    fn visits(&self, options: &Options, examples: usize) -> u64 {
        let epochs = self.mistakes_per_epoch.len() as u64;
        if options.dynamics().visits == Visits::OneMistake {
            self.updates.min(epochs)
        } else {
            epochs.saturating_mul(examples as u64)
        }
    }

    /// Whether it has the means that a run with these options keeps, and no other.
    pub(super) fn has_means_of(&self, options: &Options) -> bool {
        let dynamics = options.dynamics();
        let kept = Kept::means().map(|(kept, _)| kept).filter(|&kept| dynamics.keeps(kept));
        kept.eq(self.means.keys().copied())
    }

    /// Whether it has the precisions of a run with these options.
    pub(super) fn check_precisions(&self, options: &Options, dimension: usize) -> Checked {
        let fits = match (&self.precisions, options.update.first_precision()) {
            (None, None) => true,
            (Some(Precisions { weights, bias }), Some(first)) => {
                let possible = |precision: &f64| (first..=f64::MAX).contains(precision);
                weights.len() == dimension && weights.iter().chain([bias]).all(possible)
            }
            _ => false,
        };
        ensure(fits, "its precisions do not match the options")
    }

    /// Whether it has the state of the penalty of a run with these options, after these visits.
    pub(super) fn check_penalty(
        &self,
        options: &Options,
        (dimension, visits): (usize, u64),
    ) -> Checked {
        let problem = "its penalty does not match the options";
        ensure(self.penalty.is_some() == options.penalty.is_some(), problem)?;
        let Some(PenaltyState { settled, taken }) = &self.penalty else { return Ok(()) };
        // The means cover the visits after which the weights are stored.
        let same = self.means.values().all(|mean| mean.covered == *settled);
        let sizes = settled.len() == dimension && taken.len() == dimension;
        let possible = settled.iter().all(|&settled| settled <= visits);
        let finite = taken.iter().all(|taken| taken.is_finite());
        ensure(sizes && same && possible && finite, problem)
    }

    fn check(
        &self,
        trainer: &BinaryTrainer<'_>,
        (dimension, epochs, visits): (usize, u64, u64),
    ) -> Checked {
        let examples = trainer.examples.len();
        let fits = self.mistakes_per_epoch.len() as u64 == epochs;
        let possible = self.mistakes_per_epoch.iter().all(|&count| count <= examples as u64);
        ensure(fits && possible, "its mistakes do not match its epochs")?;
        ensure(self.updates <= visits, "it counts more updates than visits")?;
        ensure(self.steps >= 0.0, "the sum of its steps is not a number ≥ 0")?;
        ensure(is_sound(&self.hyperplane, dimension), "its weights do not fit")?;
        let pocket = self.pocket.is_some() == trainer.pocket.is_some();
        ensure(pocket, "its pocket does not match the options")?;
        ensure(
            self.path.is_some() == trainer.path.is_some(),
            "its vote does not match the options",
        )?;
        self.means.values().try_for_each(|mean| mean.check(dimension, visits))?;
        if let Some(pocket) = &self.pocket {
            pocket.check(dimension, examples, visits)?;
        }
        let Some(path) = &self.path else { return Ok(()) };
        let mut counts = path.moves.iter().map(|one| one.survived);
        let sum = counts.try_fold(path.start, |sum, count| sum.checked_add(count));
        let rows = path.moves.iter().all(|one| (one.row as usize) < examples);
        let bias = path.moves.iter().map(|one| one.step * trainer.learner.bias_unit());
        let bias = bias.fold(0.0, |sum, step| sum + step);
        let finite = path.moves.iter().all(|one| one.step.is_finite());
        let same = path.moves.len() as u64 == self.updates && bias == self.hyperplane.bias;
        ensure(sum == Some(visits) && rows && finite && same, "its vote does not fit")
    }
}

impl MeanState {
    pub(super) fn check(&self, dimension: usize, visits: u64) -> Checked {
        let MeanState { totals, covered, bias_covered, .. } = self;
        let fits = totals.len() == dimension && covered.len() == dimension;
        let possible = covered.iter().chain([bias_covered]).all(|&count| count <= visits);
        ensure(fits && possible, "its average does not fit")
    }
}

impl PocketState {
    fn check(&self, dimension: usize, examples: usize, visits: u64) -> Checked {
        let mut seen = vec![false; examples];
        let is_new =
            |&place: &usize| seen.get_mut(place).is_some_and(|seen| !std::mem::replace(seen, true));
        let order = self.trial_order.len() == examples && self.trial_order.iter().all(is_new);
        let counts = self.errors <= examples && self.best_run.max(self.run) <= visits;
        let fits = is_sound(&self.best, dimension) && self.counted < 1 << 62;
        ensure(order && counts && fits, "its pocket does not fit")
    }
}

impl SupportState {
    /// Returns the number of coefficients.
    fn check(&self, examples: usize, standings: &[LearnerState]) -> Result<usize, &'static str> {
        let mut seen = vec![false; examples];
        let is_new =
            |&place: &usize| seen.get_mut(place).is_some_and(|seen| !std::mem::replace(seen, true));
        ensure(self.examples.iter().all(is_new), "its supporting rows do not fit")?;
        let same = |(counts, standing): (&Vec<u64>, &LearnerState)| {
            let sum = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
            counts.len() == self.examples.len() && sum == Some(standing.updates)
        };
        let fits = self.counts.len() == standings.len();
        let all = self.counts.iter().zip(standings).all(same);
        ensure(fits && all, "its updates do not match its supporting rows")?;
        Ok(self.examples.len())
    }
}

/// Whether these are valid weights: of this dimension, finite, never −0.
pub(super) fn is_sound(plane: &Hyperplane, dimension: usize) -> bool {
    let sound = |weight: &f64| weight.is_finite() && weight.to_bits() != (-0.0f64).to_bits();
    plane.weights.len() == dimension && plane.weights.iter().chain([&plane.bias]).all(sound)
}
