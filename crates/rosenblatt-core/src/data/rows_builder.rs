//! A builder of sparse rows.

use super::{Rows, RowsError};

/// Builds sparse [`Rows`] row by row.
///
/// ```
/// use rosenblatt_core::data::RowsBuilder;
/// let mut builder = RowsBuilder::new();
/// builder.push([(0, 2.0), (7, 1.0)])?;
/// builder.push([(3, -1.0)])?;
/// let rows = builder.build();
/// assert_eq!((rows.len(), rows.features()), (2, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RowsBuilder {
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    features: usize,
    /// Whether the number of features was given.
    is_fixed: bool,
}

impl Default for RowsBuilder {
    fn default() -> Self {
        RowsBuilder::new()
    }
}

impl RowsBuilder {
    /// An empty builder. The number of features follows from the largest index.
    pub fn new() -> Self {
        RowsBuilder {
            offsets: vec![0],
            indices: Vec::new(),
            values: Vec::new(),
            features: 0,
            is_fixed: false,
        }
    }

    /// An empty builder for exactly this many features.
    pub fn with_features(features: usize) -> Self {
        RowsBuilder { features, is_fixed: true, ..RowsBuilder::new() }
    }

    /// Adds a row from features (counted from 0, strictly ascending) and their finite values. Other features are 0.
    ///
    /// # Errors
    /// [`RowsError::Sparse`] and [`RowsError::NotFinite`]; the builder is then unchanged.
    pub fn push(
        &mut self,
        row: impl IntoIterator<Item = (u32, f64)>,
    ) -> Result<&mut Self, RowsError> {
        let start = self.indices.len();
        match self.append(row) {
            Ok(()) => {
                let end = self.indices.last().filter(|_| self.indices.len() > start);
                let end = end.map_or(0, |&last| last as usize + 1);
                self.features = self.features.max(end);
                self.offsets.push(self.indices.len());
                Ok(self)
            }
            Err(error) => {
                self.indices.truncate(start);
                self.values.truncate(start);
                Err(error)
            }
        }
    }

    fn append(&mut self, row: impl IntoIterator<Item = (u32, f64)>) -> Result<(), RowsError> {
        let number = self.offsets.len() - 1;
        let mut last = None;
        for (index, value) in row {
            let feature = index as usize;
            if last.is_some_and(|last| last >= index) {
                let problem = "the indices do not ascend";
                return Err(RowsError::Sparse { row: number, problem });
            }
            if self.is_fixed && feature >= self.features {
                let problem = "an index is not below the number of features";
                return Err(RowsError::Sparse { row: number, problem });
            }
            if !value.is_finite() {
                return Err(RowsError::NotFinite { row: number, feature, value });
            }
            last = Some(index);
            self.indices.push(index);
            self.values.push(value);
        }
        Ok(())
    }

    /// The rows.
    pub fn build(self) -> Rows<'static> {
        let RowsBuilder { offsets, indices, values, features, .. } = self;
        Rows::of_checked_parts(offsets, indices, values, features)
    }
}
