//! The arguments of each command.

use std::{ffi::OsString, net::IpAddr, path::PathBuf};

use clap::Args;
use clap_complete::Shell;
use rosenblatt::{Bias, LectureNotes};
use rosenblatt_core::transforms::options_beyond_scaling;
use rosenblatt_lab::server::{Site, Token};

use super::{
    Preset, SweepValues, examples,
    groups::{
        ColumnArgs, LabeledArgs, LearnArgs, PrintArgs, ReadArgs, StartArgs, ThresholdArgs, VoteArgs,
    },
    options::{OptionArgs, word_parser},
    presets::notes_parser,
    short_help::LECTURES,
    values::{HoldoutArg, holdout, probability, seconds, share},
    words::{BlankArg, CalibrateArg, OutputFormatArg, PanelArg, RadiusArg, SweepArg, UnseenArg},
};
use crate::text::long_options;

#[derive(Debug, Args)]
#[command(mut_arg("scale", |arg| arg.help(scale_help())))]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    // With `--output`, the options that are needed first.
    "target" | "ignore" | "positive" | "text" | "missing" | "class_weight" | "folds" | "holdout" | "calibrate"
    | "json" => arg.help_heading(None::<&str>),
    "order" | "init" | "start" | "eta" | "bias" | "mistake" | "zero" | "notes" | "trace" | "trace_epochs"
    | "allow_mistakes" => arg.help_heading(LECTURES),
    _ => arg,
}))]
#[command(mut_arg("epochs", |arg| arg.help(EPOCHS).hide_default_value(true)))]
#[command(after_help = examples::TRAIN)]
pub(crate) struct TrainArgs {
    /// The labeled data, `-` for standard input; .gz and .zst files are decompressed
    pub(crate) data: PathBuf,
    /// More files with the same columns, whose rows follow
    #[arg(conflicts_with = "labels")]
    pub(crate) more: Vec<PathBuf>,
    /// Write the model to this file
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) learning: LearnArgs,
    /// Use the options that suit such data best by measurement; those that are given too win
    #[arg(
        long,
        value_enum,
        value_name = "KIND",
        conflicts_with = "notes",
        help_heading = "Learning"
    )]
    pub(crate) preset: Option<Preset>,
    /// Hold out this share of the examples, drawn whatever their classes, learn from the others and evaluate the model on
    /// the held-out ones; of rows in the order of time `last:20%` holds out the last ones
    #[arg(long, allow_negative_numbers = true, value_name = "SHARE", value_parser = holdout, help_heading = "Judging")]
    pub(crate) holdout: Option<HoldoutArg>,
    /// Stop after N epochs without fewer held-out errors, and keep the best weights (needs --holdout)
    #[arg(long, allow_negative_numbers = true, value_name = "N", requires = "holdout", conflicts_with = "folds", help_heading = "Judging",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) patience: Option<u64>,
    /// Cross-validate with K folds, each with its share of every class, and learn from all examples [default: 5 where they take
    /// little work]
    #[arg(long, allow_negative_numbers = true, value_name = "K", conflicts_with = "holdout", help_heading = "Judging",
        value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) folds: Option<u32>,
    /// Deal the examples out to folds N times, with the seed and those after it, and judge the model in all of them (needs --folds)
    #[arg(long, allow_negative_numbers = true, value_name = "N", requires = "folds", help_heading = "Judging",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeats: Option<u32>,
    /// Make no folds. Without this and another way to judge the model, a run whose folds take little work makes five of its own:
    /// not with --keep last or vote, with a kernel, in one pass, or of fewer than 20 rows
    #[arg(long, help_heading = "Judging",
        conflicts_with_all = ["folds", "holdout", "checkpoint", "resume"])]
    pub(crate) no_folds: bool,
    /// Keep rows with the same cell in this column together when examples are held out; it is a feature only if --features,
    /// --categorical or --text names it too (needs --folds, or --holdout)
    #[arg(long, value_name = "COLUMN", help_heading = "Judging",
        conflicts_with_all = ["checkpoint", "resume"])]
    pub(crate) group: Option<String>,
    /// The column with a positive weight for each row, by which its updates are multiplied: a row of weight 2 moves the weights of
    /// the model twice as far. It is no feature. Rates and accuracies count every row once
    #[arg(long, value_name = "COLUMN", help_heading = "Learning",
        conflicts_with_all = ["group", "checkpoint", "resume", "patience"])]
    pub(crate) weight: Option<String>,
    /// Compare the values of an option on examples that are held out, and learn with the best: an option of the run or of the
    /// preparation, such as scale=standard,minmax or preset=text,none (none is without the option), ngrams, chars, or the number
    /// of --update or --penalty, such as C=0.01,0.1,1 or alpha=…, in place of the given one. Several --sweep compare all
    /// combinations, up to 1,000, on all threads (needs --folds, or --holdout)
    #[arg(long, value_name = "OPTION=VALUE,…", help_heading = "Judging",
        conflicts_with_all = ["patience", "calibrate", "checkpoint", "resume"])]
    pub(crate) sweep: Vec<SweepValues>,
    /// The words of the command, from which those of the alternatives of `sweep` are made.
    #[arg(skip)]
    pub(crate) words: Vec<OsString>,
    /// Learn with the best of ten settings: rules, penalties, scalings and weights of counts. They are compared by rows that are
    /// held out of those to learn from, and the accuracy comes from rows that did not choose: of --folds, 5 by default, or of
    /// --holdout. Takes the time of about 300 runs up to 500 rows, of 120 up to 20,000, and of 50 above
    #[arg(long, help_heading = "Judging", conflicts_with_all = ["sweep", "patience", "checkpoint", "resume", "no_folds", "kernel",
        "keep", "update", "penalty", "scale", "weighting", "document_frequency", "normalise", "preset", "notes", "trace", "diagnose",
        "hard", "progress"])]
    pub(crate) best: bool,
    /// Draw the accuracies of --sweep to FILE (.svg or .png)
    #[arg(long, value_name = "FILE", requires = "sweep", help_heading = "Judging")]
    pub(crate) plot: Option<PathBuf>,
    /// Fit probabilities to the scores of examples that the model does not learn from, by this method (needs --folds,
    /// or --holdout)
    #[arg(
        long,
        value_enum,
        value_name = "METHOD",
        conflicts_with = "patience",
        help_heading = "Judging"
    )]
    pub(crate) calibrate: Option<CalibrateArg>,
    /// If the run does not converge, decide whether a hyperplane separates the classes, with its margin or a proof
    /// that none does
    #[arg(long, help_heading = "Judging", conflicts_with = "kernel")]
    pub(crate) diagnose: bool,
    /// Write the state of the run to FILE after the epochs 1, 2, 4, 8, …, after 2²⁸ values (or values of a kernel) at the
    /// latest, and after the last; FILE is never left incomplete
    #[arg(long, value_name = "FILE", conflicts_with = "start", help_heading = "Checkpoints")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Continue the run that --checkpoint wrote; the model is identical to that of a run without a stop. Data and
    /// options must be the same; only --epochs may differ
    #[arg(long, value_name = "FILE", conflicts_with = "start", help_heading = "Checkpoints")]
    pub(crate) resume: Option<PathBuf>,
    /// Write the run visit by visit to FILE (.csv, .md, .tex or .json): example, score, mistake, step, and the weights after it; of
    /// two classes
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "holdout"], help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
    /// Write the first N epochs [default: the first 10,000 visits]
    #[arg(long, allow_negative_numbers = true, value_name = "N", requires = "trace", help_heading = "Output",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) trace_epochs: Option<u64>,
    /// List the N examples that were misclassified most often; check their labels first
    #[arg(long, allow_negative_numbers = true, value_name = "N", help_heading = "Judging")]
    pub(crate) hard: Option<usize>,
    #[command(flatten)]
    pub(crate) labeled: LabeledArgs,
    #[command(flatten)]
    pub(crate) printing: PrintArgs,
    /// Print the progressive error after 1, 2, 4, 8, … examples
    #[arg(long, help_heading = "Output")]
    pub(crate) progress: bool,
    /// Leave the seconds out of the report, so that equal runs print equal bytes
    #[arg(long, help_heading = "Output")]
    pub(crate) no_timing: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples::PREDICT)]
