//! An upper bound on the norms of the rows that an epoch has visited or visits next.

#[cfg(target_arch = "x86_64")]
use super::register_epoch::registers;
use crate::{
    data::{Prefetch, Rows, VisitOrder},
    radius::Radius,
};

/// The largest norm of the rows at the first positions of an epoch.
///
/// The first epoch of a run measures the norms during the visits, of few enough rows at a time that they are still in
/// the cache when they are visited. Later the radius of all rows is known.
pub(super) struct RowNorms<'r> {
    rows: &'r Rows<'r>,
    prefetch: Prefetch,
    longest: Radius,
    /// The number of positions whose rows are measured.
    measured: usize,
    #[cfg(target_arch = "x86_64")]
    is_narrow: bool,
}

impl<'r> RowNorms<'r> {
    /// The state before the first visit of an epoch; `radius` is that of the rows, if known.
    pub(super) fn new(rows: &'r Rows<'r>, order: &[usize], radius: Option<Radius>) -> Self {
        let is_whole = order.len() == rows.len();
        let known = radius.or_else(|| (!is_whole).then(|| crate::radius::radius(rows)));
        RowNorms {
            rows,
            prefetch: Prefetch::new(rows),
            longest: known.unwrap_or_default(),
            measured: if known.is_some() { order.len() } else { 0 },
            #[cfg(target_arch = "x86_64")]
            is_narrow: registers(rows).is_some(),
        }
    }

    /// The largest norm of the rows at all positions up to the returned one, which is at most `until`.
    #[inline]
    pub(super) fn bound(&mut self, order: &[usize], from: usize, until: usize) -> (f64, usize) {
        if self.measured < order.len() {
            self.measure(order, from);
        }
        // The next visit must be of a measured row too.
        let until = if self.measured < order.len() { until.min(self.measured - 1) } else { until };
        (self.longest.length, until)
    }

    /// The largest norm of all rows.
    pub(super) fn measure_all(&mut self, order: &[usize]) -> f64 {
        while self.measured < order.len() {
            self.measure(order, self.measured);
        }
        self.longest.length
    }

    #[cold]
    fn measure(&mut self, order: &[usize], from: usize) {
        if from >= self.measured {
            let until = order.len().min(from + self.prefetch.rows());
            let places = VisitOrder::Ordered(order);
            self.longest.take(self.rows, self.prefetch, places, (self.measured, until));
            self.measured = until;
        }
    }

    /// The largest norm of all measured rows.
    #[inline]
    pub(super) fn longest(&self) -> f64 {
        self.longest.length
    }

    pub(super) fn prefetch(&self) -> Prefetch {
        self.prefetch
    }

    /// Whether the processor has registers for all features of a row.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn is_narrow(&self) -> bool {
        self.is_narrow
    }

    /// The radius, once all rows are measured.
    pub(super) fn radius(&self) -> Option<Radius> {
        (self.measured == self.rows.len()).then_some(self.longest)
    }
}
