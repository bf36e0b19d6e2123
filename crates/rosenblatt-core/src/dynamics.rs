//! What options do to a run: the one place that asks.
//!
//! Trainer, learner, fast paths, report, theorem, separability and streams read an answer of [`Dynamics`], never an option
//! that happens to imply it today. [`Options::dynamics`] takes the options apart without `..`: a new one does not compile
//! until it has answered. The tests of this module have a claim for most answers, and find a wrong one.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::{
    data::{Scheme, Sign},
    keep::{Keep, Kept, Storage},
    options::{Bias, ClassWeight, Multiclass, OptionError, Options},
    rules::Update,
    schedule::{Init, Order},
};

/// What options do to a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Dynamics {
    /// The weights that become the model.
    pub kept: Kept,
    /// Whether a run that converged goes on with its average until that is right on all examples.
    pub extends_average: bool,
    /// The weights that a run keeps beside those of the model.
    pub compared: Compared,
    /// What the weights are made of.
    pub weights: WeightsAre,
    /// Whether weights also change where no example is a reason to update. Then nothing that assumes weights to stand still
    /// between updates is used: skipped visits, running scores, a pocket.
    pub moves_between_updates: bool,
    /// Whether every step is the learning rate, on a mistake, and the rate does not fall: from zero, k of them of at most S
    /// along rows give ‖w‖ ≤ S·√k.
    pub grows_with_root: bool,
    /// What an epoch visits.
    pub visits: Visits,
    /// What an epoch without mistakes means.
    pub clean_epoch: CleanEpoch,
    /// The margin M of the bound k ≤ (R² + 2M/η)/γ² on the updates (Novikoff), or why there is none.
    pub theorem: Result<f64, NoTheorem>,
    /// Which separators decide whether the run ends by itself; `None` where no theorem says.
    pub ending: Option<Ending>,
    /// What the weights before a visit know of the examples after it.
    pub foresight: Option<Foresight>,
    /// Whether a learner can be given one example at a time, with R for the bias R².
    pub learns_one_by_one: bool,
    /// Whether the run needs each example only once, in the given order.
    pub is_one_pass: bool,
    /// Whether the mistakes of the run bound the errors of its vote on new examples.
    pub has_vote_bound: bool,
    /// Whether more than two classes are learned together, instead of each against the rest.
    pub is_joint: bool,
    /// Whether the run, or a prediction of its model, draws anything at random.
    pub draws: bool,
}

/// The weights that a run keeps to compare them with the model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// None.
    Nothing,
    /// The last ones and the means.
    Means,
    /// The last ones, the means and a pocket.
    All,
}

/// What weights are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WeightsAre {
    /// The sum of the steps times their rows. So the norm of the weights bounds the margin of the data, and coefficients
    /// of the rows can stand for the weights.
    SumOfRows,
    /// Something else, for this reason.
    Other(NotASum),
}

/// Why weights are no sum of steps times rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NotASum {
    /// A penalty shrinks them.
    Penalty,
    /// Each weight has a step of its own.
    Precisions(Update),
    /// They begin at random.
    RandomStart,
    /// They begin with given ones.
    GivenStart,
}

/// What an epoch visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visits {
    /// Every example.
    AllExamples,
    /// One of the examples that are mistakes.
    OneMistake,
}

/// What an epoch without mistakes means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CleanEpoch {
    /// Without updates too, it ends the run: further epochs would change nothing.
    Rests,
    /// It ends the run, although further epochs could move the weights.
    Ends,
    /// Nothing: the weights move on, and can make mistakes again.
    GoesOn,
}

/// Why Novikoff's theorem does not bound the updates of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTheorem {
    /// It is not about the update rule.
    Rule,
    /// It requires initial weights of zero.
    Start,
    /// It requires one learning rate for all examples.
    ClassWeights,
    /// It requires one learning rate for all epochs.
    Decay,
    /// It requires weights that only updates move.
    Penalty,
}

/// Which separators let a run end by itself: it never does without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The only class for whose examples a score of 0 is a mistake; `None` if it is one for both.
    pub strict: Option<Sign>,
    /// Whether a separator is enough (the convergence theorem).
    pub is_certain: bool,
}

/// What weights know of examples that are still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foresight {
    /// The sizes of the classes.
    ClassSizes,
    /// The longest row.
    Radius,
}

impl Dynamics {
    /// Whether a run keeps these weights: to become the model, or to compare them in the report.
    pub fn keeps(&self, kept: Kept) -> bool {
        let keeper = kept.keeper();
        let is_compared = match keeper.storage {
            Storage::Learner => true,
            Storage::Pocket => self.compared == Compared::All,
            Storage::Mean(_) | Storage::Sequence => {
                self.compared != Compared::Nothing && keeper.is_compared
            }
        };
        self.kept == kept || is_compared
    }

    /// Whether weights are the sum of the steps times their rows.
    pub fn sums_rows(&self) -> bool {
        self.weights == WeightsAre::SumOfRows
    }
}

