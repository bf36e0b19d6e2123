//! The arguments: what a person may write, and what it means to the engine and the readers.
//!
//! To add an option: a field in the struct of its group below, and its use where the group is turned
//! into engine or reader options. Names and defaults are shown by `--help` from here alone.

use std::{net::IpAddr, path::PathBuf};

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
    error::ErrorKind,
};
use rosenblatt::{
    data::{Classes, Scale, ZeroScore},
    keep::{Keep, Tally},
    schedule::{Init, Order},
    space::Kernel,
    study::Sweep,
    train::Bias,
    update::{Mistake, Update},
};
use rosenblatt_data::{Delimiter, FormatKind, Hashing, Header, OnError, ReadOptions};
use rosenblatt_lab::server::{Site, Token};

use crate::failure::Failure;

/// Trains linear classifiers by the perceptron rule, says honestly what happened, and gives the
/// same bits on every machine.
#[derive(Debug, Parser)]
#[command(name = "rosenblatt", version, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Learn a model from labelled data
    Train(Box<TrainArgs>),
    /// Write the label of each row, one a line
    Predict(PredictArgs),
    /// Compare a model's labels with those of the data
    Evaluate(EvaluateArgs),
    /// Decide whether a hyperplane separates the classes, with a proof
    Separable(Box<SeparableArgs>),
    /// Print what a model file holds
    Show(ShowArgs),
    /// Learn many times over random orders, and say how soon the runs converge and how much they differ
    Study(Box<StudyArgs>),
    /// Write the rows of a file as the other commands read them, so that they need not be read again
    Pack(Box<PackArgs>),
    /// Draw data and model
    Plot(Box<PlotArgs>),
    /// Write a model for other programs: ONNX, JSON or a table of weights
    Export(ExportArgs),
    /// Open a page in the browser on which the perceptron is watched as it learns
    Lab(Box<LabArgs>),
}

impl Command {
    /// Whether there is a result for standard output.
    pub(crate) fn prints(&self) -> bool {
        match self {
            Command::Train(train) => train.json || !train.quiet,
            Command::Study(study) => study.json || !study.quiet,
            Command::Pack(pack) => !pack.quiet,
            Command::Predict(predict) => predict.output.is_none(),
            Command::Plot(_) | Command::Export(_) => false,
            Command::Evaluate(_) | Command::Separable(_) | Command::Show(_) | Command::Lab(_) => {
                true
            }
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    /// The labelled data, `-` for standard input; .gz and .zst are read as they are
    pub(crate) data: PathBuf,
    /// Where to write the model
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) learning: LearnArgs,
    /// Learn from the other examples only, and judge the model by this share of each class
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Judging")]
    pub(crate) holdout: Option<f64>,
    /// Stop when the errors on the examples held out have not fallen for so many epochs, and keep the
    /// weights with the fewest
    #[arg(long, value_name = "EPOCHS", requires = "holdout", conflicts_with = "folds", help_heading = "Judging",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) patience: Option<u64>,
    /// Judge by cross-validation with so many folds before learning from all examples
    #[arg(long, value_name = "K", conflicts_with = "holdout", help_heading = "Judging",
        value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) folds: Option<u32>,
    /// When the run did not converge, find out whether it could have: separable with which margin, or
    /// proven inseparable
    #[arg(long, help_heading = "Judging", conflicts_with = "kernel")]
    pub(crate) diagnose: bool,
    /// Write the run as it stands to FILE after each epoch; whatever happens, FILE is whole
    #[arg(long, value_name = "FILE", help_heading = "Checkpoints")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Go on with the run that --checkpoint wrote, to the same bits as if it had never stopped. Data and
    /// options must be the same; only --epochs may differ
    #[arg(long, value_name = "FILE", help_heading = "Checkpoints")]
    pub(crate) resume: Option<PathBuf>,
    /// List the N examples that were most often mistaken: those whose labels to check first
    #[arg(long, value_name = "N", help_heading = "Judging")]
    pub(crate) hard: Option<usize>,
    /// The labels of IDX data [default: found beside the data, by MNIST's naming]
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    pub(crate) labels: Option<PathBuf>,
    /// What to do with a row that cannot be read
    #[arg(long, value_enum, default_value = "stop", value_name = "WHAT", help_heading = "Reading")]
    pub(crate) on_error: OnErrorArg,
    /// Print the report as one JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print no notes and no report, only errors and what `--json` asks for
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// Print the progressive error after 1, 2, 4, 8, … examples
    #[arg(long, help_heading = "Output")]
    pub(crate) progress: bool,
}

