//! Text from files in messages.

use std::borrow::Cow;

/// The longest text from a file in a message, in characters.
pub const LONGEST_EXCERPT: usize = 200;

/// The text as a message quotes it: one of more than [`LONGEST_EXCERPT`] characters is cut, so that no name or label makes a
/// message as long as its file.
///
/// ```
/// use rosenblatt_core::data::excerpt;
/// assert_eq!(excerpt("height"), "height");
/// assert_eq!(excerpt(&"x".repeat(1_000_000)).chars().count(), 201);
/// ```
pub fn excerpt(text: &str) -> Cow<'_, str> {
    beginning(text, LONGEST_EXCERPT)
}

/// At most `most` characters of a text, with an ellipsis after those of a longer one.
pub fn beginning(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_longer_texts_are_cut() {
        assert_eq!(beginning("äöü", 3), "äöü");
        assert_eq!(beginning("äöüß", 3), "äöü…");
        assert_eq!(beginning("", 0), "");
    }
}
