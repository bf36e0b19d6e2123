//! Decimal numbers, several digits at a time.
//!
//! Only speed depends on this module: text that it does not read is left to [`number::parse`].

use crate::number;

/// A finite number within a text.
pub(crate) struct Found {
    pub(crate) value: f64,
    /// The place after it.
    pub(crate) end: usize,
    /// The number of marks up to its end; 0 where they were not needed.
    pub(crate) marks: usize,
}

/// The marks of a number: sign, point, `e`, sign of the exponent, end.
type Marks = [u32; 5];

/// Reads the finite number that begins at `at`; `marks` are the next bytes that are no digit. `None`:
/// [`number::parse`] has to read the text, or it is an integer that no float is. What follows the number is for the caller to look at.
#[inline(always)]
pub(crate) fn number(text: &[u8], at: usize, marks: &Marks) -> Option<Found> {
    match short(text, at, marks) {
        Some((value, passed)) => Some(Found::at_mark(value, marks, passed)),
        None => long(text, at, marks),
    }
}

/// Reads a number that is not [`short`]. It is a function of its own so that the loop over short numbers stays small.
#[inline(never)]
fn long(text: &[u8], at: usize, marks: &Marks) -> Option<Found> {
    if let Some((value, passed)) = quick(text, at, marks) {
        return Some(Found::at_mark(value, marks, passed));
    }
    let (value, length) = number::parse_start(text.get(at..)?)?;
    if number::is_inexact_integer(&text[at..at + length], value) {
        return None;
    }
    Some(Found { value, end: at + length, marks: 0 })
}

impl Found {
    /// A number that ends at the last of the marks passed.
    #[inline(always)]
    fn at_mark(value: f64, marks: &Marks, passed: usize) -> Self {
        Found { value, end: marks[passed - 1] as usize, marks: passed }
    }
}

/// The powers of ten by which [`short`] and [`quick`] divide. Numbers with more decimals usually have too many digits for
/// a quotient.
const POWERS: [f64; 15] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14];

/// The result of [`quick`] for the most frequent form alone: `[-]digits.digits` without an exponent and with at most seven
/// digits on each side of the point. Fourteen digits make a whole number below 2⁵³.
#[inline(always)]
fn short(text: &[u8], at: usize, marks: &Marks) -> Option<(f64, usize)> {
    let sign = usize::from(*text.get(at)? == b'-');
    let (start, point, end) = (at + sign, marks[sign] as usize, marks[1 + sign] as usize);
    let is_short = *text.get(point)? == b'.' && !matches!(text.get(end)?, b'e' | b'E');
    if !is_short {
        return None;
    }
    let (whole, decimals) = (digits(text, start, point)?, digits(text, point + 1, end)?);
    let places = end - (point + 1);
    let size = (whole * TENS[places] + decimals) as i64 as f64 / POWERS[places];
    Some((f64::from_bits(size.to_bits() | (sign as u64) << 63), sign + 2))
}

/// Reads the number that begins at `at`, if it has the form `[-]digits[.digits][e[+-]digits]` with at most 19 digits.
/// Returns its value and how many marks it has, of which the last is its end.
///
/// The value is correctly rounded: digits that make a whole number up to 2⁵³, and a power of ten up to 10²²,
/// are floats, so their quotient has one rounding (Clinger, *PLDI* 1990). [`nearest`] rounds the others.
#[inline(always)]
fn quick(text: &[u8], at: usize, marks: &Marks) -> Option<(f64, usize)> {
    // The sign is a mark itself. (No jump depends on it: signs are not predictable.)
    let sign = usize::from(*text.get(at)? == b'-');
    let (start, point) = (at + sign, marks[sign] as usize);
    let (mut mantissa, mut power, mut last) = (digits_up_to_19(text, start, point)?, 0, sign);
    if text.get(point) == Some(&b'.') {
        last += 1;
        let (first, end) = (point + 1, marks[last] as usize);
        let decimals = digits_up_to_19(text, first, end)?;
        mantissa = mantissa.checked_mul(TENS[end - first])?.checked_add(decimals)?;
        power -= (end - first) as i32;
    }
    if let Some(b'e' | b'E') = text.get(marks[last] as usize) {
        let (exponent, more) = exponent(text, [marks[last], marks[last + 1], marks[last + 2]])?;
        power += exponent;
        last += more;
    }
    let size = match POWERS.get(power.wrapping_neg() as usize) {
        Some(ten) if mantissa <= 1 << f64::MANTISSA_DIGITS => mantissa as i64 as f64 / ten,
        // An integer that no float is.
        _ if last == sign && mantissa as f64 as u64 != mantissa => return None,
        _ => nearest(mantissa, power)?,
    };
    Some((f64::from_bits(size.to_bits() | (sign as u64) << 63), last + 1))
}

