//! The shortest vector in the hull of a few points, by Wolfe's algorithm.
//!
//! Philip Wolfe, "Finding the nearest point in a polytope", *Mathematical Programming* 11 (1976). The
//! *corral* is a set of affinely independent points whose hull has the current point
//! p = Σλᵢzᵢ in its interior, and p is the shortest vector of the corral's affine hull.
//!
//! * Major step: a point z with z·p < p·p joins the corral. Such a point is outside the affine hull.
//! * Minor step: p moves towards the shortest vector of the new affine hull. If that leaves the hull, p stops on the
//!   boundary, the points whose λ became 0 leave, and the step is repeated.
//!
//! ‖p‖ decreases at each major step, so no corral returns and the algorithm ends. By Carathéodory a corral has at most
//! d + 2 points of d + 1 coordinates.
//!
//! # Numerics
//! λ, p and the factor are floats or double-double, and p is always computed again from λ. A candidate is compared with p·p in
//! that precision, so a point of the corral never joins again. A point that the factor finds dependent is skipped until
//! p has moved.

use super::{
    budget::Budget,
    cholesky::Factor,
    double_double::{Double, Number, dot, widened},
    vectors::Point,
};

/// The number added to all inner products, about the squared norm of the longest point.
const SHIFT: f64 = 1.0;

/// A corral and its shortest point.
#[derive(Clone, Debug)]
pub(super) struct Corral<N> {
    /// The points and their multipliers.
    pub(super) points: Vec<Point>,
    multipliers: Vec<N>,
    factor: Factor<N>,
    p: Vec<N>,
    /// p rounded.
    pub(super) rounded: Vec<f64>,
    /// A vector of zeros for inner products with sparse points.
    scratch: Vec<f64>,
}

impl<N: Number> Corral<N> {
    /// The corral of one point, in a space of `dimension` coordinates.
    pub(super) fn new(point: Point, dimension: usize) -> Self {
        let mut corral = Corral::empty(dimension);
        corral.join(point);
        corral
    }

    /// A corral within these points, from a point of their hull given by positive multipliers. A point that depends on earlier
    /// points is left out. `None` if the budget ends.
    ///
    /// Cost: O(k³) for k points.
    pub(super) fn of_points(
        points: impl Iterator<Item = (Point, N)>,
        dimension: usize,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let mut corral = Corral::empty(dimension);
        for (point, multiplier) in points {
            if budget.spend(0) {
                return None;
            }
            if corral.push(point) {
                corral.multipliers.pop();
                corral.multipliers.push(multiplier);
            }
        }
        corral.settle();
        Some(corral)
    }

    fn empty(dimension: usize) -> Self {
        Corral {
            points: Vec::new(),
            multipliers: Vec::new(),
            factor: Factor::default(),
            p: vec![N::ZERO; dimension],
            rounded: vec![0.0; dimension],
            scratch: vec![0.0; dimension],
        }
    }

    /// This corral in double-double numbers, which are no more precise.
    pub(super) fn widened(self) -> Corral<Double> {
        let Corral { points, multipliers, factor, p, rounded, scratch } = self;
        let [multipliers, p] = [multipliers, p].map(widened);
        Corral { points, multipliers, factor: factor.widened(), p, rounded, scratch }
    }

    /// p·p.
    pub(super) fn squared_length(&self) -> f64 {
        dot(&self.p, &self.p).high()
    }

    /// p·z in the precision of the corral.
    pub(super) fn score(&self, point: &Point) -> f64 {
        point.score(&self.p).high()
    }

    /// The rows of the points and their multipliers, all of which are positive.
    pub(super) fn support(&self) -> Vec<(usize, Double)> {
        let rows = self.points.iter().map(|point| point.row);
        let pairs = rows.zip(self.multipliers.iter().map(|&multiplier| multiplier.into()));
        pairs.filter(|(_, multiplier): &(usize, Double)| multiplier.high > 0.0).collect()
    }

    /// Makes a major step with all its minor steps. Returns whether the point is affinely independent of the corral; if
    /// not, nothing changes.
    ///
    /// Cost: O(k² + k·stored) per minor step for k points.
    pub(super) fn join(&mut self, point: Point) -> bool {
        if !self.push(point) {
            return false;
        }
        self.settle();
        true
    }

    /// Makes minor steps until p is the shortest vector of the affine hull.
    fn settle(&mut self) {
        while !self.minor_step() {}
        self.find_p();
    }

    fn push(&mut self, point: Point) -> bool {
        for &(j, z) in &point.entries {
            self.scratch[j] = z;
        }
        let column: Vec<N> = self
            .points
            .iter()
            .map(|other| other.product::<N>(&self.scratch) + SHIFT.into())
            .collect();
        for &(j, _) in &point.entries {
            self.scratch[j] = 0.0;
        }
        let independent = self.factor.push(&column, point.squared_length::<N>() + SHIFT.into());
        if independent {
            self.points.push(point);
            self.multipliers.push(N::ZERO);
        }
        independent
    }

    /// Moves λ towards the multipliers of the affine hull's shortest vector. Returns whether it arrived; otherwise at
    /// least one point has left.
    fn minor_step(&mut self) -> bool {
        let target = self.affine_multipliers();
        let current = self.multipliers.iter().zip(&target);
        let steps =
            current.map(
                |(&from, &to)| {
                    if to.high() > 0.0 { f64::INFINITY } else { (from / (from - to)).high() }
                },
            );
        // The first point to leave. A NaN (0/0) belongs to a point that is at 0 and stays there.
        let steps: Vec<f64> = steps.map(|step| if step.is_nan() { 0.0 } else { step }).collect();
        let first = steps.iter().copied().fold(f64::INFINITY, f64::min);
        if first == f64::INFINITY || self.points.len() == 1 {
            self.multipliers = target;
            return true;
        }
        for (from, to) in self.multipliers.iter_mut().zip(target) {
            *from = *from + (to - *from).times(first);
        }
        for i in (0..steps.len()).rev() {
            if steps[i] == first || self.multipliers[i].high() <= 0.0 && self.points.len() > 1 {
                self.remove(i);
            }
        }
        false
    }

    fn remove(&mut self, i: usize) {
        self.points.remove(i);
        self.multipliers.remove(i);
        self.factor.remove(i);
    }

    /// The multipliers, of sum 1, of the shortest vector of the affine hull: u/Σu with Mu = (1, …, 1).
    fn affine_multipliers(&self) -> Vec<N> {
        let mut solution = self.factor.solve_ones();
        let sum = solution.iter().fold(N::ZERO, |sum, &u| sum + u);
        solution.iter_mut().for_each(|u| *u = *u / sum);
        solution
    }

    fn find_p(&mut self) {
        self.p.fill(N::ZERO);
        for (point, &multiplier) in self.points.iter().zip(&self.multipliers) {
            for &(j, z) in &point.entries {
                self.p[j] = self.p[j] + multiplier.times(z);
            }
        }
        for (rounded, p) in self.rounded.iter_mut().zip(&self.p) {
            *rounded = p.high();
        }
    }
}
