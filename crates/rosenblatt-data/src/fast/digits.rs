//! Short decimal numbers, several digits at a time.
//!
//! Only speed depends on this module: text that it does not read is left to [`number::parse`](crate::number::parse).

/// Reads the number that begins at `at`, if it has the common form `[-]digits[.digits]` with few digits;
/// `marks` are the next bytes that are no digit. Returns its value and how many marks it has, of which the last
/// is its end. `None`: [`number::parse`](crate::number::parse) has to read the text. What follows the number is for the caller
/// to look at; it may be an exponent.
///
/// The value is correctly rounded: digits that make a whole number up to 2⁵³, and a power of ten up to 10²²,
/// are floats, so their quotient has one rounding (Clinger, *PLDI* 1990).
#[inline(always)]
pub(crate) fn quick(text: &[u8], at: usize, marks: &[u32; 3]) -> Option<(f64, usize)> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    const TENS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
    // The sign is a mark itself. (No jump depends on it: signs are not predictable.)
    let sign = usize::from(*text.get(at)? == b'-');
    let (start, point, end) = (at + sign, marks[sign] as usize, marks[1 + sign] as usize);
    let with_sign = |size: f64| f64::from_bits(size.to_bits() | (sign as u64) << 63);
    if text.get(point) != Some(&b'.') {
        let whole = digits(text, start, point)?;
        return Some((with_sign(whole as i64 as f64), sign + 1));
    }
    let (whole, first) = (digits(text, start, point)?, point + 1);
    let size = match end.wrapping_sub(first) {
        // At most fourteen digits: below 2⁵³.
        digits_after @ 1..8 => {
            let part = digits(text, first, end)?;
            (whole * TENS[digits_after] + part) as i64 as f64 / POWERS[digits_after]
        }
        digits_after @ 8..15 => {
            let (high, low) = (digits(text, first, first + 7)?, digits(text, first + 7, end)?);
            let mantissa = (whole * 10_000_000 + high).checked_mul(TENS[digits_after - 7])?;
            let mantissa = mantissa.checked_add(low)?;
            (mantissa <= 1 << f64::MANTISSA_DIGITS)
                .then(|| mantissa as f64 / POWERS[digits_after])?
        }
        _ => return None,
    };
    Some((with_sign(size), sign + 2))
}

/// The number with the digits `text[at..end]`, one to seven; `None` for others, and near the end of the text.
#[inline(always)]
pub(crate) fn digits(text: &[u8], at: usize, end: usize) -> Option<u64> {
    let digits = end.wrapping_sub(at);
    let bytes: [u8; 8] = *text.get(at..)?.first_chunk()?;
    if !(1..8).contains(&digits) {
        return None;
    }
    // The last digit comes last; zeros before the first make them eight.
    let eight = (u64::from_le_bytes(bytes) ^ 0x3030_3030_3030_3030) << (64 - 8 * digits);
    // Pairs of digits, then pairs of pairs, then the two fours: by sums of multiples in one product each.
    let pairs = eight.wrapping_mul(10).wrapping_add(eight >> 8);
    let fours =
        |shift: u32, factors: u64| ((pairs >> shift) & 0x00ff_0000_00ff).wrapping_mul(factors);
    let first = fours(0, 0x000f_4240_0000_0064);
    let second = fours(16, 0x0000_2710_0000_0001);
    Some(first.wrapping_add(second) >> 32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        fast::structural_index::StructuralIndex,
        number::{Number, parse},
    };

    #[test]
    fn up_to_seven_digits_at_once() {
        for (text, end, expected) in [
            ("12345678", 7, Some(1_234_567)),
            ("1.345678", 1, Some(1)),
            ("98:45678", 2, Some(98)),
            ("0000012/", 7, Some(12)),
            ("9999999:", 7, Some(9_999_999)),
            ("12345678", 8, None),
            ("12345678", 0, None),
            ("1234567", 3, None),
        ] {
            assert_eq!(digits(text.as_bytes(), 0, end), expected, "{text}");
        }
    }

    proptest! {
        /// The quick way reads what the slow way reads, to the last bit, and stops where digits end.
        #[test]
        fn quick_is_right(text in "-?[0-9]{0,9}(\\.[0-9]{0,19})?[ :,e/\n-]?[0-9 ]{0,9}") {
            let bytes = text.as_bytes();
            let mut marks = StructuralIndex::default();
            marks.find(bytes, 0, bytes.len());
            let [a, b, c, ..] = *marks.from(0);
            let marks = [a, b, c];
            if let Some((value, used)) = quick(bytes, 0, &marks) {
                let end = marks[used - 1] as usize;
                let Number::Finite(slow) = parse(&bytes[..end]) else { panic!("{text}") };
                prop_assert_eq!(value.to_bits(), slow.to_bits(), "{}", text);
                prop_assert!(!bytes.get(end).is_some_and(u8::is_ascii_digit));
            }
        }

        /// The common form is read quickly, so that the test above compares two ways.
        #[test]
        fn quick_reads_the_common_form(text in "-?[0-9]{1,7}(\\.[0-9]{1,7})?") {
            let text = text + " 1234567";
            let mut marks = StructuralIndex::default();
            marks.find(text.as_bytes(), 0, text.len());
            let [a, b, c, ..] = *marks.from(0);
            prop_assert!(quick(text.as_bytes(), 0, &[a, b, c]).is_some());
        }

        /// No bytes make it panic or read past the text.
        #[test]
        fn quick_takes_any_bytes(
            bytes in proptest::collection::vec(any::<u8>(), 0..40),
            at in 0usize..50,
            marks in (0u32..50, 0u32..50, 0u32..50),
        ) {
            let _ = quick(&bytes, at, &marks.into());
        }
    }
}
