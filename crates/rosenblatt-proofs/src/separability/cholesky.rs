//! The Cholesky factor of the corral's matrix, updated when points are added or removed.
//!
//! For the points z₁ … z_k of a corral the matrix is M = (zᵢ·zⱼ + μ). It is positive definite exactly if the points are
//! affinely independent, whether or not 0 is in their hull (Wolfe, *Mathematical Programming* 11, 1976, section 5, form
//! D). Its size is that of the corral, not of the space, so a large number of features costs nothing.
//!
//! A point is added by one forward substitution. It is removed by Givens rotations of the rows after it, which are
//! orthogonal and so lose nothing over many changes. Cost: O(k²) each. Double-double numbers make up for M having the
//! square of the points' condition.

use super::double_double::{Double, Number, dot, widened};

/// The lower triangle L with L·Lᵀ = M, row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct Factor<N> {
    rows: Vec<Vec<N>>,
    /// The solution y of Ly = (1, …, 1), updated with the points.
    ones: Vec<N>,
}

impl<N: Number> Factor<N> {
    /// Adds a point by its row of M: `column` has the entries with the earlier points and `diagonal` its own. Returns
    /// whether the point is affinely independent of them; if not, nothing changes.
    pub(super) fn push(&mut self, column: &[N], diagonal: N) -> bool {
        let mut row = self.forward(column);
        let rest = diagonal - dot(&row, &row);
        // Below the precision of the arithmetic, the new point counts as in the affine hull of the others.
        let independent = rest.high() > N::PRECISION * diagonal.high();
        if independent {
            let diagonal = rest.sqrt();
            self.ones.push((N::ONE - dot(&row, &self.ones)) / diagonal);
            row.push(diagonal);
            self.rows.push(row);
        }
        independent
    }

    /// This factor in double-double numbers, which are no more precise.
    pub(super) fn widened(self) -> Factor<Double> {
        let rows = self.rows.into_iter().map(widened).collect();
        Factor { rows, ones: widened(self.ones) }
    }

    /// Removes point `i`.
    pub(super) fn remove(&mut self, i: usize) {
        self.rows.remove(i);
        for pivot in i..self.rows.len() {
            self.rotate(pivot);
        }
        self.ones.pop();
    }

    /// Rotates columns `pivot` and `pivot + 1` so that row `pivot` ends on the diagonal again.
    fn rotate(&mut self, pivot: usize) {
        let (a, b) = (self.rows[pivot][pivot], self.rows[pivot][pivot + 1]);
        let length = (a * a + b * b).sqrt();
        let (cosine, sine) = (a / length, b / length);
        for row in self.rows[pivot..].iter_mut().chain([&mut self.ones]) {
            let (a, b) = (row[pivot], row[pivot + 1]);
            row[pivot] = cosine * a + sine * b;
            row[pivot + 1] = cosine * b - sine * a;
        }
        self.rows[pivot].truncate(pivot + 1);
    }

    /// The solution u of Mu = (1, …, 1).
    pub(super) fn solve_ones(&self) -> Vec<N> {
        let mut solution = self.ones.clone();
        for (i, row) in self.rows.iter().enumerate().rev() {
            let value = solution[i] / row[i];
            solution[i] = value;
            for (above, &entry) in solution[..i].iter_mut().zip(row) {
                *above = *above - entry * value;
            }
        }
        solution
    }

    /// L⁻¹ times a vector.
    fn forward(&self, right: &[N]) -> Vec<N> {
        let mut solution: Vec<N> = Vec::with_capacity(right.len() + 1);
        for (row, &right) in self.rows.iter().zip(right) {
            let i = solution.len();
            solution.push((right - dot(&row[..i], &solution)) / row[i]);
        }
        solution
    }
}

#[cfg(test)]
mod tests {
    use super::{super::double_double::Double, *};

    fn factor(matrix: &[&[f64]]) -> Factor<Double> {
        let mut factor = Factor::default();
        for (i, row) in matrix.iter().enumerate() {
            let row: Vec<Double> = row.iter().map(|&a| a.into()).collect();
            assert!(factor.push(&row[..i], row[i]));
        }
        factor
    }

    #[test]
    fn a_removed_point_leaves_no_trace() {
        let mut three = factor(&[&[4.0], &[1.0, 5.0], &[2.0, 1.0, 6.0]]);
        three.remove(0);
        let two = factor(&[&[5.0], &[1.0, 6.0]]);
        for (a, b) in three.solve_ones().into_iter().zip(two.solve_ones()) {
            assert!((a - b).high.abs() < 1e-30);
        }
    }

    #[test]
    fn a_dependent_point_is_refused() {
        let mut one = factor(&[&[4.0]]);
        assert!(!one.push(&[4.0.into()], 4.0.into()));
    }
}
