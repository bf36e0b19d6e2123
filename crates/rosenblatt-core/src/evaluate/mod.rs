//! Evaluation: from the weights of a finished run to its model and report.

mod joint;
mod survey;

use crate::{
    data::Scheme,
    dynamics::CleanEpoch,
    events::Stop,
    hyperplane::Hyperplane,
    keep::Kept,
    learner::BinaryTrainer,
    options::Options,
    report::{Candidate, ClassReport, CountedErrors, Errors, MarginBracket, Report},
    space::Space,
};

use crate::margin::{
    UpdateTotals, bias_coordinate, bias_in_theorem, margin_and_bound, margin_upper_bound,
    update_bound,
};
use survey::{HyperplaneStats, ScoreQuery, survey};

/// The course of the epochs.
#[derive(Clone, Debug)]
pub(crate) struct TrainingHistory {
    pub(crate) mistakes_per_epoch: Vec<u64>,
    pub(crate) stop: Stop,
    /// Whether the last epoch visited every example.
    pub(crate) is_whole: bool,
    /// With early stopping, the epoch whose weights became the model.
    pub(crate) best_epoch: Option<u64>,
}

impl TrainingHistory {
    pub(crate) fn converged(&self) -> bool {
        self.stop == Stop::CleanEpoch
    }
}

/// A finished run to be evaluated.
pub(crate) struct RunEvaluation<'f, 'a, S> {
    pub(crate) space: &'f S,
    pub(crate) trainers: &'f [BinaryTrainer<'a>],
    pub(crate) scheme: Scheme,
    pub(crate) options: &'f Options,
    pub(crate) history: TrainingHistory,
    /// The candidates for the model; the last weights come first.
    pub(crate) candidates: Vec<Candidate>,
    /// The number of the candidate that becomes the model.
    pub(crate) wanted: usize,
    /// Training errors of the vote, if it is the model.
    pub(crate) vote_errors: Option<CountedErrors>,
}

/// The evaluation of one hyperplane of the model, or of several that were learned together.
#[derive(Default)]
struct HyperplaneEvaluation {
    errors: Errors,
    min_margin: Option<f64>,
    separator: Option<Kept>,
    margin: MarginBracket,
    novikoff_bound: Option<f64>,
}

impl<S: Space> RunEvaluation<'_, '_, S> {
    /// Evaluates the candidates. Returns them, with the model first, and the report.
    pub(crate) fn evaluate(mut self) -> (Vec<Candidate>, Report) {
        let one = self.trainers.len() == 1;
        let is_joint = self.options.is_joint(self.scheme);
        let joint = is_joint.then(|| self.joint_evaluation());
        let (errors, evaluations) = match &joint {
            Some(joint) => {
                (joint.errors.clone(), self.trainers.iter().map(|_| Default::default()).collect())
            }
            None => self.evaluations(),
        };
        let mut errors = if one { evaluations[0].errors.clone() } else { errors };
        let examples = self.trainers[0].examples;
        let kept =
            if self.vote_errors.is_some() { Kept::Vote } else { self.candidates[self.wanted].kept };
        let sampled = self.vote_errors.filter(|counted| counted.examples < examples.len());
        let of_all = self.vote_errors.filter(|_| sampled.is_none());
        if let Some(CountedErrors { errors: of_vote, .. }) = of_all {
            errors.set(Kept::Vote, of_vote);
        }
        let own = errors.of(kept).or(errors.of(Kept::Last)).filter(|_| sampled.is_none());
        let converged = self.history.converged();
        let per_class = || {
            let class = |(number, evaluation): (usize, &HyperplaneEvaluation)| {
                self.class_report(number, evaluation)
            };
            evaluations.iter().enumerate().map(class).collect()
        };
        let per_class: Option<Vec<ClassReport>> = (!one).then(per_class);
        let single = joint.or(evaluations.into_iter().next().filter(|_| one));
        let report = Report {
            examples: examples.len(),
            features: examples.features(),
            epochs: self.history.mistakes_per_epoch.len() as u64,
            updates: self.trainers.iter().map(|trainer| trainer.learner.updates()).sum(),
            converged,
            stopped_by: self.history.stop,
            mistakes_per_epoch: std::mem::take(&mut self.history.mistakes_per_epoch),
            kept,
            extra_epochs: Some(self.candidates[self.wanted].extra_epochs).filter(|&more| more > 0),
            errors,
            training_errors: own,
            training_error_rate: own.map(|own| own as f64 / examples.len() as f64),
            sampled_errors: sampled,
            radius: self.space.radius().length,
            min_margin: single
                .as_ref()
                .and_then(|evaluation| evaluation.min_margin)
                .filter(|_| kept != Kept::Vote),
            separator: single.as_ref().and_then(|evaluation| evaluation.separator),
            margin: single.as_ref().map(|evaluation| evaluation.margin).unwrap_or_default(),
            novikoff_bound: single.as_ref().and_then(|evaluation| evaluation.novikoff_bound),
            support: None,
            best_epoch: self.history.best_epoch,
            per_class,
            seed: self.options.seed,
        };
        self.candidates.swap(0, self.wanted);
        (self.candidates, report)
    }

