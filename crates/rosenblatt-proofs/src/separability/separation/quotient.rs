//! A face modulo the examples that are known to lie on every hyperplane of it.
//!
//! Let V be the space of examples with a positive combination that is 0. Weights without a negative product have the product 0
//! with these, so they are orthogonal to V, and only the quotient of the space by V is left, which is often of few
//! dimensions. By Gordan's theorem there, either examples outside V have a positive combination in V: they join V, and so
//! do their multipliers, small enough for the sum to stay positive. Or some weights orthogonal to V are positive on all
//! examples outside V. In the end V is the whole space, or such weights are found.
//!
//! Floats find both, and exact arithmetic solves and checks them. Numbers that are too close for floats end in no answer,
//! and the linear program remains.

use num_bigint::BigInt;
use num_traits::Zero;

use super::{
    super::{
        budget::Budget,
        double_double::Double,
        gordan::{Precision, exact_multipliers},
        mod_p::{Echelon, residue_of_float},
        padic::{self, Solution},
        search::{Outcome, Search, Target},
        vectors::Points,
    },
    face::Face,
    simplex::Found,
};
use rosenblatt_core::data::{Examples, Rows, Sign};

/// Decides a face from examples and multipliers whose sum is 0 up to rounding; with a direction, they become those of
/// the next face. `None` if there are no examples, the numbers are too close for floats, or the budget ends.
///
/// Cost: O(d³) products of floats for d dimensions, a search in each quotient, and an exact solution of d equations.
pub(super) fn decide(
    face: &Face<'_>,
    known: &mut Vec<(usize, f64)>,
    budget: &mut Budget<'_>,
) -> Option<Found> {
    if known.is_empty() {
        return None;
    }
    let mut quotient = Quotient::new(face);
    quotient.join(known, budget)?;
    while !quotient.complement.is_empty() {
        let outside = Outside::new(&quotient, budget)?;
        match outside.search(budget)? {
            Alternative::Multipliers(more) => {
                let circuit = quotient.circuit(more)?;
                quotient.join(&circuit, budget)?;
            }
            Alternative::Weights(weights) => {
                let direction = quotient.direction(&weights, budget)?;
                *known = quotient.support;
                return Some(direction);
            }
        }
    }
    quotient.combination(budget)
}

/// The examples of V, with an orthonormal basis of the space that they span.
struct Quotient<'f, 'a> {
    face: &'f Face<'a>,
    /// A power of two for each place that makes its largest entry about 1.
    scales: Vec<f64>,
    /// The examples of V and their multipliers; the sum is 0 up to rounding.
    support: Vec<(usize, f64)>,
    /// The examples outside V.
    outside: Vec<usize>,
    /// The places in the support of independent examples.
    basis: Vec<usize>,
    /// Orthonormal vectors of the same space.
    orthonormal: Vec<Vec<f64>>,
    /// The coordinates of each example of the basis in these vectors, as many as there were when it joined.
    coordinates: Vec<Vec<f64>>,
    /// Orthonormal vectors of the space orthogonal to V.
    complement: Vec<Vec<f64>>,
    /// The examples of the basis modulo a prime.
    echelon: Echelon,
}

impl<'f, 'a> Quotient<'f, 'a> {
    fn new(face: &'f Face<'a>) -> Self {
        let size = face.size();
        let unit = |i| (0..size).map(|j| f64::from(u8::from(i == j))).collect();
        Quotient {
            face,
            scales: face.scales(),
            support: vec![],
            outside: face.rows.clone(),
            basis: vec![],
            orthonormal: vec![],
            coordinates: vec![],
            complement: (0..size).map(unit).collect(),
            echelon: Echelon::new(size),
        }
    }

    /// An example as a vector of floats.
    fn vector(&self, row: usize) -> Vec<f64> {
        let mut vector = vec![0.0; self.face.size()];
        self.face.entries(row, |i, z| vector[i] += z * self.scales[i]);
        vector
    }

