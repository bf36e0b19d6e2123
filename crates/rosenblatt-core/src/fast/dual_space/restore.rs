//! Resuming from a checkpoint.

use super::{BlockDualSpace, PendingUpdate};
use crate::{hyperplane::Hyperplane, space::SupportState};

impl BlockDualSpace<'_> {
    /// Computes the running scores of all rows from these coefficients.
    ///
    /// A stored coefficient counts as one step. A row with a coefficient had an update, so there are no more steps than
    /// updates, and the bound on running scores still holds: the coefficient is the rounded sum of this step and all
    /// later ones.
    pub(super) fn load_coefficients(&mut self, support: &SupportState, planes: &[&Hyperplane]) {
        /// The number of rows handled at once; their panels are in memory together.
        const ROWS: usize = 256;
        self.dual.restore_support(support);
        let counts = self.dual.counts.iter();
        self.update_counts = counts.map(|counts| counts.iter().sum::<u64>() as usize).collect();
        self.cache = vec![None; self.dual.support.len()];
        for first in (0..self.dual.support.len()).step_by(ROWS) {
            for place in first..self.dual.support.len().min(first + ROWS) {
                for (number, plane) in (0u32..).zip(planes) {
                    let step = plane.weights[place];
                    if step != 0.0 {
                        self.pending.push(PendingUpdate {
                            place: place as u32,
                            plane: number,
                            step,
                        });
                    }
                }
            }
            self.bring_up_to_date();
        }
    }
}
