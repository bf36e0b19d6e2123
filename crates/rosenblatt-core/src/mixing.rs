//! Several machines: the mean of the weights that they learned from their shards of the data, and the examples that
//! are closest to the wrong side.
//!
//! # Iterative parameter mixing
//! In each epoch, every shard starts from the same weights and makes one pass. The next weights are a mean of the last
//! weights of all shards, `w = Σ μᵢwᵢ` with μ ≥ 0 and Σμ = 1. Let u be a unit vector with margin γ on rows of norm at most
//! R, and let kᵢ be the mistakes of shard i in an epoch. From zero weights, the sum of `Σ μᵢkᵢ` over all epochs is at most
//! R²/γ² (McDonald, Hall & Mann 2010, Theorem 3): `u·w` grows by at least `γ Σ μᵢkᵢ` per epoch, and, because ‖·‖² is
//! convex, ‖w‖² by at most `R² Σ μᵢkᵢ`. If no weight moved without a mistake, an epoch without a mistake in any shard shows
//! that the weights separate all examples.

use std::{cmp::Ordering, collections::BinaryHeap};

use thiserror::Error;

use crate::{
    data::{Examples, RowError, Sign},
    exact::Accumulator,
    hyperplane::Hyperplane,
    space::{PrimalSpace, Scores, Space},
};

/// Weights that [`mix`] cannot mix.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MixError {
    /// The hyperplanes and their shares are not equally many.
    #[error("{hyperplanes} hyperplanes have {shares} shares")]
    Shares {
        /// The number of hyperplanes.
        hyperplanes: usize,
        /// The number of shares.
        shares: usize,
    },
    /// A hyperplane with another number of features than the first.
    #[error("hyperplane {number} has {found} features, expected {expected}")]
    Features {
        /// The hyperplane, counted from 0.
        number: usize,
        /// Its number of features.
        found: usize,
        /// The number of the first hyperplane.
        expected: usize,
    },
    /// A weight or a bias that is NaN or infinite.
    #[error("hyperplane {number} has a weight or a bias that is not a finite number")]
    NotFinite {
        /// The hyperplane, counted from 0.
        number: usize,
    },
    /// All shares are 0, or their sum is more than 2⁵³.
    #[error("the sum of the shares is {sum}, expected a number from 1 to 2^53")]
    Sum {
        /// The sum.
        sum: u128,
    },
}

/// Returns the mean of hyperplanes with these shares, `Σ cᵢwᵢ / Σ cᵢ`. Each weight is the real number rounded once, so
/// the order of the hyperplanes changes nothing.
///
/// Cost: one exact product per number of a hyperplane whose share is not 0.
///
/// # Errors
/// [`MixError`].
///
/// ```
/// use rosenblatt_core::{hyperplane::Hyperplane, mixing::mix};
/// let first = Hyperplane { weights: vec![1.0, 0.1], bias: 3.0 };
/// let second = Hyperplane { weights: vec![4.0, 0.1], bias: 0.0 };
/// let mean = mix(&[first, second], &[2, 1])?;
/// assert_eq!((mean.weights, mean.bias), (vec![2.0, 0.1], 2.0));
/// # Ok::<(), rosenblatt_core::mixing::MixError>(())
/// ```
pub fn mix(hyperplanes: &[Hyperplane], shares: &[u64]) -> Result<Hyperplane, MixError> {
    if hyperplanes.len() != shares.len() {
        let (hyperplanes, shares) = (hyperplanes.len(), shares.len());
        return Err(MixError::Shares { hyperplanes, shares });
    }
    let expected = hyperplanes.first().map_or(0, |first| first.weights.len());
    for (number, plane) in hyperplanes.iter().enumerate() {
        let found = plane.weights.len();
        if found != expected {
            return Err(MixError::Features { number, found, expected });
        }
        if !plane.is_sound(expected) {
            return Err(MixError::NotFinite { number });
        }
    }
    let sum = shares.iter().map(|&share| u128::from(share)).sum();
    if sum == 0 || sum > 1 << 53 {
        return Err(MixError::Sum { sum });
    }
    let all = || hyperplanes.iter().zip(shares).filter(|&(_, &share)| share > 0);
    let mean = |number: &dyn Fn(&Hyperplane) -> f64| {
        let mut total = Accumulator::new();
        all().for_each(|(plane, &share)| total.add_product(number(plane), share as f64));
        // Adding 0 turns −0, to which a tiny negative mean rounds, into +0.
        total.quotient(sum as u64) + 0.0
    };
    let weights = (0..expected).map(|feature| mean(&|plane| plane.weights[feature])).collect();
    Ok(Hyperplane { weights, bias: mean(&|plane| plane.bias) })
}

/// An example and its functional margin. The greatest is the first to leave a list of the least.
#[derive(PartialEq)]
struct Found {
    margin: f64,
    example: usize,
}

impl Eq for Found {}

impl Ord for Found {
    fn cmp(&self, other: &Self) -> Ordering {
        self.margin.total_cmp(&other.margin).then(self.example.cmp(&other.example))
    }
}

impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the `count` examples of least functional margin `y·(w·x + b)`, each with its margin rounded once, in the
/// order of the margins. Among equal margins, earlier examples come first.
///
/// Cost: one pass; exact scores are computed only for examples that could be among them.
///
/// # Errors
/// [`RowError`] if the examples have another number of features than the hyperplane, or its numbers are not finite.
///
/// ```
/// use rosenblatt_core::{data::{Examples, Rows, Sign}, hyperplane::Hyperplane, mixing::worst};
/// let rows = Rows::dense(&[3.0, -1.0, 1.0, 2.0], 1)?;
/// let signs = [Sign::Plus, Sign::Minus, Sign::Minus, Sign::Plus];
/// let plane = Hyperplane { weights: vec![1.0], bias: 0.0 };
/// let found = worst(&plane, &Examples::new(&rows, &signs)?, 2)?;
/// assert_eq!(found, [(2, -1.0), (1, 1.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn worst(
    hyperplane: &Hyperplane,
    examples: &Examples<'_>,
    count: usize,
) -> Result<Vec<(usize, f64)>, RowError> {
    hyperplane.fits(examples)?;
    let space = PrimalSpace::new(examples.rows());
    let scores = space.scores(std::slice::from_ref(hyperplane));
    let mut found = BinaryHeap::new();
    for example in 0..if count == 0 { 0 } else { examples.len() } {
        let sign = examples.sign(example);
        let (low, high) = scores.bounds(0, example);
        let least = if sign == Sign::Plus { low } else { -high };
        let is_full = found.len() == count;
        if is_full && found.peek().is_some_and(|last: &Found| last.margin < least) {
            continue;
        }
        found.push(Found { margin: sign * scores.score(0, example) + 0.0, example });
        if is_full {
            found.pop();
        }
    }
    let sorted = found.into_sorted_vec();
    Ok(sorted.into_iter().map(|found| (found.example, found.margin)).collect())
}
