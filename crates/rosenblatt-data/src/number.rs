//! Decimal text to the nearest `f64`.

/// A piece of text, read as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// A finite number, correctly rounded.
    Finite(f64),
    /// NaN, an infinity, or digits past the range of `f64`.
    NotFinite,
    /// Text that is not a number.
    Not,
}

/// Reads all of `text`: `[+-]digits[.digits][e[+-]digits]`, `inf`, `nan` and the like.
#[inline]
pub(crate) fn parse(text: &[u8]) -> Number {
    match fast_float2::parse::<f64, _>(text) {
        Ok(value) if value.is_finite() => Number::Finite(value),
        Ok(_) => Number::NotFinite,
        Err(_) => Number::Not,
    }
}

/// Reads the number with which `text` begins, if it is finite, and returns its length.
pub(crate) fn parse_start(text: &[u8]) -> Option<(f64, usize)> {
    fast_float2::parse_partial(text).ok().filter(|(value, _): &(f64, _)| value.is_finite())
}

/// Whether `text` is a number, finite or not.
pub(crate) fn is_number(text: &[u8]) -> bool {
    parse(text) != Number::Not
}

/// Whether `text` is a word for NaN or an infinity: a number in a column of numbers, a word in a column of text.
pub(crate) fn is_word(text: &[u8]) -> bool {
    parse(text) == Number::NotFinite && !text.iter().any(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_number() {
        for (text, value) in [("1", 1.0), ("+1.50", 1.5), ("-.5e1", -5.0), ("5.", 5.0), ("-0", 0.0)]
        {
            assert_eq!(parse(text.as_bytes()), Number::Finite(value), "{text}");
        }
        for text in ["nan", "NaN", "inf", "-Infinity", "1e999"] {
            assert_eq!(parse(text.as_bytes()), Number::NotFinite, "{text}");
        }
        assert!(["nan", "-NaN", "Inf", "infinity"].iter().all(|text| is_word(text.as_bytes())));
        assert!(["1e999", "1", "none", ""].iter().all(|text| !is_word(text.as_bytes())));
        for text in ["", " 1", "1 ", "1,5", "0x10", "1_000", ".", "e5", "--1", "one"] {
            assert_eq!(parse(text.as_bytes()), Number::Not, "{text}");
        }
    }
}
