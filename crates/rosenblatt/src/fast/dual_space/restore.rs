//! Going on from a checkpoint.

use super::{BlockDualSpace, PendingUpdate};
use crate::{hyperplane::Hyperplane, space::SupportState};

impl BlockDualSpace<'_> {
    /// Brings the scores of all rows to those of these coefficients.
    ///
    /// A stored coefficient counts as one step. A row with a coefficient had an update, so that these are no more
    /// steps than the updates were, and what is proven of running scores holds as it stands: the coefficient
    /// is the rounded sum of this step and those to come.
    pub(super) fn take_up(&mut self, mistaken: &SupportState, planes: &[&Hyperplane]) {
        /// Rows at a time; their panels are in memory at once.
        const ROWS: usize = 256;
        self.dual.restore_support(mistaken);
        let counts = self.dual.counts.iter();
        self.moves = counts.map(|counts| counts.iter().sum::<u64>() as usize).collect();
        self.kept = vec![None; self.dual.support.len()];
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
