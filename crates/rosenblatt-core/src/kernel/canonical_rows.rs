//! Rows in one canonical form, which kernels require.

use super::Kernel;
use crate::data::{Row, Rows, RowsError, Values};

/// Rows in CSR form without zero entries, with the inner product of each row with itself. Equal rows have equal parts,
/// however they were stored.
#[derive(Clone, Debug, PartialEq)]
pub struct CanonicalRows {
    features: usize,
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    squares: Vec<f64>,
}

impl CanonicalRows {
    /// Converts rows. Cost: one pass; 12 bytes per nonzero entry.
    pub fn new(rows: &Rows<'_>) -> Self {
        let mut packed = CanonicalRows::empty(rows.features());
        rows.iter().for_each(|row| packed.push(row));
        packed
    }

    /// Builds rows from their parts; see [`Rows::sparse`].
    ///
    /// # Errors
    /// [`RowsError`] if the parts do not fit together.
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
        // In ascending order of the features, as in the product with any row.
        self.squares.push(values.iter().fold(0.0, |sum, x| sum + x * x));
    }

    /// Copies the rows at these places.
    ///
    /// # Panics
    /// If a place is not below [`Self::len`]; [`Self::row`], [`Self::entries`] and [`Self::square`] panic likewise.
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

    /// Whether there are no rows.
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

    /// A hash of the entries of row `i` (FNV-1a).
    pub(crate) fn hash(&self, i: usize) -> u64 {
        let (indices, values) = self.entries(i);
        let words = indices.iter().zip(values).flat_map(|(&j, x)| [u64::from(j), x.to_bits()]);
        words.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// The maximum number of entries of a row.
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

/// The supporting rows of a model in the dual form: those the run misclassified.
#[derive(Clone, Debug, PartialEq)]
pub struct Support {
    /// The rows, in the order of their first mistakes.
    pub rows: CanonicalRows,
    /// The place of each row among the training rows, counted from 0.
    pub examples: Vec<usize>,
    /// The number of updates for each hyperplane and row: the α of the dual form. Their sum is the number of updates of
    /// the run.
    pub counts: Vec<Vec<u64>>,
}

impl Support {
    /// The first of `rows` whose kernel values with the supporting rows could leave the range of `f64`.
    pub(crate) fn first_out_of_range(&self, kernel: Kernel, rows: &CanonicalRows) -> Option<usize> {
        let largest = self.rows.squares.iter().copied().fold(0.0, f64::max);
        (0..rows.len()).find(|&i| !kernel.stays_in_range((rows.square(i), largest)))
    }
}
