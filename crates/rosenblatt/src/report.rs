//! What happened in a run, in numbers. Words and layout are the command's.

use crate::{
    data::Examples,
    keep::{Kept, Pocket, count_errors},
    margin::{margin_lower_bound, margin_upper_bound, min_geometric_margin, update_bound},
    schedule::Init,
    space::Hyperplane,
    train::{ClassWeight, Course, Epoch, Learner, Options, Run},
};

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// An epoch without a mistake (for the margin rule: without an update).
    CleanEpoch,
    /// An epoch with mistakes, but no more than allowed.
    AllowedMistakes,
    /// There were no epochs left.
    MaxEpochs,
    /// The observer stopped it.
    Observer,
}

impl Stop {
    /// Whether, and why, a run ends after `epoch`.
    pub(crate) fn after(epoch: Epoch, options: &Options) -> Option<Stop> {
        let at_rest = epoch.updates == 0 || options.update.is_passive_aggressive();
        match epoch.mistakes {
            0 if at_rest => Some(Stop::CleanEpoch),
            0 => None,
            mistakes if mistakes <= options.allow_mistakes => Some(Stop::AllowedMistakes),
            _ => None,
        }
    }
}

/// Training errors (wrong predicted labels) of the three candidates, where the run kept them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Errors {
    /// Of the last weights.
    pub last: usize,
    /// Of the average.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub average: Option<usize>,
    /// Of the pocket.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pocket: Option<usize>,
}

impl Errors {
    /// Those of one candidate, if the run kept it.
    pub fn of(&self, kept: Kept) -> Option<usize> {
        match kept {
            Kept::Last => Some(self.last),
            Kept::Average => self.average,
            Kept::Pocket => self.pocket,
        }
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

/// What happened in a run.
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
    pub errors: Errors,
    /// Training errors of the kept weights.
    pub training_errors: usize,
    /// The same as a share of the examples.
    pub training_error_rate: f64,
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
    /// The seed.
    pub seed: u64,
}

/// Judges the candidates of a finished run and keeps one.
pub(crate) fn finish(
    examples: &Examples<'_>,
    options: &Options,
    radius: f64,
    learner: &Learner,
    average: Option<Hyperplane>,
    pocket: Option<Pocket>,
    course: Course,
) -> Run {
    let last = learner.hyperplane();
    let errors = Errors {
        last: count_errors(last, examples),
        average: average.as_ref().map(|average| count_errors(average, examples)),
        pocket: pocket.as_ref().map(Pocket::errors),
    };
    let converged = course.converged();
    let planes = [
        (Kept::Last, Some(last)),
        (Kept::Average, average.as_ref()),
        (Kept::Pocket, pocket.as_ref().map(Pocket::best)),
    ];
    let (other_separator, other_lower) = widest_separator(planes, &errors, options, examples);
    let wanted = options.keep.resolve(converged);
    // What is wanted was kept track of; should it not have been, the last weights are the answer.
    let (kept, hyperplane, training_errors) = match (wanted, average, pocket) {
        (Kept::Average, Some(average), _) => (Kept::Average, average, errors.average),
        (Kept::Pocket, _, Some(pocket)) => (Kept::Pocket, pocket.best().clone(), errors.pocket),
        _ => (Kept::Last, last.clone(), Some(errors.last)),
    };
    let training_errors = training_errors.unwrap_or(errors.last);
    let min_margin = min_geometric_margin(&hyperplane, options.bias, examples);
    let own_lower = min_margin.filter(|&margin| margin > 0.0).map(margin_lower_bound);
    let separator = own_lower.map(|_| kept).or(other_separator);
    let lower = own_lower.or(other_lower);
    let from_zero = options.init == Init::Zero;
    let one_rate = from_zero && options.class_weight == ClassWeight::Uniform;
    let upper =
        (from_zero && learner.updates() > 0).then(|| margin_upper_bound(learner, options, radius));
    let upper = upper.filter(|upper| upper.is_finite());
    let report = Report {
        examples: examples.len(),
        features: examples.features(),
        epochs: course.mistakes_per_epoch.len() as u64,
        updates: learner.updates(),
        converged,
        stopped_by: course.stop,
        mistakes_per_epoch: course.mistakes_per_epoch,
        kept,
        errors,
        training_errors,
        training_error_rate: training_errors as f64 / examples.len() as f64,
        radius,
        min_margin,
        separator,
        margin: MarginBracket { lower, upper },
        novikoff_bound: lower
            .filter(|_| one_rate)
            .and_then(|margin| update_bound(options, radius, margin))
            .filter(|bound| bound.is_finite()),
        seed: options.seed,
    };
    Run { hyperplane, report }
}

/// The candidate with the largest positive margin, and the lower bound on γ that it proves.
fn widest_separator(
    planes: [(Kept, Option<&Hyperplane>); 3],
    errors: &Errors,
    options: &Options,
    examples: &Examples<'_>,
) -> (Option<Kept>, Option<f64>) {
    let mut widest = None;
    for (kept, plane) in planes {
        // Only weights without an error can have a positive margin.
        let Some(plane) = plane.filter(|_| errors.of(kept) == Some(0)) else { continue };
        let margin = min_geometric_margin(plane, options.bias, examples);
        if let Some(margin) = margin.filter(|&margin| margin > 0.0)
            && widest.is_none_or(|(_, largest)| margin > largest)
        {
            widest = Some((kept, margin));
        }
    }
    widest.map(|(kept, margin)| (kept, margin_lower_bound(margin))).unzip()
}
