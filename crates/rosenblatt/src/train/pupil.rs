//! One hyperplane of a run, with its examples and all that watches it.

use std::sync::Arc;

use super::{
    Bias, ClassWeight, ErrorWeights, InPocket, Learner, OptionError, Options, TrainError, Visit,
    WeightOverflow, positive,
};
use crate::{
    data::{Examples, Labelled, Sign},
    exact::Radius,
    keep::{Keep, Kept, Path, Pocket, TrialBudget},
    schedule::Init,
    space::{Made, Scores, Space},
    update::Update,
};

/// One hyperplane of a run: what learns, from which examples, at which rates, and what is kept of it.
pub struct Pupil<'a> {
    pub(crate) examples: Examples<'a>,
    rates: Rates<'a>,
    pub(crate) learner: Learner,
    /// By which the pocket counts.
    error_weights: ErrorWeights<'a>,
    pub(crate) pocket: Option<Pocket>,
    pub(crate) path: Option<Path>,
    pub(crate) mistakes_per_epoch: Vec<u64>,
    /// The errors of the pocket, once the run is over.
    pub(crate) pocket_errors: Option<usize>,
}

/// Learning rate times weight of the class, times weight of the example where it has one.
#[derive(Clone, Debug)]
pub(crate) enum Rates<'a> {
    /// Of the two signs: (minus, plus).
    Signs(f64, f64),
    /// Of the class of each example.
    Classes(&'a [u32], Arc<[f64]>),
    /// Of the class of each example, and the weight of each example.
    Examples(&'a [u32], Arc<[f64]>, &'a [f64]),
}

impl<'a> Pupil<'a> {
    /// The weights and counters of the run.
    pub fn learner(&self) -> &Learner {
        &self.learner
    }

    /// The pocket, when the run keeps one.
    pub fn pocket(&self) -> Option<&Pocket> {
        self.pocket.as_ref()
    }

    /// The one hyperplane of examples of two signs.
    pub(super) fn of_signs(
        examples: Examples<'a>,
        options: &Options,
        space: &impl Space,
    ) -> Result<Self, TrainError> {
        let (minus, plus) = examples.class_sizes();
        let rates = rates(options, &[minus, plus])?;
        let rates = Rates::Signs(rates[0], rates[1]);
        Self::new(examples, rates, options, radius(options, space), 0)
    }

    /// Hyperplane `number` of a run.
    pub(super) fn new(
        examples: Examples<'a>,
        rates: Rates<'a>,
        options: &Options,
        radius: Radius,
        number: usize,
    ) -> Result<Self, TrainError> {
        let bias_unit = options.bias.unit(radius)?;
        // In the dual form weights come with the rows.
        let features = if options.kernel.is_some() { 0 } else { examples.features() };
        let mut learner = Learner::of_run(options, features, bias_unit);
        if number > 0 && options.init != Init::Zero {
            learner.begin_at(options, features, number);
        }
        let path = options.keeps(Kept::Vote).then(Path::default);
        Ok(Pupil { path, ..Self::going_on(examples, rates, learner) })
    }

    /// One that goes on learning from the next examples of a stream.
    pub(super) fn going_on(examples: Examples<'a>, rates: Rates<'a>, learner: Learner) -> Self {
        let (pocket, path, pocket_errors) = (None, None, None);
        let (mistakes_per_epoch, error_weights) = (Vec::new(), ErrorWeights::uniform());
        Pupil {
            examples,
            rates,
            learner,
            error_weights,
            pocket,
            path,
            mistakes_per_epoch,
            pocket_errors,
        }
    }

    /// Puts the first weights into the pocket, if the run keeps one. All hyperplanes share the budget.
    pub(super) fn begin(
        &mut self,
        options: &Options,
        space: &mut impl Space,
        (plane, hyperplanes): (usize, usize),
    ) {
        if options.keeps(Kept::Pocket) {
            let is_model = options.keep == Keep::Pocket;
            let budget = if is_model { TrialBudget::MODEL } else { TrialBudget::COMPARED };
            let budget = budget.shared(hyperplanes);
            self.error_weights = ErrorWeights::new(&self.rates);
            let Pupil { examples, learner, error_weights, .. } = &*self;
            let error = error(space, plane, (learner, examples, error_weights));
            self.pocket = Some(Pocket::new(learner.hyperplane(), examples.len(), budget, error));
        }
    }