/// Which column is what.
#[derive(Debug, Args)]
#[command(next_help_heading = "Columns")]
pub(crate) struct ColumnArgs {
    /// The column with the labels, by name or position [default: the last one]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) target: Option<String>,
    /// The label of the positive class [default: the later one in sorted order]
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) positive: Option<String>,
    /// Columns to leave out, separated by commas
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) ignore: Vec<String>,
    /// Columns that are categories even where they look like numbers
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) categorical: Vec<String>,
    /// Columns of text: their words become the features, and other columns are left out
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) text: Vec<String>,
    /// Columns that are features, beside those of --text [default: all, or none with --text]
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) features: Vec<String>,
    /// The words of a text are hashed to 2^B features
    #[arg(long, default_value_t = 18, value_name = "B",
        value_parser = clap::value_parser!(u8).range(1..=i64::from(Hashing::MAX_BITS)))]
    pub(crate) bits: u8,
    /// Runs of up to N words are features too
    #[arg(long, default_value_t = 1, value_name = "N",
        value_parser = clap::value_parser!(u8).range(1..=i64::from(Hashing::MAX_NGRAMS)))]
    pub(crate) ngrams: u8,
    /// Do not keep the words in the model: `show` then cannot name its features
    #[arg(long)]
    pub(crate) no_dictionary: bool,
}

/// How to read the bytes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadArgs {
    /// The format [default: by the name's ending, else by how the file begins]
    #[arg(long, value_parser = format_parser())]
    pub(crate) format: Option<FormatKind>,
    /// What separates cells: a character, or comma, tab, semicolon, space (any run of blanks)
    #[arg(long, value_parser = delimiter, value_name = "WHAT")]
    pub(crate) delimiter: Option<Delimiter>,
    /// LIBSVM indices count from 0
    #[arg(long)]
    pub(crate) zero_based: bool,
    /// The first row of a table is an example; columns go by their positions
    #[arg(long)]
    pub(crate) no_header: bool,
    /// The first row of a table names the columns, even if a name is a number
    #[arg(long, conflicts_with = "no_header")]
    pub(crate) header: bool,
    /// The most features that are accepted
    #[arg(long, default_value_t = ReadOptions::MAX_FEATURES as u64, value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    pub(crate) max_features: u64,
    /// How many threads work; the result is the same [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// The choices of a run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Learning")]
