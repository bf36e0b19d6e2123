//! A run: epoch after epoch until one of them ends it, then its evaluation.

use std::ops::ControlFlow;

use super::{
    early_stopping::{EarlyStopping, HeldOut},
    plateau,
};
use crate::{
    data::{Decision, Scheme, Sign},
    dynamics::{CleanEpoch, Visits},
    evaluate::{RunEvaluation, TrainingHistory},
    events::{Epoch, EpochOutcome, Stop},
    hyperplane::Hyperplane,
    keep::{ALL, Keeper, Kept, Storage},
    learner::{BinaryTrainer, Checkpoint, Observer, TrainError},
    options::Options,
    report::{Candidate, CountedErrors, Report},
    space::Space,
};

/// The participants of a run.
pub(super) struct Training<'a, 'o, S> {
    pub(super) options: &'o Options,
    pub(super) scheme: Scheme,
    pub(super) space: S,
    pub(super) trainers: Vec<BinaryTrainer<'a>>,
}

/// The outcome of the epochs of a run.
pub(super) struct TrainingOutcome {
    history: TrainingHistory,
    /// With early stopping, the best weights.
    best: Option<Candidate>,
}

impl<S: Space> Training<'_, '_, S> {
    /// Runs all epochs, or those after a checkpoint.
    ///
    /// An observer that breaks ends the run, but a run that ends anyway keeps its own reason.
    pub(super) fn epochs(
        &mut self,
        start: Option<&Checkpoint>,
        held_out: Option<&HeldOut<'_>>,
        observer: &mut impl Observer,
    ) -> Result<TrainingOutcome, TrainError> {
        let examples = self.trainers.first().map_or(0, |trainer| trainer.examples.len());
        let mut order = vec![0; examples];
        start.map_or(Ok(()), |start| self.restore(start))?;
        let mut mistakes_per_epoch = start.map(Checkpoint::mistakes_per_epoch).unwrap_or_default();
        let mut early_stopping =
            held_out.map(|held_out| self.early_stopping(held_out)).transpose()?;
        if let (Some(early_stopping), Some(best)) =
            (&mut early_stopping, start.and_then(|start| start.best.as_ref()))
        {
            let decision = self.decision();
            early_stopping.restore(best.candidate(), best.epoch, &self.space, decision);
        }
        let values = self.values();
        let mut stop =
            start.and_then(|start| start.stop).or(self.plateau(&mistakes_per_epoch, values));
        let mut is_whole = true;
        for number in mistakes_per_epoch.len() as u64 + 1..=self.options.epochs {
            if stop.is_some() {
                break;
            }
            self.options.order.arrange(self.options.seed, number, &mut order);
            let passed = self.next_epoch(number, &order, observer)?;
            mistakes_per_epoch.push(passed.epoch.mistakes);
            is_whole = passed.is_whole;
            stop = match is_whole {
                true => {
                    let plateau = self.plateau(&mistakes_per_epoch, values);
                    self.end_epoch(passed, plateau, early_stopping.as_mut(), observer)?
                }
                false => Some(Stop::Observer),
            };
        }
        let stop = stop.unwrap_or(Stop::MaxEpochs);
        let best = early_stopping.and_then(|early_stopping| early_stopping.best);
        let best_epoch = best.as_ref().map(|best| best.epoch);
        let history = TrainingHistory { mistakes_per_epoch, stop, is_whole, best_epoch };
        Ok(TrainingOutcome { history, best: best.map(|best| best.candidate) })
    }

    /// Runs epoch `number`, in which the hyperplanes learn each alone or all together, or the only one from one example.
    pub(super) fn next_epoch(
        &mut self,
        number: u64,
        order: &[usize],
        observer: &mut impl Observer,
    ) -> Result<EpochOutcome, TrainError> {
        match self.options.is_joint(self.scheme) {
            _ if self.visits_one() => self.mistaken_epoch(number, observer),
            true => self.joint_epoch(number, order, observer),
            false => self.epoch(number, order, observer),
        }
    }

