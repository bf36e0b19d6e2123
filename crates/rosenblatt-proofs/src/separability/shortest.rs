//! The exact shortest vector of a hull, by Wolfe's algorithm in integers.
//!
//! The steps are those of [`corral`](super::corral), without rounding. So nothing stalls, ‖p‖ decreases with every
//! major step, no corral returns, and the algorithm ends with the shortest vector itself.
//!
//! For the vectors z₁ … z_k of the corral, M = (zᵢ·zⱼ + 1). The state is its determinant D and D·M⁻¹, which are
//! integers. Adding or removing a vector changes them by a formula of one product and one exact division per entry. The
//! multipliers of the affine hull's shortest vector are proportional to the row sums of D·M⁻¹.
//!
//! Cost: for k vectors of b bits a step takes k² products of numbers of up to 2kb bits, and one pass over all rows.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};

use super::{
    budget::Budget,
    hull::{Hull, Vertex},
    integers::words,
};

/// The shortest vector p = numerators / denominator, in the units of the hull.
#[derive(Clone, Debug)]
pub(super) struct Shortest {
    pub(super) numerators: Vec<BigInt>,
    pub(super) denominator: BigUint,
    /// Rows and positive multipliers of p, scaled by one number.
    pub(super) parts: Vec<(usize, BigUint)>,
}

impl Shortest {
    pub(super) fn is_zero(&self) -> bool {
        self.numerators.iter().all(Zero::is_zero)
    }

    /// The squared norm of the numerators.
    pub(super) fn square(&self) -> BigUint {
        self.numerators.iter().map(|p| p.magnitude() * p.magnitude()).sum()
    }
}

/// Finds the shortest vector; `None` if the budget ends first.
pub(super) fn shortest(hull: &Hull<'_>, budget: &mut Budget<'_>) -> Option<Shortest> {
    let mut corral = WholeCorral::new(hull.first());
    loop {
        let p = corral.p();
        let size = p.iter().map(|p| words(p.magnitude())).max().unwrap_or(1);
        let rows = hull.examples.rows().stored() + hull.examples.len();
        if budget.spend(corral.cost() + 2 * size * rows as u64) {
            return None;
        }
        let square: BigInt = p.iter().map(|p| p * p).sum();
        let lowest = hull.lowest(&p);
        let denominator: BigInt = corral.multipliers.iter().sum();
        if square.is_zero() || lowest.score * &denominator >= square {
            let denominator = denominator.magnitude().clone();
            return Some(Shortest { numerators: p, denominator, parts: corral.parts() });
        }
        corral.push(hull.vertex(lowest.rows));
        while !corral.minor_step() {
            if budget.spend(corral.cost()) {
                return None;
            }
        }
    }
}

/// Affinely independent vectors whose hull contains p.
struct WholeCorral {
    vertices: Vec<Vertex>,
    /// Proportional to the multipliers of p; not negative.
    multipliers: Vec<BigInt>,
    /// D·M⁻¹.
    inverse: Vec<Vec<BigInt>>,
    /// D.
    determinant: BigInt,
}

impl WholeCorral {
    fn new(first: Vertex) -> Self {
        let (none, inverse) = (Vec::new(), Vec::new());
        let mut corral = WholeCorral {
            vertices: none,
            multipliers: Vec::new(),
            inverse,
            determinant: BigInt::one(),
        };
        corral.push(first);
        corral.multipliers = vec![BigInt::one()];
        corral
    }

    /// Adds a vector that is affinely independent of the others, with multiplier 0.
    ///
    /// With a = D·M⁻¹c for its column c and s for its own entry: D' = sD − c·a, and D'·M'⁻¹ has the blocks
    /// (D'·(D·M⁻¹) + aaᵀ)/D, −a and D.
    fn push(&mut self, vertex: Vertex) {
        let own = product(&vertex.vector, &vertex.vector) + 1;
        let column: Vec<BigInt> =
            self.vertices.iter().map(|other| product(&other.vector, &vertex.vector) + 1).collect();
        let a: Vec<BigInt> = self.inverse.iter().map(|row| product(row, &column)).collect();
        let determinant = own * &self.determinant - product(&column, &a);
        for (i, row) in self.inverse.iter_mut().enumerate() {
            for (entry, b) in row.iter_mut().zip(&a) {
                *entry = (&*entry * &determinant + &a[i] * b) / &self.determinant;
            }
            row.push(-&a[i]);
        }
        let mut row: Vec<BigInt> = a.iter().map(|a| -a).collect();
        row.push(std::mem::replace(&mut self.determinant, determinant));
        self.inverse.push(row);
        self.vertices.push(vertex);
        self.multipliers.push(BigInt::zero());
    }

    /// Removes vector `i`: with r for row i of N = D·M⁻¹, D' = rᵢ and D'·M'⁻¹ = (rᵢN − rrᵀ)/D.
    fn remove(&mut self, i: usize) {
        let mut row = self.inverse.remove(i);
        let determinant = row.remove(i);
        for other in &mut self.inverse {
            let factor = other.remove(i);
            for (entry, r) in other.iter_mut().zip(&row) {
                *entry = (&*entry * &determinant - &factor * r) / &self.determinant;
            }
        }
        self.determinant = determinant;
        self.vertices.remove(i);
        self.multipliers.remove(i);
    }

    /// Moves the multipliers a towards those of the affine hull's shortest vector, u. Returns whether they arrived;
    /// otherwise at least one vector has left.
    ///
    /// On the way from a to u the first multiplier to become 0 has the smallest a/−u among the negative u. At that
    /// point the multipliers are proportional to aᵢu − uᵢa.
    fn minor_step(&mut self) -> bool {
        let target: Vec<BigInt> = self.inverse.iter().map(|row| row.iter().sum()).collect();
        let negative = (0..target.len()).filter(|&i| target[i].is_negative());
        let ratio = |i: usize, j: usize| &self.multipliers[i] * &target[j];
        // a/−u of i is below that of j if −aᵢuⱼ < −aⱼuᵢ.
        let first = negative.min_by(|&i, &j| ratio(j, i).cmp(&ratio(i, j)));
        self.multipliers = match first {
            None => target,
            Some(i) => {
                let (a, u) = (self.multipliers[i].clone(), target[i].clone());
                let pairs = self.multipliers.iter().zip(&target);
                pairs.map(|(from, to)| &a * to - &u * from).collect()
            }
        };
        for i in (0..self.multipliers.len()).rev() {
            if self.multipliers[i].is_zero() {
                self.remove(i);
            }
        }
        first.is_none()
    }

    fn p(&self) -> Vec<BigInt> {
        let mut p = vec![BigInt::zero(); self.vertices[0].vector.len()];
        for (vertex, multiplier) in self.vertices.iter().zip(&self.multipliers) {
            p.iter_mut().zip(&vertex.vector).for_each(|(p, z)| *p += multiplier * z);
        }
        p
    }

    fn parts(&self) -> Vec<(usize, BigUint)> {
        let mut parts: Vec<(usize, BigUint)> = Vec::new();
        for (vertex, multiplier) in self.vertices.iter().zip(&self.multipliers) {
            let multiplier = multiplier.magnitude();
            parts.extend(vertex.rows.iter().map(|&row| (row, multiplier.clone())));
        }
        parts
    }

    /// The approximate cost of a step.
    fn cost(&self) -> u64 {
        let k = self.vertices.len() as u64 + 1;
        let size = words(self.determinant.magnitude());
        let vectors = self.vertices[0].vector.len() as u64;
        k * k * 3 * size * size + 2 * k * vectors * size
    }
}

fn product(a: &[BigInt], b: &[BigInt]) -> BigInt {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
