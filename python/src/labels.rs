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
/// Cost: one pass, with a search among the distinct numbers wherever a number is not that of the example before.
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

fn distinct<T: Label>(y: &[T]) -> Option<(Vec<T>, Vec<u32>)> {
    // In the order in which they were met, and the sorted places of these.
    let mut met: Vec<T> = Vec::new();
    let mut sorted: Vec<u32> = Vec::new();
    let mut codes = Vec::with_capacity(y.len());
    let mut last = 0u32;
    for &label in y {
        if met.get(last as usize) != Some(&label) {
            let found = sorted.binary_search_by(|&place| {
                met[place as usize].partial_cmp(&label).unwrap_or(std::cmp::Ordering::Less)
            });
            last = match found {
                Ok(at) => sorted[at],
                Err(_) if met.len() == MOST => return None,
                Err(at) => {
                    let place = met.len() as u32;
                    met.push(label);
                    sorted.insert(at, place);
                    place
                }
            };
        }
        codes.push(last);
    }
    let mut ranks = vec![0u32; met.len()];
    for (rank, &place) in (0u32..).zip(&sorted) {
        ranks[place as usize] = rank;
    }
    codes.iter_mut().for_each(|code| *code = ranks[*code as usize]);
    Some((sorted.iter().map(|&place| met[place as usize]).collect(), codes))
}