/// The exponent whose `e` is the first of these marks, and how many marks it has after that.
#[inline(always)]
fn exponent(text: &[u8], [e, next, end]: [u32; 3]) -> Option<(i32, usize)> {
    /// Larger than any in the table.
    const LARGE: u64 = 1000;
    let signed = usize::from(next == e + 1);
    let (sign, end) = (*text.get(next as usize)?, if signed == 1 { end } else { next });
    if signed == 1 && !matches!(sign, b'-' | b'+') {
        return None;
    }
    let size = digits(text, e as usize + 1 + signed, end as usize)?.min(LARGE) as i32;
    // No jump depends on the sign here either.
    let negative = i32::from(signed == 1 && sign == b'-');
    Some(((size ^ -negative) + negative, 1 + signed))
}

/// The float nearest to `size`·10^`power`. `None`: it is too near to the middle between two floats, or the power is
/// outside of the table.
///
/// The factor of the table is cut off: less than 1 is missing. So less than 2⁶⁴ is missing in the product of 128 bits, and
/// less than 2 in its high half. Unless the middle lies in between, the true product is rounded to the same float.
#[inline(always)]
fn nearest(size: u64, power: i32) -> Option<f64> {
    if size == 0 {
        return Some(0.0);
    }
    let (factor, exponent) = *POWERS_OF_TEN.get(usize::try_from(power + LARGEST_POWER).ok()?)?;
    let zeros = size.leading_zeros();
    let high = ((u128::from(size << zeros) * u128::from(factor)) >> 64) as u64;
    // The high half has 63 or 64 bits; a float has 53.
    let dropped = 63 - f64::MANTISSA_DIGITS + (high >> 63) as u32;
    let (rest, middle) = (high & ((1 << dropped) - 1), 1 << (dropped - 1));
    if rest == middle || rest + 1 == middle {
        return None;
    }
    let mantissa = (high >> dropped) + u64::from(rest > middle);
    // The highest bit of the mantissa, which a float does not store, adds 1 to the exponent.
    let exponent = 1022 + 52 + 64 + exponent + dropped as i32 - zeros as i32;
    Some(f64::from_bits(((exponent as u64) << (f64::MANTISSA_DIGITS - 1)) + mantissa))
}

/// The last power of ten in the table: twice its power of five is below 2¹²⁸.
const LARGEST_POWER: i32 = 54;

/// The powers of ten from 10^−54 to 10^54: 64 bits, cut off, and the exponent of two by which to multiply them.
static POWERS_OF_TEN: [(u64, i32); 2 * LARGEST_POWER as usize + 1] = {
    let mut all = [(0, 0); 2 * LARGEST_POWER as usize + 1];
    let mut power = 0;
    while power <= LARGEST_POWER {
        let five = 5u128.pow(power as u32);
        let zeros = five.leading_zeros();
        all[(LARGEST_POWER + power) as usize] =
            (((five << zeros) >> 64) as u64, power + 64 - zeros as i32);
        if power > 0 {
            all[(LARGEST_POWER - power) as usize] = reciprocal(five, -power);
        }
        power += 1;
    }
    all
};

/// The quotient 1/`five`, one bit after the other, until there are 64.
const fn reciprocal(five: u128, mut exponent: i32) -> (u64, i32) {
    let (mut quotient, mut rest) = (0u64, 1);
    while quotient.leading_zeros() > 0 {
        rest *= 2;
        exponent -= 1;
        quotient *= 2;
        if rest >= five {
            rest -= five;
            quotient += 1;
        }
    }
    (quotient, exponent)
}

const TENS: [u64; 20] = {
    let mut all = [1; 20];
    let mut i = 1;
    while i < all.len() {
        all[i] = 10 * all[i - 1];
        i += 1;
    }
    all
};

