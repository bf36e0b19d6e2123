//! Prefetching of rows while others are visited.
//!
//! The order of an epoch is known, so rows can be prefetched: some kilobytes ahead, about as far as memory needs to
//! respond. A short row is prefetched as a whole, several visits early; a long row piece by piece during the visit
//! before.

use super::{Examples, Rows};

/// The number of bytes prefetched ahead.
const AHEAD: usize = 8 << 10;
/// The number of bytes of rows that stay in the cache.
const STAY: usize = 256 << 10;
/// The maximum number of rows.
const MOST: usize = 32;

/// How far ahead rows are prefetched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefetch {
    /// The number of visits by which a short row is prefetched as a whole; 0 for long rows.
    ahead: usize,
    /// The number of rows that fit in the cache at once.
    rows: usize,
}

/// The rows in the order of the visits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum VisitOrder<'o> {
    /// By their numbers.
    Ordered(&'o [usize]),
    /// This many rows, in the order in which they are stored.
    Stored(usize),
}

impl VisitOrder<'_> {
    /// The row at a place, if there is one.
    #[inline(always)]
    pub(crate) fn get(self, place: usize) -> Option<usize> {
        match self {
            VisitOrder::Ordered(order) => order.get(place).copied(),
            VisitOrder::Stored(rows) => Some(place).filter(|&place| place < rows),
        }
    }
}

impl Prefetch {
    pub(crate) fn new(rows: &Rows<'_>) -> Self {
        let bytes = rows.row_bytes().max(1);
        let is_long = bytes > AHEAD / 2 && !rows.is_sparse();
        let ahead = if is_long { 0 } else { (AHEAD / bytes).clamp(1, MOST) };
        Prefetch { ahead, rows: (STAY / bytes).max(1) }
    }

    /// The number of rows that fit in the cache at once.
    pub(crate) fn rows(self) -> usize {
        self.rows
    }

    /// Prefetches short rows that are visited soon after the one at this place.
    #[inline(always)]
    pub(crate) fn prefetch(self, rows: &Rows<'_>, places: VisitOrder<'_>, place: usize) {
        if self.ahead == 0 {
            return;
        }
        if let Some(row) = places.get(place + self.ahead) {
            rows.prefetch(row);
        }
        if let Some(row) = places.get(place + 2 * self.ahead) {
            rows.prefetch_offsets(row);
        }
    }

    /// Prefetches the rows of examples as [`prefetch`](Self::prefetch) does, and their signs.
    #[inline(always)]
    pub(crate) fn prefetch_example(
        self,
        examples: &Examples<'_>,
        places: VisitOrder<'_>,
        place: usize,
    ) {
        self.prefetch(examples.rows(), places, place);
        if let Some(example) = places.get(place + self.ahead.max(1)) {
            examples.prefetch_sign(example);
        }
    }

    /// The row to prefetch during the visit at this place, if rows are short.
    #[cfg(all(feature = "fast", target_arch = "x86_64"))]
    #[inline(always)]
    pub(crate) fn row_ahead(self, places: VisitOrder<'_>, place: usize) -> Option<usize> {
        if self.ahead == 0 { None } else { places.get(place + self.ahead) }
    }

    /// The row to prefetch during the visit at this place, if rows are long.
    #[inline(always)]
    pub(crate) fn next_long_row(self, places: VisitOrder<'_>, place: usize) -> Option<usize> {
        if self.ahead == 0 { places.get(place + 1) } else { None }
    }
}
