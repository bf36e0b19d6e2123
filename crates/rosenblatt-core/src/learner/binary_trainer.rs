//! The trainer of one hyperplane of a run: its learner, examples, rates and kept weights.

use std::cmp::Ordering;

use super::{
    Direction, ErrorWeights, Learner, Rates, TrainError, WeightOverflow, bias_unit, rates,
};
use crate::{
    data::{Examples, Labelled},
    dynamics::Visits,
    events::Visit,
    keep::{Kept, Pocket, PocketState, TrialBudget, WeightSequence},
    options::{Bias, Decay, Options},
    radius::Radius,
    rules::ExampleView,
    schedule::Init,
    space::{Scores, Space, TrainingExample},
};

/// One hyperplane of a run: its learner, its examples, their learning rates and the weights it keeps.
pub struct BinaryTrainer<'a> {
    pub(crate) examples: Examples<'a>,
    /// The learning rates of the epoch.
    pub(crate) rates: Rates<'a>,
    /// Those of the first epoch, and how they fall.
    first_rates: Rates<'a>,
    decay: Option<Decay>,
    pub(crate) learner: Learner,
    /// The weights of errors for the pocket.
    error_weights: ErrorWeights<'a>,
    pub(crate) pocket: Option<Pocket>,
    pub(crate) path: Option<WeightSequence>,
    pub(crate) mistakes_per_epoch: Vec<u64>,
    /// The training errors of the pocket weights, set at the end of the run.
    pub(crate) pocket_errors: Option<usize>,
}

impl<'a> BinaryTrainer<'a> {
    /// The weights and counters of the run.
    pub fn learner(&self) -> &Learner {
        &self.learner
    }

    /// The pocket, if the run keeps one.
    pub fn pocket(&self) -> Option<&Pocket> {
        self.pocket.as_ref()
    }

    /// The trainer of the only hyperplane of two classes.
    pub(crate) fn from_signs(
        examples: Examples<'a>,
        options: &Options,
        space: &impl Space,
    ) -> Result<Self, TrainError> {
        let (minus, plus) = examples.class_sizes();
        let rates = rates(options, &[minus, plus])?;
        let rates = Rates::Signs(rates[0], rates[1]);
        Self::new(examples, rates, options, radius_for_bias(options, space), 0)
    }

    /// The trainer of hyperplane `number` of a run.
    pub(crate) fn new(
        examples: Examples<'a>,
        rates: Rates<'a>,
        options: &Options,
        radius: Radius,
        number: usize,
    ) -> Result<Self, TrainError> {
        let bias_unit = bias_unit(options.bias, radius)?;
        // In the dual form coefficients are added with the rows.
        let features = if options.kernel.is_some() { 0 } else { examples.features() };
        let mut learner = Learner::for_run(options, features, bias_unit);
        if number > 0 && options.init != Init::Zero {
            learner.start_from(options, features, number);
        }
        let path = options.dynamics().keeps(Kept::Vote).then(WeightSequence::default);
        let decay = options.decay;
        rates.check_last(options)?;
        Ok(BinaryTrainer { path, decay, ..Self::resume(examples, rates, learner) })
    }

    /// Continues a stream's learner on the next batch.
    pub(crate) fn resume(examples: Examples<'a>, rates: Rates<'a>, learner: Learner) -> Self {
        let (pocket, path, pocket_errors) = (None, None, None);
        let (mistakes_per_epoch, error_weights) = (Vec::new(), ErrorWeights::uniform());
        BinaryTrainer {
            examples,
            first_rates: rates.clone(),
            rates,
            decay: None,
            learner,
            error_weights,
            pocket,
            path,
            mistakes_per_epoch,
            pocket_errors,
        }
    }

