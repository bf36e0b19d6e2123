//! Norms of vectors, correctly rounded from the exact sum of squares.

use super::{Accumulator, compensated};
use crate::Row;

/// Returns `√Σ aⱼ²` rounded once; NaN if a number is not finite. No intermediate result under- or overflows.
///
/// Cost: about ten times that of a plain sum of squares.
pub fn norm(numbers: impl IntoIterator<Item = f64>) -> f64 {
    sum_of_squares(numbers).map_or(f64::NAN, |sum| sum.root())
}

/// Returns `Σ aⱼ²` rounded once; infinite past the range of `f64`, NaN if a number is not finite.
pub fn squared_norm(numbers: impl IntoIterator<Item = f64>) -> f64 {
    sum_of_squares(numbers).map_or(f64::NAN, |sum| sum.rounded())
}

/// Returns `None` if a number is not finite.
fn sum_of_squares(numbers: impl IntoIterator<Item = f64>) -> Option<Accumulator> {
    let mut sum = Accumulator::new();
    for a in numbers {
        if !a.is_finite() {
            return None;
        }
        sum.add_product(a, a);
    }
    Some(sum)
}

/// Returns `‖x‖` rounded once; infinite past the range of `f64`, NaN if a number is not finite.
pub fn row_norm(row: Row<'_>) -> f64 {
    compensated::squares(row, 0.0)
        .and_then(|sum| sum.root())
        .unwrap_or_else(|| sum_of_row_squares(row, 0.0).map_or(f64::NAN, |sum| sum.root()))
}

/// Returns `‖x‖² + extra` rounded once; NaN if a number is not finite.
pub fn squared_row_norm(row: Row<'_>, extra: f64) -> f64 {
    compensated::squares(row, extra)
        .and_then(|sum| sum.rounded())
        .unwrap_or_else(|| sum_of_row_squares(row, extra).map_or(f64::NAN, |sum| sum.rounded()))
}

/// Returns `2(‖x‖² + extra)` rounded once; NaN if a number is not finite.
pub fn squared_norm_of_pair(row: Row<'_>, extra: f64) -> f64 {
    // Where the compensated sum is in range, all its parts are whole multiples of the smallest float, so that doubling rounds nothing.
    let doubled = |mut sum: Accumulator| {
        sum.double();
        sum.rounded()
    };
    compensated::squares(row, extra)
        .and_then(|sum| sum.rounded())
        .map(|rounded| 2.0 * rounded)
        .unwrap_or_else(|| sum_of_row_squares(row, extra).map_or(f64::NAN, doubled))
}

/// The exact sum, where the compensated one does not decide. Returns `None` if a number is not finite.
#[cold]
fn sum_of_row_squares(row: Row<'_>, extra: f64) -> Option<Accumulator> {
    let (mut sum, mut is_finite) = (Accumulator::new(), extra.is_finite());
    row.for_each(|_, x| {
        is_finite &= x.is_finite();
        if is_finite {
            sum.add_product(x, x);
        }
    });
    is_finite.then(|| {
        sum.add(extra);
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;

    #[test]
    fn by_hand() {
        assert_eq!(norm([3.0, 4.0]), 5.0);
        assert_eq!(norm([]), 0.0);
        assert_eq!(norm([1e300, 1e300]), 1e300 * 2f64.sqrt());
        assert_eq!(squared_norm([1e300]), f64::INFINITY);
        for bad in [f64::NAN, f64::INFINITY] {
            assert!(norm([1.0, bad]).is_nan() && squared_norm([bad, 0.0]).is_nan());
            let x = [1.0, 2.0, bad];
            assert!(squared_row_norm(Row::dense(Values::F64(&x)), 0.0).is_nan());
            assert!(squared_row_norm(Row::dense(Values::F64(&[1.0])), bad).is_nan());
        }
    }
}
