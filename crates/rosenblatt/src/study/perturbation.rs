//! Examples moved along a normal, or with scaled features.

use rosenblatt_core::{
    data::{Examples, Row, Rows, RowsError, Scale, Scaling, Sign},
    margin::functional_margin,
    radius::radius,
    space::Hyperplane,
    train::{Bias, Options},
};
use rosenblatt_exact as exact;
use rosenblatt_proofs::{Certificate, SeparabilityOptions, Verdict, separable};

use super::{Answer, StudyError, Theorem, Watcher, angles::direction};

/// The change of the examples in a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// The margin is multiplied by each factor.
    Margin,
    /// Every second feature is multiplied by each factor.
    Scale,
    /// All features are multiplied by each factor.
    Units,
    /// One example is moved parallel to the separator by each factor.
    Outlier,
}

impl Sweep {
    /// All of them.
    pub const ALL: [Sweep; 4] = [Sweep::Margin, Sweep::Scale, Sweep::Units, Sweep::Outlier];

    /// The name: `margin`, `scale`, `units` or `outlier`.
    pub fn name(self) -> &'static str {
        match self {
            Sweep::Margin => "margin",
            Sweep::Scale => "scale",
            Sweep::Units => "units",
            Sweep::Outlier => "outlier",
        }
    }

    /// The factors, ascending.
    pub fn factors(self) -> &'static [f64] {
        match self {
            Sweep::Margin => &[0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0],
            // Powers of two change no digit.
            Sweep::Scale | Sweep::Units => &[0.015_625, 0.0625, 0.25, 1.0, 4.0, 16.0, 64.0],
            Sweep::Outlier => &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0],
        }
    }
}

/// A change of the examples.
pub(super) enum Perturbation {
    /// Moves them along the normal by (factor − 1)·margin.
    Along { normal: Vec<f64>, margin: f64 },
    /// Multiplies every second feature.
    EverySecond,
    /// Multiplies all features.
    All,
    /// Moves one example by (factor − 1)·step.
    One { example: usize, step: Vec<f64> },
}

impl Perturbation {
    /// Prepares a sweep, or returns an error if it is not possible.
    pub(super) fn new(
        examples: &Examples<'_>,
        options: &Options,
        sweep: Sweep,
        watcher: &impl Watcher,
    ) -> Result<Self, StudyError> {
        match sweep {
            Sweep::Scale if examples.features() < 2 => Err(StudyError::OneFeature),
            Sweep::Scale => Self::EverySecond.of_separable(examples, options, watcher),
            Sweep::Units => Self::All.of_separable(examples, options, watcher),
            Sweep::Margin => Self::of_margin(examples, options.bias, watcher),
            Sweep::Outlier => Self::of_outlier(examples, options.bias, watcher),
        }
    }

    /// This change, if the examples are separable.
    fn of_separable(
        self,
        examples: &Examples<'_>,
        options: &Options,
        watcher: &impl Watcher,
    ) -> Result<Self, StudyError> {
        match Theorem::of(examples, options, watcher).separable {
            _ if watcher.poll().is_break() => Err(StudyError::Stopped),
            Answer::Yes => Ok(self),
            Answer::No => Err(StudyError::NotSeparable),
            Answer::Unknown => Err(StudyError::NotKnown),
        }
    }

    fn of_margin(
        examples: &Examples<'_>,
        bias: Bias,
        watcher: &impl Watcher,
    ) -> Result<Self, StudyError> {
        let normal = normal(examples, bias, watcher)?;
        let margin = margin_along(examples, &normal, bias);
        Ok(Perturbation::Along { normal, margin })
    }

    fn of_outlier(
        examples: &Examples<'_>,
        bias: Bias,
        watcher: &impl Watcher,
    ) -> Result<Self, StudyError> {
        let normal = normal(examples, bias, watcher)?;
        let hyperplane = Hyperplane { weights: normal, bias: 0.0 };
        let mut longest = (0.0, 0, Vec::new());
        for (example, (row, _)) in examples.iter().enumerate() {
            let step = parallel(row, &hyperplane);
            let length = exact::norm(step.iter().copied());
            // A part as short as the rounding errors of x − (u·x)u has no direction.
            let mut size = 0.0_f64;
            row.for_each(|_, x| size = size.max(x.abs()));
            if length > longest.0 && length > size * 1e-9 {
                longest = (length, example, step);
            }
        }
        let (length, example, step) = longest;
        if length > 0.0 {
            Ok(Perturbation::One { example, step })
        } else {
            Err(StudyError::NoParallel)
        }
    }

    /// The rows, changed by a factor.
    pub(super) fn rows(
        &self,
        examples: &Examples<'_>,
        factor: f64,
    ) -> Result<Rows<'static>, StudyError> {
        match self {
            Perturbation::Along { normal, margin } => {
                let distance = (factor - 1.0) * margin;
                Ok(moved(examples, |_, sign, j| sign * distance * normal[j])?)
            }
            Perturbation::One { example, step } => {
                let moves =
                    |i, j: usize| if i == *example { (factor - 1.0) * step[j] } else { 0.0 };
                Ok(moved(examples, |i, _, j| moves(i, j))?)
            }
            Perturbation::EverySecond => multiplied(examples, factor, |j| j % 2 == 1),
            Perturbation::All => multiplied(examples, factor, |_| true),
        }
    }
}

