//! Learning on several machines: one pass from given weights, means of weights, the worst examples.

use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{prelude::*, types::PyDict};
use rosenblatt_core::{
    data::Labelled,
    train::{self, LearnerState, StreamState},
};

use crate::{
    classifier::scheme,
    errors::{detached, json, value_error},
    fit,
    hyperplanes::{HyperplaneArrays, from_arrays, to_arrays},
    matrix::{Matrix, numbers},
    observer::TrainObserver,
    options::{InitialArrays, RunOptions},
};

/// Learns from each example once, in order, from `start` or zero weights. Returns the state of the run: `last` and
/// `kept`, pairs of weights and biases; `examples`, `radius`, `largest_rate` and `class_sizes`; for each hyperplane
/// `mistakes`, `updates` and `steps`; `report` (JSON).
#[pyfunction]
#[pyo3(signature = (matrix, classes, count, options, *, start = None, weights = None))]
#[allow(clippy::too_many_arguments)] // the caller names them
pub(crate) fn one_pass<'py>(
    py: Python<'py>,
    matrix: Matrix<'py>,
    classes: PyReadonlyArray1<'py, u32>,
    count: usize,
    options: &RunOptions,
    start: Option<InitialArrays<'py>>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = options.starting_from(start.as_ref())?;
    let (view, classes) = (matrix.view()?, numbers(&classes)?);
    let weights = weights.as_ref().map(numbers).transpose()?;
    let stream = detached(py, || {
        let mut stream = train::Stream::new(&options, scheme(count)).map_err(value_error)?;
        let rows = &view.rows().map_err(value_error)?;
        let labelled = fit::labelled(rows, classes, weights, count)?;
        let mut observer = TrainObserver::new(None, None);
        let flow = stream.learn(&labelled, &mut observer).map_err(value_error)?;
        if flow.is_break() {
            return Err(observer.signals.into_interrupt());
        }
        Ok(stream)
    })?;
    state_of(py, &stream)
}

fn mistakes(state: &LearnerState) -> u64 {
    state.mistakes_per_epoch.iter().sum()
}

fn state_of<'py>(py: Python<'py>, stream: &train::Stream) -> PyResult<Bound<'py, PyDict>> {
    let StreamState { standings, radius, largest_rate, class_sizes, .. } = stream.state();
    let state = PyDict::new(py);
    state.set_item("last", to_arrays(py, &stream.last())?)?;
    state.set_item("kept", to_arrays(py, &stream.planes().map_err(value_error)?)?)?;
    state.set_item("examples", stream.examples())?;
    state.set_item("radius", radius)?;
    state.set_item("largest_rate", largest_rate)?;
    state.set_item("class_sizes", class_sizes)?;
    state.set_item("mistakes", standings.iter().map(mistakes).collect::<Vec<u64>>())?;
    state.set_item("updates", standings.iter().map(|one| one.updates).collect::<Vec<u64>>())?;
    state.set_item("steps", standings.iter().map(|one| one.steps).collect::<Vec<f64>>())?;
    state.set_item("report", report_of(stream)?)?;
    Ok(state)
}

fn report_of(stream: &train::Stream) -> PyResult<String> {
    json(&stream.report())
}

/// The mean of hyperplanes with these shares, each number rounded once.
#[pyfunction]
pub(crate) fn mix<'py>(
    py: Python<'py>,
    weights: PyReadonlyArray2<'py, f64>,
    biases: PyReadonlyArray1<'py, f64>,
    shares: Vec<u64>,
) -> PyResult<HyperplaneArrays<'py>> {
    let planes = from_arrays(&weights, &biases)?;
    let mixed = py.detach(|| rosenblatt::mix(&planes, &shares)).map_err(value_error)?;
    to_arrays(py, &[mixed])
}

/// Indices and margins of examples, in the order of the margins.
type WorstArrays<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

/// The `most` examples of least margin for one hyperplane. Class 1 is positive.
#[pyfunction]
pub(crate) fn worst<'py>(
    py: Python<'py>,
    matrix: Matrix<'py>,
    classes: PyReadonlyArray1<'py, u32>,
    weights: PyReadonlyArray2<'py, f64>,
    biases: PyReadonlyArray1<'py, f64>,
    most: usize,
) -> PyResult<WorstArrays<'py>> {
    let (view, classes) = (matrix.view()?, numbers(&classes)?);
    let planes = from_arrays(&weights, &biases)?;
    let found = detached(py, || {
        let rows = &view.rows().map_err(value_error)?;
        let labelled = Labelled::new(rows, classes, scheme(2)).map_err(value_error)?;
        match (planes.as_slice(), labelled.problems().as_slice()) {
            ([plane], &[examples]) => {
                rosenblatt::worst(plane, &examples, most).map_err(value_error)
            }
            _ => Err(value_error("worst needs one hyperplane and two classes")),
        }
    })?;
    Ok(worst_arrays(py, &found))
}

fn worst_arrays<'py>(py: Python<'py>, found: &[(usize, f64)]) -> WorstArrays<'py> {
    let places = found.iter().map(|&(place, _)| place as i64).collect();
    let margins = found.iter().map(|&(_, margin)| margin).collect();
    (PyArray1::from_vec(py, places), PyArray1::from_vec(py, margins))
}

/// Whether a run without a given number of epochs ends after epochs with these mistakes. An epoch visits `values` values
/// that are not 0.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // a list of Python is copied
pub(crate) fn plateau(mistakes: Vec<u64>, values: u64) -> bool {
    train::is_plateau_reached(&mistakes, values)
}
