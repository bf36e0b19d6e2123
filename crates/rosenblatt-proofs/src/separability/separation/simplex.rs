//! One linear program over the integers: whether the face holds a positive combination that is 0, or a direction.
//!
//! Let `c = Σ ρᵢzᵢ` with positive integers ρᵢ over examples that span the space. If `Σ μᵢzᵢ = −c` has a solution μ ≥ 0,
//! then ρ + μ is a combination that is 0, positive on examples that span the space. If not, some w has `w·zᵢ ≥ 0` for
//! all examples and `w·c > 0` (Farkas). The first phase of the revised simplex method finds either. The inverse of the
//! basis is kept as its adjugate and determinant, so that every division is exact (Edmonds 1967, Bareiss 1968).
//!
//! After a step that does not lower the objective, the rule of Bland (1977) chooses until one does; so it ends.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{super::budget::Budget, face::Face};

/// The result for a face.
pub(super) enum Found {
    /// Positive multipliers of examples that span the space, with the sum 0.
    Combination(Vec<(usize, BigUint)>),
    /// Weights by coordinate: no product with an example is negative, and some is positive.
    Direction(Vec<(usize, BigInt)>),
}

/// The state of the simplex method: the lines are the inverse of the basis, with the solution as its last column.
pub(super) struct Simplex<'f, 'a> {
    face: &'f Face<'a>,
    table: Vec<Line>,
    /// The sum of the lines of artificial variables: minus the weights, and the objective.
    objective: Line,
    /// The determinant of the basis.
    scale: BigInt,
    /// The example of each row of the table; `None` for an artificial variable.
    basis: Vec<Option<usize>>,
}

/// A line of the inverse: `numbers / scale`. The scale is the determinant of the basis after the last step that changed
/// the line. The numbers times another determinant, over this one, are integers again.
struct Line {
    numbers: Vec<BigInt>,
    scale: BigInt,
}

impl Line {
    /// A number of this line, for the determinant of the current basis.
    fn number(&self, place: usize, scale: &BigInt) -> BigInt {
        let number = &self.numbers[place];
        if self.scale == *scale { number.clone() } else { number * scale / &self.scale }
    }

    /// Changes to the determinant of the current basis.
    fn rescale(&mut self, scale: &BigInt) {
        if self.scale != *scale {
            for a in self.numbers.iter_mut().filter(|a| !a.is_zero()) {
                *a = &*a * scale / &self.scale;
            }
            self.scale = scale.clone();
        }
    }

    /// Subtracts the part of the line of the pivot; `factor` is the number of this line in the direction.
    fn eliminate(&mut self, factor: &BigInt, pivot: &BigInt, line: &[BigInt]) {
        let is_rescaled = *pivot != self.scale;
        let words = Words::of(factor, pivot, &self.scale);
        for (a, p) in self.numbers.iter_mut().zip(line) {
            if p.is_zero() && (a.is_zero() || !is_rescaled) {
                continue;
            }
            if let Some(number) = words.as_ref().and_then(|words| words.eliminated(a, p)) {
                *a = BigInt::from(number);
                continue;
            }
            *a *= pivot;
            if !p.is_zero() {
                *a -= factor * p;
            }
            *a /= &self.scale;
        }
        self.scale = pivot.clone();
    }
}

/// The numbers of a step that fit machine words, as most of integer data do.
struct Words {
    factor: i128,
    pivot: i128,
    scale: i128,
}

impl Words {
    fn of(factor: &BigInt, pivot: &BigInt, scale: &BigInt) -> Option<Self> {
        let word = |a: &BigInt| a.to_i64().map(i128::from);
        Some(Words { factor: word(factor)?, pivot: word(pivot)?, scale: word(scale)? })
    }

    /// (a·pivot − factor·p)/scale, which is an integer; `None` if it does not fit.
    fn eliminated(&self, a: &BigInt, p: &BigInt) -> Option<i128> {
        let (a, p) = (i128::from(a.to_i64()?), i128::from(p.to_i64()?));
        // Each product of two words is at most 2¹²⁶.
        Some((a * self.pivot).checked_sub(self.factor * p)? / self.scale)
    }
}

/// The examples that are priced between passes over all of them.
const POOL: usize = 256;

impl<'f, 'a> Simplex<'f, 'a> {
    /// The basis of artificial variables for the right side −Σρz.
    pub(super) fn new(face: &'f Face<'a>, parts: &[(usize, u64)]) -> Self {
        let size = face.size();
        let mut right = vec![BigInt::zero(); size];
        for &(row, part) in parts {
            face.integers(row).into_iter().for_each(|(i, z)| right[i] -= z * part);
        }
        let row = |(i, right): (usize, &BigInt)| {
            let mut row = vec![BigInt::zero(); size + 1];
            row[i] = BigInt::from(if right.is_negative() { -1 } else { 1 });
            row[size] = right.abs();
            Line { numbers: row, scale: BigInt::one() }
        };
        let table: Vec<Line> = right.iter().enumerate().map(row).collect();
        let sum = |i: usize| table.iter().map(|line| &line.numbers[i]).sum();
        let objective = Line { numbers: (0..=size).map(sum).collect(), scale: BigInt::one() };
        Simplex { face, table, objective, scale: BigInt::one(), basis: vec![None; size] }
    }