pub(crate) struct LearnArgs {
    /// When and how far the weights move: on a mistake (perceptron), while the functional margin is at
    /// most M (margin:M), or passive-aggressive (pa, pa1:C, pa2:C)
    #[arg(long, default_value = "perceptron", value_name = "RULE")]
    pub(crate) update: Update,
    /// Which weights are the model
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) keep: KeepArg,
    /// Learn in the space of a kernel, from mistake counts: linear, poly:D[:coef0[:gamma]] for
    /// (coef0 + gamma·x·z)^D with coef0 = gamma = 1 unless told otherwise, rbf:G for exp(−G‖x−z‖²)
    #[arg(long, value_name = "KERNEL")]
    pub(crate) kernel: Option<Kernel>,
    /// Bytes for the rows of the data, with K, M or G, and as many for kernel values that are kept: `train`
    /// packs what is larger into a file beside the data; the result is the same
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    pub(crate) memory: usize,
    /// Do not keep track of average and pocket for the report when they cannot become the model; the
    /// pocket's trials take some time
    #[arg(long)]
    pub(crate) no_compare: bool,
    /// The order of the examples in an epoch [default: shuffle; given with --epochs 1, when each example is
    /// learned from as it is read]
    #[arg(long, value_enum)]
    pub(crate) order: Option<OrderArg>,
    /// The weights at the start
    #[arg(long, value_enum, default_value = "zero")]
    pub(crate) init: InitArg,
    /// The seed of every random choice
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,
    /// The most epochs
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub(crate) epochs: u64,
    /// Stop after an epoch with at most so many mistakes
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) allow_mistakes: u64,
    /// The learning rate
    #[arg(long, default_value_t = 1.0, value_name = "RATE", allow_hyphen_values = true)]
    pub(crate) eta: f64,
    /// How the bias is learned: b += ηy, not at all, or b += ηyR²
    #[arg(long, value_enum, default_value = "unit")]
    pub(crate) bias: BiasArg,
    /// What is a mistake where the score is 0: both classes (margin) or the one that it does not predict (label)
    #[arg(long, value_enum, default_value = "margin")]
    pub(crate) mistake: MistakeArg,
    /// The class that a score of exactly 0 predicts, in training, report and model
    #[arg(long, value_enum, default_value = "positive", value_name = "CLASS")]
    pub(crate) zero: ZeroArg,
    /// How much a class counts: `uniform`, `balanced`, or `LABEL=WEIGHT,LABEL=WEIGHT`
    #[arg(long, default_value = "uniform", value_name = "WEIGHTS", allow_hyphen_values = true)]
    pub(crate) class_weight: String,
    /// How features are scaled; kept in the model and applied when it predicts
    #[arg(long, value_enum, default_value = "none")]
    pub(crate) scale: ScaleArg,
}

/// How a voted model decides.
#[derive(Debug, Args)]
pub(crate) struct VoteArgs {
    /// How a voted model decides: vote, average, average-normalised, last, last-normalised, random,
    /// random-normalised
    #[arg(long, value_name = "TALLY")]
    pub(crate) by: Option<Tally>,
}

