//! Two classifiers on the same examples: how often each alone is right, and whether the difference is more than chance.

use std::f64::consts::LN_2;

use serde::Serialize;

/// How many of the same examples each of two classifiers predicts right.
///
/// ```
/// use rosenblatt_core::metrics::Paired;
/// let mut paired = Paired::default();
/// for (first, second) in [(true, true), (true, false), (false, true), (false, true)] {
///     paired.count(first, second);
/// }
/// assert_eq!((paired.only_first, paired.only_second, paired.examples()), (1, 2, 4));
/// assert_eq!(paired.p_value(), 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Paired {
    /// Examples that both predict right.
    pub both: u64,
    /// Examples that only the first one predicts right.
    pub only_first: u64,
    /// Examples that only the second one predicts right.
    pub only_second: u64,
    /// Examples that neither predicts right.
    pub neither: u64,
}

impl Paired {
    /// Counts an example, and whether each of the two predicts it right.
    pub fn count(&mut self, first: bool, second: bool) {
        *match (first, second) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.only_first,
            (false, true) => &mut self.only_second,
            (false, false) => &mut self.neither,
        } += 1;
    }

    /// The number of examples.
    pub fn examples(self) -> u64 {
        self.both + self.only_first + self.only_second + self.neither
    }

    /// The accuracy of the second classifier less that of the first; `None` without examples.
    pub fn difference(self) -> Option<f64> {
        let n = self.examples();
        (n > 0).then(|| (self.only_second as f64 - self.only_first as f64) / n as f64)
    }

    /// The two-sided p-value of McNemar's exact test: how probable a split of the examples that only one of the two predicts right
    /// is that is at least as uneven as this one, if each falls to either of them like a fair coin. It is 1 if there are none.
    ///
    /// McNemar, *Note on the sampling error of the difference between correlated proportions or percentages*, 1947.
    pub fn p_value(self) -> f64 {
        let (m, k) = (self.only_first + self.only_second, self.only_first.min(self.only_second));
        if 2 * k == m {
            return 1.0;
        }
        let (n, j) = (m as f64, k as f64);
        let log = libm::lgamma(n + 1.0) - libm::lgamma(j + 1.0) - libm::lgamma(n - j + 1.0);
        // The terms fall from the kth on, each by the ratio of two binomial coefficients.
        let (mut term, mut sum) = (1.0, 0.0);
        for i in (0..=k).rev() {
            sum += term;
            term *= i as f64 / (m - i + 1) as f64;
            if term < f64::EPSILON * sum {
                break;
            }
        }
        (2.0 * sum * libm::exp(log - n * LN_2)).min(1.0)
    }

    /// The 95 % interval of [`Self::difference`]; `None` without examples.
    ///
    /// Newcombe, *Improved confidence intervals for the difference between binomial proportions based on paired data*, 1998,
    /// method 10: the intervals of both accuracies by Wilson's score, put together by their correlation.
    pub fn interval(self) -> Option<[f64; 2]> {
        let difference = self.difference()?;
        let n = self.examples() as f64;
        let [a, b, c, d] =
            [self.both, self.only_first, self.only_second, self.neither].map(|count| count as f64);
        let (first, second) = ((a + b) / n, (a + c) / n);
        let ([first_low, first_high], [second_low, second_high]) =
            (wilson(first, n), wilson(second, n));
        let product = (a + b) * (c + d) * (a + c) * (b + d);
        let excess = a * d - b * c;
        let phi = match product > 0.0 {
            false => 0.0,
            true if excess > n / 2.0 => (excess - n / 2.0) / product.sqrt(),
            true if excess >= 0.0 => 0.0,
            true => excess / product.sqrt(),
        };
        let along = |x: f64, y: f64| (x * x - 2.0 * phi * x * y + y * y).max(0.0).sqrt();
        let low = difference - along(second - second_low, first_high - first);
        let high = difference + along(second_high - second, first - first_low);
        Some([low, high])
    }
}

/// Wilson's score interval at 95 % of a share of `n`.
fn wilson(share: f64, n: f64) -> [f64; 2] {
    /// The 0.975 quantile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    let z2 = Z * Z;
    let middle = 2.0 * n * share + z2;
    let spread = Z * (z2 + 4.0 * n * share * (1.0 - share)).sqrt();
    let below = 2.0 * (n + z2);
    [((middle - spread) / below).max(0.0), ((middle + spread) / below).min(1.0)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn paired([both, only_first, only_second, neither]: [u64; 4]) -> Paired {
        Paired { both, only_first, only_second, neither }
    }

    fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} {b}");
    }

    #[test]
    fn the_test_counts_coins() {
        // 2·(1 + 6)/2⁶, 2·1/2⁵, and all of one side of 2.
        close(paired([0, 1, 5, 0]).p_value(), 14.0 / 64.0, 1e-15);
        close(paired([9, 5, 0, 2]).p_value(), 2.0 / 32.0, 1e-15);
        assert_eq!(paired([3, 4, 4, 1]).p_value(), 1.0);
        assert_eq!(paired([3, 0, 0, 1]).p_value(), 1.0);
        // 53,009,102 is the sum of C(30, i) for i up to 10, and 1,073,741,824 is 2³⁰.
        close(paired([0, 10, 20, 0]).p_value(), 2.0 * 53_009_102.0 / 1_073_741_824.0, 1e-14);
    }

    /// An example of Newcombe's paper, in which the difference is that of the first less the second.
    #[test]
    fn the_interval_is_that_of_the_paper() {
        let [low, high] = paired([36, 2, 12, 0]).interval().unwrap();
        close(low, 0.0569, 5e-5);
        close(high, 0.3404, 5e-5);
        assert_eq!((paired([0; 4]).interval(), paired([0; 4]).difference()), (None, None));
    }

    proptest! {
        #[test]
        fn the_other_way_round(counts in prop::array::uniform4(0u64..40)) {
            let [a, b, c, d] = counts;
            let (one, other) = (paired(counts), paired([a, c, b, d]));
            prop_assert_eq!(one.p_value(), other.p_value());
            if let (Some([low, high]), Some([other_low, other_high])) = (one.interval(), other.interval()) {
                prop_assert!((low + other_high).abs() < 1e-12 && (high + other_low).abs() < 1e-12);
                let difference = one.difference().unwrap();
                prop_assert!(low <= difference + 1e-12 && difference <= high + 1e-12);
                prop_assert!((-1.0..=1.0).contains(&low) && (-1.0..=1.0).contains(&high));
            }
        }

        /// The sum of binomial coefficients in whole numbers.
        #[test]
        fn the_test_is_exact(b in 0u64..50, c in 0u64..50) {
            let (m, k) = (b + c, b.min(c));
            let (mut term, mut sum) = (1u128, 0u128);
            for i in 0..=k {
                sum += term;
                term = term * u128::from(m - i) / u128::from(i + 1);
            }
            let exact = (2.0 * sum as f64 / (m as f64).exp2()).min(1.0);
            close(paired([1, b, c, 1]).p_value(), exact, 1e-12 * exact.max(1e-300) + 1e-15);
        }
    }
}
