//! Exact multipliers from a support found in floating point.
//!
//! The search ends with rows whose vectors seem to have 0 in their hull, and approximate multipliers. This module
//! solves the equations Σλᵢzᵢ = 0, one per feature, exactly. Every float is an integer times a power of two, so each
//! equation times a power of two has integer coefficients.
//!
//! Independent equations and the unknowns that they fix are found modulo a prime. Over the rationals the rank is at
//! least as large. So if every unknown is fixed, λ = 0 is the only solution and the rows prove nothing. Otherwise the
//! free unknowns, those of the smallest multipliers, keep their approximate values, which are rational numbers too. The
//! fixed ones follow by [`lifting`]. They are near their approximate values, so they are positive unless those were
//! nearly 0. A single free unknown gets the value 1, which gives the shortest numbers.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{FromPrimitive, One, Signed, Zero};

use crate::check::verify::check_sum;
use rosenblatt_core::data::Examples;

use super::{
    budget::Budget,
    double_double::Double,
    integers::{Combination, dyadic, summed, without_common_factor},
    mod_p::{Echelon, residue},
    padic::{self, Matrix, Solution},
};

/// Exactly checked multipliers on some of the rows of `support` (row, approximate multiplier). `None` if none were
/// found or the budget ended. `bias` says whether the vectors end in the constant 1.
pub(super) fn exact_multipliers(
    examples: &Examples<'_>,
    bias: bool,
    support: &[(usize, Double)],
    precision: Precision,
    budget: &mut Budget<'_>,
) -> Option<Combination> {
    // Large multipliers come first: the first unknown of an equation becomes a fixed one.
    let mut support: Vec<(usize, f64)> =
        support.iter().map(|&(row, multiplier)| (row, multiplier.high)).collect();
    support.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let equations = equations(examples, bias, &support);
    let (kept, fixed) = independent(&equations, support.len());
    let free: Vec<usize> = (0..support.len()).filter(|i| !fixed.contains(i)).collect();
    if free.is_empty() {
        return None;
    }
    let values = free_values(&support, &free, precision);
    let kept: Vec<&Equation> = kept.iter().map(|&e| &equations[e]).collect();
    let (matrix, right) = system(&kept, &fixed, &values);
    let combine = |solution: &Solution| combination(&support, &fixed, &free, &values, solution);
    let accept = |solution: &Solution| {
        combine(solution).is_some_and(|found| combination_is_zero(examples, bias, &found))
    };
    combine(&padic::solve(&matrix, right, &accept, budget)?)
}

/// Positive multipliers of a row and of some of those given, from positive multipliers of rows that span its vector.
/// `None` if the budget ended.
///
/// The row is a combination of the others, of which some coefficients are negative. That many times the given multipliers
/// are added that none remains so.
pub(super) fn with_row(
    examples: &Examples<'_>,
    bias: bool,
    given: &Combination,
    row: usize,
    budget: &mut Budget<'_>,
) -> Option<Combination> {
    // The last unknown is free, as the row depends on the others.
    let support: Vec<(usize, f64)> =
        given.iter().map(|&(other, _)| (other, 1.0)).chain([(row, 1.0)]).collect();
    let equations = equations(examples, bias, &support);
    let (kept, fixed) = independent(&equations, support.len());
    let kept: Vec<&Equation> = kept.iter().map(|&e| &equations[e]).collect();
    let mut values = vec![BigInt::zero(); support.len()];
    values[given.len()] = BigInt::one();
    let (matrix, right) = system(&kept, &fixed, &values);
    let combine = |solution: &Solution| {
        let mut parts = vec![BigInt::zero(); support.len()];
        parts[given.len()] = solution.denominator.clone();
        let solved = fixed.iter().zip(&solution.numerators);
        solved.for_each(|(&place, numerator)| parts[place].clone_from(numerator));
        let lacks = given.iter().zip(&parts).map(|((_, more), part)| {
            if part.is_negative() { part.magnitude().div_ceil(more) } else { BigUint::zero() }
        });
        let times = BigInt::from(lacks.max().unwrap_or_default());
        let more = given.iter().map(|(_, more)| &times * BigInt::from(more.clone()));
        let sums = parts.iter().zip(more.chain([BigInt::zero()])).map(|(part, more)| part + more);
        let all: Option<Combination> =
            support.iter().zip(sums).map(|(&(i, _), sum)| Some((i, sum.to_biguint()?))).collect();
        Some(without_common_factor(all?))
    };
    let accept = |solution: &Solution| {
        combine(solution).is_some_and(|found| combination_is_zero(examples, bias, &found))
    };
    combine(&padic::solve(&matrix, right, &accept, budget)?)
}

/// The equations for the fixed unknowns, with the contribution of the free ones on the right side.
fn system(kept: &[&Equation], fixed: &[usize], values: &[BigInt]) -> (Matrix, Vec<BigInt>) {
    let mut place = vec![None; values.len()];
    fixed.iter().enumerate().for_each(|(k, &i)| place[i] = Some(k));
    let row = |equation: &&Equation| {
        let (mut row, mut right) = (Vec::new(), BigInt::zero());
        for (i, a) in *equation {
            match place[*i] {
                Some(k) => row.push((k, a.clone())),
                None => right -= a * &values[*i],
            }
        }
        (row, right)
    };
    kept.iter().map(row).unzip()
}

