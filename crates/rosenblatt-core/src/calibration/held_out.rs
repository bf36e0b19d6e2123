//! Scores of examples by models that did not learn from them.

use super::{Calibration, CalibrationError, CalibrationMethod};
use crate::{
    data::{Decision, Scheme},
    exact::norm,
};

/// Scores of examples by models that did not learn from them, for the calibration of one model. The models of folds may have
/// scores of different sizes, so each has its units ([`score_units`](crate::model::Classifier::score_units)).
#[derive(Clone, Debug, Default)]
pub struct HeldOutScores {
    /// A score for each example and hyperplane, with its unit.
    scores: Vec<(f64, f64)>,
    classes: Vec<u32>,
}

impl HeldOutScores {
    /// Adds examples by their classes and scores, one for each hyperplane, of a model with these units.
    pub fn add(&mut self, scores: &[f64], classes: &[u32], units: &[f64]) {
        self.scores.extend(scores.iter().copied().zip(units.iter().copied().cycle()));
        self.classes.extend_from_slice(classes);
    }

    /// Calibrates a model with these units. Scores of models with the same units, such as its own, are unchanged.
    ///
    /// # Errors
    /// [`CalibrationError`].
    pub fn calibrate(
        &self,
        method: CalibrationMethod,
        scheme: Scheme,
        units: &[f64],
    ) -> Result<Calibration, CalibrationError> {
        Calibration::fit(method, scheme, &self.in_units(method, units), &self.classes)
    }

    /// The number of examples whose label by this calibration of a model with these units is not that of the score.
    pub fn relabelled(&self, calibration: &Calibration, by: Decision, units: &[f64]) -> usize {
        let scores = self.in_units(calibration.method(), units);
        let labels = calibration.classes(by, &scores).unwrap_or_default();
        let is_other = |(label, row): &(u32, &[(f64, f64)])| {
            let own: Vec<f64> = row.iter().map(|(score, _)| *score).collect();
            *label as usize != by.class(&own)
        };
        labels.into_iter().zip(self.scores.chunks(units.len().max(1))).filter(is_other).count()
    }

    /// The scores in the units of a model.
    fn in_units(&self, method: CalibrationMethod, units: &[f64]) -> Vec<f64> {
        let planes = units.len().max(1);
        // Scores that are compared with one another have one unit.
        let joint = norm(units.iter().copied());
        let of_row = |row: &[(f64, f64)]| -> Vec<f64> {
            let own = norm(row.iter().map(|(_, own)| *own));
            let scaled = row.iter().zip(units).map(|((score, own_of_plane), unit)| match method {
                CalibrationMethod::Temperature if planes > 1 => score * (joint / own),
                _ => score * (unit / own_of_plane),
            });
            scaled.collect()
        };
        self.scores.chunks(planes).flat_map(of_row).collect()
    }
}
