//! Calibration: probabilities of classes from scores.
//!
//! A score of a perceptron orders rows, but says nothing of how probable a class is. A calibration learns that from
//! scores of rows that the classifier did not learn from, with their labels. Each hyperplane has a [`Curve`], a function
//! of its score that never falls, by one of four methods ([`CalibrationMethod`]).
//!
//! With several classes, each curve is for one class against the rest, and the probabilities are these divided by their
//! sum. If all are 0, which only `isotonic` gives, each class gets the same. `temperature` compares the scores of all classes, with one
//! slope for them, and keeps the labels of the scores. With the others the label is that of the largest probability ([`LabelsBy`]).
//!
//! Results depend neither on the order of the rows nor on the machine: rows are sorted by score, rows of one score are a
//! group, sums go through the groups in rising order, and the functions are those of `libm`.

mod groups;
mod held_out;
mod isotonic;
mod labels;
mod losses;
mod platt;
mod steps;
mod temperature;
mod venn_abers;

use crate::data::Scheme;

pub use held_out::HeldOutScores;
pub use labels::LabelsBy;
pub use losses::Losses;
pub use platt::Sigmoid;
pub use steps::Steps;

/// How probabilities follow from scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CalibrationMethod {
    /// One slope β for the scores: exp(β·s) of each class, divided by their sum; of two classes 1/(1 + exp(−β·s)) (Guo et al. 2017). The
    /// class with the highest score is the most probable.
    Temperature,
    /// A sigmoid of the score (Platt 1999), fitted as by Lin, Lin & Weng (*Machine Learning* 68, 2007).
    Platt,
    /// The step function of least squares among those that never fall: pool adjacent violators (Ayer et al. 1955).
    Isotonic,
    /// Inductive Venn–Abers prediction (Vovk & Petej 2012): isotonic fits with the new row added, once with each label.
    VennAbers,
}

impl CalibrationMethod {
    /// All methods.
    pub const ALL: [CalibrationMethod; 4] = [
        CalibrationMethod::Temperature,
        CalibrationMethod::Platt,
        CalibrationMethod::Isotonic,
        CalibrationMethod::VennAbers,
    ];

    /// The name, as in a model file.
    pub fn name(self) -> &'static str {
        match self {
            CalibrationMethod::Temperature => "temperature",
            CalibrationMethod::Platt => "platt",
            CalibrationMethod::Isotonic => "isotonic",
            CalibrationMethod::VennAbers => "venn-abers",
        }
    }
}

/// Scores that cannot be calibrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// A hyperplane has no row of its class, or none of the others.
    #[error("the rows to calibrate with need some of every class, and class {} has none", .class + 1)]
    NoRow {
        /// The class, counted from 0.
        class: usize,
    },
    /// The rows of a fold were scored by a classifier that had no row of a class to learn from.
    #[error(
        "one fold has no example of class {} to learn from, so its scores cannot be calibrated",
        .class + 1
    )]
    FoldWithoutClass {
        /// The class, counted from 0.
        class: usize,
    },
    /// A score that is not finite, or scores so small that the slope of the sigmoid is past the range of `f64`.
    #[error("the scores are past the range of 64-bit numbers")]
    OutOfRange,
    /// The scores are not one for each row and hyperplane.
    #[error("there are {scores} scores for {rows} rows")]
    Shape {
        /// The number of scores.
        scores: usize,
        /// The number of rows.
        rows: usize,
    },
}

/// The probability of the positive side of one hyperplane as a function of its score. No curve falls,
/// not by rounding either.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Curve {
    /// The sigmoid 1/(1 + exp(−(slope·score + intercept))); of `temperature`, without an intercept and with one slope for all.
    Platt(Sigmoid),
    /// A step function.
    Isotonic(Steps),
    /// Two step functions: the probability if the row is negative, and if it is positive.
    VennAbers {
        /// p₀, the fit with the row added as a negative one; 0 below the first step.
        lower: Steps,
        /// p₁, the fit with the row added as a positive one. At a step it still has the value before it.
        upper: Steps,
    },
}

impl Curve {
    /// The probabilities that a row of this score is on the negative and on the positive side. Each is rounded by
    /// itself, so that a small one has all its digits.
    pub fn sides(&self, score: f64) -> [f64; 2] {
        match self {
            Curve::Platt(sigmoid) => sigmoid.sides(score),
            Curve::Isotonic(steps) => {
                let positive = steps.at(score);
                [1.0 - positive, positive]
            }
            Curve::VennAbers { lower, upper } => {
                let (negative, positive) = (1.0 - lower.at(score), upper.before(score));
                [share(negative, positive), share(positive, negative)]
            }
        }
    }

