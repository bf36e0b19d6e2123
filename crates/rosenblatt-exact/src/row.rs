//! One row: the view through which all layouts of the data are read.

/// The stored values of a row, in single or double precision. Every `f32` is exactly an `f64`, so the precision changes
/// only the memory of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values<'a> {
    /// Single precision.
    F32(&'a [f32]),
    /// Double precision.
    F64(&'a [f64]),
}

impl Values<'_> {
    /// The number of stored values.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Values::F32(values) => values.len(),
            Values::F64(values) => values.len(),
        }
    }

    /// Whether no value is stored.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> From<&'a [f32]> for Values<'a> {
    fn from(values: &'a [f32]) -> Self {
        Values::F32(values)
    }
}

impl<'a> From<&'a [f64]> for Values<'a> {
    fn from(values: &'a [f64]) -> Self {
        Values::F64(values)
    }
}

/// A row that does not fit. Features and entries are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// A row with another number of values.
    #[error("the row has {found} features, expected {expected}")]
    Features {
        /// The number of values.
        found: usize,
        /// The expected number.
        expected: usize,
    },
    /// A sparse row with an entry past the last feature.
    #[error("the row has an entry at feature {feature}, expected one below {features}")]
    NoSuchFeature {
        /// The feature.
        feature: usize,
        /// The number of features.
        features: usize,
    },
    /// A sparse row whose features are not strictly ascending.
    #[error("entry {entry} of the row is at a feature that is not after the one before it")]
    NotAscending {
        /// The entry.
        entry: usize,
    },
    /// A sparse row with different numbers of indices and values.
    #[error("the row has {indices} indices for {values} values")]
    Entries {
        /// The number of indices.
        indices: usize,
        /// The number of values.
        values: usize,
    },
    /// A value that is NaN or infinite.
    #[error("feature {feature} of the row is {value}, expected a finite number")]
    NotFinite {
        /// The feature.
        feature: usize,
        /// The value.
        value: f64,
    },
    /// A weight or bias of the hyperplane that is NaN or infinite.
    #[error("the hyperplane has the number {value}, expected a finite one")]
    Weight {
        /// The number.
        value: f64,
    },
}

/// A row of the data: all values in the order of the features (dense), or values at ascending feature indices with 0
/// elsewhere (sparse).
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    values: Values<'a>,
    indices: Option<&'a [u32]>,
}

/// A dense row.
impl<'a, T> From<&'a [T]> for Row<'a>
where
    Values<'a>: From<&'a [T]>,
{
    fn from(values: &'a [T]) -> Self {
        Row::dense(values.into())
    }
}

/// A dense row.
impl<'a, T, const N: usize> From<&'a [T; N]> for Row<'a>
where
    Values<'a>: From<&'a [T]>,
{
    fn from(values: &'a [T; N]) -> Self {
        values.as_slice().into()
    }
}

/// A dense row.
impl<'a, T> From<&'a Vec<T>> for Row<'a>
where
    Values<'a>: From<&'a [T]>,
{
    fn from(values: &'a Vec<T>) -> Self {
        values.as_slice().into()
    }
}

impl<'a> Row<'a> {
    /// A row with one value per feature.
    #[inline]
    pub fn dense(values: Values<'a>) -> Self {
        Row { values, indices: None }
    }

    /// A row with `values[k]` at feature `indices[k]` (from 0, strictly ascending) and 0 elsewhere.
    ///
    /// The parts are not checked: code that accepts a row built by hand calls [`Row::check`].
    #[inline]
    pub fn sparse(indices: &'a [u32], values: Values<'a>) -> Self {
        Row { values, indices: Some(indices) }
    }