pub(crate) struct PredictArgs {
    /// The model file
    pub(crate) model: PathBuf,
    /// The data, with or without labels, `-` for standard input
    pub(crate) data: PathBuf,
    /// More files with the same columns, whose rows follow
    pub(crate) more: Vec<PathBuf>,
    /// Write the labels to this file [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Add the score after a tab; with more than two classes the score of each class, in sorted order
    #[arg(long)]
    pub(crate) scores: bool,
    /// Add the probability of the positive class, the one whose rates come first, after a tab, with more than two classes that of
    /// each; then p₀ and p₁ of venn-abers (needs a model of train --calibrate)
    #[arg(long)]
    pub(crate) proba: bool,
    /// Add the decision radius after a tab: a change of the row that is shorter does not change its label. In the units
    /// of the data, rounded towards zero (needs a linear model of train --scale none)
    #[arg(long, value_enum, value_name = "NORM", conflicts_with_all = ["threshold", "cost"])]
    pub(crate) radius: Option<RadiusArg>,
    /// Add the signed distance from the hyperplane after a tab: the score divided by ‖w‖. The weights w are those in the units
    /// of the data, as `show` lists them, also where the model scales (needs a linear model of two classes)
    #[arg(long)]
    pub(crate) distances: bool,
    /// Add the functional margin y·s and the geometric margin y·s/‖w‖ of each row, with its sign y and score s (needs labels,
    /// and the model of --distances)
    #[arg(long)]
    pub(crate) margins: bool,
    /// Add why: the N features that add most to the score or take most from it, what each adds, then the others and the bias,
    /// which together are the score. With more than two classes that of the predicted class, in JSON of each (needs a linear model)
    #[arg(long, allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) explain: Option<u64>,
    /// Write the cell of this column before each label, by name or position
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    /// The form of the output; csv and json have the scores too
    #[arg(long, value_enum, default_value = "plain", value_name = "FORMAT")]
    pub(crate) output_format: OutputFormatArg,
    /// A row that cannot be read or predicted
    #[arg(long, value_enum, default_value = "stop", value_name = "WHAT")]
    pub(crate) on_error: BlankArg,
    #[command(flatten)]
    pub(crate) threshold: ThresholdArgs,
    #[command(flatten)]
    pub(crate) voting: VoteArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// Print no notes but warnings
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(mut_arg("json", |arg| arg.help(ONE_OBJECT)), mut_arg("quiet", |arg| arg.help(NO_NOTES)))]
#[command(after_help = examples::EVALUATE)]
pub(crate) struct EvaluateArgs {
    /// The model file
    pub(crate) model: PathBuf,
    /// The labeled data, `-` for standard input
    pub(crate) data: PathBuf,
    /// More files with the same columns, whose rows follow
    #[arg(conflicts_with = "labels")]
    pub(crate) more: Vec<PathBuf>,
    /// The column with the labels, by name [default: that of the training data]
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    pub(crate) target: Option<String>,
    /// Compare with the nearest class mean and with the most frequent class of the training data
    #[arg(long)]
    pub(crate) baseline: bool,
    /// Count the rows that stay right under any change shorter than some lengths (needs a linear model whose scaling is
    /// exact)
    #[arg(long, value_enum, value_name = "NORM", conflicts_with_all = ["threshold", "cost"])]
    pub(crate) radius: Option<RadiusArg>,
    /// List the N features that add most to the scores or take most from them, on average over the rows (needs a linear model)
    #[arg(long, allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) explain: Option<u64>,
    /// Print what several thresholds would predict: their precision, recall and F1, and with --cost the cost of the errors
    #[arg(long)]
    pub(crate) thresholds: bool,
    /// Choose the threshold for this recall of the positive class, with as few predictions of it as possible. The rates that are
    /// printed are those of rows that did not choose: each half of the rows chooses for the other
    #[arg(long, allow_negative_numbers = true, value_name = "SHARE", value_parser = probability,
        conflicts_with_all = ["threshold", "cost", "min_precision"])]
    pub(crate) min_recall: Option<f64>,
    /// Choose the threshold for this precision of the positive class, with as much recall as possible, in the same way
    #[arg(long, allow_negative_numbers = true, value_name = "SHARE", value_parser = probability,
        conflicts_with_all = ["threshold", "cost"])]
    pub(crate) min_precision: Option<f64>,
    /// Rows with a label that was not in the training data
    #[arg(long, value_enum, default_value = "wrong", value_name = "WHAT")]
    pub(crate) unseen_labels: UnseenArg,
    #[command(flatten)]
    pub(crate) threshold: ThresholdArgs,
    #[command(flatten)]
    pub(crate) voting: VoteArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) labeled: LabeledArgs,
    #[command(flatten)]
    pub(crate) printing: PrintArgs,
}

