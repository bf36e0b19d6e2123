//! Skips examples that an evaluation need not score one by one.

use super::scan::Scan;
use crate::{
    data::{Examples, Prefetch, VisitOrder},
    hyperplane::Hyperplane,
    space::LinearScores,
};

/// The result of a skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// The first row that must be scored; the end of the range if there is none.
    pub(crate) until: usize,
    /// The number of earlier rows with a negative functional margin.
    pub(crate) errors: usize,
}

/// The number of rows that fit in the cache at once.
pub(crate) fn rows_in_cache(examples: &Examples<'_>) -> usize {
    Prefetch::new(examples.rows()).rows()
}

/// Skips rows of `from..until` whose functional margin is certainly above `least` and has a certain sign. With
/// `counts_errors` it also skips and counts rows with a negative margin; otherwise `least` is at least 0.
pub(crate) fn skip_rows(
    scores: &LinearScores<'_>,
    plane: usize,
    examples: &Examples<'_>,
    rows: (usize, usize),
    (least, counts_errors): (f64, bool),
) -> Skipped {
    let Hyperplane { weights, bias } = scores.hyperplane(plane);
    let (prefetch, norm_product) = (Prefetch::new(examples.rows()), scores.norm_product(plane));
    let scan = Scan { examples, prefetch, weights, bias: *bias, least, norm_product };
    let order = VisitOrder::Stored(examples.len());
    if counts_errors {
        let (until, errors) = scan.count(order, rows);
        Skipped { until, errors }
    } else {
        Skipped { until: scan.run(order, rows).place, errors: 0 }
    }
}
