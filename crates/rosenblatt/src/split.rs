//! Splits of examples into a training set and a test set: hold-out and folds.
//!
//! Both are seeded and stratified: each class is shuffled with a random stream of its own
//! ([`schedule`](crate::schedule)) and dealt out separately, so that every part has its share of each class.

use std::collections::BTreeMap;

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
