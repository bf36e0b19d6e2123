//! What a study found, as a program reads it.

use serde::Serialize;

use super::{Angles, Answer, SeededRun, Study, Summary};
use crate::separability::Bracket;

/// A study in numbers; its JSON is that of `study --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyStatement<'a> {
    /// How many runs there were.
    pub runs: usize,
    /// How many converged.
    pub converged: usize,
    /// Updates of the runs that converged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updates: Option<Summary>,
    /// Epochs of the runs that converged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epochs: Option<Summary>,
    /// Each run.
    pub per_run: &'a [SeededRun],
    /// Whether a hyperplane separates the examples.
    pub separable: Answer,
    /// The most updates of any run in any order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// The largest margin, in the space of the run's bias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Bracket>,
    /// R = max‖x‖.
    pub radius: f64,
    /// Between the hyperplanes of the runs.
    pub angles: Angles,
}

impl Study {
    /// What was found.
    pub fn statement(&self) -> StudyStatement<'_> {
        StudyStatement {
            runs: self.runs.len(),
            converged: self.converged(),
            updates: self.updates,
            epochs: self.epochs,
            per_run: &self.runs,
            separable: self.theorem.separable,
            bound: self.theorem.bound,
            margin: self.theorem.margin,
            radius: self.theorem.radius,
            angles: self.angles,
        }
    }
}
