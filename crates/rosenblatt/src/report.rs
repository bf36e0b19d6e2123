//! What happened in a run, in numbers. Words and layout are the command's.

use std::collections::BTreeMap;

pub use crate::events::Stop;
use crate::{hyperplane::Hyperplane, keep::Kept};

/// Training errors (wrong predicted labels) of the weights that a run kept; none of a stream, whose examples were not
/// kept. As JSON an object, in the order of [`keep::ALL`](crate::keep::ALL).
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Errors(BTreeMap<Kept, usize>);

impl Errors {
    /// Whether none were counted.
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The errors of some weights, if the run kept them.
    pub fn of(&self, kept: Kept) -> Option<usize> {
        self.0.get(&kept).copied()
    }

    /// The weights and their errors.
    pub fn iter(&self) -> impl Iterator<Item = (Kept, usize)> + '_ {
        self.0.iter().map(|(&kept, &errors)| (kept, errors))
    }

    pub(crate) fn set(&mut self, kept: Kept, errors: usize) {
        self.0.insert(kept, errors);
    }
}

/// What is known of the largest margin γ of the data, in the space of Novikoff's theorem for the
/// run's bias; see [`margin`](crate::margin).
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MarginBracket {
    /// γ is at least this: the margin of the separator that the report names.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lower: Option<f64>,
    /// γ is at most this; for a run from zero that made an update.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub upper: Option<f64>,
}

/// What happened to one hyperplane of several: to a class against the rest.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ClassReport {
    /// Examples of the class.
    pub examples: usize,
    /// Updates of its weights.
    pub updates: u64,
    /// Mistakes in each epoch.
    pub mistakes_per_epoch: Vec<u64>,
    /// Whether the last epoch was without a mistake.
    pub converged: bool,
    /// Training errors of its hyperplane by itself: the class taken for the rest, or the rest for it.
    #[serde(skip_serializing_if = "Errors::is_empty", default)]
    pub errors: Errors,
    /// As in [`Report`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub min_margin: Option<f64>,
    /// As in [`Report`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub separator: Option<Kept>,
    /// As in [`Report`].
    pub margin: MarginBracket,
    /// As in [`Report`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub novikoff_bound: Option<f64>,
}

/// What happened in a run.
///
/// With more than two classes there is a hyperplane for each: updates and mistakes are those of all of
/// them together, errors are wrong classes, and what holds for a hyperplane stands in `per_class`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Report {
    /// The number of examples.
    pub examples: usize,
    /// The number of features.
    pub features: usize,
    /// Epochs begun, the last one included.
    pub epochs: u64,
    /// Updates of the weights.
    pub updates: u64,
    /// Whether the last epoch was without a mistake. Only then did the perceptron converge.
    pub converged: bool,
    /// Why the run ended.
    pub stopped_by: Stop,
    /// Mistakes in each epoch.
    pub mistakes_per_epoch: Vec<u64>,
    /// Which weights are the model.
    pub kept: Kept,
    /// Training errors of the candidates.
    #[serde(skip_serializing_if = "Errors::is_empty", default)]
    pub errors: Errors,
    /// Training errors of the kept weights; absent for a stream.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub training_errors: Option<usize>,
    /// The same as a share of the examples.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub training_error_rate: Option<f64>,
    /// R = max‖x‖, without the bias.
    pub radius: f64,
    /// The smallest geometric margin of the kept weights, negative when they do not separate; in the
    /// augmented space (x, 1) when the bias is `unit`. Absent for zero weights.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub min_margin: Option<f64>,
    /// Which of the candidates separates the data: the kept weights if they do, else those with the
    /// largest margin; absent when none does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub separator: Option<Kept>,
    /// What the run proves of the margin γ of the data.
    pub margin: MarginBracket,
    /// The most updates that Novikoff's theorem allows on this data: from the lower bound on γ, for
    /// a run from zero with one learning rate. Absent where the theorem does not apply.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub novikoff_bound: Option<f64>,
    /// The rows that the model consists of, for a model in the dual form.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub support: Option<usize>,
    /// With early stopping, the epoch whose weights are the model.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub best_epoch: Option<u64>,
    /// Each class against the rest, in their order, where there are more than two.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub per_class: Option<Vec<ClassReport>>,
    /// The seed.
    pub seed: u64,
}

/// Weights that may become the model: one hyperplane, or one for each class.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Which weights of the run they are.
    pub kept: Kept,
    /// The hyperplanes.
    pub planes: Vec<Hyperplane>,
    /// Whether these are the weights that the learners have now.
    pub(crate) is_present: bool,
}
