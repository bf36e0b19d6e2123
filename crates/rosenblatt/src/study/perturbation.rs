//! Examples moved along a normal, or with scaled features.

use crate::{
    data::{Examples, Rows, RowsError, Scale, Scaling, Sign},
    exact,
    margin::functional_margin,
    separability::{self, Certificate, Verdict, separable},
    space::Hyperplane,
    train::{Bias, Options},
};

use super::{Answer, StudyError, Theorem, Watcher, angles::direction};

/// The change of the examples in a sweep.
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

/// A change of the examples.
pub(super) enum Perturbation {
    /// Moves them along the normal by (factor − 1)·margin.
    Along { normal: Vec<f64>, margin: f64 },
    /// Multiplies every second feature.
    EverySecond,
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
            Sweep::Scale => Self::of_scale(examples, options, watcher),
            Sweep::Margin => Self::of_margin(examples, options.bias, watcher),
        }
    }

    fn of_scale(
        examples: &Examples<'_>,
        options: &Options,
        watcher: &impl Watcher,
    ) -> Result<Self, StudyError> {
        if examples.features() < 2 {
            return Err(StudyError::OneFeature);
        }
        match Theorem::of(examples, options, watcher).separable {
            _ if watcher.poll().is_break() => Err(StudyError::Stopped),
            Answer::Yes => Ok(Perturbation::EverySecond),
            Answer::No => Err(StudyError::NotSeparable),
            Answer::Unknown => Err(StudyError::NotKnown),
        }
    }

    fn of_margin(
        examples: &Examples<'_>,
        bias: Bias,
        watcher: &impl Watcher,
    ) -> Result<Self, StudyError> {
        let (rows, features, limit) = (examples.len(), examples.features(), Scaling::DENSE_LIMIT);
        if rows.saturating_mul(features) > limit {
            return Err(StudyError::TooLarge { rows, features, limit });
        }
        let hyperplane = widest(examples, bias, watcher)?;
        let normal = direction(&hyperplane, Bias::None).ok_or(StudyError::NotKnown)?;
        let margin = margin_along(examples, &normal, bias);
        Ok(Perturbation::Along { normal, margin })
    }

    /// The rows, changed by a factor.
    pub(super) fn rows(
        &self,
        examples: &Examples<'_>,
        factor: f64,
    ) -> Result<Rows<'static>, StudyError> {
        match self {
            Perturbation::Along { normal, margin } => {
                Ok(moved(examples, normal, (factor - 1.0) * margin)?)
            }
            Perturbation::EverySecond => {
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
) -> Result<Rows<'static>, RowsError> {
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
/// A search with the bias `unit` maximizes another margin, that of (x, 1). If all features are divided by a large
/// number c, the vectors are (x/c, 1), in whose separators the bias has almost no weight. With c ≥ 4096 R, |b| ≤ R
/// reduces the margin by at most a relative 2⁻²⁵.
fn widest(
    examples: &Examples<'_>,
    bias: Bias,
    watcher: &impl Watcher,
) -> Result<Hyperplane, StudyError> {
    let with_bias = bias != Bias::None;
    let radius = exact::radius(examples.rows()).length;
    // A power of two changes no digit.
    let large = libm::exp2(libm::log2(4096.0 * radius).ceil());
    let shrinks = with_bias && large.is_normal();
    let features = examples.features();
    let scaling = |divisor: f64| Scaling {
        scale: Scale::Maxabs,
        shift: vec![0.0; features],
        divisor: vec![divisor; features],
    };
    let small = shrinks.then(|| scaling(large).apply(examples.rows())).transpose()?;
    let signs = signs(examples);
    let examples = Examples::new(small.as_ref().unwrap_or(examples.rows()), &signs)?;
    let asked = separability::SeparabilityOptions {
        with_bias,
        ..separability::SeparabilityOptions::default()
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