    fn early_stopping<'h, 'a>(
        &self,
        held_out: &'h HeldOut<'a>,
    ) -> Result<EarlyStopping<'h, 'a>, TrainError> {
        let rates = self.trainers[0].rates_of(&held_out.labelled, self.options)?;
        Ok(EarlyStopping::new(held_out, &rates))
    }

    /// Evaluates the weights after an epoch on the held-out examples. Returns whether the run may continue.
    fn evaluate_epoch(
        &self,
        early_stopping: &mut EarlyStopping<'_, '_>,
        epoch: u64,
        stop: Option<Stop>,
    ) -> Result<bool, TrainError> {
        let converged = stop == Some(Stop::CleanEpoch);
        let Some(candidate) = self.model(converged, epoch)? else { return Ok(true) };
        early_stopping.take(candidate, epoch, converged, &self.space, self.decision());
        Ok(early_stopping.is_patient(epoch))
    }

    /// The rule that turns scores into a class.
    pub(super) fn decision(&self) -> Decision {
        Decision { scheme: self.scheme, zero: self.options.zero }
    }

    /// Whether a training example is of this class.
    pub(super) fn is_of_class(&self, row: usize, class: usize) -> bool {
        let sign = |plane: usize| self.trainers[plane].examples.sign(row);
        match self.scheme {
            Scheme::Two { positive } => (sign(0) == Sign::Plus) == (class == positive),
            Scheme::OneVsRest { .. } => sign(class) == Sign::Plus,
        }
    }

    /// The values that an epoch visits, for [`plateau::is_reached`].
    fn values(&self) -> u64 {
        let of_rows = |trainer: &BinaryTrainer<'_>| plateau::values(trainer.examples.rows());
        self.trainers.first().map_or(0, of_rows) * self.trainers.len() as u64
    }

    /// The end of a run that may end because its mistakes no longer become fewer, if they do not.
    fn plateau(&self, mistakes_per_epoch: &[u64], values: u64) -> Option<Stop> {
        let has_plateau = self.options.plateau && !self.visits_one();
        let is_reached = has_plateau && plateau::is_reached(mistakes_per_epoch, values);
        is_reached.then_some(Stop::Plateau)
    }

    /// Ends an epoch in which every example was visited: notifies the observer, evaluates the held-out examples and
    /// offers a checkpoint, even if the observer has stopped the run. Returns the reason if the run ends; one that other
    /// options would not have is not in the checkpoint.
    fn end_epoch(
        &self,
        EpochOutcome { epoch, flow, .. }: EpochOutcome,
        plateau: Option<Stop>,
        mut early_stopping: Option<&mut EarlyStopping<'_, '_>>,
        observer: &mut impl Observer,
    ) -> Result<Option<Stop>, TrainError> {
        let heard = observer.epoch_ended(epoch, &self.trainers[0]);
        let natural = stop_after(epoch, self.options);
        let is_patient = match &mut early_stopping {
            Some(early_stopping) => self.evaluate_epoch(early_stopping, epoch.number, natural)?,
            None => true,
        };
        let stop = natural.or((!is_patient).then_some(Stop::Patience));
        let best = early_stopping.and_then(|early_stopping| early_stopping.best.as_ref());
        let offered = observer.checkpoint(&mut || self.checkpoint(stop, best));
        let is_last = epoch.number == self.options.epochs;
        let is_stopped = [flow, heard, offered].iter().any(ControlFlow::is_break);
        let own = stop.or(plateau).or(is_last.then_some(Stop::MaxEpochs));
        Ok(own.or(is_stopped.then_some(Stop::Observer)))
    }

    /// The weights that the options choose after this many epochs, if the run keeps them.
    fn model(&self, converged: bool, epochs: u64) -> Result<Option<Candidate>, TrainError> {
        match converged && self.is_blended() {
            true => self.of_converged(epochs),
            false => self.candidate(self.options.dynamics().kept),
        }
    }

    /// Whether a run that converges continues its average.
    fn is_blended(&self) -> bool {
        self.options.dynamics().extends_average
    }

