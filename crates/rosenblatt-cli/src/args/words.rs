//! The words that options take, and their meaning for the engine and the readers.

use clap::ValueEnum;
use rosenblatt::{ChangeNorm, study::Sweep};
use rosenblatt_core::calibration::CalibrationMethod;
use rosenblatt_data::{DateOrder, Decimal, Encoding, OnError};

/// Words of the command and their meaning elsewhere.
macro_rules! words {
    ($name:ident => $target:ty { $($(#[$attribute:meta])* $word:ident => $value:expr),* $(,)? }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(crate) enum $name { $($(#[$attribute])* $word),* }

        impl From<$name> for $target {
            fn from(word: $name) -> Self {
                match word { $($name::$word => $value),* }
            }
        }
    };
}

words!(CalibrateArg => CalibrationMethod {
    /// One slope for all scores, which keeps their labels; good with few examples, and for several classes
    Temperature => CalibrationMethod::Temperature,
    /// A sigmoid of the score; good with few examples too. With this and the next two the label is that of the largest probability
    Platt => CalibrationMethod::Platt,
    /// A step function; it needs thousands of examples
    Isotonic => CalibrationMethod::Isotonic,
    /// An interval for each example, from two step functions
    VennAbers => CalibrationMethod::VennAbers,
});
words!(RadiusArg => ChangeNorm {
    /// By the Euclidean length of the change
    L2 => ChangeNorm::L2,
    /// By the largest change of a feature
    Linf => ChangeNorm::Linf,
});
words!(SweepArg => Sweep {
    /// The margin, by moving the classes along the normal of the widest separator
    Margin => Sweep::Margin,
    /// The scale of every second feature
    Scale => Sweep::Scale,
    /// The units of all features, which a learned bias does not share
    Units => Sweep::Units,
    /// The distance of one example, moved parallel to the widest separator
    Outlier => Sweep::Outlier,
});
words!(DecimalArg => Decimal { Point => Decimal::Point, Comma => Decimal::Comma });
words!(DatesArg => DateOrder {
    /// 2024-01-31
    Ymd => DateOrder::Ymd,
    /// 31.01.2024
    Dmy => DateOrder::Dmy,
    /// 01/31/2024
    Mdy => DateOrder::Mdy,
    /// A time of day or a duration, `14:30` or `2:30 PM`.
    Time => DateOrder::Time,
});
words!(EncodingArg => Encoding {
    /// With or without a byte order mark
    #[value(name = "utf-8")]
    Utf8 => Encoding::Utf8,
    /// As of older Windows programs (Windows-1252)
    Latin1 => Encoding::Latin1,
    /// With or without a byte order mark
    #[value(name = "utf-16")]
    Utf16 => Encoding::Utf16,
});
words!(BlankArg => OnError {
    /// Stop with an error
    Stop => OnError::Stop,
    /// Leave the line of the row empty, as that of a blank line of the data
    Blank => OnError::Blank,
});

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormatArg {
    /// The label, separated by tabs from what other options add
    Plain,
    /// A table with a header: the label and the scores
    Csv,
    /// One JSON object per line: the label, the scores, the problem of a row that cannot be read
    Json,
}

/// The treatment of rows that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OnErrorArg {
    Stop,
    /// Leave out at most this share.
    Skip(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnseenArg {
    /// Count each such row as a wrong prediction
    Wrong,
    /// Leave such rows out and report their number
    Skip,
    /// Stop at the first such row
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PanelArg {
    /// The examples in the plane of two features, with the separator or the regions of the classes
    Boundary,
    /// Mistakes per epoch
    Curve,
    /// The largest weights
    Weights,
    /// The probabilities of a calibrated model against how often they came true
    Reliability,
    /// The ROC curve: the recall against the false positive rate at each threshold of the score, for two classes
    Roc,
    /// The precision against the recall at each threshold of the score, for two classes
    PrecisionRecall,
}
