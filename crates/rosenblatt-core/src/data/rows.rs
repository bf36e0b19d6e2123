//! The matrix of all rows, checked when it is built.

use std::borrow::Cow;

use super::{Row, RowError, SchemeError, Values};
use crate::simd::prefetch;

/// An error of building a matrix of rows. Rows and features are counted from 0, as in the arguments.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    /// The values do not fill whole rows.
    #[error("{values} values do not make whole rows of {features} features")]
    Shape {
        /// The number of values.
        values: usize,
        /// The expected number of features per row.
        features: usize,
    },
    /// Offsets, indices and values of a sparse matrix do not fit together.
    #[error("sparse row {row}: {problem}")]
    Sparse {
        /// The row of the problem.
        row: usize,
        /// The problem.
        problem: &'static str,
    },
    /// A value is NaN or infinite.
    #[error("row {row}, feature {feature}: {value} is not a finite number")]
    NotFinite {
        /// The row of the value.
        row: usize,
        /// The feature of the value.
        feature: usize,
        /// The value.
        value: f64,
    },
    /// Dense rows with another number of features.
    #[error("the rows are dense and have {found} features, expected {expected}")]
    Features {
        /// The number of features.
        found: usize,
        /// The expected number.
        expected: usize,
    },
    /// An impossible scheme.
    #[error(transparent)]
    Scheme(#[from] SchemeError),
    /// A class that does not exist.
    #[error("row {row}: there is no class {class}")]
    Class {
        /// The row.
        row: usize,
        /// The number of the class.
        class: u32,
    },
    /// The number of signs is not the number of rows.
    #[error("{rows} rows have {signs} signs")]
    Signs {
        /// The number of rows.
        rows: usize,
        /// The number of signs.
        signs: usize,
    },
    /// The number of weights is not the number of rows.
    #[error("{rows} rows have {weights} weights")]
    Weights {
        /// The number of rows.
        rows: usize,
        /// The number of weights.
        weights: usize,
    },
    /// A weight of an example that is not positive, or not finite.
    #[error("row {row}: the weight is {weight}, it must be a positive number")]
    Weight {
        /// The row.
        row: usize,
        /// Its weight.
        weight: f64,
    },
}

/// All values of a matrix, in single or double precision, owned or borrowed.
#[derive(Clone, Debug)]
pub enum Storage<'a> {
    /// Single precision.
    F32(Cow<'a, [f32]>),
    /// Double precision.
    F64(Cow<'a, [f64]>),
}

impl Storage<'_> {
    fn len(&self) -> usize {
        self.slice(..).len()
    }

    #[inline(always)]
    fn slice(
        &self,
        range: impl std::slice::SliceIndex<[f32], Output = [f32]>
        + std::slice::SliceIndex<[f64], Output = [f64]>,
    ) -> Values<'_> {
        match self {
            Storage::F32(values) => Values::F32(&values[range]),
            Storage::F64(values) => Values::F64(&values[range]),
        }
    }

    #[inline(always)]
    fn prefetch(&self, range: std::ops::Range<usize>) {
        match self.slice(range) {
            Values::F32(values) => prefetch::all(values),
            Values::F64(values) => prefetch::all(values),
        }
    }

    fn first_not_finite(&self) -> Option<(usize, f64)> {
        /// Searches piece by piece, so that pieces of finite values are checked in wide registers.
        fn first<T: Copy>(values: &[T], is_finite: impl Fn(T) -> bool) -> Option<usize> {
            const PIECE: usize = 512;
            let is_bad = |value: T| !is_finite(value);
            let has_any = |piece: &[T]| piece.iter().fold(false, |any, &x| any | is_bad(x));
            let piece = values.chunks(PIECE).position(has_any)?;
            let before = piece * PIECE;
            values[before..].iter().position(|&value| is_bad(value)).map(|place| before + place)
        }
        match self {
            Storage::F32(values) => {
                let position = first(values, f32::is_finite)?;
                Some((position, f64::from(values[position])))
            }
            Storage::F64(values) => {
                let position = first(values, f64::is_finite)?;
                Some((position, values[position]))
            }
        }
    }
}

