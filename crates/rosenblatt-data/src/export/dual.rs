//! A model in the dual form: what its scores are made of.

use rosenblatt::{Kernel, ZeroScore};
use rosenblatt_core::{
    keep::WeightSequence,
    model::Classifier,
    space::{Hyperplane, Support},
};
use serde::Serialize;

/// The supporting rows, and the hyperplanes that are combinations of them. A score is Σ c·K(row, x) + b; of a vote
/// [`keep`](rosenblatt_core::keep) has the formulas.
#[derive(Clone, Debug, Serialize)]
pub struct DualForm {
    kernel: Kernel,
    /// The values of each row that are not 0, as pairs of the feature, counted from 1, and the value.
    rows: Vec<Vec<(u32, f64)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hyperplanes: Option<Vec<Combination>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vote: Option<Vote>,
}

/// A hyperplane in the space of the kernel.
#[derive(Clone, Debug, Serialize)]
struct Combination {
    /// One for each row.
    coefficients: Vec<f64>,
    bias: f64,
}

/// The weights that vote.
#[derive(Clone, Debug, Serialize)]
struct Vote {
    /// The change of the bias per unit step.
    bias_unit: f64,
    /// The class that a score of 0 predicts.
    zero: ZeroScore,
    /// The seed of the random times.
    seed: u64,
    /// Of each hyperplane the visits before its first update, and its updates: the row, counted from 0, the step and the
    /// visits that the weights survived.
    sequences: Vec<WeightSequence>,
}

impl DualForm {
    /// The dual form of a model that has one.
    pub(super) fn of(classifier: &Classifier) -> Option<Self> {
        match classifier {
            Classifier::Linear(_) => None,
            Classifier::Dual(dual) => {
                let planes = dual.planes.iter();
                let combination = |plane: &Hyperplane| Combination {
                    coefficients: plane.weights.clone(),
                    bias: plane.bias,
                };
                let hyperplanes = Some(planes.map(combination).collect());
                Some(DualForm {
                    kernel: dual.kernel,
                    rows: rows(&dual.support),
                    hyperplanes,
                    vote: None,
                })
            }
            Classifier::Voted(voted) => {
                let (bias_unit, zero, seed) = (voted.bias_unit, voted.zero, voted.seed);
                let vote = Vote { bias_unit, zero, seed, sequences: voted.paths.clone() };
                let (kernel, rows) = (voted.kernel, rows(&voted.support));
                Some(DualForm { kernel, rows, hyperplanes: None, vote: Some(vote) })
            }
        }
    }
}

fn rows(support: &Support) -> Vec<Vec<(u32, f64)>> {
    let row = |i| {
        let (features, values) = support.rows.entries(i);
        features.iter().map(|feature| feature + 1).zip(values.iter().copied()).collect()
    };
    (0..support.rows.len()).map(row).collect()
}