#[derive(Debug, Args)]
pub(crate) struct PredictArgs {
    /// The model file
    pub(crate) model: PathBuf,
    /// The data, with or without the labels, `-` for standard input
    pub(crate) data: PathBuf,
    /// Where to write the labels [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Add the score after a tab; with more than two classes the score of each, in their sorted order
    #[arg(long)]
    pub(crate) scores: bool,
    #[command(flatten)]
    pub(crate) voting: VoteArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// Print no notes
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    /// The model file
    pub(crate) model: PathBuf,
    /// The labelled data, `-` for standard input
    pub(crate) data: PathBuf,
    /// Compare with the nearest class mean and with the most frequent class of the training data
    #[arg(long)]
    pub(crate) baseline: bool,
    #[command(flatten)]
    pub(crate) voting: VoteArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// The labels of IDX data [default: found beside the data, by MNIST's naming]
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    pub(crate) labels: Option<PathBuf>,
    /// What to do with a row that cannot be read
    #[arg(long, value_enum, default_value = "stop", value_name = "WHAT")]
    pub(crate) on_error: OnErrorArg,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print no notes
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SeparableArgs {
    /// The labelled data, `-` for standard input
    pub(crate) data: PathBuf,
    /// Where to write the proof, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Check the proof in FILE instead of looking for one; a proof about other hyperplanes than those of --bias,
    /// which says nothing of these, is refused
    #[arg(long, value_name = "FILE", conflicts_with_all = ["certificate", "seconds"])]
    pub(crate) verify: Option<PathBuf>,
    /// Which hyperplanes: with a bias (unit, radius: which of the two margins `--json` gives), or only
    /// those through the origin (none)
    #[arg(long, value_enum, default_value = "unit")]
    pub(crate) bias: BiasArg,
    /// Answer with what is proven after so much time [default: after an amount of work that is the same on every
    /// machine, a minute or two]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) seconds: Option<f64>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// The labels of IDX data [default: found beside the data, by MNIST's naming]
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// What to do with a row that cannot be read
    #[arg(long, value_enum, default_value = "stop", value_name = "WHAT")]
    pub(crate) on_error: OnErrorArg,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print no notes
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The model file
    pub(crate) model: PathBuf,
    /// How many weights to list, the largest first; 0 for all
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) top: usize,
    /// Print one JSON object, with all weights
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which class is positive is decided where it is learned.
#[derive(Debug, Args)]
#[command(mut_arg("positive", |arg| arg.hide(true)))]
pub(crate) struct PackArgs {
    /// The labelled data
    pub(crate) data: PathBuf,
    /// Where to write the packed file, an Arrow file; `train` and the others read it like any data
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// The labels of IDX data [default: found beside the data, by MNIST's naming]
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    pub(crate) labels: Option<PathBuf>,
    /// What to do with a row that cannot be read
    #[arg(long, value_enum, default_value = "stop", value_name = "WHAT", help_heading = "Reading")]
    pub(crate) on_error: OnErrorArg,
    /// Print no notes and no summary
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// Choices of a model, or of one order, are hidden: none is made.
#[derive(Debug, Args)]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "keep" | "kernel" | "memory" | "no_compare" | "order" => arg.hide(true),
    _ => arg,
}))]
pub(crate) struct StudyArgs {
    /// The labelled data of two classes, `-` for standard input; .gz and .zst are read as they are
    pub(crate) data: PathBuf,
    /// How many runs, each with the next seed; with --sweep so many for each factor [default: 100, with
    /// --sweep 20]
    #[arg(long, value_name = "N", help_heading = "Study",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) runs: Option<u32>,
    /// Study changed data too: with the classes moved apart or together so that the margin is multiplied,
    /// or with every second feature multiplied, each time by several factors
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Study")]
    pub(crate) sweep: Option<SweepArg>,
    /// Draw the distribution of the updates, or with --sweep the updates against the bound; the name ends
    /// in .svg or .png
    #[arg(long, value_name = "FILE", help_heading = "Study")]
    pub(crate) plot: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) learning: LearnArgs,
    /// The labels of IDX data [default: found beside the data, by MNIST's naming]
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    pub(crate) labels: Option<PathBuf>,
    /// What to do with a row that cannot be read
    #[arg(long, value_enum, default_value = "stop", value_name = "WHAT", help_heading = "Reading")]
    pub(crate) on_error: OnErrorArg,
    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print no notes and no report, only errors and what `--json` asks for
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    /// The labelled data
    pub(crate) data: PathBuf,
    /// The model file; without it only the examples are drawn
    pub(crate) model: Option<PathBuf>,
    /// The picture; its name ends in .svg or .png
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The feature along the horizontal axis
    #[arg(long, value_name = "FEATURE")]
    pub(crate) x: Option<String>,
    /// The feature along the vertical axis
    #[arg(long, value_name = "FEATURE")]
    pub(crate) y: Option<String>,
    /// What to draw, separated by commas [default: boundary where two features are given, else curve
    /// and, of linear models, weights]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PANELS")]
    pub(crate) panels: Vec<PanelArg>,
    #[command(flatten)]
    pub(crate) voting: VoteArgs,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// The labels of IDX data [default: found beside the data, by MNIST's naming]
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    pub(crate) labels: Option<PathBuf>,
    /// What to do with a row that cannot be read
    #[arg(long, value_enum, default_value = "stop", value_name = "WHAT")]
    pub(crate) on_error: OnErrorArg,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The model file
    pub(crate) model: PathBuf,
    /// What to write: .onnx, a graph from encoded features to label and scores, for linear models; .json, all
    /// that the model file holds; .csv, the weights of a linear model
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// How the file is read means nothing without one.
#[derive(Debug, Args)]
#[command(mut_group("ColumnArgs", |group| group.requires("data")))]
#[command(mut_group("ReadArgs", |group| group.requires("data")))]
pub(crate) struct LabArgs {
    /// Labelled data to choose two columns from, `-` for standard input; of more than 2,000 rows a sample
    pub(crate) data: Option<PathBuf>,
    /// The port; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = Site::PORT, help_heading = "Serving")]
    pub(crate) port: u16,
    /// Let other machines in: listen on this address of this machine instead of 127.0.0.1 alone. Nothing is
    /// encrypted
    #[arg(long, value_name = "ADDRESS", help_heading = "Serving")]
    pub(crate) host: Option<IpAddr>,
    /// The secret in the link to the page: at least 16 letters, digits, `-` and `_` [default: the variable
    /// ROSENBLATT_LAB_TOKEN, else a random one]. Other users of this machine can see the arguments of commands
    #[arg(long, value_name = "TOKEN", conflicts_with = "token_file", help_heading = "Serving")]
    pub(crate) token: Option<Token>,
    /// The secret is what FILE holds
    #[arg(long, value_name = "FILE", help_heading = "Serving")]
    pub(crate) token_file: Option<PathBuf>,
    /// Do not open the browser
    #[arg(long, help_heading = "Serving")]
    pub(crate) no_open: bool,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// The labels of IDX data [default: found beside the data, by MNIST's naming]
    #[arg(long, value_name = "FILE", requires = "data", help_heading = "Reading")]
    pub(crate) labels: Option<PathBuf>,
    /// What to do with a row that cannot be read
    #[arg(
        long,
        value_enum,
        default_value = "stop",
        value_name = "WHAT",
        requires = "data",
        help_heading = "Reading"
    )]
    pub(crate) on_error: OnErrorArg,
}

