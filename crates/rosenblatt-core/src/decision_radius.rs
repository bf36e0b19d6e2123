//! How far a row is from another decision: no change of its features that is shorter changes its class.
//!
//! For hyperplanes, this distance is `|s| / ‖w‖`: s is the score, or for several classes the difference to the score of a
//! rival, and w the weights, or their difference to those of the rival. ‖·‖ is the dual of the norm in which the change
//! is measured: for a change of length `√Σδⱼ²` the same norm, for one of `max|δⱼ|` the sum `Σ|wⱼ|` (Hölder). The
//! distance for several classes is the least over the rivals.
//!
//! The norm is rounded up once to a float N, and the radius is the largest float r with `r·N ≤ |s|`, compared without
//! rounding. So r is never above the distance, and it is the distance rounded towards zero where the norm is a float.
//! Otherwise N exceeds the norm by a factor of at most 1 + 2⁻⁵², and r may be the next float below that.
//!
//! Everything is in the units of the given rows. This needs a preparation that is exact: none, or divisions by powers of
//! two. (A division whose result is below 2⁻¹⁰²² may still be rounded.)

use std::cmp::Ordering;

use crate::{
    calibration::Calibration,
    data::{Row, Rows, Scale},
    exact::Accumulator,
    hyperplane::Hyperplane,
    model::{Classifier, Model, PredictError, PredictOptions},
    transforms::{Preparation, StepWords},
};

/// The length of a change of the features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeNorm {
    /// The Euclidean length `√Σδⱼ²`.
    #[default]
    L2,
    /// The largest change of a feature, `max|δⱼ|`.
    Linf,
}

impl ChangeNorm {
    /// Both lengths.
    pub const ALL: [ChangeNorm; 2] = [ChangeNorm::L2, ChangeNorm::Linf];

    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ChangeNorm::L2 => "l2",
            ChangeNorm::Linf => "linf",
        }
    }
}

/// A model or rows without decision radii.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RadiusError {
    /// A kernel, or a vote of several hyperplanes.
    #[error("only linear models have decision radii, not kernels and votes")]
    NotLinear,
    /// Rows that are prepared by more than a scaling.
    #[error("distances are for models whose rows are at most scaled, and this one {}", .0.does)]
    Prepared(StepWords),
    /// A scaling with rounded divisions.
    #[error("the scaling {} rounds the features, so distances in their units are not exact", .scale.name())]
    Rounded {
        /// The scaling.
        scale: Scale,
    },
    /// Labels that change elsewhere than at the borders of the scores.
    #[error(
        "the labels of this model are those of its probabilities, and its hyperplanes are not where these change"
    )]
    Calibrated,
    /// A weight that is no float in the units of the rows.
    #[error("in the units of the rows, the weight of feature {} is past the range of 64-bit numbers", .feature + 1)]
    Range {
        /// The feature, counted from 0.
        feature: usize,
    },
    /// Rows that cannot be classified.
    #[error(transparent)]
    Predict(#[from] PredictError),
}

impl Model {
    /// Returns for each row how far it is from another decision, in the units of the features: a change of the row that
    /// is shorter does not change its class. At most the exact distance, and within a factor of 1 − 2⁻⁵¹ of it; infinite
    /// if no change leads to another class.
    ///
    /// Cost: for K classes, K² norms of the weights; for each row and rival class, a sum of exact products and about 60
    /// exact comparisons.
    ///
    /// # Errors
    /// [`RadiusError`]: a model that is not linear, that weights counts, normalises rows or whose scaling rounds, and those of
    /// [`Self::predict_rows`].
    pub fn decision_radii(
        &self,
        rows: &Rows<'_>,
        norm: ChangeNorm,
    ) -> Result<Vec<f64>, RadiusError> {
        let borders =
            DecisionRadius::new(self.classifier(), self.preparation(), self.calibration(), norm)?;
        let classes = self.classify(rows, PredictOptions::default(), false)?.classes;
        Ok(borders.of_classified(rows, &classes))
    }
}

/// The borders between the classes of a linear classifier.
pub struct DecisionRadius {
    /// The hyperplanes in the units of the rows.
    planes: Vec<Hyperplane>,
    /// For a pair of classes, or for the only hyperplane at (0, 0), the norm of the weights, rounded up.
    norms: Vec<Vec<f64>>,
}

impl DecisionRadius {
    /// The borders of a classifier of prepared rows, and of its calibration.
    ///
    /// Cost: for K classes, K² norms of the weights.
    ///
    /// # Errors
    /// [`RadiusError`], except [`RadiusError::Predict`].
    pub fn new(
        classifier: &Classifier,
        preparation: &Preparation,
        calibration: Option<&Calibration>,
        norm: ChangeNorm,
    ) -> Result<Self, RadiusError> {
        if calibration.is_some_and(Calibration::has_probable_labels) {
            return Err(RadiusError::Calibrated);
        }
        let planes = planes_in_units_of_rows(classifier, preparation)?;
        let is_single = planes.len() == 1;
        let rival = |rival: usize| (!is_single).then(|| &planes[rival]);
        let of_plane =
            |plane| (0..planes.len()).map(|r| norm_above(&planes[plane], rival(r), norm)).collect();
        let norms = (0..planes.len()).map(of_plane).collect();
        Ok(DecisionRadius { planes, norms })
    }

