//! Words and names that must not come back, counted in all texts of the project, and terms that are quoted alike.
//!
//! `xtask/words.toml` lists the words, each with its replacement and with an allowance: how many places are left. A count
//! must equal its allowance, so that allowances only fall. It also lists the [`terms`].

mod search;
mod terms;

use std::{fs, process::Command};

use serde::Deserialize;

use crate::{Outcome, command::failed, root};
use search::{Text, Wanted};
use terms::Term;

const LIST: &str = "xtask/words.toml";

/// The endings of the files that are read.
const ENDINGS: [&str; 7] = [".rs", ".ts", ".mjs", ".py", ".pyi", ".md", ".toml"];

/// The beginnings of the paths of data, records, built files and the list itself.
const LEFT_OUT: [&str; 4] = ["data/", "record/", "crates/rosenblatt-lab/page/dist/", LIST];

/// The list of words.
#[derive(Deserialize)]
struct List {
    avoid: Vec<Entry>,
    term: Vec<Term>,
}

/// A word, the replacement and how many may be there.
#[derive(Deserialize)]
struct Entry {
    #[serde(flatten)]
    wanted: Wanted,
    instead: String,
    allowed: usize,
}

impl Entry {
    /// All places of the word, as `file:line: word; say …`.
    fn findings(&self, texts: &[Text]) -> Vec<String> {
        let finding = |text: &Text, line| {
            format!("{}:{line}: {}; say {}", text.file, self.wanted, self.instead)
        };
        let of_text =
            |text| self.wanted.lines(text).into_iter().map(move |line| finding(text, line));
        texts.iter().flat_map(of_text).collect()
    }
}

/// The step of the check: shows the places of words that are there more often than allowed, and the terms that are not
/// quoted.
pub(crate) fn check() -> Outcome {
    with_list(|_, list, texts| {
        let mut problems: Vec<String> =
            list.avoid.iter().filter_map(|entry| problem(entry, &entry.findings(texts))).collect();
        problems.extend(list.term.iter().flat_map(|term| term.problems(texts)));
        let left: usize = list.avoid.iter().map(|entry| entry.allowed).sum();
        println!("words: {} to avoid, {left} places still allowed", list.avoid.len());
        println!("terms: {} are quoted as the glossary has them", list.term.len());
        if problems.is_empty() { Outcome::Passed } else { failed(&problems.join("\n")) }
    })
}

/// Shows all places of all words, or of the words that contain `part`. It does not compare counts.
pub(crate) fn show(part: &str) -> Outcome {
    with_list(|_, list, texts| {
        let chosen = list.avoid.iter().filter(|entry| entry.wanted.to_string().contains(part));
        let findings: Vec<String> = chosen.flat_map(|entry| entry.findings(texts)).collect();
        findings.iter().for_each(|finding| println!("{finding}"));
        println!("words: {} places", findings.len());
        Outcome::Passed
    })
}

/// Lowers the allowances to the counts.
pub(crate) fn lower() -> Outcome {
    with_list(|list_text, list, texts| {
        let counts: Vec<usize> =
            list.avoid.iter().map(|entry| entry.findings(texts).len().min(entry.allowed)).collect();
        match fs::write(root().join(LIST), lowered(list_text, &counts)) {
            Ok(()) => check(),
            Err(error) => failed(&format!("{LIST}: {error}")),
        }
    })
}

/// Reads the list and all texts.
fn with_list(then: impl FnOnce(&str, &List, &[Text]) -> Outcome) -> Outcome {
    let Some(texts) = tracked() else {
        return Outcome::Skipped("git does not list the files of this folder".to_owned());
    };
    let text = fs::read_to_string(root().join(LIST)).map_err(|error| error.to_string());
    let list = text.and_then(|text| {
        let list: List = toml::from_str(&text).map_err(|error| error.to_string())?;
        Ok((text, list))
    });
    match list {
        Ok((text, list)) => then(&text, &list, &texts),
        Err(problem) => failed(&format!("{LIST}: {problem}")),
    }
}

/// The texts of the files under version control. A file that was deleted since is left out.
fn tracked() -> Option<Vec<Text>> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().ok()?;
    let names =
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())?;
    let text = |name: &str| Some(Text::new(name, &fs::read_to_string(root().join(name)).ok()?));
    Some(names.split('\0').filter(|name| is_ours(name)).filter_map(text).collect())
}

fn is_ours(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending))
        && !name.ends_with("THIRD-PARTY-LICENSES.md")
        && !LEFT_OUT.iter().any(|start| name.starts_with(start))
}

/// Compares the number of findings with the allowance.
fn problem(entry: &Entry, findings: &[String]) -> Option<String> {
    let (count, allowed) = (findings.len(), entry.allowed);
    let word = &entry.wanted;
    if count > allowed {
        let places = findings.join("\n");
        Some(format!("{places}\n{word}: {count} places, allowed are {allowed}"))
    } else if count < allowed {
        let remedy = "run `cargo xtask words --lower`";
        Some(format!("{word}: {count} places, fewer than the {allowed} allowed: {remedy}"))
    } else {
        None
    }
}

/// The list with new allowances, in its order; nothing else changes.
fn lowered(list: &str, counts: &[usize]) -> String {
    let mut counts = counts.iter();
    let line = |line: &str| match line.strip_prefix("allowed = ") {
        Some(old) => {
            let count = counts.next().map_or_else(|| old.to_owned(), usize::to_string);
            format!("allowed = {count}\n")
        }
        None => format!("{line}\n"),
    };
    list.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "# Words.\n[[avoid]]\nname = \"Gadget\"\ninstead = \"`Tool`\"\nallowed = 2\n\n\
                           [[avoid]]\nphrase = \"blue moon\"\ninstead = \"rarely\"\nallowed = 5\n";

    fn example() -> Vec<Entry> {
        toml::from_str::<List>(&format!("term = []\n{EXAMPLE}")).unwrap().avoid
    }

    #[test]
    fn a_finding_has_its_place_and_the_replacement() {
        let texts = [Text::new("a.rs", "fn f() {}\nstruct Gadget;\n")];
        assert_eq!(example()[0].findings(&texts), ["a.rs:2: `Gadget`; say `Tool`"]);
    }

    #[test]
    fn a_count_must_equal_its_allowance() {
        let [entry, _] = &example()[..] else { panic!("two entries") };
        let places = |count: usize| vec!["place".to_owned(); count];
        assert_eq!(problem(entry, &places(2)), None);
        let above = problem(entry, &places(3)).unwrap();
        assert_eq!(above, "place\nplace\nplace\n`Gadget`: 3 places, allowed are 2");
        assert!(problem(entry, &places(1)).unwrap().contains("--lower"));
    }

    #[test]
    fn lowering_changes_the_allowances_only() {
        let expected = EXAMPLE.replace("= 2", "= 1").replace("= 5", "= 0");
        assert_eq!(lowered(EXAMPLE, &[1, 0]), expected);
    }

    #[test]
    fn files_that_are_read() {
        let read = ["crates/a/src/lib.rs", "README.md", "xtask/sizes.toml", "docs/data.md"];
        assert!(read.iter().all(|name| is_ours(name)));
        let left_out = [
            "data/README.md",
            "THIRD-PARTY-LICENSES.md",
            LIST,
            "a.snap",
            "python/THIRD-PARTY-LICENSES.md",
        ];
        assert!(!left_out.iter().any(|name| is_ours(name)));
    }

    #[test]
    fn the_list_can_be_read() {
        let list: List = toml::from_str(include_str!("../words.toml")).unwrap();
        assert!(!list.avoid.is_empty() && !list.term.is_empty());
    }
}
