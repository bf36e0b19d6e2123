//! The options of a training run and their checks.

mod bias;
mod decay;
mod list;
mod notes;
mod penalty;
#[cfg(feature = "fast")]
mod powers;

pub use bias::{Bias, UnknownBias};
pub use decay::{Decay, LearningRate, UnknownRate};
pub use list::{OPTIONS, OptionInfo, OptionValues, Word};
pub(crate) use list::{told, word};
pub use notes::{LectureNotes, UnknownNotes};
pub(crate) use penalty::Shrinkage;
pub use penalty::{Penalty, UnknownPenalty};
#[cfg(feature = "fast")]
pub(crate) use powers::Powers;
#[cfg(not(feature = "fast"))]
pub(crate) type Powers = Shrinkage;

use crate::{
    data::{Scheme, ZeroScore},
    dynamics::{Dynamics, WeightsAre},
    hyperplane::Hyperplane,
    keep::Keep,
    kernel::Kernel,
    rules::{Mistake, Update},
    schedule::{Init, Order},
};

/// How the hyperplanes of more than two classes are learned. With two classes, which have one hyperplane, nothing
/// depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Multiclass {
    /// [`Joint`](Self::Joint) for a model that is to predict: [`Keep::Auto`] in feature space without a penalty. Otherwise
    /// [`OneVsRest`](Self::OneVsRest).
    #[default]
    Auto,
    /// Each hyperplane learns alone to separate its class from the rest.
    OneVsRest,
    /// All hyperplanes together: a mistake moves those of the class and of its best rival (Kesler's construction;
    /// Crammer & Singer, *JMLR* 3, 2003). See [`reference::joint`](crate::reference::joint).
    Joint,
}

/// The weight of each class: a factor of the learning rate for its examples.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClassWeight {
    /// Every class has weight 1.
    #[default]
    Uniform,
    /// n / (number of classes · size of the class), so that every class has the same total weight.
    Balanced,
    /// One weight per class, in the order of the classes (minus before plus). Weights are finite, at least 0 and not
    /// all 0. The caller must leave out the examples of a class with weight 0.
    Given(Vec<f64>),
}

/// The options of a training run. A field that is missing in JSON gets its default.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// When and how far the weights move.
    pub update: Update,
    /// Which of the visited weights become the model.
    pub keep: Keep,
    /// The kernel of the dual form, or `None` for feature space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<Kernel>,
    /// The penalty on the weights, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty: Option<Penalty>,
    /// How the bias is learned.
    pub bias: Bias,
    /// Which scores of exactly 0 count as mistakes.
    pub mistake: Mistake,
    /// The class that a score of exactly 0 predicts: in training, in the report and in the model.
    pub zero: ZeroScore,
    /// The order of the examples.
    pub order: Order,
    /// The initial weights.
    pub init: Init,
    /// The seed of the random stream; see [`schedule`](crate::schedule).
    pub seed: u64,
    /// The maximum number of epochs; at least 1.
    pub epochs: u64,
    /// Training ends after an epoch with mistakes, but at most this many (ε of the lecture notes).
    pub allow_mistakes: u64,
    /// The learning rate η, positive and finite; 1 for the passive-aggressive rules. With zero initial weights, the
    /// rule `perceptron` and no penalty it scales the weights: a power of two changes no decision; another η can, by rounding.
    pub eta: f64,
    /// How the learning rate falls from epoch to epoch, if it does; not with a penalty, and only with rules that have a learning
    /// rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decay: Option<Decay>,
    /// The weight of each class.
    pub class_weight: ClassWeight,
    /// How the hyperplanes of more than two classes are learned.
    pub classes: Multiclass,
    /// Keep the last, average and pocket weights, whichever becomes the model, so that the report can compare their
    /// training errors. A pocket kept only for comparison has the budget
    /// [`TrialBudget::COMPARED`](crate::keep::TrialBudget::COMPARED); the dual form keeps no such pocket.
    #[serde(skip)]
    pub compare: bool,
    /// End the run as well where more epochs rarely help, at a plateau: a run without an end of its own stops after 10
    /// or 20 epochs, if the second half of them made more than nine tenths of the mistakes of the first half, and after
    /// 40, but not before it has visited 100,000 values that are not 0. The epochs of the order [`Order::Mistaken`], each of one
    /// update, have no plateau.
    #[serde(skip)]
    pub plateau: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            update: Update::default(),
            keep: Keep::default(),
            kernel: None,
            penalty: None,
            bias: Bias::default(),
            mistake: Mistake::default(),
            zero: ZeroScore::default(),
            order: Order::default(),
            init: Init::default(),
            seed: 0,
            epochs: 1000,
            allow_mistakes: 0,
            eta: 1.0,
            decay: None,
            class_weight: ClassWeight::default(),
            classes: Multiclass::default(),
            compare: false,
            plateau: false,
        }
    }
}