macro_rules! storage_from {
    ($($source:ty => $variant:ident $cow:ident),*) => {$(
        impl<'a> From<$source> for Storage<'a> {
            fn from(values: $source) -> Self {
                Storage::$variant(Cow::$cow(values))
            }
        }
    )*};
}
impl<'a, T> From<&'a Vec<T>> for Storage<'a>
where
    Storage<'a>: From<&'a [T]>,
{
    fn from(values: &'a Vec<T>) -> Self {
        values.as_slice().into()
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for Storage<'a>
where
    Storage<'a>: From<&'a [T]>,
{
    fn from(values: &'a [T; N]) -> Self {
        values.as_slice().into()
    }
}

storage_from!(Vec<f32> => F32 Owned, Vec<f64> => F64 Owned, &'a [f32] => F32 Borrowed, &'a [f64] => F64 Borrowed);

#[derive(Clone, Debug)]
enum Layout<'a> {
    Dense {
        rows: usize,
    },
    /// Row `i` has the entries `offsets[i]..offsets[i + 1]` of `indices` and of the values.
    Sparse {
        offsets: Cow<'a, [usize]>,
        indices: Cow<'a, [u32]>,
    },
}

/// The parts of a matrix; see [`Rows::into_parts`].
#[derive(Clone, Debug)]
pub enum Parts<'a> {
    /// The parts of [`Rows::dense`].
    Dense {
        /// The values, row after row.
        values: Storage<'a>,
        /// The number of features.
        features: usize,
    },
    /// The parts of [`Rows::sparse`].
    Sparse {
        /// The start of each row, and the end of the last.
        offsets: Cow<'a, [usize]>,
        /// The feature of each value.
        indices: Cow<'a, [u32]>,
        /// The values, row after row.
        values: Storage<'a>,
        /// The number of features.
        features: usize,
    },
}

/// A matrix of finite numbers with one row per example; dense (row-major, contiguous) or sparse (CSR).
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    features: usize,
    layout: Layout<'a>,
    values: Storage<'a>,
}

impl<'a> Rows<'a> {
    /// Builds a dense matrix from its values, row after row.
    ///
    /// With 0 features there are no rows. Cost: one pass over the values.
    ///
    /// # Errors
    /// [`RowsError::Shape`] if the values do not fill whole rows; [`RowsError::NotFinite`].
    pub fn dense(values: impl Into<Storage<'a>>, features: usize) -> Result<Self, RowsError> {
        let values = values.into();
        let rows = values.len().checked_div(features).unwrap_or(0);
        if rows * features != values.len() {
            return Err(RowsError::Shape { values: values.len(), features });
        }
        if let Some((position, value)) = values.first_not_finite() {
            let (row, feature) = (position / features, position % features);
            return Err(RowsError::NotFinite { row, feature, value });
        }
        Ok(Rows { features, layout: Layout::Dense { rows }, values })
    }

    /// Builds a sparse matrix in CSR form. Row `i` has `values[offsets[i]..offsets[i + 1]]` at the features
    /// `indices[offsets[i]..offsets[i + 1]]`, which count from 0 and ascend strictly.
    ///
    /// Cost: one pass over indices and values.
    ///
    /// # Errors
    /// [`RowsError::Sparse`] if the three parts do not fit together, or an index repeats, descends or is not below
    /// `features`; [`RowsError::NotFinite`].
    pub fn sparse(
        offsets: impl Into<Cow<'a, [usize]>>,
        indices: impl Into<Cow<'a, [u32]>>,
        values: impl Into<Storage<'a>>,
        features: usize,
    ) -> Result<Self, RowsError> {
        let (offsets, indices, values) = (offsets.into(), indices.into(), values.into());
        check_sparse(&offsets, &indices, values.len(), features)?;
        if let Some((position, value)) = values.first_not_finite() {
            let row = offsets.partition_point(|&offset| offset <= position) - 1;
            return Err(RowsError::NotFinite { row, feature: indices[position] as usize, value });
        }
        Ok(Rows { features, layout: Layout::Sparse { offsets, indices }, values })
    }

