//! Equal rows with opposite signs: the shortest proof of non-separability.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
};

use rosenblatt_core::data::{Examples, Row, Sign};

/// The first example that repeats an earlier row with the other sign, as (earlier, later), counted from 0.
///
/// Rows are equal if all their values are: a stored zero equals an absent one, and −0 equals 0. The hash only groups
/// equal rows, so its random keys change no answer.
///
/// Cost: one pass, and a sort of one number per row.
pub(super) fn contradiction(examples: &Examples<'_>) -> Option<(usize, usize)> {
    let hashes = sorted_hashes(examples);
    let groups = hashes.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    let pairs = groups.filter_map(|group| first_pair(examples, group));
    pairs.min_by_key(|&(_, later)| later)
}

/// As many disjoint pairs of equal rows with opposite signs as there are, counted from 0, in ascending order.
///
/// Cost: as for [`contradiction`].
pub(super) fn contradictions(examples: &Examples<'_>) -> Vec<(usize, usize)> {
    let hashes = sorted_hashes(examples);
    let groups = hashes.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    let mut pairs: Vec<_> = groups.flat_map(|group| all_pairs(examples, group)).collect();
    pairs.sort_unstable();
    pairs
}

/// The hash and the place of each row, in ascending order.
fn sorted_hashes(examples: &Examples<'_>) -> Vec<(u64, usize)> {
    let state = RandomState::new();
    let rows = examples.rows().iter().enumerate();
    let mut hashes: Vec<(u64, usize)> = rows.map(|(i, row)| (hash(&state, row), i)).collect();
    hashes.sort_unstable();
    hashes
}

/// The pairs among rows with the same hash: the first positive row with the first equal negative one, and so on.
fn all_pairs(examples: &Examples<'_>, group: &[(u64, usize)]) -> Vec<(usize, usize)> {
    // The rows of each content, by sign. Unequal rows with the same hash are very rare.
    let mut contents: Vec<[Vec<usize>; 2]> = Vec::new();
    for &(_, i) in group {
        let (row, sign) = examples.get(i);
        let is_same = |content: &[Vec<usize>; 2]| {
            let first = content.iter().flatten().next();
            first.is_some_and(|&other| equal(row, examples.get(other).0))
        };
        let known = contents.iter().position(is_same);
        let place = known.unwrap_or_else(|| {
            contents.push([vec![], vec![]]);
            contents.len() - 1
        });
        contents[place][usize::from(sign == Sign::Plus)].push(i);
    }
    let pairs = |[minus, plus]: &[Vec<usize>; 2]| {
        let pairs = minus.iter().zip(plus).map(|(&a, &b)| (a.min(b), a.max(b)));
        pairs.collect::<Vec<_>>()
    };
    contents.iter().flat_map(pairs).collect()
}

/// The first contradiction among rows with the same hash, in ascending order.
fn first_pair(examples: &Examples<'_>, group: &[(u64, usize)]) -> Option<(usize, usize)> {
    // The first row of each content and sign. Unequal rows with the same hash are very rare.
    let mut seen: Vec<(usize, Sign)> = Vec::new();
    for &(_, i) in group {
        let (row, sign) = examples.get(i);
        let same = |&&(other, _): &&(usize, Sign)| equal(row, examples.get(other).0);
        let mut known = false;
        for &(earlier, earlier_sign) in seen.iter().filter(same) {
            if earlier_sign != sign {
                return Some((earlier, i));
            }
            known = true;
        }
        if !known {
            seen.push((i, sign));
        }
    }
    None
}

fn hash(state: &RandomState, row: Row<'_>) -> u64 {
    let mut hasher = state.build_hasher();
    row.for_each(|j, x| {
        if x != 0.0 {
            hasher.write_u64(x.to_bits() ^ (j as u64).rotate_left(32));
        }
    });
    hasher.finish()
}

fn equal(a: Row<'_>, b: Row<'_>) -> bool {
    entries(a) == entries(b)
}

/// The nonzero entries; equal numbers have equal bits.
fn entries(row: Row<'_>) -> Vec<(usize, f64)> {
    let mut entries = Vec::with_capacity(row.stored());
    row.for_each(|j, x| {
        if x != 0.0 {
            entries.push((j, x));
        }
    });
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use rosenblatt_core::data::Rows;

    #[test]
    fn stored_zeros_are_absent_zeros() {
        use Sign::{Minus, Plus};
        // (1, 0), (0, 2), (1, stored 0), (1, stored −0) and an empty row.
        let rows = Rows::sparse(
            vec![0, 1, 2, 4, 6, 6],
            vec![0, 1, 0, 1, 0, 1],
            vec![1.0, 2.0, 1.0, 0.0, 1.0, -0.0],
            2,
        )
        .unwrap();
        let find = |signs: [Sign; 5]| contradiction(&Examples::new(&rows, &signs).unwrap());
        assert_eq!(find([Plus, Minus, Plus, Plus, Minus]), None);
        assert_eq!(find([Plus, Minus, Plus, Minus, Minus]), Some((0, 3)));
        assert_eq!(find([Plus, Minus, Minus, Minus, Minus]), Some((0, 2)));
        let all = |signs: [Sign; 5]| contradictions(&Examples::new(&rows, &signs).unwrap());
        assert_eq!(all([Plus, Minus, Minus, Minus, Minus]), [(0, 2)]);
        assert_eq!(all([Plus, Minus, Plus, Plus, Minus]), []);
    }

    #[test]
    fn each_row_is_in_one_pair() {
        use Sign::{Minus, Plus};
        let rows = Rows::dense(vec![1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0], 1).unwrap();
        let signs = [Plus, Plus, Minus, Plus, Minus, Minus, Plus];
        let examples = Examples::new(&rows, &signs).unwrap();
        assert_eq!(contradictions(&examples), [(0, 2), (1, 4), (5, 6)]);
    }
}