    /// The multipliers up to the first example that depends on V and those before. Those after it are the smallest, and 0 but for
    /// rounding. `None` if no example depends on the others.
    fn circuit(&self, mut more: Vec<(usize, f64)>) -> Option<Vec<(usize, f64)>> {
        let mut echelon = self.echelon.clone();
        let last = more.iter().position(|&(row, _)| !echelon.add(&residues(self.face, row)))?;
        more.truncate(last + 1);
        Some(more)
    }

    /// Adds examples with positive multipliers whose sum lies in V. `None` if their share is too small for floats, or the
    /// budget ends.
    fn join(&mut self, more: &[(usize, f64)], budget: &mut Budget<'_>) -> Option<()> {
        let share = self.balance(more)?;
        let (size, all, before) = (self.face.size(), self.complement.len(), self.basis.len());
        for &(row, multiplier) in more {
            self.support.push((row, share * multiplier));
            if self.echelon.add(&residues(self.face, row)) {
                if budget.spend((2 * size * size + 4 * size * self.basis.len()) as u64) {
                    return None;
                }
                self.extend(row);
            }
        }
        let (new, vectors) = (self.basis.len() - before, std::mem::take(&mut self.complement));
        if budget.spend((4 * size * all * all.max(new)) as u64) {
            return None;
        }
        self.complement = orthogonal(vectors, &self.orthonormal[before..], all - new);
        self.leave_out();
        Some(())
    }

    /// Leaves out the examples that V contains now.
    fn leave_out(&mut self) {
        let (face, echelon) = (self.face, &self.echelon);
        self.outside.retain(|&row| !echelon.implies(&residues(face, row)));
    }

    /// Adds the last example of the support, which is outside V, to the basis.
    fn extend(&mut self, row: usize) {
        let mut vector = self.vector(row);
        let mut coordinates = reduce(&mut vector, &self.orthonormal);
        coordinates.push(to_unit(&mut vector));
        self.basis.push(self.support.len() - 1);
        self.orthonormal.push(vector);
        self.coordinates.push(coordinates);
    }

    /// Changes the multipliers of the basis so that the sum is 0 again with a share of other multipliers, and returns that share.
    /// `None` if it is too small for floats.
    fn balance(&mut self, more: &[(usize, f64)]) -> Option<f64> {
        let mut sum = vec![0.0; self.face.size()];
        for &(row, multiplier) in more {
            self.vector(row).iter().zip(&mut sum).for_each(|(z, sum)| *sum -= multiplier * z);
        }
        let mut rest: Vec<f64> = self.orthonormal.iter().map(|q| dot(q, &sum)).collect();
        let mut changes = vec![0.0; rest.len()];
        for (k, coordinates) in self.coordinates.iter().enumerate().rev() {
            changes[k] = rest[k] / coordinates[k];
            rest.iter_mut().zip(coordinates).for_each(|(rest, c)| *rest -= changes[k] * c);
        }
        let lost = self.basis.iter().zip(&changes).filter(|(_, change)| **change < 0.0);
        let half = lost.map(|(&place, change)| self.support[place].1 / change.abs() / 2.0);
        let most = self.support.iter().map(|&(_, multiplier)| multiplier).reduce(f64::max);
        let share = half.fold(most.unwrap_or(1.0), f64::min);
        for (&place, change) in self.basis.iter().zip(&changes) {
            self.support[place].1 += share * change;
        }
        (share > 0.0).then_some(share)
    }

    /// The exact multipliers of the support, if they are positive. The support spans the space of the face.
    fn combination(&self, budget: &mut Budget<'_>) -> Option<Found> {
        let support: Vec<(usize, Double)> =
            self.support.iter().map(|&(row, multiplier)| (row, multiplier.into())).collect();
        let Face { examples, with_bias, .. } = self.face;
        let found =
            exact_multipliers(examples, *with_bias, &support, Precision::OfSmallest, budget)?;
        (found.len() == support.len()).then_some(Found::Combination(found))
    }

