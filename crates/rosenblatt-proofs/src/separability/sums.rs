//! Sums of many terms by a few partial sums, so that the additions do not wait for each other.

use std::ops::Add;

use rosenblatt_core::data::{Row, Values};

/// The number of partial sums.
const LANES: usize = 4;

/// The sum of `term(w, x)` for the stored values x of a row, each with the weight of its column.
#[inline]
pub(super) fn of_row<T: Copy + Add<Output = T>>(
    row: Row<'_>,
    weights: &[f64],
    zero: T,
    term: impl Fn(f64, f64) -> T,
) -> T {
    match (row.indices(), row.values()) {
        (None, Values::F64(x)) => of_pairs(weights, x, zero, |&w, &x| term(w, x)),
        (None, Values::F32(x)) => of_pairs(weights, x, zero, |&w, &x| term(w, f64::from(x))),
        (Some(j), Values::F64(x)) => of_pairs(j, x, zero, |&j, &x| term(weights[j as usize], x)),
        (Some(j), Values::F32(x)) => {
            of_pairs(j, x, zero, |&j, &x| term(weights[j as usize], f64::from(x)))
        }
    }
}

/// The sum of `term(a, b)` for the pairs of two slices of one length.
#[inline]
pub(super) fn of_pairs<A, B, T: Copy + Add<Output = T>>(
    a: &[A],
    b: &[B],
    zero: T,
    term: impl Fn(&A, &B) -> T,
) -> T {
    let ((parts_a, rest_a), (parts_b, rest_b)) = (a.as_chunks(), b.as_chunks());
    let rest = rest_a.iter().zip(rest_b).map(|(a, b)| term(a, b));
    let parts = parts_a.iter().zip(parts_b);
    sum(parts, |(a, b): (&[A; LANES], &[B; LANES]), lane| term(&a[lane], &b[lane]), rest, zero)
}

/// The sum of `term(a)` for the elements of a slice.
#[inline]
pub(super) fn of_each<A, T: Copy + Add<Output = T>>(a: &[A], zero: T, term: impl Fn(&A) -> T) -> T {
    let (parts, rest) = a.as_chunks();
    let rest = rest.iter().map(&term);
    sum(parts.iter(), |a: &[A; LANES], lane| term(&a[lane]), rest, zero)
}

/// Each term of a part joins the partial sum of its lane. These sums are added in order, and then the terms of the rest.
#[inline]
fn sum<P: Copy, T: Copy + Add<Output = T>>(
    parts: impl Iterator<Item = P>,
    term: impl Fn(P, usize) -> T,
    rest: impl Iterator<Item = T>,
    zero: T,
) -> T {
    let mut sums = [zero; LANES];
    for part in parts {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum = *sum + term(part, lane);
        }
    }
    sums.into_iter().chain(rest).fold(zero, Add::add)
}
