//! Scores of examples by models that did not learn from them.

use super::{Calibration, CalibrationError, CalibrationMethod};
use crate::{data::Scheme, exact::norm};

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
        let scores: Vec<f64> = self.scores.chunks(planes).flat_map(of_row).collect();
        Calibration::fit(method, scheme, &scores, &self.classes)
    }
}
