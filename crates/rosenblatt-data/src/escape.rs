//! Text from files, such as names of columns and labels, as it can be shown to a person.

/// Whether a character is not seen itself but changes how others are seen, or what a terminal does: control
/// characters, those that turn the direction of writing (a label `a<U+202E>b` looks as if it said something else), and
/// those without a width (two names that look the same may differ by one).
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// The text with every [hidden](is_hidden) character as an escape, such as `\u{202e}`.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_shown_as_an_escape() {
        let all = "a\u{202e}b\u{2066}c\u{2069}d\u{200e}e\u{61c}f\u{200b}g\u{feff}h\u{9b}i\u{1b}j\n";
        let shown =
            r"a\u{202e}b\u{2066}c\u{2069}d\u{200e}e\u{61c}f\u{200b}g\u{feff}h\u{9b}i\u{1b}j\n";
        assert_eq!(escaped(all), shown);
        // The first and the last of the characters of direction, by their code points.
        for code in [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200f]
        {
            assert!(is_hidden(char::from_u32(code).unwrap()), "{code:x}");
        }
    }

    #[test]
    fn every_script_is_shown_as_it_is() {
        let text = "naïve Ελλάδα العربية עברית 日本語 हिन्दी e\u{301} ±½−…“” 🙂";
        assert_eq!(escaped(text), text);
    }
}
