//! The words that options take, and their meaning for the engine and the readers.

use clap::ValueEnum;
use rosenblatt::{
    data::{Scale, ZeroScore},
    keep::Keep,
    schedule::{Init, Order},
    study::Sweep,
    train::Bias,
    update::Mistake,
};
use rosenblatt_data::OnError;

/// Words of the command and their meaning elsewhere.
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
    /// The last weights after an epoch without a mistake, else the average
    Auto => Keep::Auto,
    /// The last weights
    Last => Keep::Last,
    /// The mean of the weights after every example
    Average => Keep::Average,
    /// The weights with the fewest training errors (pocket algorithm with ratchet)
    Pocket => Keep::Pocket,
    /// Voted perceptron: every intermediate weight vector votes, weighted by how many examples in a row it
    /// classified correctly
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
    /// The examples in the plane of two features, with the separator or the regions of the classes
    Boundary,
    /// Mistakes per epoch
    Curve,
    /// The largest weights
    Weights,
}
