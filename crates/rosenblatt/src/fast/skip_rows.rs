//! Examples that an evaluation need not look at one by one.

use super::scan::Scan;
use crate::{
    data::{Examples, Prefetch, VisitOrder},
    hyperplane::Hyperplane,
    space::LinearScores,
};

/// What a skip has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// The first row that must be looked at; the end of the range if there is none.
    pub(crate) until: usize,
    /// How many of the rows before it have a negative functional margin.
    pub(crate) errors: usize,
}

/// How many rows fit in the cache at once.
pub(crate) fn rows_in_cache(examples: &Examples<'_>) -> usize {
    Prefetch::new(examples.rows()).rows()
}

/// Skips rows of `from..until` whose functional margin is certainly above `least` and has a certain sign. With
/// `counts_errors` those with a negative margin are skipped as well, and counted; otherwise `least` is at least 0.
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