    /// Puts the initial weights into the pocket, if the run keeps one. All hyperplanes share its budget.
    pub(crate) fn begin(
        &mut self,
        options: &Options,
        space: &mut impl Space,
        (plane, hyperplanes): (usize, usize),
    ) {
        let dynamics = options.dynamics();
        if dynamics.keeps(Kept::Pocket) {
            let is_model = dynamics.kept == Kept::Pocket;
            let budget = if is_model { TrialBudget::MODEL } else { TrialBudget::COMPARED };
            let budget = budget.shared(hyperplanes);
            self.error_weights = ErrorWeights::new(&self.first_rates);
            let BinaryTrainer { examples, learner, error_weights, .. } = &*self;
            let first = learner.stored();
            let (is_zero, count) = (first.is_zero(), examples.len());
            let seen = (learner, examples, error_weights);
            let error = |i: usize| {
                // Zero weights give every example the score 0.
                let score = if is_zero { Ordering::Equal } else { space.compare(i, plane, first) };
                weight_of_error(score, i, seen)
            };
            let pocket = Pocket::new(first, count, budget, error);
            self.pocket = Some(match dynamics.visits {
                Visits::OneMistake => pocket.trying_each(),
                Visits::AllExamples => pocket,
            });
        }
    }

    /// Restores the pocket of a checkpoint, after `visits` visits.
    pub(crate) fn restore_pocket(&mut self, space: &impl Space, state: &PocketState, visits: u64) {
        let BinaryTrainer { examples, learner, error_weights, pocket: Some(pocket), .. } = self
        else {
            return;
        };
        let best = [state.best.clone()];
        let scores = space.scores(&best);
        let error = |i: usize| {
            let sign = examples.sign(i);
            let is_right = learner.predicts(scores.sign(0, i)) == sign;
            if is_right { 0 } else { error_weights.of(i, sign) }
        };
        pocket.restore(state, visits, error);
    }

    /// Counts visits of inactive examples that are not [watched](Self::is_watched).
    #[cfg(feature = "fast")]
    pub(crate) fn skip_many(&mut self, examples: u64) {
        self.learner.skip_many(examples);
    }

    /// Counts mistakes of visits that neither a pocket nor a weight sequence records.
    pub(crate) fn count_mistakes(&mut self, mistakes: u64) {
        self.mistakes_per_epoch.iter_mut().last().into_iter().for_each(|all| *all += mistakes);
    }

    /// Whether a pocket or a weight sequence records every visit.
    #[cfg(feature = "fast")]
    pub(crate) fn is_watched(&self) -> bool {
        self.pocket.as_ref().is_some_and(|pocket| !pocket.is_spent()) || self.path.is_some()
    }

    /// Visits an example whose functional margin is above the one where the rule becomes inactive.
    #[cfg(feature = "fast")]
    #[inline]
    pub(crate) fn skip(&mut self, space: &mut impl Space, example: usize, plane: usize) -> Visit {
        let visit = self.learner.skip(self.examples.sign(example));
        self.watch(space, example, Visit { hyperplane: plane, ..visit })
    }

    /// Starts counting the mistakes of epoch `number`, and sets its learning rates.
    pub(crate) fn begin_epoch(&mut self, number: u64) {
        self.mistakes_per_epoch.push(0);
        if let Some(decay) = self.decay {
            self.rates = self.first_rates.divided(decay.divisor(number));
        }
    }

    /// Visits an example.
    #[inline]
    pub(crate) fn visit(
        &mut self,
        space: &mut impl Space,
        example: usize,
        plane: usize,
    ) -> Result<Visit, WeightOverflow> {
        let sign = self.examples.sign(example);
        let rate = self.rates.of(example, sign);
        let visit = {
            let view = space.example(example, plane);
            self.learner.grow_to(view.weights_needed());
            let direction = Direction { row: view.direction(), norm_bound: f64::INFINITY };
            self.learner.visit(&view, direction, sign, rate)?
        };
        if visit.updated {
            space.updated(example, plane, visit.step);
        }
        Ok(self.watch(space, example, Visit { hyperplane: plane, ..visit }))
    }

