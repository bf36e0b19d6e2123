//! Rows that are equal in all features, and whether they are so by chance.

use std::collections::BTreeMap;

use crate::data::{Row, Rows, Values};

/// Which rows of a data set are copies: rows whose features are equal, as the learner sees them, whatever their classes.
/// Zeros are equal whatever their sign, and whether they are stored or not. Rows that are nearly equal are no copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies {
    /// For each row the place of the first row that equals it.
    firsts: Vec<u32>,
    copied: usize,
}

impl Copies {
    /// Finds the copies among rows, by a hash and then by comparison. Cost: one pass over the rows, and a sort of their hashes.
    ///
    /// ```
    /// use rosenblatt_core::{data::Rows, split::Copies};
    /// let rows = Rows::dense(&[1.0, 0.0, 2.0, 5.0, 1.0, -0.0], 2)?;
    /// let copies = Copies::of(&rows);
    /// assert_eq!((copies.firsts(), copies.count()), (&[0, 1, 0][..], 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(rows: &Rows<'_>) -> Self {
        let mut hashed: Vec<(u64, u32)> = rows.iter().map(hash).zip(0..).collect();
        hashed.sort_unstable();
        let row = |place: u32| rows.row(place as usize);
        let equal =
            |one: &(u64, u32), other: &(u64, u32)| entries(row(one.1)).eq(entries(row(other.1)));
        let mut copies = Copies { firsts: (0..hashed.len() as u32).collect(), copied: 0 };
        for same_hash in hashed.chunk_by_mut(|one, other| one.0 == other.0) {
            // In a stable order the first of equal rows remains the first.
            same_hash.sort_by(|one, other| entries(row(one.1)).cmp(entries(row(other.1))));
            for group in same_hash.chunk_by(equal).filter(|group| group.len() > 1) {
                copies.copied += group.len();
                group.iter().for_each(|copy| copies.firsts[copy.1 as usize] = group[0].1);
            }
        }
        copies
    }

    /// For each row the place of the first row that equals it.
    pub fn firsts(&self) -> &[u32] {
        &self.firsts
    }

    /// The number of rows that equal another row.
    pub fn count(&self) -> usize {
        self.copied
    }

    /// Whether the features of each row of `others` occur among the rows at the places `learned`.
    pub fn are_seen(&self, learned: &[usize], others: &[usize]) -> Vec<bool> {
        let mut is_learned = vec![false; self.firsts.len()];
        learned.iter().for_each(|&place| is_learned[self.firsts[place] as usize] = true);
        others.iter().map(|&place| is_learned[self.firsts[place] as usize]).collect()
    }

    /// Whether rows were copied: see [`were_copied`].
    pub(crate) fn were_made(&self, classes: &[u32]) -> bool {
        let key = |(&class, &first): (&u32, &u32)| (class, first.into());
        self.copied > 0 && were_copied(classes.iter().zip(&self.firsts).map(key).collect())
    }
}

/// The entries of a row that are not 0: feature and bits.
fn entries(row: Row<'_>) -> impl Iterator<Item = (u64, u64)> {
    let value = move |entry: usize| match row.values() {
        Values::F64(values) => values[entry],
        Values::F32(values) => values[entry].into(),
    };
    let feature =
        move |entry: usize| row.indices().map_or(entry as u64, |all| u64::from(all[entry]));
    (0..row.stored())
        .map(move |entry| (feature(entry), value(entry)))
        .filter(|(_, value)| *value != 0.0)
        .map(|(feature, value)| (feature, value.to_bits()))
}

