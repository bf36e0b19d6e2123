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

mod fit;
mod learner;
mod observer;
mod options;
mod pupil;

pub use fit::{Fit, HeldOut, fit};
pub use learner::{Learner, Visit, WeightOverflow};
pub use observer::{Epoch, Observer};
pub use options::{Bias, ClassWeight, OptionError, Options, Resources};

pub(crate) use pupil::Pupil;

use std::ops::ControlFlow;

use options::positive;

use crate::{
    data::{Examples, Scheme},
    keep::{Keep, Kept},
    report::{Candidate, Finished, Report, Stop},
    space::{Hyperplane, Linear, Space},
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
    /// A class without examples.
    #[error("there is no example of class {} of {classes}", .class + 1)]
    NoExample {
        /// The class, from 0.
        class: usize,
        /// The number of classes.
        classes: usize,
    },
    /// The weights of all classes would take too much memory.
    #[error("{classes} classes with {features} features each are {} weights, the limit is {limit}", .classes * .features)]
    TooLarge {
        /// The number of classes.
        classes: usize,
        /// The number of features.
        features: usize,
        /// The most weights.
        limit: usize,
    },
    /// A kernel value could leave the range of `f64`.
    #[error(
        "the kernel {kernel} of the longest row with itself is {value:e}, past the range of 64-bit numbers"
    )]
    KernelOverflow {
        /// The kernel.
        kernel: crate::space::Kernel,
        /// Its value.
        value: f64,
    },
    /// A squared distance could leave the range of `f64`.
    #[error(
        "the squared length of the longest row is {square:e}, its distances are past the range of 64-bit numbers"
    )]
    DistanceOverflow {
        /// The squared length.
        square: f64,
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

/// A finished run of two classes in the space of the features.
#[derive(Clone, Debug)]
pub struct Run {
    /// The weights that were kept.
    pub hyperplane: Hyperplane,
    /// What happened.
    pub report: Report,
}

/// Trains one hyperplane in the space of the features on examples of two classes; `observer` sees every
/// visit and epoch (`&mut ()` sees nothing and costs nothing). [`fit`] is for kernels, votes and
/// more classes.
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
    if options.kernel.is_some() || options.keep == Keep::Vote {
        return Err(OptionError::NotOneHyperplane.into());
    }
    let (minus, plus) = examples.class_sizes();
    check(examples, &[minus, plus])?;
    let mut space = Linear { rows: examples.rows() };
    let mut pupil = Pupil::of_signs(*examples, options, &space)?;
    pupil.begin(options, &mut space, 0);
    let scheme = Scheme::Two { positive: 1 };
    let mut lesson = Lesson { options, scheme, space, pupils: vec![pupil] };
    let ended = lesson.epochs(None, observer)?;
    let (planes, report) = lesson.judge(ended, None)?;
    // There is one pupil, so there is one hyperplane.
    let hyperplane = planes.into_iter().next().unwrap_or_else(|| Hyperplane::zero(0));
    Ok(Run { hyperplane, report })
}

/// Whether there is anything to learn from examples of classes of these sizes.
fn check(examples: &Examples<'_>, sizes: &[usize]) -> Result<(), TrainError> {
    let classes = sizes.iter().filter(|&&size| size > 0).count();
    if examples.is_empty() || examples.features() == 0 {
        Err(TrainError::Empty { examples: examples.len(), features: examples.features() })
    } else if classes == 1 {
        Err(TrainError::OneClass { examples: examples.len() })
    } else if let Some(class) = sizes.iter().position(|&size| size == 0) {
        Err(TrainError::NoExample { class, classes: sizes.len() })
    } else {
        Ok(())
    }
}

/// How the epochs went.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) mistakes_per_epoch: Vec<u64>,
    pub(crate) stop: Stop,
    /// Whether the last epoch visited every example.
    pub(crate) is_whole: bool,
    /// With early stopping, the epoch whose weights are the model.
    pub(crate) best_epoch: Option<u64>,
}

