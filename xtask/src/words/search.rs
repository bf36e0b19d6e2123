//! Finds names, phrases and openings of doc comments in a text.

use std::fmt;

use serde::Deserialize;

/// A word to look for.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Wanted {
    /// A whole identifier.
    Name(String),
    /// Words in any case, also over the end of a line.
    Phrase(String),
    /// The first words of a doc comment of Rust.
    Opening(String),
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Name(name) => write!(f, "`{name}`"),
            Wanted::Phrase(phrase) => write!(f, "“{phrase}”"),
            Wanted::Opening(words) => write!(f, "“{words} …” as an opening"),
        }
    }
}

/// A file's text as lines and as running words.
pub(super) struct Text {
    pub(super) file: String,
    pub(super) lines: Vec<String>,
    /// All lines as one, in small letters, without marks of comments, one space between words.
    running: String,
    /// Where each line begins in `running`.
    starts: Vec<usize>,
}

impl Text {
    pub(super) fn new(file: &str, text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let (mut running, mut starts) = (String::new(), Vec::new());
        for line in &lines {
            starts.push(running.len());
            for word in words(line) {
                running.push_str(&word.to_lowercase());
                running.push(' ');
            }
        }
        Text { file: file.to_owned(), lines, running, starts }
    }

    /// The number of the line, from 1, at a place of the running words.
    fn line_at(&self, place: usize) -> usize {
        self.starts.partition_point(|&start| start <= place)
    }
}

/// The words of a line without the mark of a comment before and that of a broken text after them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let line = line.trim().trim_end_matches('\\');
    let marks = ["///", "//!", "//", "#", "*", ">"];
    let line = marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    line.split_whitespace()
}

impl Wanted {
    /// The numbers of the lines, from 1, on which the word begins; a line counts as often as it has the word.
    pub(super) fn lines(&self, text: &Text) -> Vec<usize> {
        match self {
            Wanted::Name(name) => numbered(&text.lines)
                .flat_map(|(number, line)| places(line, name).map(move |_| number))
                .collect(),
            Wanted::Phrase(phrase) => {
                let phrase = phrase.to_lowercase();
                places(&text.running, &phrase).map(|place| text.line_at(place)).collect()
            }
            Wanted::Opening(_) if !text.file.ends_with(".rs") => Vec::new(),
            Wanted::Opening(words) => openings(&text.lines)
                .filter(|(_, opening)| places(opening, words).next() == Some(0))
                .map(|(number, _)| number)
                .collect(),
        }
    }
}

/// Lines with their numbers, from 1.
fn numbered(lines: &[String]) -> impl Iterator<Item = (usize, &String)> {
    (1..).zip(lines)
}

/// The first line of each doc comment, without its mark.
fn openings(lines: &[String]) -> impl Iterator<Item = (usize, &str)> {
    let comment = |line: &str| line.trim_start().starts_with("//");
    let before = std::iter::once(false).chain(lines.iter().map(move |line| comment(line)));
    let first = numbered(lines).zip(before).filter(|(_, before)| !before);
    first.filter_map(|((number, line), _)| {
        let line = line.trim_start();
        let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
        Some((number, text.trim_start()))
    })
}

/// The places of a word in a text, where no letter, digit or underscore goes on before or after it.
fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).map(|(place, _)| place).filter(move |&place| {
        !text[..place].ends_with(inside) && !text[place + word.len()..].starts_with(inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(wanted: Wanted, text: &str) -> Vec<usize> {
        wanted.lines(&Text::new("a.rs", text))
    }

    #[test]
    fn names_are_whole_identifiers_in_their_case() {
        let text = "Gadget gadget Gadgets\nmy_Gadget\nx::Gadget(Gadget)\n";
        assert_eq!(lines(Wanted::Name("Gadget".to_owned()), text), [1, 3, 3]);
    }

    #[test]
    fn phrases_go_over_the_ends_of_lines() {
        let text =
            "/// Once in a Blue\n    /// moon.\nblue moons\n\"a blue \\\n   moon\"\nblue  moon";
        assert_eq!(lines(Wanted::Phrase("Blue moon".to_owned()), text), [1, 4, 6]);
    }

    #[test]
    fn openings_of_doc_comments() {
        let text =
            "/// Thus it is.\n/// Thus no.\nfn f() {} // Thus no\n    /// Thus.\n/// x\n/// Thusly";
        assert_eq!(lines(Wanted::Opening("Thus".to_owned()), text), [1, 4]);
        let text = Text::new("a.md", "/// Thus it is.");
        assert!(Wanted::Opening("Thus".to_owned()).lines(&text).is_empty());
    }
}
