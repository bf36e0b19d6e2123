//! Training: the one epoch loop.
//!
//! A [`Learner`] learns one example at a time; [`train`] shows it a training set, epoch after epoch,
//! in the order of the schedule, until an epoch makes no more mistakes than allowed, or there are no
//! epochs left, or the observer stops it. A single step, a stream and a full run are the same code.
//!
//! The rule, with sign `y`, score `s = w·x + b` and the step τ of the update rule (for the perceptron: on
//! a mistake, the learning rate η times the weight of the class):
//!
//! ```text
//! w ← w + τ·y·x        b ← b + τ·y·B
//! ```
//!
//! with B = 1 for the bias `unit`, 0 for `none`, R² for `radius`.

mod learner;
mod observer;
mod options;

pub use learner::{Learner, Visit, WeightOverflow};
pub use observer::{Epoch, Observer};
pub use options::{Bias, ClassWeight, OptionError, Options};

use std::ops::ControlFlow;

use options::positive;

use crate::{
    data::Examples,
    exact::{self, Radius},
    keep::{Keep, Kept, Pocket},
    report::{Report, Stop},
    space::Hyperplane,
};

/// Why training could not start or go on. Examples are counted from 0, in messages from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// An option has a value that it may not have.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// There is no example, or no feature.
    #[error("there is nothing to learn from: {examples} examples with {features} features")]
    Empty {
        /// The number of examples.
        examples: usize,
        /// The number of features.
        features: usize,
    },
    /// All examples are of one class.
    #[error("all {examples} examples are of one class: there is nothing to separate")]
    OneClass {
        /// The number of examples.
        examples: usize,
    },
    /// A weight left the range of `f64`.
    #[error("the weights left the range of 64-bit numbers at example {} of epoch {epoch}", .example + 1)]
    Overflow {
        /// The example whose update it was.
        example: usize,
        /// The epoch, from 1.
        epoch: u64,
    },
    /// The bias unit R² left the range of `f64`.
    #[error("the squared radius of rows as long as {radius:e} is not a 64-bit number")]
    Radius {
        /// The radius R.
        radius: f64,
    },
    /// The average left the range of `f64`.
    #[error("the sum of the weights visited left the range of 64-bit numbers")]
    AverageOverflow,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The weights that were kept.
    pub hyperplane: Hyperplane,
    /// What happened.
    pub report: Report,
}

/// Trains on `examples`; `observer` sees every visit and epoch (`&mut ()` sees nothing and costs
/// nothing).
///
/// Cost: one pass over the rows an epoch, and a few more for the report.
///
/// # Errors
/// [`TrainError`].
///
/// ```
/// use rosenblatt::{data::{Examples, Rows, Sign}, train::{train, Options}, schedule::Order};
/// // The logical AND, in the order 00, 01, 10, 11.
/// let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let signs = [Sign::Minus, Sign::Minus, Sign::Minus, Sign::Plus];
/// let options = Options { order: Order::Given, ..Options::default() };
/// let run = train(&Examples::new(&rows, &signs)?, &options, &mut ())?;
/// assert!(run.report.converged);
/// assert_eq!((run.hyperplane.weights, run.hyperplane.bias), (vec![3.0, 2.0], -4.0));
/// assert_eq!((run.report.updates, run.report.epochs), (18, 9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn train(
    examples: &Examples<'_>,
    options: &Options,
    observer: &mut impl Observer,
) -> Result<Run, TrainError> {
    options.check()?;
    check(examples)?;
    let radius = exact::radius(examples.rows());
    let mut learner = Learner::for_examples(options, examples, radius)?;
    let budget = if options.keep == Keep::Pocket { u64::MAX } else { Pocket::BUDGET };
    let mut pocket =
        options.keeps(Kept::Pocket).then(|| Pocket::new(learner.hyperplane(), examples, budget));
    let course = epochs(examples, options, &mut learner, pocket.as_mut(), observer)?;
    let average = match learner.average().transpose() {
        // An average that is only compared may be missing from the report.
        Err(_) if options.keep.resolve(course.converged()) != Kept::Average => None,
        average => average?,
    };
    if let Some(pocket) = &mut pocket {
        pocket.challenge(learner.hyperplane(), examples);
    }
    Ok(crate::report::finish(examples, options, radius.length, &learner, average, pocket, course))
}

