//! The parts of files that are made, and how one is replaced.

/// Where the made part of a file is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// The lines after the one that begins with `line`, as far as each begins with a word of `own`.
    After { line: &'static str, own: &'static [&'static str] },
    /// The lines between `<!-- NAME -->` and `<!-- /NAME -->`.
    Between(&'static str),
}

impl Part {
    /// The text of a file with this part replaced, if the file has a place for it.
    pub(super) fn replaced(self, text: &str, made: &str) -> Option<String> {
        let (before, _, after) = self.split(text)?;
        Some([before, made, after].concat())
    }

    /// The texts before, in and after the part.
    fn split(self, text: &str) -> Option<(&str, &str, &str)> {
        let (begin, end) = match self {
            Part::After { line, own } => {
                let begin = after_line(text, line)?;
                let is_own = |line: &&str| own.iter().any(|word| line.starts_with(word));
                let own = text[begin..].split_inclusive('\n').take_while(is_own);
                (begin, begin + own.map(str::len).sum::<usize>())
            }
            Part::Between(name) => {
                let begin = after_line(text, &format!("<!-- {name} -->\n"))?;
                (begin, begin + text[begin..].find(&format!("<!-- /{name} -->\n"))?)
            }
        };
        Some((&text[..begin], &text[begin..end], &text[end..]))
    }
}

/// Where the line after the first one with this beginning begins.
fn after_line(text: &str, beginning: &str) -> Option<usize> {
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        place += line.len();
        if line.starts_with(beginning) && line.ends_with('\n') {
            return Some(place);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: Part = Part::After { line: "license", own: &["repository", "homepage"] };

    #[test]
    fn keys_stand_after_their_line() {
        let plain = "[package]\nlicense = \"MIT\"\n\n[x]\nrepository = \"other\"\n";
        let full = KEYS.replaced(plain, "repository = \"a\"\nhomepage = \"b\"\n").unwrap();
        assert_eq!(
            full,
            "[package]\nlicense = \"MIT\"\nrepository = \"a\"\nhomepage = \"b\"\n\n[x]\nrepository = \"other\"\n"
        );
        assert_eq!(KEYS.replaced(&full, "").unwrap(), plain);
        assert_eq!(KEYS.replaced("[package]\n", ""), None);
    }

    #[test]
    fn a_block_is_between_its_marks() {
        let text = "a\n<!-- x -->\nold\n<!-- /x -->\nb\n";
        let new = Part::Between("x").replaced(text, "new\nlines\n").unwrap();
        assert_eq!(new, "a\n<!-- x -->\nnew\nlines\n<!-- /x -->\nb\n");
        assert_eq!(Part::Between("x").replaced("a\n<!-- x -->\n", "new\n"), None);
        assert_eq!(Part::Between("y").replaced(text, "new\n"), None);
    }
}
