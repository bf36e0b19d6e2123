//! Scores of hyperplanes that are combinations of rows.

use std::{borrow::Cow, cmp::Ordering};

use super::Scores;
use crate::{
    data::{Row, Values},
    exact::{self, error_bound},
    hyperplane::Hyperplane,
    kernel::{CanonicalRows, GROUP, Kernel, KernelCache, for_each_group, kernel_row},
    parallel::in_shares,
};

/// The scores of several hyperplanes on several rows: estimates for all at once, and exact scores if an estimate does
/// not decide.
///
/// An estimate is the sum of coefficient times kernel value in the order of the supporting rows. So it does not depend
/// on the number of threads.
#[derive(Clone, Debug)]
pub(crate) struct KernelScores<'a> {
    kernel: Kernel,
    support: Cow<'a, CanonicalRows>,
    planes: &'a [Hyperplane],
    rows: Cow<'a, CanonicalRows>,
    /// For each row and hyperplane: Σ cⱼ K(xⱼ, x), and the sum of the absolute values.
    estimates: Cow<'a, [(f64, f64)]>,
    /// The maximum number of terms of an estimate, in the sense of the error bound.
    terms: usize,
}

impl<'a> KernelScores<'a> {
    /// Cost: one kernel value for each pair of a row and a supporting row that is not cached.
    pub(crate) fn new(
        kernel: Kernel,
        (support, cache): (Cow<'a, CanonicalRows>, &KernelCache),
        planes: &'a [Hyperplane],
        rows: Cow<'a, CanonicalRows>,
        threads: usize,
    ) -> Self {
        let mut estimates = vec![(0.0, 0.0); rows.len() * planes.len()];
        let width = planes.len();
        in_shares(&mut estimates, width, threads, |range, own| {
            let start = range.start;
            for_each_group(kernel, (&support, cache), &rows, range, |group, values| {
                let own = &mut own[(group.start - start) * width..(group.end - start) * width];
                estimate(values, planes, own);
            });
        });
        // One term per supporting row, and one more.
        let (terms, estimates) = (support.len() + 2, Cow::Owned(estimates));
        KernelScores { kernel, support, planes, rows, estimates, terms }
    }

    #[cfg(feature = "fast")]
    /// Scores from existing estimates with this number of terms.
    pub(crate) fn with_estimates(
        kernel: Kernel,
        (support, planes): (CanonicalRows, &'a [Hyperplane]),
        rows: &'a CanonicalRows,
        (estimates, terms): (&'a [(f64, f64)], usize),
    ) -> Self {
        let (support, rows) = (Cow::Owned(support), Cow::Borrowed(rows));
        KernelScores { kernel, support, planes, rows, estimates: Cow::Borrowed(estimates), terms }
    }

    fn estimate(&self, plane: usize, row: usize) -> (f64, f64) {
        let (sum, magnitude) = self.estimates[row * self.planes.len() + plane];
        let bias = self.planes[plane].bias;
        (sum + bias, error_bound(self.terms + 1, magnitude + bias.abs()))
    }

    /// The kernel values of a row with all supporting rows.
    fn kernel_values(&self, row: usize) -> Vec<f64> {
        kernel_row(self.kernel, (&self.rows, row), &self.support)
    }

    /// `‖w‖²` of a hyperplane whose supporting rows are the rows, as Σ cᵢ (w·φ(xᵢ)), and a bound on its distance from
    /// the exact sum over the stored numbers.
    pub(crate) fn squared_length(&self, plane: usize) -> (f64, f64) {
        let (mut sum, mut magnitude, mut error) = (0.0, 0.0, 0.0);
        for (row, coefficient) in self.planes[plane].weights.iter().enumerate() {
            let (estimate, magnitudes) = self.estimates[row * self.planes.len() + plane];
            let product = coefficient * estimate;
            sum += product;
            magnitude += product.abs();
            error += coefficient.abs() * error_bound(self.terms, magnitudes);
        }
        // The last factor covers the roundings of the error itself.
        let terms = self.support.len() + 2;
        (sum, (error + error_bound(terms, magnitude)) * (1.0 + terms as f64 * f64::EPSILON))
    }
}

/// The estimates of a group of rows, computed together.
fn estimate(values: &[[f64; GROUP]], planes: &[Hyperplane], estimates: &mut [(f64, f64)]) {
    for (number, plane) in planes.iter().enumerate() {
        let (mut sums, mut magnitudes) = ([0.0; GROUP], [0.0; GROUP]);
        for (coefficient, values) in plane.weights.iter().zip(values) {
            for lane in 0..GROUP {
                let product = coefficient * values[lane];
                sums[lane] += product;
                magnitudes[lane] += product.abs();
            }
        }
        let own = estimates.iter_mut().skip(number).step_by(planes.len());
        own.zip(sums.into_iter().zip(magnitudes)).for_each(|(own, estimate)| *own = estimate);
    }
}

impl Scores for KernelScores<'_> {
    fn planes(&self) -> usize {
        self.planes.len()
    }

    fn bounds(&self, plane: usize, row: usize) -> (f64, f64) {
        let (estimate, error) = self.estimate(plane, row);
        let (low, high) = ((estimate - error).next_down(), (estimate + error).next_up());
        if low <= high { (low, high) } else { (f64::NEG_INFINITY, f64::INFINITY) }
    }

    fn sign(&self, plane: usize, row: usize) -> Ordering {
        let (estimate, error) = self.estimate(plane, row);
        if estimate.abs() > error {
            return if estimate > 0.0 { Ordering::Greater } else { Ordering::Less };
        }
        let Hyperplane { weights, bias } = &self.planes[plane];
        let values = self.kernel_values(row);
        exact::score_sign(weights, *bias, on_support(&values, weights))
    }

    fn score(&self, plane: usize, row: usize) -> f64 {
        let Hyperplane { weights, bias } = &self.planes[plane];
        let values = self.kernel_values(row);
        exact::score(weights, *bias, on_support(&values, weights))
    }

    fn compare(&self, first: usize, second: usize, row: usize) -> Ordering {
        let values = self.kernel_values(row);
        let of = |plane: usize| (self.planes[plane].weights.as_slice(), self.planes[plane].bias);
        exact::compare_two_scores(of(first), of(second), Row::dense(Values::F64(&values)))
    }
}

/// Kernel values as a row, cut to the number of coefficients.
pub(crate) fn on_support<'v>(values: &'v [f64], coefficients: &[f64]) -> Row<'v> {
    Row::dense(Values::F64(&values[..coefficients.len().min(values.len())]))
}
