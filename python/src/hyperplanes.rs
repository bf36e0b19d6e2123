//! Hyperplanes as arrays of NumPy.

use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use rosenblatt_core::space::Hyperplane;

use crate::{errors::value_error, matrix::numbers};

/// Weights, one row for each hyperplane, and biases.
pub(crate) type HyperplaneArrays<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>);

pub(crate) fn to_arrays<'py>(
    py: Python<'py>,
    planes: &[Hyperplane],
) -> PyResult<HyperplaneArrays<'py>> {
    let features = planes.first().map_or(0, |plane| plane.weights.len());
    // Reserved at once: a growing vector would be copied several times and could need twice the memory.
    let mut weights = Vec::with_capacity(planes.len() * features);
    planes.iter().for_each(|plane| weights.extend_from_slice(&plane.weights));
    let weights = PyArray1::from_vec(py, weights);
    let biases = planes.iter().map(|plane| plane.bias).collect();
    Ok((weights.reshape([planes.len(), features])?, PyArray1::from_vec(py, biases)))
}

/// Whether the arrays have the numbers of these hyperplanes. NaN is equal to NaN.
pub(crate) fn holds(
    planes: &[Hyperplane],
    weights: &PyReadonlyArray2<'_, f64>,
    biases: &PyReadonlyArray1<'_, f64>,
) -> PyResult<bool> {
    let (all, biases) = (numbers(weights)?, numbers(biases)?);
    let [count, features] = [weights.shape()[0], weights.shape()[1]];
    let is_same_shape = count == planes.len()
        && biases.len() == planes.len()
        && planes.iter().all(|plane| plane.weights.len() == features);
    let is_same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
    Ok(is_same_shape
        && planes.iter().flat_map(|plane| &plane.weights).zip(all).all(is_same)
        && planes.iter().map(|plane| &plane.bias).zip(biases).all(is_same))
}

/// Raises `ValueError` for numbers that are not finite.
pub(crate) fn from_arrays(
    weights: &PyReadonlyArray2<'_, f64>,
    biases: &PyReadonlyArray1<'_, f64>,
) -> PyResult<Vec<Hyperplane>> {
    let (all, biases) = (numbers(weights)?, numbers(biases)?);
    let [count, features] = [weights.shape()[0], weights.shape()[1]];
    if count != biases.len() {
        return Err(value_error(format!("{count} rows of weights have {} biases", biases.len())));
    }
    if !all.iter().chain(biases).all(|number| number.is_finite()) {
        return Err(value_error("weights and biases must be finite"));
    }
    // Adding 0 turns −0 into 0: no weight is −0.
    let plane = |(number, bias): (usize, &f64)| Hyperplane {
        weights: all[number * features..(number + 1) * features].iter().map(|w| w + 0.0).collect(),
        bias: bias + 0.0,
    };
    Ok(biases.iter().enumerate().map(plane).collect())
}
