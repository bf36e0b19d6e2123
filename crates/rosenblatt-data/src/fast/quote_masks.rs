//! Where records of a table with quotes end, by masks of 64 bytes.
//!
//! A byte is within quotes if an odd number of quotes comes before it: the masks of the quotes, summed bit by bit, with a
//! carry from window to window (the first stage of simdjson: Langdale & Lemire, *VLDB Journal* 28, 2019). That is so where
//! each quote that opens stands where a cell begins, and each that closes where it ends. Only speed depends on this module.

const WINDOW: usize = 64;

/// The place after the last line break outside quotes, if there is one. `None`: there are quotes that need a closer look.
pub(crate) fn last_record_end(bytes: &[u8], delimiter: u8, quote: u8) -> Option<Option<usize>> {
    if b"\r\n".contains(&quote) || b"\r\n".contains(&delimiter) || quote == delimiter {
        return None;
    }
    let (mut end, mut carry) = (None, Carry { starts: 1, ..Carry::default() });
    let (windows, rest) = bytes.as_chunks::<WINDOW>();
    for (i, window) in windows.iter().enumerate() {
        let breaks = carry.breaks(window, delimiter, quote)?;
        if breaks != 0 {
            end = Some(WINDOW * (i + 1) - breaks.leading_zeros() as usize);
        }
    }
    if !rest.is_empty() {
        // A letter, which is outside quotes only where text may be, would be text after a quote: the delimiter is none.
        let mut window = [delimiter; WINDOW];
        window[..rest.len()].copy_from_slice(rest);
        let breaks = carry.breaks(&window, delimiter, quote)?;
        if breaks != 0 {
            end = Some(WINDOW * (windows.len() + 1) - breaks.leading_zeros() as usize);
        }
    }
    Some(end)
}

/// What the windows before tell of a window: bits of its first byte, and a mask of all.
#[derive(Default)]
struct Carry {
    /// Whether a cell begins.
    starts: u64,
    /// Whether a quote closed before it.
    closed: u64,
    /// Whether such a quote and a carriage return come before it.
    returned: u64,
    /// All ones within quotes.
    within: u64,
}

impl Carry {
    /// The line breaks of the next window that are outside quotes.
    #[inline(always)]
    fn breaks(&mut self, window: &[u8; WINDOW], delimiter: u8, quote: u8) -> Option<u64> {
        let quotes = mask(window, quote);
        let breaks = mask(window, b'\n');
        let delimiters = mask(window, delimiter);
        let returns = mask(window, b'\r');
        // From an opening quote on up to before the closing one.
        let within = sums(quotes) ^ self.within;
        let (opening, closing) = (quotes & within, quotes & !within);
        let after_closing = closing << 1 | self.closed;
        let starts = ((delimiters | breaks) & !within) << 1 | self.starts;
        let after_return = (returns & after_closing) << 1 | self.returned;
        let is_odd = opening & !(starts | after_closing)
            | after_closing & !(quotes | delimiters | breaks | returns)
            | after_return & !breaks;
        *self = Carry {
            starts: ((delimiters | breaks) & !within) >> 63,
            closed: closing >> 63,
            returned: (returns & after_closing) >> 63,
            within: ((within as i64) >> 63) as u64,
        };
        (is_odd == 0).then_some(breaks & !within)
    }
}

/// Each bit becomes the sum of all up to it.
#[inline(always)]
fn sums(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

/// A bit for each byte that is `wanted`, the first the lowest.
#[inline(always)]
fn mask(window: &[u8; WINDOW], wanted: u8) -> u64 {
    const PART: usize = if cfg!(target_arch = "x86_64") { 16 } else { 8 };
    let (parts, _) = window.as_chunks::<PART>();
    let mut mask = 0;
    for (i, part) in parts.iter().enumerate() {
        // SAFETY: every x86-64 processor has SSE2.
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        let bits = unsafe { equal_of_sixteen(part, wanted) };
        #[cfg(not(target_arch = "x86_64"))]
        let bits = equal_of_eight(part, wanted);
        mask |= bits << (PART * i);
    }
    mask
}

/// By registers of sixteen bytes.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn equal_of_sixteen(bytes: &[u8; 16], wanted: u8) -> u64 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
    let both = i128::from_le_bytes(*bytes);
    let bytes = _mm_set_epi64x((both >> 64) as i64, both as i64);
    u64::from(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted as i8))) as u16)
}

/// By the bytes of a word.
#[cfg_attr(target_arch = "x86_64", allow(dead_code))] // The tests compare.
#[inline]
fn equal_of_eight(bytes: &[u8; 8], wanted: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let differences = u64::from_le_bytes(*bytes) ^ u64::from_le_bytes([wanted; 8]);
    // The highest bit of each byte that is 0; no sum carries into the next byte.
    let equal = !(((differences & LOW) + LOW) | differences) & !LOW;
    // The bit of byte i goes to place 56 + i; no two products meet.
    (equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        input::quotes::{Event, Scanner},
        options::Quoting,
    };

    fn slowly(bytes: &[u8]) -> Option<usize> {
        let mut scanner = Scanner::new(b',', Quoting::default());
        let ends = bytes.iter().map(|&byte| scanner.step(byte) == Event::RecordEnd);
        ends.collect::<Vec<_>>().iter().rposition(|&is_end| is_end).map(|last| last + 1)
    }

    #[test]
    fn each_byte_is_found_in_each_way() {
        for byte in 0..=255u8 {
            let (mut window, mut eight) = ([byte ^ 1; WINDOW], [byte ^ 0x80; 8]);
            (window[37], eight[6]) = (byte, byte);
            assert_eq!((mask(&window, byte), equal_of_eight(&eight, byte)), (1 << 37, 1 << 6));
        }
    }

    #[test]
    fn the_common_form_needs_no_closer_look() {
        let row = "\"a, \"\"b\"\"\n\",1.5,\"x\"\r\n".repeat(40);
        assert_eq!(last_record_end(row.as_bytes(), b',', b'"'), Some(Some(row.len())));
        for odd in ["a, \"b\"\n", "5\",2\n", "\"a\"b\n", "\"a\"\rb\n"] {
            assert_eq!(last_record_end(odd.as_bytes(), b',', b'"'), None, "{odd}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn the_last_end_is_that_of_the_scanner(
            cells in prop::collection::vec(
                "(\"([a1, \n\u{e9}]|\"\"){0,3}\"|\"[a,\n]{60,70}\"|[a1]{0,9}|[a]{55,70})(,|,|\n|\r\n)",
                0..20,
            ),
            odd in prop::option::weighted(0.3, "[a\", \r]{1,3}"),
            cut in 0usize..2000,
        ) {
            let text = cells.concat() + &odd.unwrap_or_default() + "a,b\n\"";
            let bytes = &text.as_bytes()[..text.len() - cut % (text.len() + 1)];
            if let Some(end) = last_record_end(bytes, b',', b'"') {
                prop_assert_eq!(end, slowly(bytes), "{:?}", text);
            }
        }
    }
}
