//! Labels that are numbers, without sorting them all.

use numpy::{Element, PyArray1, PyReadonlyArray1};
use pyo3::{exceptions::PyTypeError, prelude::*};

use crate::matrix::numbers;

/// A label of which any two compare.
trait Label: Element + Copy + PartialOrd {}

impl Label for i64 {}
impl Label for f64 {}

/// The distinct numbers of `y`, int64 or float64 and none NaN, in ascending order, and the place among them of each.
///
/// Nothing where there are more than [`MOST`].
///
/// Cost: one pass, with a search among the distinct numbers for each label where they are many.
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

/// Distinct numbers, and the place of each label among them.
type Encoded<'py> = (Bound<'py, PyAny>, Bound<'py, PyArray1<u32>>);

/// The most distinct numbers: each new one makes room among the others.
const MOST: usize = 4096;

fn encoded<'py, T: Label>(py: Python<'py>, y: &[T]) -> PyResult<Option<Encoded<'py>>> {
    let Some((distinct, codes)) = py.detach(|| distinct(y)) else { return Ok(None) };
    Ok(Some((PyArray1::from_vec(py, distinct).into_any(), PyArray1::from_vec(py, codes))))
}

/// So many labels are looked at together.
const CHUNK: usize = 1 << 10;
/// Up to so many distinct numbers each label is compared with all of them.
const FEW: usize = 8;

fn distinct<T: Label>(y: &[T]) -> Option<(Vec<T>, Vec<u32>)> {
    let mut met = Met { labels: Vec::new(), sorted: Vec::new() };
    let mut codes = vec![0; y.len()];
    for (labels, codes) in y.chunks(CHUNK).zip(codes.chunks_mut(CHUNK)) {
        if met.labels.len() > FEW || !met.knows_all(labels, codes) {
            met.take(labels, codes)?;
        }
    }
    let mut ranks = vec![0u32; met.labels.len()];
    for (rank, &place) in (0u32..).zip(&met.sorted) {
        ranks[place as usize] = rank;
    }
    if !ranks.is_sorted() {
        codes.iter_mut().for_each(|code| *code = ranks[*code as usize]);
    }
    Some((met.sorted.iter().map(|&place| met.labels[place as usize]).collect(), codes))
}

/// The distinct labels so far.
struct Met<T> {
    /// In the order in which they were met.
    labels: Vec<T>,
    /// The places of these in ascending order.
    sorted: Vec<u32>,
}

impl<T: Label> Met<T> {
    /// Writes the place of each label; whether all were met before. Without a jump, as nobody can foretell labels.
    fn knows_all(&self, labels: &[T], codes: &mut [u32]) -> bool {
        let mut known = true;
        for (label, code) in labels.iter().zip(codes) {
            let (mut place, mut found) = (0, false);
            for (number, one) in (0u32..).zip(&self.labels) {
                let same = label == one;
                place |= number * u32::from(same);
                found |= same;
            }
            *code = place;
            known &= found;
        }
        known
    }

    /// Writes the place of each label, also of new ones, unless they become too many.
    fn take(&mut self, labels: &[T], codes: &mut [u32]) -> Option<()> {
        for (&label, code) in labels.iter().zip(codes) {
            let found = self.sorted.binary_search_by(|&place| {
                let one = &self.labels[place as usize];
                one.partial_cmp(&label).unwrap_or(std::cmp::Ordering::Less)
            });
            *code = match found {
                Ok(at) => self.sorted[at],
                Err(_) if self.labels.len() == MOST => return None,
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
