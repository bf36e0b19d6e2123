//! Thresholds: what each of them would predict.

use super::{Areas, ratio};

/// Examples of two classes in the order of a number that is higher for the positive class, such as its probability or a score.
///
/// ```
/// use rosenblatt_core::metrics::{Aim, Thresholds};
/// let examples = [(0.9, true), (0.7, false), (0.6, true), (0.6, true), (0.2, false)];
/// let thresholds = Thresholds::new(examples);
/// let found = thresholds.reaching(Aim::Recall(0.9)).unwrap();
/// assert_eq!((found.lowest, found.recall(), found.precision()), (0.6, Some(1.0), Some(0.75)));
/// let found = thresholds.reaching(Aim::Precision(0.9)).unwrap();
/// assert_eq!((found.lowest, found.recall()), (0.9, Some(1.0 / 3.0)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// The cuts between different numbers, with falling thresholds.
    cuts: Vec<Cut>,
}

/// All examples from a number on are predicted positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// The lowest number that is predicted positive.
    pub lowest: f64,
    /// The highest number that is not, if there is one.
    pub below: Option<f64>,
    /// The positive examples that are predicted positive.
    pub true_positives: u64,
    /// The negative examples that are predicted positive.
    pub false_positives: u64,
    /// All positive examples.
    pub positives: u64,
    /// All negative examples.
    pub negatives: u64,
}

/// What a threshold shall reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// At least this recall, with as few predictions of the positive class as possible.
    Recall(f64),
    /// At least this precision, with as much recall as possible.
    Precision(f64),
}

impl Thresholds {
    /// Orders examples, each with its number and whether it is positive; NaN comes last. Cost: a sort.
    pub fn new(examples: impl IntoIterator<Item = (f64, bool)>) -> Self {
        let mut examples: Vec<(f64, bool)> = examples.into_iter().collect();
        let rank = |number: f64| if number.is_nan() { f64::NEG_INFINITY } else { number };
        examples.sort_by(|a, b| rank(b.0).total_cmp(&rank(a.0)));
        let positives = examples.iter().filter(|(_, is_positive)| *is_positive).count() as u64;
        let negatives = examples.len() as u64 - positives;
        let (mut cuts, mut true_positives, mut false_positives) = (Vec::new(), 0, 0);
        let mut groups = examples.chunk_by(|a, b| rank(a.0) == rank(b.0)).peekable();
        while let Some(group) = groups.next() {
            let found = group.iter().filter(|(_, is_positive)| *is_positive).count() as u64;
            true_positives += found;
            false_positives += group.len() as u64 - found;
            let (lowest, below) = (rank(group[0].0), groups.peek().map(|next| rank(next[0].0)));
            cuts.push(Cut { lowest, below, true_positives, false_positives, positives, negatives });
        }
        Thresholds { cuts }
    }

    /// All cuts, with falling thresholds: from the highest number alone to all examples.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// The areas under the curves through all cuts. Cost: linear in the cuts.
    pub fn areas(&self) -> Areas {
        let counts = |cut: &Cut| (cut.true_positives, cut.false_positives);
        let before = std::iter::once((0, 0)).chain(self.cuts.iter().map(counts));
        let found = self.cuts.iter().map(counts).zip(before);
        Areas::of_groups(found.map(|(to, from)| (to.0 - from.0, to.1 - from.1)))
    }

    /// The cut that reaches an aim; `None` if none does.
    pub fn reaching(&self, aim: Aim) -> Option<Cut> {
        let reaches = |rate: Option<f64>, least: f64| rate.is_some_and(|rate| rate >= least);
        let mut cuts = self.cuts.iter().copied();
        match aim {
            Aim::Recall(least) => cuts.find(|cut| reaches(cut.recall(), least)),
            Aim::Precision(least) => cuts.rfind(|cut| reaches(cut.precision(), least)),
        }
    }

    /// What predicting positive from `threshold` on means for these examples; `None` if it predicts no example positive.
    pub fn at(&self, threshold: f64) -> Option<Cut> {
        let above = self.cuts.partition_point(|cut| cut.lowest >= threshold);
        self.cuts[..above].last().copied()
    }
}

