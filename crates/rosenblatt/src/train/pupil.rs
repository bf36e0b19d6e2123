//! One hyperplane of a run, with its examples and all that watches it.

use std::sync::Arc;

use super::{
    Bias, ClassWeight, Learner, OptionError, Options, TrainError, Visit, WeightOverflow, positive,
};
use crate::{
    data::{Examples, Labelled, Sign},
    exact::Radius,
    keep::{Keep, Kept, Path, Pocket},
    schedule::Init,
    space::{Made, Space},
    update::Update,
};

/// One hyperplane of a run: what learns, from which examples, at which rates, and what is kept of it.
pub struct Pupil<'a> {
    pub(crate) examples: Examples<'a>,
    rates: Rates<'a>,
    pub(crate) learner: Learner,
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
        let mistakes_per_epoch = Vec::new();
        Pupil { examples, rates, learner, pocket, path, mistakes_per_epoch, pocket_errors }
    }

    /// Puts the first weights into the pocket, if the run keeps one. All hyperplanes share the budget.
    pub(super) fn begin(
        &mut self,
        options: &Options,
        space: &mut impl Space,
        (plane, hyperplanes): (usize, usize),
    ) {
        let compared = Pocket::BUDGET / hyperplanes as u64;
        let budget = if options.keep == Keep::Pocket { u64::MAX } else { compared };
        if options.keeps(Kept::Pocket) {
            let Pupil { examples, learner, .. } = &*self;
            let is_wrong = |i| space.predict(i, plane, learner) != examples.sign(i);
            let first = learner.hyperplane();
            self.pocket = Some(Pocket::new(first, examples.len(), budget, is_wrong));
        }
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
            let (learner, examples) = (&self.learner, &self.examples);
            let is_wrong = |i| space.predict(i, plane, learner) != examples.sign(i);
            pocket.visited(visit, learner.hyperplane(), is_wrong);
        }
        if let Some(path) = &mut self.path {
            path.visited(example, visit);
        }
        visit
    }

    /// Tries the last weights for the pocket.
    pub(super) fn end(&mut self, space: &mut impl Space, plane: usize) {
        if let Some(pocket) = &mut self.pocket {
            let (learner, examples) = (&self.learner, &self.examples);
            let is_wrong = |i| space.predict(i, plane, learner) != examples.sign(i);
            pocket.challenge(learner.hyperplane(), is_wrong);
            self.pocket_errors = Some(pocket.errors());
        }
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

impl<'a> Rates<'a> {
    /// Those of these examples; `rates` are those of [`rates`].
    pub(super) fn new(
        labelled: &Labelled<'a>,
        rates: &Arc<[f64]>,
        options: &Options,
    ) -> Result<Self, TrainError> {
        let (classes, of_classes) = (labelled.classes(), Arc::clone(rates));
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

/// Learning rate times weight of each class, from the sizes of the classes.
pub(super) fn rates(options: &Options, sizes: &[usize]) -> Result<Vec<f64>, OptionError> {
    let weights = options.class_weight.resolve(sizes);
    if weights.len() != sizes.len() {
        let (weights, classes) = (weights.len(), sizes.len());
        return Err(OptionError::ClassWeights { weights, classes });
    }
    let rates: Vec<f64> = weights.into_iter().map(|weight| options.eta * weight).collect();
    match rates.iter().find(|&&rate| !positive(rate)) {
        Some(&bad) => Err(OptionError::Rate(bad)),
        None => Ok(rates),
    }
}
