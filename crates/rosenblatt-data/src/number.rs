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

/// 2⁵³, from which on not every integer is a float.
const GAPS: f64 = 9_007_199_254_740_992.0;

/// Whether a number that is read as `value` is an integer, in digits, that no float is.
#[inline]
pub(crate) fn is_inexact_integer(text: &[u8], value: f64) -> bool {
    value.abs() >= GAPS && digits_differ(text, value)
}

fn digits_differ(text: &[u8], value: f64) -> bool {
    let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.iter().all(u8::is_ascii_digit)
        && format!("{:.0}", value.abs()).as_bytes() != &digits[zeros..]
}

/// The decimal of a number that is read as `value`, unless it is the shortest one of this float.
pub(crate) fn other_decimal(text: &[u8], value: f64) -> Option<rosenblatt_core::data::Decimal> {
    use rosenblatt_core::data::Decimal;
    if has_few_digits(text, value) {
        return None;
    }
    let written = std::str::from_utf8(text).ok().and_then(Decimal::parse)?;
    (written != Decimal::shortest(value)).then_some(written)
}

/// Whether a number that is read as `value` has so few digits that it is the shortest decimal of this float: no two decimals of
/// up to 15 digits are read as one float (Matula 1968), but near the smallest.
#[inline]
pub(crate) fn has_few_digits(text: &[u8], value: f64) -> bool {
    const MOST: usize = 15;
    const SMALL: f64 = 1e-290;
    let is_zero = || text.iter().all(|byte| b"0.+-".contains(byte));
    text.len() <= MOST && (value.abs() >= SMALL || is_zero())
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
    fn integers_that_no_float_is() {
        for (text, expected) in [
            ("9007199254740992", false),
            ("9007199254740993", true),
            ("-9007199254740993", true),
            ("+0009007199254740993", true),
            ("0009007199254740994", false),
            ("9007199254740993.0", false),
            ("9007199254740993e0", false),
            ("100000000000000000000", false),
            ("100000000000000000001", true),
            ("7", false),
        ] {
            let Number::Finite(value) = parse(text.as_bytes()) else { panic!("{text}") };
            assert_eq!(is_inexact_integer(text.as_bytes(), value), expected, "{text}");
        }
    }

    #[test]
    fn decimals_that_are_not_the_shortest() {
        for text in ["0.1", "0.10000000000000000", "1e22", "-0.0", "0e5", "0.30000000000000004"] {
            let Number::Finite(value) = parse(text.as_bytes()) else { panic!("{text}") };
            assert_eq!(other_decimal(text.as_bytes(), value), None, "{text}");
        }
        for text in ["0.10000000000000001", "9007199254740993", "1e-400", "4e-324", "-1E-325"] {
            let Number::Finite(value) = parse(text.as_bytes()) else { panic!("{text}") };
            assert!(other_decimal(text.as_bytes(), value).is_some(), "{text}");
        }
    }

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
