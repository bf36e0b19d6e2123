//! Splits of examples into a training set and a test set: hold-out and folds.
//!
//! All are seeded. A hold-out is a plain draw, so that the examples held out are a sample like any other. Folds are stratified: each
//! class is shuffled with a random stream of its own ([`schedule`](crate::schedule)) and dealt out. Where rows were copied, or
//! groups are named, these stay on one side of each split: [`Splitter`].

use std::collections::{BTreeMap, BTreeSet};

use crate::schedule::shuffle;

mod copies;
mod groups;
mod splitter;

pub use copies::Copies;
pub use copies::{hash, were_copied};
pub use splitter::Splitter;

/// A training set and a test set, each as ascending places in the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The training set.
    pub train: Vec<usize>,
    /// The test set.
    pub test: Vec<usize>,
}

impl Split {
    /// The split, but the first example of a class of which all are held out is learned from. What is held out is then no plain
    /// draw: use it to choose, not to bound an error rate.
    ///
    /// # Errors
    /// [`SplitError::TooFew`] if no example is left to be held out.
    pub fn with_all_classes(mut self, classes: &[u32]) -> Result<Self, SplitError> {
        let mut learned: BTreeSet<u32> = self.train.iter().map(|&place| classes[place]).collect();
        self.test.retain(|&place| {
            let is_lost = learned.insert(classes[place]);
            self.train.extend(Some(place).filter(|_| is_lost));
            !is_lost
        });
        self.train.sort_unstable();
        let few = SplitError::TooFew { examples: self.train.len(), parts: 2 };
        if self.test.is_empty() { Err(few) } else { Ok(self) }
    }
}

/// An error of splitting examples.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// Fewer examples than parts.
    #[error("there {} {examples} example{}, too few for {parts} parts", if *.examples == 1 { "is" } else { "are" }, if *.examples == 1 { "" } else { "s" })]
    TooFew {
        /// The number of examples.
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
    /// Folds that are never dealt out.
    #[error("the number of repeats is 0, it must be at least 1")]
    Repeats,
}

/// The folds of a cross-validation, and how often the examples are dealt out to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KFold {
    /// The number of folds, at least 2.
    pub folds: usize,
    /// How often, at least once.
    pub repeats: usize,
}

impl From<usize> for KFold {
    /// Folds that are dealt out once.
    fn from(folds: usize) -> Self {
        KFold { folds, repeats: 1 }
    }
}

/// Holds out the share `share`, above 0 and below 1, of this many examples: a plain draw without replacement, whatever their
/// classes, rounded to whole examples, at least one and never all. If the examples are drawn independently from one source, so are
/// those held out, given the others. A class can be without an example on one side.
///
/// # Errors
/// [`SplitError`]; [`SplitError::TooFew`] for fewer than two examples.
pub fn hold_out(examples: usize, share: f64, seed: u64) -> Result<Split, SplitError> {
    let held_out = held_out_count(examples, share)?;
    let mut places: Vec<usize> = (0..examples).collect();
    shuffle(seed, u64::MAX, &mut places);
    places.truncate(held_out);
    Ok(split(examples, places))
}

/// Holds out the last examples, with the share `share` above 0 and below 1 of all, rounded as by [`hold_out`]: where the order of
/// the examples is that of time, a model is judged by what came after all that it learned from. They are no random sample.
///
/// # Errors
/// [`SplitError`]; [`SplitError::TooFew`] for fewer than two examples.
pub fn hold_out_last(examples: usize, share: f64) -> Result<Split, SplitError> {
    let held_out = held_out_count(examples, share)?;
    Ok(split(examples, (examples - held_out..examples).collect()))
}

/// The number of examples that are held out.
fn held_out_count(examples: usize, share: f64) -> Result<usize, SplitError> {
    check_share(share)?;
    if examples < 2 {
        return Err(SplitError::TooFew { examples, parts: 2 });
    }
    Ok(((examples as f64 * share).round() as usize).clamp(1, examples - 1))
}

/// Deals each class out to `k` ≥ 2 folds. Each fold is the test set of one split. A class continues where the one
/// before ended, so that the sizes of folds differ by at most one. A class with fewer examples than folds is missing from some of
/// them, and one with a single example from the training set of its fold.
///
/// # Errors
/// [`SplitError`]; [`SplitError::TooFew`] for fewer examples than folds.
pub fn folds(classes: &[u32], k: usize, seed: u64) -> Result<Vec<Split>, SplitError> {
    check_folds(k)?;
    if classes.len() < k {
        return Err(SplitError::TooFew { examples: classes.len(), parts: k });
    }
    let mut tests = vec![Vec::new(); k];
    for (dealt, place) in shuffled_classes(classes, seed).into_iter().flatten().enumerate() {
        tests[dealt % k].push(place);
    }
    Ok(tests.into_iter().map(|test| split(classes.len(), test)).collect())
}