    /// The interval [p₀, p₁] of `venn-abers`; `None` for other methods.
    pub fn interval(&self, score: f64) -> Option<[f64; 2]> {
        match self {
            Curve::VennAbers { lower, upper } => Some([lower.at(score), upper.before(score)]),
            Curve::Platt(_) | Curve::Isotonic(_) => None,
        }
    }

    /// The curve of the negated score and the other side.
    fn mirrored(&self) -> Self {
        match self {
            Curve::Platt(sigmoid) => {
                Curve::Platt(Sigmoid { intercept: 0.0 - sigmoid.intercept, ..*sigmoid })
            }
            // A step that began at its score now ends there.
            Curve::Isotonic(steps) => Curve::Isotonic(steps.mirrored(f64::next_up)),
            Curve::VennAbers { lower, upper } => Curve::VennAbers {
                lower: upper.mirrored(|start| start),
                upper: lower.mirrored(|start| start),
            },
        }
    }

    fn is_sound(&self) -> bool {
        match self {
            Curve::Platt(sigmoid) => sigmoid.is_sound(),
            Curve::Isotonic(steps) => steps.is_sound(),
            Curve::VennAbers { lower, upper } => {
                // At its own steps p₀ is largest and p₁ least, compared with the scores beside them.
                let mut places =
                    [lower.starts(), upper.starts(), &[f64::NEG_INFINITY]].concat().into_iter();
                lower.is_sound()
                    && upper.is_sound()
                    && places.all(|score| lower.at(score) <= upper.before(score))
            }
        }
    }
}

/// one/(one + other), as 1/(1 + other/one): each operation is rounded to a result that falls with `other` and rises with
/// `one`, so the share does as well, which of one/(one + other) is not true.
fn share(one: f64, other: f64) -> f64 {
    1.0 / (1.0 + other / one)
}

/// The curves of a model, one for each hyperplane.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Calibration {
    method: CalibrationMethod,
    #[serde(rename = "examples")]
    rows: usize,
    labels: LabelsBy,
    curves: Vec<Curve>,
}

impl Calibration {
    /// Fits curves to scores of rows that the classifier did not learn from: one score for each hyperplane, row by row,
    /// and the class of each row. Every row counts once.
    ///
    /// Cost: for each hyperplane a sort, and for `platt` some tens of passes.
    ///
    /// # Errors
    /// [`CalibrationError`].
    pub fn fit(
        method: CalibrationMethod,
        scheme: Scheme,
        scores: &[f64],
        classes: &[u32],
    ) -> Result<Self, CalibrationError> {
        let (planes, rows) = (scheme.hyperplanes(), classes.len());
        if scores.len() != rows * planes {
            return Err(CalibrationError::Shape { scores: scores.len(), rows });
        }
        if !scores.iter().all(|score| score.is_finite()) {
            return Err(CalibrationError::OutOfRange);
        }
        if method == CalibrationMethod::Temperature {
            return Self::fit_temperature(scheme, scores, classes);
        }
        let curve = |plane: usize| {
            let positive = scheme.class_of(plane);
            let of_plane = scores.iter().skip(plane).step_by(planes);
            let signed = of_plane.zip(classes).map(|(&score, &c)| (score, c as usize == positive));
            let groups = groups::groups(signed);
            let positives: u64 = groups.iter().map(|group| group.positives).sum();
            if positives == 0 {
                return Err(CalibrationError::NoRow { class: positive });
            }
            if positives == rows as u64 {
                let class = usize::from(positive == 0);
                return Err(CalibrationError::NoRow { class });
            }
            Ok(match method {
                CalibrationMethod::Platt | CalibrationMethod::Temperature => {
                    let sigmoid = platt::fit(&groups);
                    Curve::Platt(sigmoid.ok_or(CalibrationError::OutOfRange)?)
                }
                CalibrationMethod::Isotonic => Curve::Isotonic(isotonic::fit(&groups)),
                CalibrationMethod::VennAbers => venn_abers::fit(&groups),
            })
        };
        let curves = (0..planes).map(curve).collect::<Result<_, _>>()?;
        Ok(Calibration { method, curves, rows, labels: method.into() })
    }

