//! The scores of one row by many hyperplanes, and a bound on their errors, computed together.
//!
//! The weights of a feature stand side by side, in blocks of hyperplanes whose sums stay in registers while the entries of the row pass. No
//! sum crosses lanes.
//!
//! # The bound
//! Each score is a sum of its products and the bias, so the bound of [`filter`](crate::exact) holds with A ≤ ‖w‖·‖x‖ + |b|. Both norms are
//! roots of sums of squares in some order. Such a sum of n squares is off by at most a relative (n + 1)·u, and by n·2⁻¹⁰⁷⁵ where squares
//! underflow; so the root, made larger by 10⁻⁷ and by n·10⁻¹⁶⁰, is an upper bound for n < 2²⁸. Where something overflows it is
//! infinite, and the bound decides nothing.
#![allow(unsafe_code)] // sums in registers that not every processor has

use crate::{
    data::{Row, Values},
    exact::{error_bound, quick_magnitude},
    hyperplane::Hyperplane,
    simd::{Registers, SimdJob, Value, dispatch},
};

/// The hyperplanes of one block.
const WIDTH: usize = 16;

/// Hyperplanes, arranged by features.
#[derive(Clone, Debug)]
pub(crate) struct ScorePanel {
    /// For each block and each feature the weights of its hyperplanes; zeros after the last.
    weights: Vec<[f64; WIDTH]>,
    features: usize,
    /// The bias of each hyperplane, and an upper bound on the norm of its weights.
    planes: Vec<(f64, f64)>,
}

impl ScorePanel {
    /// A panel for this many rows; `None` where it is not worth its making, or too large.
    pub(crate) fn for_rows(planes: &[Hyperplane], rows: usize) -> Option<Self> {
        const LARGEST: usize = 1 << 20;
        const LEAST_ROWS: usize = 16;
        let features = planes.first()?.weights.len();
        let blocks = planes.len().div_ceil(WIDTH);
        let is_worth_it = planes.len() > 2 && rows >= LEAST_ROWS;
        if !is_worth_it || features.saturating_mul(blocks * WIDTH) > LARGEST {
            return None;
        }
        let mut weights = vec![[0.0; WIDTH]; features * blocks];
        for (number, plane) in planes.iter().enumerate() {
            let block = &mut weights[number / WIDTH * features..][..features];
            for (lanes, &weight) in block.iter_mut().zip(&plane.weights) {
                lanes[number % WIDTH] = weight;
            }
        }
        let norm = |plane: &Hyperplane| norm_bound(plane.weights.iter().copied());
        let planes = planes.iter().map(|plane| (plane.bias, norm(plane))).collect();
        Some(ScorePanel { weights, features, planes })
    }

    /// A lower and an upper bound of the score of a row by each hyperplane; infinite where unknown.
    pub(crate) fn bounds(&self, row: Row<'_>) -> Vec<(f64, f64)> {
        let mut squares = [0.0; 8];
        let mut next = 0;
        row.for_each(|_, x| {
            squares[next % 8] += x * x;
            next += 1;
        });
        let norm = of_squares(squares.iter().sum(), row.stored());
        let mut bounds = Vec::with_capacity(self.planes.len());
        for (block, planes) in self.planes.chunks(WIDTH).enumerate() {
            let weights = &self.weights[block * self.features..][..self.features];
            let sums = dispatch(Block { weights, row });
            for (&(bias, length), sum) in planes.iter().zip(sums) {
                let magnitude = quick_magnitude(length * norm, [bias, 0.0]);
                let error = error_bound(row.stored() + 2, magnitude);
                let score = sum + bias;
                // One rounding each; the neighboring float is past it.
                let (low, high) = ((score - error).next_down(), (score + error).next_up());
                let is_known = low <= high && error < f64::INFINITY;
                bounds.push(if is_known {
                    (low, high)
                } else {
                    (f64::NEG_INFINITY, f64::INFINITY)
                });
            }
        }
        bounds
    }
}

fn norm_bound(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len();
    of_squares(numbers.map(|number| number * number).sum(), count)
}

/// An upper bound on a norm, from the computed sum of so many squares.
fn of_squares(sum: f64, count: usize) -> f64 {
    const LARGEST_SUM: f64 = 1e300;
    if sum < LARGEST_SUM {
        sum.sqrt() * (1.0 + 1e-7) + count as f64 * 1e-160
    } else {
        f64::INFINITY
    }
}

