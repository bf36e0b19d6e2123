//! Terms whose meaning has one home, the first table of the glossary, and is quoted elsewhere word for word.

use serde::Deserialize;

use super::search::{Text, Wanted};

const GLOSSARY: &str = "docs/glossary.md";

/// A term of the glossary.
#[derive(Deserialize)]
pub(super) struct Term {
    /// Its row of the first table.
    name: String,
    /// The files that have its meaning, apart from the glossary.
    quoted: Vec<String>,
    /// The test that the meaning is true of the code, as `file: function`.
    shown: String,
}

impl Term {
    /// A file without the meaning, or a test that is not there.
    pub(super) fn problems(&self, texts: &[Text]) -> Vec<String> {
        let of = |file: &str| texts.iter().find(|text| text.file == file);
        let Some(meaning) = of(GLOSSARY).and_then(|text| meaning(text, &self.name)) else {
            return vec![format!("{GLOSSARY}: the first table has no term `{}`", self.name)];
        };
        let phrase = Wanted::Phrase(meaning.to_owned());
        let has = |file: &&String| of(file).is_some_and(|text| !phrase.lines(text).is_empty());
        let mut problems: Vec<String> = (self.quoted.iter().filter(|file| !has(file)))
            .map(|file| format!("{file}: `{}` is not quoted as {phrase}", self.name))
            .collect();
        let test = |(file, name): (&str, &str)| {
            let Some(text) = of(file) else { return false };
            let heads = [format!("fn {name}("), format!("def {name}(")];
            text.lines.iter().any(|line| heads.iter().any(|head| line.contains(head)))
        };
        if !self.shown.split_once(": ").is_some_and(test) {
            problems.push(format!("`{}`: there is no test `{}`", self.name, self.shown));
        }
        problems
    }
}

/// The third cell of the row of a term in the first table.
fn meaning<'t>(glossary: &'t Text, term: &str) -> Option<&'t str> {
    let rows = glossary.lines.iter().skip_while(|line| !line.starts_with('|'));
    let mut rows = rows.take_while(|line| line.starts_with('|'));
    rows.find_map(|row| {
        let cells: Vec<&str> = row.split('|').skip(1).map(str::trim).collect();
        (cells.first() == Some(&term)).then(|| cells.get(2).copied()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(help: &str) -> [Text; 3] {
        let glossary = "# Terms\n\n| term | symbol | meaning |\n|---|---|---|\n| blue | | not *red* (yet) |\n\n| blue | | 2 |\n";
        [
            Text::new(GLOSSARY, glossary),
            Text::new("a.rs", help),
            Text::new("t.rs", "fn it_is_blue() {}"),
        ]
    }

    fn problems(name: &str, help: &str, shown: &str) -> Vec<String> {
        let term = Term {
            name: name.to_owned(),
            quoted: vec!["a.rs".to_owned()],
            shown: shown.to_owned(),
        };
        term.problems(&texts(help))
    }

    #[test]
    fn a_quotation_may_be_broken_but_not_changed() {
        let good = "help: \"Blue is not *red* \\\n   (yet), so\"";
        assert!(problems("blue", good, "t.rs: it_is_blue").is_empty());
        let found = problems("blue", "/// Not *red*", "t.rs: it_is_blue");
        assert_eq!(found, ["a.rs: `blue` is not quoted as “not *red* (yet)”"]);
    }

    #[test]
    fn a_term_has_a_row_and_a_test() {
        let found = problems("green", "", "t.rs: it_is_blue");
        assert_eq!(found, ["docs/glossary.md: the first table has no term `green`"]);
        let found = problems("blue", "// not *red* (yet)", "t.rs: it_is");
        assert_eq!(found, ["`blue`: there is no test `t.rs: it_is`"]);
    }
}