    /// The radii of rows that the classifier has put into these classes.
    ///
    /// # Panics
    /// If the rows have other features than the classifier.
    pub fn of_classified(&self, rows: &Rows<'_>, classes: &[u32]) -> Vec<f64> {
        let rows = rows.iter().zip(classes);
        rows.map(|(row, &class)| self.radius(row, class as usize)).collect()
    }

    /// The least distance to another class of a row in `class`.
    fn radius(&self, row: Row<'_>, class: usize) -> f64 {
        if self.planes.len() == 1 {
            return largest_below(&difference(&self.planes[0], None, row), self.norms[0][0]);
        }
        let rivals = (0..self.planes.len()).filter(|&rival| rival != class);
        let distances = rivals.map(|rival| {
            let score = difference(&self.planes[class], Some(&self.planes[rival]), row);
            largest_below(&score, self.norms[class][rival])
        });
        distances.fold(f64::INFINITY, f64::min)
    }
}

/// The hyperplanes of a linear classifier, with exact weights in the units of the rows.
fn planes_in_units_of_rows(
    classifier: &Classifier,
    preparation: &Preparation,
) -> Result<Vec<Hyperplane>, RadiusError> {
    let planes = classifier.linear().ok_or(RadiusError::NotLinear)?;
    if let Some(step) = preparation.beyond_scaling() {
        return Err(RadiusError::Prepared(step.words()));
    }
    let Some(scaling) = preparation.scaling() else { return Ok(planes.to_vec()) };
    if !scaling.is_exact() {
        return Err(RadiusError::Rounded { scale: scaling.scale });
    }
    let unscaled = |plane: &Hyperplane| {
        let plain = plane.unscaled(scaling);
        let back = plain.weights.iter().zip(&scaling.divisor).map(|(w, divisor)| w * divisor);
        match back.zip(&plane.weights).position(|(back, &w)| back != w) {
            Some(feature) => Err(RadiusError::Range { feature }),
            None => Ok(plain),
        }
    };
    planes.iter().map(unscaled).collect()
}

/// The score of a row, less that of the rival, without rounding.
fn difference(plane: &Hyperplane, rival: Option<&Hyperplane>, row: Row<'_>) -> Accumulator {
    let mut sum = Accumulator::new();
    sum.add(plane.bias);
    row.for_each(|j, x| sum.add_product(plane.weights[j], x));
    if let Some(rival) = rival {
        sum.add(-rival.bias);
        row.for_each(|j, x| sum.add_product(-rival.weights[j], x));
    }
    sum
}

/// The dual norm of the weights, less those of the rival, rounded up; infinite past the range of `f64`.
fn norm_above(plane: &Hyperplane, rival: Option<&Hyperplane>, norm: ChangeNorm) -> f64 {
    let mut sum = Accumulator::new();
    for (j, &a) in plane.weights.iter().enumerate() {
        let b = rival.map_or(0.0, |rival| rival.weights[j]);
        match norm {
            ChangeNorm::L2 => {
                for (first, second) in [(a, a), (b, b), (-a, b), (-a, b)] {
                    sum.add_product(first, second);
                }
            }
            ChangeNorm::Linf => {
                sum.add(a.max(b));
                sum.add(-a.min(b));
            }
        }
    }
    let rounded = match norm {
        ChangeNorm::L2 => sum.root(),
        ChangeNorm::Linf => sum.rounded(),
    };
    if rounded.is_infinite() {
        return rounded;
    }
    match norm {
        ChangeNorm::L2 => sum.add_product(-rounded, rounded),
        ChangeNorm::Linf => sum.add(-rounded),
    }
    if sum.sign() == Ordering::Greater { rounded.next_up() } else { rounded }
}

/// The largest float r with `r · norm ≤ |sum|`; infinite if the norm is 0, and 0 if it is infinite.
fn largest_below(sum: &Accumulator, norm: f64) -> f64 {
    if norm == 0.0 {
        return f64::INFINITY;
    }
    if norm.is_infinite() {
        return 0.0;
    }
    // The difference of the sum and r · norm, with the sign of the sum, must not change its sign.
    let sign = sum.sign();
    let toward_zero = if sign == Ordering::Less { norm } else { -norm };
    let fits = |r: f64| {
        let mut rest = sum.clone();
        rest.add_product(toward_zero, r);
        rest.sign() == sign || rest.sign() == Ordering::Equal
    };
    // Positive floats are in the order of their bits.
    let (mut low, mut high) = (0.0f64.to_bits(), f64::INFINITY.to_bits());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(f64::from_bits(middle)) { low = middle } else { high = middle }
    }
    f64::from_bits(low)
}
