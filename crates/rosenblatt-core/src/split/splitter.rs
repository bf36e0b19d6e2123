//! Which examples are held out together.

use super::{
    Copies, KFold, Split, SplitError, folds,
    groups::{group_folds, hold_out_groups, joined},
    hold_out, hold_out_last,
};
use crate::data::Rows;

/// Splits examples so that no test example was seen in training that a new one would not be.
///
/// Rows can be equal by chance, as new rows will be; then splits are as without copies. Where rows were copied, as by a join, an
/// oversampling or a repeated export, the copies stay on one side: otherwise a model is judged by rows that it has learned, and a
/// new row is no such row. What tells the two apart is in `docs/decisions/0014`. Groups that the caller names always stay
/// on one side; if rows were copied, groups with equal rows are one.
#[derive(Clone, Debug)]
pub struct Splitter<'a> {
    classes: &'a [u32],
    copies: Copies,
    were_copied: bool,
    groups: Option<Vec<u32>>,
    are_in_order: bool,
}

impl<'a> Splitter<'a> {
    /// For rows with the number of the class and, if there are groups, of the group of each. Cost: one pass over the rows, and
    /// sorts of one number for each row.
    pub fn new(rows: &Rows<'_>, classes: &'a [u32], groups: Option<Vec<u32>>) -> Self {
        let copies = Copies::of(rows);
        let were_copied = copies.were_made(classes);
        let groups = match (were_copied, groups) {
            (false, groups) => groups,
            (true, None) => Some(copies.firsts().to_vec()),
            (true, Some(groups)) => Some(joined(copies.firsts(), &groups)),
        };
        Splitter { classes, copies, were_copied, groups, are_in_order: false }
    }

    /// For rows in the order of time: the last ones are held out, also where they are copies of earlier ones.
    pub fn in_order(rows: &Rows<'_>, classes: &'a [u32]) -> Self {
        let (copies, were_copied, groups) = (Copies::of(rows), false, None);
        Splitter { classes, copies, were_copied, groups, are_in_order: true }
    }

    /// The copies among the rows.
    pub fn copies(&self) -> &Copies {
        &self.copies
    }

    /// Whether rows were copied, so that copies stay on one side.
    pub fn were_copied(&self) -> bool {
        self.were_copied
    }

    /// Holds out a share of the examples: a plain draw, or whole groups in random order, each that still fits, or the last ones.
    ///
    /// # Errors
    /// [`SplitError`].
    pub fn hold_out(&self, share: f64, seed: u64) -> Result<Split, SplitError> {
        match &self.groups {
            None if self.are_in_order => hold_out_last(self.classes.len(), share),
            None => hold_out(self.classes.len(), share, seed),
            Some(groups) => hold_out_groups(groups, share, seed),
        }
    }

    /// Deals the examples out to `k` folds, each class separately, or whole groups so that the folds have about the same share of
    /// each class. Each example is in one test set.
    ///
    /// # Errors
    /// [`SplitError`].
    pub fn folds(&self, k: usize, seed: u64) -> Result<Vec<Split>, SplitError> {
        match &self.groups {
            None => folds(self.classes, k, seed),
            Some(groups) => group_folds(self.classes, groups, k, seed),
        }
    }

    /// Deals the examples out to folds, once with each of the seeds `seed`, `seed` + 1, …: [`Self::folds`]. Each example is in as
    /// many test sets as there are repeats.
    ///
    /// # Errors
    /// [`SplitError`].
    pub fn repeated_folds(&self, k_fold: KFold, seed: u64) -> Result<Vec<Split>, SplitError> {
        if k_fold.repeats == 0 {
            return Err(SplitError::Repeats);
        }
        let mut all = Vec::new();
        for repeat in 0..k_fold.repeats as u64 {
            all.extend(self.folds(k_fold.folds, seed.wrapping_add(repeat))?);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn rows(values: impl Iterator<Item = u32>) -> Rows<'static> {
        Rows::dense(values.map(f64::from).collect::<Vec<_>>(), 1).unwrap()
    }

    fn is_apart(split: &Split, of: impl Fn(usize) -> usize) -> bool {
        let side = |places: &[usize]| places.iter().map(|&i| of(i)).collect::<BTreeSet<_>>();
        side(&split.train).is_disjoint(&side(&split.test))
    }

    /// Rows in order are held out from the end, copies or not.
    #[test]
    fn the_last_rows_are_held_out() {
        let (rows, classes) = (rows((0..200).map(|i| i % 50)), vec![0; 200]);
        for (share, first) in [(0.25, 150), (0.001, 199), (0.999, 1)] {
            let split = Splitter::in_order(&rows, &classes).hold_out(share, 5).unwrap();
            assert_eq!(split.train, (0..first).collect::<Vec<_>>());
            assert_eq!(split.test, (first..200).collect::<Vec<_>>());
        }
        assert!(!Splitter::in_order(&rows, &classes).were_copied());
    }

    /// Two hundred rows three times, in an order in which copies are far apart: no split parts copies, and each row is held out
    /// once. With groups of neighbours, neither is parted.
    #[test]
    fn made_copies_stay_together() {
        let rows = rows((0..600).map(|i| i % 200));
        let classes: Vec<u32> = (0u32..600).map(|i| i.wrapping_mul(2_654_435_761) >> 31).collect();
        let neighbours: Vec<u32> = (0..600).map(|i| i / 4).collect();
        for groups in [None, Some(neighbours)] {
            let is_grouped = groups.is_some();
            let splitter = Splitter::new(&rows, &classes, groups);
            assert!(splitter.were_copied());
            assert_eq!(splitter.copies().count(), 600);
            for seed in 0..10 {
                let splits = splitter.folds(5, seed).unwrap();
                let held = splitter.hold_out(0.2, seed).unwrap();
                assert_eq!(splits.iter().map(|split| split.test.len()).sum::<usize>(), 600);
                assert!((100..=120).contains(&held.test.len()), "{}", held.test.len());
                for split in splits.iter().chain([&held]) {
                    assert!(is_apart(split, |i| i % 200));
                    assert!(!is_grouped || is_apart(split, |i| i / 4));
                    let seen = splitter.copies().are_seen(&split.train, &split.test);
                    assert!(!seen.contains(&true));
                }
            }
        }
        let chained = Splitter::new(&rows, &classes, Some((0..600).map(|i| i / 300).collect()));
        let one = SplitError::TooFewGroups { groups: 1, parts: 5 };
        assert_eq!(chained.folds(5, 0), Err(one));
    }

    /// A few values are drawn many times: splits are those without copies.
    #[test]
    fn copies_by_chance_are_split() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u32
        };
        let rows = rows((0..400).map(|_| next() % 30));
        let classes: Vec<u32> = (0..400).map(|_| next() % 2).collect();
        let splitter = Splitter::new(&rows, &classes, None);
        assert!(!splitter.were_copied() && splitter.copies().count() > 390);
        assert_eq!(splitter.folds(5, 3), folds(&classes, 5, 3));
        assert_eq!(splitter.hold_out(0.3, 3), hold_out(400, 0.3, 3));
    }
}