impl Course {
    pub(crate) fn converged(&self) -> bool {
        self.stop == Stop::CleanEpoch
    }
}

/// All that takes part in a run.
struct Lesson<'a, 'o, S> {
    options: &'o Options,
    scheme: Scheme,
    space: S,
    pupils: Vec<Pupil<'a>>,
}

/// A run whose epochs are over.
struct Ended {
    course: Course,
    /// With early stopping, the best weights.
    best: Option<Candidate>,
}

/// Judges a run by examples held out, epoch by epoch.
struct Examination<'h, 'a> {
    held_out: &'h HeldOut<'a>,
    /// The fewest errors, their epoch and weights.
    best: Option<(usize, u64, Candidate)>,
}

impl<S: Space> Lesson<'_, '_, S> {
    fn epochs(
        &mut self,
        held_out: Option<&HeldOut<'_>>,
        observer: &mut impl Observer,
    ) -> Result<Ended, TrainError> {
        let examples = self.pupils.first().map_or(0, |pupil| pupil.examples.len());
        let mut order = vec![0; examples];
        let mut mistakes_per_epoch = Vec::new();
        let mut examination = held_out.map(|held_out| Examination { held_out, best: None });
        let mut stop = Stop::MaxEpochs;
        let mut is_whole = true;
        for number in 1..=self.options.epochs {
            self.options.order.arrange(self.options.seed, number, &mut order);
            let (epoch, flow) = self.epoch(number, &order, observer)?;
            mistakes_per_epoch.push(epoch.mistakes);
            is_whole = flow.is_continue();
            let pupil = &self.pupils[0];
            if flow.is_break() || observer.epoch_ended(epoch, &pupil.learner).is_break() {
                stop = Stop::Observer;
                break;
            }
            let natural = Stop::after(epoch, self.options);
            let examined = examination.as_mut();
            let patient = examined.map(|examined| examined.examine(self, number, natural));
            let impatient = patient.transpose()?.is_some_and(|patient| !patient);
            if let Some(reason) = natural.or(impatient.then_some(Stop::Patience)) {
                stop = reason;
                break;
            }
        }
        let best = examination.and_then(|examination| examination.best);
        let best_epoch = best.as_ref().map(|best| best.1);
        let course = Course { mistakes_per_epoch, stop, is_whole, best_epoch };
        Ok(Ended { course, best: best.map(|best| best.2) })
    }

    /// One pass: every hyperplane visits an example before the next one comes.
    fn epoch(
        &mut self,
        number: u64,
        order: &[usize],
        observer: &mut impl Observer,
    ) -> Result<(Epoch, ControlFlow<()>), TrainError> {
        let mut epoch = Epoch { number, visits: 0, mistakes: 0, updates: 0 };
        self.pupils.iter_mut().for_each(|pupil| pupil.mistakes_per_epoch.push(0));
        for (place, &example) in order.iter().enumerate() {
            self.space.arrive(order, place);
            for (plane, pupil) in self.pupils.iter_mut().enumerate() {
                let visit = pupil
                    .visit(&mut self.space, example, plane)
                    .map_err(|_| TrainError::Overflow { example, epoch: number })?;
                epoch.count(visit);
                let flow = observer.visited(example, visit, &pupil.learner);
                if flow.is_break() {
                    return Ok((epoch, flow));
                }
            }
        }
        Ok((epoch, ControlFlow::Continue(())))
    }

