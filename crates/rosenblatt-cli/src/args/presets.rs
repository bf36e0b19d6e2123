//! `--preset` and `--notes`: a list of ordinary options by a name.

use std::ffi::OsString;

use clap::{
    ArgMatches, CommandFactory, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    parser::ValueSource,
};
use rosenblatt::LectureNotes;

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
    pub(super) fn options(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Preset::Text => {
                &[("ngrams", "2"), ("weighting", "log"), ("normalise", "l2"), ("update", "arow:1")]
            }
            Preset::Images => &[("kernel", "poly:4"), ("keep", "vote"), ("epochs", "5")],
        }
    }
}

/// The options of notes for a command; a study draws its orders and makes no model.
pub(super) fn of_notes(notes: LectureNotes, is_study: bool) -> Vec<(&'static str, &'static str)> {
    let words = notes.words().into_iter().chain([("scale", "none")]);
    words.filter(|(name, _)| !is_study || !matches!(*name, "order" | "keep")).collect()
}

/// The options of notes as they are written.
pub(crate) fn notes_list(notes: LectureNotes, is_study: bool) -> String {
    let options = of_notes(notes, is_study).into_iter();
    options.map(|(name, value)| format!("--{name} {value}")).collect::<Vec<_>>().join(" ")
}

/// Takes the name of notes; the help of each is its title.
pub(super) fn notes_parser() -> impl TypedValueParser<Value = LectureNotes> {
    let value = |notes: LectureNotes| PossibleValue::new(notes.name()).help(notes.title());
    PossibleValuesParser::new(LectureNotes::ALL.map(value))
        .try_map(|name| name.parse::<LectureNotes>())
}

/// Adds options to the words of a command, except those that are given, those that a given one excludes, and word n-grams
/// without a text.
pub(super) fn expanded(words: &[OsString], options: &[(&str, &str)]) -> Vec<OsString> {
    let matches = Arguments::command().get_matches_from(words);
    let is_given = |name: &str| is_given(&matches, name);
    let is_excluded = |name: &str| match name {
        "ngrams" => is_given("chars") || !is_given("text"),
        "init" => is_given("start"),
        _ => false,
    };
    let added = options.iter().filter(|(name, _)| !is_given(name) && !is_excluded(name));
    let added = added.flat_map(|(name, value)| [format!("--{name}"), (*value).to_owned()]);
    // They stand before `--`, after which all words are files.
    let (command, rest) = words.split_at(2);
    command.iter().cloned().chain(added.map(OsString::from)).chain(rest.iter().cloned()).collect()
}

/// Whether the words of a command have the argument of this name.
pub(super) fn is_given(matches: &ArgMatches, name: &str) -> bool {
    let command = matches.subcommand().map(|(_, command)| command);
    let has = |command: &ArgMatches| command.try_contains_id(name).unwrap_or(false);
    let source =
        command.filter(|command| has(command)).and_then(|command| command.value_source(name));
    source == Some(ValueSource::CommandLine)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn train(line: &str, preset: Preset) -> String {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let words =
            expanded(&words, preset.options()).into_iter().map(|word| word.into_string().unwrap());
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

    #[test]
    fn notes_are_options_of_their_commands() {
        for notes in LectureNotes::ALL {
            for (command, is_study) in [("train", false), ("study", true)] {
                let line = format!("rosenblatt {command} {} a.csv", notes_list(notes, is_study));
                assert!(
                    Arguments::command().try_get_matches_from(line.split(' ')).is_ok(),
                    "{line}"
                );
            }
        }
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