/// Words of the command and what they mean elsewhere.
macro_rules! words {
    ($name:ident => $target:ty { $($(#[$doc:meta])* $word:ident => $value:expr),* $(,)? }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(crate) enum $name { $($(#[$doc])* $word),* }

        impl From<$name> for $target {
            fn from(word: $name) -> Self {
                match word { $($name::$word => $value),* }
            }
        }
    };
}

words!(KeepArg => Keep {
    /// Last after an epoch without a mistake, else average
    Auto => Keep::Auto,
    /// The last weights
    Last => Keep::Last,
    /// The mean of the weights after every example
    Average => Keep::Average,
    /// The weights with the fewest training errors (pocket algorithm with ratchet)
    Pocket => Keep::Pocket,
    /// All weights visited, which vote by the examples that they survived
    Vote => Keep::Vote,
});
words!(OrderArg => Order { Shuffle => Order::Shuffle, Given => Order::Given });
words!(InitArg => Init { Zero => Init::Zero, Random => Init::Random });
words!(BiasArg => Bias { Unit => Bias::Unit, None => Bias::None, Radius => Bias::Radius });
words!(MistakeArg => Mistake { Margin => Mistake::Margin, Label => Mistake::Label });
words!(ZeroArg => ZeroScore { Positive => ZeroScore::Positive, Negative => ZeroScore::Negative });
words!(ScaleArg => Scale {
    None => Scale::None,
    Standard => Scale::Standard,
    Maxabs => Scale::Maxabs,
    Minmax => Scale::Minmax,
});
words!(SweepArg => Sweep {
    /// The margin, by moving the classes along the normal of the widest separator
    Margin => Sweep::Margin,
    /// The scale of every second feature
    Scale => Sweep::Scale,
});
words!(OnErrorArg => OnError { Stop => OnError::Stop, Skip => OnError::Skip });

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PanelArg {
    /// The examples in the plane of two features, and the separator or the regions of the classes
    Boundary,
    /// Mistakes per epoch
    Curve,
    /// The largest weights
    Weights,
}

/// Takes the names of all formats.
fn format_parser() -> impl TypedValueParser<Value = FormatKind> {
    let names = FormatKind::all().into_iter().map(FormatKind::name);
    PossibleValuesParser::new(names)
        .try_map(|name| FormatKind::named(&name).ok_or("there is no such format"))
}

fn share(word: &str) -> Result<f64, String> {
    let share = word.parse().ok().filter(|share: &f64| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "expected a number between 0 and 1".to_owned())
}

fn seconds(word: &str) -> Result<f64, String> {
    let seconds = word.parse().ok().filter(|seconds: &f64| *seconds >= 0.0 && *seconds < 1e9);
    seconds.ok_or_else(|| "expected a number of seconds".to_owned())
}

fn bytes(word: &str) -> Result<usize, String> {
    let expected = || "expected a number of bytes, such as 500M or 4G".to_owned();
    let (digits, unit) = match word.char_indices().next_back().ok_or_else(expected)? {
        (at, 'k' | 'K') => (&word[..at], 1 << 10),
        (at, 'm' | 'M') => (&word[..at], 1 << 20),
        (at, 'g' | 'G') => (&word[..at], 1 << 30),
        _ => (word, 1),
    };
    let number: usize = digits.parse().map_err(|_| expected())?;
    number.checked_mul(unit).ok_or_else(expected)
}

fn delimiter(word: &str) -> Result<Delimiter, String> {
    match word {
        "comma" => Ok(Delimiter::Byte(b',')),
        "tab" | "\\t" | "\t" => Ok(Delimiter::Byte(b'\t')),
        "semicolon" => Ok(Delimiter::Byte(b';')),
        "space" | " " => Ok(Delimiter::Whitespace),
        _ => match word.as_bytes() {
            [byte] if byte.is_ascii_graphic() && !byte.is_ascii_alphanumeric() && *byte != b'"' => {
                Ok(Delimiter::Byte(*byte))
            }
            _ => Err("expected one punctuation character, or comma, tab, semicolon, space".into()),
        },
    }
}

impl ReadArgs {
    /// How many threads work.
    pub(crate) fn threads(&self) -> usize {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(available, usize::from)
    }

    /// Options of reading for a model: columns are its own.
    pub(crate) fn options(&self, on_error: OnErrorArg) -> ReadOptions {
        ReadOptions {
            format: self.format,
            delimiter: self.delimiter,
            header: match (self.no_header, self.header) {
                (true, _) => Header::Absent,
                (_, true) => Header::Present,
                _ => Header::Expected,
            },
            zero_based: self.zero_based,
            on_error: on_error.into(),
            max_features: usize::try_from(self.max_features).unwrap_or(usize::MAX),
            threads: self.threads(),
            ..ReadOptions::default()
        }
    }

    /// Options of reading to learn.
    pub(crate) fn options_with(&self, columns: &ColumnArgs, on_error: OnErrorArg) -> ReadOptions {
        ReadOptions {
            target: columns.target.clone(),
            ignore: columns.ignore.clone(),
            categorical: columns.categorical.clone(),
            text: columns.text.clone(),
            features: columns.features.clone(),
            hashing: Hashing { bits: columns.bits, ngrams: columns.ngrams },
            dictionary: !columns.no_dictionary,
            // Against the rest there may be any number of labels.
            max_labels: columns.positive.is_none().then_some(Classes::MOST),
            ..self.options(on_error)
        }
    }
}

/// Reads the arguments of the process.
pub(crate) fn parse() -> Result<Command, Failure> {
    match Arguments::try_parse() {
        Ok(arguments) => Ok(arguments.command),
        Err(error) => Err(failure(&error)),
    }
}

/// Turns what the parser says into one line and one hint.
fn failure(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    let help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if help {
        return Failure::Help(text);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Failure::usage("no command given", "`rosenblatt --help` lists the commands");
    }
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let mut paragraphs = text.split("\n\n").map(|paragraph| {
        paragraph
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace("[possible values:", "[one of:")
    });
    let message = paragraphs.next().unwrap_or_default();
    let tip = paragraphs.find_map(|text| text.strip_prefix("tip: ").map(str::to_owned));
    // Advice to write `--` before a value helps with no option of this command.
    let tip = tip.filter(|tip| !tip.starts_with("to pass "));
    let hint = tip.unwrap_or_else(|| "`--help` after the command lists its options".to_owned());
    Failure::usage(message.trim(), hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn bytes_have_units() {
        assert_eq!(bytes("12"), Ok(12));
        assert_eq!((bytes("3K"), bytes("2g")), (Ok(3072), Ok(2 << 30)));
        assert!(
            ["", "G", "-1", "1T", "1.5G", "99999999999G"].iter().all(|word| bytes(word).is_err())
        );
    }

    #[test]
    fn delimiters_have_names() {
        assert_eq!(delimiter("space"), Ok(Delimiter::Whitespace));
        assert_eq!(delimiter(";"), Ok(Delimiter::Byte(b';')));
        assert_eq!(delimiter("tab"), Ok(Delimiter::Byte(b'\t')));
        assert!(delimiter("ab").is_err() && delimiter("\"").is_err() && delimiter("é").is_err());
    }
}
