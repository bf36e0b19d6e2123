//! One row: the view through which every layout of the data is read.

/// The stored values of a row, in one of the two widths. Every `f32` is exactly an `f64`, so the
/// width changes how much memory a row takes and nothing else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values<'a> {
    /// Single precision.
    F32(&'a [f32]),
    /// Double precision.
    F64(&'a [f64]),
}

impl Values<'_> {
    /// The number of stored values.
    pub fn len(&self) -> usize {
        match self {
            Values::F32(values) => values.len(),
            Values::F64(values) => values.len(),
        }
    }

    /// Whether no value is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A row of the data: all values in the order of the features (dense), or the values at ascending
/// feature indices, all others being 0 (sparse).
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    values: Values<'a>,
    indices: Option<&'a [u32]>,
}

impl<'a> Row<'a> {
    /// A row with one value for each feature.
    pub fn dense(values: Values<'a>) -> Self {
        Row { values, indices: None }
    }

    /// A row with `values[k]` at feature `indices[k]` (from 0, strictly ascending) and 0 elsewhere.
    ///
    /// The two slices must be of one length; [`Rows`](super::Rows) checks what it hands out, and a
    /// row built by hand with more indices than values reads as many entries as both have.
    pub fn sparse(indices: &'a [u32], values: Values<'a>) -> Self {
        debug_assert_eq!(indices.len(), values.len());
        Row { values, indices: Some(indices) }
    }

    /// The stored values.
    pub fn values(&self) -> Values<'a> {
        self.values
    }

    /// The feature of each stored value, or `None` when every feature has one.
    pub fn indices(&self) -> Option<&'a [u32]> {
        self.indices
    }

    /// The number of stored entries (zeros that are stored count).
    pub fn stored(&self) -> usize {
        self.values.len()
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
