//! Many runs over random orders: how soon they converge, and how much their hyperplanes differ.
//!
//! Novikoff's theorem bounds the updates of every order at once. A study shows what the orders really
//! take: N runs with the seeds s, s + 1, …, s + N − 1, the distribution of their updates and epochs, the
//! bound, and the angles between the hyperplanes that they end with. The averages of the same runs
//! stand beside them: averaging forgets much of the order, so they usually lie closer together.
//! A [`sweep()`] repeats the study on examples that were moved or scaled, to show how the updates follow
//! the bound.
//!
//! # Convention
//! Distributions are of the runs that converged; angles are of all runs. A run is a unit of work for a
//! thread and results stand in the order of the seeds, so the number of threads changes nothing.
//!
//! Deliberately absent: kernels and votes, which have no hyperplane of features, and more than two
//! classes.

mod angles;
mod histogram;
mod perturbation;
mod runs;
mod statement;
mod summary;
mod sweep;
mod theorem;

pub use angles::{Angles, MOST_COMPARED, angle};
pub use histogram::{Bin, histogram};
pub use perturbation::Sweep;
pub use runs::SeededRun;
pub use statement::StudyStatement;
pub use summary::Summary;
pub use sweep::{SweepPoint, sweep};
pub use theorem::{Answer, Theorem};

use std::ops::ControlFlow;

use crate::{
    data::{Examples, RowsError, ScaleError},
    schedule::Order,
    train::{Options, TrainError},
};

/// Why a study came to nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// No run was asked for.
    #[error("the number of runs is 0, it must be at least 1")]
    NoRuns,
    /// One order gives nothing to compare.
    #[error("a study compares runs over random orders, the given order is only one")]
    GivenOrder,
    /// A run failed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A sweep of examples that have no margin.
    #[error("no hyperplane separates the examples, so no run converges at any margin or scale")]
    NotSeparable,
    /// A sweep of examples of which nobody knows whether they have a margin.
    #[error("whether a hyperplane separates the examples is not known, a sweep needs one")]
    NotKnown,
    /// A sweep over the scales of a single feature.
    #[error("there is only one feature, a sweep of the scale multiplies every second one")]
    OneFeature,
    /// A sweep would move every entry of a large sparse matrix.
    #[error(
        "moving {rows} rows of {features} features stores all their values, the limit is {limit}"
    )]
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The number of features.
        features: usize,
        /// The largest number of values.
        limit: usize,
    },
    /// Moved values are not finite.
    #[error("moving the examples fails: {0}")]
    Moved(#[from] RowsError),
    /// Scaled values are not finite.
    #[error("scaling the examples fails: {0}")]
    Scaled(#[from] ScaleError),
    /// The watcher stopped it.
    #[error("the study was stopped")]
    Stopped,
}

/// How much to do, and on how many threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of runs; at least 1.
    pub runs: usize,
    /// Threads; with one, no other is started.
    pub threads: usize,
}

/// Sees a study go by, from any of its threads, and may stop it. `()` does neither.
pub trait Watcher: Sync {
    /// Called at every visit, so it must be quick; a break stops the study.
    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A run is over.
    fn run_ended(&self) {}
}

impl Watcher for () {}

/// What a study found.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Each run, in the order of the seeds.
    pub runs: Vec<SeededRun>,
    /// Updates of the runs that converged; `None` when none did.
    pub updates: Option<Summary>,
    /// Epochs of the runs that converged, the one without a mistake included.
    pub epochs: Option<Summary>,
    /// Between the hyperplanes of the runs.
    pub angles: Angles,
    /// What Novikoff's theorem allows.
    pub theorem: Theorem,
}

impl Study {
    /// How many runs converged.
    pub fn converged(&self) -> usize {
        self.runs.iter().filter(|run| run.converged).count()
    }

    /// The updates of the runs that converged, in the order of the seeds.
    pub fn updates_of_converged(&self) -> Vec<u64> {
        self.runs.iter().filter(|run| run.converged).map(|run| run.updates).collect()
    }
}

/// Studies runs of these options with the seeds `options.seed`, `options.seed + 1`, … What they keep is
/// not asked: last weights and average are compared.
///
/// Cost: the runs; one call of [`separable`](crate::separability::separable); for the angles two numbers
/// a feature for each of up to [`MOST_COMPARED`] runs, and one pass over these for each pair.
///
/// # Errors
/// [`StudyError`]; of several runs that fail, the one with the first seed.
///
/// ```
/// use rosenblatt::{data::{Examples, Rows, Sign}, study::{Plan, study}, train::Options};
/// let rows = Rows::dense(vec![2.0, 1.0, 1.0, 3.0, -1.0, -2.0, -2.0, -1.0], 2)?;
/// let signs = [Sign::Plus, Sign::Plus, Sign::Minus, Sign::Minus];
/// let examples = Examples::new(&rows, &signs)?;
/// let found = study(&examples, &Options::default(), &Plan { runs: 20, threads: 1 }, &())?;
/// assert_eq!(found.converged(), 20);
/// let (most, bound) = (found.updates.map(|updates| updates.max), found.theorem.bound);
/// assert!(most.is_some() && most <= bound);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn study(
    examples: &Examples<'_>,
    options: &Options,
    plan: &Plan,
    watcher: &impl Watcher,
) -> Result<Study, StudyError> {
    check(options, plan)?;
    let theorem = Theorem::of(examples, options, watcher);
    if watcher.poll().is_break() {
        return Err(StudyError::Stopped);
    }
    let ran = runs::all(examples, options, plan, MOST_COMPARED, watcher)?;
    let last: Vec<&[f64]> = ran.iter().filter_map(|ran| ran.last.as_deref()).collect();
    let average: Vec<&[f64]> = ran.iter().filter_map(|ran| ran.average.as_deref()).collect();
    let angles = Angles::between(&last, &average, watcher)?;
    let runs: Vec<SeededRun> = ran.into_iter().map(|ran| ran.run).collect();
    let of = |count: fn(&SeededRun) -> u64| runs::summary(&runs, count);
    let (updates, epochs) = (of(|run| run.updates), of(|run| run.epochs));
    Ok(Study { runs, updates, epochs, angles, theorem })
}

fn check(options: &Options, plan: &Plan) -> Result<(), StudyError> {
    options.check().map_err(TrainError::from)?;
    if plan.runs == 0 {
        Err(StudyError::NoRuns)
    } else if options.order == Order::Given {
        Err(StudyError::GivenOrder)
    } else {
        Ok(())
    }
}