    fn scores<'s>(&'s self, candidate: &'s Candidate) -> S::Scores<'s> {
        match candidate.is_present {
            true => self.space.current_scores(&candidate.planes),
            false => self.space.scores(&candidate.planes),
        }
    }

    /// The wrong classes of each candidate, and the evaluation of each hyperplane.
    fn evaluations(&self) -> (Errors, Vec<HyperplaneEvaluation>) {
        let (space, options) = (self.space, self.options);
        let radius = space.radius().length;
        // With early stopping the candidate may be older than the current weights.
        let last = |trainer: &BinaryTrainer<'_>| {
            let mut plane = trainer.learner.hyperplane().into_owned();
            plane.weights.resize(space.dimension(), 0.0);
            plane
        };
        let last: Vec<Hyperplane> = self.trainers.iter().map(last).collect();
        let bias_coordinates: Vec<f64> =
            last.iter().map(|plane| bias_in_theorem(plane, options.bias, radius)).collect();
        let uppers =
            options.dynamics().sums_rows().then(|| space.norm_bounds(&last, &bias_coordinates));
        let mut evaluations: Vec<HyperplaneEvaluation> = Vec::new();
        for (number, trainer) in self.trainers.iter().enumerate() {
            let updates = trainer.learner.updates();
            let upper = uppers.as_ref().filter(|_| updates > 0).map(|lengths| {
                let totals = UpdateTotals::of(&trainer.learner, trainer.largest_rate());
                margin_upper_bound(totals, options, radius, lengths[number])
            });
            let margin = MarginBracket { lower: None, upper: upper.filter(|a| a.is_finite()) };
            evaluations.push(HyperplaneEvaluation { margin, ..Default::default() });
        }
        let mut errors = Errors::default();
        let unknown = |&number: &usize| !self.is_known(number);
        let asked: Vec<usize> = (0..self.candidates.len()).filter(unknown).collect();
        let question = |&number: &usize| ScoreQuery {
            scores: self.scores(&self.candidates[number]),
            zero: self.options.zero,
            margins: number == self.wanted,
        };
        let questions: Vec<_> = asked.iter().map(question).collect();
        let surveys = survey(&questions, self.scheme, self.trainers);
        for (number, candidate) in self.candidates.iter().enumerate() {
            let survey = asked.iter().position(|&asked| asked == number).map(|at| &surveys[at]);
            let Some(survey) = survey else {
                let known = self.trainers[0].pocket_errors.unwrap_or(0);
                evaluations[0].errors.set(candidate.kept, known);
                continue;
            };
            if self.trainers.len() > 1 {
                errors.set(candidate.kept, survey.wrong_classes);
            }
            self.evaluate_candidate(number, &survey.planes, &mut evaluations);
        }
        for (evaluation, trainer) in evaluations.iter_mut().zip(self.trainers) {
            let totals = UpdateTotals::of(&trainer.learner, trainer.largest_rate());
            evaluation.novikoff_bound = self.bound(evaluation, trainer, radius, totals);
        }
        (errors, evaluations)
    }

    /// Whether the errors are already known: those of the only pocket, which is not the model.
    fn is_known(&self, number: usize) -> bool {
        let is_pocket = self.candidates[number].kept == Kept::Pocket && number != self.wanted;
        let known = self.trainers[0].pocket_errors.filter(|&errors| errors > 0);
        self.trainers.len() == 1 && is_pocket && known.is_some()
    }

    /// The errors and margins of each hyperplane of a candidate. The model's own margin has priority, then the largest.
    fn evaluate_candidate(
        &self,
        number: usize,
        found: &[HyperplaneStats],
        evaluations: &mut [HyperplaneEvaluation],
    ) {
        let Candidate { kept, planes, .. } = &self.candidates[number];
        let wanted = number == self.wanted;
        let bias_coordinates: Vec<f64> =
            planes.iter().map(|plane| bias_coordinate(plane, self.options.bias)).collect();
        let mut lengths = None;
        for (plane, (trainer, evaluation)) in self.trainers.iter().zip(evaluations).enumerate() {
            let HyperplaneStats { errors, smallest } = found[plane];
            evaluation.errors.set(*kept, errors);
            // Only weights without errors can have a positive margin.
            if errors > 0 && !wanted {
                continue;
            }
            let lengths =
                lengths.get_or_insert_with(|| self.space.norm_bounds(planes, &bias_coordinates));
            let both = margin_and_bound(
                self.space,
                &planes[plane],
                self.options.bias,
                &trainer.examples,
                (smallest, lengths[plane]),
            );
            self.take_margin(number, both, evaluation);
        }
    }

    /// Adds the smallest margin of a candidate and a lower bound on it.
    fn take_margin(
        &self,
        number: usize,
        both: Option<(f64, f64)>,
        evaluation: &mut HyperplaneEvaluation,
    ) {
        let (kept, wanted) = (self.candidates[number].kept, number == self.wanted);
        if wanted {
            evaluation.min_margin = both.map(|both| both.0);
        }
        let lower = both.filter(|both| both.0 > 0.0 && both.1 > 0.0).map(|both| both.1);
        let first = self.candidates[self.wanted].kept;
        let better = match (lower, evaluation.margin.lower) {
            (Some(_), None) => true,
            (Some(_), Some(_)) if wanted => true,
            (Some(new), Some(old)) => evaluation.separator != Some(first) && new > old,
            (None, _) => false,
        };
        if better {
            (evaluation.margin.lower, evaluation.separator) = (lower, Some(kept));
        }
    }

    fn bound(
        &self,
        evaluation: &HyperplaneEvaluation,
        trainer: &BinaryTrainer<'_>,
        radius: f64,
        totals: UpdateTotals,
    ) -> Option<f64> {
        let asked = self.options.dynamics().theorem.ok().filter(|_| !trainer.is_weighted())?;
        let margin = evaluation.margin.lower?;
        let unsure = self.space.uncertainty();
        let (radius, slack) = match unsure {
            0.0 => (radius, 0.0),
            // Every score of the run is a sum of at most this many products.
            _ => {
                let radius = radius * (1.0 + 2.0 * unsure + 4.0 * f64::EPSILON);
                (radius, unsure * radius * radius * totals.steps * 1.001)
            }
        };
        let bound = update_bound(self.options, radius, margin, asked + slack, totals.rows);
        bound.is_finite().then_some(bound)
    }

    fn class_report(&self, number: usize, evaluation: &HyperplaneEvaluation) -> ClassReport {
        let trainer = &self.trainers[number];
        let last = trainer.mistakes_per_epoch.last();
        ClassReport {
            examples: trainer.examples.class_sizes().1,
            updates: trainer.learner.updates(),
            mistakes_per_epoch: trainer.mistakes_per_epoch.clone(),
            converged: self.history.converged()
                || (last == Some(&0)
                    && self.history.is_whole
                    && self.options.dynamics().clean_epoch != CleanEpoch::GoesOn),
            errors: evaluation.errors.clone(),
            min_margin: evaluation.min_margin,
            separator: evaluation.separator,
            margin: evaluation.margin,
            novikoff_bound: evaluation.novikoff_bound,
        }
    }
}
