//! Features of which one alone nearly decides the label: what is known only after the label often does.

use crate::data::{Row, Rows, Values};

/// A feature that alone tells every class from every other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TellingFeature {
    /// Its place.
    pub feature: usize,
    /// The least AUC of two classes by its value, the larger one of both directions.
    pub auc: f64,
}

/// The AUC from which on a feature nearly decides the label.
const NEARLY: f64 = 0.99;

/// The features by whose value alone any two classes are told apart with an AUC of 0.99 or more, which chance would give one of
/// all in at most one of a hundred tables; the first of them tells best. Sparse rows have none, and more than 30 classes.
///
/// The AUC is that of Mann and Whitney (1947): the share of pairs of an example of either class in which that of the second class
/// has the larger value, ties counted half. Of n₁ and n₂ examples without any connection it has the variance
/// (n₁ + n₂ + 1)/(12·n₁·n₂) or less; that a normal variable exceeds z has a probability of at most ½·exp(−z²/2).
///
/// Cost: a sort of 2,000 examples for each feature, or of fewer if there are many features, and of all examples for those that
/// tell the classes of these apart.
pub fn telling_features(rows: &Rows<'_>, numbers: &[u32]) -> Vec<TellingFeature> {
    const MOST_CLASSES: usize = 30;
    const VALUES: usize = 1 << 22;
    const SAMPLE: usize = 2_000;
    /// What a sample must show of a feature that all examples may show to be telling.
    const LIKELY: f64 = 0.97;
    let (n, classes) = (rows.len(), numbers.iter().max().map_or(0, |&last| last as usize + 1));
    let is_dense = rows.iter().next().is_some_and(|row| row.indices().is_none());
    if !is_dense || !(2..=MOST_CLASSES).contains(&classes) {
        return Vec::new();
    }
    let least = NEARLY.max(chance(numbers, classes, rows.features()));
    let sampled = (VALUES / rows.features().max(1)).clamp(100, SAMPLE).min(n);
    let sample: Vec<usize> = (0..sampled).map(|i| i * n / sampled).collect();
    let column = |feature: usize, places: &mut dyn Iterator<Item = usize>| {
        places.map(|i| (value(rows.row(i), feature), numbers[i])).collect::<Vec<_>>()
    };
    let mut found: Vec<TellingFeature> = (0..rows.features())
        .filter(|&feature| {
            least_auc(&mut column(feature, &mut sample.iter().copied()), classes) >= LIKELY
        })
        .map(|feature| {
            let auc = least_auc(&mut column(feature, &mut (0..n)), classes);
            TellingFeature { feature, auc }
        })
        .filter(|telling| telling.auc >= least)
        .collect();
    found.sort_by(|one, other| other.auc.total_cmp(&one.auc));
    found
}

/// The AUC that the best of so many features has by chance in at most one of a hundred tables; of the two rarest classes.
fn chance(numbers: &[u32], classes: usize, features: usize) -> f64 {
    const TABLES: f64 = 100.0;
    let mut counts = vec![0_u32; classes];
    numbers.iter().for_each(|&class| counts[class as usize] += 1);
    counts.retain(|&count| count > 0);
    counts.sort_unstable();
    let [one, other, ..] = counts[..] else { return f64::INFINITY };
    let (one, other) = (f64::from(one), f64::from(other));
    let deviation = ((one + other + 1.0) / (12.0 * one * other)).sqrt();
    // One direction and the other, of each feature.
    let z = (2.0 * (TABLES * features as f64).ln()).sqrt();
    0.5 + z * deviation
}

/// The least AUC of two classes that have examples; 0 if only one has. The values are sorted.
fn least_auc(column: &mut [(f64, u32)], classes: usize) -> f64 {
    column.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let mut before = vec![0.0; classes];
    // For classes i and j the pairs in which that of j has the larger value.
    let mut pairs = vec![0.0; classes * classes];
    for ties in column.chunk_by(|one, other| one.0 == other.0) {
        let mut here = vec![0.0; classes];
        ties.iter().for_each(|&(_, class)| here[class as usize] += 1.0);
        for (j, &count) in here.iter().enumerate().filter(|&(_, &count)| count > 0.0) {
            for i in 0..classes {
                pairs[i * classes + j] += count * (before[i] + here[i] / 2.0);
            }
        }
        before.iter_mut().zip(here).for_each(|(before, here)| *before += here);
    }
    let (mut least, mut compared) = (1.0, false);
    for j in 0..classes {
        for i in (0..j).filter(|&i| before[i] > 0.0 && before[j] > 0.0) {
            let auc: f64 = pairs[i * classes + j] / (before[i] * before[j]);
            least = f64::min(least, auc.max(1.0 - auc));
            compared = true;
        }
    }
    if compared { least } else { 0.0 }
}

/// A value of a dense row.
fn value(row: Row<'_>, feature: usize) -> f64 {
    match row.values() {
        Values::F64(values) => values[feature],
        Values::F32(values) => values[feature].into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three classes by hand: 1 2 | 2 3 | 9, with a tie of the first two.
    #[test]
    fn pairs_by_hand() {
        let mut column = vec![(9.0, 2), (2.0, 1), (1.0, 0), (3.0, 1), (2.0, 0)];
        assert_eq!(least_auc(&mut column, 3), 3.5 / 4.0);
        assert_eq!(least_auc(&mut [(1.0, 0), (2.0, 0)], 2), 0.0);
        // The other direction, and a class without examples.
        assert_eq!(least_auc(&mut [(1.0, 2), (2.0, 0), (3.0, 0)], 3), 1.0);
    }

    fn table(
        row: impl Fn(usize) -> [f64; 3],
        class: impl Fn(usize) -> u32,
        n: usize,
    ) -> Vec<usize> {
        let values: Vec<f64> = (0..n).flat_map(row).collect();
        let numbers: Vec<u32> = (0..n).map(class).collect();
        let rows = Rows::dense(values, 3).unwrap();
        telling_features(&rows, &numbers).into_iter().map(|one| one.feature).collect()
    }

    #[test]
    fn features_that_tell_the_label() {
        let noise = |i: usize| (i * 7919 % 1009) as f64;
        let class = |i: usize| (noise(i) > 600.0) as u32;
        // The second one decides, the third one nearly.
        let row = |i: usize| {
            let score = if i.is_multiple_of(300) { 0.0 } else { -noise(i) };
            [noise(i + 5), f64::from(class(i)), score]
        };
        assert_eq!(table(row, class, 5000), [1, 2]);
        // Three classes by two thresholds of one feature.
        let three = |i: usize| (noise(i) > 300.0) as u32 + (noise(i) > 600.0) as u32;
        assert_eq!(table(|i| [noise(i + 5), noise(i), 1.0], three, 3000), [1]);
        // A feature that tells one class of three is honest.
        let one = |i: usize| [noise(i + 5), f64::from(three(i).min(1)), 1.0];
        assert_eq!(table(one, three, 3000), [0; 0]);
    }

    /// In few rows a perfect split comes by chance.
    #[test]
    fn few_rows_say_nothing() {
        let class = |i: usize| (i % 2) as u32;
        let row = |i: usize| [f64::from(class(i)), 0.0, 1.0];
        assert_eq!(table(row, class, 10), [0; 0]);
        assert_eq!(table(row, class, 40), [0]);
    }
}
