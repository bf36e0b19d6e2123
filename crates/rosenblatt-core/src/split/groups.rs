//! Splits that keep groups of examples together.

use std::{cmp::Ordering, collections::BTreeMap};

use super::{Split, SplitError, check_folds, check_share, split};
use crate::schedule::shuffle;

/// Holds out whole groups with about the share `share` of the examples: in random order each group that still fits, at least
/// one, and never all. `groups` has the number of each example's group.
pub(super) fn hold_out_groups(groups: &[u32], share: f64, seed: u64) -> Result<Split, SplitError> {
    check_share(share)?;
    let members = shuffled_groups(groups, 2, seed)?;
    let test = fitting(&members, groups.len() as f64 * share);
    Ok(split(groups.len(), test))
}

/// The examples of each group that still fits among `most` examples; at least of the smallest group.
fn fitting(members: &[Vec<usize>], most: f64) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    for group in members {
        let fits = (chosen.len() + group.len()) as f64 <= most;
        chosen.extend(group.iter().filter(|_| fits));
    }
    if chosen.is_empty() {
        chosen.extend(members.iter().min_by_key(|group| group.len()).into_iter().flatten());
    }
    chosen
}

/// Deals whole groups out to `k` ≥ 2 folds, the largest first, those of equal size in random order. Each goes to the fold
/// that has least of its classes: the least Σ fᵧ·gᵧ over the classes, with the shares fᵧ and gᵧ of the examples of a class that
/// are in the fold and in the group; the first fold of several.
pub(super) fn group_folds(
    classes: &[u32],
    groups: &[u32],
    k: usize,
    seed: u64,
) -> Result<Vec<Split>, SplitError> {
    check_folds(k)?;
    let mut members = shuffled_groups(groups, k, seed)?;
    members.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let sizes = counts(classes, 0..classes.len());
    let mut folds = vec![Fold::default(); k];
    for group in members {
        let of_class = |(class, count)| (class, count as f64 / sizes[&class] as f64);
        let shares = counts(classes, group.iter().copied()).into_iter().map(of_class).collect();
        let lightest = folds.iter_mut().min_by(|a, b| a.compare(b, &shares));
        lightest.into_iter().for_each(|fold| fold.add(&group, &shares));
    }
    Ok(folds.into_iter().map(|fold| split(classes.len(), fold.places)).collect())
}

/// The share of the examples of each class.
type Shares = BTreeMap<u32, f64>;

/// The test set of a split while groups are dealt.
#[derive(Clone, Default)]
struct Fold {
    places: Vec<usize>,
    shares: Shares,
}

impl Fold {
    /// Which of two folds has less of the classes of a group with these shares.
    fn compare(&self, other: &Fold, group: &Shares) -> Ordering {
        let load = |fold: &Fold| -> f64 {
            group.iter().map(|(class, share)| share * fold.shares.get(class).unwrap_or(&0.0)).sum()
        };
        let by_load = load(self).total_cmp(&load(other));
        by_load.then(self.places.len().cmp(&other.places.len()))
    }

    fn add(&mut self, group: &[usize], shares: &Shares) {
        self.places.extend(group);
        shares.iter().for_each(|(&class, share)| *self.shares.entry(class).or_default() += share);
    }
}

/// The places of the examples of each group, the groups in random order.
fn shuffled_groups(groups: &[u32], parts: usize, seed: u64) -> Result<Vec<Vec<usize>>, SplitError> {
    let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (i, &group) in groups.iter().enumerate() {
        places.entry(group).or_default().push(i);
    }
    let mut members: Vec<Vec<usize>> = places.into_values().collect();
    if members.len() < parts {
        return Err(SplitError::TooFewGroups { groups: members.len(), parts });
    }
    let mut order: Vec<usize> = (0..members.len()).collect();
    shuffle(seed, u64::MAX, &mut order);
    Ok(order.into_iter().map(|group| std::mem::take(&mut members[group])).collect())
}