    /// Runs to the end; `None` if the budget ends first.
    pub(super) fn run(mut self, parts: &[(usize, u64)], budget: &mut Budget<'_>) -> Option<Found> {
        let size = self.face.size();
        let (mut pool, mut is_degenerate) = (Vec::new(), false);
        loop {
            if self.is_zero() {
                return Some(Found::Combination(self.combination(parts)));
            }
            let weights = self.weights();
            let pricing = Pricing::new(self.face, &weights);
            let entering = if is_degenerate {
                pricing.first(budget)
            } else {
                pricing.lowest(&mut pool, budget)
            }?;
            let Some(row) = entering else {
                return Some(Found::Direction(self.face.unscaled(&weights)));
            };
            let words = self.scale.bits() / 64 + 1;
            if budget.spend(4 * (size as u64).pow(2) * (words * words + 8)) {
                return None;
            }
            is_degenerate = !self.enter(row);
        }
    }

    /// Whether all artificial variables are 0.
    fn is_zero(&self) -> bool {
        self.objective.numbers[self.face.size()].is_zero()
    }

    /// The weights, up to a positive factor; their products with the examples of the basis are 0.
    fn weights(&self) -> Vec<BigInt> {
        self.objective.numbers[..self.face.size()].iter().map(|a| -a).collect()
    }

    /// Takes an example into the basis. Returns whether the objective falls.
    fn enter(&mut self, row: usize) -> bool {
        let last = self.face.size();
        let entries = self.face.integers(row);
        // Each number in the scale of its line, which the quotients of the ratio test do not depend on.
        let product = |line: &Line| entries.iter().map(|(i, z)| &line.numbers[*i] * z).sum();
        let direction: Vec<BigInt> = self.table.iter().map(product).collect();
        let ratio = |&a: &usize, &b: &usize| {
            let left = &self.table[a].numbers[last] * &direction[b];
            let order = left.cmp(&(&self.table[b].numbers[last] * &direction[a]));
            // An artificial variable leaves first; then the rule of Bland.
            order.then(self.basis[a].cmp(&self.basis[b]))
        };
        let positive = (0..last).filter(|&l| direction[l].is_positive());
        // The objective is bounded, so some line is positive.
        let Some(leaving) = positive.min_by(ratio) else { return false };
        let falls = !self.table[leaving].numbers[last].is_zero();
        self.table[leaving].rescale(&self.scale);
        let numbers = std::mem::take(&mut self.table[leaving].numbers);
        let pivot: BigInt = entries.iter().map(|(i, z)| &numbers[*i] * z).sum();
        let gain = product(&self.objective);
        let lines = self.table.iter_mut().zip(&direction).chain([(&mut self.objective, &gain)]);
        for (line, part) in lines {
            if !line.numbers.is_empty() && !part.is_zero() {
                let factor = part * &self.scale / &line.scale;
                line.rescale(&self.scale);
                line.eliminate(&factor, &pivot, &numbers);
            }
        }
        self.table[leaving] = Line { numbers, scale: pivot.clone() };
        self.scale = pivot;
        self.basis[leaving] = Some(row);
        falls
    }

    /// ρ + μ, without the common denominator.
    fn combination(&self, parts: &[(usize, u64)]) -> Vec<(usize, BigUint)> {
        let last = self.face.size();
        let given = parts.iter().map(|&(row, part)| (row, self.scale.magnitude() * part));
        let solved = self.basis.iter().zip(&self.table).filter_map(|(row, line)| {
            Some(((*row)?, line.number(last, &self.scale).magnitude().clone()))
        });
        let mut all: Vec<(usize, BigUint)> = given.chain(solved).collect();
        all.sort_by_key(|&(row, _)| row);
        all.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                earlier.1 += &later.1;
            }
            is_same
        });
        all
    }
}

/// The search for an example with a negative product.
struct Pricing<'p, 'a> {
    face: &'p Face<'a>,
    weights: &'p [BigInt],
    nearby: super::face::Nearby,
}

impl<'p, 'a> Pricing<'p, 'a> {
    fn new(face: &'p Face<'a>, weights: &'p [BigInt]) -> Self {
        Pricing { face, weights, nearby: face.nearby(weights) }
    }

    /// The first example with a negative product; the outer `None` if the budget ends.
    fn first(&self, budget: &mut Budget<'_>) -> Option<Option<usize>> {
        if budget.spend((self.face.rows.len() * self.face.size()) as u64) {
            return None;
        }
        let is_negative = |row: &usize| self.is_negative(*row);
        Some(self.face.rows.iter().copied().find(is_negative))
    }

    fn is_negative(&self, row: usize) -> bool {
        self.face.sign(row, self.weights, &self.nearby) == Ordering::Less
    }

    /// An example with a very negative product, from the pool if it has one, otherwise from all. Only an exact pass
    /// over all examples finds that there is none.
    fn lowest(&self, pool: &mut Vec<usize>, budget: &mut Budget<'_>) -> Option<Option<usize>> {
        let candidates = self.negative(pool);
        if let Some(&(_, row)) = candidates.first() {
            return Some(Some(row));
        }
        if budget.spend((self.face.rows.len() * self.face.size()) as u64) {
            return None;
        }
        let mut candidates = self.negative(&self.face.rows);
        candidates.truncate(POOL);
        if let Some(&(_, row)) = candidates.first() {
            *pool = candidates.into_iter().map(|(_, row)| row).collect();
            return Some(Some(row));
        }
        self.first(budget)
    }

    /// The examples whose product is negative beyond the error of floats, by product and size.
    fn negative(&self, rows: &[usize]) -> Vec<(f64, usize)> {
        let product = |&row: &usize| {
            let (score, error) = self.nearby.score(self.face, row);
            let relative = score / error;
            (score < -error).then_some((relative, row))
        };
        let mut found: Vec<(f64, usize)> = rows.iter().filter_map(product).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found
    }
}