    /// One slope for all scores.
    fn fit_temperature(
        scheme: Scheme,
        scores: &[f64],
        classes: &[u32],
    ) -> Result<Self, CalibrationError> {
        let occurs = |class: &usize| classes.iter().any(|&actual| actual as usize == *class);
        let positives = (0..scheme.hyperplanes()).map(|plane| scheme.class_of(plane));
        if let Some(class) = positives.chain(0..scheme.classes()).find(|class| !occurs(class)) {
            return Err(CalibrationError::NoRow { class });
        }
        let slope = match scheme {
            Scheme::Two { positive } => {
                // The difference of the halves is the score, to the last digit.
                let of_row = |&score: &f64| {
                    let half = score / 2.0;
                    if positive == 1 { [-half, half] } else { [half, -half] }
                };
                let both: Vec<f64> = scores.iter().flat_map(of_row).collect();
                temperature::fit(&both, 2, classes)
            }
            Scheme::OneVsRest { classes: all } => temperature::fit(scores, all, classes),
        };
        let slope = slope.ok_or(CalibrationError::OutOfRange)?;
        let curve = Curve::Platt(Sigmoid { slope, intercept: 0.0 });
        let (method, curves) = (CalibrationMethod::Temperature, vec![curve; scheme.hyperplanes()]);
        Ok(Calibration { method, curves, rows: classes.len(), labels: method.into() })
    }

    /// Returns a calibration from its parts, or `None` if the curves are not of the method, fall, or leave the range
    /// from 0 to 1, or if `temperature` has labels that are not those of the scores. `rows` is the number of rows that it was fitted to.
    pub fn of_parts(
        method: CalibrationMethod,
        curves: Vec<Curve>,
        rows: usize,
        labels: LabelsBy,
    ) -> Option<Self> {
        let is_of_method = |curve: &Curve| {
            matches!(
                (method, curve),
                (CalibrationMethod::Platt, Curve::Platt(_))
                    | (CalibrationMethod::Temperature, Curve::Platt(_))
                    | (CalibrationMethod::Isotonic, Curve::Isotonic(_))
                    | (CalibrationMethod::VennAbers, Curve::VennAbers { .. })
            )
        };
        let is_joint = match (method, curves.as_slice()) {
            (CalibrationMethod::Temperature, [first, ..]) => {
                let has_intercept =
                    matches!(first, Curve::Platt(sigmoid) if sigmoid.intercept != 0.0);
                !has_intercept
                    && labels == LabelsBy::Score
                    && curves.iter().all(|curve| curve == first)
            }
            _ => true,
        };
        let is_sound =
            is_joint && curves.iter().all(|curve| is_of_method(curve) && curve.is_sound());
        is_sound.then_some(Calibration { method, curves, rows, labels })
    }

    /// The calibration of the classifier whose scores are negated, so that the other class is positive.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Calibration { curves: self.curves.iter().map(Curve::mirrored).collect(), ..*self }
    }

    /// The method.
    pub fn method(&self) -> CalibrationMethod {
        self.method
    }

    /// The curve of each hyperplane.
    pub fn curves(&self) -> &[Curve] {
        &self.curves
    }

    /// The number of rows that the curves were fitted to.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The probability of each class, row by row, from the scores of rows: one for each hyperplane.
    pub fn probabilities(&self, scheme: Scheme, scores: &[f64]) -> Vec<f64> {
        let mut all =
            Vec::with_capacity(scores.len() / self.curves.len().max(1) * scheme.classes());
        for scores in scores.chunks(self.curves.len().max(1)) {
            match (scheme, self.curves.as_slice()) {
                (Scheme::Two { positive }, [curve]) => {
                    let [negative, other] = curve.sides(scores[0]);
                    all.extend(if positive == 1 { [negative, other] } else { [other, negative] });
                }
                (_, [Curve::Platt(sigmoid), ..])
                    if self.method == CalibrationMethod::Temperature =>
                {
                    all.extend(temperature::probabilities(sigmoid.slope, scores));
                }
                (_, curves) => {
                    let of_class = curves.iter().zip(scores).map(|(curve, &s)| curve.sides(s)[1]);
                    let start = all.len();
                    all.extend(of_class);
                    normalise(&mut all[start..]);
                }
            }
        }
        all
    }

    /// The interval [p₀, p₁] of each hyperplane, row by row; `None` if the method is not `venn-abers`.
    pub fn intervals(&self, scores: &[f64]) -> Option<Vec<[f64; 2]>> {
        let of_row = |scores: &[f64]| {
            let one = |(curve, &score): (&Curve, &f64)| curve.interval(score);
            self.curves.iter().zip(scores).map(one).collect::<Vec<_>>()
        };
        scores.chunks(self.curves.len().max(1)).flat_map(of_row).collect()
    }
}

/// Divides probabilities by their sum.
fn normalise(of_classes: &mut [f64]) {
    let sum: f64 = of_classes.iter().sum();
    let classes = of_classes.len() as f64;
    for one in of_classes {
        *one = if sum > 0.0 { *one / sum } else { 1.0 / classes };
    }
}