    /// Visits an example in feature space through this view, without the pocket or the weight sequence: the trainer is
    /// not [watched](Self::is_watched).
    #[cfg(feature = "fast")]
    #[inline]
    pub(crate) fn visit_unwatched(
        &mut self,
        view: &impl ExampleView,
        direction: Direction<'_>,
        example: usize,
    ) -> Result<Visit, WeightOverflow> {
        let sign = self.examples.sign(example);
        let visit = self.learner.visit(view, direction, sign, self.rates.of(example, sign))?;
        self.count_mistakes(u64::from(visit.mistake));
        Ok(visit)
    }

    /// Visits an example in feature space through this view.
    #[cfg(feature = "fast")]
    #[inline]
    pub(crate) fn visit_as(
        &mut self,
        view: &impl ExampleView,
        direction: Direction<'_>,
        space: &mut impl Space,
        example: usize,
        plane: usize,
    ) -> Result<Visit, WeightOverflow> {
        let sign = self.examples.sign(example);
        let rate = self.rates.of(example, sign);
        let visit = self.learner.visit(view, direction, sign, rate)?;
        Ok(self.watch(space, example, Visit { hyperplane: plane, ..visit }))
    }

    /// Counts a mistake, and records the visit in the pocket or the weight sequence.
    #[inline(always)]
    fn watch(&mut self, space: &mut impl Space, example: usize, visit: Visit) -> Visit {
        let plane = visit.hyperplane;
        if visit.mistake
            && let Some(mistakes) = self.mistakes_per_epoch.last_mut()
        {
            *mistakes += 1;
        }
        if let Some(pocket) = &mut self.pocket {
            let seen = (&self.learner, &self.examples, &self.error_weights);
            pocket.visited(visit, self.learner.stored(), error(space, plane, seen));
        }
        if let Some(path) = &mut self.path {
            path.visited(example, visit);
        }
        visit
    }

    /// Offers the last weights to the pocket.
    pub(crate) fn end(&mut self, space: &mut impl Space, plane: usize) {
        if let Some(pocket) = &mut self.pocket {
            let seen = (&self.learner, &self.examples, &self.error_weights);
            pocket.challenge(self.learner.stored(), error(space, plane, seen));
            self.pocket_errors = Some(pocket.errors());
        }
    }

    /// The learning rates of other examples with the same classes.
    pub(crate) fn rates_of<'o>(
        &self,
        others: &Labelled<'o>,
        options: &Options,
    ) -> Result<Rates<'o>, TrainError> {
        self.first_rates.of_others(others, options)
    }

    /// The largest learning rate of an example.
    pub(crate) fn largest_rate(&self) -> f64 {
        self.first_rates.largest()
    }

    /// Whether examples have weights of their own.
    pub(crate) fn is_weighted(&self) -> bool {
        matches!(self.rates, Rates::Examples(..))
    }
}

/// A learner, its examples and the weights of their errors.
type Judged<'s, 'e> = (&'s Learner, &'s Examples<'e>, &'s ErrorWeights<'e>);

/// The weight of an example's error under the learner's current weights; 0 if they predict its class.
fn error<'s>(
    space: &'s mut impl Space,
    plane: usize,
    judged: Judged<'s, '_>,
) -> impl FnMut(usize) -> u64 + 's {
    move |i| weight_of_error(space.compare(i, plane, judged.0.stored()), i, judged)
}

/// The weight of an example's error with a score of this sign; 0 if its class is predicted.
fn weight_of_error(
    score: Ordering,
    example: usize,
    (learner, examples, weights): Judged<'_, '_>,
) -> u64 {
    let sign = examples.sign(example);
    if learner.predicts(score) == sign { 0 } else { weights.of(example, sign) }
}

/// The radius of the rows, if the bias needs it.
pub(crate) fn radius_for_bias(options: &Options, space: &impl Space) -> Radius {
    if options.bias == Bias::Radius { space.radius() } else { Radius::default() }
}