/// The threads and the memory that a run may use; neither changes the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Threads for kernel values, votes and folds.
    pub threads: usize,
    /// Bytes for cached kernel values, and as many for the copies of rows that folds hold at once.
    pub memory: usize,
    /// The number of visits per block in the dual form. By default it follows the rate of mistakes.
    pub block: Option<usize>,
}

impl Default for Resources {
    /// One thread, one gibibyte.
    fn default() -> Self {
        Resources { threads: 1, memory: 1 << 30, block: None }
    }
}

/// An invalid option, or options that exclude each other.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The learning rate.
    #[error("the learning rate eta is {0}, it must be a positive number")]
    Eta(f64),
    /// The number of epochs.
    #[error("the number of epochs is 0, it must be at least 1")]
    NoEpochs,
    /// A class weight.
    #[error("a class weight is {0}, it must be a number of at least 0, and not all may be 0")]
    ClassWeight(f64),
    /// Examples of a class with weight 0.
    #[error("class {} has the weight 0, so its examples must be left out", .class + 1)]
    WeightlessExamples {
        /// The class, counted from 0.
        class: usize,
    },
    /// The parameter of an update rule.
    #[error("the update rule {0} has a parameter that it may not have")]
    Update(Update),
    /// A learning rate for a rule whose step it cannot change.
    #[error("the update rule {0} has no learning rate, eta must be 1")]
    EtaWithOwnStep(Update),
    /// A falling learning rate where it is not defined.
    #[error("the learning rate falls from epoch to epoch, which {0} does not allow")]
    DecayWith(&'static str),
    /// The order `mistaken` where an epoch is more than one visit.
    #[error("the order `mistaken` visits one mistake per epoch, which {0} does not allow")]
    MistakenWith(&'static str),
    /// Class weights for a rule whose step they cannot change.
    #[error(
        "the update rule pa always reaches its margin, class weights change nothing; pa1:C heeds them"
    )]
    ClassWeightWithPa,
    /// Weights of examples for such a rule.
    #[error(
        "the update rule pa always reaches its margin, weights of examples change nothing; pa1:C heeds them"
    )]
    WeightsWithPa,
    /// Too few or too many class weights.
    #[error("there are {weights} class weights for {classes} classes")]
    ClassWeights {
        /// How many weights there are.
        weights: usize,
        /// How many classes there are.
        classes: usize,
    },
    /// The parameters of a kernel.
    #[error("the kernel {0} has a parameter that it may not have")]
    Kernel(Kernel),
    /// Random initial weights for a model that is a combination of rows.
    #[error("weights that begin at random are no combination of rows, as {0} needs")]
    RandomInit(&'static str),
    /// Given initial weights for a model that is a combination of rows.
    #[error("first weights that are given are no combination of rows, as {0} needs")]
    GivenInit(&'static str),
    /// A second-order rule for a model that is a combination of rows.
    #[error("the weights of the update rule {0} are no combination of rows, as {1} needs")]
    PreciseWith(Update, &'static str),
    /// The numbers of a penalty, or its product with the learning rate.
    #[error("the penalty {0} has a number that it may not have with this learning rate")]
    Penalty(Penalty),
    /// A penalty for a run that needs every change of the weights to be an update, or has precisions.
    #[error("the weights of a run with a penalty change at every visit, which {0} does not allow")]
    PenaltyWith(&'static str),
    /// Too few or too many given initial hyperplanes.
    #[error("{found} first hyperplanes are given, the run has {expected}")]
    GivenHyperplanes {
        /// How many are given.
        found: usize,
        /// How many the run has.
        expected: usize,
    },
    /// Given initial weights of the wrong length.
    #[error("first hyperplane {}: {found} weights are given for {expected} features", .hyperplane + 1)]
    GivenWeights {
        /// The hyperplane, counted from 0.
        hyperplane: usize,
        /// How many weights it has.
        found: usize,
        /// How many features the examples have.
        expected: usize,
    },
    /// A given initial weight or bias that is not finite.
    #[error("first hyperplane {}: {value} is not a finite number", .hyperplane + 1)]
    GivenNotFinite {
        /// The hyperplane, counted from 0.
        hyperplane: usize,
        /// The number.
        value: f64,
    },
    /// A given initial bias for a run without bias.
    #[error("first hyperplane {}: the bias is {bias}, it must be 0 where none is learned", .hyperplane + 1)]
    GivenBias {
        /// The hyperplane, counted from 0.
        hyperplane: usize,
        /// Its bias.
        bias: f64,
    },
    /// Several classes learned together, with an option that needs each hyperplane alone.
    #[error("several classes learned together have no {0}")]
    JointWith(&'static str),
    /// Examples that are held out in two ways.
    #[error("early stopping, `hold_out` and `folds` exclude each other")]
    HeldOutTwice,
    /// A calibration or a choice of options without examples to judge by.
    #[error("a calibration and a sweep need examples that are held out: `hold_out` or `folds`")]
    NothingHeldOut,
    /// Early stopping with a vote.
    #[error("a vote counts how long weights survive, early stopping would need one for each epoch")]
    PatienceWithVote,
    /// A kernel or a vote where a single hyperplane in feature space is required.
    #[error("a kernel or a vote is no hyperplane in the space of the features")]
    NotOneHyperplane,
    /// An option that needs several passes over the examples, in a stream.
    #[error(
        "a stream is learned from once, in its order: one epoch, from zero or given weights, without kernel, pocket, vote, \
         bias R², balanced weights or a falling learning rate"
    )]
    NotOnePass,
    /// An option that needs all examples, for a learner that gets them one by one.
    #[error(
        "a learner sees one example at a time: it has no kernel, pocket, vote, balanced weights or falling learning rate, and \
         the bias R² only where R is given"
    )]
    NotOneByOne,
    /// The size of the bias feature.
    #[error(
        "the bias feature has the size {0}, it must be a positive number whose square is a normal number"
    )]
    BiasFeature(f64),
    /// The product of learning rate, class weight and weight of an example.
    #[error("eta times the weight of a class or an example is {0}, it must be a positive number")]
    Rate(f64),
}

