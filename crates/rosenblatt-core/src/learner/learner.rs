//! One example at a time.

use std::{borrow::Cow, cmp::Ordering, collections::BTreeMap};

use super::{
    LearnError, LearnerState, PenaltyState, Precisions, TrainError, WeightOverflow, bias_unit,
    penalized::Penalized, rates, row_pair::RowPair, sized,
};
use crate::{
    data::{Row, Sign, Values, ZeroScore},
    events::Visit,
    hyperplane::Hyperplane,
    keep::{Kept, Mean, MeanState, RestoreMean, mean},
    options::{Bias, OptionError, Options},
    radius::Radius,
    rules::{ExampleView, Mistake, StepInput, Update},
};

/// The learner of one hyperplane, which learns one example at a time. It holds the weights, the average and counters.
///
/// Use it for streams, for teaching or in a training loop of your own. A [`Stream`](crate::train::Stream) accepts
/// batches and several classes, and returns a report.
///
/// ```
/// use rosenblatt_core::{data::{Row, Sign, Values}, keep::Keep, train::{Learner, Options}};
///
/// let options = Options { eta: 0.5, keep: Keep::Average, ..Options::default() };
/// let mut learner = Learner::new(&options, 2)?;
/// let mut wrong = 0;
/// for (x, sign) in [([2.0, 1.0], Sign::Plus), ([-1.0, 0.0], Sign::Minus), ([1.0, 3.0], Sign::Plus)] {
///     let visit = learner.learn(Row::dense(Values::F64(&x)), sign)?;
///     wrong += u32::from(visit.mistake);
/// }
/// // The first example has the score 0 and is a mistake: w = ½(2, 1), b = ½. The others have the scores −½ and 3.
/// assert_eq!(wrong, 1);
/// assert_eq!((learner.hyperplane().weights.as_slice(), learner.hyperplane().bias), (&[1.0, 0.5][..], 0.5));
/// let average = learner.average().transpose()?.ok_or("an example was visited")?;
/// assert_eq!(average.predict(Row::dense(Values::F64(&[0.0, -2.0])))?, Sign::Minus);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Learner {
    update: Update,
    mistake: Mistake,
    zero: ZeroScore,
    /// η times the weight of the class, for minus and plus, used by [`learn`](Self::learn).
    rates: (f64, f64),
    /// The change of the bias per unit step.
    bias_unit: f64,
    pub(super) hyperplane: Hyperplane,
    pub(super) means: Vec<(Kept, Box<dyn Mean>)>,
    /// The precisions of the weights, for a second-order rule.
    pub(super) precisions: Option<Precisions>,
    /// The penalty, if the run has one.
    pub(super) penalized: Option<Penalized>,
    visits: u64,
    updates: u64,
    /// The sum of the absolute steps.
    steps: f64,
    moves_between_updates: bool,
    /// An upper bound on the norm of the weights, up to rounding; infinite if the norms of the rows are unknown.
    norm_bound: f64,
    /// Whether a weight left the range of `f64`.
    is_over: bool,
}

/// If the norm of the weights is below this, all weights are finite.
pub(crate) const FAR_FROM_OVERFLOW: f64 = 1e300;

/// The state that visits change in a learner without an average, whose steps are all the learning rate.
#[cfg(all(feature = "fast", target_arch = "x86_64"))]
pub(crate) struct ConstantStepState<'l> {
    pub(crate) weights: &'l mut [f64],
    pub(crate) bias: &'l mut f64,
    pub(crate) norm_bound: &'l mut f64,
    pub(crate) steps: &'l mut f64,
    pub(crate) visits: &'l mut u64,
    pub(crate) updates: &'l mut u64,
    pub(crate) bias_unit: f64,
    /// The functional margin up to which the rule steps.
    pub(crate) margin: f64,
}

/// The row along which a step moves the weights.
#[derive(Clone, Copy)]
pub(crate) struct Direction<'r> {
    pub(crate) row: Row<'r>,
    /// An upper bound on the norm of the row, up to rounding; infinite if unknown.
    pub(crate) norm_bound: f64,
}