/// The number of examples of each class at these places.
fn counts(classes: &[u32], places: impl Iterator<Item = usize>) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    places.for_each(|place| *counts.entry(classes[place]).or_default() += 1);
    counts
}

/// Joins the groups of two groupings that have an example in common. A joined group has the number of its first example.
pub(super) fn joined(one: &[u32], other: &[u32]) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..one.len() as u32).collect();
    for groups in [one, other] {
        let mut firsts = BTreeMap::new();
        for (place, group) in (0..).zip(groups) {
            let first = *firsts.entry(group).or_insert(place);
            let (a, b) = (root(&mut parents, first), root(&mut parents, place));
            parents[a.max(b) as usize] = a.min(b);
        }
    }
    (0..parents.len() as u32).map(|place| root(&mut parents, place)).collect()
}

/// The first example of the group of an example, as far as groups were joined.
fn root(parents: &mut [u32], mut place: u32) -> u32 {
    while parents[place as usize] != place {
        let parent = parents[place as usize];
        parents[place as usize] = parents[parent as usize];
        place = parent;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of six groups of 5, 4, 3, 3, 2 and 1 examples, the largest are dealt first, each to the fold with the least of its
    /// classes.
    #[test]
    fn groups_stay_whole() {
        let sizes = [5, 4, 3, 3, 2, 1];
        let groups: Vec<u32> =
            (0u32..).zip(sizes).flat_map(|(group, size)| vec![group; size]).collect();
        let classes: Vec<u32> = (0..groups.len()).map(|i| i as u32 % 2).collect();
        let of = |places: &[usize]| -> std::collections::BTreeSet<u32> {
            places.iter().map(|&place| groups[place]).collect()
        };
        for seed in 0..20 {
            let splits = group_folds(&classes, &groups, 3, seed).unwrap();
            let tested: usize = splits.iter().map(|split| split.test.len()).sum();
            assert_eq!(tested, groups.len());
            for split in splits.iter().chain([&hold_out_groups(&groups, 0.3, seed).unwrap()]) {
                assert!(of(&split.train).is_disjoint(&of(&split.test)));
                assert!((1..=7).contains(&split.test.len()), "{}", split.test.len());
            }
        }
        assert_eq!(hold_out_groups(&groups, 0.01, 0).unwrap().test.len(), 1);
        let few = SplitError::TooFewGroups { groups: 6, parts: 7 };
        assert_eq!(group_folds(&classes, &groups, 7, 0), Err(few));
        let one = SplitError::TooFewGroups { groups: 1, parts: 2 };
        assert_eq!(hold_out_groups(&[7; 5], 0.5, 0), Err(one));
    }

    /// Each class in its own groups: every fold has both. A class of one group is held out with it.
    #[test]
    fn groups_of_one_class_are_spread() {
        let groups: Vec<u32> = (0..40).map(|i| i / 4).collect();
        let classes: Vec<u32> = groups.iter().map(|&group| u32::from(group >= 6)).collect();
        for split in group_folds(&classes, &groups, 4, 9).unwrap() {
            assert_eq!(counts(&classes, split.test.iter().copied())[&1], 4);
        }
        let alone = group_folds(&[0, 0, 0, 1, 1], &[0, 1, 2, 3, 3], 2, 0).unwrap();
        assert!(alone.iter().any(|split| split.test.ends_with(&[3, 4])), "{alone:?}");
    }

    /// 0–1 and 1–2 by one grouping and the other, 3 and 5 by both, 4 by none; and chains of a thousand.
    #[test]
    fn groupings_are_joined() {
        let found = joined(&[4, 4, 0, 2, 9, 2], &[0, 1, 1, 5, 6, 5]);
        assert_eq!(found, [0, 0, 0, 3, 4, 3]);
        let (even, odd): (Vec<u32>, Vec<u32>) =
            (0..1000u32).map(|i| (i / 2, i.div_ceil(2))).unzip();
        assert_eq!(joined(&even, &odd), [0; 1000]);
        assert_eq!(joined(&even, &even)[997..], [996, 998, 998]);
    }
}
