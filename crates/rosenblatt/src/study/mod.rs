//! Studies: many runs over random orders, to compare their convergence and their hyperplanes.
//!
//! Novikoff's theorem bounds the updates of every order at once. A study measures the actual updates of N runs with the
//! seeds s, s + 1, …, s + N − 1. It returns the distribution of their updates and epochs, the bound, and the angles
//! between their final hyperplanes. It also compares the averages of the same runs, which depend less on the order and
//! so usually lie closer together. A [`sweep()`] repeats the study on moved or scaled examples, to show how the updates
//! follow the bound.
//!
//! # Conventions
//!
//! Distributions cover the runs that converged; angles cover all runs. Each thread makes whole runs, and results are in
//! the order of the seeds, so the number of threads changes nothing.
//!
//! Kernels and votes are not supported, because they have no hyperplane in feature space; nor are more than two
//! classes.

mod angles;
mod histogram;
mod perturbation;
mod runs;
mod statement;
mod summary;
mod sweep;
mod symbols;
mod theorem;
mod weight_cycle;

pub use angles::{Angles, MOST_COMPARED, angle};
pub use histogram::{Bin, histogram};
pub use perturbation::Sweep;
pub use runs::SeededRun;
pub use statement::{StudyStatement, SweepStatement};
pub use summary::Summary;
pub use sweep::{HeldOutSweep, SweepPoint, sweep, sweep_held_out};
pub use symbols::bound_in_symbols;
pub use theorem::{Answer, Theorem};
pub use weight_cycle::{WeightCycle, epochs_for_cycles, weight_cycle};

use std::ops::ControlFlow;

use rosenblatt_core::{
    data::{Examples, RowsError, ScaleError},
    schedule::Order,
    split::SplitError,
    train::{Options, TrainError},
};
use rosenblatt_proofs::MOST_WORK;

/// An error of a study.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// No runs were requested.
    #[error("the number of runs is 0, it must be at least 1")]
    NoRuns,
    /// The given order, which allows only one run.
    #[error("a study needs random orders, the order is `given`")]
    GivenOrder,
    /// A run failed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A sweep of examples without a margin.
    #[error("no hyperplane separates the examples, so they have no margin to change")]
    NotSeparable,
    /// A sweep of examples for which a margin is not known.
    #[error("a sweep needs separable examples, and separability is not known")]
    NotKnown,
    /// A sweep over the scale of a single feature.
    #[error("a sweep of the scale needs at least two features, there is one")]
    OneFeature,
    /// A sweep of an outlier without a direction parallel to the separator.
    #[error(
        "no example can move parallel to the separator, which a sweep of an outlier needs; with one feature none can"
    )]
    NoParallel,
    /// The examples to hold out cannot be chosen.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// A sweep that would move every entry of a large sparse matrix.
    #[error(
        "moving {rows} rows of {features} features stores all their values, the limit is {limit}"
    )]
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The number of features.
        features: usize,
        /// The maximum number of values.
        limit: usize,
    },
    /// Moved values are not finite.
    #[error("moving the examples fails: {0}")]
    Moved(#[from] RowsError),
    /// Scaled values are not finite.
    #[error("scaling the examples fails: {0}")]
    Scaled(#[from] ScaleError),
    /// The watcher stopped the study.
    #[error("the study was stopped")]
    Stopped,
}

/// The size of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of runs; at least 1.
    pub runs: usize,
    /// The number of threads; with one, no other is started.
    pub threads: usize,
}

/// Observes a study, from any of its threads, and can stop it. `()` does neither.
pub trait Watcher: Sync {
    /// Called at every visit, so it must be fast; a break stops the study.
    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The maximum work of a search for a separator, as in [`SeparabilityOptions`](rosenblatt_proofs::SeparabilityOptions::work);
    /// called before each search.
    fn search_work(&self) -> u64 {
        MOST_WORK
    }

    /// Called after each run.
    fn run_ended(&self) {}
}

impl Watcher for () {}

/// The result of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Each run, in the order of the seeds.
    pub runs: Vec<SeededRun>,
    /// Updates of the runs that converged; `None` if none did.
    pub updates: Option<Summary>,
    /// Epochs of the runs that converged, including the last one without mistakes.
    pub epochs: Option<Summary>,
    /// The angles between the hyperplanes of the runs.
    pub angles: Angles,
    /// Novikoff's bound for the examples.
    pub theorem: Theorem,
}

impl Study {
    /// The number of runs that converged.
    pub fn converged(&self) -> usize {
        self.runs.iter().filter(|run| run.converged).count()
    }

    /// The updates of the runs that converged, in the order of the seeds.
    pub fn updates_of_converged(&self) -> Vec<u64> {
        self.runs.iter().filter(|run| run.converged).map(|run| run.updates).collect()
    }
}

/// Studies runs of these options with the seeds `options.seed`, `options.seed + 1`, … It compares last and average
/// weights, whatever the options keep.
///
/// Cost: the runs; one call of [`separable`](rosenblatt_proofs::separable); for the angles two numbers per feature
/// for each of up to [`MOST_COMPARED`] runs, and one pass over these per pair.
///
/// # Errors
/// [`StudyError`]; if several runs fail, the error of the first seed.
///
/// ```
/// use rosenblatt::study::{Plan, study};
/// use rosenblatt_core::{data::{Examples, Rows, Sign}, train::Options};
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