impl Options {
    /// Checks every value.
    ///
    /// # Errors
    /// The first [`OptionError`].
    pub fn check(&self) -> Result<(), OptionError> {
        if !positive(self.eta) {
            return Err(OptionError::Eta(self.eta));
        }
        if let Bias::Feature(size) = self.bias
            && !bias::is_sound(size)
        {
            return Err(OptionError::BiasFeature(size));
        }
        if !self.update.is_sound() {
            return Err(OptionError::Update(self.update));
        }
        if !self.update.rule().takes_learning_rate && self.eta != 1.0 {
            return Err(OptionError::EtaWithOwnStep(self.update));
        }
        if !self.update.rule().takes_weights && self.class_weight != ClassWeight::Uniform {
            return Err(OptionError::ClassWeightWithPa);
        }
        if self.epochs == 0 {
            return Err(OptionError::NoEpochs);
        }
        if let ClassWeight::Given(weights) = &self.class_weight
            && let Some(bad) = bad_class_weight(weights)
        {
            return Err(OptionError::ClassWeight(bad));
        }
        if let Some(penalty) = self.penalty
            && !(penalty.is_sound() && (penalty.alpha * self.eta).is_finite())
        {
            return Err(OptionError::Penalty(penalty));
        }
        if let Some(kernel) = self.kernel
            && !kernel.is_sound()
        {
            return Err(OptionError::Kernel(kernel));
        }
        self.check_weights()?;
        self.check_decay()?;
        self.check_mistaken()
    }

    /// Checks what needs weights that are a sum of rows, or that stand still between updates.
    fn check_weights(&self) -> Result<(), OptionError> {
        let Dynamics { weights, moves_between_updates, .. } = self.dynamics();
        let WeightsAre::Other(reason) = weights else { return Ok(()) };
        let unsuited = match (self.kernel, self.keep, self.classes) {
            (Some(_), ..) => "a kernel",
            (_, Keep::Vote, _) => "a vote",
            _ if !moves_between_updates => return Ok(()),
            (_, Keep::Pocket, _) => "a pocket",
            (.., Multiclass::Joint) => "joint learning of several classes",
            _ if self.update.has_precisions() => "a second-order rule",
            _ => return Ok(()),
        };
        Err(reason.refused_by(unsuited))
    }

    /// Checks what a falling learning rate excludes.
    fn check_decay(&self) -> Result<(), OptionError> {
        let unsuited = match self.update.rule() {
            _ if self.decay.is_none() => return Ok(()),
            rule if !rule.takes_learning_rate => "an update rule without a learning rate",
            _ if self.penalty.is_some() => "a penalty",
            _ => return Ok(()),
        };
        Err(OptionError::DecayWith(unsuited))
    }

