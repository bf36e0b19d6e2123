//! Which rows to ask for while others are visited.
//!
//! The order of an epoch is known, so that no row has to be waited for. Bytes are asked for some kilobytes
//! ahead, which take the memory as long as it takes to answer: short rows as a whole, several visits before
//! their own; a long row bit by bit during the visit before it.

use super::Rows;

/// So many bytes are under way.
const AHEAD: usize = 8 << 10;
/// The most rows.
const MOST: usize = 32;

/// How far ahead rows are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// So many visits ahead rows are asked for as a whole; 0 for long rows.
    ahead: usize,
}

impl Near {
    pub(crate) fn new(rows: &Rows<'_>) -> Self {
        let bytes = rows.row_bytes().max(1);
        let is_long = bytes > AHEAD / 2 && !rows.is_sparse();
        Near { ahead: if is_long { 0 } else { (AHEAD / bytes).clamp(1, MOST) } }
    }

    /// Asks for short rows that will be wanted after `order[place]`.
    #[inline(always)]
    pub(crate) fn ask(self, rows: &Rows<'_>, order: &[usize], place: usize) {
        if self.ahead == 0 {
            return;
        }
        if let Some(&row) = order.get(place + self.ahead) {
            rows.prefetch(row);
        }
        if let Some(&row) = order.get(place + 2 * self.ahead) {
            rows.prefetch_offsets(row);
        }
    }

    /// The row to be brought near during the visit of `order[place]`.
    #[inline(always)]
    pub(crate) fn beside(self, order: &[usize], place: usize) -> Option<usize> {
        order.get(place + 1).copied().filter(|_| self.ahead == 0)
    }
}
