//! Labels by the largest probability.

use super::{Calibration, CalibrationMethod};
use crate::{
    data::{Decision, Scheme, ZeroScore},
    keep::Tally,
    model::Predictions,
};

/// What the labels of a calibrated model follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LabelsBy {
    /// The largest probability. A curve need not pass 1/2 where the score is 0, so these labels are those of another classifier than
    /// the perceptron.
    Probability,
    /// The score. With `temperature` its class is the most probable one; for the other methods this is the rule of model files up to
    /// format version 7.
    Score,
}

impl From<CalibrationMethod> for LabelsBy {
    fn from(method: CalibrationMethod) -> Self {
        match method {
            CalibrationMethod::Temperature => LabelsBy::Score,
            CalibrationMethod::Platt
            | CalibrationMethod::Isotonic
            | CalibrationMethod::VennAbers => LabelsBy::Probability,
        }
    }
}

impl Calibration {
    /// What labels follow.
    pub fn labels(&self) -> LabelsBy {
        self.labels
    }

    /// Whether labels follow the largest probability, not the score.
    pub fn has_probable_labels(&self) -> bool {
        self.labels == LabelsBy::Probability
    }

    /// The predictions of a classifier that are asked with the scores, by this calibration: with other classes if labels follow the
    /// probabilities, which are those of the default tally.
    pub fn relabelled(&self, by: Decision, tally: Tally, found: Predictions) -> Predictions {
        let probable = self.classes(by, &found.scores).filter(|_| tally == Tally::default());
        Predictions { classes: probable.unwrap_or(found.classes), ..found }
    }

    /// The number of the most probable class of each row, from one score for each hyperplane; `None` if labels follow the scores. Of
    /// equal probabilities of two classes it is the class of a score of 0, of more the first.
    pub fn classes(&self, by: Decision, scores: &[f64]) -> Option<Vec<u32>> {
        if self.labels == LabelsBy::Score {
            return None;
        }
        let probabilities = self.probabilities(by.scheme, scores);
        let of_rows = probabilities.chunks(by.scheme.classes());
        Some(of_rows.map(|of_row| most_probable(by, of_row) as u32).collect())
    }

    /// Of two classes the least score whose label is the positive class: infinite if every score has it or none. 0 if labels follow
    /// the scores; `None` for more classes.
    ///
    /// Cost: 64 values of the curve, because it never falls.
    pub fn cut(&self, by: Decision) -> Option<f64> {
        let Scheme::Two { positive } = by.scheme else { return None };
        let is_positive = |score: f64| {
            self.classes(by, &[score]).is_some_and(|classes| classes[0] as usize == positive)
        };
        if self.labels == LabelsBy::Score {
            return Some(0.0);
        }
        let (mut low, mut high) = (place(f64::MIN), place(f64::MAX));
        if is_positive(f64::MIN) {
            return Some(f64::NEG_INFINITY);
        }
        if !is_positive(f64::MAX) {
            return Some(f64::INFINITY);
        }
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            *(if is_positive(at(middle)) { &mut high } else { &mut low }) = middle;
        }
        Some(at(high))
    }
}

/// The class with the highest probability.
fn most_probable(by: Decision, probabilities: &[f64]) -> usize {
    if let (Scheme::Two { positive }, [first, second]) = (by.scheme, probabilities)
        && first == second
    {
        return if by.zero == ZeroScore::Positive { positive } else { 1 - positive };
    }
    let higher = |best: usize, class: usize| {
        if probabilities[class] > probabilities[best] { class } else { best }
    };
    (1..probabilities.len()).fold(0, higher)
}

const SIGN: u64 = 1 << 63;

/// The place of a float in their order.
fn place(float: f64) -> u64 {
    let bits = float.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The float at a place.
fn at(place: u64) -> f64 {
    f64::from_bits(if place & SIGN == 0 { !place } else { place ^ SIGN })
}
