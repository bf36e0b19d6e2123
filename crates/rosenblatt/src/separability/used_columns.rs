//! Rows without the columns in which all are 0, as most columns of hashed words are.
//!
//! Such a column changes no score. Its weight is 0, and every combination of the rows is 0 there.

use crate::data::{Examples, Rows, RowsError, Sign};

use super::{Certificate, Verdict};

/// The columns in which some row is not 0.
pub(super) struct UsedColumns {
    /// Their numbers, ascending.
    columns: Vec<usize>,
    /// The number of all columns.
    features: usize,
}

impl UsedColumns {
    /// `None` if the rows use all columns, or none. Cost: one pass.
    pub(super) fn of(rows: &Rows<'_>) -> Option<Self> {
        let features = rows.features();
        let mut is_used = vec![false; features];
        rows.iter().for_each(|row| row.for_each(|j, x| is_used[j] |= x != 0.0));
        let columns: Vec<usize> = (0..features).filter(|&j| is_used[j]).collect();
        (!columns.is_empty() && columns.len() < features)
            .then_some(UsedColumns { columns, features })
    }

    /// The rows with these columns alone, in the layout that they have, and the signs of the examples.
    pub(super) fn select(
        &self,
        examples: &Examples<'_>,
    ) -> Result<(Rows<'static>, Vec<Sign>), RowsError> {
        let is_sparse = examples.rows().is_sparse();
        let mut place = vec![None; self.features];
        self.columns.iter().zip(0..).for_each(|(&j, i)| place[j] = Some(i));
        let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        let mut signs = Vec::with_capacity(examples.len());
        for (row, sign) in examples.iter() {
            row.for_each(|j, x| {
                if let Some(i) = place[j] {
                    indices.extend(is_sparse.then_some(i));
                    values.push(x);
                }
            });
            offsets.push(values.len());
            signs.push(sign);
        }
        let rows = match is_sparse {
            true => Rows::sparse(offsets, indices, values, self.columns.len()),
            false => Rows::dense(values, self.columns.len()),
        };
        Ok((rows?, signs))
    }

    /// The verdict with a weight for each of all columns.
    pub(super) fn spread(&self, verdict: Verdict) -> Verdict {
        let Verdict::Yes { certificate, margins } = verdict else { return verdict };
        let certificate = match certificate {
            Certificate::Yes { with_bias, weights, bias } => {
                Certificate::Yes { with_bias, weights: self.all(weights, 0.0), bias }
            }
            Certificate::YesInIntegers { with_bias, weights, bias } => {
                let weights = self.all(weights, "0".to_owned());
                Certificate::YesInIntegers { with_bias, weights, bias }
            }
            other => other,
        };
        Verdict::Yes { certificate, margins }
    }

    fn all<T: Clone>(&self, of_used: Vec<T>, zero: T) -> Vec<T> {
        let mut all = vec![zero; self.features];
        self.columns.iter().zip(of_used).for_each(|(&j, weight)| all[j] = weight);
        all
    }
}
