//! Hashes of short texts for tables that never leave the process.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Makes hashes by a seed of the process, so that no file can choose texts with equal hashes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeededHash(u64);

impl Default for SeededHash {
    fn default() -> Self {
        SeededHash(RandomState::new().hash_one(0))
    }
}

impl BuildHasher for SeededHash {
    type Hasher = Folded;

    #[inline]
    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

/// Eight bytes at a time: both halves of a product of 128 bits, one upon the other.
pub(crate) struct Folded(u64);

impl Folded {
    #[inline]
    fn add(&mut self, word: u64) {
        /// 2⁶⁴ divided by the golden ratio.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(self.0 ^ word) * u128::from(FACTOR);
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

impl Hasher for Folded {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        // The length was written before, so zeros are told from none.
        if !rest.is_empty() {
            self.add(rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
        }
    }

    #[inline]
    fn write_usize(&mut self, length: usize) {
        self.add(length as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn texts_that_differ_in_a_byte_or_in_their_length_are_told_apart() {
        let build = SeededHash(7);
        let hash = |text: &[u8]| build.hash_one(text);
        let mut texts: Vec<Vec<u8>> = (0..24).map(|length| vec![0; length]).collect();
        for place in 0..20 {
            for byte in 1..=255 {
                let mut text = vec![0; 20];
                text[place] = byte;
                texts.push(text);
            }
        }
        let hashes: HashSet<u64> = texts.iter().map(|text| hash(text)).collect();
        assert_eq!(hashes.len(), texts.len());
        // The ends of hashes alone are spread, too: tables go by them.
        let low: HashSet<u64> = texts.iter().map(|text| hash(text) & 0xffff).collect();
        assert!(low.len() * 100 > texts.len() * 90, "{} of {}", low.len(), texts.len());
        assert_ne!(hash(b"a"), SeededHash(8).hash_one(b"a".as_slice()));
    }
}