#[derive(Debug, Args)]
#[command(mut_arg("json", |arg| arg.help(ONE_OBJECT)), mut_arg("quiet", |arg| arg.help(NO_NOTES)))]
#[command(after_help = examples::COMPARE)]
pub(crate) struct CompareArgs {
    /// The first model file
    pub(crate) model: PathBuf,
    /// The second model file
    pub(crate) other: PathBuf,
    /// The labeled data, which neither model learned from
    pub(crate) data: PathBuf,
    /// More files with the same columns, whose rows follow
    #[arg(conflicts_with = "labels")]
    pub(crate) more: Vec<PathBuf>,
    /// The column with the labels, by name [default: that of the training data]
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) labeled: LabeledArgs,
    #[command(flatten)]
    pub(crate) printing: PrintArgs,
}

#[derive(Debug, Args)]
#[command(mut_arg("json", |arg| arg.help(ONE_OBJECT)), mut_arg("quiet", |arg| arg.help(NO_NOTES)))]
#[command(after_help = examples::SEPARABLE)]
pub(crate) struct SeparableArgs {
    /// The labeled data, `-` for standard input
    pub(crate) data: PathBuf,
    /// More files with the same columns, whose rows follow
    #[arg(conflicts_with = "labels")]
    pub(crate) more: Vec<PathBuf>,
    /// Prove which of three cases it is: a hyperplane separates the classes completely (perfect separation); one does
    /// except for rows that lie on it (quasi-completely); none does (overlap). In the first two, estimates of a logistic
    /// regression diverge
    #[arg(long)]
    pub(crate) weak: bool,
    /// Bound the least errors that any hyperplane makes on these data, from below by sets of examples that none
    /// separates and from above by weights
    #[arg(long, conflicts_with = "weak")]
    pub(crate) least_errors: bool,
    /// Write the proof to FILE, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Check the proof in FILE, of any kind, instead of searching for one; a proof about other hyperplanes than those
    /// of --bias is refused
    #[arg(long, value_name = "FILE", conflicts_with_all = ["certificate", "seconds"])]
    pub(crate) verify: Option<PathBuf>,
    /// Search hyperplanes with a bias (unit or radius, which choose the margin that --json gives), or only those
    /// through the origin (none)
    #[arg(long, default_value = "unit", value_parser = word_parser::<Bias>("bias"))]
    pub(crate) bias: Bias,
    /// Stop the search after S seconds and report what is proven by then [default: after an amount of work that is
    /// the same on every machine, at most a minute or two]
    #[arg(long, allow_negative_numbers = true, value_name = "S", value_parser = seconds)]
    pub(crate) seconds: Option<f64>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) labeled: LabeledArgs,
    #[command(flatten)]
    pub(crate) printing: PrintArgs,
}

