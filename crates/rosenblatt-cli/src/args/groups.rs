//! Groups of options that several commands have.

use std::path::PathBuf;

use clap::{
    ArgGroup, Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use rosenblatt::LectureNotes;
use rosenblatt_core::{data::Classes, keep::Tally};
use rosenblatt_data::{
    CharNgrams, Cut, Decimal, Delimiter, FormatKind, Hashing, Header, MissingOption, OnError,
    ReadOptions,
};

use super::{
    options::{OptionArgs, PrepareArgs},
    presets::notes_parser,
    values::{Costs, bytes, costs, delimiter, finite, on_error, probability, sign, thousands},
    words::{DatesArg, DecimalArg, EncodingArg, OnErrorArg},
};

/// The role of each column.
#[derive(Debug, Args)]
#[command(next_help_heading = "Columns")]
#[command(group = ArgGroup::new("hashed").args(["text", "interactions"]).multiple(true))]
pub(crate) struct ColumnArgs {
    /// The column with the labels, by name or position [default: found by the names and the values]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) target: Option<String>,
    /// The label of the positive class; all others are one class [default: for the weights the later label in sorted order; for
    /// rates the label that means yes, such as yes, true, fraud, spam, or 1 where the other is 0, else the rarer one]
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) positive: Option<String>,
    /// Leave these columns out, separated by commas
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) ignore: Vec<String>,
    /// Read these columns as categories even if they look like numbers
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) categorical: Vec<String>,
    /// Read these columns as text: their words become the features, and other columns are left out
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) text: Vec<String>,
    /// Replace missing values by mean, median or zero, make them a category, or drop their rows: RULE for all columns,
    /// COLUMN=RULE for one, separated by commas; RULE+indicator adds a feature that is 1 where a number is missing
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(crate) missing: Vec<MissingOption>,
    /// Treat these cells as missing besides the empty cell, in all columns, separated by commas [default: NA, N/A, NaN,
    /// null, ?, -, . in columns of numbers]
    #[arg(long, value_name = "CELLS", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) missing_values: Option<Vec<String>>,
    /// The decimal sign of numbers [default: point]
    #[arg(long, value_enum, value_name = "SIGN")]
    pub(crate) decimal: Option<DecimalArg>,
    /// The separator of groups of three digits: a character, or comma, point, space
    #[arg(long, value_name = "CHAR", value_parser = thousands)]
    pub(crate) thousands: Option<char>,
    /// Read numbers with a unit, such as 37%, $12 or 5.1cm, in these columns
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) units: Vec<String>,
    /// Read columns of dates in this order of year, month and day as numbers of days
    #[arg(long, value_enum, value_name = "ORDER")]
    pub(crate) dates: Option<DatesArg>,
    /// Use these columns as features, in addition to those of --text [default: all, or none with --text]
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) features: Vec<String>,
    /// Multiply the features of two columns with one another, as further features: two numbers, a number for each category,
    /// or each pair of categories. Of three or more columns, each two are multiplied
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) interactions: Vec<String>,
    /// Hash the words of a text, or more than 2^B products of an interaction, to 2^B features
    #[arg(long, allow_negative_numbers = true, default_value_t = 18, value_name = "B", requires = "hashed",
        value_parser = clap::value_parser!(u8).range(1..=i64::from(Hashing::MAX_BITS)))]
    pub(crate) bits: u8,
    /// Use sequences of up to N words as features [default: 1, or --chars 1:3 where most of 20 texts or more are of one or two words]
    #[arg(long, allow_negative_numbers = true, value_name = "N", requires = "text",
        value_parser = clap::value_parser!(u8).range(1..=i64::from(Hashing::MAX_NGRAMS)))]
    pub(crate) ngrams: Option<u8>,
    /// Use sequences of MIN to MAX characters within words as features instead of words; the borders of a word count as
    /// characters
    #[arg(
        long,
        value_name = "MIN:MAX",
        requires = "text",
        conflicts_with = "ngrams",
        allow_hyphen_values = true
    )]
    pub(crate) chars: Option<CharNgrams>,
    /// Do not store the words in the model; `show` then cannot name its features
    #[arg(long, requires = "text")]
    pub(crate) no_dictionary: bool,
}

