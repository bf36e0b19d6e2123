//! Rows in one canonical form, as kernels take them.

use super::Kernel;
use crate::data::{Row, Rows, RowsError, Values};

/// Rows in CSR form without entries that are 0, with the product of each with itself. The same rows give
/// the same parts, however they were stored.
#[derive(Clone, Debug, PartialEq)]
pub struct CanonicalRows {
    features: usize,
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    squares: Vec<f64>,
}

impl CanonicalRows {
    /// Packs rows. Cost: one pass; 12 bytes for each entry that is not 0.
    pub fn new(rows: &Rows<'_>) -> Self {
        let mut packed = CanonicalRows::empty(rows.features());
        rows.iter().for_each(|row| packed.push(row));
        packed
    }

    /// Rows from their parts; see [`Rows::sparse`].
    ///
    /// # Errors
    /// [`RowsError`] when the parts do not fit together.
    pub fn from_parts(
        features: usize,
        offsets: Vec<usize>,
        indices: Vec<u32>,
        values: Vec<f64>,
    ) -> Result<Self, RowsError> {
        Rows::sparse(offsets, indices, values, features).map(|rows| CanonicalRows::new(&rows))
    }

    fn empty(features: usize) -> Self {
        CanonicalRows {
            features,
            offsets: vec![0],
            indices: Vec::new(),
            values: Vec::new(),
            squares: Vec::new(),
        }
    }

    fn push(&mut self, row: Row<'_>) {
        row.for_each(|j, x| {
            if x != 0.0 {
                self.indices.push(j as u32);
                self.values.push(x);
            }
        });
        self.offsets.push(self.values.len());
        let (_, values) = self.entries(self.len() - 1);
        // As the product with any row: in ascending order of the features.
        self.squares.push(values.iter().fold(0.0, |sum, x| sum + x * x));
    }

    /// Copies of the rows at these places.
    ///
    /// # Panics
    /// When a place is not below [`Self::len`]; so do [`Self::row`], [`Self::entries`] and the products of a row.
    pub fn select(&self, places: &[usize]) -> Self {
        let mut selected = CanonicalRows::empty(self.features);
        for &place in places {
            let (indices, values) = self.entries(place);
            selected.indices.extend_from_slice(indices);
            selected.values.extend_from_slice(values);
            selected.offsets.push(selected.values.len());
            selected.squares.push(self.squares[place]);
        }
        selected
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of features of every row.
    pub fn features(&self) -> usize {
        self.features
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> Row<'_> {
        let (indices, values) = self.entries(i);
        Row::sparse(indices, Values::F64(values))
    }

    /// The features and values of row `i`.
    #[inline]
    pub fn entries(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.indices[range.clone()], &self.values[range])
    }

    /// Offsets, indices and values of all rows.
    pub fn parts(&self) -> (&[usize], &[u32], &[f64]) {
        (&self.offsets, &self.indices, &self.values)
    }

    /// The product of row `i` with itself.
    #[inline]
    pub fn square(&self, i: usize) -> f64 {
        self.squares[i]
    }

    /// A number made of the entries of row `i` and nothing else (FNV-1a).
    pub(crate) fn hash(&self, i: usize) -> u64 {
        let (indices, values) = self.entries(i);
        let words = indices.iter().zip(values).flat_map(|(&j, x)| [u64::from(j), x.to_bits()]);
        words.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// The most entries of a row.
    pub(crate) fn most_entries(&self) -> usize {
        self.offsets.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }

    /// `K(x, x)` of row `i`.
    pub fn kernel_square(&self, kernel: Kernel, i: usize) -> f64 {
        kernel.value(self.squares[i], (self.squares[i], self.squares[i]))
    }

    /// The largest `K(x, x)`.
    pub(crate) fn largest(&self, kernel: Kernel) -> f64 {
        (0..self.len()).map(|i| self.kernel_square(kernel, i)).fold(0.0, f64::max)
    }
}

/// The rows that a model in the dual form consists of: those it was mistaken on.
#[derive(Clone, Debug, PartialEq)]
pub struct Support {
    /// The rows, in the order of their first mistakes.
    pub rows: CanonicalRows,
    /// The place of each among the training rows, from 0.
    pub examples: Vec<usize>,
    /// For each hyperplane and row the number of updates: the α of the dual form. Their sum is the
    /// number of updates of the run.
    pub counts: Vec<Vec<u64>>,
}

impl Support {
    /// The first of some rows whose kernel values with these could leave the range of `f64`.
    pub(crate) fn first_out_of_range(&self, kernel: Kernel, rows: &CanonicalRows) -> Option<usize> {
        let largest = self.rows.squares.iter().copied().fold(0.0, f64::max);
        (0..rows.len()).find(|&i| !kernel.stays_in_range((rows.square(i), largest)))
    }
}
