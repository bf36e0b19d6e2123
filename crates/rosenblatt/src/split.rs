//! Splits of examples into a training set and a test set: hold-out and folds.
//!
//! All are seeded. Groups of examples can be kept together; otherwise parts are stratified: each class is shuffled with a random stream of its own
//! ([`schedule`](crate::schedule)) and dealt out separately, so that every part has its share of each class.

use std::{cmp::Ordering, collections::BTreeMap};

use crate::schedule::shuffle;

/// A training set and a test set, each as ascending places in the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The training set.
    pub train: Vec<usize>,
    /// The test set.
    pub test: Vec<usize>,
}

/// An error of splitting examples.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// A class with too few examples for every part.
    #[error("a class has {examples} example{}, too few for {parts} parts", if *.examples == 1 { "" } else { "s" })]
    TooFew {
        /// The size of the class.
        examples: usize,
        /// The number of parts.
        parts: usize,
    },
    /// Too few groups for every part to have one.
    #[error("the examples are of {groups} group{}, too few for {parts} parts", if *.groups == 1 { "" } else { "s" })]
    TooFewGroups {
        /// The number of groups.
        groups: usize,
        /// The number of parts.
        parts: usize,
    },
    /// A class whose groups would all be held out at once.
    #[error("no group with class number {} would be left to learn from", .class + 1)]
    OneGroup {
        /// The class, counted from 0.
        class: u32,
    },
    /// No examples.
    #[error("there is no example to split")]
    Empty,
    /// A held-out share outside the open interval from 0 to 1.
    #[error("the held-out share is {share}, it must be above 0 and below 1")]
    Share {
        /// The given share.
        share: f64,
    },
    /// Fewer than two folds.
    #[error("the number of folds is {folds}, it must be at least 2")]
    Folds {
        /// The given number.
        folds: usize,
    },
}

/// Holds out the share `share` of each class, above 0 and below 1, rounded to whole examples, at least one.
///
/// # Errors
/// [`SplitError`]; [`SplitError::TooFew`] if a class would have no training example left.
pub fn hold_out(classes: &[u32], share: f64, seed: u64) -> Result<Split, SplitError> {
    if !(share > 0.0 && share < 1.0) {
        return Err(SplitError::Share { share });
    }
    if classes.is_empty() {
        return Err(SplitError::Empty);
    }
    let mut test = Vec::new();
    for places in shuffled_classes(classes, seed) {
        let held = ((places.len() as f64 * share).round() as usize).max(1);
        if held >= places.len() {
            return Err(SplitError::TooFew { examples: places.len(), parts: 2 });
        }
        test.extend_from_slice(&places[..held]);
    }
    Ok(split(classes.len(), test))
}

/// Deals each class out to `k` ≥ 2 folds. Each fold is the test set of one split. A class continues where the one
/// before ended, so that the sizes of folds differ by at most one.
///
/// # Errors
/// [`SplitError`]; [`SplitError::TooFew`] if a class has fewer examples than there are folds.
pub fn folds(classes: &[u32], k: usize, seed: u64) -> Result<Vec<Split>, SplitError> {
    if k < 2 {
        return Err(SplitError::Folds { folds: k });
    }
    let all = shuffled_classes(classes, seed);
    let smallest = all.iter().map(Vec::len).min().ok_or(SplitError::Empty)?;
    if smallest < k {
        let first = all.iter().map(Vec::len).find(|&examples| examples < k);
        return Err(SplitError::TooFew { examples: first.unwrap_or(smallest), parts: k });
    }
    let mut tests = vec![Vec::new(); k];
    for (dealt, place) in all.into_iter().flatten().enumerate() {
        tests[dealt % k].push(place);
    }
    Ok(tests.into_iter().map(|test| split(classes.len(), test)).collect())
}

/// The shuffled places of each class that occurs, in the order of the classes.
fn shuffled_classes(classes: &[u32], seed: u64) -> Vec<Vec<usize>> {
    let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (i, &class) in classes.iter().enumerate() {
        places.entry(class).or_default().push(i);
    }
    let shuffled = |(class, mut places): (u32, Vec<usize>)| {
        shuffle(seed, u64::MAX - u64::from(class), &mut places);
        places
    };
    places.into_iter().map(shuffled).collect()
}

fn split(examples: usize, mut test: Vec<usize>) -> Split {
    test.sort_unstable();
    let train = (0..examples).filter(|i| test.binary_search(i).is_err()).collect();
    Split { train, test }
}