    /// Exact weights near these that are orthogonal to V, if they have no negative product and some positive one.
    fn direction(&self, weights: &[f64], budget: &mut Budget<'_>) -> Option<Found> {
        let fixed = self.echelon.pivots();
        let mut place = vec![None; self.face.size()];
        fixed.iter().enumerate().for_each(|(k, &i)| place[i] = Some(k));
        let near: Vec<f64> = weights.iter().zip(&self.scales).map(|(w, scale)| w * scale).collect();
        let free = self.face.integers_near(&near);
        let (matrix, right) = self.system(&place, &free);
        let weights = |solution: &Solution| -> Vec<BigInt> {
            let number = |(i, place): (usize, &Option<usize>)| match place {
                Some(k) => solution.numerators[*k].clone(),
                None => &free[i] * &solution.denominator,
            };
            place.iter().enumerate().map(number).collect()
        };
        let accept = |solution: &Solution| {
            let weights = weights(solution);
            self.support.iter().all(|&(row, _)| self.face.score(row, &weights).is_zero())
        };
        let weights = weights(&padic::solve(&matrix, right, &accept, budget)?);
        self.is_direction(&weights).then(|| Found::Direction(self.face.unscaled(&weights)))
    }

    /// The equations for the weights of the places that are fixed, given the others.
    fn system(&self, place: &[Option<usize>], free: &[BigInt]) -> (padic::Matrix, Vec<BigInt>) {
        let equation = |&member: &usize| {
            let (mut entries, mut right) = (Vec::new(), BigInt::zero());
            for (i, z) in self.face.integers(self.support[member].0) {
                match place[i] {
                    Some(k) => entries.push((k, z)),
                    None => right -= &free[i] * z,
                }
            }
            (entries, right)
        };
        self.basis.iter().map(equation).unzip()
    }

    /// Whether no example of the face has a negative product with the weights, and some has a positive one.
    fn is_direction(&self, weights: &[BigInt]) -> bool {
        let nearby = self.face.nearby(weights);
        let (mut is_valid, mut is_new) = (true, false);
        for &row in &self.face.rows {
            let sign = self.face.sign(row, weights, &nearby);
            is_valid &= sign.is_ge();
            is_new |= sign.is_gt();
        }
        is_valid && is_new
    }
}

/// The result of Gordan's alternative in the quotient.
enum Alternative {
    /// Examples with positive multipliers whose sum lies in V, in descending order for examples of length 1 in the quotient.
    Multipliers(Vec<(usize, f64)>),
    /// Weights orthogonal to V with a positive product with every example outside V.
    Weights(Vec<f64>),
}

/// The examples outside V, in an orthonormal basis of the quotient.
struct Outside<'q> {
    rows: &'q [usize],
    /// The length of each in the quotient.
    lengths: Vec<f64>,
    /// The coordinates of each, divided by its length.
    points: Vec<f64>,
    complement: &'q [Vec<f64>],
}

impl<'q> Outside<'q> {
    fn new(quotient: &'q Quotient<'_, '_>, budget: &mut Budget<'_>) -> Option<Self> {
        let Quotient { face, outside: rows, complement, .. } = quotient;
        if budget.spend((face.size() * complement.len() * rows.len()) as u64) {
            return None;
        }
        let place = |i| complement.iter().map(move |unit| unit[i] * quotient.scales[i]);
        let places: Vec<Vec<f64>> = (0..face.size()).map(|i| place(i).collect()).collect();
        let (mut lengths, mut points) = (Vec::new(), Vec::new());
        for &row in rows {
            let mut point = vec![0.0; complement.len()];
            face.entries(row, |i, z| {
                point.iter_mut().zip(&places[i]).for_each(|(sum, unit)| *sum += unit * z);
            });
            let length = to_unit(&mut point);
            points.extend(point);
            lengths.push(length);
        }
        Some(Outside { rows, lengths, points, complement })
    }

