//! Arithmetic modulo the prime 2⁵⁶ − 5, and linear algebra over it.
//!
//! Data contain powers of two and their neighbors. Modulo 2⁶¹ − 1, whose reduction is simpler, 0 and 2⁶¹ − 1 would be the same
//! number, and so would 1 and 2⁶¹; modulo this prime, the powers of two of all floats differ.

use num_bigint::BigInt;
use num_traits::{Euclid, ToPrimitive};

use super::{budget::Budget, integers::dyadic};

/// The prime; 2⁵⁶ ≡ 5, so reduction takes shifts and additions.
pub(super) const PRIME: u64 = (1 << BITS) - GAP;
const BITS: u32 = 56;
const GAP: u64 = 5;

/// 2ᵉ for the exponents of floats, from −1074 to 1023.
static POWERS: [u64; 2098] = {
    let (mut powers, mut k) = ([1; 2098], 1075);
    while k < 2098 {
        powers[k] = powers[k - 1] * 2 % PRIME;
        k += 1;
    }
    k = 1074;
    while k > 0 {
        // Half of an odd number is half of its sum with the prime.
        let twice = powers[k];
        powers[k - 1] = if twice % 2 == 0 { twice / 2 } else { (twice + PRIME) / 2 };
        k -= 1;
    }
    powers
};

#[inline]
pub(super) fn multiply(a: u64, b: u64) -> u64 {
    reduced(u128::from(a) * u128::from(b))
}