/// The form of the bytes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadArgs {
    /// The format [default: by the ending of the name, else by the first bytes of the file]
    #[arg(long, value_parser = format_parser())]
    pub(crate) format: Option<FormatKind>,
    /// The separator of cells: a character, or comma, tab, semicolon, space (one or more spaces or tabs) [default: found
    /// out by the first rows]
    #[arg(long, value_parser = delimiter, value_name = "WHAT")]
    pub(crate) delimiter: Option<Delimiter>,
    /// The quote of cells [default: found out by the first rows]
    #[arg(long, value_parser = sign, value_name = "SIGN", conflicts_with = "no_quotes")]
    pub(crate) quote: Option<u8>,
    /// The sign before a quote, a separator or itself that makes it part of the text: a character, or backslash
    #[arg(long, value_parser = sign, value_name = "SIGN", conflicts_with = "no_quotes")]
    pub(crate) escape: Option<u8>,
    /// Read quotes in a table as characters like any other
    #[arg(long)]
    pub(crate) no_quotes: bool,
    /// Pass over the lines of a table that begin with this character [default: #, above the table only]
    #[arg(long, value_parser = sign, value_name = "SIGN")]
    pub(crate) comment: Option<u8>,
    /// Pass over N lines at the beginning of a table [default: the title lines that are found]
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    pub(crate) skip_rows: Option<u64>,
    /// The encoding of text [default: that of the model, else found out by the bytes of the file]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) encoding: Option<EncodingArg>,
    /// Count LIBSVM indices from 0
    #[arg(long)]
    pub(crate) zero_based: bool,
    /// Read the first row of a table as an example; columns are given by their positions
    #[arg(long)]
    pub(crate) no_header: bool,
    /// Read the first row of a table as the names of the columns, even if a name is a number
    #[arg(long, conflicts_with = "no_header")]
    pub(crate) header: bool,
    /// Reject data with more than N features
    #[arg(long, allow_negative_numbers = true, default_value_t = ReadOptions::MAX_FEATURES as u64, value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    pub(crate) max_features: u64,
    /// Work with N threads; the result does not depend on it [default: all]
    #[arg(long, allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// The labels in a second file, and rows that cannot be read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct LabeledArgs {
    /// The label file of IDX data [default: found next to the data, by MNIST's naming]
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// Stop at a row that cannot be read, or skip and count such rows: `skip` up to 1% of the rows (one row in any
    /// case), `skip:5%` up to 5%
    #[arg(long, default_value = "stop", value_name = "stop|skip[:SHARE]", value_parser = on_error)]
    pub(crate) on_error: OnErrorArg,
}

/// The form and the amount of the output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct PrintArgs {
    /// Print the report as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print no notes but warnings and no report, only errors and the output of `--json`
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl PrintArgs {
    /// Whether nothing shows how far the work is.
    pub(crate) fn is_silent(&self) -> bool {
        self.quiet || self.json
    }
}

/// How to learn.
#[derive(Debug, Args)]
#[command(next_help_heading = "Learning")]
#[command(mut_arg("order", |arg| arg.help(ORDER).hide_default_value(true)))]
#[command(mut_arg("weighting", |arg| arg.hide_possible_values(true)))]
#[command(mut_arg("normalise", |arg| arg.visible_alias("normalize")))]
pub(crate) struct LearnArgs {
    #[command(flatten)]
    pub(crate) run: OptionArgs,
    /// The algorithm of these lecture notes, on the features as they are; options that are given too win
    #[arg(long, value_name = "NAME", value_parser = notes_parser())]
    pub(crate) notes: Option<LectureNotes>,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// Memory for the data, and as much again for cached kernel values (bytes, or with K, M or G); `train`
    /// converts larger data to a file next to the input, with an identical model
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes, display_order = AFTER_KERNEL)]
    pub(crate) memory: usize,
    /// Do not track average and pocket weights for the report when they cannot become the model; this saves
    /// the time of the pocket's trials
    #[arg(long, display_order = AFTER_KERNEL)]
    pub(crate) no_compare: bool,
    #[command(flatten)]
    pub(crate) prepare: PrepareArgs,
}