    fn search(&self, budget: &mut Budget<'_>) -> Option<Alternative> {
        let rows = Rows::dense(self.points.as_slice(), self.complement.len()).ok()?;
        let signs = vec![Sign::Plus; self.rows.len()];
        let examples = Examples::new(&rows, &signs).ok()?;
        let target = Target::Gap(0.5);
        let mut quick: Search<'_, f64> =
            Search::from_first(Points::in_proportion(examples, 0.0, 1.0));
        quick.run(target, budget);
        let mut search = Search::refine(quick, budget);
        let outcome = search.run(target, budget);
        if let Some((plane, _)) = &search.best {
            return Some(Alternative::Weights(self.weights(&plane.weights)));
        }
        if outcome != Outcome::Zero {
            return None;
        }
        let mut support = search.corral.support();
        support.sort_by(|a, b| b.1.high.total_cmp(&a.1.high).then(a.0.cmp(&b.0)));
        let multiplier =
            |(place, share): (usize, Double)| (self.rows[place], share.high / self.lengths[place]);
        Some(Alternative::Multipliers(support.into_iter().map(multiplier).collect()))
    }

    /// Weights by their coordinates in the complement.
    fn weights(&self, coordinates: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.complement[0].len()];
        for (coordinate, unit) in coordinates.iter().zip(self.complement) {
            weights.iter_mut().zip(unit).for_each(|(sum, u)| *sum += coordinate * u);
        }
        weights
    }
}

/// An orthonormal basis of `left` dimensions of the space of some vectors, orthogonal to others: of the vectors less their parts in
/// the others and in those chosen before, the longest.
fn orthogonal(mut vectors: Vec<Vec<f64>>, to: &[Vec<f64>], left: usize) -> Vec<Vec<f64>> {
    vectors.iter_mut().for_each(|vector| {
        reduce(vector, to);
    });
    let mut chosen: Vec<Vec<f64>> = Vec::new();
    for _ in 0..left {
        let longest =
            (0..vectors.len()).max_by(|&a, &b| norm(&vectors[a]).total_cmp(&norm(&vectors[b])));
        let Some(longest) = longest else { break };
        let mut next = vectors.swap_remove(longest);
        reduce(&mut next, to);
        reduce(&mut next, &chosen);
        to_unit(&mut next);
        for vector in &mut vectors {
            reduce(vector, std::slice::from_ref(&next));
        }
        chosen.push(next);
    }
    chosen
}

/// The entries of an example modulo the prime.
fn residues(face: &Face<'_>, row: usize) -> Vec<(usize, u64)> {
    let mut residues = Vec::new();
    face.entries(row, |i, z| residues.push((i, residue_of_float(z))));
    residues
}

/// Subtracts the part of a vector in the space of orthonormal vectors, twice, so that the rest is orthogonal to all digits
/// ("twice is enough": Giraud, Langou, Rozložník & van den Eshof 2005). Returns its coordinates there.
fn reduce(vector: &mut [f64], orthonormal: &[Vec<f64>]) -> Vec<f64> {
    let mut coordinates = vec![0.0; orthonormal.len()];
    for _ in 0..2 {
        for (unit, coordinate) in orthonormal.iter().zip(&mut coordinates) {
            let part = dot(unit, vector);
            vector.iter_mut().zip(unit).for_each(|(a, u)| *a -= part * u);
            *coordinate += part;
        }
    }
    coordinates
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    super::super::sums::of_pairs(a, b, 0.0, |a, b| a * b)
}

