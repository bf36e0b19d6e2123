//! Numeric labels as numbers of classes, without a sort of all labels.

use numpy::{Element, PyArray1, PyReadonlyArray1};
use pyo3::{exceptions::PyTypeError, prelude::*};

use crate::matrix::numbers;

/// Returns the distinct labels of `y` in ascending order, and the index of each label among them. `y` is int64 or
/// float64 without NaN. Returns None if there are more than [`MAX_DISTINCT`] labels.
///
/// Cost: one pass; with many distinct labels, one binary search for each label.
#[pyfunction]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    y: &Bound<'py, PyAny>,
) -> PyResult<Option<Encoded<'py>>> {
    if let Ok(y) = y.extract::<PyReadonlyArray1<'py, i64>>() {
        return encoded(py, numbers(&y)?);
    }
    match y.extract::<PyReadonlyArray1<'py, f64>>() {
        Ok(y) => encoded(py, numbers(&y)?),
        Err(_) => Err(PyTypeError::new_err("expected an array of int64 or float64")),
    }
}

type Encoded<'py> = (Bound<'py, PyAny>, Bound<'py, PyArray1<u32>>);

/// The maximum number of distinct labels; the insertion of a new label is linear in their number.
const MAX_DISTINCT: usize = 4096;

fn encoded<'py, T: Element + Copy + PartialOrd>(
    py: Python<'py>,
    y: &[T],
) -> PyResult<Option<Encoded<'py>>> {
    let Some((distinct, codes)) = py.detach(|| distinct(y)) else { return Ok(None) };
    Ok(Some((PyArray1::from_vec(py, distinct).into_any(), PyArray1::from_vec(py, codes))))
}

/// The number of labels that are processed together.
const CHUNK: usize = 1 << 10;
/// Up to this number of distinct labels, linear search is used.
const MAX_LINEAR: usize = 8;

fn distinct<T: Copy + PartialOrd>(y: &[T]) -> Option<(Vec<T>, Vec<u32>)> {
    let mut known = DistinctLabels { labels: Vec::new(), sorted: Vec::new() };
    let mut codes = vec![0; y.len()];
    for (labels, codes) in y.chunks(CHUNK).zip(codes.chunks_mut(CHUNK)) {
        if known.labels.len() > MAX_LINEAR || !known.encode_linear(labels, codes) {
            known.encode_and_insert(labels, codes)?;
        }
    }
    let mut ranks = vec![0u32; known.labels.len()];
    for (rank, &place) in (0u32..).zip(&known.sorted) {
        ranks[place as usize] = rank;
    }
    if !ranks.is_sorted() {
        codes.iter_mut().for_each(|code| *code = ranks[*code as usize]);
    }
    Some((known.sorted.iter().map(|&place| known.labels[place as usize]).collect(), codes))
}

struct DistinctLabels<T> {
    /// The labels in the order of their first occurrence.
    labels: Vec<T>,
    /// Indices into `labels`, in the order of the labels.
    sorted: Vec<u32>,
}

impl<T: Copy + PartialOrd> DistinctLabels<T> {
    /// Writes the index of each label, and returns whether all labels are known. The loop has no branch, because a branch
    /// on labels cannot be predicted.
    fn encode_linear(&self, labels: &[T], codes: &mut [u32]) -> bool {
        let mut all_known = true;
        for (label, code) in labels.iter().zip(codes) {
            let (mut place, mut found) = (0, false);
            for (number, known) in (0u32..).zip(&self.labels) {
                let same = label == known;
                place |= number * u32::from(same);
                found |= same;
            }
            *code = place;
            all_known &= found;
        }
        all_known
    }

    /// Writes the index of each label, and inserts new labels; None if there are too many.
    fn encode_and_insert(&mut self, labels: &[T], codes: &mut [u32]) -> Option<()> {
        for (&label, code) in labels.iter().zip(codes) {
            let found = self.sorted.binary_search_by(|&place| {
                let known = &self.labels[place as usize];
                known.partial_cmp(&label).unwrap_or(std::cmp::Ordering::Less)
            });
            *code = match found {
                Ok(at) => self.sorted[at],
                Err(_) if self.labels.len() == MAX_DISTINCT => return None,
                Err(at) => {
                    let place = self.labels.len() as u32;
                    self.labels.push(label);
                    self.sorted.insert(at, place);
                    place
                }
            };
        }
        Some(())
    }
}