/// The number with the digits `text[at..end]`, one to nineteen; some number where a byte is no digit.
#[inline(always)]
fn digits_up_to_19(text: &[u8], at: usize, end: usize) -> Option<u64> {
    let joined =
        |high: u64, low: u64, digits: usize| high.wrapping_mul(TENS[digits]).wrapping_add(low);
    let seven = |start| digits(text, start, start + 7);
    match end.wrapping_sub(at) {
        1..8 => digits(text, at, end),
        n @ 8..15 => Some(joined(seven(at)?, digits(text, at + 7, end)?, n - 7)),
        n @ 15..20 => {
            let high = joined(seven(at)?, seven(at + 7)?, 7);
            Some(joined(high, digits(text, at + 14, end)?, n - 14))
        }
        _ => None,
    }
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

    /// The next marks of a text.
    fn marks(text: &[u8]) -> Marks {
        let mut index = StructuralIndex::default();
        index.find(text, 0, text.len());
        let [marks @ .., _, _] = *index.from(0);
        marks
    }

    /// The number with which a text begins, by [`quick`].
    fn quickly(text: &str) -> Option<f64> {
        let text = text.to_owned() + ",1234567";
        quick(text.as_bytes(), 0, &marks(text.as_bytes())).map(|(value, _)| value)
    }

    fn slowly(text: &str) -> Option<f64> {
        match parse(text.as_bytes()) {
            Number::Finite(value) => Some(value),
            _ => None,
        }
    }

    /// Long numbers are read quickly, so that the tests below compare two ways.
    #[test]
    fn quick_reads_long_numbers() {
        for text in [
            "0.12345678901234567",
            "-1.234567890123456789e-01",
            "1.5e-05",
            "1.23456E+05",
            "2e5",
            "1700000000",
            "9999999999999997952",
            "0.0012345678901234567",
            "12345678901234.56789e-45",
            "0.0000000000000000000",
        ] {
            assert_eq!(quickly(text), slowly(text), "{text}");
            assert!(quickly(text).is_some(), "{text}");
        }
        for text in [
            "+1",
            ".5",
            "1.",
            "1e",
            "e5",
            "12345678901234567890",
            "9999999999999999999",
            "1e999",
            "nan",
            "-",
            "",
        ] {
            assert_eq!(quickly(text), None, "{text}");
        }
    }

    #[test]
    fn every_power_of_ten_is_nearest() {
        for power in -LARGEST_POWER..=LARGEST_POWER {
            for size in [1, 3, 7, 1 << 53, (1 << 53) + 1, 9_999_999_999_999_999_999, u64::MAX] {
                let text = format!("{size}e{power}");
                let nearest = nearest(size, power);
                assert!(nearest.is_none() || nearest == slowly(&text), "{text}");
            }
            assert!([1, 3, 7].iter().any(|&size| nearest(size, power).is_some()), "{power}");
        }
        assert_eq!((nearest(1, -LARGEST_POWER - 1), nearest(1, LARGEST_POWER + 1)), (None, None));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// A number is read to the last bit as the slow way reads it, and up to its end.
        #[test]
        fn a_number_of_any_form_is_right(
            text in "[+-]?[0-9]{0,25}(\\.[0-9]{0,25})?([eE][+-]?([0-9]{0,2}|3[0-4][0-9]))?",
            rest in "[ :,\n\tx][0-9 ]{0,9}",
        ) {
            let whole = text.clone() + &rest;
            let found = number(whole.as_bytes(), 0, &marks(whole.as_bytes()));
            if let Some(Found { value, end, .. }) = found {
                prop_assert_eq!(Some(value.to_bits()), slowly(&whole[..end]).map(f64::to_bits), "{}", whole);
                prop_assert!(!whole.as_bytes()[end].is_ascii_digit(), "{}", whole);
            }
            let is_exact = |value| !number::is_inexact_integer(text.as_bytes(), value);
            if slowly(&text).is_some_and(is_exact) {
                prop_assert_eq!(found.map(|found| found.end), Some(text.len()), "{}", whole);
            }
        }

        /// The nearest float, also next to the middle between two floats.
        #[test]
        fn nearest_is_right(bits in any::<u64>(), shift in 0u32..64, power in -60..60) {
            // 54 bits, the last of which is 1.
            let middle = ((bits >> 10) | 1) << 10;
            for size in [bits >> shift, middle >> shift, (middle >> shift) + 1] {
                if let Some(value) = nearest(size, power) {
                    prop_assert_eq!(Some(value), slowly(&format!("{size}e{power}")));
                }
            }
        }

        /// The quick way reads what the slow way reads, to the last bit, and stops where digits end.
        #[test]
        fn quick_is_right(text in "-?[0-9]{0,9}(\\.[0-9]{0,19})?[ :,e/\n-]?[0-9 ]{0,9}") {
            let bytes = text.as_bytes();
            let marks = marks(bytes);
            for (value, used) in [short(bytes, 0, &marks), quick(bytes, 0, &marks)].into_iter().flatten() {
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
            let marks = marks(text.as_bytes());
            let found = quick(text.as_bytes(), 0, &marks);
            prop_assert!(found.is_some());
            let short = short(text.as_bytes(), 0, &marks);
            prop_assert_eq!(short, found.filter(|_| text.contains('.')));
        }

        /// No bytes make it panic or read past the text.
        #[test]
        fn quick_takes_any_bytes(
            bytes in proptest::collection::vec(any::<u8>(), 0..40),
            at in 0usize..50,
            marks in any::<[u8; 5]>(),
        ) {
            let _ = number(&bytes, at, &marks.map(|mark| u32::from(mark % 50)));
        }
    }
}
