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

use crate::{data::Examples, train::Options};

use super::{
    Plan, StudyError, Summary, Theorem, Watcher, check,
    perturbation::{Perturbation, Sweep, signs},
    runs,
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
    check(options, plan)?;
    let change = Perturbation::new(examples, options, sweep, watcher)?;
    let signs = signs(examples);
    let point = |&factor: &f64| {
        let rows = change.rows(examples, factor)?;
        let changed = Examples::new(&rows, &signs)?;
        let theorem = Theorem::of(&changed, options, watcher);
        let ran = runs::all(&changed, options, plan, 0, watcher)?;
        let runs: Vec<_> = ran.into_iter().map(|ran| ran.run).collect();
        let converged = runs.iter().filter(|run| run.converged).count();
        let updates = runs::summary(&runs, |run| run.updates);
        Ok(SweepPoint { factor, theorem, runs: runs.len(), converged, updates })
    };
    sweep.factors().iter().map(point).collect()
}
