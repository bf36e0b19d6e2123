//! Adds the updates of a block to the running scores of all rows, on several threads.

use std::ops::Range;

use super::PendingUpdate;
use crate::{
    kernel::{CanonicalRows, Kernel, panel},
    parallel::in_shares,
};

/// One update of the running scores.
pub(super) struct Task<'t> {
    pub(super) kernel: Kernel,
    pub(super) rows: &'t CanonicalRows,
    pub(super) planes: usize,
    pub(super) panels: &'t [panel::Panel],
    /// The updates of each row of the panels.
    pub(super) new_steps: &'t [Vec<PendingUpdate>],
    pub(super) cached: Vec<Option<&'t [f64]>>,
    pub(super) cached_steps: &'t [Vec<PendingUpdate>],
    /// The number of rows of the panels whose values are cached.
    pub(super) to_cache: usize,
}

impl Task<'_> {
    /// Returns the kernel values to cache: for each of those rows the values with all rows.
    pub(super) fn run(&self, running: &mut [(f64, f64)], threads: usize) -> Vec<Vec<f64>> {
        let part = |range, own: &mut [(f64, f64)]| self.part(range, own);
        let mut parts = in_shares(running, self.planes, threads, part);
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let mut kept = vec![Vec::with_capacity(self.rows.len()); self.to_cache];
        for part in parts {
            kept.iter_mut().zip(part).for_each(|(all, part)| all.extend(part));
        }
        kept
    }

    fn part(&self, range: Range<usize>, own: &mut [(f64, f64)]) -> Vec<Vec<f64>> {
        let (start, planes) = (range.start, self.planes);
        let mut keep = vec![Vec::with_capacity(range.len()); self.to_cache];
        for (values, steps) in self.cached.iter().zip(self.cached_steps) {
            for (i, value) in range.clone().zip(&values.unwrap_or_default()[range.clone()]) {
                add(&mut own[(i - start) * planes..][..planes], steps, *value);
            }
        }
        panel::for_each_value(self.kernel, self.panels, self.rows, range, |panel, first, lanes| {
            let own = own[(first - start) * planes..].chunks_mut(planes);
            for (own, lane) in own.zip(lanes) {
                for (steps, value) in self.new_steps[panel.first..].iter().zip(&lane[..panel.len]) {
                    add(own, steps, *value);
                }
            }
            let keep = keep.iter_mut().skip(panel.first).take(panel.len);
            for (number, keep) in keep.enumerate() {
                keep.extend(lanes.iter().map(|lane| lane[number]));
            }
        });
        keep
    }
}

#[inline]
fn add(scores: &mut [(f64, f64)], steps: &[PendingUpdate], value: f64) {
    for one in steps {
        let product = one.step * value;
        let (sum, magnitude) = &mut scores[one.plane as usize];
        *sum += product;
        *magnitude += product.abs();
    }
}