/// The help of `--scale` of `train`, with its default.
fn scale_help() -> String {
    let others: Vec<String> = options_beyond_scaling().collect();
    let others = long_options(&others, "or").replace('`', "");
    format!(
        "Scale the features; the model stores the scaling and applies it in predictions [default: auto; none with {others}]"
    )
}

const EPOCHS: &str =
    "Maximum number of epochs [default: 10 to 40, by the mistakes; up to 1000 for tiny data]";
const ONE_OBJECT: &str = "Print one JSON object";
const NO_NOTES: &str = "Print no notes but warnings";

#[derive(Debug, Args)]
#[command(after_help = examples::SHOW)]
pub(crate) struct ShowArgs {
    /// The model file
    pub(crate) model: PathBuf,
    /// List this many weights, the largest first; 0 lists all. Up to ten weights that are all listed have the order of
    /// the columns
    #[arg(long, allow_negative_numbers = true, default_value_t = 20, value_name = "N")]
    pub(crate) top: usize,
    /// Print one JSON object, with all weights
    #[arg(long)]
    pub(crate) json: bool,
}

/// `--positive` is hidden: `train` chooses the positive class.
#[derive(Debug, Args)]
#[command(mut_arg("positive", |arg| arg.hide(true)))]
#[command(after_help = examples::PACK)]
pub(crate) struct PackArgs {
    /// The labeled data
    pub(crate) data: PathBuf,
    /// More files with the same columns, whose rows follow
    #[arg(conflicts_with = "labels")]
    pub(crate) more: Vec<PathBuf>,
    /// Write the packed data to FILE; all commands read it like any data
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) labeled: LabeledArgs,
    /// Print no notes but warnings, and no summary
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// Options of a model, and those of rules that are not made by hand, are hidden.
#[derive(Debug, Args)]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "update" | "keep" | "kernel" | "penalty" | "class_weight" | "classes" => arg.hide(true),
    _ => arg,
}))]
#[command(mut_arg("json", |arg| arg.help(ONE_OBJECT)))]
#[command(after_help = examples::CHECK)]
pub(crate) struct CheckArgs {
    /// The labeled data of two classes, `-` for standard input; .gz and .zst files are decompressed
    pub(crate) data: PathBuf,
    /// The run by hand: a table of CSV, Markdown or LaTeX with a row for each visit, or the JSON of train --trace
    pub(crate) sheet: PathBuf,
    /// The algorithm of these lecture notes; options that are given too win
    #[arg(long, value_name = "NAME", value_parser = notes_parser())]
    pub(crate) notes: Option<LectureNotes>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) run: OptionArgs,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    #[command(flatten)]
    pub(crate) labeled: LabeledArgs,
    #[command(flatten)]
    pub(crate) printing: PrintArgs,
}