    /// The pocket as a checkpoint has it, after `visits` visits.
    pub(super) fn restore_pocket(&mut self, space: &impl Space, state: &InPocket, visits: u64) {
        let Pupil { examples, learner, error_weights, pocket: Some(pocket), .. } = self else {
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

    /// The first place from `from` on, and not after `until`, whose example may need more than a
    /// [`pass`](Self::pass).
    pub(super) fn untouched(
        &self,
        space: &mut impl Space,
        places: (&[usize], usize, usize),
        plane: usize,
    ) -> usize {
        space.untouched(places, plane, &self.learner, &self.examples)
    }

    /// Makes visits at once; nothing may [watch](Self::is_watched), and there may be no other hyperplane. See
    /// [`Space::make_visits`].
    pub(super) fn make_visits(
        &mut self,
        space: &mut impl Space,
        places: (&[usize], usize, usize),
    ) -> Option<Made> {
        let Pupil { examples, rates, learner, .. } = self;
        let made = space.make_visits(places, learner, examples, rates)?;
        self.mistakes_per_epoch.iter_mut().last().into_iter().for_each(|all| *all += made.mistakes);
        Some(made)
    }

    /// Visits so many such examples at once; nothing may [watch](Self::is_watched).
    pub(super) fn pass_all(&mut self, examples: u64) {
        self.learner.pass_all(examples);
    }

    /// Whether a pocket or a path watches the visits.
    pub(super) fn is_watched(&self) -> bool {
        self.pocket.is_some() || self.path.is_some()
    }

    /// Visits an example whose functional margin is beyond the one at which the rule rests.
    #[inline]
    pub(super) fn pass(&mut self, space: &mut impl Space, example: usize, plane: usize) -> Visit {
        let visit = self.learner.pass(self.examples.sign(example));
        self.watch(space, example, Visit { hyperplane: plane, ..visit })
    }

    /// Visits an example.
    #[inline]
    pub(super) fn visit(
        &mut self,
        space: &mut impl Space,
        example: usize,
        plane: usize,
    ) -> Result<Visit, WeightOverflow> {
        let sign = self.examples.sign(example);
        let rate = self.rates.of(example, sign);
        let visit = space.learn(example, plane, &mut self.learner, (sign, rate))?;
        Ok(self.watch(space, example, Visit { hyperplane: plane, ..visit }))
    }

    /// Shows a visit to all that watches.
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
            pocket.visited(visit, self.learner.hyperplane(), error(space, plane, seen));
        }
        if let Some(path) = &mut self.path {
            path.visited(example, visit);
        }
        visit
    }

    /// Tries the last weights for the pocket.
    pub(super) fn end(&mut self, space: &mut impl Space, plane: usize) {
        if let Some(pocket) = &mut self.pocket {
            let seen = (&self.learner, &self.examples, &self.error_weights);
            pocket.challenge(self.learner.hyperplane(), error(space, plane, seen));
            self.pocket_errors = Some(pocket.errors());
        }
    }

    /// The learning rates of other examples of the same classes.
    pub(super) fn rates_of<'o>(
        &self,
        others: &Labelled<'o>,
        options: &Options,
    ) -> Result<Rates<'o>, TrainError> {
        self.rates.of_others(others, options)
    }

    /// The largest learning rate of an example.
    pub(crate) fn largest_rate(&self) -> f64 {
        self.rates.largest()
    }

    /// Whether all examples have one learning rate, for all that the options and the data say.
    pub(crate) fn has_one_rate(&self, options: &Options) -> bool {
        let is_weighted = matches!(self.rates, Rates::Examples(..));
        options.class_weight == ClassWeight::Uniform && !is_weighted
    }
}

/// The weight of the error of a learner's present weights on an example; 0 where they are right.
fn error<'s>(
    space: &'s mut impl Space,
    plane: usize,
    (learner, examples, weights): (&'s Learner, &'s Examples<'_>, &'s ErrorWeights<'_>),
) -> impl FnMut(usize) -> u64 + 's {
    move |i| {
        let sign = examples.sign(i);
        let is_right = learner.predicts(space.compare(i, plane, learner)) == sign;
        if is_right { 0 } else { weights.of(i, sign) }
    }
}

