//! An example of several classes that are learned together, as the rules see it.
//!
//! In the space of all weights, the example of class y and a rival r are one row z: x in the place of w_y, −x in that of
//! w_r, and 0 elsewhere (Kesler's construction; Duda & Hart 1973, section 5.12). Its score w·z is the difference of the
//! two scores, its sign is +, and a step along z moves w_y by τx and w_r by −τx. So every rule applies as it is.

use std::cmp::Ordering;

use crate::{data::Row, exact, hyperplane::Hyperplane, rules::ExampleView};

/// An example and a rival as one row of all weights.
pub(super) struct RowPair<'v> {
    pub(super) row: Row<'v>,
    /// The hyperplane of its class.
    pub(super) own: &'v Hyperplane,
    pub(super) rival: &'v Hyperplane,
    /// The comparison of the two scores, if known.
    pub(super) order: Option<Ordering>,
}

impl RowPair<'_> {
    /// The weights and biases of both hyperplanes.
    fn both(&self) -> [(&[f64], f64); 2] {
        [self.own, self.rival].map(|plane| (plane.weights.as_slice(), plane.bias))
    }
}

impl ExampleView for RowPair<'_> {
    fn compare(&self, _: &Hyperplane, threshold: f64) -> Ordering {
        if let Some(order) = self.order.filter(|_| threshold == 0.0) {
            return order;
        }
        let [own, rival] = self.both();
        exact::compare_score_difference(own, rival, self.row, threshold)
    }

    fn score_beyond(&self, _: &Hyperplane, threshold: f64) -> f64 {
        let [own, rival] = self.both();
        exact::score_difference_beyond(own, rival, self.row, threshold)
    }

    fn squared_norm(&self, extra: f64) -> f64 {
        exact::squared_norm_of_pair(self.row, extra)
    }

    fn is_zero(&self) -> bool {
        self.row.is_zero()
    }
}