/// Holds out whole groups with about the share `share` of the examples: in random order each group that still fits, at least
/// one, and never all. `groups` has the number of each example's group, from 0.
///
/// # Errors
/// [`SplitError`]; [`SplitError::OneGroup`] if a class would have no training example left.
pub fn hold_out_groups(
    classes: &[u32],
    groups: &[u32],
    share: f64,
    seed: u64,
) -> Result<Split, SplitError> {
    if !(share > 0.0 && share < 1.0) {
        return Err(SplitError::Share { share });
    }
    let members = shuffled_groups(groups, 2, seed)?;
    let test = fitting(&members, classes.len() as f64 * share);
    with_all_classes(split(classes.len(), test), classes)
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
///
/// # Errors
/// [`SplitError`]; [`SplitError::TooFewGroups`], and [`SplitError::OneGroup`] if a class would be in one fold alone.
pub fn group_folds(
    classes: &[u32],
    groups: &[u32],
    k: usize,
    seed: u64,
) -> Result<Vec<Split>, SplitError> {
    if k < 2 {
        return Err(SplitError::Folds { folds: k });
    }
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
    let split = |fold: Fold| with_all_classes(split(classes.len(), fold.places), classes);
    folds.into_iter().map(split).collect()
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

/// The split, if its training set has examples of every class.
fn with_all_classes(split: Split, classes: &[u32]) -> Result<Split, SplitError> {
    let trained = counts(classes, split.train.iter().copied());
    match counts(classes, 0..classes.len()).into_keys().find(|class| !trained.contains_key(class)) {
        Some(class) => Err(SplitError::OneGroup { class }),
        None => Ok(split),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `minus` negative examples, then `plus` positive ones.
    fn classes(minus: usize, plus: usize) -> Vec<u32> {
        let (minus, plus) = (vec![0; minus], vec![1; plus]);
        minus.into_iter().chain(plus).collect()
    }

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
            for split in
                splits.iter().chain([&hold_out_groups(&classes, &groups, 0.3, seed).unwrap()])
            {
                assert!(of(&split.train).is_disjoint(&of(&split.test)));
                assert!((1..=7).contains(&split.test.len()), "{}", split.test.len());
            }
        }
        assert_eq!(hold_out_groups(&classes, &groups, 0.01, 0).unwrap().test.len(), 1);
        let few = SplitError::TooFewGroups { groups: 6, parts: 7 };
        assert_eq!(group_folds(&classes, &groups, 7, 0), Err(few));
    }

    /// Each class in its own groups: every fold has both.
    #[test]
    fn groups_of_one_class_are_spread() {
        let groups: Vec<u32> = (0..40).map(|i| i / 4).collect();
        let classes: Vec<u32> = groups.iter().map(|&group| u32::from(group >= 6)).collect();
        for split in group_folds(&classes, &groups, 4, 9).unwrap() {
            assert_eq!(counts(&classes, split.test.iter().copied())[&1], 4);
        }
        let alone = [0, 0, 0, 1, 1];
        let refused = Err(SplitError::OneGroup { class: 1 });
        assert_eq!(group_folds(&alone, &[0, 1, 2, 3, 3], 2, 0), refused);
    }

    fn plus_among(places: &[usize], minus: usize) -> usize {
        places.iter().filter(|&&place| place >= minus).count()
    }

    #[test]
    fn each_class_gives_its_share() {
        let split = hold_out(&classes(70, 30), 0.2, 1).unwrap();
        assert_eq!((split.train.len(), split.test.len()), (80, 20));
        assert_eq!(plus_among(&split.test, 70), 6);
        assert!(split.test.iter().all(|place| !split.train.contains(place)));
        assert_ne!(split, hold_out(&classes(70, 30), 0.2, 2).unwrap());
        assert_eq!(hold_out(&classes(5, 2), 0.01, 0).unwrap().test.len(), 2);
        assert_eq!(
            hold_out(&classes(5, 1), 0.5, 0),
            Err(SplitError::TooFew { examples: 1, parts: 2 })
        );
    }

    #[test]
    fn folds_share_out_every_example_once() {
        let splits = folds(&classes(8, 5), 4, 3).unwrap();
        let sizes: Vec<usize> = splits.iter().map(|split| split.test.len()).collect();
        assert_eq!(sizes, [4, 3, 3, 3]);
        let mut all: Vec<usize> = splits.iter().flat_map(|split| split.test.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..13).collect::<Vec<_>>());
        for split in &splits {
            assert!((1..=2).contains(&plus_among(&split.test, 8)));
            assert_eq!(split.train.len() + split.test.len(), 13);
        }
        assert_eq!(folds(&classes(8, 3), 4, 3), Err(SplitError::TooFew { examples: 3, parts: 4 }));
    }

    #[test]
    fn impossible_splits_are_rejected() {
        for share in [0.0, -0.5, 1.0, 7.0, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(hold_out(&classes(5, 5), share, 0), Err(SplitError::Share { share }));
        }
        let nan = hold_out(&classes(5, 5), f64::NAN, 0).unwrap_err();
        assert!(matches!(nan, SplitError::Share { share } if share.is_nan()));
        assert_eq!(hold_out(&[], 0.5, 0), Err(SplitError::Empty));
        for k in [0, 1] {
            assert_eq!(folds(&classes(5, 5), k, 0), Err(SplitError::Folds { folds: k }));
        }
        assert_eq!(folds(&[], 2, 0), Err(SplitError::Empty));
        let parts = usize::MAX;
        let few = Err(SplitError::TooFew { examples: 5, parts });
        assert_eq!(folds(&classes(5, 5), parts, 0), few);
    }

    /// Class numbers that are far apart take no extra memory.
    #[test]
    fn a_large_class_number_is_a_class() {
        let classes = [7, u32::MAX, 7, u32::MAX];
        assert_eq!(hold_out(&classes, 0.5, 0).unwrap().test.len(), 2);
        assert_eq!(folds(&classes, 2, 0).unwrap().len(), 2);
    }
}