impl Learner {
    /// A learner of rows with `features` features before its first example. It uses the rule, the learning rate, the
    /// class weights (minus, plus), the bias, the definition of a mistake, the initial weights and their seed. It keeps
    /// the average if the options do. The caller chooses the order, the number of epochs and the allowed mistakes.
    ///
    /// # Errors
    /// [`TrainError::Option`] for options that [`Options::check`] rejects, and for initial weights or class weights of
    /// the wrong number. [`OptionError::NotOneByOne`] for options that need all examples or epochs: a kernel, the pocket, a vote,
    /// balanced class weights, a falling learning rate, and the bias R², which needs [`with_radius`](Self::with_radius).
    /// [`TrainError::TooLarge`] for too many features.
    pub fn new(options: &Options, features: usize) -> Result<Self, TrainError> {
        if options.bias == Bias::Radius {
            return Err(OptionError::NotOneByOne.into());
        }
        Self::with_radius(options, features, Radius::default())
    }

    /// A learner as of [`new`](Self::new) for rows of a known radius, which the bias R² needs; see
    /// [`radius`](crate::radius::radius).
    ///
    /// # Errors
    /// As for [`new`](Self::new), and [`TrainError::Radius`] if R² is not finite or negative.
    pub fn with_radius(
        options: &Options,
        features: usize,
        radius: Radius,
    ) -> Result<Self, TrainError> {
        options.check()?;
        if !options.dynamics().learns_one_by_one {
            return Err(OptionError::NotOneByOne.into());
        }
        options.check_first(1, Some(features))?;
        sized(features, 1)?;
        let bias_unit = bias_unit(options.bias, radius)?;
        // The sizes of the classes do not matter here.
        let [minus, plus] = rates(options, &[1, 1])?[..] else {
            return Err(OptionError::NotOneByOne.into());
        };
        Ok(Learner { rates: (minus, plus), ..Self::for_run(options, features, bias_unit) })
    }

    /// A learner for a run with checked options, which supplies the rate of each visit. The bias moves by `bias_unit`
    /// when the weights move by `x`.
    pub(crate) fn for_run(options: &Options, features: usize, bias_unit: f64) -> Self {
        let with_bias = options.bias != Bias::None;
        let hyperplane = options.init.hyperplane(options.seed, 0, features, with_bias);
        let dynamics = options.dynamics();
        Learner {
            norm_bound: hyperplane.norm(),
            update: options.update,
            mistake: options.mistake,
            zero: options.zero,
            rates: (1.0, 1.0),
            bias_unit,
            hyperplane,
            means: Kept::means()
                .filter(|(kept, _)| dynamics.keeps(*kept))
                .map(|(kept, restored)| (kept, restored(MeanState::new(features))))
                .collect(),
            precisions: Precisions::first(options.update, features),
            penalized: Penalized::first(options, features),
            moves_between_updates: dynamics.moves_between_updates,
            visits: 0,
            updates: 0,
            steps: 0.0,
            is_over: false,
        }
    }

    /// Starts from the initial weights of hyperplane `number`.
    pub(crate) fn start_from(&mut self, options: &Options, features: usize, number: usize) {
        let with_bias = options.bias != Bias::None;
        self.hyperplane = options.init.hyperplane(options.seed, number, features, with_bias);
        self.norm_bound = self.hyperplane.norm();
    }

    /// Restores the state of a checkpoint after `visits` visits.
    pub(crate) fn restore(&mut self, standing: &LearnerState, visits: u64) {
        self.hyperplane.clone_from(&standing.hyperplane);
        self.norm_bound = self.hyperplane.norm();
        let restored = |(kept, restored): (Kept, RestoreMean)| {
            Some((kept, restored(standing.means.get(&kept)?.clone())))
        };
        self.means = Kept::means().filter_map(restored).collect();
        self.precisions.clone_from(&standing.precisions);
        if let (Some(penalized), Some(state)) = (&mut self.penalized, &standing.penalty) {
            penalized.state.clone_from(state);
        }
        (self.visits, self.updates, self.steps) = (visits, standing.updates, standing.steps);
    }