const ORDER: &str = "The order of the examples in an epoch [default: shuffle; given with --epochs 1, which learns \
                     while the file is read, unless its rows are sorted by class]";

/// The place of `--kernel` in the list of options; arguments of one place are sorted by their names.
const AFTER_KERNEL: usize = 2;

/// That of `--init`.
const AFTER_INIT: usize = 5;

/// The weights at the start.
#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// Start from these weights: one for each feature, in their order and in the units of the file, then the bias; without it with
    /// --bias none (two classes)
    #[arg(long = "start", id = "start", value_name = "W1,…,B", value_delimiter = ',', allow_hyphen_values = true, value_parser = finite,
        conflicts_with = "init", display_order = AFTER_INIT)]
    pub(crate) numbers: Option<Vec<f64>>,
}

/// The decision of a voted model.
#[derive(Debug, Args)]
pub(crate) struct VoteArgs {
    /// The decision of a voted model: vote, average, average-normalised, last, last-normalised, random,
    /// random-normalised
    #[arg(long, value_name = "TALLY")]
    pub(crate) by: Option<Tally>,
}

/// When a probability suffices for the positive class, which is that of the rates.
#[derive(Debug, Args)]
pub(crate) struct ThresholdArgs {
    /// Predict the positive class, the one whose precision and recall come first, from this probability on, instead of by its
    /// own labels (two classes; needs a model of train --calibrate)
    #[arg(long, allow_negative_numbers = true, value_name = "P", value_parser = probability)]
    pub(crate) threshold: Option<f64>,
    /// Predict by least expected cost: what a false alarm costs, and what missing the positive class costs, such as 1:5. The
    /// threshold is FP/(FP + FN)
    #[arg(long, value_name = "FP:FN", conflicts_with = "threshold", allow_hyphen_values = true, value_parser = costs)]
    pub(crate) cost: Option<Costs>,
}

impl ThresholdArgs {
    /// Whether probabilities decide.
    pub(crate) fn is_given(&self) -> bool {
        self.threshold.is_some() || self.cost.is_some()
    }
}

impl ReadArgs {
    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(available, usize::from)
    }

    /// Options of reading for a model, which has its own columns.
    pub(crate) fn options(&self, on_error: OnErrorArg) -> ReadOptions {
        let (on_error, skip_limit) = match on_error {
            OnErrorArg::Stop => (OnError::Stop, 1.0),
            OnErrorArg::Skip(limit) => (OnError::Skip, limit),
        };
        ReadOptions {
            format: self.format,
            delimiter: self.delimiter,
            quote: self.quote,
            escape: self.escape,
            comment: self.comment,
            skip_rows: self.skip_rows,
            quotes: !self.no_quotes,
            encoding: self.encoding.map(Into::into),
            header: match (self.no_header, self.header) {
                (true, _) => Header::Absent,
                (_, true) => Header::Present,
                _ => Header::Expected,
            },
            zero_based: self.zero_based,
            on_error,
            skip_limit,
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
            interactions: columns.interactions.iter().map(|list| vec![list.clone()]).collect(),
            text: columns.text.clone(),
            features: columns.features.clone(),
            missing: columns.missing.clone(),
            missing_values: columns.missing_values.clone(),
            decimal: columns.decimal.map_or(Decimal::Point, Into::into),
            thousands: columns.thousands,
            units: columns.units.clone(),
            dates: columns.dates.map(Into::into),
            cut: columns.chars.map(Cut::Chars).or(columns.ngrams.map(Cut::Words)),
            bits: columns.bits,
            dictionary: !columns.no_dictionary,
            // With `--positive` all other labels are one class.
            max_labels: columns.positive.is_none().then_some(Classes::MOST),
            ..self.options(on_error)
        }
    }
}

/// Takes the names of all formats.
fn format_parser() -> impl TypedValueParser<Value = FormatKind> {
    let names = FormatKind::all().into_iter().map(FormatKind::name);
    PossibleValuesParser::new(names)
        .try_map(|name| FormatKind::named(&name).ok_or("there is no such format"))
}
