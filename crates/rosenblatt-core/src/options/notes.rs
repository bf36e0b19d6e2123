//! The lecture notes of `docs/lectures`, each as options of a run.

use std::{fmt, str::FromStr};

use serde::de::value::{self, MapDeserializer};

use super::Options;

/// An algorithm of lecture notes. As text its [name](Self::name).
///
/// All of them are Rosenblatt's rule on the features as they are, keep the last weights and end with an epoch without a
/// mistake or after a maximum of epochs. They differ in where the weights begin, the order, the bias, and in what a score of 0
/// means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum LectureNotes {
    /// Jeffrey Varner, "Lecture 3a: The Perceptron for Binary Classification Problems".
    Varner,
    /// Fabien Lauer, "The perceptron", with the decision w·x ≥ b.
    Lauer,
    /// Cosma Shalizi, "Linear Classifiers and the Perceptron Algorithm", 36-350, 2009.
    Shalizi,
    /// DSC 255, Algorithm 1.
    Dsc255Algorithm,
    /// DSC 255, Listing 2.
    Dsc255Listing,
    /// Jack David Carson, "Perceptron", 2025.
    Carson,
}

/// The options in which the notes differ.
const DIFFERENT: [&str; 5] = ["init", "order", "bias", "mistake", "zero"];

impl LectureNotes {
    /// All of them, in the order of the pages.
    pub const ALL: [LectureNotes; 6] = [
        LectureNotes::Varner,
        LectureNotes::Lauer,
        LectureNotes::Shalizi,
        LectureNotes::Dsc255Algorithm,
        LectureNotes::Dsc255Listing,
        LectureNotes::Carson,
    ];

    /// Name, title and the values of the options in which the notes [differ](DIFFERENT).
    #[rustfmt::skip]
    fn table(self) -> (&'static str, &'static str, [&'static str; 5]) {
        match self {
            LectureNotes::Varner => ("varner", "Varner, Lecture 3a", ["random", "given", "unit", "margin", "positive"]),
            LectureNotes::Lauer => ("lauer", "Lauer, The perceptron", ["zero", "given", "unit", "label", "positive"]),
            LectureNotes::Shalizi => ("shalizi", "Shalizi, 36-350", ["zero", "given", "radius", "label", "positive"]),
            LectureNotes::Dsc255Algorithm => ("dsc255-1", "DSC 255, Algorithm 1", ["zero", "shuffle", "unit", "margin", "positive"]),
            LectureNotes::Dsc255Listing => ("dsc255-2", "DSC 255, Listing 2", ["zero", "shuffle", "unit", "label", "positive"]),
            LectureNotes::Carson => ("carson", "Carson, Perceptron", ["zero", "given", "unit", "margin", "negative"]),
        }
    }

    /// The name: `varner`, `lauer`, `shalizi`, `dsc255-1`, `dsc255-2` or `carson`.
    pub fn name(self) -> &'static str {
        self.table().0
    }

    /// Author or course, and title.
    pub fn title(self) -> &'static str {
        self.table().1
    }

    /// The options that the algorithm sets, by their names in JSON, and the maximum of epochs. The features are not scaled.
    pub fn words(self) -> Vec<(&'static str, &'static str)> {
        self.choices().chain([("epochs", "1000")]).collect()
    }

    /// The options of the algorithm, with at most 1000 epochs.
    pub fn options(self) -> Options {
        let words = MapDeserializer::<_, value::Error>::new(self.choices());
        // All words are read by a test.
        <Options as serde::Deserialize>::deserialize(words).unwrap_or_default()
    }

    fn choices(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let (.., values) = self.table();
        DIFFERENT.into_iter().zip(values).chain([("keep", "last")])
    }

    /// Whether the b of the notes is a threshold, w·x ≥ b: the negative of the bias.
    pub fn has_threshold(self) -> bool {
        self == LectureNotes::Lauer
    }

    /// Whether the notes always make all epochs, those after a clean one too, which change nothing.
    pub fn makes_all_epochs(self) -> bool {
        self == LectureNotes::Carson
    }
}

/// A text that names no notes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no notes have this name; there are varner, lauer, shalizi, dsc255-1, dsc255-2 and carson")]
pub struct UnknownNotes;

impl FromStr for LectureNotes {
    type Err = UnknownNotes;

    fn from_str(name: &str) -> Result<Self, UnknownNotes> {
        LectureNotes::ALL.into_iter().find(|notes| notes.name() == name).ok_or(UnknownNotes)
    }
}

impl fmt::Display for LectureNotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl TryFrom<String> for LectureNotes {
    type Error = UnknownNotes;

    fn try_from(name: String) -> Result<Self, UnknownNotes> {
        name.parse()
    }
}

impl From<LectureNotes> for String {
    fn from(notes: LectureNotes) -> Self {
        notes.name().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, from_value, json, to_value};

    /// The words are those of the options, and the options are those of the words.
    #[test]
    fn words_are_read_as_they_are_written() {
        for notes in LectureNotes::ALL {
            let options = to_value(notes.options()).unwrap();
            for (name, word) in notes.words() {
                let found = options[name].as_str().map(str::to_owned);
                assert_eq!(found.unwrap_or_else(|| options[name].to_string()), word, "{notes}");
            }
            let words = notes.words().into_iter().filter(|(name, _)| *name != "epochs");
            let words: serde_json::Map<String, Value> =
                words.map(|(name, word)| (name.to_owned(), json!(word))).collect();
            assert_eq!(from_value::<Options>(words.into()).unwrap(), notes.options());
            assert_eq!(notes.name().parse(), Ok(notes));
            assert!(UnknownNotes.to_string().contains(notes.name()));
        }
    }
}
