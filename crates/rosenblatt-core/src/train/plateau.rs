//! The end of a run whose mistakes no longer become fewer.
//!
//! Noise makes a perceptron err in every epoch, so a run on overlapping classes has no natural end. Its average improves
//! for some epochs and then changes little. The counts of mistakes show when: this rule looks at them after 10, 20 and 40
//! epochs and ends the run unless its second half made clearly fewer mistakes than its first half, after 40 in any case.
//! Tiny data are exempt, so that examples of a lecture run until they converge; their visits take about a
//! millisecond. Decision 11 has the measurements.

use crate::data::Rows;

/// The number of epochs after which the rule first looks at the mistakes.
const FIRST: usize = 10;

/// The number of epochs after which it ends every run.
const LAST: usize = 40;

/// A run continues if the second half of its epochs made at most this share of the mistakes of the first half.
const SHARE: f64 = 0.9;

/// No run ends here before its epochs visited this many values that are not 0.
const VALUES: u64 = 100_000;

/// Whether a run ends after these epochs. An epoch visits `values` values that are not 0, or at least 100,000.
pub fn is_reached(mistakes_per_epoch: &[u64], values: u64) -> bool {
    let epochs = mistakes_per_epoch.len();
    if values.saturating_mul(epochs as u64) < VALUES {
        return false;
    }
    let is_checked = epochs.is_multiple_of(FIRST) && (epochs / FIRST).is_power_of_two();
    let (first, second) = mistakes_per_epoch.split_at(epochs / 2);
    let sum = |mistakes: &[u64]| mistakes.iter().map(|&count| count as f64).sum::<f64>();
    epochs >= LAST || (is_checked && sum(second) > SHARE * sum(first))
}

/// The values that are not 0, counted up to at least 100,000, which end a run as more do. How rows are stored makes no
/// difference.
pub(super) fn values(rows: &Rows<'_>) -> u64 {
    let mut count = 0;
    for row in rows.iter() {
        row.for_each(|_, x| count += u64::from(x != 0.0));
        if count >= VALUES {
            break;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the glossary: nine tenths after 10, 20 and 40 epochs, and 100,000 values.
    #[test]
    fn a_run_stops_as_the_glossary_says() {
        let end = |mistakes: &[u64], values| {
            (0..=mistakes.len()).find(|&epochs| is_reached(&mistakes[..epochs], values))
        };
        let falling = |halves: &[(usize, u64)]| -> Vec<u64> {
            halves.iter().flat_map(|&(epochs, level)| vec![level; epochs]).collect()
        };
        assert_eq!(end(&falling(&[(5, 100), (5, 91), (50, 91)]), 10_000), Some(10));
        assert_eq!(end(&falling(&[(5, 100), (5, 90), (10, 86), (40, 86)]), 10_000), Some(20));
        assert_eq!(end(&falling(&[(5, 100), (5, 90), (10, 85), (40, 1)]), 10_000), Some(40));
        // The first epochs after 99,990 and after 100,000 values, and 40 epochs of 2,000.
        assert_eq!(end(&[7; 60], 9_999), Some(20));
        assert_eq!(end(&[7; 60], 2_000), Some(50));
    }

    #[test]
    fn forty_epochs_are_the_end() {
        let halved: Vec<u64> = (0..60).map(|epoch| u64::MAX >> epoch).collect();
        assert_eq!((0..60).find(|&epochs| is_reached(&halved[..epochs], VALUES)), Some(LAST));
    }

    #[test]
    fn tiny_data_are_exempt() {
        let noise = [7; 1000];
        let first = |values| (0..=1000).find(|&epochs| is_reached(&noise[..epochs], values));
        let ends = [VALUES / 10, VALUES / 11, VALUES / 100].map(first);
        assert_eq!(ends, [10, 20, 100].map(Some));
        // XOR has 8 values.
        assert_eq!(first(8), None);
    }
}
