//! The scaling of rows that several machines hold: each sends the statistics of its own.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use rosenblatt_core::data::{FeatureStatistics, Scale, ScaleError, Scaling};

use crate::{
    errors::{detached, value_error},
    matrix::{Matrix, numbers},
    read::arrays,
};

/// A shift and a divisor for each feature.
type ScalingArrays<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// The statistics of rows from which their scaling follows, for [`scaling`].
#[pyfunction]
#[pyo3(signature = (matrix, weights = None))]
pub(crate) fn statistics<'py>(
    py: Python<'py>,
    matrix: Matrix<'py>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let view = matrix.view()?;
    let weights = weights.as_ref().map(numbers).transpose()?;
    let rows = detached(py, || {
        let rows = &view.rows().map_err(value_error)?;
        let features = rows.features();
        if features > Scaling::FEATURES_LIMIT {
            return Err(value_error(ScaleError::TooWide { features }));
        }
        let mut statistics = FeatureStatistics::default();
        statistics.add(rows, weights);
        Ok(statistics.to_numbers())
    })?;
    let shape = [rows.len(), rows[0].len()];
    PyArray1::from_vec(py, rows.into_flattened()).reshape(shape)
}

/// The scaling `auto` of all rows, from the statistics of their parts in this order; None if no feature changes. With
/// `keeps_origin` no zero is moved.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // a list of Python is copied
pub(crate) fn scaling<'py>(
    py: Python<'py>,
    statistics: Vec<PyReadonlyArray2<'py, f64>>,
    keeps_origin: bool,
) -> PyResult<Option<ScalingArrays<'py>>> {
    let parts: Vec<&[f64]> = statistics.iter().map(numbers).collect::<PyResult<_>>()?;
    let found = detached(py, || {
        let mut all = FeatureStatistics::default();
        for part in parts {
            let (rows, rest) = part.as_chunks();
            let read = FeatureStatistics::of_numbers(rows).filter(|_| rest.is_empty());
            all.merge(&read.ok_or_else(|| value_error("these are not the statistics of rows"))?);
        }
        Ok(all.scaling(keeps_origin))
    })?;
    let to_array = |numbers| PyArray1::from_vec(py, numbers);
    Ok(found.map(|found| (to_array(found.shift), to_array(found.divisor))))
}

/// The rows that this scaling makes.
#[pyfunction]
pub(crate) fn scaled<'py>(
    py: Python<'py>,
    matrix: Matrix<'py>,
    shift: PyReadonlyArray1<'py, f64>,
    divisor: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let view = matrix.view()?;
    let [shift, divisor] = [numbers(&shift)?.to_vec(), numbers(&divisor)?.to_vec()];
    let scaling = Scaling { scale: Scale::Auto, shift, divisor, first: None };
    let parts = detached(py, || {
        let rows = &view.rows().map_err(value_error)?;
        Ok(scaling.apply(rows).map_err(value_error)?.into_parts())
    })?;
    arrays(py, parts)
}
