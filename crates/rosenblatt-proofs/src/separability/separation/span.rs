//! The space that examples span: independent rows, independent columns, and the relations of the other columns.
//!
//! Everything is computed modulo a prime and only proposes: rows and columns that are independent modulo a prime are, but
//! those that depend on others modulo the prime may not. Exact relations prove that they do.

use std::collections::{BTreeMap, HashSet};

use num_bigint::BigInt;
use num_traits::{One, Zero};

use rosenblatt_core::data::Examples;

use super::{
    super::{
        budget::Budget,
        integers::{dyadic, summed},
        mod_p::{Echelon, PRIME, residue_of_float},
        padic::{self, Solution},
    },
    face::coordinates,
};

/// The largest number of entries of the echelon form.
const MOST_ENTRIES: usize = 1 << 26;

/// The most relations with long numbers that are computed only to prove a rank.
const MOST_LONG: usize = 8;

/// A basis of the rows and of the columns.
pub(super) struct Span {
    /// Independent examples.
    pub(super) rows: Vec<usize>,
    /// Independent coordinates in increasing order, each the first that is independent of those before it.
    pub(super) columns: Vec<usize>,
    /// The coordinates that are not 0 in all examples.
    used: Vec<usize>,
    /// The number of coordinates, the constant included.
    coordinates: usize,
    echelon: Echelon,
}

impl Span {
    /// `None` if the space is too large for the memory or the work that is allowed.
    pub(super) fn new(
        examples: &Examples<'_>,
        with_bias: bool,
        rows: &[usize],
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let mut is_used = vec![false; examples.features() + 1];
        for &row in rows {
            coordinates(examples, with_bias, row, |k, z| is_used[k] |= z != 0.0);
        }
        let used: Vec<usize> = (0..is_used.len()).filter(|&k| is_used[k]).collect();
        let mut place = vec![0; is_used.len()];
        used.iter().enumerate().for_each(|(i, &k)| place[k] = i);
        let mut echelon = Echelon::new(used.len());
        let mut basis = Vec::new();
        for &row in rows {
            if basis.len() == used.len() {
                break;
            }
            let mut entries = Vec::new();
            coordinates(examples, with_bias, row, |k, z| {
                entries.push((place[k], residue_of_float(z)))
            });
            if echelon.add(&entries) {
                basis.push(row);
                let size = basis.len() * used.len();
                if size > MOST_ENTRIES || budget.spend(2 * size as u64) {
                    return None;
                }
            }
        }
        let mut columns: Vec<usize> = echelon.pivots().iter().map(|&i| used[i]).collect();
        columns.sort_unstable();
        Some(Span { rows: basis, columns, used, coordinates: is_used.len(), echelon })
    }

    /// The features, counted from 1, that depend on coordinates before them, or are 0 everywhere.
    pub(super) fn aliased(&self) -> Vec<usize> {
        (1..self.coordinates).filter(|k| self.columns.binary_search(k).is_err()).collect()
    }

