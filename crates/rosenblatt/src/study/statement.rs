//! The result of a study, in a form for programs.

use serde::Serialize;

use super::{Angles, Answer, SeededRun, Study, Summary, SweepPoint};
use rosenblatt_proofs::{Bracket, Convergence};

/// A study in numbers; `study --json` prints it as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyStatement<'a> {
    /// The number of runs.
    pub runs: usize,
    /// The number of runs that converged.
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
    /// Whether a run ends with an epoch without mistakes, where a theorem says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub convergence: Option<Convergence>,
    /// Upper bound on the updates of any run in any order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// The largest margin, in the space of the run's bias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Bracket>,
    /// R = max‖x‖.
    pub radius: f64,
    /// The angles between the hyperplanes of the runs.
    pub angles: Angles,
}

/// One factor of a sweep in numbers; `study --sweep --json` prints a list of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SweepStatement {
    /// The factor.
    pub factor: f64,
    /// The largest margin of the changed examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Bracket>,
    /// R of the changed examples.
    pub radius: f64,
    /// Upper bound on the updates of any run in any order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// The number of runs.
    pub runs: usize,
    /// The number of runs that converged.
    pub converged: usize,
    /// Updates of the runs that converged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updates: Option<Summary>,
    /// Epochs of the runs that converged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epochs: Option<Summary>,
    /// The share of held-out examples that the last weights of each run misclassify.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out_errors: Option<Summary>,
}

impl SweepPoint {
    /// The numbers of the factor.
    pub fn statement(&self) -> SweepStatement {
        SweepStatement {
            factor: self.factor,
            margin: self.theorem.margin,
            radius: self.theorem.radius,
            bound: self.theorem.bound,
            runs: self.runs,
            converged: self.converged,
            updates: self.updates,
            epochs: self.epochs,
            held_out_errors: self.held_out_errors,
        }
    }
}

impl Study {
    /// The numbers of the study.
    pub fn statement(&self) -> StudyStatement<'_> {
        StudyStatement {
            runs: self.runs.len(),
            converged: self.converged(),
            updates: self.updates,
            epochs: self.epochs,
            per_run: &self.runs,
            separable: self.theorem.separable,
            convergence: self.theorem.convergence,
            bound: self.theorem.bound,
            margin: self.theorem.margin,
            radius: self.theorem.radius,
            angles: self.angles,
        }
    }
}