    /// Whether an epoch visits one mistake instead of all examples.
    pub(super) fn visits_one(&self) -> bool {
        self.options.dynamics().visits == Visits::OneMistake
    }

    /// The weights of all hyperplanes that would be kept now, if the run keeps them.
    pub(super) fn candidate(&self, kept: Kept) -> Result<Option<Candidate>, TrainError> {
        let storage = kept.keeper().storage;
        let plane = |trainer: &BinaryTrainer<'_>| match storage {
            Storage::Learner | Storage::Sequence => {
                Some(Ok(trainer.learner.hyperplane().into_owned()))
            }
            Storage::Mean(_) => trainer.learner.mean(kept),
            Storage::Pocket => trainer.pocket.as_ref().map(|pocket| Ok(pocket.best().clone())),
        };
        let planes = self.trainers.iter().map(plane).collect::<Option<Result<Vec<_>, _>>>();
        let is_present = matches!(storage, Storage::Learner | Storage::Sequence);
        let candidate =
            |planes| Candidate { kept, planes: self.in_space(planes), is_present, extra_epochs: 0 };
        Ok(planes.transpose()?.map(candidate))
    }

    /// In the dual form a hyperplane has coefficients only up to the last row that updated it: adds the others.
    pub(super) fn in_space(&self, mut planes: Vec<Hyperplane>) -> Vec<Hyperplane> {
        let dimension = self.space.dimension();
        planes.iter_mut().for_each(|plane| plane.weights.resize(dimension, 0.0));
        planes
    }

    /// Evaluates the candidates for the model. The model's weights come first.
    pub(super) fn evaluate(
        &mut self,
        ended: TrainingOutcome,
        vote_errors: Option<CountedErrors>,
    ) -> Result<(Vec<Candidate>, Report), TrainError> {
        for (plane, trainer) in self.trainers.iter_mut().enumerate() {
            trainer.end(&mut self.space, plane);
        }
        self.space.end_visits();
        let TrainingOutcome { history, best } = ended;
        let epochs = history.mistakes_per_epoch.len() as u64;
        let is_last = history.converged() && history.best_epoch == Some(epochs);
        let mut chosen = match best {
            // Supporting rows may have been added after its epoch. A blend is made again, because a checkpoint does not
            // hold its number of epochs.
            Some(best) if !(is_last && self.is_blended()) => {
                let planes = self.in_space(best.planes);
                Some(Candidate { planes, is_present: false, ..best })
            }
            _ => self.model(history.converged(), epochs)?,
        };
        let kept = chosen.as_ref().map_or(self.options.dynamics().kept, |chosen| chosen.kept);
        let mut candidates = Vec::new();
        let is_hyperplane = |keeper: &&&Keeper| !matches!(keeper.storage, Storage::Sequence);
        for candidate in ALL.iter().filter(is_hyperplane).map(|keeper| keeper.kept) {
            // An average kept only for comparison may be missing from the report.
            let made = chosen.take_if(|chosen| chosen.kept == candidate);
            candidates.extend(made.or_else(|| self.candidate(candidate).ok().flatten()));
        }
        let find = |kept| candidates.iter().position(|candidate| candidate.kept == kept);
        // The run keeps the weights it needs; for a vote the last weights stand in.
        let wanted = find(kept).unwrap_or(0);
        let finished = RunEvaluation {
            space: &self.space,
            trainers: &self.trainers,
            scheme: self.scheme,
            options: self.options,
            history,
            candidates,
            wanted,
            vote_errors,
        };
        Ok(finished.evaluate())
    }
}

/// The reason for which a run ends after `epoch`, if it does.
pub fn stop_after(epoch: Epoch, options: &Options) -> Option<Stop> {
    let is_clean = match options.dynamics().clean_epoch {
        CleanEpoch::Rests => epoch.updates == 0,
        CleanEpoch::Ends => true,
        CleanEpoch::GoesOn => false,
    };
    match epoch.mistakes {
        0 if is_clean => Some(Stop::CleanEpoch),
        0 => None,
        mistakes if mistakes <= options.allow_mistakes => Some(Stop::AllowedMistakes),
        _ => None,
    }
}