/// Options of a model, or of one order, are hidden: a study makes no model.
#[derive(Debug, Args)]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "keep" | "kernel" | "memory" | "no_compare" | "order" => arg.hide(true),
    _ => arg,
}))]
#[command(mut_arg("json", |arg| arg.help(ONE_OBJECT)))]
#[command(after_help = examples::STUDY)]
pub(crate) struct StudyArgs {
    /// The labeled data of two classes, `-` for standard input; .gz and .zst files are decompressed
    pub(crate) data: PathBuf,
    /// More files with the same columns, whose rows follow
    #[arg(conflicts_with = "labels")]
    pub(crate) more: Vec<PathBuf>,
    /// Run N times, each with the next seed; with --sweep N times for each factor [default: 100, with --sweep 20]
    #[arg(long, allow_negative_numbers = true, value_name = "N", help_heading = "Study",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) runs: Option<u32>,
    /// Study changed data too, for several factors: the margin multiplied, by moving the classes apart or together,
    /// every second feature or all features multiplied, or one example moved away
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Study")]
    pub(crate) sweep: Option<SweepArg>,
    /// Hold out this share of the examples in each run of the sweep, and report the errors of the last weights there
    /// (needs --sweep)
    #[arg(long, allow_negative_numbers = true, value_name = "SHARE", value_parser = share, requires = "sweep", help_heading = "Study")]
    pub(crate) holdout: Option<f64>,
    /// Draw the distribution of the updates, or with --sweep the updates against the bound, to FILE (.svg or .png)
    #[arg(long, value_name = "FILE", help_heading = "Study")]
    pub(crate) plot: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) learning: LearnArgs,
    #[command(flatten)]
    pub(crate) labeled: LabeledArgs,
    #[command(flatten)]
    pub(crate) printing: PrintArgs,
}