    /// A sparse matrix from parts that fit together. An index may stand several times in a row: the number there is the sum
    /// of its entries. So integers longer than a float have an exact form, for sums of products alone.
    pub fn of_checked_parts(
        offsets: Vec<usize>,
        indices: Vec<u32>,
        values: Vec<f64>,
        features: usize,
    ) -> Self {
        let layout = Layout::Sparse { offsets: offsets.into(), indices: indices.into() };
        Rows { features, layout, values: values.into() }
    }

    /// A matrix of one row, which it borrows.
    ///
    /// # Errors
    /// [`RowError`] if the row does not have `features` features.
    pub fn of_row(row: Row<'a>, features: usize) -> Result<Self, RowError> {
        row.check(features)?;
        let values = match row.values() {
            Values::F32(values) => values.into(),
            Values::F64(values) => values.into(),
        };
        let layout = match row.indices() {
            None => Layout::Dense { rows: 1 },
            Some(indices) => {
                Layout::Sparse { offsets: vec![0, indices.len()].into(), indices: indices.into() }
            }
        };
        Ok(Rows { features, layout, values })
    }

    /// Returns these rows with `features` features. Sparse rows have the value 0 at the added features. So a model can
    /// classify the data of a file that ends before the model's last feature.
    ///
    /// Cost: constant if the number does not decrease; otherwise one pass over the indices.
    ///
    /// # Errors
    /// [`RowsError::Features`] for dense rows with another number of values; [`RowsError::Sparse`] for a row with an
    /// entry past the last feature.
    ///
    /// ```
    /// use rosenblatt_core::data::Rows;
    /// let rows = Rows::sparse(vec![0, 1], vec![1], vec![2.0], 2)?;
    /// assert_eq!(rows.with_features(7)?.features(), 7);
    /// assert!(Rows::dense(vec![0.0, 2.0], 2)?.with_features(7).is_err());
    /// # Ok::<(), rosenblatt_core::data::RowsError>(())
    /// ```
    pub fn with_features(self, features: usize) -> Result<Self, RowsError> {
        match &self.layout {
            _ if features == self.features => {}
            Layout::Dense { .. } => {
                return Err(RowsError::Features { found: self.features, expected: features });
            }
            Layout::Sparse { offsets, indices } if features < self.features => {
                check_sparse(offsets, indices, self.values.len(), features)?;
            }
            Layout::Sparse { .. } => {}
        }
        Ok(Rows { features, ..self })
    }

    /// Returns the parts without copying; [`Rows::dense`] or [`Rows::sparse`] joins them again.
    pub fn into_parts(self) -> Parts<'a> {
        let Rows { features, layout, values } = self;
        match layout {
            Layout::Dense { .. } => Parts::Dense { values, features },
            Layout::Sparse { offsets, indices } => {
                Parts::Sparse { offsets, indices, values, features }
            }
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.layout {
            Layout::Dense { rows } => *rows,
            Layout::Sparse { offsets, .. } => offsets.len() - 1,
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of features of every row.
    pub fn features(&self) -> usize {
        self.features
    }

    /// Whether the rows are stored sparse.
    pub fn is_sparse(&self) -> bool {
        matches!(self.layout, Layout::Sparse { .. })
    }

    /// The number of stored values.
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// Row `i`, counted from 0.
    ///
    /// # Panics
    /// If `i` is not less than the number of rows.
    #[inline]
    pub fn row(&self, i: usize) -> Row<'_> {
        match &self.layout {
            Layout::Dense { .. } => {
                Row::dense(self.values.slice(i * self.features..(i + 1) * self.features))
            }
            Layout::Sparse { offsets, indices } => {
                let range = offsets[i]..offsets[i + 1];
                Row::sparse(&indices[range.clone()], self.values.slice(range))
            }
        }
    }

    /// Prefetches row `i` as a whole; for rows of at most some kilobytes.
    #[inline(always)]
    pub(crate) fn prefetch(&self, i: usize) {
        match &self.layout {
            Layout::Dense { .. } => {
                self.values.prefetch(i * self.features..(i + 1) * self.features)
            }
            Layout::Sparse { offsets, indices } => {
                let range = offsets[i]..offsets[i + 1];
                prefetch::all(&indices[range.clone()]);
                self.values.prefetch(range);
            }
        }
    }

    /// Prefetches the offsets of row `i`.
    #[inline(always)]
    pub(crate) fn prefetch_offsets(&self, i: usize) {
        if let Layout::Sparse { offsets, .. } = &self.layout {
            prefetch::some(offsets, i, 1);
        }
    }

    /// Offsets and indices of sparse rows.
    pub(crate) fn sparse_parts(&self) -> Option<(&[usize], &[u32])> {
        match &self.layout {
            Layout::Dense { .. } => None,
            Layout::Sparse { offsets, indices } => Some((offsets, indices)),
        }
    }

    /// Whether some number is the sum of several entries.
    pub fn has_sums(&self) -> bool {
        let repeats = |row: &[u32]| row.windows(2).any(|pair| pair[0] == pair[1]);
        self.sparse_parts().is_some_and(|(offsets, indices)| {
            offsets.windows(2).any(|ends| repeats(&indices[ends[0]..ends[1]]))
        })
    }

    /// The stored values, row after row.
    pub(crate) fn values(&self) -> Values<'_> {
        self.values.slice(..)
    }

