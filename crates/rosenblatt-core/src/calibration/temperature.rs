//! Temperature: one slope for all scores, so that the most probable class is the one with the highest score.
//!
//! The probability of class c is `exp(β·s_c)/Σ exp(β·s_j)` with β ≥ 0 (Guo, Pleiss, Sun & Weinberger, *On calibration of modern
//! neural networks*, 2017); of two classes with the score s it is `1/(1 + exp(−β·s))`, Platt's sigmoid with the intercept 0.

use std::cmp::Ordering;

/// The slope β with the least cross-entropy to smoothed targets: 1 − 1/(n_c + 2) for the class c of a row, of which there are n_c rows,
/// and the rest in equal parts for the other classes. These are Platt's targets where there are two classes, and make the
/// minimum finite also where the highest score is that of its class in every row. If the scores are no better than chance, β is 0.
///
/// `scores` has one for each class, row by row. They are divided by a power of two first, which changes no digit. `None` if β is
/// past the range of `f64`.
pub(super) fn fit(scores: &[f64], classes: usize, actual: &[u32]) -> Option<f64> {
    let largest = scores.iter().map(|score| score.abs()).fold(0.0, f64::max);
    let exponent = if largest > 0.0 { libm::ilogb(largest) } else { 0 };
    let problem = Problem::new(scores, classes, actual, exponent);
    let slope = libm::ldexp(problem.minimum(), -exponent);
    slope.is_finite().then_some(slope)
}

/// The probabilities of the classes of a row. The highest score has the highest.
pub(super) fn probabilities(slope: f64, scores: &[f64]) -> impl Iterator<Item = f64> + '_ {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scores.iter().map(|score| power(slope, score - highest)).sum();
    scores.iter().map(move |score| power(slope, score - highest) / sum)
}

/// exp(β·d) of a difference d ≤ 0, which may be −∞.
fn power(slope: f64, difference: f64) -> f64 {
    if slope == 0.0 { 1.0 } else { libm::exp(slope * difference) }
}

/// The most steps; each at least halves the bracket or is one of Newton's method.
const STEPS: usize = 200;

/// Rows by the differences of their scores to the highest.
struct Problem {
    /// For each row a difference for each class, at most 0.
    differences: Vec<f64>,
    /// For each row Σ t_c·d_c with its targets t.
    targets: Vec<f64>,
    classes: usize,
}

impl Problem {
    fn new(scores: &[f64], classes: usize, actual: &[u32], exponent: i32) -> Self {
        let mut sizes = vec![0u64; classes];
        actual.iter().for_each(|&class| sizes[class as usize] += 1);
        let mut rows: Vec<(Vec<f64>, u32)> = scores
            .chunks(classes)
            .zip(actual)
            .map(|(scores, &class)| {
                let scaled = scores.iter().map(|&score| libm::ldexp(score, -exponent));
                let highest = scaled.clone().fold(f64::NEG_INFINITY, f64::max);
                (scaled.map(|score| score - highest).collect(), class)
            })
            .collect();
        // Sums do not depend on the order of the rows.
        let by_number = |a: &f64, b: &f64| a.total_cmp(b);
        rows.sort_unstable_by(|(a, one), (b, other)| {
            let first = a.iter().zip(b).map(|(a, b)| by_number(a, b)).find(|order| order.is_ne());
            first.unwrap_or(Ordering::Equal).then(one.cmp(other))
        });
        let target = |(differences, class): &(Vec<f64>, u32)| {
            let own = differences[*class as usize];
            let others = differences.iter().sum::<f64>() - own;
            let rest = 1.0 / (sizes[*class as usize] as f64 + 2.0);
            (1.0 - rest) * own + rest / (classes - 1) as f64 * others
        };
        let targets = rows.iter().map(target).collect();
        let differences = rows.into_iter().flat_map(|(differences, _)| differences).collect();
        Problem { differences, targets, classes }
    }

    /// The first and the second derivative of the cross-entropy by the slope.
    fn derivatives(&self, slope: f64) -> [f64; 2] {
        let (mut first, mut second) = (0.0, 0.0);
        for (differences, target) in self.differences.chunks(self.classes).zip(&self.targets) {
            let (mut sum, mut mean, mut square) = (0.0, 0.0, 0.0);
            for &d in differences {
                let power = power(slope, d);
                sum += power;
                mean += power * d;
                square += power * d * d;
            }
            let (mean, square) = (mean / sum, square / sum);
            first += mean - target;
            second += square - mean * mean;
        }
        [first, second]
    }

    /// The minimum of a convex function: Newton's method inside a bracket, which is halved where a step leaves it.
    fn minimum(&self) -> f64 {
        let spread = self.differences.iter().copied().fold(0.0, f64::min).abs();
        if spread == 0.0 || self.derivatives(0.0)[0] >= 0.0 {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, 1.0 / spread);
        while self.derivatives(high)[0] < 0.0 {
            (low, high) = (high, 2.0 * high);
            if !high.is_finite() {
                return high;
            }
        }
        let mut at = high;
        for _ in 0..STEPS {
            let [first, second] = self.derivatives(at);
            if first < 0.0 {
                low = at
            } else {
                high = at
            }
            let newton = at - first / second;
            let next =
                if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
            if next == at || next <= low || next >= high {
                break;
            }
            at = next;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.unwrap();
        assert!((found - expected).abs() <= 1e-13 * expected, "{found} {expected}");
    }

    /// Two classes with the score s have the scores −s/2 and s/2.
    fn of_two(scores: &[f64], actual: &[u32]) -> Option<f64> {
        let halves: Vec<f64> =
            scores.iter().flat_map(|score| [-score / 2.0, score / 2.0]).collect();
        fit(&halves, 2, actual)
    }

    /// Minima that were computed with 50 digits.
    #[test]
    fn the_minima_are_those_of_long_numbers() {
        let scores = [2, 0, -1, 1, 2, 0, 0, 1, 3, 1, 0, 0, 0, 2, 1, 2, 1, 0].map(f64::from);
        close(fit(&scores, 3, &[0, 1, 2, 0, 2, 1]), 0.602_884_913_505_704_4);
        let two = of_two(&[-3.0, -1.0, 2.0, 4.0, 1.0, -2.0], &[0, 0, 1, 1, 0, 1]);
        close(two, 0.253_220_360_197_104_54);
        close(of_two(&[-3.0, -1.0, 2.0, 4.0], &[0, 0, 1, 1]), 0.377_704_436_438_279_6);
        assert_eq!(of_two(&[-3.0, -1.0, 2.0, 4.0], &[1, 1, 0, 0]), Some(0.0));
        assert_eq!(fit(&[5.0; 6], 3, &[0, 1]), Some(0.0));
    }

    #[test]
    fn the_size_of_the_scores_and_the_order_change_no_digit() {
        let scores = [2.5, 0.0, -1.0, 1.0, 2.0, 0.5, 0.0, 1.0, 3.0, 1.0, 0.0, 0.25];
        let slope = fit(&scores, 3, &[0, 1, 2, 2]).unwrap();
        for exponent in [-900, 3, 800] {
            let scaled = scores.map(|score| libm::ldexp(score, exponent));
            assert_eq!(fit(&scaled, 3, &[0, 1, 2, 2]), Some(libm::ldexp(slope, -exponent)));
        }
        let turned: Vec<f64> = scores.chunks(3).rev().flatten().copied().collect();
        assert_eq!(fit(&turned, 3, &[2, 2, 1, 0]), Some(slope));
    }
}
