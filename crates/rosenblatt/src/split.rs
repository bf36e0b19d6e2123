//! Examples to learn from and examples to judge by: hold-out and folds.
//!
//! Both are seeded and stratified: each class is shuffled by a stream of its own
//! ([`schedule`](crate::schedule)) and dealt out by itself, so that every part has its share of both.

use crate::{data::Sign, schedule::shuffle};

/// Two sets of examples, each as ascending places in the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// To learn from.
    pub train: Vec<usize>,
    /// To judge by.
    pub test: Vec<usize>,
}

/// A class too small to be in both parts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a class has {examples} example{}, too few for {parts} parts", if *.examples == 1 { "" } else { "s" })]
pub struct TooFew {
    /// The size of the class.
    pub examples: usize,
    /// The number of parts.
    pub parts: usize,
}

/// Holds out the share `share` of each class, to the nearest whole number, at least one example.
///
/// # Errors
/// [`TooFew`] when a class would have no example left to learn from.
pub fn hold_out(signs: &[Sign], share: f64, seed: u64) -> Result<Split, TooFew> {
    let mut test = Vec::new();
    for sign in [Sign::Minus, Sign::Plus] {
        let places = shuffled_class(signs, sign, seed);
        let held = ((places.len() as f64 * share).round() as usize).max(1);
        if held >= places.len() {
            return Err(TooFew { examples: places.len(), parts: 2 });
        }
        test.extend_from_slice(&places[..held]);
    }
    Ok(split(signs.len(), test))
}

/// Deals each class out to `k` ≥ 2 folds; each is the test set of one of the splits. The second class
/// goes on where the first ended, so that the sizes of folds differ by at most one.
///
/// # Errors
/// [`TooFew`] when a class has fewer examples than there are folds.
pub fn folds(signs: &[Sign], k: usize, seed: u64) -> Result<Vec<Split>, TooFew> {
    let mut tests = vec![Vec::new(); k];
    let mut dealt = 0;
    for sign in [Sign::Minus, Sign::Plus] {
        let places = shuffled_class(signs, sign, seed);
        if places.len() < k {
            return Err(TooFew { examples: places.len(), parts: k });
        }
        for place in places {
            tests[dealt % k].push(place);
            dealt += 1;
        }
    }
    Ok(tests.into_iter().map(|test| split(signs.len(), test)).collect())
}

fn shuffled_class(signs: &[Sign], sign: Sign, seed: u64) -> Vec<usize> {
    let stream = if sign == Sign::Minus { u64::MAX } else { u64::MAX - 1 };
    let mut places: Vec<usize> = (0..signs.len()).filter(|&i| signs[i] == sign).collect();
    shuffle(seed, stream, &mut places);
    places
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
    fn signs(minus: usize, plus: usize) -> Vec<Sign> {
        let (minus, plus) = (vec![Sign::Minus; minus], vec![Sign::Plus; plus]);
        minus.into_iter().chain(plus).collect()
    }

    fn plus_among(places: &[usize], minus: usize) -> usize {
        places.iter().filter(|&&place| place >= minus).count()
    }

    #[test]
    fn each_class_gives_its_share() {
        let split = hold_out(&signs(70, 30), 0.2, 1).unwrap();
        assert_eq!((split.train.len(), split.test.len()), (80, 20));
        assert_eq!(plus_among(&split.test, 70), 6);
        assert!(split.test.iter().all(|place| !split.train.contains(place)));
        assert_ne!(split, hold_out(&signs(70, 30), 0.2, 2).unwrap());
        assert_eq!(hold_out(&signs(5, 2), 0.01, 0).unwrap().test.len(), 2);
        assert_eq!(hold_out(&signs(5, 1), 0.5, 0), Err(TooFew { examples: 1, parts: 2 }));
    }

    #[test]
    fn folds_share_out_every_example_once() {
        let splits = folds(&signs(8, 5), 4, 3).unwrap();
        let sizes: Vec<usize> = splits.iter().map(|split| split.test.len()).collect();
        assert_eq!(sizes, [4, 3, 3, 3]);
        let mut all: Vec<usize> = splits.iter().flat_map(|split| split.test.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..13).collect::<Vec<_>>());
        for split in &splits {
            assert!((1..=2).contains(&plus_among(&split.test, 8)));
            assert_eq!(split.train.len() + split.test.len(), 13);
        }
        assert_eq!(folds(&signs(8, 3), 4, 3), Err(TooFew { examples: 3, parts: 4 }));
    }
}
