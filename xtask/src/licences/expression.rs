//! SPDX licence expressions: `MIT OR (Apache-2.0 WITH LLVM-exception AND Zlib)`; in old crates `/` is `OR`.

use std::collections::BTreeSet;

/// Whether what is allowed suffices for an expression; `None` when it is none.
pub(super) fn allows(expression: &str, allowed: &BTreeSet<String>) -> Option<bool> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = Words { words: spaced.split_whitespace().collect(), at: 0, allowed };
    let holds = words.any()?;
    (words.at == words.words.len()).then_some(holds)
}

struct Words<'w> {
    words: Vec<&'w str>,
    at: usize,
    allowed: &'w BTreeSet<String>,
}

impl<'w> Words<'w> {
    /// Whether the next word is this one, which is then over.
    fn take(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at) == Some(&word);
        self.at += usize::from(found);
        found
    }

    fn next(&mut self) -> Option<&'w str> {
        let word = self
            .words
            .get(self.at)
            .filter(|word| !["OR", "AND", "WITH", "(", ")"].contains(word))?;
        self.at += 1;
        Some(word)
    }

    fn any(&mut self) -> Option<bool> {
        let mut holds = self.all()?;
        while self.take("OR") {
            holds |= self.all()?;
        }
        Some(holds)
    }

    fn all(&mut self) -> Option<bool> {
        let mut holds = self.one()?;
        while self.take("AND") {
            holds &= self.one()?;
        }
        Some(holds)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let holds = self.any()?;
            return self.take(")").then_some(holds);
        }
        let name = self.next()?;
        let licence = if self.take("WITH") {
            format!("{name} WITH {}", self.next()?)
        } else {
            name.to_owned()
        };
        Some(self.allowed.contains(&licence))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_decided() {
        let allowed = ["MIT", "Zlib", "A WITH X"].map(str::to_owned).into();
        let allows = |expression| allows(expression, &allowed);
        for yes in [
            "MIT",
            "GPL-3.0 OR MIT",
            "GPL-3.0/MIT",
            "MIT AND Zlib",
            "(B OR MIT) AND Zlib",
            "A WITH X",
            "B AND C OR MIT",
        ] {
            assert_eq!(allows(yes), Some(true), "{yes}");
        }
        for no in
            ["GPL-3.0", "MIT AND GPL-3.0", "A", "A WITH Y", "(B OR C) AND MIT", "MIT AND B OR C"]
        {
            assert_eq!(allows(no), Some(false), "{no}");
        }
        for none in ["", "MIT OR", "MIT Zlib", "(MIT", "MIT)", "OR MIT", "A WITH"] {
            assert_eq!(allows(none), None, "{none}");
        }
    }
}
