//! The tallies of a voted model.

use std::{fmt, str::FromStr};

/// A tally turns the run of a voted model into a score. The run visits weights vₖ with a bias bₖ for cₖ visits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tally {
    /// Σ cₖ sign(vₖ·x + bₖ), where [`ZeroScore`](crate::data::ZeroScore) gives sign(0).
    #[default]
    Vote,
    /// Σ cₖ (vₖ·x + bₖ).
    Average,
    /// Σ cₖ (vₖ·x + bₖ)/‖vₖ‖.
    AverageNormalised,
    /// The score of the last weights.
    Last,
    /// The score of the last weights, divided by their norm.
    LastNormalised,
    /// The score of the weights at a random time.
    Random,
    /// The score of the weights at a random time, divided by their norm.
    RandomNormalised,
}

impl Tally {
    /// All tallies, in the order of [`Voted::tallies`](super::Voted::tallies).
    pub const ALL: [Tally; 7] = [
        Tally::Vote,
        Tally::Average,
        Tally::AverageNormalised,
        Tally::Last,
        Tally::LastNormalised,
        Tally::Random,
        Tally::RandomNormalised,
    ];

    /// The name in text.
    pub fn name(self) -> &'static str {
        match self {
            Tally::Vote => "vote",
            Tally::Average => "average",
            Tally::AverageNormalised => "average-normalised",
            Tally::Last => "last",
            Tally::LastNormalised => "last-normalised",
            Tally::Random => "random",
            Tally::RandomNormalised => "random-normalised",
        }
    }

    pub(super) fn is_random(self) -> bool {
        matches!(self, Tally::Random | Tally::RandomNormalised)
    }

    pub(super) fn is_normalised(self) -> bool {
        matches!(self, Tally::AverageNormalised | Tally::LastNormalised | Tally::RandomNormalised)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is not a tally.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected vote, average, average-normalised, last, last-normalised, random or random-normalised"
)]
pub struct UnknownTally;

impl FromStr for Tally {
    type Err = UnknownTally;

    fn from_str(text: &str) -> Result<Self, UnknownTally> {
        Tally::ALL.into_iter().find(|tally| tally.name() == text).ok_or(UnknownTally)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_have_names() {
        for tally in Tally::ALL {
            assert_eq!(tally.name().parse(), Ok(tally));
        }
        assert_eq!("votes".parse::<Tally>(), Err(UnknownTally));
    }
}
