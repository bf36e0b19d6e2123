//! The rows in the one layout that the searches use: without columns in which all are 0, as most columns of hashed words are,
//! sparse exactly if few values are not 0, and in single precision exactly if it holds all values, as those of images and
//! counts. So no search depends on the layout of the data, and passes over many rows take the time of reading them.
//!
//! A column in which all are 0 changes no score. Its weight is 0, and every combination of the rows is 0 there.

use rosenblatt_core::data::{Examples, Rows, RowsError, Sign, Storage, Values};

use super::{Certificate, Verdict};

/// Rows are sparse if fewer than one value in this many is not 0. An entry of a sparse row takes about twice the time of
/// one of a dense row.
const SPARSE: u64 = 4;

/// A copy of examples in the layout of the searches.
pub(super) struct Compact {
    rows: Rows<'static>,
    signs: Vec<Sign>,
    /// The columns in which some row is not 0, ascending.
    columns: Vec<usize>,
    /// The number of all columns.
    features: usize,
}

impl Compact {
    /// `None` if the examples have this layout already, all their values are 0, or some are sums of several entries.
    ///
    /// Cost: one pass, and another for a copy.
    pub(super) fn of(examples: &Examples<'_>) -> Option<Self> {
        let (rows, features) = (examples.rows(), examples.features());
        if rows.has_sums() {
            return None;
        }
        let (mut is_used, mut entries, mut is_single) = (vec![false; features], 0, true);
        for row in rows.iter() {
            row.for_each(|j, x| {
                is_used[j] |= x != 0.0;
                entries += usize::from(x != 0.0);
                is_single &= f64::from(x as f32) == x;
            });
        }
        let columns: Vec<usize> = (0..features).filter(|&j| is_used[j]).collect();
        let is_sparse = (entries as u64) < rows.len() as u64 * columns.len() as u64 / SPARSE;
        let has_layout = rows.is_sparse() == is_sparse && is_in_single(rows) == is_single;
        let without_zeros = !is_sparse || entries == rows.stored();
        let is_compact = columns.len() == features && has_layout && without_zeros;
        if is_compact || columns.is_empty() {
            return None;
        }
        let rows = match (is_sparse, is_single) {
            (true, true) => sparse(rows, &columns, |x| x as f32),
            (true, false) => sparse(rows, &columns, |x| x),
            (false, true) => dense(rows, &columns, |x| x as f32),
            (false, false) => dense(rows, &columns, |x| x),
        };
        let signs = examples.iter().map(|(_, sign)| sign).collect();
        Some(Compact { rows: rows.ok()?, signs, columns, features })
    }

    /// The copy.
    pub(super) fn examples(&self) -> Option<Examples<'_>> {
        Examples::new(&self.rows, &self.signs).ok()
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

    /// Numbers of these columns as numbers of all columns.
    pub(super) fn all<T: Clone>(&self, of_used: Vec<T>, zero: T) -> Vec<T> {
        let mut all = vec![zero; self.features];
        self.columns.iter().zip(of_used).for_each(|(&j, number)| all[j] = number);
        all
    }
}

/// The place of each column.
fn places(columns: &[usize], features: usize) -> Vec<u32> {
    let mut places = vec![0; features];
    columns.iter().zip(0..).for_each(|(&j, place)| places[j] = place);
    places
}

fn is_in_single(rows: &Rows<'_>) -> bool {
    rows.iter().next().is_some_and(|row| matches!(row.values(), Values::F32(_)))
}

fn sparse<T>(
    rows: &Rows<'_>,
    columns: &[usize],
    value: impl Fn(f64) -> T,
) -> Result<Rows<'static>, RowsError>
where
    Vec<T>: Into<Storage<'static>>,
{
    let places = places(columns, rows.features());
    let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in rows.iter() {
        row.for_each(|j, x| {
            if x != 0.0 {
                indices.push(places[j]);
                values.push(value(x));
            }
        });
        offsets.push(values.len());
    }
    Rows::sparse(offsets, indices, values, columns.len())
}

fn dense<T: Clone + Default>(
    rows: &Rows<'_>,
    columns: &[usize],
    value: impl Fn(f64) -> T,
) -> Result<Rows<'static>, RowsError>
where
    Vec<T>: Into<Storage<'static>>,
{
    let places = places(columns, rows.features());
    let width = columns.len();
    let mut values = vec![T::default(); rows.len() * width];
    for (row, values) in rows.iter().zip(values.chunks_exact_mut(width)) {
        row.for_each(|j, x| {
            if x != 0.0 {
                values[places[j] as usize] = value(x);
            }
        });
    }
    Rows::dense(values, width)
}