    /// Checks what the order [`Order::Mistaken`] excludes.
    fn check_mistaken(&self) -> Result<(), OptionError> {
        let unsuited = match self.keep {
            _ if self.order != Order::Mistaken => return Ok(()),
            _ if !self.update.moves_only_on_mistakes() => {
                "an update rule that moves the weights without a mistake"
            }
            _ if self.penalty.is_some() => "a penalty",
            Keep::Vote => "a vote",
            _ => return Ok(()),
        };
        Err(OptionError::MistakenWith(unsuited))
    }

    /// The learning rate and its decay.
    pub fn learning_rate(&self) -> LearningRate {
        LearningRate { eta: self.eta, decay: self.decay }
    }

    /// Checks that the hyperplanes of these classes can be learned in this order, and together if they are.
    pub(crate) fn check_classes(&self, scheme: Scheme) -> Result<(), OptionError> {
        if self.order == Order::Mistaken && scheme.hyperplanes() > 1 {
            return Err(OptionError::MistakenWith("learning more than two classes"));
        }
        let unsuited = match (self.kernel, self.keep) {
            (Some(_), _) => "kernel",
            (None, Keep::Pocket) => "pocket",
            (None, Keep::Vote) => "vote",
            _ => return Ok(()),
        };
        if self.is_joint(scheme) { Err(OptionError::JointWith(unsuited)) } else { Ok(()) }
    }

    /// Checks given initial weights against the number of hyperplanes and, if known, of features.
    pub(crate) fn check_first(
        &self,
        hyperplanes: usize,
        features: Option<usize>,
    ) -> Result<(), OptionError> {
        let Init::Given(planes) = &self.init else { return Ok(()) };
        if planes.len() != hyperplanes {
            let (found, expected) = (planes.len(), hyperplanes);
            return Err(OptionError::GivenHyperplanes { found, expected });
        }
        let expected = features.or(self.given_features()).unwrap_or(0);
        for (hyperplane, Hyperplane { weights, bias }) in planes.iter().enumerate() {
            let found = weights.len();
            if found != expected {
                return Err(OptionError::GivenWeights { hyperplane, found, expected });
            }
            if let Some(&value) = weights.iter().chain([bias]).find(|number| !number.is_finite()) {
                return Err(OptionError::GivenNotFinite { hyperplane, value });
            }
            if self.bias == Bias::None && *bias != 0.0 {
                return Err(OptionError::GivenBias { hyperplane, bias: *bias });
            }
        }
        Ok(())
    }

    /// Returns the initial weights of a run with one hyperplane. In the dual form they are empty, because coefficients
    /// are added with the rows.
    ///
    /// # Errors
    /// [`OptionError`] for given weights that do not fit.
    pub fn first_hyperplane(&self, features: usize) -> Result<Hyperplane, OptionError> {
        if self.kernel.is_some() {
            return Ok(Hyperplane::zero(0));
        }
        self.check_first(1, Some(features))?;
        Ok(self.init.hyperplane(self.seed, 0, features, self.bias != Bias::None))
    }

    /// The number of features of given initial weights, if any.
    pub(crate) fn given_features(&self) -> Option<usize> {
        match &self.init {
            Init::Given(planes) => planes.first().map(|plane| plane.weights.len()),
            Init::Zero | Init::Random => None,
        }
    }
}

impl ClassWeight {
    /// Whether the examples of a class are left out.
    pub(crate) fn leaves_out(&self, class: usize) -> bool {
        matches!(self, ClassWeight::Given(weights) if weights.get(class) == Some(&0.0))
    }

    /// Whether the weights of classes of these sizes differ.
    pub fn differ(&self, sizes: &[usize]) -> bool {
        self.resolve(sizes).windows(2).any(|pair| pair[0] != pair[1])
    }

    /// Returns the weight of each class. Balanced: n / (classes · size of the class).
    pub(crate) fn resolve(&self, sizes: &[usize]) -> Vec<f64> {
        match self {
            ClassWeight::Uniform => vec![1.0; sizes.len()],
            ClassWeight::Given(weights) => weights.clone(),
            ClassWeight::Balanced => {
                let examples: usize = sizes.iter().sum();
                let weight = |&size: &usize| examples as f64 / (sizes.len() * size) as f64;
                sizes.iter().map(weight).collect()
            }
        }
    }
}

/// Returns the first invalid class weight.
fn bad_class_weight(weights: &[f64]) -> Option<f64> {
    let bad = weights.iter().copied().find(|&weight| !(positive(weight) || weight == 0.0));
    bad.or_else(|| weights.first().copied().filter(|_| weights.iter().all(|&weight| weight == 0.0)))
}

/// Whether `a` is a valid learning rate or weight.
pub(crate) fn positive(a: f64) -> bool {
    a.is_finite() && a > 0.0
}