impl<'a> Rates<'a> {
    /// Those of these examples; `rates` are those of [`rates`].
    pub(super) fn new(
        labelled: &Labelled<'a>,
        rates: &Arc<[f64]>,
        options: &Options,
    ) -> Result<Self, TrainError> {
        let (classes, of_classes) = (labelled.classes(), Arc::clone(rates));
        if rates.contains(&0.0) {
            refuse_weightless(rates, &labelled.class_sizes())?;
        }
        let Some(weights) = labelled.weights() else {
            return Ok(Rates::Classes(classes, of_classes));
        };
        if options.update == Update::Pa {
            return Err(OptionError::WeightsWithPa.into());
        }
        let rate = |(&class, &weight): (&u32, &f64)| rates[class as usize] * weight;
        match classes.iter().zip(weights).map(rate).find(|&rate| !positive(rate)) {
            Some(bad) => Err(OptionError::Rate(bad).into()),
            None => Ok(Rates::Examples(classes, of_classes, weights)),
        }
    }

    #[inline(always)]
    pub(crate) fn of(&self, example: usize, sign: Sign) -> f64 {
        match (self, sign) {
            (Rates::Signs(minus, _), Sign::Minus) => *minus,
            (Rates::Signs(_, plus), Sign::Plus) => *plus,
            (Rates::Classes(classes, rates), _) => rates[classes[example] as usize],
            (Rates::Examples(classes, rates, weights), _) => {
                rates[classes[example] as usize] * weights[example]
            }
        }
    }

    /// Those of other examples of the same classes.
    fn of_others<'o>(
        &self,
        others: &Labelled<'o>,
        options: &Options,
    ) -> Result<Rates<'o>, TrainError> {
        match self {
            Rates::Signs(minus, plus) => Ok(Rates::Signs(*minus, *plus)),
            Rates::Classes(_, of_classes) | Rates::Examples(_, of_classes, _) => {
                Rates::new(others, of_classes, options)
            }
        }
    }

    /// Whether all are equal.
    pub(super) fn are_equal(&self) -> bool {
        match self {
            Rates::Signs(minus, plus) => minus == plus,
            Rates::Classes(_, rates) => rates.windows(2).all(|pair| pair[0] == pair[1]),
            Rates::Examples(classes, ..) => {
                // The sign does not matter.
                let rate = |example| self.of(example, Sign::Plus);
                (1..classes.len()).all(|example| rate(example) == rate(0))
            }
        }
    }

    /// The largest of all.
    pub(super) fn largest(&self) -> f64 {
        match self {
            Rates::Signs(minus, plus) => minus.max(*plus),
            Rates::Classes(_, rates) => rates.iter().copied().fold(0.0, f64::max),
            Rates::Examples(classes, ..) => {
                // The sign does not matter.
                let rates = (0..classes.len()).map(|example| self.of(example, Sign::Plus));
                rates.fold(0.0, f64::max)
            }
        }
    }
}

/// The radius, if the bias needs it.
pub(super) fn radius(options: &Options, space: &impl Space) -> Radius {
    if options.bias == Bias::Radius { space.radius() } else { Radius::default() }
}

/// Learning rate times weight of each class, from the sizes of the classes; 0 for a class that is left out.
pub(super) fn rates(options: &Options, sizes: &[usize]) -> Result<Vec<f64>, OptionError> {
    let weights = options.class_weight.resolve(sizes);
    if weights.len() != sizes.len() {
        let (weights, classes) = (weights.len(), sizes.len());
        return Err(OptionError::ClassWeights { weights, classes });
    }
    refuse_weightless(&weights, sizes)?;
    let rate = |weight: f64| match options.eta * weight {
        rate if positive(rate) || weight == 0.0 => Ok(rate),
        bad => Err(OptionError::Rate(bad)),
    };
    weights.into_iter().map(rate).collect()
}

/// Refuses examples of a class whose weight is 0.
fn refuse_weightless(weights: &[f64], sizes: &[usize]) -> Result<(), OptionError> {
    match weights.iter().zip(sizes).position(|(&weight, &size)| weight == 0.0 && size > 0) {
        Some(class) => Err(OptionError::WeightlessExamples { class }),
        None => Ok(()),
    }
}
