//! Where numbers end: the places of all bytes that are no digit, found before any number is read.
//!
//! One number after the other, each can be read only when the one before has told its end, and the processor
//! waits. With all ends known, it reads several at a time (the two stages of simdjson: Langdale & Lemire,
//! *VLDB Journal* 28, 2019).

use memchr::{memchr, memrchr};

/// The places of the bytes of a piece of text that are no digit, and how many of them are passed.
#[derive(Default)]
pub(crate) struct StructuralIndex {
    /// Ascending; after the last there are some at the end of the piece.
    places: Vec<u32>,
    next: usize,
    /// The end of the piece.
    end: usize,
}

/// The usual length of a piece: what is found in it stays in the nearest cache.
const PIECE: usize = 1 << 14;

/// The number of bytes that are looked at together.
const WINDOW: usize = 64;

/// How many marks are noted together; a window of usual text has fewer.
const GROUP: usize = 20;

impl StructuralIndex {
    /// The number of marks that can be looked at together.
    pub(crate) const AHEAD: usize = 7;

    /// Finds the marks of the whole lines at `from`, unless they are known.
    #[inline(always)]
    pub(crate) fn advance_to(&mut self, text: &[u8], from: usize) {
        if from >= self.end {
            self.find(text, from, piece(text, from));
        }
    }

    /// Finds the marks of `text[from..to]`, which lies in the first 4 GiB.
    #[inline(always)]
    pub(crate) fn find(&mut self, text: &[u8], from: usize, to: usize) {
        let most = (to - from).next_multiple_of(WINDOW) + GROUP + Self::AHEAD;
        if self.places.len() < most {
            self.places.resize(most, 0);
        }
        let mut found = 0;
        for at in (from..to).step_by(WINDOW) {
            let mut mask = match text[at..].first_chunk::<WINDOW>() {
                Some(window) => no_digits(window),
                None => {
                    let mut window = [b'0'; WINDOW];
                    window[..text.len() - at].copy_from_slice(&text[at..]);
                    no_digits(&window)
                }
            };
            if to - at < WINDOW {
                mask &= (1 << (to - at)) - 1;
            }
            self.note(mask, at as u32, found);
            found += mask.count_ones() as usize;
        }
        self.places[found..found + Self::AHEAD].fill(to as u32);
        (self.next, self.end) = (0, to);
    }

    /// Notes the marks of a window; what is beyond their number is written over later.
    #[inline(always)]
    fn note(&mut self, mut mask: u64, at: u32, found: usize) {
        let mut place = found;
        loop {
            for slot in &mut self.places[place..place + GROUP] {
                *slot = at + mask.trailing_zeros();
                mask &= mask.wrapping_sub(1);
            }
            place += GROUP;
            if mask == 0 {
                return;
            }
        }
    }

    /// Passes the marks before `at` and gives those that follow.
    #[inline(always)]
    pub(crate) fn from(&mut self, at: usize) -> &[u32; Self::AHEAD] {
        const NONE: [u32; StructuralIndex::AHEAD] = [u32::MAX; StructuralIndex::AHEAD];
        while self.places.get(self.next).is_some_and(|&place| (place as usize) < at) {
            self.next += 1;
        }
        self.places[self.next..].first_chunk().unwrap_or(&NONE)
    }

    /// Passes `marks` marks.
    #[inline(always)]
    pub(crate) fn pass(&mut self, marks: usize) {
        self.next += marks;
    }
}

/// The end of a piece of whole lines at `from`.
fn piece(text: &[u8], from: usize) -> usize {
    let near = &text[from..(from + PIECE).min(text.len())];
    let long = || memchr(b'\n', &text[from..]).map_or(text.len() - from, |i| i + 1);
    from + memrchr(b'\n', near).map_or_else(long, |i| i + 1)
}

/// A bit for each byte that is no digit, the first the lowest.
#[inline(always)]
fn no_digits(window: &[u8; WINDOW]) -> u64 {
    const PART: usize = if cfg!(target_arch = "x86_64") { 16 } else { 8 };
    let (parts, _) = window.as_chunks::<PART>();
    let mut mask = 0;
    for (i, part) in parts.iter().enumerate() {
        // SAFETY: every x86-64 processor has SSE2.
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        let bits = unsafe { no_digits_of_sixteen(part) };
        #[cfg(not(target_arch = "x86_64"))]
        let bits = no_digits_of_eight(part);
        mask |= bits << (PART * i);
    }
    mask
}

/// By registers of sixteen bytes.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn no_digits_of_sixteen(bytes: &[u8; 16]) -> u64 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_min_epu8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8,
        _mm_sub_epi8,
    };
    let both = i128::from_le_bytes(*bytes);
    let bytes = _mm_set_epi64x((both >> 64) as i64, both as i64);
    // A digit becomes its value, any other byte at least ten.
    let values = _mm_sub_epi8(bytes, _mm_set1_epi8(b'0' as i8));
    let digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    u64::from(!_mm_movemask_epi8(digits) as u16)
}

/// By the bytes of a word.
#[cfg_attr(target_arch = "x86_64", allow(dead_code))] // The tests compare.
#[inline]
fn no_digits_of_eight(bytes: &[u8; 8]) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let values = u64::from_le_bytes(*bytes) ^ 0x3030_3030_3030_3030;
    // The highest bit of each byte that is at least ten; no sum carries into the next byte.
    let others = (((values & LOW) + 0x7676_7676_7676_7676) | values) & !LOW;
    // The bit of byte i goes to place 56 + i; no two products meet.
    (others >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Each byte by itself, in each way.
    #[test]
    fn a_digit_is_no_mark() {
        for byte in 0..=255u8 {
            let (mut window, mut eight) = ([b'5'; WINDOW], [b'5'; 8]);
            (window[37], eight[6]) = (byte, byte);
            let bit = u64::from(!byte.is_ascii_digit());
            assert_eq!((no_digits(&window), no_digits_of_eight(&eight)), (bit << 37, bit << 6));
        }
        assert_eq!((no_digits(&[b'x'; WINDOW]), no_digits_of_eight(&[0xff; 8])), (u64::MAX, 255));
    }

    proptest! {
        #[test]
        fn all_marks_are_found(
            text in "([0-9]{0,70}[ :.a\u{e9}-]{0,5}){0,9}",
            ends in (0usize..400, 0usize..400),
        ) {
            let text = text.as_bytes();
            let (from, to) = (ends.0.min(ends.1).min(text.len()), ends.0.max(ends.1).min(text.len()));
            let mut marks = StructuralIndex::default();
            marks.find(text, from, to);
            for i in (from..to).filter(|&i| !text[i].is_ascii_digit()) {
                let next = marks.from(from)[0];
                prop_assert_eq!(next as usize, i);
                marks.pass(1);
            }
            prop_assert_eq!(marks.from(to), &[to as u32; StructuralIndex::AHEAD]);
        }
    }
}