    /// The weights of all hyperplanes that would be kept now, if the run kept track of them.
    fn candidate(&self, kept: Kept) -> Result<Option<Candidate>, TrainError> {
        let plane = |pupil: &Pupil<'_>| match kept {
            Kept::Last | Kept::Vote => Ok(Some(pupil.learner.hyperplane().clone())),
            Kept::Average => pupil.learner.average().transpose(),
            Kept::Pocket => Ok(pupil.pocket.as_ref().map(|pocket| pocket.best().clone())),
        };
        let planes: Result<Option<Vec<Hyperplane>>, TrainError> = self
            .pupils
            .iter()
            .map(|pupil| plane(pupil).transpose())
            .collect::<Option<_>>()
            .transpose();
        let mut planes = planes?;
        for plane in planes.iter_mut().flatten() {
            // In the dual form a hyperplane knows the rows up to the last that it met.
            plane.weights.resize(self.space.dimension(), 0.0);
        }
        let is_present = matches!(kept, Kept::Last | Kept::Vote);
        Ok(planes.map(|planes| Candidate { kept, planes, is_present }))
    }

    /// Judges the weights that may be the model, and keeps one.
    fn judge(
        &mut self,
        ended: Ended,
        vote_errors: Option<usize>,
    ) -> Result<(Vec<Hyperplane>, Report), TrainError> {
        for (plane, pupil) in self.pupils.iter_mut().enumerate() {
            pupil.end(&mut self.space, plane);
        }
        self.space.settle();
        let Ended { course, best } = ended;
        let kept = self.options.keep.resolve(course.converged());
        let kept = best.as_ref().map_or(kept, |best| best.kept);
        let mut candidates = Vec::new();
        for candidate in [Kept::Last, Kept::Average, Kept::Pocket] {
            match self.candidate(candidate) {
                // An average that is only compared may be missing from the report.
                Err(_) if candidate != kept => {}
                made => candidates.extend(made?),
            }
        }
        let find = |kept| candidates.iter().position(|candidate| candidate.kept == kept);
        // What is wanted was kept track of; for a vote the last weights stand in.
        let wanted = find(kept).unwrap_or(0);
        if let Some(mut best) = best {
            // Rows may have come after its epoch.
            let dimension = self.space.dimension();
            best.planes.iter_mut().for_each(|plane| plane.weights.resize(dimension, 0.0));
            candidates[wanted] = Candidate { is_present: false, ..best };
        }
        let finished = Finished {
            space: &self.space,
            pupils: &self.pupils,
            scheme: self.scheme,
            options: self.options,
            course,
            candidates,
            wanted,
            vote_errors,
        };
        Ok(finished.judge())
    }
}

impl Examination<'_, '_> {
    /// Judges the weights after an epoch; whether there is patience for more.
    fn examine<S: Space>(
        &mut self,
        lesson: &Lesson<'_, '_, S>,
        number: u64,
        stop: Option<Stop>,
    ) -> Result<bool, TrainError> {
        let converged = stop == Some(Stop::CleanEpoch);
        let kept = lesson.options.keep.resolve(converged);
        let Some(candidate) = lesson.candidate(kept)? else { return Ok(true) };
        let rows = self.held_out.labelled.rows();
        let scores = lesson.space.scores_on(&candidate.planes, rows);
        let right = |row: usize, class: u32| {
            crate::space::Scores::class(&scores, lesson.scheme, row) == class as usize
        };
        let classes = self.held_out.labelled.classes().iter().enumerate();
        let errors = classes.filter(|&(row, &class)| !right(row, class)).count();
        drop(scores);
        let better = self
            .best
            .as_ref()
            .is_none_or(|best| errors < best.0 || (converged && errors == best.0));
        if better {
            self.best = Some((errors, number, candidate));
        }
        let since = self.best.as_ref().map_or(0, |best| number - best.1);
        Ok(since < self.held_out.patience)
    }
}

impl Options {
    /// Whether a run keeps track of these weights: when they may become the model, and when they are
    /// to be compared in the report. In the dual form a pocket is kept only to become the model.
    pub(crate) fn keeps(&self, kept: Kept) -> bool {
        match kept {
            Kept::Last => true,
            Kept::Average => matches!(self.keep, Keep::Average | Keep::Auto) || self.compare,
            Kept::Pocket => self.keep == Keep::Pocket || (self.compare && self.kernel.is_none()),
            Kept::Vote => self.keep == Keep::Vote,
        }
    }
}

impl ClassWeight {
    /// The weight of each class. Balanced: n / (classes · size of the class).
    fn resolve(&self, sizes: &[usize]) -> Vec<f64> {
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
