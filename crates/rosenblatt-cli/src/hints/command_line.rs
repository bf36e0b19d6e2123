//! The command as it was typed, with further options: a hint that can be run as it is.

use std::{env, ffi::OsString, fmt};

use crate::{
    args::{self, Command},
    error::CliError,
};

/// The words of a command line after the name of the program.
#[derive(Clone, Debug)]
pub(crate) struct CommandLine {
    words: Vec<String>,
}

impl CommandLine {
    /// The command line of this process; `None` if a word is not Unicode.
    pub(crate) fn typed() -> Option<Self> {
        let words: Result<Vec<String>, _> =
            env::args_os().skip(1).map(|word| word.into_string()).collect();
        Some(CommandLine { words: words.ok()? })
    }

    /// The command that these words are.
    pub(crate) fn parsed(&self) -> Result<Command, CliError> {
        args::parse(self.words.iter().map(OsString::from).collect())
    }

    /// Adds an option without a value.
    pub(crate) fn add_flag(&mut self, option: &str) {
        if !self.words.iter().any(|word| word == option) {
            self.insert(&[option]);
        }
    }

    /// Sets an option that has one value.
    pub(crate) fn set(&mut self, option: &str, value: &str) {
        match self.value_of(option) {
            Some(place) => place.replace(&mut self.words, option, value),
            None => self.insert(&[option, value]),
        }
    }

    /// Adds values to an option that takes a list. Where they are names of columns, which may have commas, a name with a comma
    /// stays apart from others, and so does a typed list, which may be one name.
    pub(crate) fn add_to_list(&mut self, option: &str, values: &[String], are_columns: bool) {
        let has_comma = |value: &&String| are_columns && value.contains(',');
        let (alone, listed): (Vec<&String>, Vec<&String>) = values.iter().partition(has_comma);
        let listed = listed.into_iter().map(String::as_str).collect::<Vec<_>>().join(",");
        if !listed.is_empty() {
            let place =
                self.value_of(option).map(|place| (place.value(&self.words, option), place));
            match place.filter(|(old, _)| !has_comma(&old)) {
                Some((old, place)) => {
                    place.replace(&mut self.words, option, &format!("{old},{listed}"));
                }
                None => self.insert(&[option, &listed]),
            }
        }
        alone.into_iter().for_each(|value| self.insert(&[option, value]));
    }

    /// Appends words; after `--`, all words are names of files.
    fn insert(&mut self, words: &[&str]) {
        let end = self.words.iter().position(|word| word == "--").unwrap_or(self.words.len());
        self.words.splice(end..end, words.iter().map(|&word| word.to_owned()));
    }

    /// The last value of an option.
    fn value_of(&self, option: &str) -> Option<Place> {
        let end = self.words.iter().position(|word| word == "--").unwrap_or(self.words.len());
        let is_joined =
            |word: &str| word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='));
        (0..end).rev().find_map(|i| match &self.words[i] {
            word if is_joined(word) => Some(Place::Joined(i)),
            word if word == option && i + 1 < end => Some(Place::Next(i + 1)),
            _ => None,
        })
    }
}

/// The place of the value of an option.
enum Place {
    /// In the word of the option, after `=`.
    Joined(usize),
    /// A word of its own.
    Next(usize),
}

impl Place {
    fn value(&self, words: &[String], option: &str) -> String {
        match self {
            Place::Joined(i) => words[*i][option.len() + 1..].to_owned(),
            Place::Next(i) => words[*i].clone(),
        }
    }

    fn replace(self, words: &mut [String], option: &str, value: &str) {
        match self {
            Place::Joined(i) => words[i] = format!("{option}={value}"),
            Place::Next(i) => value.clone_into(&mut words[i]),
        }
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rosenblatt")?;
        self.words.iter().try_for_each(|word| write!(f, " {}", shell_word(word)))
    }
}

/// A word as a shell takes it.
pub(super) fn shell_word(word: &str) -> String {
    let plain = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '_' | '-' | '.' | '/' | ',' | '=' | ':' | '+' | '%' | '@')
    };
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &str) -> CommandLine {
        CommandLine { words: words.split(' ').map(str::to_owned).collect() }
    }

    #[test]
    fn options_are_added_once() {
        let mut command = line("train d.csv --ignore a --target=x -- --odd.csv");
        command.set("--target", "y");
        command.set("--decimal", "comma");
        command.add_flag("--no-header");
        command.add_flag("--no-header");
        command.add_to_list("--ignore", &["b c".to_owned(), "d".to_owned()], true);
        let expected = "rosenblatt train d.csv --ignore 'a,b c,d' --target=y --decimal comma \
                        --no-header -- --odd.csv";
        assert_eq!(command.to_string(), expected);
    }

    #[test]
    fn names_with_commas_stay_alone() {
        let mut command = line("train d.csv --ignore a,b");
        command.add_to_list("--ignore", &["c".to_owned(), "d,e".to_owned()], true);
        let expected = "rosenblatt train d.csv --ignore a,b --ignore c --ignore d,e";
        assert_eq!(command.to_string(), expected);
        let mut command = line("train d.csv");
        command.set("--target", "it's");
        assert_eq!(command.to_string(), "rosenblatt train d.csv --target 'it'\\''s'");
    }
}