    /// The average number of bytes of a row.
    pub(crate) fn row_bytes(&self) -> usize {
        let index = if self.is_sparse() { size_of::<u32>() } else { 0 };
        let value = match self.values {
            Storage::F32(_) => size_of::<f32>(),
            Storage::F64(_) => size_of::<f64>(),
        };
        (self.stored() * (index + value)).div_ceil(self.len().max(1))
    }

    /// Rows with other values in the same layout: one for each stored value, all of them finite.
    pub(crate) fn with_values(&self, values: Vec<f64>) -> Rows<'static> {
        let layout = match &self.layout {
            Layout::Dense { rows } => Layout::Dense { rows: *rows },
            Layout::Sparse { offsets, indices } => {
                let (offsets, indices) = (offsets.to_vec().into(), indices.to_vec().into());
                Layout::Sparse { offsets, indices }
            }
        };
        Rows { features: self.features, layout, values: values.into() }
    }

    /// Copies the rows at these places, in that order.
    ///
    /// # Panics
    /// If a place is not below [`Self::len`].
    pub fn select(&self, places: &[usize]) -> Rows<'static> {
        let entries = |i: usize| match &self.layout {
            Layout::Dense { .. } => i * self.features..(i + 1) * self.features,
            Layout::Sparse { offsets, .. } => offsets[i]..offsets[i + 1],
        };
        let ranges = || places.iter().map(|&i| entries(i));
        let values = match &self.values {
            Storage::F32(all) => {
                ranges().flat_map(|range| &all[range]).copied().collect::<Vec<_>>().into()
            }
            Storage::F64(all) => {
                ranges().flat_map(|range| &all[range]).copied().collect::<Vec<_>>().into()
            }
        };
        let layout = match &self.layout {
            Layout::Dense { .. } => Layout::Dense { rows: places.len() },
            Layout::Sparse { indices, .. } => {
                let ends = ranges().scan(0, |end, range| {
                    *end += range.len();
                    Some(*end)
                });
                let offsets: Vec<usize> = std::iter::once(0).chain(ends).collect();
                let indices: Vec<u32> =
                    ranges().flat_map(|range| &indices[range]).copied().collect();
                Layout::Sparse { offsets: offsets.into(), indices: indices.into() }
            }
        };
        Rows { features: self.features, layout, values }
    }

    /// The rows in order.
    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.len()).map(|i| self.row(i))
    }
}