/// The nonzero coefficients of an equation: (place in the support, integer).
type Equation = Vec<(usize, BigInt)>;

/// One equation for each coordinate in which a vector of the support is not 0.
fn equations(examples: &Examples<'_>, bias: bool, support: &[(usize, f64)]) -> Vec<Equation> {
    let mut coordinates: BTreeMap<usize, Vec<(usize, i64, i32)>> = BTreeMap::new();
    let mut enter = |place, coordinate: usize, value: f64| {
        let (mantissa, exponent) = dyadic(value);
        if mantissa != 0 {
            coordinates.entry(coordinate).or_default().push((place, mantissa, exponent));
        }
    };
    for (place, &(row, _)) in support.iter().enumerate() {
        let (x, sign) = examples.get(row);
        x.for_each(|j, x| enter(place, j, sign * x));
        if bias {
            enter(place, examples.features(), sign.as_f64());
        }
    }
    coordinates.into_values().map(|entries| integers(&entries)).collect()
}

/// The entries times a power of two that makes them integers.
fn integers(entries: &[(usize, i64, i32)]) -> Equation {
    let least = entries.iter().map(|&(_, _, exponent)| exponent).min().unwrap_or(0);
    let integer = |&(place, mantissa, exponent): &(usize, i64, i32)| {
        (place, BigInt::from(mantissa) << (exponent - least) as usize)
    };
    summed(entries.iter().map(integer).collect())
}

/// The equations that are independent modulo the prime, and the unknown that each of them fixes.
fn independent(equations: &[Equation], unknowns: usize) -> (Vec<usize>, Vec<usize>) {
    let mut echelon = Echelon::new(unknowns);
    let mut kept = Vec::new();
    for (e, equation) in equations.iter().enumerate() {
        let residues: Vec<(usize, u64)> = equation.iter().map(|(i, a)| (*i, residue(a))).collect();
        if echelon.add(&residues) {
            kept.push(e);
        }
        if kept.len() == unknowns {
            break;
        }
    }
    (kept, echelon.pivots())
}

/// How precise approximate multipliers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// As the largest: far smaller ones are rounding errors and become 0, so that few rows remain.
    OfLargest,
    /// As the smallest, so that none becomes 0.
    OfSmallest,
}

const TWO_TO_53: f64 = 9_007_199_254_740_992.0;

/// Integers proportional to the approximate multipliers of the free unknowns; 0 elsewhere.
fn free_values(support: &[(usize, f64)], free: &[usize], precision: Precision) -> Vec<BigInt> {
    let mut values = vec![BigInt::zero(); support.len()];
    if let [only] = free {
        values[*only] = BigInt::one();
        return values;
    }
    let reference = match precision {
        Precision::OfLargest => support[0].1,
        Precision::OfSmallest => support[support.len() - 1].1,
    };
    for &i in free {
        let parts = (support[i].1 / reference * TWO_TO_53).floor();
        values[i] = BigInt::from_f64(parts).unwrap_or_default();
    }
    values
}

/// All multipliers over the common denominator, without their common factor; `None` if one is negative or all are 0.
fn combination(
    support: &[(usize, f64)],
    fixed: &[usize],
    free: &[usize],
    values: &[BigInt],
    solution: &Solution,
) -> Option<Combination> {
    let solved = fixed.iter().copied().zip(solution.numerators.iter().cloned());
    let given = free.iter().map(|&i| (i, &values[i] * &solution.denominator));
    let all: Option<Vec<(usize, BigUint)>> =
        solved.chain(given).map(|(i, value)| Some((support[i].0, value.to_biguint()?))).collect();
    let all = without_common_factor(all?);
    (!all.is_empty()).then_some(all)
}

/// Checks that rows (counted from 0) and multipliers are a proof.
pub(super) fn combination_is_zero(
    examples: &Examples<'_>,
    with_bias: bool,
    pairs: &[(usize, BigUint)],
) -> bool {
    check_sum(examples, with_bias, pairs).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{Precision::*, *};
    use rosenblatt_core::data::{Rows, Sign};

    #[test]
    fn multipliers_of_very_different_sizes() {
        // The first two rows and the last two are separate combinations; one is 10⁻³⁰ times as large as the other.
        let rows = Rows::dense(vec![1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, -1.0], 2).unwrap();
        let signs = [Sign::Plus; 4];
        let examples = Examples::new(&rows, &signs).unwrap();
        let support = [(0, 1.0), (1, 1.0), (2, 1e-30), (3, 1e-30)].map(|(i, a)| (i, a.into()));
        let mut never = || false;
        let budget = &mut Budget::new(u64::MAX, &mut never);
        let found = exact_multipliers(&examples, false, &support, OfSmallest, budget).unwrap();
        let [first, second, third, fourth] = found.as_slice() else { panic!("{found:?}") };
        assert!(first.1 == second.1 && third.1 == fourth.1);
        // 1/10⁻³⁰ is about 2^99.7.
        assert_eq!((&first.1 / &third.1).bits(), 100);
        let found = exact_multipliers(&examples, false, &support, OfLargest, budget).unwrap();
        assert_eq!(found, [(0, BigUint::one()), (1, BigUint::one())]);
    }
}