/// Divides a vector by its length, and returns that.
fn to_unit(vector: &mut [f64]) -> f64 {
    let length = norm(vector);
    vector.iter_mut().for_each(|a| *a /= length);
    length
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::{
        super::{
            super::{SeparabilityOptions, Verdict, gordan::combination_is_zero, separable},
            multipliers, parts,
            simplex::Simplex,
            span::Span,
        },
        *,
    };

    fn spans(face: &Face<'_>, found: &[(usize, BigUint)], budget: &mut Budget<'_>) {
        assert!(found.iter().all(|(_, multiplier)| *multiplier > BigUint::ZERO));
        let used: Vec<usize> = found.iter().map(|(row, _)| *row).collect();
        let space = Span::new(&face.examples, face.with_bias, &used, budget).unwrap();
        assert_eq!(space.rows.len(), face.size());
    }

    fn is_direction(face: &Face<'_>, direction: &[(usize, BigInt)]) {
        let weights = face.scaled(direction);
        let scores: Vec<BigInt> = face.rows.iter().map(|&row| face.score(row, &weights)).collect();
        assert!(scores.iter().all(|score| *score >= BigInt::ZERO));
        assert!(scores.iter().any(|score| *score > BigInt::ZERO));
    }

    /// The answer for the face of all examples, unless they are separable or 0; the linear program must have the same.
    fn decided(rows: &Rows<'_>, signs: &[Sign], with_bias: bool) -> Option<Found> {
        let examples = Examples::new(rows, signs).unwrap();
        let options = SeparabilityOptions { with_bias, ..SeparabilityOptions::default() };
        let Verdict::No { certificate, .. } = separable(&examples, &options, &mut || false) else {
            return None;
        };
        let mut never = || false;
        let budget = &mut Budget::new(u64::MAX, &mut never);
        let all: Vec<usize> = (0..signs.len()).collect();
        let span = Span::new(&examples, with_bias, &all, budget).unwrap();
        if span.columns.is_empty() {
            return None;
        }
        let face = Face::new(examples, with_bias, all.clone(), span.columns.clone());
        let found = decide(&face, &mut multipliers(&certificate), budget).unwrap();
        let (parts, _) = parts(&span, &all);
        let expected = Simplex::new(&face, &parts).run(&parts, budget).unwrap();
        match (&found, expected) {
            (Found::Combination(found), Found::Combination(_)) => {
                assert!(combination_is_zero(&examples, with_bias, found));
                spans(&face, found, budget);
            }
            (Found::Direction(direction), Found::Direction(_)) => is_direction(&face, direction),
            _ => panic!("the linear program finds another answer"),
        }
        Some(found)
    }

    #[test]
    fn on_a_line() {
        // −1 at 1 and 2, +1 at 2 and 3: both examples at 2 are on the boundary.
        let rows = Rows::dense(vec![1.0, 2.0, 2.0, 3.0], 1).unwrap();
        let signs = [Sign::Minus, Sign::Minus, Sign::Plus, Sign::Plus];
        assert!(matches!(decided(&rows, &signs, true), Some(Found::Direction(_))));
        // Another −1 at 3 and +1 at 1: they overlap.
        let rows = Rows::dense(vec![1.0, 2.0, 2.0, 3.0, 3.0, 1.0], 1).unwrap();
        let signs = [signs.as_slice(), &[Sign::Minus, Sign::Plus]].concat();
        assert!(matches!(decided(&rows, &signs, true), Some(Found::Combination(_))));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn as_the_linear_program(
            width in 1usize..6,
            numbers in prop::collection::vec(-2i8..3, 10..120),
            seed: u64,
            with_bias: bool,
        ) {
            let values: Vec<f64> = numbers.iter().map(|&a| f64::from(a) / 4.0).collect();
            let count = values.len() / width;
            let rows = Rows::dense(&values[..count * width], width).unwrap();
            let sign = |i: usize| if seed >> (i % 64) & 1 == 0 { Sign::Minus } else { Sign::Plus };
            let signs: Vec<Sign> = (0..count).map(sign).collect();
            decided(&rows, &signs, with_bias);
        }
    }
}
