//! A number made of words, to see that they are still the same. No defence against intent.

use rosenblatt::data::Rows;

/// The sum of the words so far.
///
/// For a given state each step maps words one to one, and for a given word states: an exclusive or, a product
/// with an odd number, a shift folded in. So whatever follows, one changed word always changes the sum.
pub(super) struct Sum(u64);

impl Sum {
    pub(super) fn new() -> Self {
        Sum(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn word(&mut self, word: u64) {
        let product = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }

    /// The bytes as little-endian words, the last one filled up with zeros, and their number.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.word(u64::from_le_bytes(word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.word(u64::from_le_bytes(last));
        self.word(bytes.len() as u64);
    }

    pub(super) fn total(&self) -> u64 {
        self.0
    }
}

/// What tells labelled rows from others: their number, the number of features, and a sum of all entries that are not 0
/// and all classes, in their order. So it is the same however the rows are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fingerprint {
    /// The number of examples.
    pub examples: usize,
    /// The number of features.
    pub features: usize,
    /// The sum.
    pub sum: u64,
}

impl Fingerprint {
    /// That of rows with the numbers of their classes. Cost: a pass over the rows.
    pub fn of(rows: &Rows<'_>, classes: &[u32]) -> Self {
        let mut sum = Sum::new();
        for (row, &class) in rows.iter().zip(classes) {
            row.for_each(|j, x| {
                if x != 0.0 {
                    sum.word(j as u64);
                    sum.word(x.to_bits());
                }
            });
            // No feature has such a number.
            sum.word(!u64::from(class));
        }
        Fingerprint { examples: rows.len(), features: rows.features(), sum: sum.total() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_shows() {
        let values = [1.0, 0.0, 2.0, 0.0, 0.0, -3.0];
        let of = |values: &[f64], classes: &[u32]| {
            Fingerprint::of(&Rows::dense(values.to_vec(), 2).unwrap(), classes)
        };
        let first = of(&values, &[0, 1, 1]);
        for place in 0..values.len() {
            let mut other = values;
            other[place] += 0.5;
            assert_ne!(first, of(&other, &[0, 1, 1]));
        }
        assert_ne!(first, of(&values, &[1, 1, 1]));
        assert_ne!(first, of(&[1.0, 0.0, 0.0, -3.0, 2.0, 0.0], &[0, 1, 1]));
        // A zero is an absent entry, whatever its sign.
        assert_eq!(first, of(&[1.0, -0.0, 2.0, 0.0, 0.0, -3.0], &[0, 1, 1]));
        let sparse = Rows::sparse(vec![0, 1, 2, 3], vec![0, 0, 1], vec![1.0f32, 2.0, -3.0], 2);
        assert_eq!(first, Fingerprint::of(&sparse.unwrap(), &[0, 1, 1]));
    }
}
