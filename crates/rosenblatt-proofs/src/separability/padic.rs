//! The exact solution of a square system of integers: Dixon's p-adic lifting.
//!
//! J. D. Dixon, "Exact solution of linear equations using p-adic expansions", *Numerische Mathematik* 40 (1982). The
//! solution of Bx = b is found digit by digit: the digit is the solution c of Bc = b mod p, the rest (b − Bc)/p, which
//! is an integer and stays small. The extended Euclidean algorithm recovers the rational numbers from x mod pˢ once pˢ
//! > 2·N·D for their numerators N and denominators D, which Hadamard's inequality bounds.
//!
//! Cost: O(r²) products of an entry and a digit for each of about 2·log(N)/56 digits, after one triangular
//! factorization modulo p in O(r³). Elimination over the integers (Bareiss) would take O(r³) products of *long* integers.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{
    budget::Budget,
    mod_p::{Factors, PRIME, residue},
};

/// A square matrix of integers, row by row, with only the nonzero entries.
pub(super) type Matrix = Vec<Vec<(usize, BigInt)>>;

/// The solution of Bx = b over one positive denominator: `numerators / denominator`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solution {
    pub(super) numerators: Vec<BigInt>,
    pub(super) denominator: BigInt,
}

/// Tries solutions of growing precision until the caller accepts one. `None` if B is singular modulo the prime, no
/// candidate up to Hadamard's bound is accepted, or the budget ends.
pub(super) fn solve(
    matrix: &Matrix,
    right: Vec<BigInt>,
    accept: &dyn Fn(&Solution) -> bool,
    budget: &mut Budget<'_>,
) -> Option<Solution> {
    let most = digits_needed(matrix, &right);
    let mut lifting = Lifting::new(matrix, right, budget)?;
    let step = 2 * (matrix.len() * matrix.len()) as u64;
    let mut next = 4;
    loop {
        let digits = next.min(most);
        while lifting.digits.len() < digits {
            if budget.spend(step) {
                return None;
            }
            lifting.step();
        }
        let candidate = lifting.reconstruct();
        if let Some(solution) = candidate.filter(|solution| accept(solution)) {
            return Some(solution);
        }
        if digits == most {
            return None;
        }
        next *= 2;
    }
}

struct Lifting {
    rows: Vec<MatrixRow>,
    factors: Factors,
    rest: Vec<BigInt>,
    digits: Vec<Vec<u64>>,
}

impl Lifting {
    fn new(matrix: &Matrix, right: Vec<BigInt>, budget: &mut Budget<'_>) -> Option<Self> {
        let size = matrix.len();
        let dense = matrix.iter().map(|row| {
            let mut dense = vec![0; size];
            row.iter().for_each(|(j, a)| dense[*j] = residue(a));
            dense
        });
        let factors = Factors::new(dense.collect(), budget)?;
        let rows = matrix.iter().map(|row| MatrixRow::new(row)).collect();
        Some(Lifting { rows, factors, rest: right, digits: vec![] })
    }

    fn step(&mut self) {
        let residues: Vec<u64> = self.rest.iter().map(residue).collect();
        let digit = self.factors.solve(&residues);
        for (rest, row) in self.rest.iter_mut().zip(&self.rows) {
            *rest -= row.product(&digit);
            *rest /= PRIME;
        }
        self.digits.push(digit);
    }

    /// The rational numbers that the digits so far represent, if any.
    fn reconstruct(&self) -> Option<Solution> {
        let prime = BigInt::from(PRIME);
        let modulus = prime.pow(self.digits.len() as u32);
        let limit = (&modulus / 2u32).sqrt();
        let (mut denominator, mut numerators) = (BigInt::one(), Vec::new());
        for i in 0..self.rest.len() {
            let digits = self.digits.iter().rev();
            let value = digits.fold(BigInt::zero(), |value, digit| value * PRIME + digit[i]);
            // The denominator of the earlier unknowns nearly always works for this one too.
            let scaled = balanced(value * &denominator, &modulus);
            if scaled.magnitude() <= limit.magnitude() {
                numerators.push(scaled);
                continue;
            }
            let (numerator, further) = fraction(scaled, &modulus, &limit)?;
            numerators.iter_mut().for_each(|earlier| *earlier *= &further);
            numerators.push(numerator);
            denominator *= further;
            if denominator > limit {
                return None;
            }
        }
        Some(Solution { numerators, denominator })
    }
}