fn check_sparse(
    offsets: &[usize],
    indices: &[u32],
    values: usize,
    features: usize,
) -> Result<(), RowsError> {
    let fail = |row, problem| Err(RowsError::Sparse { row, problem });
    if offsets.first() != Some(&0) {
        return fail(0, "the offsets do not begin with 0");
    }
    if offsets.last() != Some(&values) || indices.len() != values {
        return fail(offsets.len() - 1, "offsets, indices and values differ in length");
    }
    for (row, pair) in offsets.windows(2).enumerate() {
        if pair[0] > pair[1] || pair[1] > values {
            return fail(row, "the offsets do not ascend");
        }
        let indices = &indices[pair[0]..pair[1]];
        // Compares all indices, without a branch for each.
        if !indices.windows(2).fold(true, |ascend, pair| ascend & (pair[0] < pair[1])) {
            return fail(row, "the indices do not ascend strictly");
        }
        if indices.last().is_some_and(|&last| last as usize >= features) {
            return fail(row, "an index is not below the number of features");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_rows_are_slices() {
        let rows = Rows::dense(vec![1.0f32, 2.0, 3.0, 4.0], 2).unwrap();
        assert_eq!((rows.len(), rows.features(), rows.is_sparse()), (2, 2, false));
        assert_eq!(rows.row(1).values(), Values::F32(&[3.0, 4.0]));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let shape = Rows::dense(vec![1.0, 2.0, 3.0], 2).unwrap_err();
        assert_eq!(shape, RowsError::Shape { values: 3, features: 2 });
        assert!(Rows::dense(vec![1.0], 0).is_err());
        let nan = Rows::dense(vec![0.0, 1.0, 2.0, f64::INFINITY], 2).unwrap_err();
        assert_eq!(nan, RowsError::NotFinite { row: 1, feature: 1, value: f64::INFINITY });
    }

    #[test]
    fn selected_rows_are_copies() {
        let entries = |rows: &Rows<'_>| {
            let mut all = Vec::new();
            for (i, row) in rows.iter().enumerate() {
                row.for_each(|j, x| all.push((i, j, x)));
            }
            all
        };
        let sparse =
            Rows::sparse(vec![0, 2, 2, 3], vec![0, 4, 1], vec![1.0f32, 2.0, 3.0], 5).unwrap();
        let selected = sparse.select(&[2, 0, 1, 2]);
        assert_eq!((selected.len(), selected.features()), (4, 5));
        assert_eq!(entries(&selected), [(0, 1, 3.0), (1, 0, 1.0), (1, 4, 2.0), (3, 1, 3.0)]);
        let dense = Rows::dense(vec![1.0, 2.0, 3.0], 1).unwrap().select(&[2, 2]);
        assert_eq!(entries(&dense), [(0, 0, 3.0), (1, 0, 3.0)]);
        assert!(dense.select(&[]).is_empty());
    }

    #[test]
    fn parts_are_those_that_were_given() {
        let values = [1.0, 2.0];
        let dense = Rows::dense(&values[..], 1).unwrap().into_parts();
        let Parts::Dense { values: Storage::F64(Cow::Borrowed(taken)), features: 1 } = dense else {
            unreachable!("{dense:?}");
        };
        assert_eq!(taken.as_ptr(), values.as_ptr());
        let owned = vec![1.0f32, 2.0, 3.0];
        let place = owned.as_ptr();
        let sparse = Rows::sparse(&[0usize, 2, 2, 3][..], vec![0, 4, 1], owned, 5).unwrap();
        match sparse.into_parts() {
            Parts::Sparse { offsets, indices, values: Storage::F32(values), features } => {
                assert_eq!((&*offsets, &*indices), (&[0, 2, 2, 3][..], &[0, 4, 1][..]));
                assert_eq!((values.as_ptr(), features), (place, 5));
                assert!(matches!(offsets, Cow::Borrowed(_)));
            }
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn sparse_parts_must_fit() {
        let make = |offsets: &[usize], indices: &[u32], features| {
            let values = vec![1.0; indices.len()];
            Rows::sparse(offsets.to_vec(), indices.to_vec(), values, features)
                .map(|rows| rows.len())
        };
        assert_eq!(make(&[0, 2, 2, 3], &[0, 4, 1], 5), Ok(3));
        assert!(make(&[], &[], 5).is_err());
        assert!(make(&[1, 2], &[0, 1], 5).is_err());
        assert!(make(&[0, 3, 2], &[0, 1], 5).is_err());
        assert!(make(&[0, 2], &[1, 1], 5).is_err());
        assert!(make(&[0, 2], &[2, 1], 5).is_err());
        assert!(make(&[0, 2], &[0, 5], 5).is_err());
        let nan = Rows::sparse(vec![0, 1, 1, 2], vec![0, 3], vec![1.0, f64::NAN], 4).unwrap_err();
        assert!(matches!(nan, RowsError::NotFinite { row: 2, feature: 3, .. }));
    }
}
