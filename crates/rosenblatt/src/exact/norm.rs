//! Lengths of vectors, correctly rounded from the exact sum of squares.
#![allow(unsafe_code)] // sums in registers that not every processor has

use super::{
    Accumulator,
    filter::error_bound,
    lanes::{Registers, Task, Value, with_widest},
};
use crate::data::{Near, Places, Row, Rows, Values};

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
    /// Takes in the rows at these places, of so few rows that they are near then. Exact norms are taken only if one of
    /// them could be the longest.
    pub(crate) fn take(
        &mut self,
        rows: &Rows<'_>,
        near: Near,
        order: Places<'_>,
        places: (usize, usize),
    ) {
        if rooted(most_squares(rows, near, order, places)) < self.length {
            return;
        }
        for row in (places.0..places.1).filter_map(|place| order.get(place)) {
            if rooted(most_squares(rows, near, Places::AsTheyAre(rows.len()), (row, row + 1)))
                >= self.length
            {
                self.take_exactly(rows.row(row));
            }
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
    let (near, all) = (Near::new(rows), Places::AsTheyAre(rows.len()));
    let mut longest = Radius::default();
    for from in (0..rows.len()).step_by(near.rows()) {
        longest.take(rows, near, all, (from, rows.len().min(from + near.rows())));
    }
    longest
}

/// A number that is not below the rounded norms of rows with at most so large a bound of the sum of squares.
///
/// With u = 2⁻⁵³ the computed root r has r(1+u) ≥ its true root, and the rounded norm is at most 1 + u times the
/// true one; the factor 1 + 2⁻⁵⁰ exceeds (1+u)⁴, of which one is for the addition in the bound. Near the ends of
/// the range, where the squares leave it, the bound is infinite and the exact norm is taken.
fn rooted(squares: f64) -> f64 {
    if !(1e-280..1e280).contains(&squares) {
        return f64::INFINITY;
    }
    squares.sqrt() * (1.0 + 4.0 * f64::EPSILON)
}

/// The largest sum of squares of the rows at these places, each with the bound of its error added.
fn most_squares(rows: &Rows<'_>, near: Near, order: Places<'_>, places: (usize, usize)) -> f64 {
    match rows.values() {
        Values::F32(x) => with_widest(Squares { rows, near, x, order, places }),
        Values::F64(x) => with_widest(Squares { rows, near, x, order, places }),
    }
}

struct Squares<'s, T> {
    rows: &'s Rows<'s>,
    near: Near,
    x: &'s [T],
    order: Places<'s>,
    places: (usize, usize),
}

impl<T: Value> Task for Squares<'_, T> {
    type Outcome = f64;

    #[inline(always)]
    unsafe fn run<R: Registers>(self) -> f64 {
        let Squares { rows, near, x, order, places: (from, until) } = self;
        let (features, parts) = (rows.features(), rows.sparse_parts());
        let row = |i: usize| match parts {
            None => &x[i * features..(i + 1) * features],
            Some((offsets, _)) => &x[offsets[i]..offsets[i + 1]],
        };
        let mut most = 0.0f64;
        for place in from..until {
            let Some(i) = order.get(place) else { break };
            near.ask(rows, order, place);
            let next = near.beside(order, place).map_or(&[][..], row);
            let row = row(i);
            // SAFETY: the processor has the registers, says the caller.
            let squares = unsafe { R::products(row, row, next) };
            most = most.max(squares + error_bound(row.len() + 1, squares));
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The radius is that of all exact norms, in whatever groups the rows are taken.
        #[test]
        fn the_longest_of_all(
            features in 1usize..40,
            values in proptest::collection::vec(-3.0..3.0f64, 200),
            exponents in proptest::collection::vec(
                prop_oneof![9 => Just(0), 2 => Just(-520), 1 => Just(-1060), 1 => Just(510), 1 => Just(1020)], 200),
            dense in any::<bool>(),
            single in any::<bool>(),
            group in 1usize..20,
        ) {
            let n = values.len() / features;
            let scaled = |(row, &x): (usize, &f64)| x * 2f64.powi(exponents[row / features] / 2)
                * 2f64.powi(exponents[row / features] / 2);
            let values: Vec<f64> = values[..n * features].iter().enumerate().map(scaled).collect();
            let short: Vec<f32> = values.iter().map(|&x| x.clamp(-3e38, 3e38) as f32).collect();
            let offsets: Vec<usize> = (0..=n).map(|row| row * features).collect();
            let indices: Vec<u32> = (0..n).flat_map(|_| 0..features as u32).collect();
            let rows = match (dense, single) {
                (true, true) => Rows::dense(short, features),
                (true, false) => Rows::dense(values, features),
                (false, true) => Rows::sparse(offsets, indices, short, features),
                (false, false) => Rows::sparse(offsets, indices, values, features),
            }.unwrap();
            let mut naive = Radius::default();
            rows.iter().for_each(|row| naive.take_exactly(row));
            prop_assert_eq!(radius(&rows), naive);
            let (near, order) = (Near::new(&rows), (0..n).rev().collect::<Vec<_>>());
            let mut grouped = Radius::default();
            for from in (0..n).step_by(group) {
                grouped.take(&rows, near, Places::Ordered(&order), (from, n.min(from + group)));
            }
            prop_assert_eq!(grouped, naive);
        }
    }

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