    /// The states of the means, for a checkpoint.
    pub(crate) fn mean_states(&self) -> BTreeMap<Kept, MeanState> {
        self.means.iter().map(|(kept, mean)| (*kept, mean.state().clone())).collect()
    }

    /// The precisions of the weights; `None` for a rule without any.
    pub fn precisions(&self) -> Option<&Precisions> {
        self.precisions.as_ref()
    }

    /// The state of the penalty, for a checkpoint.
    pub(crate) fn penalty_state(&self) -> Option<&PenaltyState> {
        self.penalized.as_ref().map(|penalized| &penalized.state)
    }

    /// The change of the bias per unit step.
    pub fn bias_unit(&self) -> f64 {
        self.bias_unit
    }

    /// Visits one example: decides exactly whether it is a mistake and updates the weights by the rule.
    ///
    /// Cost: one score, one pass that checks the row, and possibly an update.
    ///
    /// # Errors
    /// [`LearnError::Row`] for a row that does not fit ([`Row::check`]); the learner is unchanged.
    /// [`LearnError::Overflow`] if a weight overflows; every later call then returns this error.
    pub fn learn(&mut self, row: Row<'_>, sign: Sign) -> Result<Visit, LearnError> {
        row.check(self.hyperplane.weights.len())?;
        if self.is_over {
            return Err(WeightOverflow.into());
        }
        let rate = if sign == Sign::Plus { self.rates.1 } else { self.rates.0 };
        Ok(self.visit(&row, Direction { row, norm_bound: f64::INFINITY }, sign, rate)?)
    }

    /// Visits an example through the view `example`; a step moves the weights along `direction`.
    #[inline]
    pub(crate) fn visit(
        &mut self,
        example: &impl ExampleView,
        direction: Direction<'_>,
        sign: Sign,
        rate: f64,
    ) -> Result<Visit, WeightOverflow> {
        self.apply_pending_penalty(direction.row);
        let score = example.compare(&self.hyperplane, 0.0);
        let mistake = self.is_mistake(score, sign);
        let hyperplane = &self.hyperplane;
        let variance: &dyn Fn() -> f64 = &|| self.variance(direction.row);
        let bias_square = self.bias_unit;
        let input = StepInput { hyperplane, example, sign, mistake, bias_square, variance };
        let step = self.update.step(&input, rate);
        if let Some(step) = step {
            self.updates += 1;
            self.steps += step;
        }
        match step {
            _ if self.penalized.is_some() => self.move_penalized(direction, sign, step)?,
            Some(step) => self.move_along(direction, sign, (step, rate))?,
            None => {}
        }
        self.visits += 1;
        let signed = step.map_or(0.0, |step| sign * step);
        Ok(Visit { score, mistake, updated: step.is_some(), step: signed, hyperplane: 0 })
    }

    /// Visits an example of this learner's class, whose best rival has the learner `rival`. `tie` gives the prediction
    /// where both scores are equal, and `order` their comparison, if known. A step moves this hyperplane along
    /// `direction`, and the rival's against it.
    pub(super) fn visit_pair(
        &mut self,
        rival: &mut Learner,
        direction: Direction<'_>,
        (rate, tie): (f64, ZeroScore),
        order: Option<Ordering>,
    ) -> Result<Visit, WeightOverflow> {
        let (hyperplane, row) = (&self.hyperplane, direction.row);
        let pair = RowPair { row, own: hyperplane, rival: &rival.hyperplane, order };
        let score = pair.compare(hyperplane, 0.0);
        let mistake = self.mistake.holds(score, Sign::Plus, tie);
        let (sign, bias_square) = (Sign::Plus, self.bias_unit);
        let variance: &dyn Fn() -> f64 = &|| self.variance(row) + rival.variance(row);
        let input = StepInput { hyperplane, example: &pair, sign, mistake, bias_square, variance };
        let step = self.update.step(&input, rate);
        if let Some(step) = step {
            self.updates += 1;
            self.steps += step;
            for (learner, sign) in [(&mut *self, Sign::Plus), (&mut *rival, Sign::Minus)] {
                learner.move_along(direction, sign, (step, rate))?;
            }
        }
        self.visits += 1;
        rival.visits += 1;
        let updated = step.is_some();
        Ok(Visit { score, mistake, updated, step: step.unwrap_or(0.0), hyperplane: 0 })
    }