impl NotASum {
    /// The error of options with something that needs a sum of rows, or weights that stand still.
    pub(crate) fn refused_by(self, unsuited: &'static str) -> OptionError {
        match self {
            NotASum::Penalty => OptionError::PenaltyWith(unsuited),
            NotASum::Precisions(update) => OptionError::PreciseWith(update, unsuited),
            NotASum::RandomStart => OptionError::RandomInit(unsuited),
            NotASum::GivenStart => OptionError::GivenInit(unsuited),
        }
    }
}

impl Options {
    /// What these options do to a run.
    #[allow(clippy::too_many_lines)] // the one list of all options and all answers
    pub fn dynamics(&self) -> Dynamics {
        let Options {
            update,
            keep,
            kernel,
            penalty,
            bias,
            mistake,
            zero,
            order,
            init,
            // Another seed or number draws, or ends, a run of the same kind.
            seed: _,
            epochs,
            allow_mistakes: _,
            // A factor of all steps.
            eta: _,
            decay,
            class_weight,
            classes,
            compare,
            // An end for a run that has none of its own.
            plateau: _,
        } = self;
        let rule = update.rule();
        let kept = match keep {
            Keep::Auto if rule.keeps_last => Kept::Last,
            keep => keep.kept(),
        };
        let (is_primal, has_decay) = (kernel.is_none(), decay.is_some());
        let moves_between_updates = penalty.is_some();
        let is_balanced = *class_weight == ClassWeight::Balanced;
        let learns_one_by_one = is_primal && !has_decay && keep.suits_one_pass() && !is_balanced;
        let not_a_sum = [
            (penalty.is_some(), NotASum::Penalty),
            (update.has_precisions(), NotASum::Precisions(*update)),
            (*init == Init::Random, NotASum::RandomStart),
            (matches!(init, Init::Given(_)), NotASum::GivenStart),
        ];
        let no_theorem = [
            (rule.novikoff.is_none(), NoTheorem::Rule),
            (*init != Init::Zero, NoTheorem::Start),
            (*class_weight != ClassWeight::Uniform, NoTheorem::ClassWeights),
            (has_decay, NoTheorem::Decay),
            (penalty.is_some(), NoTheorem::Penalty),
        ];
        let foresight =
            [(is_balanced, Foresight::ClassSizes), (*bias == Bias::Radius, Foresight::Radius)];
        let strict = || {
            let is_strict = |&sign: &Sign| mistake.holds(Ordering::Equal, sign, *zero);
            let mut strict = [Sign::Plus, Sign::Minus].into_iter().filter(is_strict);
            let only = strict.next().filter(|_| strict.next().is_none());
            only.filter(|_| update.moves_only_on_mistakes())
        };
        let answers = Dynamics {
            kept,
            extends_average: *keep == Keep::Auto && kept == Kept::Average,
            compared: match compare {
                false => Compared::Nothing,
                true if is_primal && !moves_between_updates => Compared::All,
                true => Compared::Means,
            },
            weights: first(&not_a_sum).map_or(WeightsAre::SumOfRows, WeightsAre::Other),
            moves_between_updates,
            grows_with_root: update.moves_only_on_mistakes()
                && !update.has_precisions()
                && !has_decay,
            visits: match order {
                Order::Mistaken => Visits::OneMistake,
                Order::Shuffle | Order::Given => Visits::AllExamples,
            },
            clean_epoch: match rule.ends_despite_updates {
                _ if moves_between_updates => CleanEpoch::GoesOn,
                true => CleanEpoch::Ends,
                false => CleanEpoch::Rests,
            },
            theorem: match (first(&no_theorem), update.novikoff()) {
                (None, Some(margin)) => Ok(margin),
                (reason, _) => Err(reason.unwrap_or(NoTheorem::Rule)),
            },
            ending: (is_primal && !moves_between_updates && !rule.ends_despite_updates)
                .then(|| Ending { strict: strict(), is_certain: rule.novikoff.is_some() }),
            foresight: first(&foresight),
            learns_one_by_one,
            is_one_pass: learns_one_by_one
                && *epochs == 1
                && *order == Order::Given
                && *init != Init::Random
                && *bias != Bias::Radius,
            has_vote_bound: *keep == Keep::Vote && *epochs == 1,
            is_joint: match classes {
                Multiclass::Auto => *keep == Keep::Auto && is_primal && !moves_between_updates,
                Multiclass::OneVsRest => false,
                Multiclass::Joint => true,
            },
            draws: *order != Order::Given || *init == Init::Random || *keep == Keep::Vote,
        };
        #[cfg(test)]
        let answers = tests::as_answered(answers);
        answers
    }

    /// Whether the hyperplanes of these classes are learned together.
    pub fn is_joint(&self, scheme: Scheme) -> bool {
        self.dynamics().is_joint && scheme.hyperplanes() > 1
    }
}

/// The first answer that holds.
fn first<T: Copy>(answers: &[(bool, T)]) -> Option<T> {
    answers.iter().find(|(holds, _)| *holds).map(|(_, answer)| *answer)
}
