//! The questions of the page.
//!
//! A question is a JSON object with one key, the task:
//!
//! ```json
//! {"train": {"points": {"rows": [[0, 0], [1, 1]], "signs": [-1, 1]},
//!            "options": {"order": "given"}, "until": 3, "window": {"from": 0, "count": 100}}}
//! ```
//!
//! Unknown keys and invalid values are errors. The limits below bound the memory of an answer, and counted work bounds
//! its time; the caller may end it earlier, see [`answer`](crate::answer()).

use rosenblatt_core::{
    data::ZeroScore,
    keep::{self, Kept},
    train::{Bias, Options},
};
use rosenblatt_data::TraceFormat;
use serde::Deserialize;

/// A question.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Question {
    /// Train, to the end or up to a visit, and report the run.
    Train(TrainQuestion),
    /// Write a run visit by visit as a table.
    Trace(TraceQuestion),
    /// Count the points that hyperplanes misclassify.
    Errors(ErrorsQuestion),
    /// Decide whether a line separates the points, and whether a run ends.
    Separable(SeparableQuestion),
    /// Say how far points are from separable: whether the classes only touch, and the least errors of any line.
    Inseparable(InseparableQuestion),
    /// Train many times over random orders.
    Study(StudyQuestion),
    /// Train one-vs-rest on labeled patterns, and classify others.
    Patterns(PatternQuestion),
    /// Read a file as a table.
    File(FileQuestion),
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
    /// How to train, with at most [`TrainQuestion::MOST_EPOCHS`] epochs and uniform class weights.
    #[serde(default)]
    pub options: Options,
    /// The initial weights and the bias in one list, w₁, …, w_d, b, in place of `init`; not with a kernel or a vote.
    #[serde(default)]
    pub start: Option<Vec<f64>>,
    /// Stop after this many visits; without it the run goes to its end.
    #[serde(default)]
    pub until: Option<u64>,
    /// The visits to report one by one.
    #[serde(default)]
    pub window: Option<Window>,
    /// Scores over a part of the plane.
    #[serde(default)]
    pub surfaces: Option<Surfaces>,
    /// Whether to report the number of updates on each point: the α of the dual form.
    #[serde(default)]
    pub counts: bool,
}

/// See [`Question::Trace`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceQuestion {
    /// The training set. Its features are called x1, x2, …
    pub points: Points,
    /// How to train, as in [`TrainQuestion::options`].
    #[serde(default)]
    pub options: Options,
    /// The initial weights of the run, as in [`TrainQuestion::start`].
    #[serde(default)]
    pub start: Option<Vec<f64>>,
    /// The format of the table, which has the first [`TraceQuestion::MOST_VISITS`] visits.
    pub format: TraceFormat,
    /// Whether the bias is told as a threshold, w·x ≥ b: its negative.
    #[serde(default)]
    pub threshold: bool,
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
    /// The class that a score of 0 predicts.
    #[serde(default)]
    pub zero: ZeroScore,
    /// Whether to report the margin of each hyperplane as well.
    #[serde(default)]
    pub margins: bool,
}

/// See [`Question::Separable`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeparableQuestion {
    /// The points.
    pub points: Points,
    /// The run that the answer is about. Its bias is that of the margin and the bound; `none` allows only lines through
    /// the origin.
    #[serde(default)]
    pub options: Options,
    /// The initial weights of the run, as in [`TrainQuestion::start`].
    #[serde(default)]
    pub start: Option<Vec<f64>>,
}

/// See [`Question::Inseparable`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InseparableQuestion {
    /// The points.
    pub points: Points,
    /// `none` allows only lines through the origin.
    #[serde(default)]
    pub bias: Bias,
    /// The work of each of the two searches, in products of two numbers; at most [`InseparableQuestion::WORK`]. More work
    /// may bring the bounds on the errors closer together.
    pub work: u64,
}

/// See [`Question::Study`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyQuestion {
    /// The points.
    pub points: Points,
    /// How to train; the seeds count up from `seed`.
    #[serde(default)]
    pub options: Options,
    /// The initial weights of every run, as in [`TrainQuestion::start`].
    #[serde(default)]
    pub start: Option<Vec<f64>>,
    /// The number of runs, at most [`StudyQuestion::MOST_RUNS`].
    pub runs: usize,
    /// The approximate number of bins of the histogram.
    #[serde(default = "StudyQuestion::bins")]
    pub bins: u64,
    /// Whether to report the last weights of the first [`StudyQuestion::MOST_LINES`] runs.
    #[serde(default)]
    pub lines: bool,
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
    pub options: Options,
    /// Patterns to classify.
    #[serde(default)]
    pub queries: Vec<Vec<f64>>,
}

