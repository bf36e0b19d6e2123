//! One step along a dense row, for the widest registers that the processor has.
//!
//! Each element is multiplied and added separately, with one rounding each, so the width of the registers changes no
//! bit. Stores are as wide as the loads of the sums that follow ([exact signs](crate)), so that weights can be
//! forwarded from stores that are still in flight.

use super::{Registers, SimdJob, dispatch};
use crate::{Row, Values};

/// A step that moves the numbers of the features of a dense row.
pub trait ElementStep {
    /// Moves the numbers of the `N` features from `at` on, with these values.
    fn chunk<const N: usize>(&mut self, at: usize, x: [f64; N]);
}

/// Takes a step along a whole row.
#[inline]
pub fn along<T: Copy + Into<f64>>(x: &[T], step: impl ElementStep) {
    struct Along<'x, T, S>(&'x [T], S);
    impl<T: Copy + Into<f64>, S: ElementStep> SimdJob for Along<'_, T, S> {
        type Outcome = ();

        #[inline(always)]
        unsafe fn run<R: Registers>(self) {
            in_chunks(self.0, self.1);
        }
    }
    dispatch(Along(x, step));
}

/// Takes a step along all stored entries of a row.
#[inline(always)]
pub fn element_wise(row: Row<'_>, mut step: impl ElementStep) {
    match (row.indices(), row.values()) {
        (None, Values::F64(x)) => along(x, step),
        (None, Values::F32(x)) => along(x, step),
        _ => row.for_each(|j, x| step.chunk(j, [x])),
    }
}

#[inline(always)]
fn in_chunks<T: Copy + Into<f64>>(x: &[T], mut step: impl ElementStep) {
    const LONG: usize = 8;
    const SHORT: usize = 4;
    let mut at = 0;
    let (chunks, x) = x.as_chunks::<LONG>();
    for chunk in chunks {
        step.chunk(at, chunk.map(Into::into));
        at += LONG;
    }
    let (chunks, x) = x.as_chunks::<SHORT>();
    for chunk in chunks {
        step.chunk(at, chunk.map(Into::into));
        at += SHORT;
    }
    for &x in x {
        step.chunk(at, [x.into()]);
        at += 1;
    }
}

/// The `N` numbers from `at` on.
#[inline(always)]
pub fn part<T, const N: usize>(numbers: &mut [T], at: usize) -> Option<&mut [T; N]> {
    numbers.get_mut(at..at + N)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts each feature.
    struct Seen<'a>(&'a mut Vec<f64>);

    impl ElementStep for Seen<'_> {
        fn chunk<const N: usize>(&mut self, at: usize, x: [f64; N]) {
            for (place, x) in (at..).zip(x) {
                self.0[place] += x;
            }
        }
    }

    #[test]
    fn every_feature_is_met_once() {
        for n in 0..100 {
            let x: Vec<f32> = (0..n).map(|i| i as f32 + 1.0).collect();
            let mut seen = vec![0.0; n];
            along(&x, Seen(&mut seen));
            assert!(seen.iter().zip(&x).all(|(&seen, &x)| seen == f64::from(x)));
            let mut seen = vec![0.0; n];
            in_chunks(&x, Seen(&mut seen));
            assert!(seen.iter().zip(&x).all(|(&seen, &x)| seen == f64::from(x)));
        }
    }
}