/// A row of the matrix. Entries of ordinary data fit a machine word.
enum MatrixRow {
    Short(Vec<(usize, i64)>),
    Long(Vec<(usize, BigInt)>),
}

impl MatrixRow {
    fn new(entries: &[(usize, BigInt)]) -> Self {
        let short: Option<Vec<(usize, i64)>> =
            entries.iter().map(|(j, a)| Some((*j, a.to_i64()?))).collect();
        short.map_or_else(|| MatrixRow::Long(entries.to_vec()), MatrixRow::Short)
    }

    /// The product with a digit.
    fn product(&self, digit: &[u64]) -> BigInt {
        match self {
            MatrixRow::Short(entries) => {
                // Each product is below 2¹¹⁹; its halves are summed separately, which leaves room for 2⁶³ terms.
                let (mut high, mut low) = (0i128, 0i128);
                for &(j, a) in entries {
                    let product = i128::from(a) * i128::from(digit[j]);
                    high += product >> 64;
                    low += product & i128::from(u64::MAX);
                }
                (BigInt::from(high) << 64) + low
            }
            MatrixRow::Long(entries) => entries.iter().map(|(j, a)| a * digit[*j]).sum(),
        }
    }
}

/// The representative of smallest absolute value.
fn balanced(value: BigInt, modulus: &BigInt) -> BigInt {
    let rest = value % modulus;
    if &rest.abs() * 2u32 <= *modulus {
        rest
    } else if rest.sign() == Sign::Minus {
        rest + modulus
    } else {
        rest - modulus
    }
}

/// The fraction n/d ≡ value with |n| and d up to `limit`, by the extended Euclidean algorithm stopped halfway (Wang,
/// *SYMSAC* 1981).
fn fraction(value: BigInt, modulus: &BigInt, limit: &BigInt) -> Option<(BigInt, BigInt)> {
    let (mut before, mut current) = (modulus.clone(), value);
    let (mut factor_before, mut factor) = (BigInt::zero(), BigInt::one());
    while current.magnitude() > limit.magnitude() {
        let quotient = &before / &current;
        let next = &before - &quotient * &current;
        let next_factor = &factor_before - &quotient * &factor;
        (before, current) = (current, next);
        (factor_before, factor) = (factor, next_factor);
    }
    if factor.is_zero() || factor.magnitude() > limit.magnitude() {
        return None;
    }
    Some(if factor.is_negative() { (-current, -factor) } else { (current, factor) })
}

/// Enough digits for any solution. By Cramer's rule numerators and denominator are determinants, each by Hadamard's
/// inequality at most the product of the norms of its rows.
fn digits_needed(matrix: &Matrix, right: &[BigInt]) -> usize {
    let bits = |a: &BigInt| a.bits();
    let row_bits = matrix.iter().zip(right).map(|(row, right)| {
        let largest = row.iter().map(|(_, a)| bits(a)).max().unwrap_or(0).max(bits(right));
        // The norm of a row of m numbers below 2ᵇ is below 2ᵇ·√m, and √m ≤ 2^(bits of m).
        largest + u64::from(usize::BITS - row.len().leading_zeros())
    });
    let total: u64 = row_bits.sum();
    (2 * total / 55 + 2) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // 2x + y = 1 and x − 3y = 2: x = 5/7, y = −3/7.
        let entry = |j, a: i32| (j, BigInt::from(a));
        let matrix = vec![vec![entry(0, 2), entry(1, 1)], vec![entry(0, 1), entry(1, -3)]];
        let right = vec![BigInt::from(1), BigInt::from(2)];
        let mut never = || false;
        let budget = &mut Budget::new(u64::MAX, &mut never);
        let solution = solve(&matrix, right, &|_| true, budget).unwrap();
        assert_eq!(solution.denominator, BigInt::from(7));
        assert_eq!(solution.numerators, [BigInt::from(5), BigInt::from(-3)]);
    }
}