    /// Checks that the row has `features` features and finite values: dense with that many values, or sparse with
    /// strictly ascending indices below `features`.
    ///
    /// Cost: one pass.
    ///
    /// # Errors
    /// [`RowError`]: the first problem found.
    pub fn check(&self, features: usize) -> Result<(), RowError> {
        let values = self.values.len();
        match self.indices {
            None if values == features => {}
            None => return Err(RowError::Features { found: values, expected: features }),
            Some(indices) => check_indices(indices, values, features)?,
        }
        let bad = match self.values {
            Values::F32(x) => x.iter().position(|x| !x.is_finite()).map(|i| (i, f64::from(x[i]))),
            Values::F64(x) => x.iter().position(|x| !x.is_finite()).map(|i| (i, x[i])),
        };
        match bad {
            None => Ok(()),
            Some((i, value)) => {
                let feature = self.indices.map_or(i, |indices| indices[i] as usize);
                Err(RowError::NotFinite { feature, value })
            }
        }
    }

    /// The stored values.
    #[inline]
    pub fn values(&self) -> Values<'a> {
        self.values
    }

    /// The feature of each stored value, or `None` for a dense row.
    #[inline]
    pub fn indices(&self) -> Option<&'a [u32]> {
        self.indices
    }

    /// The number of stored entries, including stored zeros.
    #[inline]
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// The number after the feature of the last entry, if features ascend.
    #[inline]
    pub fn end(&self) -> usize {
        match self.indices {
            None => self.values.len(),
            Some(indices) => indices.last().map_or(0, |&last| last as usize + 1),
        }
    }

    /// Calls `f(feature, value)` for each stored entry, in ascending order of the features.
    #[inline]
    pub fn for_each(&self, mut f: impl FnMut(usize, f64)) {
        match (self.indices, self.values) {
            (None, Values::F64(x)) => x.iter().enumerate().for_each(|(j, &x)| f(j, x)),
            (None, Values::F32(x)) => x.iter().enumerate().for_each(|(j, &x)| f(j, f64::from(x))),
            (Some(i), Values::F64(x)) => i.iter().zip(x).for_each(|(&j, &x)| f(j as usize, x)),
            (Some(i), Values::F32(x)) => {
                i.iter().zip(x).for_each(|(&j, &x)| f(j as usize, f64::from(x)));
            }
        }
    }
}

fn check_indices(indices: &[u32], values: usize, features: usize) -> Result<(), RowError> {
    if indices.len() != values {
        return Err(RowError::Entries { indices: indices.len(), values });
    }
    if let Some(before) = indices.windows(2).position(|pair| pair[0] >= pair[1]) {
        return Err(RowError::NotAscending { entry: before + 1 });
    }
    match indices.last() {
        Some(&last) if last as usize >= features => {
            Err(RowError::NoSuchFeature { feature: last as usize, features })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_checked_against_its_features() {
        let dense = |x: &[f64]| Row::dense(Values::F64(x)).check(2);
        assert_eq!(dense(&[1.0, -0.0]), Ok(()));
        assert_eq!(dense(&[1.0]), Err(RowError::Features { found: 1, expected: 2 }));
        assert_eq!(dense(&[1.0; 3]), Err(RowError::Features { found: 3, expected: 2 }));
        let value = f64::INFINITY;
        assert_eq!(dense(&[1.0, value]), Err(RowError::NotFinite { feature: 1, value }));
        let sparse = |i: &[u32], x: &[f32]| Row::sparse(i, Values::F32(x)).check(5);
        assert_eq!(sparse(&[], &[]), Ok(()));
        assert_eq!(sparse(&[0, 4], &[1.0, 2.0]), Ok(()));
        assert_eq!(
            sparse(&[0, 5], &[1.0; 2]),
            Err(RowError::NoSuchFeature { feature: 5, features: 5 })
        );
        assert_eq!(sparse(&[0, 3, 3], &[1.0; 3]), Err(RowError::NotAscending { entry: 2 }));
        assert_eq!(sparse(&[0, 3], &[1.0; 3]), Err(RowError::Entries { indices: 2, values: 3 }));
        let nan = sparse(&[0, 3], &[1.0, f32::NAN]).unwrap_err();
        assert!(matches!(nan, RowError::NotFinite { feature: 3, .. }), "{nan}");
    }
}
