//! `--preset`: a list of ordinary options by a name.

use std::ffi::OsString;

use clap::{ArgMatches, CommandFactory, ValueEnum, parser::ValueSource};

use super::Arguments;

/// The presets. `docs/accuracy.md` has the measurements behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// --ngrams 2 --weighting log --normalise l2 --update arow:1
    Text,
    /// --kernel poly:4 --keep vote --epochs 5
    Images,
}

impl Preset {
    /// The word of the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// The options as they are written; word n-grams are for data with a text.
    pub(crate) fn list(self, has_text: bool) -> String {
        let options = self.options().iter().filter(|(name, _)| has_text || *name != "ngrams");
        let words = options.map(|(name, value)| format!("--{name} {value}"));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The options and their values.
    fn options(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Preset::Text => {
                &[("ngrams", "2"), ("weighting", "log"), ("normalise", "l2"), ("update", "arow:1")]
            }
            Preset::Images => &[("kernel", "poly:4"), ("keep", "vote"), ("epochs", "5")],
        }
    }
}

/// Adds the options of a preset to the words of a `train` command, except those that are given, and word n-grams without
/// a text or beside those of characters.
pub(super) fn expanded(words: Vec<OsString>, preset: Preset) -> Vec<OsString> {
    let matches = Arguments::command().get_matches_from(&words);
    let is_given = |name: &str| {
        let train = matches.subcommand().map(|(_, train)| train);
        train.and_then(|train: &ArgMatches| train.value_source(name))
            == Some(ValueSource::CommandLine)
    };
    let is_excluded = |name: &str| name == "ngrams" && (is_given("chars") || !is_given("text"));
    let added = preset.options().iter();
    let added = added.filter(|(name, _)| !is_given(name) && !is_excluded(name));
    let added = added.flat_map(|(name, value)| [format!("--{name}"), (*value).to_owned()]);
    // They stand before `--`, after which all words are files.
    let (command, rest) = words.split_at(2);
    command.iter().cloned().chain(added.map(OsString::from)).chain(rest.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn train(line: &str, preset: Preset) -> String {
        let words = line.split(' ').map(OsString::from).collect();
        let words = expanded(words, preset).into_iter().map(|word| word.into_string().unwrap());
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn given_options_win() {
        let line =
            "rosenblatt train --preset text --text t --update=pa1:0.1 --normalize l1 -- a.csv";
        let expected = "rosenblatt train --ngrams 2 --weighting log --preset text --text t --update=pa1:0.1 --normalize l1 -- a.csv";
        assert_eq!(train(line, Preset::Text), expected);
        let line = "rosenblatt train --preset text --text a --chars 3:5 a.csv";
        assert!(!train(line, Preset::Text).contains("ngrams"));
        assert!(!train("rosenblatt train --preset text a.csv", Preset::Text).contains("ngrams"));
    }

    /// The help of a preset is the list of its options, and each option takes its value.
    #[test]
    fn the_help_is_the_list() {
        for preset in Preset::value_variants() {
            let list = preset.list(true);
            let value = preset.to_possible_value().unwrap();
            assert_eq!(value.get_help().unwrap().to_string(), list);
            let line = format!("rosenblatt train {list} --text a a.csv");
            assert!(Arguments::command().try_get_matches_from(line.split(' ')).is_ok(), "{line}");
        }
    }
}
