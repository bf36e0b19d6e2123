//! Studies of examples that were moved or scaled: how the updates follow the bound.
//!
//! # The margin
//! Let u be the unit normal of the hyperplane that separates the examples with the largest geometric
//! margin γ, of all hyperplanes with the bias `unit` or `radius`, through the origin with `none`. Then
//!
//!   x′ = x + y·(f − 1)·γ·u
//!
//! moves the two classes apart along u (f > 1) or together (f < 1), and nothing else: the new margin is fγ.
//! For the vectors z = yx the hull moves by (f − 1)γu, along its own shortest vector γu. With a bias γu is
//! half of the shortest vector between the hulls of the two classes, and either moves by (f − 1)γ along
//! it. Novikoff's bound for the bias `unit` has another margin, that of the vectors (x, 1): it grows with f
//! but not in proportion, and is found anew for each f, as is R.
//!
//! # The scale
//! Every second feature (the second, the fourth, …) is multiplied by f. A linear map that can be undone
//! changes nothing about whether the examples are separable, but the perceptron does not know that:
//! whichever half is made larger rules R, and if the separator needs the other half too, R/γ grows.

use crate::{
    data::{Examples, Rows, Scale, Scaling, Sign},
    margin::min_functional_margin,
    separability::{self, Verdict, separable},
    space::Hyperplane,
    train::{Bias, Options},
};

use super::{
    Plan, StudyError, Summary, Theorem, Watcher, angles::direction, check, runs, theorem::separator,
};

/// What is changed about the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// The margin is multiplied by each factor.
    Margin,
    /// Every second feature is multiplied by each factor.
    Scale,
}

impl Sweep {
    /// The factors, ascending.
    pub fn factors(self) -> &'static [f64] {
        match self {
            Sweep::Margin => &[0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0],
            // Powers of two change no digit.
            Sweep::Scale => &[0.015_625, 0.0625, 0.25, 1.0, 4.0, 16.0, 64.0],
        }
    }
}

/// The study of one factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepPoint {
    /// The factor.
    pub factor: f64,
    /// Margin, radius and bound of the changed examples.
    pub theorem: Theorem,
    /// The number of runs.
    pub runs: usize,
    /// How many of them converged.
    pub converged: usize,
    /// Their updates; `None` when none converged.
    pub updates: Option<Summary>,
}

/// Studies the examples for each of the [`Sweep::factors`].
///
/// Cost: that many studies without angles, and a copy of the rows; for the margin a dense one.
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
    let change = Change::new(examples, options.bias, sweep, watcher)?;
    let signs: Vec<Sign> = (0..examples.len()).map(|i| examples.sign(i)).collect();
    let point = |&factor: &f64| {
        let rows = change.rows(examples, factor)?;
        let changed = Examples::new(&rows, &signs)?;
        let (theorem, _) = Theorem::of(&changed, options, watcher);
        let ran = runs::all(&changed, options, plan, 0, watcher)?;
        let runs: Vec<_> = ran.into_iter().map(|ran| ran.run).collect();
        let converged = runs.iter().filter(|run| run.converged).count();
        let updates = runs::summary(&runs, |run| run.updates);
        Ok(SweepPoint { factor, theorem, runs: runs.len(), converged, updates })
    };
    sweep.factors().iter().map(point).collect()
}

/// How the examples change.
enum Change {
    /// They move along the normal by (factor − 1)·margin.
    Along { normal: Vec<f64>, margin: f64 },
    /// Every second feature is multiplied.
    EverySecond,
}

impl Change {
    fn new(
        examples: &Examples<'_>,
        bias: Bias,
        sweep: Sweep,
        watcher: &impl Watcher,
    ) -> Result<Self, StudyError> {
        let (features, limit) = (examples.features(), Scaling::DENSE_LIMIT);
        if sweep == Sweep::Scale && features < 2 {
            return Err(StudyError::OneFeature);
        }
        if sweep == Sweep::Margin && examples.len().saturating_mul(features) > limit {
            return Err(StudyError::TooLarge { rows: examples.len(), features, limit });
        }
        let hyperplane = widest(examples, bias, watcher)?;
        Ok(match sweep {
            Sweep::Scale => Change::EverySecond,
            Sweep::Margin => {
                let normal = direction(&hyperplane, Bias::None).ok_or(StudyError::NotKnown)?;
                let margin = margin_along(examples, &normal, bias);
                Change::Along { normal, margin }
            }
        })
    }