#[derive(Debug, Args)]
#[command(after_help = examples::PLOT)]
pub(crate) struct PlotArgs {
    /// The labeled data
    pub(crate) data: PathBuf,
    /// The model file; without it only the examples are drawn
    pub(crate) model: Option<PathBuf>,
    /// Write the picture to FILE (.svg or .png)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The feature along the horizontal axis
    #[arg(long, value_name = "FEATURE")]
    pub(crate) x: Option<String>,
    /// The feature along the vertical axis
    #[arg(long, value_name = "FEATURE")]
    pub(crate) y: Option<String>,
    /// Draw the line of the nearest class mean instead of the model's, for two classes
    #[arg(long, requires = "model")]
    pub(crate) baseline: bool,
    /// Draw the origin, and its distance |b|/‖w‖ from the line dashed (needs a linear model of two classes and of one or two
    /// features). In the units of the data
    #[arg(long, requires = "model")]
    pub(crate) distances: bool,
    /// Draw the foot of example N, which is its projection x₀ on the line, and its distance d dashed; the first example is 1
    #[arg(long, allow_negative_numbers = true, value_name = "N", requires = "model")]
    pub(crate) foot: Option<usize>,
    /// Draw these panels, separated by commas [default: boundary if one or two features are given, else curve
    /// and, for linear models, weights]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PANELS")]
    pub(crate) panels: Vec<PanelArg>,
    /// Draw only how often the probabilities of a model of train --calibrate came true
    #[arg(long, conflicts_with_all = ["panels", "x", "y", "baseline", "distances", "foot"])]
    pub(crate) reliability: bool,
    /// Draw only the ROC curve and precision against recall, of a model of two classes
    #[arg(long, conflicts_with_all = ["panels", "x", "y", "baseline", "distances", "foot", "reliability"])]
    pub(crate) curves: bool,
    #[command(flatten)]
    pub(crate) voting: VoteArgs,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) labeled: LabeledArgs,
}

#[derive(Debug, Args)]
#[command(after_help = examples::EXPORT)]
pub(crate) struct ExportArgs {
    /// The model file
    pub(crate) model: PathBuf,
    /// Write to FILE, in the format of its ending: .onnx, a graph from encoded features to label and scores, for
    /// linear models; .json, the contents of the model file; .csv, the weights of a linear model
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Give the graph an input for each column of the table, with the encoding of categories, the rule for missing cells and the
    /// products of columns inside: numbers (NaN where one is missing) or texts (.onnx; not for columns of text)
    #[arg(long)]
    pub(crate) columns: bool,
}

/// Options of reading need a file.
#[derive(Debug, Args)]
#[command(mut_group("ColumnArgs", |group| group.requires("data")))]
#[command(mut_group("ReadArgs", |group| group.requires("data")))]
#[command(mut_group("LabeledArgs", |group| group.requires("data")))]
#[command(after_help = examples::LAB)]
pub(crate) struct LabArgs {
    /// Labeled data to choose two columns from, `-` for standard input; above 2,000 rows the page shows a sample
    pub(crate) data: Option<PathBuf>,
    /// Open the page with the algorithm of these lecture notes
    #[arg(long, value_name = "NAME", value_parser = notes_parser())]
    pub(crate) notes: Option<LectureNotes>,
    /// Listen on this port; 0 for any free port
    #[arg(long, allow_negative_numbers = true, value_name = "PORT", default_value_t = Site::PORT, help_heading = "Serving")]
    pub(crate) port: u16,
    /// Give other machines access: listen on this address of this machine instead of 127.0.0.1. Nothing is
    /// encrypted
    #[arg(long, value_name = "ADDRESS", help_heading = "Serving")]
    pub(crate) host: Option<IpAddr>,
    /// Use this secret in the link to the page: at least 16 letters, digits, `-` and `_` [default: the variable
    /// ROSENBLATT_LAB_TOKEN, else a random one]. Other users of this machine can see the arguments of commands
    #[arg(long, value_name = "TOKEN", conflicts_with = "token_file", help_heading = "Serving")]
    pub(crate) token: Option<Token>,
    /// Read the secret from FILE
    #[arg(long, value_name = "FILE", help_heading = "Serving")]
    pub(crate) token_file: Option<PathBuf>,
    /// Do not open the browser
    #[arg(long, help_heading = "Serving")]
    pub(crate) no_open: bool,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) labeled: LabeledArgs,
}

#[derive(Debug, Args)]
#[command(after_help = examples::COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = examples::MAN)]
pub(crate) struct ManArgs {
    /// The command of the page [default: all of rosenblatt]
    pub(crate) command: Option<String>,
}
