//! Questions, as the page asks them.
//!
//! A question is a JSON object with one key, which says what is asked:
//!
//! ```json
//! {"train": {"points": {"rows": [[0, 0], [1, 1]], "signs": [-1, 1]},
//!            "options": {"order": "given"}, "until": 3, "window": {"from": 0, "count": 100}}}
//! ```
//!
//! Unknown keys are errors, and so is every value that an option may not have. The limits below bound the
//! memory of an answer; its time is bounded by whoever asks, see [`answer`](crate::answer()).

use rosenblatt::{
    data::ZeroScore,
    keep::{Keep, Kept},
    schedule::{Init, Order},
    space::Kernel,
    train::{Bias, Options},
    update::{Mistake, Update},
};
use serde::Deserialize;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Question {
    /// Train, to the end or until some visit, and tell of it.
    Train(TrainQuestion),
    /// Count the points that hyperplanes get wrong.
    Errors(ErrorsQuestion),
    /// Decide whether a line separates the points.
    Separable(SeparableQuestion),
    /// Train many times over random orders.
    Study(StudyQuestion),
    /// Train one against the rest on labelled patterns, and classify others.
    Patterns(PatternQuestion),
}

/// Points of two classes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// The features of each point.
    pub rows: Vec<Vec<f64>>,
    /// The sign of each point, 1 or −1.
    pub signs: Vec<i8>,
}

/// See [`Question::Train`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainQuestion {
    /// The training set.
    pub points: Points,
    /// How to train.
    #[serde(default)]
    pub options: Choices,
    /// Stop after so many visits; otherwise the run goes to its end.
    #[serde(default)]
    pub until: Option<u64>,
    /// The visits to tell of one by one.
    #[serde(default)]
    pub window: Option<Window>,
    /// Scores over a part of the plane.
    #[serde(default)]
    pub surfaces: Option<Surfaces>,
}

/// See [`Question::Errors`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorsQuestion {
    /// The points.
    pub points: Points,
    /// Weights and bias of each hyperplane in one list, w₁, …, w_d, b; at most
    /// [`ErrorsQuestion::MOST_PLANES`] of them.
    pub planes: Vec<Vec<f64>>,
    /// The class of a score of 0.
    #[serde(default)]
    pub zero: ZeroScore,
}

/// See [`Question::Separable`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeparableQuestion {
    /// The points.
    pub points: Points,
    /// The bias of the perceptron whose margin and bound are asked for; `none` allows only lines
    /// through the origin.
    #[serde(default)]
    pub bias: Bias,
}

/// See [`Question::Study`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyQuestion {
    /// The points.
    pub points: Points,
    /// How to train; the seeds count up from `seed`.
    #[serde(default)]
    pub options: Choices,
    /// The number of runs, at most [`StudyQuestion::MOST_RUNS`].
    pub runs: usize,
    /// About how many bins the histogram has.
    #[serde(default = "StudyQuestion::bins")]
    pub bins: u64,
}

/// See [`Question::Patterns`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternQuestion {
    /// The features of each pattern.
    pub rows: Vec<Vec<f64>>,
    /// The name of the class of each pattern.
    pub labels: Vec<String>,
    /// How to train.
    #[serde(default)]
    pub options: Choices,
    /// Patterns to classify.
    #[serde(default)]
    pub queries: Vec<Vec<f64>>,
}

/// Options of a run; what is left out has the default of the command.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choices {
    /// `perceptron`, `margin:M`, `pa`, `pa1:C`, `pa2:C`.
    pub update: Update,
    /// `last`, `average`, `pocket`, `vote`, `auto`.
    pub keep: Keep,
    /// `linear`, `poly:D`, `rbf:G`; none in the space of the features.
    pub kernel: Option<Kernel>,
    /// `unit`, `none`, `radius`.
    pub bias: Bias,
    /// `margin`, `label`.
    pub mistake: Mistake,
    /// `positive`, `negative`: the class of a score of 0.
    pub zero: ZeroScore,
    /// `shuffle`, `given`.
    pub order: Order,
    /// `zero`, `random`.
    pub init: Init,
    /// The seed.
    pub seed: u64,
    /// The most epochs, at most [`Choices::MOST_EPOCHS`].
    pub epochs: u64,
    /// Training ends after an epoch with at most so many mistakes.
    pub allow_mistakes: u64,
    /// The learning rate.
    pub eta: f64,
}

/// Visits `from .. from + count`, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// The first visit.
    pub from: u64,
    /// How many, at most [`Window::MOST`].
    pub count: u64,
}

/// Scores on a grid, of several ways to keep the weights.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surfaces {
    /// Whose scores.
    pub keep: Vec<Kept>,
    /// Where.
    pub grid: Grid,
}

/// A grid of places in the plane: `columns` × `rows` of them, the corners included.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// From the first to the last column.
    pub x: [f64; 2],
    /// From the first to the last row.
    pub y: [f64; 2],
    /// The number of columns.
    pub columns: usize,
    /// The number of rows.
    pub rows: usize,
}

impl Default for Choices {
    fn default() -> Self {
        let Options {
            update,
            keep,
            kernel,
            bias,
            mistake,
            zero,
            order,
            init,
            seed,
            epochs,
            allow_mistakes,
            eta,
            ..
        } = Options::default();
        Choices {
            update,
            keep,
            kernel,
            bias,
            mistake,
            zero,
            order,
            init,
            seed,
            epochs,
            allow_mistakes,
            eta,
        }
    }
}

impl Choices {
    /// The most epochs that a page asks for.
    pub const MOST_EPOCHS: usize = 100_000;
}

impl Window {
    /// The most visits that an answer tells of one by one.
    pub const MOST: usize = 5_000;
    /// The most features of rows whose visits are told of: weights are told after each visit.
    pub const MOST_FEATURES: usize = 16;
}

impl Grid {
    /// The most places.
    pub const MOST: usize = 40_000;
}

impl Surfaces {
    /// The most ways to keep the weights.
    pub const MOST: usize = 4;
}

impl ErrorsQuestion {
    /// The most hyperplanes: one for each way to keep the weights.
    pub const MOST_PLANES: usize = 4;
}

impl PatternQuestion {
    /// The most classes.
    pub const MOST_CLASSES: usize = 64;
    /// The most patterns to classify.
    pub const MOST_QUERIES: usize = 200;
}

impl StudyQuestion {
    /// The most runs.
    pub const MOST_RUNS: usize = 1_000;
    /// The most bins that are asked for.
    pub const MOST_BINS: u64 = 200;

    fn bins() -> u64 {
        20
    }
}
