//! Which rows to ask for while others are visited.
//!
//! The order of an epoch is known, so that no row has to be waited for. Bytes are asked for some kilobytes
//! ahead, which take the memory as long as it takes to answer: short rows as a whole, several visits before
//! their own; a long row bit by bit during the visit before it.

use crate::data::Rows;

/// So many bytes are under way.
const AHEAD: usize = 8 << 10;
/// The most rows.
const MOST: usize = 32;

#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// How many visits ahead rows are asked for as a whole; 0 for long rows.
    ahead: usize,
    /// The row that follows the present one, if rows are long.
    pub(super) next: Option<usize>,
}

impl Near {
    pub(super) fn new(rows: &Rows<'_>) -> Self {
        let bytes = rows.row_bytes().max(1);
        let is_long = bytes > AHEAD / 2 && !rows.is_sparse();
        Near { ahead: if is_long { 0 } else { (AHEAD / bytes).clamp(1, MOST) }, next: None }
    }

    /// Asks for what will be wanted after the visit of `order[place]`.
    #[inline]
    pub(super) fn arrive(&mut self, rows: &Rows<'_>, order: &[usize], place: usize) {
        if self.ahead == 0 {
            self.next = order.get(place + 1).copied();
            return;
        }
        if let Some(&row) = order.get(place + self.ahead) {
            rows.prefetch(row);
        }
        if let Some(&row) = order.get(place + 2 * self.ahead) {
            rows.prefetch_offsets(row);
        }
    }
}
