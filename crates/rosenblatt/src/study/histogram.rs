//! Histograms with bins of equal width.

/// A bin of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Bin {
    /// The first number of the bin.
    pub from: u64,
    /// The last number of the bin.
    pub to: u64,
    /// The count of numbers in the bin.
    pub count: usize,
}

/// The maximum number of bins of a histogram.
const MOST_BINS: u64 = 10_000;

/// Counts `numbers` in about `most` bins (1 to 10,000) of one width, which is 1, 2 or 5 times a power of ten. The bins
/// begin at multiples of the width and cover all numbers from the smallest to the largest.
///
/// ```
/// use rosenblatt::study::{Bin, histogram};
/// let bins = histogram(&[3, 4, 9, 11], 5);
/// let expected = [(2, 3, 1), (4, 5, 1), (6, 7, 0), (8, 9, 1), (10, 11, 1)];
/// assert_eq!(bins, expected.map(|(from, to, count)| Bin { from, to, count }));
/// ```
pub fn histogram(numbers: &[u64], most: u64) -> Vec<Bin> {
    let (Some(&low), Some(&high)) = (numbers.iter().min(), numbers.iter().max()) else {
        return Vec::new();
    };
    let width = width(((high - low) / most.clamp(1, MOST_BINS)).saturating_add(1));
    let place = |number: u64| (number / width - low / width) as usize;
    let mut counts = vec![0; place(high) + 1];
    numbers.iter().for_each(|&number| counts[place(number)] += 1);
    let bin = |(i, count): (usize, usize)| {
        let from = (low / width + i as u64) * width;
        Bin { from, to: from.saturating_add(width - 1), count }
    };
    counts.into_iter().enumerate().map(bin).collect()
}

/// The next number of the form 1, 2 or 5 times a power of ten.
fn width(least: u64) -> u64 {
    let power = 10u64.pow(least.ilog10());
    let round = [1, 2, 5].map(|digit: u64| digit.saturating_mul(power)).into_iter();
    round.filter(|&round| round >= least).min().unwrap_or(power.saturating_mul(10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_round() {
        let widths = [1, 2, 3, 6, 10, 11, 21, 51, 999].map(width);
        assert_eq!(widths, [1, 2, 5, 10, 10, 20, 50, 100, 1000]);
    }

    #[test]
    fn every_number_is_in_one_bin() {
        for most in [1, 7, 12] {
            for numbers in [vec![5], vec![0, u64::MAX], vec![9, 10, 11, 199], (1..500).collect()] {
                let bins = histogram(&numbers, most);
                assert!(bins.len() as u64 <= most + 2, "{bins:?}");
                assert_eq!(bins.iter().map(|bin| bin.count).sum::<usize>(), numbers.len());
                for bin in bins {
                    let inside = |number: &&u64| (bin.from..=bin.to).contains(number);
                    assert_eq!(numbers.iter().filter(inside).count(), bin.count);
                }
            }
        }
        assert_eq!(histogram(&[], 12), []);
        for most in [0, u64::MAX] {
            assert!(histogram(&[0, u64::MAX], most).len() as u64 <= MOST_BINS + 2);
        }
    }
}