fn check(examples: &Examples<'_>) -> Result<(), TrainError> {
    let (minus, plus) = examples.class_sizes();
    match (minus, plus) {
        _ if examples.is_empty() || examples.features() == 0 => {
            Err(TrainError::Empty { examples: examples.len(), features: examples.features() })
        }
        (0, examples) | (examples, 0) => Err(TrainError::OneClass { examples }),
        _ => Ok(()),
    }
}

/// How the epochs went.
pub(crate) struct Course {
    pub(crate) mistakes_per_epoch: Vec<u64>,
    pub(crate) stop: Stop,
}

impl Course {
    pub(crate) fn converged(&self) -> bool {
        self.stop == Stop::CleanEpoch
    }
}

fn epochs(
    examples: &Examples<'_>,
    options: &Options,
    learner: &mut Learner,
    mut pocket: Option<&mut Pocket>,
    observer: &mut impl Observer,
) -> Result<Course, TrainError> {
    let mut order = vec![0; examples.len()];
    let mut mistakes_per_epoch = Vec::new();
    for number in 1..=options.epochs {
        options.order.arrange(options.seed, number, &mut order);
        let mut epoch = Epoch { number, visits: 0, mistakes: 0, updates: 0 };
        let mut flow = ControlFlow::Continue(());
        for &i in &order {
            let (row, sign) = examples.get(i);
            let visit = learner
                .learn(row, sign)
                .map_err(|_| TrainError::Overflow { example: i, epoch: number })?;
            if let Some(pocket) = &mut pocket {
                pocket.visited(visit.updated, visit.mistake, learner.hyperplane(), examples);
            }
            epoch.count(visit);
            flow = observer.visited(i, visit, learner);
            if flow.is_break() {
                break;
            }
        }
        mistakes_per_epoch.push(epoch.mistakes);
        if flow.is_break() || observer.epoch_ended(epoch, learner).is_break() {
            return Ok(Course { mistakes_per_epoch, stop: Stop::Observer });
        }
        if let Some(stop) = Stop::after(epoch, options) {
            return Ok(Course { mistakes_per_epoch, stop });
        }
    }
    Ok(Course { mistakes_per_epoch, stop: Stop::MaxEpochs })
}

impl Options {
    /// Whether a run keeps track of these weights: when they may become the model, and when they are
    /// to be compared in the report.
    pub(crate) fn keeps(&self, kept: Kept) -> bool {
        let needed = match kept {
            Kept::Last => true,
            Kept::Average => matches!(self.keep, Keep::Average | Keep::Auto),
            Kept::Pocket => self.keep == Keep::Pocket,
        };
        needed || self.compare
    }
}

impl ClassWeight {
    /// The weights of the classes: (minus, plus). Balanced: n / (2 · size of the class).
    fn resolve(self, examples: &Examples<'_>) -> (f64, f64) {
        match self {
            ClassWeight::Uniform => (1.0, 1.0),
            ClassWeight::Given { minus, plus } => (minus, plus),
            ClassWeight::Balanced => {
                let (minus, plus) = examples.class_sizes();
                let weight = |size: usize| examples.len() as f64 / (2.0 * size as f64);
                (weight(minus), weight(plus))
            }
        }
    }
}

impl Learner {
    /// A learner at the start of a run over `examples`, whose radius is `radius`.
    fn for_examples(
        options: &Options,
        examples: &Examples<'_>,
        radius: Radius,
    ) -> Result<Self, TrainError> {
        let bias_unit = match options.bias {
            Bias::Unit => 1.0,
            Bias::None => 0.0,
            Bias::Radius => radius.square,
        };
        if !bias_unit.is_finite() {
            return Err(TrainError::Radius { radius: radius.length });
        }
        let (minus, plus) = options.class_weight.resolve(examples);
        let rates = (options.eta * minus, options.eta * plus);
        if let Some(bad) = [rates.0, rates.1].into_iter().find(|rate| !positive(*rate)) {
            return Err(OptionError::Rate(bad).into());
        }
        Ok(Learner::new(options, examples.features(), bias_unit, rates))
    }
}
