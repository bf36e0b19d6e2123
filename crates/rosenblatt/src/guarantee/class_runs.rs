//! Whether examples are sorted by class, so that one pass in their order would forget the first classes.

/// Counts of the classes of examples in order.
#[derive(Clone, Debug, Default)]
pub struct ClassRuns {
    sizes: Vec<u64>,
    /// The number of runs: examples in a row of one class.
    runs: u64,
    last: Option<u32>,
}

impl ClassRuns {
    /// The counts of these examples.
    pub fn of(classes: &[u32]) -> Self {
        let mut runs = ClassRuns::default();
        runs.count(classes);
        runs
    }

    /// Counts the classes of the next examples.
    pub fn count(&mut self, classes: &[u32]) {
        for &class in classes {
            if self.sizes.len() <= class as usize {
                self.sizes.resize(class as usize + 1, 0);
            }
            self.sizes[class as usize] += 1;
            self.runs += u64::from(self.last != Some(class));
            self.last = Some(class);
        }
    }

    /// Whether there are less than half as many runs as a random order has on average, and five standard deviations
    /// fewer. By Cantelli's inequality at most one random order in 26 is like that.
    pub fn are_sorted(&self) -> bool {
        let (mean, variance) = self.moments();
        let runs = self.runs as f64;
        runs < mean / 2.0 && (mean - runs).powi(2) > 25.0 * variance
    }

    /// The mean and the variance of the number of runs in a random order. With n examples and class sizes nᵢ they are
    /// 1 + (n² − Σnᵢ²)/n and (Σnᵢ²(Σnᵢ² + n(n + 1)) − 2nΣnᵢ³ − n³)/(n²(n − 1)) (Barton & David 1957).
    fn moments(&self) -> (f64, f64) {
        let sum =
            |power: i32| self.sizes.iter().map(|&size| (size as f64).powi(power)).sum::<f64>();
        let (n, squares, cubes) = (sum(1), sum(2), sum(3));
        let variance = (squares * (squares + n * (n + 1.0)) - 2.0 * n * cubes - n * n * n)
            / (n * n * (n - 1.0));
        (1.0 + (n * n - squares) / n, variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_examples_are_found() {
        let sorted = |each: usize| [vec![0; each], vec![1; each]].concat();
        assert!(ClassRuns::of(&sorted(500)).are_sorted());
        // 2 runs of 6 examples are no surprise.
        assert!(!ClassRuns::of(&sorted(3)).are_sorted());
        assert!(!ClassRuns::of(&[0, 1].repeat(500)).are_sorted());
        assert!(!ClassRuns::of(&[0; 50]).are_sorted());
        assert!(!ClassRuns::of(&[]).are_sorted());
    }

    /// The orders of two and two examples have 2, 4, 3, 3, 4 and 2 runs.
    #[test]
    fn moments_by_hand() {
        let orders =
            [[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 1, 0], [1, 1, 0, 0]];
        assert_eq!(orders.map(|order| ClassRuns::of(&order).runs), [2, 4, 3, 3, 4, 2]);
        let (mean, variance) = ClassRuns::of(&orders[0]).moments();
        assert_eq!(mean, 3.0);
        assert!((variance - 2.0 / 3.0).abs() < 1e-15);
    }
}
