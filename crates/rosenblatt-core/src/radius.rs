//! The radius of the rows, `R = max‖x‖`, rounded once from exact sums.
#![allow(unsafe_code)] // sums in registers that not every processor has

use crate::{
    data::{Prefetch, Row, Rows, Values, VisitOrder},
    exact::{Accumulator, error_bound},
    simd::{Registers, SimdJob, Value, dispatch},
};

/// The radius of the rows, `R = max‖x‖`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Radius {
    /// R, rounded once.
    pub length: f64,
    /// R², rounded once (so it may differ from the square of `length`); infinite past the range.
    pub square: f64,
}

impl Radius {
    /// Adds the rows at these places. Exact norms are computed only for rows that could be the longest.
    pub(crate) fn take(
        &mut self,
        rows: &Rows<'_>,
        prefetch: Prefetch,
        order: VisitOrder<'_>,
        (from, until): (usize, usize),
    ) {
        let mut place = from;
        while place < until {
            let (places, shortest) = ((place, until), self.shortest_square());
            place = match rows.values() {
                Values::F32(x) => dispatch(Longer { rows, prefetch, x, order, places, shortest }),
                Values::F64(x) => dispatch(Longer { rows, prefetch, x, order, places, shortest }),
            };
            if let Some(row) = order.get(place).filter(|_| place < until) {
                self.take_exactly(rows.row(row));
            }
            place += 1;
        }
    }

    /// A row is not longer if its computed sum of squares plus error bound is below this.
    ///
    /// With u = 2⁻⁵³ the true sum is at most 1 + u times that, for the addition. The returned value is at most
    /// R²(1+u)²(1 − 32u), for R the rounded length so far. So the true root is below R(1 − 14u), and is not rounded to
    /// more than R. If R² comes close to the ends of the range of `f64`, the returned value is 0.
    fn shortest_square(&self) -> f64 {
        let square = self.length * self.length;
        if !(1e-280..1e280).contains(&square) {
            return 0.0;
        }
        square * (1.0 - 16.0 * f64::EPSILON)
    }

    #[cold]
    fn take_exactly(&mut self, row: Row<'_>) {
        let mut sum = Accumulator::new();
        row.for_each(|_, x| sum.add_product(x, x));
        // Rounding is monotone, so both maxima are correctly rounded.
        self.length = self.length.max(sum.root());
        self.square = self.square.max(sum.rounded());
    }
}

/// Returns the radius of the rows; 0 without rows.
///
/// Cost: one pass; the exact norm is computed only for rows that could be the longest.
pub fn radius(rows: &Rows<'_>) -> Radius {
    let mut longest = Radius::default();
    longest.take(rows, Prefetch::new(rows), VisitOrder::Stored(rows.len()), (0, rows.len()));
    longest
}

/// Finds the first place whose row has a sum of squares plus error bound of at least `shortest`; the end if there is
/// none.
struct Longer<'s, T> {
    rows: &'s Rows<'s>,
    prefetch: Prefetch,
    x: &'s [T],
    order: VisitOrder<'s>,
    places: (usize, usize),
    shortest: f64,
}

impl<T: Value> SimdJob for Longer<'_, T> {
    type Outcome = usize;

    #[inline(always)]
    unsafe fn run<R: Registers>(self) -> usize {
        let Longer { rows, prefetch, x, order, places: (from, until), shortest } = self;
        let (features, parts) = (rows.features(), rows.sparse_parts());
        let row = |i: usize| match parts {
            None => &x[i * features..(i + 1) * features],
            Some((offsets, _)) => &x[offsets[i]..offsets[i + 1]],
        };
        for place in from..until {
            let Some(i) = order.get(place) else { return until };
            prefetch.prefetch(rows, order, place);
            let next = prefetch.next_long_row(order, place).map_or(&[][..], row);
            let row = row(i);
            // SAFETY: the caller guarantees that the processor has the registers.
            let squares = unsafe { R::products(row, row, next) };
            // Written so that NaN counts as "not shorter".
            let is_shorter = squares + error_bound(row.len() + 1, squares) < shortest;
            if !is_shorter {
                return place;
            }
        }
        until
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The radius is that of all exact norms, however the rows are grouped.
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
            let (prefetch, order) = (Prefetch::new(&rows), (0..n).rev().collect::<Vec<_>>());
            let mut grouped = Radius::default();
            for from in (0..n).step_by(group) {
                grouped.take(&rows, prefetch, VisitOrder::Ordered(&order), (from, n.min(from + group)));
            }
            prop_assert_eq!(grouped, naive);
        }
    }

    #[test]
    fn by_hand() {
        let rows = Rows::dense(vec![0.0, 0.0, 3.0, -4.0, 1.0, 1.0], 2).unwrap();
        assert_eq!(radius(&rows), Radius { length: 5.0, square: 25.0 });
        let diagonal = Rows::dense(vec![1.0, 1.0], 2).unwrap();
        assert_eq!(radius(&diagonal), Radius { length: 2f64.sqrt(), square: 2.0 });
    }
}
