//! The number of different values among many, in bounded memory.

use std::{
    collections::{HashSet, hash_map::DefaultHasher},
    hash::{BuildHasherDefault, Hasher},
};

/// Counts different values by their hashes: exactly up to a limit. Beyond it, only hashes below a threshold are remembered,
/// which is halved whenever they are too many; their number tells how many there are in all. The order of the values does not
/// matter.
#[derive(Clone, Debug)]
pub(crate) struct Distinct {
    hashes: HashSet<u64, BuildHasherDefault<AsItIs>>,
    /// The most hashes that are remembered.
    most: usize,
    /// How often the threshold was halved.
    halvings: u32,
}

impl Distinct {
    pub(crate) fn new(most: usize) -> Self {
        Distinct { hashes: HashSet::default(), most, halvings: 0 }
    }

    /// A count of no values, to be joined with this one: it remembers no value that this one would not, and has room for as many
    /// as a block of rows may have.
    pub(crate) fn part(&self) -> Self {
        const ROWS: usize = 1 << 12;
        let room = self.hashes.len().min(ROWS);
        Distinct { hashes: HashSet::with_capacity_and_hasher(room, Default::default()), ..*self }
    }

    pub(crate) fn add_text(&mut self, text: &[u8]) {
        self.add(hash_of_text(text));
    }

    pub(crate) fn add_number(&mut self, number: f64) {
        self.add(hash_of_number(number));
    }

    fn is_remembered(&self, hash: u64) -> bool {
        is_below(hash, self.halvings)
    }

    fn add(&mut self, hash: u64) {
        if !self.is_remembered(hash) || !self.hashes.insert(hash) {
            return;
        }
        while self.hashes.len() > self.most {
            self.halvings += 1;
            let halvings = self.halvings;
            self.hashes.retain(|&hash| is_below(hash, halvings));
        }
    }

    /// Adds the values of another count with the same limit.
    pub(crate) fn join(&mut self, other: Distinct) {
        if self.halvings < other.halvings {
            self.halvings = other.halvings;
            self.hashes.retain(|&hash| is_below(hash, other.halvings));
        }
        other.hashes.into_iter().for_each(|hash| self.add(hash));
    }

    /// Whether every value was told apart.
    pub(crate) fn is_exact(&self) -> bool {
        self.halvings == 0
    }

    /// The number of different values; an estimate, unless [`is_exact`](Self::is_exact).
    pub(crate) fn count(&self) -> u64 {
        (self.hashes.len() as u64).saturating_mul(1 << self.halvings.min(32))
    }

    /// Whether a text is among the values, as far as they are told apart.
    pub(crate) fn contains_text(&self, text: &[u8]) -> bool {
        self.hashes.contains(&hash_of_text(text))
    }

    /// Whether a number is among the values, as far as they are told apart.
    pub(crate) fn contains_number(&self, number: f64) -> bool {
        self.hashes.contains(&hash_of_number(number))
    }

    /// A number that is equal for equal sets of few values.
    pub(crate) fn signature(&self) -> u64 {
        self.hashes.iter().fold(0, |all, hash| all ^ hash)
    }
}

/// Whether a hash is below the threshold, which is about its upper half: the set itself goes by the ends of the hashes.
fn is_below(hash: u64, halvings: u32) -> bool {
    hash << 8 >> 24 & ((1 << halvings.min(32)) - 1) == 0
}

/// Hashes are spread already.
#[derive(Clone, Debug, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

fn hash_of_text(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text);
    hasher.finish()
}

fn hash_of_number(number: f64) -> u64 {
    // −0 is 0.
    mixed((number + 0.0).to_bits())
}

/// Spreads bits: the finalizer of SplitMix64 (Steele, Lea & Flood 2014).
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_are_counted_and_many_estimated() {
        let mut few = Distinct::new(64);
        for i in 0..1000 {
            few.add_number(f64::from(i % 50));
        }
        few.add_number(-0.0);
        assert_eq!((few.count(), few.is_exact()), (50, true));
        let mut texts = Distinct::new(64);
        [b"a", b"b", b"a"].iter().for_each(|text| texts.add_text(*text));
        assert_eq!(texts.count(), 2);
        assert!(texts.contains_text(b"b") && !texts.contains_text(b"c"));
        let mut many = Distinct::new(1 << 12);
        for i in 0..200_000 {
            many.add_number(f64::from(i));
        }
        assert!(!many.is_exact() && (190_000..210_000).contains(&many.count()), "{}", many.count());
    }

    #[test]
    fn the_order_of_values_does_not_matter() {
        let counted = |values: &mut dyn Iterator<Item = i32>| {
            let mut distinct = Distinct::new(100);
            values.for_each(|value| distinct.add_number(f64::from(value)));
            (distinct.count(), distinct.signature())
        };
        assert_eq!(counted(&mut (0..5000)), counted(&mut (0..5000).rev()));
        assert_ne!(counted(&mut (0..50)), counted(&mut (1..51)));
        for cut in [0, 90, 2500, 5000] {
            let part = |range: std::ops::Range<i32>| {
                let mut distinct = Distinct::new(100);
                range.for_each(|value| distinct.add_number(f64::from(value)));
                distinct
            };
            let mut joined = part(cut..5000);
            joined.join(part(0..cut));
            assert_eq!((joined.count(), joined.signature()), counted(&mut (0..5000)), "{cut}");
            let mut whole = part(0..cut);
            let mut rest = whole.part();
            (cut..5000).for_each(|value| rest.add_number(f64::from(value)));
            whole.join(rest);
            assert_eq!((whole.count(), whole.signature()), counted(&mut (0..5000)), "{cut}");
        }
    }
}