    fn rows(&self, examples: &Examples<'_>, factor: f64) -> Result<Rows<'static>, StudyError> {
        match self {
            Change::Along { normal, margin } => {
                Ok(moved(examples, normal, (factor - 1.0) * margin)?)
            }
            Change::EverySecond => {
                let features = examples.features();
                let divisor = (0..features).map(|j| if j % 2 == 1 { 1.0 / factor } else { 1.0 });
                let shift = vec![0.0; features];
                let scaling = Scaling { scale: Scale::Maxabs, shift, divisor: divisor.collect() };
                Ok(scaling.apply(examples.rows())?)
            }
        }
    }
}

/// x + y·distance·normal for each row.
fn moved(
    examples: &Examples<'_>,
    normal: &[f64],
    distance: f64,
) -> Result<Rows<'static>, crate::data::RowsError> {
    let mut values = Vec::with_capacity(examples.len() * normal.len());
    for (row, sign) in examples.iter() {
        let start = values.len();
        values.extend(normal.iter().map(|u| sign * distance * u));
        row.for_each(|j, x| values[start + j] += x);
    }
    Rows::dense(values, normal.len())
}

/// The hyperplane with the largest geometric margin.
///
/// A search with the bias `unit` looks for the largest margin of (x, 1), which is another one. Where all
/// features are divided by a large number c, the vectors are (x/c, 1), in whose separators the bias costs
/// next to nothing: with c ≥ 4096 R, |b| ≤ R leaves of the margin all but a relative 2⁻²⁵.
fn widest(
    examples: &Examples<'_>,
    bias: Bias,
    watcher: &impl Watcher,
) -> Result<Hyperplane, StudyError> {
    let with_bias = bias != Bias::None;
    let radius = crate::exact::radius(examples.rows()).length;
    // A power of two changes no digit.
    let large = (4096.0 * radius).log2().ceil().exp2();
    let shrinks = with_bias && large.is_normal();
    let features = examples.features();
    let scaling = |divisor: f64| Scaling {
        scale: Scale::Maxabs,
        shift: vec![0.0; features],
        divisor: vec![divisor; features],
    };
    let small = shrinks.then(|| scaling(large).apply(examples.rows())).transpose()?;
    let signs: Vec<Sign> = (0..examples.len()).map(|i| examples.sign(i)).collect();
    let examples = Examples::new(small.as_ref().unwrap_or(examples.rows()), &signs)?;
    let asked = separability::Options { with_bias, ..separability::Options::default() };
    let verdict = separable(&examples, &asked, &mut || watcher.wants_stop());
    if watcher.wants_stop() {
        return Err(StudyError::Stopped);
    }
    match verdict {
        Verdict::Yes { certificate, .. } => separator(certificate).ok_or(StudyError::NotKnown),
        Verdict::No { .. } => Err(StudyError::NotSeparable),
        Verdict::Unknown { .. } => Err(StudyError::NotKnown),
    }
}

/// The geometric margin of the hyperplanes with this unit normal: half the distance between the classes
/// along it, or without a bias the distance of the closest example from the one through the origin.
fn margin_along(examples: &Examples<'_>, normal: &[f64], bias: Bias) -> f64 {
    let hyperplane = Hyperplane { weights: normal.to_vec(), bias: 0.0 };
    if bias == Bias::None {
        return min_functional_margin(&hyperplane, examples);
    }
    let (mut minus, mut plus) = (f64::INFINITY, f64::INFINITY);
    for (row, sign) in examples.iter() {
        let smallest = if sign == Sign::Plus { &mut plus } else { &mut minus };
        *smallest = smallest.min(sign * hyperplane.score(row));
    }
    minus / 2.0 + plus / 2.0
}