/// A hash of the features of a row, the same on every machine.
pub fn hash(row: Row<'_>) -> u64 {
    /// The finalizer of SplitMix64 (Steele, Lea & Flood, *OOPSLA* 2014).
    fn mix(mut z: u64) -> u64 {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    let mut sum = 0x9e37_79b9_7f4a_7c15;
    row.for_each(|j, x| {
        if x != 0.0 {
            sum = mix(mix(sum ^ (j as u64 + 1)) ^ x.to_bits());
        }
    });
    sum
}

/// Whether rows were copied, within a class or across classes, beyond what independent draws from one source repeat. Each row
/// has its class and a number that is the same for equal rows.
pub fn were_copied(mut rows: Vec<(u32, u64)>) -> bool {
    rows.sort_unstable();
    let classes: Vec<_> = rows.chunk_by(|a, b| a.0 == b.0).collect();
    if classes.iter().any(|class| break_chance(class)) || is_drawn_again(&classes) {
        return true;
    }
    let mut all: Vec<(u32, u64)> = rows.into_iter().map(|(_, key)| (0, key)).collect();
    all.sort_unstable();
    break_chance(&all)
}

/// The least number of rows of a class, and of its repeated rows, from which [`is_drawn_again`] tells something.
const FEW: usize = 20;

/// Whether most rows of a class occur more than once, and hardly any of another class do, as after an oversampling of the
/// smaller class. A source may have such classes, too; then copies are kept together without need.
fn is_drawn_again(classes: &[&[(u32, u64)]]) -> bool {
    let repeated = |class: &[(u32, u64)]| -> usize {
        class.chunk_by(|a, b| a == b).map(<[_]>::len).filter(|&times| times > 1).sum()
    };
    let counts: Vec<(usize, usize)> =
        classes.iter().map(|class| (repeated(class), class.len())).collect();
    let is_mostly = counts.iter().any(|&(again, rows)| again >= FEW && 2 * again > rows);
    let is_hardly = counts.iter().any(|&(again, rows)| rows >= FEW && 50 * again < rows);
    is_mostly && is_hardly
}

/// Whether rows, in sorted order, repeat otherwise than by chance.
///
/// Let n₁, n₂, … be the numbers of different rows that occur once, twice, … among N independent draws. By the inequality of
/// Cauchy & Schwarz for their means Σ C(N, k) pᵏ(1 − p)ᴺ⁻ᵏ over the rows, of probabilities p,
///
/// ```text
/// E[nₖ]² ≤ E[nₖ₋₁]·E[nₖ₊₁]·(k + 1)(N − k + 1)/(k(N − k)),
/// ```
///
/// whatever the distribution. Copies break this: of rows that all occur twice, n₁ and n₃ are 0. A difference counts if it
/// remains after three standard deviations of each number, and five rows.
fn break_chance(rows: &[(u32, u64)]) -> bool {
    let mut different = BTreeMap::<usize, f64>::new();
    for equal in rows.chunk_by(|a, b| a == b) {
        *different.entry(equal.len()).or_default() += 1.0;
    }
    let number = |times: usize| different.get(&times).copied().unwrap_or(0.0);
    let least = |times: usize| (number(times) - 3.0 * number(times).sqrt()).max(0.0);
    let most = |times: usize| number(times) + 3.0 * number(times).sqrt() + 5.0;
    let draws = rows.len() as f64;
    different.keys().filter(|&&times| 1 < times && times < rows.len()).any(|&times| {
        let k = times as f64;
        let factor = (k + 1.0) * (draws - k + 1.0) / (k * (draws - k));
        least(times) * least(times) > most(times - 1) * most(times + 1) * factor
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small numbers in dense and in sparse rows of both widths: the copies are those of a comparison of each two rows.
    #[test]
    fn copies_are_those_of_each_pair() {
        let mut state = 1u32;
        let mut value = |_| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            [0.0, -0.0, 1.0, -1.0, 0.5][(state >> 16) as usize % 5]
        };
        let values: Vec<f64> = (0..180).map(&mut value).collect();
        let narrow: Vec<f32> = values.iter().map(|&x| x as f32).collect();
        // Every zero but each third is left out.
        let stored: Vec<usize> = (0..180).filter(|&i| values[i] != 0.0 || i % 3 == 0).collect();
        let offsets: Vec<usize> =
            (0..=60).map(|row| stored.partition_point(|&i| i < 3 * row)).collect();
        let indices: Vec<u32> = stored.iter().map(|&i| i as u32 % 3).collect();
        let kept: Vec<f64> = stored.iter().map(|&i| values[i]).collect();
        let first = |row: usize| {
            (0..60).find(|&other| values[3 * other..][..3] == values[3 * row..][..3]).unwrap()
        };
        let firsts: Vec<u32> = (0..60).map(|row| first(row) as u32).collect();
        let repeated = |first: &u32| firsts.iter().filter(|&other| other == first).count() > 1;
        let count = firsts.iter().filter(|first| repeated(first)).count();
        assert!(0 < count && count < 60, "{count}");
        for rows in [
            Rows::dense(values.clone(), 3).unwrap(),
            Rows::dense(narrow, 3).unwrap(),
            Rows::sparse(offsets, indices, kept, 3).unwrap(),
        ] {
            let copies = Copies::of(&rows);
            assert_eq!((copies.firsts(), copies.count()), (&firsts[..], count));
        }
    }

    #[test]
    fn what_was_seen() {
        let rows = Rows::dense(vec![1.0, 2.0, 1.0, 3.0, 2.0, 4.0], 1).unwrap();
        let copies = Copies::of(&rows);
        assert_eq!(copies.count(), 4);
        assert_eq!(copies.are_seen(&[0, 1, 3], &[2, 4, 5]), [true, true, false]);
        assert_eq!(copies.are_seen(&[], &[0]), [false]);
    }

    /// Copies with other labels are no copies within a class.
    #[test]
    fn copies_with_random_labels_were_made() {
        let rows = Rows::dense((0..600).map(|i| f64::from(i / 3)).collect::<Vec<_>>(), 1).unwrap();
        let labels: Vec<u32> = (0u32..600).map(|i| i.wrapping_mul(2_654_435_761) >> 31).collect();
        assert!(Copies::of(&rows).were_made(&labels));
        let few = rows.select(&(0..60).step_by(2).collect::<Vec<_>>());
        assert!(!Copies::of(&few).were_made(&labels[..30]));
    }
}
