//! Many rows by one hyperplane: the next that is not clearly on its side.
//!
//! While the weights stay as they are, visits need not be made one by one. A scan is the loop over them with
//! nothing in it but the sum of a row ([`filter`](super::filter)) and its comparison with a bound that is the
//! same for all rows, so that the processor works on several of them at once. It stops at the first row about
//! which there is more to say.
#![allow(unsafe_code)] // sums in registers that not every processor has

use std::cmp::Ordering;

use super::{
    filter::{error_bound, quick_magnitude},
    lanes::{Registers, Task, Value, gathered, with_widest},
};
use crate::data::{Examples, Near, Places, Values};

/// What a scan needs to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan<'s> {
    pub(crate) examples: &'s Examples<'s>,
    pub(crate) near: Near,
    /// A weight for each feature.
    pub(crate) weights: &'s [f64],
    pub(crate) bias: f64,
    /// The functional margin (at least 0) beyond which an example changes nothing.
    pub(crate) least: f64,
    /// At least ‖w‖·‖x‖ of all rows (up to a relative 10⁻⁶); infinite when nothing is known.
    pub(crate) lengths: f64,
}

/// Where a scan stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stopped {
    /// All examples before this place have functional margins beyond the least.
    pub(crate) place: usize,
    /// The sign of the score there, where it is known.
    pub(crate) score: Option<Ordering>,
}

impl Scan<'_> {
    /// Scans the examples at the places `from..until`.
    #[inline]
    pub(crate) fn run(self, order: Places<'_>, places: (usize, usize)) -> Stopped {
        let rows = self.examples.rows();
        match (rows.sparse_parts(), rows.values()) {
            (None, Values::F32(x)) => with_widest(Dense { scan: self, x, order, places }),
            (None, Values::F64(x)) => with_widest(Dense { scan: self, x, order, places }),
            (Some(at), Values::F32(x)) => with_widest(Sparse { scan: self, at, x, order, places }),
            (Some(at), Values::F64(x)) => with_widest(Sparse { scan: self, at, x, order, places }),
        }
    }

    /// The scan with these sums of the rows of examples, and these bounds of their errors.
    #[inline(always)]
    fn with(
        self,
        order: Places<'_>,
        (from, until): (usize, usize),
        sum: impl Fn(usize, Option<usize>) -> (f64, f64),
    ) -> Stopped {
        let rows = self.examples.rows();
        for place in from..until {
            let Some(example) = order.get(place) else {
                return Stopped { place, score: None };
            };
            self.near.ask(rows, order, place);
            let (sum, error) = sum(example, self.near.beside(order, place));
            let score = sum + self.bias;
            // Mirrored where the sign is minus, which rounds alike: the filter's value.
            let beyond = self.examples.sign(example) * score - self.least;
            if beyond > error {
                continue;
            }
            let score = match (score > error, score < -error) {
                (true, _) => Some(Ordering::Greater),
                (_, true) => Some(Ordering::Less),
                _ => None,
            };
            return Stopped { place, score };
        }
        Stopped { place: until, score: None }
    }

    /// The sum of the magnitudes of a row's terms is at most this.
    fn magnitude(&self) -> f64 {
        quick_magnitude(self.lengths, [self.bias, self.least])
    }
}

struct Dense<'s, T> {
    scan: Scan<'s>,
    x: &'s [T],
    order: Places<'s>,
    places: (usize, usize),
}

impl<T: Value> Task for Dense<'_, T> {
    type Outcome = Stopped;

    #[inline(always)]
    unsafe fn run<R: Registers>(self) -> Stopped {
        let Dense { scan, x, order, places } = self;
        let features = scan.examples.features();
        let error = error_bound(features + 2, scan.magnitude());
        let row = |i: usize| &x[i * features..(i + 1) * features];
        scan.with(order, places, |i, next| {
            let next = next.map_or(&[][..], row);
            // SAFETY: the processor has the registers, says the caller.
            (unsafe { R::products(scan.weights, row(i), next) }, error)
        })
    }
}

struct Sparse<'s, T> {
    scan: Scan<'s>,
    at: (&'s [usize], &'s [u32]),
    x: &'s [T],
    order: Places<'s>,
    places: (usize, usize),
}

impl<T: Value> Task for Sparse<'_, T> {
    type Outcome = Stopped;

    #[inline(always)]
    unsafe fn run<R: Registers>(self) -> Stopped {
        let Sparse { scan, at: (offsets, indices), x, order, places } = self;
        let magnitude = scan.magnitude();
        scan.with(order, places, |i, _| {
            let entries = offsets[i]..offsets[i + 1];
            let terms = entries.len() + 2;
            let sum = gathered::<R, T>(scan.weights, &indices[entries.clone()], &x[entries]);
            (sum, error_bound(terms, magnitude))
        })
    }
}
