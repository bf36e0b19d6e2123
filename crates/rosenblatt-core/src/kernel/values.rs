//! Kernel values of many pairs of rows.
//!
//! A value is the same float however many are computed at once. So the fast routines of `panel` and `spread` replace
//! the definition here without changing a bit.

use std::ops::Range;

use super::{CanonicalRows, GROUP, Kernel, KernelCache};

/// The kernel values of one row with all rows of `others`, in their order.
pub(crate) fn kernel_row(
    kernel: Kernel,
    (rows, row): (&CanonicalRows, usize),
    others: &CanonicalRows,
) -> Vec<f64> {
    #[cfg(feature = "fast")]
    return super::spread::Spread::new(others.features()).kernel_row(kernel, (rows, row), others);
    #[cfg(not(feature = "fast"))]
    (0..others.len()).map(|other| pair_value(kernel, (rows, row), (others, other))).collect()
}

/// Calls `f` with groups of up to [`GROUP`] rows of the range, in order. For each row of `support` it passes the kernel
/// values with the rows of the group. Values past the end of a smaller group are undefined.
///
/// Cost: one value for each pair of a row and a supporting row that is not cached.
pub(crate) fn for_each_group(
    kernel: Kernel,
    (support, cache): (&CanonicalRows, &KernelCache),
    rows: &CanonicalRows,
    range: Range<usize>,
    f: impl FnMut(Range<usize>, &[[f64; GROUP]]),
) {
    #[cfg(feature = "fast")]
    super::panel::for_each_group(kernel, (support, cache), rows, range, f);
    #[cfg(not(feature = "fast"))]
    by_pairs(kernel, (support, cache), rows, range, f);
}

/// The definition of [`for_each_group`].
#[cfg(not(feature = "fast"))]
fn by_pairs(
    kernel: Kernel,
    (support, cache): (&CanonicalRows, &KernelCache),
    rows: &CanonicalRows,
    range: Range<usize>,
    mut f: impl FnMut(Range<usize>, &[[f64; GROUP]]),
) {
    for first in range.clone().step_by(GROUP) {
        let group = first..range.end.min(first + GROUP);
        let mut values = vec![[0.0; GROUP]; support.len()];
        for (place, values) in values.iter_mut().enumerate() {
            let cache = cache.get(place).and_then(Option::as_deref);
            for (value_here, row) in values.iter_mut().zip(group.clone()) {
                let by_definition = || pair_value(kernel, (rows, row), (support, place));
                *value_here = cache.map_or_else(by_definition, |cache| cache[row]);
            }
        }
        f(group, &values);
    }
}

/// The kernel value of two rows.
pub(crate) fn pair_value(
    kernel: Kernel,
    (rows, row): (&CanonicalRows, usize),
    (others, other): (&CanonicalRows, usize),
) -> f64 {
    let product = super::inner_product(rows.row(row), others.row(other));
    kernel.value(product, (rows.square(row), others.square(other)))
}
