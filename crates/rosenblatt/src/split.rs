//! Examples to learn from and examples to judge by: hold-out and folds.
//!
//! Both are seeded and stratified: each class is shuffled by a stream of its own
//! ([`schedule`](crate::schedule)) and dealt out by itself, so that every part has its share of each.

use crate::schedule::shuffle;

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
pub fn hold_out(classes: &[u32], share: f64, seed: u64) -> Result<Split, TooFew> {
    let mut test = Vec::new();
    for places in shuffled_classes(classes, seed) {
        let held = ((places.len() as f64 * share).round() as usize).max(1);
        if held >= places.len() {
            return Err(TooFew { examples: places.len(), parts: 2 });
        }
        test.extend_from_slice(&places[..held]);
    }
    Ok(split(classes.len(), test))
}

/// Deals each class out to `k` ≥ 2 folds; each is the test set of one of the splits. A class goes on
/// where the one before ended, so that the sizes of folds differ by at most one.
///
/// # Errors
/// [`TooFew`] when a class has fewer examples than there are folds.
pub fn folds(classes: &[u32], k: usize, seed: u64) -> Result<Vec<Split>, TooFew> {
    let mut tests = vec![Vec::new(); k];
    let mut dealt = 0;
    for places in shuffled_classes(classes, seed) {
        if places.len() < k {
            return Err(TooFew { examples: places.len(), parts: k });
        }
        for place in places {
            tests[dealt % k].push(place);
            dealt += 1;
        }
    }
    Ok(tests.into_iter().map(|test| split(classes.len(), test)).collect())
}

/// The places of each class that occurs, shuffled.
fn shuffled_classes(classes: &[u32], seed: u64) -> Vec<Vec<usize>> {
    let most = classes.iter().max().map_or(0, |&most| most as usize + 1);
    let mut places = vec![Vec::new(); most];
    classes.iter().enumerate().for_each(|(i, &class)| places[class as usize].push(i));
    for (places, stream) in places.iter_mut().zip((0..=u64::MAX).rev()) {
        shuffle(seed, stream, places);
    }
    places.retain(|places| !places.is_empty());
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
        assert_eq!(hold_out(&classes(5, 1), 0.5, 0), Err(TooFew { examples: 1, parts: 2 }));
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
        assert_eq!(folds(&classes(8, 3), 4, 3), Err(TooFew { examples: 3, parts: 4 }));
    }
}
