//! Text in the format of Vowpal Wabbit, told by its first line: `label [importance] [tag]|namespace feature[:value] …`.
//!
//! Its features are names that are hashed, in namespaces, and its rows have weights. None of that is read; lines without
//! all this are those of other formats, spelled otherwise.

use crate::number;

/// How the lines of a file can be rewritten for a format that is read, by the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VowpalWabbitLines {
    /// A label and `index:value` in one namespace, as in LIBSVM.
    Indices,
    /// A label and words in one namespace, as in a table of labels and texts.
    Words,
    /// Anything else.
    Other,
}

/// The form of a line of this format; `None` if it may be one of another format.
pub(crate) fn lines_like(line: &[u8]) -> Option<VowpalWabbitLines> {
    let bar = line.iter().position(|&byte| byte == b'|')?;
    let (before, namespace) = (&line[..bar], &line[bar + 1..]);
    let mut start = words(before);
    let label = start.next().filter(|word| number::is_number(word))?;
    let name = namespace.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    let features: Vec<&[u8]> = words(&namespace[name..]).collect();
    // In a table that is separated by bars, nothing but a blank follows a bar after a blank.
    let is_after_blank = before.last().is_some_and(u8::is_ascii_whitespace);
    let has_values = features.iter().any(|word| word.contains(&b':'));
    let is_name =
        namespace[..name].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let is_certain = is_after_blank && is_name && !features.is_empty() && (name > 0 || has_values);
    if !is_certain {
        return None;
    }
    let is_plain = start.next().is_none() && !label.is_empty() && !namespace.contains(&b'|');
    Some(match is_plain {
        true if features.iter().all(|word| is_entry(word)) => VowpalWabbitLines::Indices,
        true if !has_values => VowpalWabbitLines::Words,
        _ => VowpalWabbitLines::Other,
    })
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Whether a word is `index:value`.
fn is_entry(word: &[u8]) -> bool {
    let Some(colon) = word.iter().position(|&byte| byte == b':') else { return false };
    let index = &word[..colon];
    !index.is_empty()
        && index.iter().all(u8::is_ascii_digit)
        && number::is_number(&word[colon + 1..])
}

#[cfg(test)]
mod tests {
    use super::{VowpalWabbitLines::*, *};

    #[test]
    fn the_first_line_tells_the_form() {
        for (line, form) in [
            ("-1 |f 9:6.2e-02 14:0.5", Some(Indices)),
            ("1 | 3:1", Some(Indices)),
            ("1 |text free prize now", Some(Words)),
            ("1 2.0 |f 1:1", Some(Other)),
            ("1 |a 1:1 |b 2:1", Some(Other)),
            ("1 | price:.23 sqft:.25", Some(Other)),
            ("1 |f 9:0.5 word", Some(Other)),
            ("1|2|3", None),
            ("1 | 2 | 3", None),
            ("a |f 1:1", None),
            ("1 |f", None),
            ("+1 1:0.5", None),
        ] {
            assert_eq!(lines_like(line.as_bytes()), form, "{line}");
        }
    }
}