fn check_share(share: f64) -> Result<(), SplitError> {
    if share > 0.0 && share < 1.0 { Ok(()) } else { Err(SplitError::Share { share }) }
}

fn check_folds(folds: usize) -> Result<(), SplitError> {
    if folds >= 2 { Ok(()) } else { Err(SplitError::Folds { folds }) }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// `minus` negative examples, then `plus` positive ones.
    fn classes(minus: usize, plus: usize) -> Vec<u32> {
        let (minus, plus) = (vec![0; minus], vec![1; plus]);
        minus.into_iter().chain(plus).collect()
    }

    fn plus_among(places: &[usize], minus: usize) -> usize {
        places.iter().filter(|&&place| place >= minus).count()
    }

    #[test]
    fn a_share_is_held_out() {
        for (examples, share, held) in
            [(100, 0.2, 20), (7, 0.01, 1), (7, 0.99, 6), (2, 0.5, 1), (9, 0.5, 5), (10, 0.25, 3)]
        {
            let split = hold_out(examples, share, 1).unwrap();
            assert_eq!((split.train.len(), split.test.len()), (examples - held, held));
            let mut all = [split.train, split.test].concat();
            all.sort_unstable();
            assert_eq!(all, (0..examples).collect::<Vec<_>>());
        }
        assert_ne!(hold_out(100, 0.2, 1), hold_out(100, 0.2, 2));
        let split = Split { train: vec![2, 5], test: vec![0, 1, 3, 4] };
        let kept = split.with_all_classes(&[0, 1, 0, 1, 1, 0]).unwrap();
        assert_eq!(kept, Split { train: vec![1, 2, 5], test: vec![0, 3, 4] });
        assert_eq!(kept.clone().with_all_classes(&[0, 1, 0, 1, 1, 0]), Ok(kept.clone()));
        let few = SplitError::TooFew { examples: 6, parts: 2 };
        assert_eq!(kept.with_all_classes(&[0, 1, 2, 3, 4, 5]), Err(few));
    }

    /// Of 12,600 seeds, each of the 126 choices of four of nine examples comes about 100 times: χ² with 125 degrees of freedom is
    /// above 217 with a probability below 10⁻⁶.
    #[test]
    fn every_choice_is_equally_likely() {
        let mut counts = BTreeMap::<Vec<usize>, f64>::new();
        for seed in 0..12_600 {
            *counts.entry(hold_out(9, 0.4, seed).unwrap().test).or_default() += 1.0;
        }
        assert_eq!(counts.len(), 126);
        let chi: f64 = counts.values().map(|count| (count - 100.0).powi(2) / 100.0).sum();
        assert!(chi < 217.0, "{chi}");
    }

    #[test]
    fn folds_share_out_every_example_once() {
        let splits = folds(&classes(8, 5), 4, 3).unwrap();
        let sizes: Vec<usize> = splits.iter().map(|split| split.test.len()).collect();
        assert_eq!(sizes, [4, 3, 3, 3]);
        for split in &splits {
            assert!((1..=2).contains(&plus_among(&split.test, 8)));
            assert_eq!(split.train.len() + split.test.len(), 13);
        }
        // Classes of any size, too.
        for of_classes in [classes(8, 5), classes(8, 3), classes(12, 1), vec![0, 1, 2, 3]] {
            for k in 2..=of_classes.len().min(9) {
                let splits = folds(&of_classes, k, 3).unwrap();
                let mut all: Vec<usize> =
                    splits.iter().flat_map(|split| split.test.clone()).collect();
                all.sort_unstable();
                assert_eq!(all, (0..of_classes.len()).collect::<Vec<_>>());
                assert!(splits.iter().all(|split| !split.test.is_empty()));
            }
        }
    }

    #[test]
    fn impossible_splits_are_rejected() {
        for share in [0.0, -0.5, 1.0, 7.0, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(hold_out(10, share, 0), Err(SplitError::Share { share }));
        }
        let nan = hold_out(10, f64::NAN, 0).unwrap_err();
        assert!(matches!(nan, SplitError::Share { share } if share.is_nan()));
        for examples in [0, 1] {
            let few = SplitError::TooFew { examples, parts: 2 };
            assert_eq!(hold_out(examples, 0.5, 0), Err(few));
        }
        for k in [0, 1] {
            assert_eq!(folds(&classes(5, 5), k, 0), Err(SplitError::Folds { folds: k }));
        }
        assert_eq!(folds(&[], 2, 0), Err(SplitError::TooFew { examples: 0, parts: 2 }));
        let parts = usize::MAX;
        let few = Err(SplitError::TooFew { examples: 10, parts });
        assert_eq!(folds(&classes(5, 5), parts, 0), few);
    }

    /// Class numbers that are far apart take no extra memory.
    #[test]
    fn a_large_class_number_is_a_class() {
        assert_eq!(folds(&[7, u32::MAX, 7, u32::MAX], 2, 0).unwrap().len(), 2);
    }
}
