//! Decimal text to the nearest `f64`.

/// What a piece of text is as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// A finite number, correctly rounded.
    Finite(f64),
    /// NaN, an infinity, or digits past the range of `f64`.
    NotFinite,
    /// No number.
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

/// Reads the number that begins at `at`, if it has the common form `[-]digits[.digits]` with few digits;
/// with the place after it. `None` says nothing of the text: [`parse`] must look. What follows the number is
/// for the caller to look at; it may be an exponent.
///
/// The value is correctly rounded: digits that make a whole number up to 2⁵³, and a power of ten up to 10²²,
/// are floats, so their quotient has one rounding (Clinger, *PLDI* 1990).
#[inline]
pub(crate) fn quick(text: &[u8], at: usize) -> Option<(f64, usize)> {
    let is_negative = *text.get(at)? == b'-';
    let start = at + usize::from(is_negative);
    let (whole, digits) = eight_digits(text, start)?;
    if digits == 0 || digits == 8 {
        return None;
    }
    let point = start + digits;
    let (size, end) = match text.get(point) {
        Some(b'.') => fraction(text, point + 1, whole)?,
        _ => (whole as f64, point),
    };
    Some((if is_negative { -size } else { size }, end))
}

/// The number with the digits `whole`, at most seven, before the point and those at `at` after it.
#[inline]
fn fraction(text: &[u8], at: usize, whole: u64) -> Option<(f64, usize)> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    const TENS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
    let (part, digits) = eight_digits(text, at)?;
    let mantissa = whole * TENS[digits] + part;
    match digits {
        0 => None,
        // At most fifteen digits: below 2⁵³.
        1..8 => Some((mantissa as f64 / POWERS[digits], at + digits)),
        _ => {
            let (more, digits) = eight_digits(text, at + 8)?;
            let mantissa = mantissa.checked_mul(TENS[digits])?.checked_add(more)?;
            let is_short = digits < 8 && mantissa <= 1 << f64::MANTISSA_DIGITS;
            is_short.then(|| (mantissa as f64 / POWERS[8 + digits], at + 8 + digits))
        }
    }
}

/// The digits at `at`, up to eight, as a number, and how many there are; `None` near the end of the text.
#[inline]
pub(crate) fn eight_digits(text: &[u8], at: usize) -> Option<(u64, usize)> {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let bytes: [u8; 8] = text.get(at..at + 8)?.try_into().ok()?;
    // A digit becomes its value, any other byte at least ten.
    let values = u64::from_le_bytes(bytes) ^ 0x3030_3030_3030_3030;
    // The highest bit of each byte that is at least ten; no sum carries into the next byte.
    let others = (((values & LOW) + 0x7676_7676_7676_7676) | values) & !LOW;
    let digits = others.trailing_zeros() as usize / 8;
    if digits == 0 {
        return Some((0, 0));
    }
    // Zeros before them make them eight.
    let eight = values << (64 - 8 * digits);
    // Pairs of digits, then pairs of pairs, then the two fours: by sums of multiples in one product each.
    let pairs = eight.wrapping_mul(10).wrapping_add(eight >> 8);
    let fours =
        |shift: u32, factors: u64| ((pairs >> shift) & 0x00ff_0000_00ff).wrapping_mul(factors);
    let first = fours(0, 0x000f_4240_0000_0064);
    let second = fours(16, 0x0000_2710_0000_0001);
    Some((first.wrapping_add(second) >> 32, digits))
}

/// Whether `text` is a number, finite or not.
pub(crate) fn is_number(text: &[u8]) -> bool {
    parse(text) != Number::Not
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
        for text in ["", " 1", "1 ", "1,5", "0x10", "1_000", ".", "e5", "--1", "one"] {
            assert_eq!(parse(text.as_bytes()), Number::Not, "{text}");
        }
    }

    #[test]
    fn eight_digits_at_once() {
        for (text, expected) in [
            ("12345678", (12_345_678, 8)),
            ("1.345678", (1, 1)),
            ("98:45678", (98, 2)),
            (":1234567", (0, 0)),
            ("0000012/", (12, 7)),
            ("99999999", (99_999_999, 8)),
            ("1234\u{b2}78", (1234, 4)),
        ] {
            assert_eq!(eight_digits(text.as_bytes(), 0), Some(expected), "{text}");
        }
        assert_eq!(eight_digits(b"1234567", 0), None);
    }

    proptest! {
        /// The quick way reads what the slow way reads, to the last bit, and stops where digits end.
        #[test]
        fn quick_is_right(text in "-?[0-9]{0,9}(\\.[0-9]{0,19})?[ :,e/\n-]?[0-9 ]{0,9}") {
            let bytes = text.as_bytes();
            if let Some((value, end)) = quick(bytes, 0) {
                let Number::Finite(slow) = parse(&bytes[..end]) else { panic!("{text}") };
                prop_assert_eq!(value.to_bits(), slow.to_bits(), "{}", text);
                prop_assert!(!bytes.get(end).is_some_and(u8::is_ascii_digit));
            }
        }

        /// No bytes make it panic or read past the text.
        #[test]
        fn quick_takes_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..40), at in 0usize..50) {
            if let Some((_, end)) = quick(&bytes, at) {
                prop_assert!(end <= bytes.len());
            }
        }
    }
}
