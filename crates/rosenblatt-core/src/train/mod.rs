//! Training: the loop over epochs.
//!
//! A [`Learner`] learns one example at a time. [`train`] passes it the training set in the order of the schedule, epoch
//! after epoch. Training ends when an epoch has no more mistakes than allowed, after the maximum number of epochs, or
//! when the observer stops it. Single steps, a stream and a full run give the same bits. If the visits of a single
//! hyperplane are not observed, visits that need not be made one by one are made or counted together.
//!
//! The rule, with sign `y`, score `s = w·x + b` and the step τ of the update rule. For the perceptron, τ on a mistake
//! is the learning rate η times the weight of the class and, if set, the weight of the example.
//!
//! ```text
//! w ← w + τ·y·x        b ← b + τ·y·B
//! ```
//!
//! with B = 1 for the bias `unit`, 0 for `none`, R² for `radius`.

mod early_stopping;
mod epoch;
mod fit;
mod joint;
mod mistaken;
mod of_converged;
mod plateau;
mod resume;
mod scaled_stream;
mod stream;
mod stream_state;
mod stream_undo;
mod trainer;

pub use early_stopping::HeldOut;
pub use fit::{Fit, fit};
pub use plateau::is_reached as is_plateau_reached;
pub use scaled_stream::{ScaledStream, StreamScaling};
pub use stream::Stream;
pub use stream_state::StreamState;

pub use crate::{
    dynamics::{
        CleanEpoch, Compared, Dynamics, Ending, Foresight, NoTheorem, NotASum, Visits, WeightsAre,
    },
    events::{Epoch, Visit},
    keep::{MeanState, PocketState},
    learner::{
        BestState, BinaryTrainer, Checkpoint, LearnError, Learner, LearnerState, Observer,
        PenaltyState, Precisions, TrainError, WeightOverflow,
    },
    options::{
        Bias, ClassWeight, Decay, LearningRate, LectureNotes, Multiclass, OPTIONS, OptionError,
        OptionInfo, OptionValues, Options, Resources, UnknownNotes, UnknownRate, Word,
    },
    space::SupportState,
};

use crate::{
    data::{Examples, Scheme},
    hyperplane::Hyperplane,
    keep::Keep,
    learner::check_sizes,
    report::Report,
    space::PrimalSpace,
};

pub use trainer::stop_after;

use trainer::Training;

/// A finished run of two classes in feature space.
#[derive(Clone, Debug)]
pub struct TrainedHyperplane {
    /// The weights that were kept.
    pub hyperplane: Hyperplane,
    /// The report of the run.
    pub report: Report,
}

/// Trains one hyperplane in feature space on examples of two classes. `observer` sees every visit and epoch; `&mut ()`
/// observes nothing at no cost. Use `fit` for kernels, votes and more classes.
///
/// Cost: one pass over the rows per epoch, and a few more for the report.
///
/// # Errors
/// [`TrainError`].
///
/// ```
/// use rosenblatt_core::{data::{Examples, Rows, Sign}, keep::Keep, train::{train, Options}, schedule::Order};
/// // The logical AND, in the order 00, 01, 10, 11.
/// let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let signs = [Sign::Minus, Sign::Minus, Sign::Minus, Sign::Plus];
/// let options = Options { order: Order::Given, keep: Keep::Last, ..Options::default() };
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
) -> Result<TrainedHyperplane, TrainError> {
    train_observed(examples, options, observer)
}

/// [`train`], compiled once for observers of all types.
fn train_observed(
    examples: &Examples<'_>,
    options: &Options,
    mut observer: &mut dyn Observer,
) -> Result<TrainedHyperplane, TrainError> {
    options.check()?;
    if options.kernel.is_some() || options.keep == Keep::Vote {
        return Err(OptionError::NotOneHyperplane.into());
    }
    let (minus, plus) = examples.class_sizes();
    check_sizes(examples.len(), examples.features(), &[minus, plus], &options.class_weight)?;
    options.check_first(1, Some(examples.features()))?;
    let mut space = PrimalSpace::new(examples.rows());
    let mut trainer = BinaryTrainer::from_signs(*examples, options, &space)?;
    trainer.begin(options, &mut space, (0, 1));
    let scheme = Scheme::Two { positive: 1 };
    let mut training = Training { options, scheme, space, trainers: vec![trainer] };
    let ended = training.epochs(None, None, &mut observer)?;
    let (candidates, report) = training.evaluate(ended, None)?;
    // There is one trainer, so each candidate is one hyperplane.
    let kept = candidates.into_iter().next().and_then(|kept| kept.planes.into_iter().next());
    let hyperplane = kept.unwrap_or_else(|| Hyperplane::zero(0));
    Ok(TrainedHyperplane { hyperplane, report })
}
