//! Sums of many terms by a few partial sums, so that the additions do not wait for each other.

use std::ops::Add;

use crate::data::{Row, Values};

/// The number of partial sums.
const LANES: usize = 4;

/// The sum of `term(k)` for k below `count`: of each part of four neighbors, one joins each partial sum.
#[inline]
pub(super) fn sum<T: Copy + Add<Output = T>>(
    count: usize,
    zero: T,
    term: impl Fn(usize) -> T,
) -> T {
    let (mut sums, whole) = ([zero; LANES], count - count % LANES);
    for first in (0..whole).step_by(LANES) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum = *sum + term(first + lane);
        }
    }
    sums.into_iter().chain((whole..count).map(term)).fold(zero, Add::add)
}

/// The sum of `term(j, x)` for the stored entries of a row.
#[inline]
pub(super) fn of_row<T: Copy + Add<Output = T>>(
    row: Row<'_>,
    zero: T,
    term: impl Fn(usize, f64) -> T,
) -> T {
    let count = row.stored();
    match (row.indices(), row.values()) {
        (None, Values::F64(x)) => sum(count, zero, |k| term(k, x[k])),
        (None, Values::F32(x)) => sum(count, zero, |k| term(k, f64::from(x[k]))),
        (Some(j), Values::F64(x)) => sum(count, zero, |k| term(j[k] as usize, x[k])),
        (Some(j), Values::F32(x)) => sum(count, zero, |k| term(j[k] as usize, f64::from(x[k]))),
    }
}