/// See [`Question::File`].
///
/// The readers are those of the command: a header, labels in the last column unless `label` names another, and an error
/// with line and column for what cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileQuestion {
    /// The name of the file, for messages. Its ending chooses CSV, TSV, LIBSVM or JSON; otherwise its first lines do.
    pub name: String,
    /// The content, at most [`FileQuestion::MOST_BYTES`].
    pub text: FileText,
    /// The encoding of the content.
    #[serde(default)]
    pub encoding: FileEncoding,
    /// The column of the labels; otherwise the last one.
    #[serde(default)]
    pub label: Option<String>,
    /// Whether the first row names the columns. If that is not given, it does, and a name that looks like an example is
    /// an error.
    #[serde(default)]
    pub header: Option<bool>,
    /// The class that is +1; otherwise that of the command for two classes, and the first of several.
    #[serde(default)]
    pub positive: Option<String>,
}

/// The content of a file. A page sends the bytes of a file whose bytes are no UTF-8, so that the reader sees what is in it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a text, or {\"base64\": TEXT} for bytes")]
pub enum FileText {
    /// Bytes that are UTF-8.
    Text(String),
    /// Any bytes.
    Bytes {
        /// The bytes in base64 (RFC 4648) with padding.
        base64: String,
    },
}

/// The encoding of a file of text, by the words of the command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum FileEncoding {
    /// UTF-8.
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// Latin-1 with the additions of Windows-1252.
    #[serde(rename = "latin1")]
    Latin1,
    /// UTF-16.
    #[serde(rename = "utf-16")]
    Utf16,
}

/// Visits `from .. from + count`, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// The first visit.
    pub from: u64,
    /// The number of visits, at most [`Window::MOST`].
    pub count: u64,
}

/// Scores on a grid, for several ways to keep the weights.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surfaces {
    /// The ways to keep the weights.
    pub keep: Vec<Kept>,
    /// The places.
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

impl Points {
    /// The maximum number of points or patterns.
    pub const MOST: usize = 5_000;
    /// The maximum number of features.
    pub const MOST_FEATURES: usize = 1_024;
    /// The maximum number of values.
    pub const MOST_VALUES: usize = 1 << 20;
}

impl TrainQuestion {
    /// The maximum number of epochs.
    pub const MOST_EPOCHS: usize = 100_000;
}

impl Window {
    /// The maximum number of visits that an answer reports one by one.
    pub const MOST: usize = 5_000;
    /// The maximum number of features of rows whose visits are reported: the answer has the weights after each visit.
    pub const MOST_FEATURES: usize = 16;
}

impl TraceQuestion {
    /// The maximum number of visits of a table, as that of the command.
    pub const MOST_VISITS: usize = rosenblatt_data::TraceTable::VISITS;
}

impl Grid {
    /// The maximum number of places.
    pub const MOST: usize = 40_000;
}

impl Surfaces {
    /// The maximum number of ways to keep the weights.
    pub const MOST: usize = keep::ALL.len();
}

impl ErrorsQuestion {
    /// The maximum number of hyperplanes: the lines of a study.
    pub const MOST_PLANES: usize = StudyQuestion::MOST_LINES;
}

impl PatternQuestion {
    /// The maximum number of classes.
    pub const MOST_CLASSES: usize = 64;
    /// The maximum number of patterns to classify.
    pub const MOST_QUERIES: usize = 200;
}

impl SeparableQuestion {
    /// The maximum work of the search, in products of two numbers.
    pub const WORK: u64 = 4_000_000_000;
}

impl InseparableQuestion {
    /// The maximum work of each search: a second or two.
    pub const WORK: u64 = 1_000_000_000;
}

impl FileQuestion {
    /// The maximum length of a file: 8 MiB.
    pub const MOST_BYTES: usize = 1 << 23;
    /// The maximum length of its name in bytes.
    pub const MOST_NAME_BYTES: usize = 1_024;
    /// The maximum number of classes.
    pub const MOST_CLASSES: usize = 64;
}

impl StudyQuestion {
    /// The maximum number of runs.
    pub const MOST_RUNS: usize = 1_000;
    /// The maximum number of bins.
    pub const MOST_BINS: u64 = 200;
    /// The maximum number of runs whose last weights are reported.
    pub const MOST_LINES: usize = 200;

    fn bins() -> u64 {
        20
    }
}
