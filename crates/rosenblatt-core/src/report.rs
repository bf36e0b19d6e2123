//! The report of a run, as numbers. The command adds words and layout.

use std::collections::BTreeMap;

pub use crate::events::Stop;
use crate::{hyperplane::Hyperplane, keep::Kept};

/// Training errors (wrong predicted labels) of the weights that a run kept; none of a stream, whose examples were not
/// kept. As JSON an object, in the order of [`keep::ALL`](crate::keep::ALL).
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Errors(BTreeMap<Kept, usize>);

impl Errors {
    /// Whether no errors were counted.
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The errors of one candidate, if the run kept it.
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

/// Bounds on the largest margin γ of the data, in the space of Novikoff's theorem for the run's bias; see
/// [`margin`](crate::margin).
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MarginBracket {
    /// Lower bound on γ: the margin of the separator that the report names.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lower: Option<f64>,
    /// Upper bound on γ, for a run that started at zero and made an update.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub upper: Option<f64>,
}

/// The report of one hyperplane of several, which separates a class from the rest.
///
/// Of classes that are learned together ([`Multiclass::Joint`](crate::train::Multiclass::Joint)) it has the numbers of
/// updates and mistakes at examples of the class; errors, margins and bounds are those of all hyperplanes together.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct ClassReport {
    /// The number of examples of the class.
    pub examples: usize,
    /// The number of updates of its weights.
    pub updates: u64,
    /// The number of mistakes in each epoch.
    pub mistakes_per_epoch: Vec<u64>,
    /// Whether the last epoch had no mistakes.
    pub converged: bool,
    /// Training errors of this hyperplane alone: examples of the class predicted as the rest, or the reverse.
    #[serde(skip_serializing_if = "Errors::is_empty", default)]
    pub errors: Errors,
    /// The smallest margin, as in [`Report`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub min_margin: Option<f64>,
    /// The separator, as in [`Report`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub separator: Option<Kept>,
    /// The margin bounds, as in [`Report`].
    pub margin: MarginBracket,
    /// Novikoff's bound, as in [`Report`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub novikoff_bound: Option<f64>,
}

/// The report of a run.
///
/// With more than two classes there is one hyperplane per class. Updates and mistakes are then totals over all
/// hyperplanes, errors are wrong classes, and `per_class` reports each hyperplane. If they were learned together, a mistake
/// or an update is one of all hyperplanes, and margins and bounds are those of (w₁, …, w_K); see [`margin`](crate::margin).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Report {
    /// The number of examples.
    pub examples: usize,
    /// The number of features.
    pub features: usize,
    /// The number of epochs begun, including the last.
    pub epochs: u64,
    /// The number of updates of the weights.
    pub updates: u64,
    /// Whether the run converged: its last epoch had no mistakes and, with Rosenblatt's and the margin rule, no updates.
    pub converged: bool,
    /// Why the run ended.
    pub stopped_by: Stop,
    /// The number of mistakes in each epoch.
    pub mistakes_per_epoch: Vec<u64>,
    /// Which weights became the model.
    pub kept: Kept,
    /// The average is that of this run continued by this many more epochs without mistakes; see
    /// [`Keep::Auto`](crate::keep::Keep::Auto). Absent if it is that of the run itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub extra_epochs: Option<u64>,
    /// Training errors of the candidates.
    #[serde(skip_serializing_if = "Errors::is_empty", default)]
    pub errors: Errors,
    /// Training errors of the kept weights; absent for a stream, and where a sample was judged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub training_errors: Option<usize>,
    /// Training errors as a share of the examples.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub training_error_rate: Option<f64>,
    /// Training errors of a vote among some of the examples, chosen at random, where judging all of them would take much
    /// longer than the run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sampled_errors: Option<CountedErrors>,
    /// R = max‖x‖, without the bias feature.
    pub radius: f64,
    /// The smallest margin of the kept weights, negative if they misclassify an example: the functional margin divided by
    /// the norm of the weights, which counts the bias as one of them with `unit` and `unit:S`. Absent for zero weights.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub min_margin: Option<f64>,
    /// The candidate that separates the data: the kept weights if they do, else the separating candidate with the
    /// largest margin. Absent if no candidate separates.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub separator: Option<Kept>,
    /// Bounds on the margin γ of the data that the run proves.
    pub margin: MarginBracket,
    /// Novikoff's upper bound on the number of updates, from the lower bound on γ. It needs zero initial weights and a
    /// single learning rate, the same in all epochs. Absent where the theorem does not apply.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub novikoff_bound: Option<f64>,
    /// The number of supporting rows of a model in the dual form.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub support: Option<usize>,
    /// With early stopping, the epoch whose weights became the model.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub best_epoch: Option<u64>,
    /// The report of each class against the rest, in the order of the classes, with more than two classes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub per_class: Option<Vec<ClassReport>>,
    /// The seed of the random stream.
    pub seed: u64,
}

/// Examples, and how many of them a model misclassifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CountedErrors {
    /// The number of misclassified examples.
    pub errors: usize,
    /// The number of examples.
    pub examples: usize,
}

/// Weights that may become the model: one hyperplane, or one per class.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Which weights of the run these are.
    pub kept: Kept,
    /// The hyperplanes.
    pub planes: Vec<Hyperplane>,
    /// Whether these are the learners' current weights.
    pub(crate) is_present: bool,
    /// The number of epochs without mistakes by which an average continues the run.
    pub(crate) extra_epochs: u64,
}