/// The remainder of a number below 2¹¹⁷, such as the sum of 32 products.
#[inline]
fn reduced(number: u128) -> u64 {
    const LOW: u64 = (1 << BITS) - 1;
    // Below 2⁵⁶ + 5·2⁶¹, then below 2⁵⁶ + 5·2⁸.
    let once = (number as u64 & LOW) + GAP * (number >> BITS) as u64;
    let twice = (once & LOW) + GAP * (once >> BITS);
    if twice >= PRIME { twice - PRIME } else { twice }
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

/// The remainder of a float, whose power of two may be negative.
pub(super) fn residue_of_float(z: f64) -> u64 {
    let (mantissa, exponent) = dyadic(z);
    let size = multiply(mantissa.unsigned_abs(), POWERS[(exponent + 1074) as usize]);
    if mantissa < 0 { negate(size) } else { size }
}

/// The remainder of an integer.
pub(super) fn residue(a: &BigInt) -> u64 {
    a.rem_euclid(&BigInt::from(PRIME)).to_u64().unwrap_or(0)
}

/// `row += factor · other`, element by element.
pub(super) fn add_multiple(row: &mut [u64], factor: u64, other: &[u64]) {
    if factor != 0 {
        for (a, &b) in row.iter_mut().zip(other) {
            *a = reduced(u128::from(factor) * u128::from(b) + u128::from(*a));
        }
    }
}

fn scale(row: &mut [u64], factor: u64) {
    row.iter_mut().for_each(|a| *a = multiply(*a, factor));
}

/// A square matrix, its rows in another order, as the product of two triangular ones.
pub(super) struct Factors {
    /// Row by row L without its diagonal of ones, then U with 1/a for each a of its diagonal.
    rows: Vec<Vec<u64>>,
    /// The row of the matrix that each row comes from.
    order: Vec<usize>,
}

impl Factors {
    /// By elimination; `None` for a singular matrix or if the budget ends.
    pub(super) fn new(mut rows: Vec<Vec<u64>>, budget: &mut Budget<'_>) -> Option<Self> {
        let size = rows.len();
        let mut order: Vec<usize> = (0..size).collect();
        for i in 0..size {
            if budget.spend(2 * ((size - i) * (size - i)) as u64) {
                return None;
            }
            let pivot = (i..size).find(|&r| rows[r][i] != 0)?;
            rows.swap(i, pivot);
            order.swap(i, pivot);
            let (above, below) = rows.split_at_mut(i + 1);
            let row = &mut above[i];
            row[i] = invert(row[i]);
            for other in below {
                other[i] = multiply(other[i], row[i]);
                let factor = negate(other[i]);
                add_multiple(&mut other[i + 1..], factor, &row[i + 1..]);
            }
        }
        Some(Factors { rows, order })
    }

    /// The solution x of Bx = b for the matrix B.
    pub(super) fn solve(&self, right: &[u64]) -> Vec<u64> {
        let mut x: Vec<u64> = Vec::with_capacity(right.len());
        for (row, &from) in self.rows.iter().zip(&self.order) {
            x.push(add(right[from], negate(product(&row[..x.len()], &x))));
        }
        for (i, row) in self.rows.iter().enumerate().rev() {
            let rest = add(x[i], negate(product(&row[i + 1..], &x[i + 1..])));
            x[i] = multiply(rest, row[i]);
        }
        x
    }
}

/// Equations over k unknowns in reduced echelon form, updated as each equation is added: each says what one unknown
/// is, given those that none of them fixes.
#[derive(Clone, Debug)]
pub(super) struct Echelon {
    /// The unknowns that are not fixed.
    free: Vec<usize>,
    /// For each equation the unknown that it fixes, with the coefficient 1, and the coefficients of the free ones.
    rows: Vec<(usize, Vec<u64>)>,
    /// Where the coefficients of each unknown are.
    places: Vec<Place>,
    /// A random solution of all equations so far.
    solution: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// The position among the free unknowns.
    Free(usize),
    /// The row of the equation.
    Fixed(usize),
}

impl Echelon {
    pub(super) fn new(unknowns: usize) -> Self {
        Echelon {
            free: (0..unknowns).collect(),
            rows: Vec::new(),
            places: (0..unknowns).map(Place::Free).collect(),
            solution: (0..unknowns as u64).map(random).collect(),
        }
    }

    /// Adds an equation Σ aⱼxⱼ = 0, given by its nonzero coefficients. Returns whether it was new; a wrong "no" has a
    /// probability of one in [`PRIME`]. It fixes the first unknown that it leaves free.
    ///
    /// Cost: that of reading it; if it is new, O(f) for each nonzero coefficient and each equation, with f free unknowns.
    pub(super) fn add(&mut self, equation: &[(usize, u64)]) -> bool {
        if self.implies(equation) {
            return false;
        }
        let mut row = vec![0; self.free.len()];
        for &(j, a) in equation {
            match self.places[j] {
                Place::Free(k) => row[k] = add(row[k], a),
                Place::Fixed(i) => add_multiple(&mut row, negate(a), &self.rows[i].1),
            }
        }
        let places = (0..row.len()).filter(|&k| row[k] != 0);
        let Some(place) = places.min_by_key(|&k| self.free[k]) else { return false };
        let entry = row.swap_remove(place);
        scale(&mut row, invert(entry));
        self.fix(place, row);
        true
    }

    /// Fixes a free unknown by the coefficients of the others.
    fn fix(&mut self, place: usize, row: Vec<u64>) {
        let unknown = self.free.swap_remove(place);
        if let Some(&moved) = self.free.get(place) {
            self.places[moved] = Place::Free(place);
        }
        let terms = self.free.iter().zip(&row).map(|(&j, &a)| multiply(a, self.solution[j]));
        let value = negate(terms.fold(0, add));
        let change = add(self.solution[unknown], negate(value));
        for (fixed, other) in &mut self.rows {
            let entry = other.swap_remove(place);
            add_multiple(other, negate(entry), &row);
            self.solution[*fixed] = add(self.solution[*fixed], multiply(entry, change));
        }
        self.solution[unknown] = value;
        self.places[unknown] = Place::Fixed(self.rows.len());
        self.rows.push((unknown, row));
    }

    /// Whether an equation follows from those so far; a wrong "yes" has a probability of one in [`PRIME`].
    ///
    /// Cost: that of reading it.
    pub(super) fn implies(&self, equation: &[(usize, u64)]) -> bool {
        let at = |sum, &(j, a): &(usize, u64)| add(sum, multiply(a, self.solution[j]));
        equation.iter().fold(0, at) == 0
    }

    /// The unknown that each equation fixes, and its coefficient of a free unknown.
    pub(super) fn column(&self, unknown: usize) -> impl Iterator<Item = (usize, u64)> {
        let place = self.free.iter().position(|&free| free == unknown);
        let entries = self.rows.iter().map(move |(fixed, row)| Some((*fixed, row[place?])));
        entries.flatten()
    }

    /// The unknowns that the equations fix, in the order of the new equations.
    pub(super) fn pivots(&self) -> Vec<usize> {
        self.rows.iter().map(|&(fixed, _)| fixed).collect()
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

/// A random residue.
fn random(counter: u64) -> u64 {
    mix(counter) % PRIME
}

/// Σ aᵢbᵢ.
pub(super) fn product(a: &[u64], b: &[u64]) -> u64 {
    // Each product is below 2¹¹², so 32 of them are below 2¹¹⁷.
    let sum = |(a, b): (&[u64], &[u64])| -> u128 {
        a.iter().zip(b).map(|(&a, &b)| u128::from(a) * u128::from(b)).sum()
    };
    let sums = a.chunks(32).zip(b.chunks(32)).map(sum);
    sums.fold(0, |total, sum| add(total, reduced(sum)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses() {
        assert_eq!(multiply(invert(12_345), 12_345), 1);
    }

    #[test]
    fn residues_of_floats() {
        assert_eq!([0.0, -0.0, 3.0, -3.0].map(residue_of_float), [0, 0, 3, PRIME - 3]);
        assert_eq!(multiply(residue_of_float(0.75), 4), 3);
        let largest = BigInt::from((1u64 << 53) - 1) << 971;
        assert_eq!(residue_of_float(f64::MAX), residue(&largest));
        let least = residue_of_float(f64::from_bits(1));
        assert_eq!(multiply(least, residue(&(BigInt::from(1) << 1074))), 1);
        // No two powers of two of floats are the same.
        let mut powers = POWERS.to_vec();
        powers.sort_unstable();
        powers.dedup();
        assert_eq!(powers.len(), POWERS.len());
    }

    #[test]
    fn solutions() {
        let mut never = || false;
        let budget = &mut Budget::new(u64::MAX, &mut never);
        assert!(Factors::new(vec![vec![1, 2], vec![2, 4]], budget).is_none());
        // 2y = 6 and 3x + 5y = 21: x = 2, y = 3.
        let factors = Factors::new(vec![vec![0, 2], vec![3, 5]], budget).unwrap();
        assert_eq!(factors.solve(&[6, 21]), [2, 3]);
        // Zeros on the diagonal need swaps.
        let size = 9;
        let entry = |i, j| if (i + j) % 3 == 0 { 0 } else { random((i * size + j) as u64) };
        let matrix: Vec<Vec<u64>> =
            (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect();
        let x: Vec<u64> = (100..100 + size as u64).map(random).collect();
        let right: Vec<u64> = matrix.iter().map(|row| product(row, &x)).collect();
        assert_eq!(Factors::new(matrix, budget).unwrap().solve(&right), x);
    }

    #[test]
    fn the_largest_products() {
        // (p − 1)² = 1, so the sum of m such products is m.
        for count in [1, 31, 32, 33, 64, 65, 200] {
            let row = vec![PRIME - 1; count];
            assert_eq!(product(&row, &row), count as u64);
        }
        let mut row = vec![PRIME - 1];
        add_multiple(&mut row, PRIME - 1, &[PRIME - 1]);
        assert_eq!(row, [0]);
    }

    #[test]
    fn only_new_equations_count() {
        let mut echelon = Echelon::new(3);
        assert!(echelon.add(&[(0, 1), (1, 1)]));
        assert!(!echelon.add(&[(0, 2), (1, 2)]));
        assert!(echelon.add(&[(1, 1), (2, 1)]));
        assert!(!echelon.add(&[(0, 1), (2, PRIME - 1)]));
        assert_eq!(echelon.pivots(), [0, 1]);
        // x₀ = x₂ and x₁ = −x₂.
        assert_eq!(echelon.column(2).collect::<Vec<_>>(), [(0, PRIME - 1), (1, 1)]);
    }

    #[test]
    fn reduced_echelon_form() {
        // Against elimination by the definition, on full rows.
        for seed in 0..200 {
            let unknowns = 1 + seed as usize % 7;
            let (mut echelon, mut rows) = (Echelon::new(unknowns), Vec::<Vec<u64>>::new());
            for e in 0..8 {
                let entry = |j| (j, mix(seed * 100 + e * 10 + j as u64) % 3);
                let equation: Vec<(usize, u64)> = (0..unknowns).map(entry).collect();
                let mut row: Vec<u64> = equation.iter().map(|&(_, a)| a).collect();
                let first = |row: &[u64]| row.iter().position(|&a| a != 0);
                for other in &rows {
                    let factor = negate(row[first(other).unwrap()]);
                    add_multiple(&mut row, factor, other);
                }
                let Some(pivot) = first(&row) else {
                    assert!(!echelon.add(&equation));
                    continue;
                };
                let factor = invert(row[pivot]);
                scale(&mut row, factor);
                for other in &mut rows {
                    let factor = negate(other[pivot]);
                    add_multiple(other, factor, &row);
                }
                rows.push(row);
                assert!(echelon.add(&equation));
                assert_eq!(echelon.pivots().last(), Some(&pivot));
            }
            for &free in &echelon.free {
                let column: Vec<u64> = rows.iter().map(|row| row[free]).collect();
                assert_eq!(echelon.column(free).map(|(_, a)| a).collect::<Vec<_>>(), column);
            }
            let is_zero = |row: &Vec<u64>| product(row, &echelon.solution) == 0;
            assert!(rows.iter().all(is_zero));
        }
    }
}