/// The sums of one row by the hyperplanes of a block.
struct Block<'b> {
    weights: &'b [[f64; WIDTH]],
    row: Row<'b>,
}

impl SimdJob for Block<'_> {
    type Outcome = [f64; WIDTH];

    #[inline(always)]
    unsafe fn run<R: Registers>(self) -> [f64; WIDTH] {
        match (self.row.indices(), self.row.values()) {
            (None, Values::F64(x)) => self.dense::<R, f64>(x),
            (None, Values::F32(x)) => self.dense::<R, f32>(x),
            (Some(at), Values::F64(x)) => self.sparse::<R, f64>(at, x),
            (Some(at), Values::F32(x)) => self.sparse::<R, f32>(at, x),
        }
    }
}

impl Block<'_> {
    #[inline(always)]
    fn dense<R: Registers, T: Value>(self, x: &[T]) -> [f64; WIDTH] {
        let mut sums = [0.0; WIDTH];
        for (weights, &x) in self.weights.iter().zip(x) {
            add::<R>(&mut sums, weights, x.into());
        }
        sums
    }

    #[inline(always)]
    fn sparse<R: Registers, T: Value>(self, at: &[u32], x: &[T]) -> [f64; WIDTH] {
        let mut sums = [0.0; WIDTH];
        for (&j, &x) in at.iter().zip(x) {
            add::<R>(&mut sums, &self.weights[j as usize], x.into());
        }
        sums
    }
}

#[inline(always)]
fn add<R: Registers>(sums: &mut [f64; WIDTH], weights: &[f64; WIDTH], x: f64) {
    for lane in 0..WIDTH {
        sums[lane] = R::multiply_add(weights[lane], x, sums[lane]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        data::Rows,
        space::{LinearScores, Scores},
    };

    /// Numbers of all sizes, often with equal scores.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            6 => (-3i32..4).prop_map(f64::from),
            3 => -4.0..4.0f64,
            1 => (-1.0..1.0f64).prop_map(|x| x * 1e-170),
            1 => (-1.0..1.0f64).prop_map(|x| x * 1e160),
            1 => any::<i8>().prop_map(|n| f64::from(n) * f64::from_bits(1)),
        ]
    }

    proptest! {
        /// The bounds hold, and the class is the first with the highest exact score.
        #[test]
        fn bounds_hold_and_the_class_is_the_first_of_the_highest(
            features in 1usize..12,
            count in 3usize..40,
            weights in proptest::collection::vec(number(), 40 * 12),
            biases in proptest::collection::vec(number(), 40),
            values in proptest::collection::vec(number(), 16 * 12),
        ) {
            let plane = |k: usize| Hyperplane {
                weights: weights[k * features..(k + 1) * features].to_vec(),
                bias: biases[k],
            };
            let planes: Vec<Hyperplane> = (0..count).map(plane).collect();
            let values = &values[..16 * features];
            let offsets: Vec<usize> = (0..=16).map(|row| row * features).collect();
            let indices: Vec<u32> = (0..16).flat_map(|_| 0..features as u32).collect();
            let short: Vec<f32> = values.iter().map(|&x| x.clamp(-3e38, 3e38) as f32).collect();
            let layouts = [
                Rows::dense(values, features).unwrap(),
                Rows::sparse(offsets, indices, values, features).unwrap(),
                Rows::dense(short, features).unwrap(),
            ];
            for rows in &layouts {
                let panel = ScorePanel::for_rows(&planes, rows.len()).unwrap();
                let scores = LinearScores::new(&planes, rows);
                for row in 0..rows.len() {
                    for (k, (low, high)) in panel.bounds(rows.row(row)).into_iter().enumerate() {
                        let score = scores.score(k, row);
                        prop_assert!(low <= score && score <= high, "{low} {score} {high}");
                    }
                    let better = |best: usize, k: usize| match scores.compare(k, best, row) {
                        std::cmp::Ordering::Greater => k,
                        _ => best,
                    };
                    prop_assert_eq!(scores.highest(row), (1..count).fold(0, better));
                }
            }
        }
    }
}
