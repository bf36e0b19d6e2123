//! Lengths of vectors, correctly rounded from the exact sum of squares.

use super::{Accumulator, filter::error_bound, lanes::products};
use crate::data::{Row, Rows, Values};

/// `√Σ aⱼ²` for finite numbers, rounded once. No intermediate result under- or overflows.
///
/// Cost: some ten times that of a plain sum of squares.
pub fn norm(numbers: impl IntoIterator<Item = f64>) -> f64 {
    sum_of_squares(numbers).root()
}

/// `Σ aⱼ²` rounded once; infinite when it is past the range of `f64`.
pub fn squared_norm(numbers: impl IntoIterator<Item = f64>) -> f64 {
    sum_of_squares(numbers).rounded()
}

fn sum_of_squares(numbers: impl IntoIterator<Item = f64>) -> Accumulator {
    let mut sum = Accumulator::new();
    for a in numbers {
        sum.add_product(a, a);
    }
    sum
}

/// `‖x‖² + extra` rounded once.
pub fn squared_row_norm(row: Row<'_>, extra: f64) -> f64 {
    let mut sum = Accumulator::new();
    row.for_each(|_, x| sum.add_product(x, x));
    sum.add(extra);
    sum.rounded()
}

/// How far the rows reach: `R = max‖x‖`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Radius {
    /// R, rounded once.
    pub length: f64,
    /// R², rounded once (so it need not be the square of `length`); infinite past the range.
    pub square: f64,
}

impl Radius {
    /// Takes in one more row. Its exact norm is taken only if the row could be the longest. `next` is brought
    /// near meanwhile.
    #[inline]
    pub(crate) fn take(&mut self, row: Row<'_>, next: Option<Row<'_>>) {
        if upper_bound(row, next) >= self.length {
            self.take_exactly(row);
        }
    }

    #[cold]
    fn take_exactly(&mut self, row: Row<'_>) {
        let mut sum = Accumulator::new();
        row.for_each(|_, x| sum.add_product(x, x));
        // Rounding is monotone, so each is the largest in its own right.
        self.length = self.length.max(sum.root());
        self.square = self.square.max(sum.rounded());
    }
}

/// The radius of the rows; 0 when there is none.
///
/// Cost: one pass; the exact norm is taken only of rows that could be the longest.
pub fn radius(rows: &Rows<'_>) -> Radius {
    let mut longest = Radius::default();
    rows.iter().for_each(|row| longest.take(row, None));
    longest
}

/// A number that is not below the rounded norm. With u = 2⁻⁵³ the computed root r of an upper bound of
/// the sum of squares has r(1+u) ≥ its true root, and the rounded norm is at most 1 + u times the
/// true one; the factor 1 + 2⁻⁵⁰ exceeds (1+u)⁴. Near the ends of the range, where the
/// squares leave it, the bound is infinite and the exact norm is taken.
fn upper_bound(row: Row<'_>, next: Option<Row<'_>>) -> f64 {
    let squares = match (row.values(), next.map(|next| next.values())) {
        (Values::F64(x), Some(Values::F64(next))) => products(x, x, next),
        (Values::F32(x), Some(Values::F32(next))) => products(x, x, next),
        (Values::F64(x), _) => products(x, x, &[]),
        (Values::F32(x), _) => products(x, x, &[]),
    };
    if !(1e-280..1e280).contains(&squares) {
        return f64::INFINITY;
    }
    (squares + error_bound(row.stored() + 1, squares)).sqrt() * (1.0 + 4.0 * f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(norm([3.0, 4.0]), 5.0);
        assert_eq!(norm([]), 0.0);
        assert_eq!(norm([1e300, 1e300]), 1e300 * 2f64.sqrt());
        assert_eq!(squared_norm([1e300]), f64::INFINITY);
        let rows = Rows::dense(vec![0.0, 0.0, 3.0, -4.0, 1.0, 1.0], 2).unwrap();
        assert_eq!(radius(&rows), Radius { length: 5.0, square: 25.0 });
        let diagonal = Rows::dense(vec![1.0, 1.0], 2).unwrap();
        assert_eq!(radius(&diagonal), Radius { length: 2f64.sqrt(), square: 2.0 });
    }
}