    /// Weights with the same products whose dependent columns have the weight 0; `None` if the budget ends.
    pub(super) fn folded(
        &self,
        weights: Vec<(usize, BigInt)>,
        examples: &Examples<'_>,
        with_bias: bool,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<(usize, BigInt)>> {
        let (folded, others): (Vec<_>, Vec<_>) =
            weights.into_iter().partition(|(k, _)| self.columns.binary_search(k).is_ok());
        if others.iter().all(|(k, _)| self.used.binary_search(k).is_err()) {
            return Some(folded);
        }
        let all: BTreeMap<usize, BigInt> = folded.into_iter().chain(others).collect();
        let product = |row: &[(usize, BigInt)]| {
            row.iter().filter_map(|(k, z)| Some(all.get(k)? * z)).sum::<BigInt>()
        };
        let Solution { numerators, .. } = self.solve(examples, with_bias, product, budget)?;
        let numbers = self.columns.iter().copied().zip(numerators);
        Some(numbers.filter(|(_, a)| !a.is_zero()).collect())
    }

    /// One relation for each dependent column that is not 0 everywhere: integer coefficients by coordinate.
    pub(super) fn relations(
        &self,
        examples: &Examples<'_>,
        with_bias: bool,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Vec<(usize, BigInt)>>> {
        self.dependent().map(|i| self.relation(i, examples, with_bias, budget)).collect()
    }

    /// Whether the rank is that of these examples, all that the span is of, and the dependent columns are combinations of
    /// columns before them: by relations that hold for each, or because the columns before are as many as the examples. False
    /// also if the budget ends, or more than [`MOST_LONG`] relations have long numbers.
    pub(super) fn is_proven(
        &self,
        examples: &Examples<'_>,
        with_bias: bool,
        rows: &[usize],
        budget: &mut Budget<'_>,
    ) -> bool {
        let before = |i: &usize| self.columns.partition_point(|&column| column < self.used[*i]);
        let is_proof = |i: usize, relation: &Vec<_>| {
            ends_at(relation, self.used[i]) && holds(relation, examples, with_bias, rows)
        };
        let mut long = Vec::new();
        for i in self.dependent().filter(|i| before(i) < rows.len()) {
            if budget.spend(examples.rows().stored() as u64) {
                return false;
            }
            if !self.short_relation(i).is_some_and(|relation| is_proof(i, &relation)) {
                long.push(i);
            }
            if long.len() > MOST_LONG {
                return false;
            }
        }
        long.into_iter().all(|i| {
            let relation = self.long_relation(self.used[i], examples, with_bias, budget);
            relation.is_some_and(|relation| is_proof(i, &relation))
        })
    }

    /// Whether each relation gives a dependent column as a combination of columns before it.
    pub(super) fn are_in_order(&self, relations: &[Vec<(usize, BigInt)>]) -> bool {
        let mut pairs = self.dependent().zip(relations);
        pairs.all(|(i, relation)| ends_at(relation, self.used[i]))
    }

    /// The places of the dependent columns among those that are not 0 everywhere.
    fn dependent(&self) -> impl Iterator<Item = usize> {
        let pivots: HashSet<usize> = self.echelon.pivots().into_iter().collect();
        (0..self.used.len()).filter(move |i| !pivots.contains(i))
    }

    /// The relation of a dependent column, which holds for the independent rows.
    fn relation(
        &self,
        dependent: usize,
        examples: &Examples<'_>,
        with_bias: bool,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<(usize, BigInt)>> {
        let holds = |found: &Vec<_>| holds(found, examples, with_bias, &self.rows);
        let short = self.short_relation(dependent).filter(holds);
        short.or_else(|| self.long_relation(self.used[dependent], examples, with_bias, budget))
    }

    /// The relation of a column whose coefficients are quotients of small numbers, as for factors.
    fn short_relation(&self, dependent: usize) -> Option<Vec<(usize, BigInt)>> {
        let mut fractions = Vec::new();
        for (pivot, residue) in self.echelon.column(dependent) {
            if residue != 0 {
                fractions.push((self.used[pivot], small_fraction(residue)?));
            }
        }
        let common = fractions.iter().try_fold(1i64, |common, &(_, (_, denominator))| {
            if common % denominator == 0 { Some(common) } else { common.checked_mul(denominator) }
        })?;
        let mut relation = vec![(self.used[dependent], BigInt::from(-common))];
        for (column, (numerator, denominator)) in fractions {
            relation.push((column, BigInt::from(numerator) * (common / denominator)));
        }
        relation.sort_unstable_by_key(|&(column, _)| column);
        Some(relation)
    }

    /// The relation of a column by the exact solution of a system of integers.
    fn long_relation(
        &self,
        column: usize,
        examples: &Examples<'_>,
        with_bias: bool,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<(usize, BigInt)>> {
        let entry = |row: &[(usize, BigInt)]| {
            row.iter().find(|(k, _)| *k == column).map_or_else(BigInt::zero, |(_, z)| z.clone())
        };
        let Solution { numerators, denominator } =
            self.solve(examples, with_bias, entry, budget)?;
        let mut relation: Vec<(usize, BigInt)> =
            self.columns.iter().copied().zip(numerators).collect();
        relation.push((column, -denominator));
        relation.retain(|(_, a)| !a.is_zero());
        relation.sort_unstable_by_key(|&(k, _)| k);
        Some(relation)
    }

    /// The weights of the independent columns whose product with each independent example, times a power of two that makes
    /// its entries integers, is `right` of these entries. There is one solution.
    fn solve(
        &self,
        examples: &Examples<'_>,
        with_bias: bool,
        right: impl Fn(&[(usize, BigInt)]) -> BigInt,
        budget: &mut Budget<'_>,
    ) -> Option<Solution> {
        let equation = |&row: &usize| {
            let entries = integers(examples, with_bias, row);
            let right = right(&entries);
            let place = |(k, z)| Some((self.columns.binary_search(&k).ok()?, z));
            (entries.into_iter().filter_map(place).collect(), right)
        };
        let (matrix, right): (padic::Matrix, Vec<BigInt>) = self.rows.iter().map(equation).unzip();
        let accept = |solution: &Solution| {
            matrix.iter().zip(&right).all(|(row, right)| {
                let product: BigInt = row.iter().map(|(i, z)| &solution.numerators[*i] * z).sum();
                product == right * &solution.denominator
            })
        };
        padic::solve(&matrix, right.clone(), &accept, budget)
    }
}

/// Whether the product of each of these examples with integers is 0.
fn holds(
    relation: &[(usize, BigInt)],
    examples: &Examples<'_>,
    with_bias: bool,
    rows: &[usize],
) -> bool {
    let mut is_used = vec![false; examples.features() + 1];
    relation.iter().for_each(|(k, _)| is_used[*k] = true);
    rows.iter().all(|&row| {
        let mut has_any = false;
        coordinates(examples, with_bias, row, |k, z| has_any |= is_used[k] && z != 0.0);
        !has_any || product(examples, with_bias, row, relation).0.is_zero()
    })
}

/// Whether a relation gives this column as a combination of columns before it.
fn ends_at(relation: &[(usize, BigInt)], column: usize) -> bool {
    relation.last().is_some_and(|(last, _)| *last == column)
}

/// The coordinates of an example that are not 0, times a power of two that makes them integers.
fn integers(examples: &Examples<'_>, with_bias: bool, row: usize) -> Vec<(usize, BigInt)> {
    let mut entries = Vec::new();
    coordinates(examples, with_bias, row, |k, z| entries.push((k, dyadic(z))));
    let least = entries.iter().map(|&(_, (_, exponent))| exponent).min().unwrap_or(0);
    let number = |(k, (mantissa, exponent)): (usize, (i64, i32))| {
        (k, BigInt::from(mantissa) << (exponent - least) as usize)
    };
    summed(entries.into_iter().map(number).collect())
}

/// The product of an example with integers, `n · 2^e` as (n, e).
pub(super) fn product(
    examples: &Examples<'_>,
    with_bias: bool,
    row: usize,
    numbers: &[(usize, BigInt)],
) -> (BigInt, i32) {
    let mut terms = Vec::new();
    coordinates(examples, with_bias, row, |k, z| {
        if let Ok(i) = numbers.binary_search_by_key(&k, |&(k, _)| k) {
            let (mantissa, exponent) = dyadic(z);
            terms.push((&numbers[i].1 * mantissa, exponent));
        }
    });
    let least = terms.iter().map(|&(_, exponent)| exponent).min().unwrap_or(0);
    let sum = terms.into_iter().map(|(term, exponent)| term << (exponent - least) as usize).sum();
    (sum, least)
}

/// The fraction n/d of numbers up to 2²⁷ that is congruent to a residue.
fn small_fraction(residue: u64) -> Option<(i64, i64)> {
    const LIMIT: i128 = 1 << 27;
    let (mut before, mut current) = (i128::from(PRIME), i128::from(residue));
    let (mut factor_before, mut factor) = (i128::zero(), i128::one());
    while current > LIMIT {
        let quotient = before / current;
        (before, current) = (current, before - quotient * current);
        (factor_before, factor) = (factor, factor_before - quotient * factor);
    }
    if factor == 0 || factor.abs() > LIMIT {
        return None;
    }
    let sign = factor.signum();
    Some(((sign * current) as i64, (sign * factor) as i64))
}