    /// The functional margin above which an example changes nothing.
    #[cfg(feature = "fast")]
    pub(crate) fn inactive_above(&self) -> f64 {
        self.update.inactive_above()
    }

    /// Counts visits that change nothing else.
    pub(crate) fn skip_many(&mut self, examples: u64) {
        self.visits += examples;
    }

    /// The state that visits change, if every step is the learning rate and no average is kept.
    #[cfg(all(feature = "fast", target_arch = "x86_64"))]
    pub(crate) fn constant_step_state(&mut self) -> Option<ConstantStepState<'_>> {
        if !self.update.has_constant_step() || !self.means.is_empty() {
            return None;
        }
        let Hyperplane { weights, bias } = &mut self.hyperplane;
        Some(ConstantStepState {
            weights,
            bias,
            norm_bound: &mut self.norm_bound,
            steps: &mut self.steps,
            visits: &mut self.visits,
            updates: &mut self.updates,
            bias_unit: self.bias_unit,
            margin: self.update.inactive_above(),
        })
    }

    /// Visits an example of this sign above that functional margin.
    #[cfg(feature = "fast")]
    #[inline]
    pub(crate) fn skip(&mut self, sign: Sign) -> Visit {
        self.visits += 1;
        let score = if sign == Sign::Plus { Ordering::Greater } else { Ordering::Less };
        Visit { score, mistake: false, updated: false, step: 0.0, hyperplane: 0 }
    }

    /// Appends zero weights up to `features` features.
    pub(crate) fn grow_to(&mut self, features: usize) {
        self.hyperplane.grow_to(features);
        self.means.iter_mut().for_each(|(_, mean)| mean.grow_to(features));
        if let (Some(precisions), Some(first)) =
            (&mut self.precisions, self.update.first_precision())
        {
            precisions.grow_to(features, first);
        }
        if let Some(penalized) = &mut self.penalized {
            penalized.state.grow_to(features);
        }
    }

    /// Computes the weights that an example meets, where a penalty has shrunk them since they were last computed.
    #[inline]
    fn apply_pending_penalty(&mut self, row: Row<'_>) {
        if let Some(penalized) = &mut self.penalized {
            penalized.apply_pending_penalty(
                &mut self.hyperplane.weights,
                &mut self.means,
                row,
                self.visits,
            );
        }
    }

    /// Shrinks the weights by the penalty, moves those that a row meets and the bias by a step, if there is one, and truncates them.
    #[inline]
    fn move_penalized(
        &mut self,
        Direction { row, norm_bound }: Direction<'_>,
        sign: Sign,
        step: Option<f64>,
    ) -> Result<(), WeightOverflow> {
        let Some(penalized) = &mut self.penalized else { return Ok(()) };
        self.norm_bound = penalized.norm_bound(self.norm_bound);
        if let Some(step) = step {
            self.norm_bound = norm_after_step(self.norm_bound, step, norm_bound);
            for (_, mean) in &mut self.means {
                // The sums of the weights are up to date.
                mean.before_update(&self.hyperplane, Row::dense(Values::F64(&[])), self.visits);
            }
        }
        // A step of 0 moves no weight.
        let signed = step.map_or(0.0, |step| sign * step);
        let Hyperplane { weights, bias } = &mut self.hyperplane;
        let visits = self.visits + 1;
        penalized.visit(weights, &mut self.means, (row, signed), visits);
        let mut finite = signed.is_finite();
        if self.norm_bound >= FAR_FROM_OVERFLOW || self.norm_bound.is_nan() {
            row.for_each(|j, _| finite &= weights[j].is_finite());
        }
        if step.is_some() && self.bias_unit != 0.0 {
            *bias += signed * self.bias_unit;
        }
        self.is_over = !(finite && bias.is_finite());
        if self.is_over { Err(WeightOverflow) } else { Ok(()) }
    }

    /// The variance of a row's score by the precisions.
    fn variance(&self, row: Row<'_>) -> f64 {
        self.precisions.as_ref().map_or(0.0, |precisions| precisions.variance(row, self.bias_unit))
    }

    /// Moves weights and bias along a row by a step, at this rate.
    fn move_along(
        &mut self,
        direction: Direction<'_>,
        sign: Sign,
        (step, rate): (f64, f64),
    ) -> Result<(), WeightOverflow> {
        for (_, mean) in &mut self.means {
            mean.before_update(&self.hyperplane, direction.row, self.visits);
        }
        let finite = match (&mut self.precisions, self.update.rule().precise) {
            (Some(precisions), Some(rule)) => {
                let by = self.update.precise_move(sign * step, rate);
                let along = (direction.row, self.bias_unit);
                let (length, finite) = precisions.step(rule, &mut self.hyperplane, along, by);
                self.norm_bound = norm_after_step(self.norm_bound, 1.0, length);
                finite
            }
            _ => self.move_weights(direction, sign * step),
        };
        // An infinite step leaves finite only the weights at absent zeros.
        let finite = finite && step.is_finite() && self.hyperplane.bias.is_finite();
        self.is_over = !finite;
        if finite { Ok(()) } else { Err(WeightOverflow) }
    }

    /// Adds a step times a row to the weights. Returns whether they are finite.
    fn move_weights(&mut self, Direction { row, norm_bound }: Direction<'_>, signed: f64) -> bool {
        self.norm_bound = norm_after_step(self.norm_bound, signed, norm_bound);
        // No weight is larger than the norm of all weights.
        let finite = if self.norm_bound < FAR_FROM_OVERFLOW {
            self.hyperplane.move_finite_weights(signed, row);
            true
        } else {
            self.hyperplane.move_weights(signed, row)
        };
        if self.bias_unit != 0.0 {
            self.hyperplane.bias += signed * self.bias_unit;
        }
        finite
    }

    /// An upper bound on the norm of the current weights, up to a relative 10⁻⁸; infinite if unknown.
    #[cfg(feature = "fast")]
    pub(crate) fn norm_bound(&self) -> f64 {
        self.norm_bound
    }

    /// Whether an example of this sign is a mistake, given the comparison of its score with 0.
    pub(crate) fn is_mistake(&self, score: Ordering, sign: Sign) -> bool {
        self.mistake.holds(score, sign, self.zero)
    }

    /// The sign that a score predicts, given its comparison with 0.
    pub(crate) fn predicts(&self, score: Ordering) -> Sign {
        self.zero.predicts(score)
    }

    /// The current weights. Cost: with a penalty, one pass over them.
    pub fn hyperplane(&self) -> Cow<'_, Hyperplane> {
        match &self.penalized {
            None => Cow::Borrowed(&self.hyperplane),
            Some(penalized) => Cow::Owned(penalized.hyperplane(&self.hyperplane, self.visits)),
        }
    }

    /// The weights as they are stored: without a penalty the current ones, with one the weights after
    /// [`PenaltyState::settled`] visits.
    pub(crate) fn stored(&self) -> &Hyperplane {
        &self.hyperplane
    }

    /// Whether visits that are no reason to update move the weights.
    #[cfg(feature = "fast")]
    pub(crate) fn moves_between_updates(&self) -> bool {
        self.moves_between_updates
    }

    /// The sum of a weight over those of the first `visits` visits that follow the first `covered`, of which none
    /// changed it but by the penalty.
    fn sum_since(&self, feature: usize, covered: u64, visits: u64) -> f64 {
        let (stored, visits) = (self.hyperplane.weights[feature], visits - covered);
        match &self.penalized {
            None => visits as f64 * stored,
            Some(penalized) => penalized.sum(stored, visits),
        }
    }

    /// The number of examples visited.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The number of updates.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// The sum of the absolute steps: k·η with one learning rate.
    pub fn steps(&self) -> f64 {
        self.steps
    }

    /// The average of the weights, if it is kept and an example was visited.
    pub fn average(&self) -> Option<Result<Hyperplane, TrainError>> {
        self.mean(Kept::Average).filter(|_| self.visits > 0)
    }

    /// A mean of the weights, when the run keeps it; before a visit it is the weights as they are.
    pub fn mean(&self, kept: Kept) -> Option<Result<Hyperplane, TrainError>> {
        self.means.iter().find(|(own, _)| *own == kept)?;
        if self.visits == 0 {
            return Some(Ok(self.hyperplane().into_owned()));
        }
        Some(self.mean_after(kept, 0).ok_or(TrainError::AverageOverflow))
    }

    /// The mean that `more` visits without an update would make of the present one, if it is kept and is finite.
    pub(crate) fn mean_after(&self, kept: Kept, more: u64) -> Option<Hyperplane> {
        let mut plane = self.sums_after(kept, more)?;
        let numbers = plane.weights.iter_mut().chain([&mut plane.bias]);
        numbers.for_each(|sum| *sum = mean(*sum, self.visits + more));
        Some(plane)
    }

    /// The sums of which that mean is the quotient.
    pub(crate) fn sums_after(&self, kept: Kept, more: u64) -> Option<Hyperplane> {
        let visits = self.visits + more;
        let since = |feature, covered| self.sum_since(feature, covered, visits);
        self.kept_mean(kept)?.sums(&self.hyperplane, visits, &since)
    }

    fn kept_mean(&self, kept: Kept) -> Option<&dyn Mean> {
        let mut means = self.means.iter().filter(|_| self.visits > 0);
        means.find(|(own, _)| *own == kept).map(|(_, mean)| mean.as_ref())
    }

    /// The current weight of a feature.
    fn weight(&self, feature: usize) -> f64 {
        let stored = self.hyperplane.weights[feature];
        let present = |one: &Penalized| one.present(feature, stored, self.visits);
        self.penalized.as_ref().map_or(stored, present)
    }

    /// The score of a row by the mean of these weights, if the learner keeps it, else by the last weights. Only the weights
    /// that the row meets are computed; a feature that the learner has not met has the weight 0.
    pub(crate) fn score(&self, row: Row<'_>, kept: Kept) -> Result<f64, TrainError> {
        let (now, kept_mean) = (&self.hyperplane, self.kept_mean(kept));
        let since = |feature, covered| self.sum_since(feature, covered, self.visits);
        let weight = |feature| match kept_mean {
            None => self.weight(feature),
            Some(kept) => mean(kept.weight_sum(feature, &since), self.visits),
        };
        let (mut weights, mut values) = (Vec::new(), Vec::new());
        row.for_each(|feature, value| {
            if feature < now.weights.len() {
                values.push(value);
                weights.push(weight(feature));
            }
        });
        let of_mean = |kept: &dyn Mean| mean(kept.bias_sum(now, self.visits), self.visits);
        let bias = kept_mean.map_or(now.bias, of_mean);
        let met = Hyperplane { weights, bias };
        let score = || met.unchecked_score(Row::from(&values));
        met.is_sound(values.len()).then(score).ok_or(TrainError::AverageOverflow)
    }
}

/// An upper bound on the norm of weights with the norm `norm` after a step along a row with a norm of at most `row_norm`.
///
/// With u = 2⁻⁵³ and the smallest positive float η, weight j becomes at most (|wⱼ| + |τxⱼ|(1+u) + η)(1+u), so the
/// norm becomes at most (‖w‖ + τ‖x‖(1+u) + √d·η)(1+u). The factor 1 + 8u covers these roundings and the four of
/// this line; √d·η is below the smallest normal number.
#[inline]
pub(crate) fn norm_after_step(norm: f64, step: f64, row_norm: f64) -> f64 {
    (norm + step.abs() * row_norm) * (1.0 + 4.0 * f64::EPSILON) + f64::MIN_POSITIVE
}