impl Cut {
    /// The share of positive examples among those that are predicted positive.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of the positive examples that are predicted positive; `None` if there are none.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.true_positives, self.positives)
    }

    /// The share of the negative examples that are predicted positive, which is what a ROC curve compares with the recall.
    pub fn false_positive_rate(&self) -> Option<f64> {
        ratio(self.false_positives, self.negatives)
    }

    /// The F1, the harmonic mean of precision and recall; `None` without positive examples and predictions.
    pub fn f1(&self) -> Option<f64> {
        let predicted = self.true_positives + self.false_positives;
        ratio(2 * self.true_positives, self.positives + predicted)
    }

    /// The sum of the costs of all errors.
    pub fn cost(&self, false_positive: f64, false_negative: f64) -> f64 {
        let missed = self.positives - self.true_positives;
        false_positive * self.false_positives as f64 + false_negative * missed as f64
    }

    /// The probability with the fewest decimals that makes this cut, above 0; [`Self::lowest`] if it needs more than 17 decimals.
    pub fn shortest(&self) -> f64 {
        let above = |number: &f64| *number > self.below.unwrap_or(0.0);
        // The rounding of the decimals may be up.
        let cut_off = |decimals: usize| {
            let text = format!("{:.*}", decimals + 20, self.lowest);
            text[..text.len() - 20].trim_end_matches('.').parse::<f64>().ok()
        };
        let mut short = (1..=17).filter_map(cut_off);
        let fits = |number: &f64| *number <= self.lowest && above(number);
        short.find(fits).unwrap_or(self.lowest)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_shortest_threshold_lies_between_the_numbers() {
        let cut = |lowest: f64, below: Option<f64>| {
            let counts = (1, 0, 1, 0);
            let (true_positives, false_positives, positives, negatives) = counts;
            Cut { lowest, below, true_positives, false_positives, positives, negatives }.shortest()
        };
        assert_eq!(cut(0.4371, Some(0.4118)), 0.43);
        assert_eq!(cut(0.4371, Some(0.4369)), 0.437);
        assert_eq!((cut(0.4371, None), cut(0.0371, None), cut(0.0, None)), (0.4, 0.03, 0.0));
        assert_eq!(cut(1.0, Some(0.25)), 1.0);
        assert_eq!(cut(0.3, Some(0.3f64.next_down())), 0.3);
    }

    proptest! {
        /// Each cut is what its shortest threshold predicts, counted one by one.
        #[test]
        fn cuts_are_counts(examples in prop::collection::vec((0u32..12, any::<bool>()), 0..30)) {
            let examples: Vec<(f64, bool)> =
                examples.into_iter().map(|(number, is)| (f64::from(number) / 11.0, is)).collect();
            let thresholds = Thresholds::new(examples.clone());
            for cut in thresholds.cuts() {
                let threshold = cut.shortest();
                let count = |positive: bool| {
                    examples.iter().filter(|one| one.0 >= threshold && one.1 == positive).count() as u64
                };
                prop_assert_eq!([cut.true_positives, cut.false_positives], [count(true), count(false)]);
                prop_assert_eq!(thresholds.at(threshold), Some(*cut));
                prop_assert_eq!(cut.positives + cut.negatives, examples.len() as u64);
            }
            prop_assert!(thresholds.cuts().windows(2).all(|two| two[0].lowest > two[1].lowest));
            // Every pair of a positive and a negative example, and every positive example with those at or above it.
            let ones = |positive: bool| examples.iter().filter(move |one| one.1 == positive).map(|one| one.0);
            let won = |a: f64, b: f64| if a == b { 0.5 } else { f64::from(u8::from(a > b)) };
            let wins: f64 = ones(true).flat_map(|a| ones(false).map(move |b| won(a, b))).sum();
            let pairs = (ones(true).count() * ones(false).count()) as f64;
            let above = |a: f64| examples.iter().filter(move |one| one.0 >= a);
            let precision = |a: f64| above(a).filter(|one| one.1).count() as f64 / above(a).count() as f64;
            let mean = ones(true).map(precision).sum::<f64>() / ones(true).count() as f64;
            let areas = thresholds.areas();
            prop_assert_eq!(areas.auc, (pairs > 0.0).then_some(wins / pairs));
            prop_assert_eq!(areas.average_precision.is_none(), mean.is_nan());
            prop_assert!(areas.average_precision.is_none_or(|found| (found - mean).abs() < 1e-14));
            for least in [0.1, 0.5, 0.9, 1.0] {
                let by_recall = thresholds.cuts().iter().filter(|cut| cut.recall().is_some_and(|rate| rate >= least));
                let fewest = by_recall.map(|cut| cut.true_positives + cut.false_positives).min();
                let found = thresholds.reaching(Aim::Recall(least));
                prop_assert_eq!(found.map(|cut| cut.true_positives + cut.false_positives), fewest);
                let by_precision =
                    thresholds.cuts().iter().filter(|cut| cut.precision().is_some_and(|rate| rate >= least));
                let most = by_precision.map(|cut| cut.true_positives).max();
                let found = thresholds.reaching(Aim::Precision(least));
                prop_assert_eq!(found.map(|cut| cut.true_positives), most);
            }
        }
    }
}