/// The rows with some features multiplied.
fn multiplied(
    examples: &Examples<'_>,
    factor: f64,
    is_meant: impl Fn(usize) -> bool,
) -> Result<Rows<'static>, StudyError> {
    let features = examples.features();
    let divisor = (0..features).map(|j| if is_meant(j) { 1.0 / factor } else { 1.0 });
    let shift = vec![0.0; features];
    let divisor = divisor.collect();
    let scaling = Scaling { scale: Scale::Maxabs, shift, divisor, first: None };
    Ok(scaling.apply(examples.rows())?)
}

/// The rows with a number added to each value, by example, sign and feature.
fn moved(
    examples: &Examples<'_>,
    by: impl Fn(usize, Sign, usize) -> f64,
) -> Result<Rows<'static>, RowsError> {
    let features = examples.features();
    let mut values = Vec::with_capacity(examples.len() * features);
    for (i, (row, sign)) in examples.iter().enumerate() {
        let start = values.len();
        values.extend((0..features).map(|j| by(i, sign, j)));
        row.for_each(|j, x| values[start + j] += x);
    }
    Rows::dense(values, features)
}

/// x − (u·x)u for the unit normal u of a hyperplane.
fn parallel(row: Row<'_>, hyperplane: &Hyperplane) -> Vec<f64> {
    let along = hyperplane.unchecked_score(row);
    let mut step: Vec<f64> = hyperplane.weights.iter().map(|u| -along * u).collect();
    row.for_each(|j, x| step[j] += x);
    step
}

/// The unit normal of the separator with the largest geometric margin, of examples that can be copied as dense rows.
fn normal(
    examples: &Examples<'_>,
    bias: Bias,
    watcher: &impl Watcher,
) -> Result<Vec<f64>, StudyError> {
    let (rows, features, limit) = (examples.len(), examples.features(), Scaling::DENSE_LIMIT);
    if rows.saturating_mul(features) > limit {
        return Err(StudyError::TooLarge { rows, features, limit });
    }
    let hyperplane = widest(examples, bias, watcher)?;
    direction(&hyperplane, Bias::None).ok_or(StudyError::NotKnown)
}

/// The hyperplane with the largest geometric margin.
///
/// A search with the bias `unit` maximizes another margin, that of (x, 1). If all features are divided by a large
/// number c, the vectors are (x/c, 1), in whose separators the bias has almost no weight. With c ≥ 4096 R, |b| ≤ R
/// reduces the margin by at most a relative 2⁻²⁵.
fn widest(
    examples: &Examples<'_>,
    bias: Bias,
    watcher: &impl Watcher,
) -> Result<Hyperplane, StudyError> {
    let with_bias = bias != Bias::None;
    let radius = radius(examples.rows()).length;
    // A power of two changes no digit.
    let large = libm::exp2(libm::log2(4096.0 * radius).ceil());
    let shrinks = with_bias && large.is_normal();
    let features = examples.features();
    let scaling = |divisor: f64| Scaling {
        scale: Scale::Maxabs,
        shift: vec![0.0; features],
        divisor: vec![divisor; features],
        first: None,
    };
    let small = shrinks.then(|| scaling(large).apply(examples.rows())).transpose()?;
    let signs = signs(examples);
    let examples = Examples::new(small.as_ref().unwrap_or(examples.rows()), &signs)?;
    let asked = SeparabilityOptions {
        with_bias,
        work: watcher.search_work(),
        ..SeparabilityOptions::default()
    };
    let verdict = separable(&examples, &asked, &mut || watcher.poll().is_break());
    if watcher.poll().is_break() {
        return Err(StudyError::Stopped);
    }
    match verdict {
        Verdict::Yes { certificate: Certificate::Yes { weights, bias, .. }, .. } => {
            Ok(Hyperplane { weights, bias })
        }
        Verdict::No { .. } => Err(StudyError::NotSeparable),
        Verdict::Yes { .. } | Verdict::Unknown { .. } => Err(StudyError::NotKnown),
    }
}

/// The geometric margin of the hyperplanes with this unit normal: half the distance between the classes along it, or
/// without a bias the distance of the closest example from the hyperplane through the origin.
fn margin_along(examples: &Examples<'_>, normal: &[f64], bias: Bias) -> f64 {
    let hyperplane = Hyperplane { weights: normal.to_vec(), bias: 0.0 };
    if bias == Bias::None {
        return functional_margin(&hyperplane, examples);
    }
    let (mut minus, mut plus) = (f64::INFINITY, f64::INFINITY);
    for (row, sign) in examples.iter() {
        let smallest = if sign == Sign::Plus { &mut plus } else { &mut minus };
        *smallest = smallest.min(sign * hyperplane.unchecked_score(row));
    }
    minus / 2.0 + plus / 2.0
}

/// The sign of each example.
pub(super) fn signs(examples: &Examples<'_>) -> Vec<Sign> {
    (0..examples.len()).map(|i| examples.sign(i)).collect()
}
