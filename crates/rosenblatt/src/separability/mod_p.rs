//! Arithmetic modulo the prime 2⁶¹ − 1, and linear algebra over it.

use num_bigint::BigInt;
use num_traits::{Euclid, ToPrimitive};

use super::budget::Budget;

/// The prime; 2⁶¹ ≡ 1, so reduction is a shift and an addition.
pub(super) const PRIME: u64 = (1 << 61) - 1;

#[inline]
pub(super) fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let folded = (product as u64 & PRIME) + (product >> 61) as u64;
    if folded >= PRIME { folded - PRIME } else { folded }
}

#[inline]
pub(super) fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

#[inline]
pub(super) fn negate(a: u64) -> u64 {
    if a == 0 { 0 } else { PRIME - a }
}

/// 1/a for a ≠ 0, by Fermat's little theorem.
pub(super) fn invert(a: u64) -> u64 {
    let (mut result, mut power, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, power);
        }
        power = multiply(power, power);
        exponent >>= 1;
    }
    result
}

/// The remainder of an integer.
pub(super) fn residue(a: &BigInt) -> u64 {
    a.rem_euclid(&BigInt::from(PRIME)).to_u64().unwrap_or(0)
}

/// `row += factor · other`, element by element.
pub(super) fn add_multiple(row: &mut [u64], factor: u64, other: &[u64]) {
    if factor != 0 {
        for (a, &b) in row.iter_mut().zip(other) {
            *a = add(*a, multiply(factor, b));
        }
    }
}

/// Divides a row by its entry at `pivot`.
fn scale_to_one(row: &mut [u64], pivot: usize) {
    let scale = invert(row[pivot]);
    row.iter_mut().for_each(|a| *a = multiply(*a, scale));
}

/// Subtracts the multiple of another row, whose entry at `pivot` is 1, that makes the entry at `pivot` 0.
fn eliminate(row: &mut [u64], pivot: usize, other: &[u64]) {
    let factor = negate(row[pivot]);
    add_multiple(row, factor, other);
}

/// The inverse of a square matrix, by Gauss–Jordan elimination; `None` for a singular matrix or if the budget ends.
pub(super) fn inverse(mut matrix: Vec<Vec<u64>>, budget: &mut Budget<'_>) -> Option<Vec<Vec<u64>>> {
    let size = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|j| u64::from(i == j)));
    }
    for i in 0..size {
        if budget.spend(2 * (size * size) as u64) {
            return None;
        }
        let pivot = (i..size).find(|&r| matrix[r][i] != 0)?;
        matrix.swap(i, pivot);
        let mut row = std::mem::take(&mut matrix[i]);
        scale_to_one(&mut row, i);
        for other in matrix.iter_mut().filter(|other| !other.is_empty()) {
            eliminate(other, i, &row);
        }
        matrix[i] = row;
    }
    Some(matrix.into_iter().map(|row| row[size..].to_vec()).collect())
}

/// Equations over k unknowns in reduced echelon form, updated as each equation is added.
#[derive(Clone, Debug)]
pub(super) struct Echelon {
    unknowns: usize,
    /// The rows with their pivot unknown, whose coefficient is 1 and is 0 in all other rows.
    rows: Vec<(usize, Vec<u64>)>,
    /// A random solution of all equations so far.
    solution: Vec<u64>,
    /// The random values of the free unknowns.
    random: Vec<u64>,
}

impl Echelon {
    pub(super) fn new(unknowns: usize) -> Self {
        let random: Vec<u64> = (0..unknowns as u64).map(mix).collect();
        Echelon { unknowns, rows: Vec::new(), solution: random.clone(), random }
    }

    /// Adds an equation Σ aⱼxⱼ = 0, given by its nonzero coefficients. Returns whether it was new; a wrong "no" has a
    /// probability of one in [`PRIME`].
    ///
    /// Cost: that of reading it; O(k²) if it is new.
    pub(super) fn add(&mut self, equation: &[(usize, u64)]) -> bool {
        if self.implies(equation) {
            return false;
        }
        let mut row = vec![0; self.unknowns];
        equation.iter().for_each(|&(j, a)| row[j] = a);
        for (pivot, other) in &self.rows {
            eliminate(&mut row, *pivot, other);
        }
        let Some(pivot) = row.iter().position(|&a| a != 0) else { return false };
        scale_to_one(&mut row, pivot);
        for (_, other) in &mut self.rows {
            eliminate(other, pivot, &row);
        }
        self.rows.push((pivot, row));
        self.solve();
        true
    }

    /// Whether an equation follows from those so far; a wrong "yes" has a probability of one in [`PRIME`].
    ///
    /// Cost: that of reading it.
    pub(super) fn implies(&self, equation: &[(usize, u64)]) -> bool {
        let at = |sum, &(j, a): &(usize, u64)| add(sum, multiply(a, self.solution[j]));
        equation.iter().fold(0, at) == 0
    }

    fn solve(&mut self) {
        let mut solution = self.random.clone();
        self.rows.iter().for_each(|&(pivot, _)| solution[pivot] = 0);
        let values: Vec<u64> =
            self.rows.iter().map(|(_, row)| negate(product(row, &solution))).collect();
        for (&(pivot, _), value) in self.rows.iter().zip(values) {
            solution[pivot] = value;
        }
        self.solution = solution;
    }

    /// The pivot unknown of each equation, and its coefficient of another unknown.
    pub(super) fn column(&self, unknown: usize) -> impl Iterator<Item = (usize, u64)> {
        self.rows.iter().map(move |(pivot, row)| (*pivot, row[unknown]))
    }

    /// The unknowns that the equations fix, in the order of the new equations.
    pub(super) fn pivots(&self) -> Vec<usize> {
        self.rows.iter().map(|&(pivot, _)| pivot).collect()
    }
}

/// SplitMix64 of a counter, cut to 60 bits (Steele, Lea & Flood, *OOPSLA* 2014): values without a linear relation
/// between neighbors.
pub(super) fn mix(counter: u64) -> u64 {
    let mut z = (counter + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) >> 4
}

/// Σ aᵢbᵢ.
pub(super) fn product(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).fold(0, |sum, (&a, &b)| add(sum, multiply(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses() {
        assert_eq!(multiply(invert(12_345), 12_345), 1);
        let mut never = || false;
        let budget = &mut Budget::new(u64::MAX, &mut never);
        let inverse = inverse(vec![vec![0, 2], vec![3, 5]], budget).unwrap();
        assert_eq!(product(&[0, 2], &[inverse[0][0], inverse[1][0]]), 1);
        assert_eq!(product(&[3, 5], &[inverse[0][0], inverse[1][0]]), 0);
        assert_eq!(super::inverse(vec![vec![1, 2], vec![2, 4]], budget), None);
    }

    #[test]
    fn only_new_equations_count() {
        let mut echelon = Echelon::new(3);
        assert!(echelon.add(&[(0, 1), (1, 1)]));
        assert!(!echelon.add(&[(0, 2), (1, 2)]));
        assert!(echelon.add(&[(1, 1), (2, 1)]));
        assert!(!echelon.add(&[(0, 1), (2, PRIME - 1)]));
        assert_eq!(echelon.pivots(), [0, 1]);
    }
}
