//! Studies of moved or scaled examples, to show how the updates follow the bound.
//!
//! # The margin
//! Let u be the unit normal of the hyperplane that separates the examples with the largest geometric margin γ. With the
//! bias `unit` or `radius` it is chosen among all hyperplanes, with `none` among those through the origin. Then
//!
//!   x′ = x + y·(f − 1)·γ·u
//!
//! moves the two classes apart along u (f > 1) or together (f < 1), so that the new margin is fγ. For the vectors z =
//! yx the hull moves by (f − 1)γu, along its own shortest vector γu. With a bias γu is half of the shortest vector
//! between the hulls of the two classes, and each hull moves by (f − 1)γ along it. Novikoff's bound for the bias `unit`
//! has another margin, that of the vectors (x, 1). It grows with f but not in proportion, and is computed again for
//! each f, as is R.
//!
//! # The scale
//! Every second feature (the second, the fourth, …) is multiplied by f. An invertible linear map does not change
//! separability, but it changes the bound. The half of the features that is made larger dominates R. If the separator
//! needs the other half too, R/γ grows.
//!
//! # The units
//! All features are multiplied by f. R and γ without a bias grow alike, and nothing changes. A learned bias has no unit,
//! so its steps are too large or too small next to those of the weights, and the bound of the vectors (x, 1) changes.
//!
//! # An outlier
//! Let u be the normal of the margin above. One example is moved parallel to that hyperplane: x′ = x + (f − 1)·p with p
//! = x − (u·x)u, for the example with the longest p, the first of several. The hyperplane separates the moved example as
//! well as before, with the same margin γ, but R grows with f.
//!
//! # Test errors
//! [`sweep_held_out`] holds out a share of the examples in each run, by its seed, and counts the errors of the last
//! weights there. R and γ are those of all examples, so the bound also holds for each run: without some examples R is not
//! larger and γ not smaller.

use rosenblatt_core::{
    data::{Examples, Sign},
    train::Options,
};

use super::{
    Plan, StudyError, Summary, Theorem, Watcher, check,
    perturbation::{Perturbation, Sweep, signs},
    runs::{self, HeldOut},
};

/// The study of one factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepPoint {
    /// The factor.
    pub factor: f64,
    /// Margin, radius and bound of the changed examples.
    pub theorem: Theorem,
    /// The number of runs.
    pub runs: usize,
    /// The number of runs that converged.
    pub converged: usize,
    /// Updates of the runs that converged; `None` if none did.
    pub updates: Option<Summary>,
    /// Epochs of the runs that converged, including the last one without mistakes.
    pub epochs: Option<Summary>,
    /// The share of held-out examples that the last weights of each run misclassify; `None` without held-out examples.
    pub held_out_errors: Option<Summary>,
}

/// Studies the examples for each of the [`Sweep::factors`].
///
/// Cost: one study without angles per factor, and a copy of the rows; for the margin a dense copy.
///
/// # Errors
/// [`StudyError`].
pub fn sweep(
    examples: &Examples<'_>,
    options: &Options,
    sweep: Sweep,
    plan: &Plan,
    watcher: &impl Watcher,
) -> Result<Vec<SweepPoint>, StudyError> {
    points(examples, options, sweep, None, (plan, watcher))
}

/// A sweep whose runs hold examples out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOutSweep {
    /// The change of the examples.
    pub sweep: Sweep,
    /// The share of the examples that a run holds out, above 0 and below 1.
    pub share: f64,
}

/// Does the same, but each run learns without a share of the examples, on which its last weights are judged.
///
/// Cost: that of [`sweep()`], and a copy of the rows and a score for each held-out example per run.
///
/// # Errors
/// [`StudyError`]; [`StudyError::Split`] for a share outside of 0 to 1 or too few examples.
pub fn sweep_held_out(
    examples: &Examples<'_>,
    options: &Options,
    held_out: HeldOutSweep,
    plan: &Plan,
    watcher: &impl Watcher,
) -> Result<Vec<SweepPoint>, StudyError> {
    points(examples, options, held_out.sweep, Some(held_out.share), (plan, watcher))
}

fn points(
    examples: &Examples<'_>,
    options: &Options,
    sweep: Sweep,
    share: Option<f64>,
    (plan, watcher): (&Plan, &impl Watcher),
) -> Result<Vec<SweepPoint>, StudyError> {
    check(options, plan)?;
    let signs = signs(examples);
    let classes: Vec<u32> = signs.iter().map(|&sign| u32::from(sign == Sign::Plus)).collect();
    let held_out = |share| HeldOut::new(examples.rows(), &classes, share, options.seed);
    let held_out = share.map(held_out).transpose()?;
    let change = Perturbation::new(examples, options, sweep, watcher)?;
    let point = |&factor: &f64| {
        let rows = change.rows(examples, factor)?;
        let changed = Examples::new(&rows, &signs)?;
        let theorem = Theorem::of(&changed, options, watcher);
        let ran = match &held_out {
            None => runs::all(&changed, options, plan, 0, watcher)?,
            Some(held_out) => runs::without(&changed, options, plan, held_out, watcher)?,
        };
        let errors = ran.iter().filter_map(|ran| ran.held_out_errors).collect();
        let runs: Vec<_> = ran.into_iter().map(|ran| ran.run).collect();
        Ok(SweepPoint {
            factor,
            theorem,
            runs: runs.len(),
            converged: runs.iter().filter(|run| run.converged).count(),
            updates: runs::summary(&runs, |run| run.updates),
            epochs: runs::summary(&runs, |run| run.epochs),
            held_out_errors: Summary::of(errors),
        })
    };
    sweep.factors().iter().map(point).collect()
}
