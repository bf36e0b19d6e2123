//! A few epochs of the perceptron, before anything else.
//!
//! Often they separate at once. Where the search is long, as with more features than examples, they give a
//! separator early, so that a search that is stopped has an answer. What they find is only a
//! candidate: plain precision will do.

use super::points::Points;

/// At least so many epochs,
const FEWEST: usize = 10;
/// and at most so many,
const MOST: usize = 1000;
/// as long as no more entries are visited than this: well under a second.
const ENTRIES: usize = 20_000_000;

/// The weights after a clean epoch or the last one, from the mean of the vectors.
pub(super) fn perceptron(points: &Points<'_>, stop: &mut dyn FnMut() -> bool) -> Vec<f64> {
    let mut p = points.mean();
    let entries = points.examples.rows().stored() + points.examples.len();
    let epochs = (ENTRIES / entries.max(1)).clamp(FEWEST, MOST);
    for _ in 0..epochs {
        let mut clean = true;
        for row in 0..points.examples.len() {
            if points.score(row, &p) <= 0.0 {
                points.add(row, 1.0, &mut p);
                clean = false;
            }
        }
        if clean || stop() {
            break;
        }
    }
    p
}
