//! Training batch by batch: `partial_fit`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{prelude::*, types::PyBytes};
use rosenblatt::{
    schedule::Init,
    space::Hyperplane,
    train::{self, Epoch, Options, StreamState},
    update::Update,
};
use serde_json::json;

use crate::{
    classifier::scheme,
    errors::{detached, json, value_error},
    fit::FitInput,
    hyperplanes::{self, HyperplaneArrays, to_arrays},
    matrix::{Matrix, numbers},
    observer::TrainObserver,
    options::{InitialArrays, RunOptions},
};

/// A run that every batch continues. Threads that use it at the same time wait for one another.
#[pyclass(frozen, module = "rosenblatt._native")]
pub(crate) struct Stream {
    /// A thread must release the interpreter before it waits: the thread that holds the lock may need the interpreter.
    inner: Mutex<train::Stream>,
    options: Options,
    classes: usize,
}

impl Stream {
    fn new_from_state(options: Options, classes: usize, state: StreamState) -> PyResult<Self> {
        let inner = train::Stream::of_state(&options, scheme(classes), state);
        Ok(Stream { inner: Mutex::new(inner.map_err(value_error)?), options, classes })
    }

    /// The run, for a thread without the interpreter. After a panic the run is as before, or every use is an error.
    fn inner(&self) -> MutexGuard<'_, train::Stream> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads something from the run.
    fn read<T: Send>(&self, py: Python<'_>, read: impl FnOnce(&train::Stream) -> T + Send) -> T {
        py.detach(|| read(&self.inner()))
    }

    /// The weights that the model would keep now.
    fn kept(&self, py: Python<'_>) -> PyResult<Vec<Hyperplane>> {
        self.read(py, train::Stream::planes).map_err(value_error)
    }
}

#[pymethods]
impl Stream {
    /// A run before its first example.
    #[new]
    #[pyo3(signature = (options, classes, start = None))]
    fn new(
        options: &RunOptions,
        classes: usize,
        start: Option<InitialArrays<'_>>,
    ) -> PyResult<Self> {
        let options = options.starting_from(start.as_ref())?;
        let inner = train::Stream::new(&options, scheme(classes)).map_err(value_error)?;
        Ok(Stream { inner: Mutex::new(inner), options, classes })
    }

    /// Learns from each example of a batch once, in order, and returns the mistakes and updates of the batch. An error or
    /// Ctrl-C leaves the stream unchanged.
    #[pyo3(signature = (matrix, classes, weights = None))]
    fn learn(
        &self,
        py: Python<'_>,
        matrix: Matrix<'_>,
        classes: PyReadonlyArray1<'_, u32>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<(u64, u64)> {
        let (view, classes) = (matrix.view()?, numbers(&classes)?);
        let weights = weights.as_ref().map(numbers).transpose()?;
        let (before, now) = detached(py, || -> PyResult<(Epoch, Epoch)> {
            let mut run = self.inner();
            let before = run.epoch();
            let rows = &view.rows().map_err(value_error)?;
            let labelled = FitInput { rows, classes, weights, count: self.classes }.labelled()?;
            let mut observer = TrainObserver::new(None, None);
            let flow = run.learn_whole(&labelled, &mut observer).map_err(value_error)?;
            if flow.is_break() {
                return Err(observer.signals.into_interrupt());
            }
            Ok((before, run.epoch()))
        })?;
        Ok((now.mistakes - before.mistakes, now.updates - before.updates))
    }

    /// The weights that the model would keep now.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<HyperplaneArrays<'py>> {
        to_arrays(py, &self.kept(py)?)
    }

    /// Whether these are the weights that the model would keep now.
    fn holds(
        &self,
        py: Python<'_>,
        weights: PyReadonlyArray2<'_, f64>,
        biases: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<bool> {
        hyperplanes::holds(&self.kept(py)?, &weights, &biases)
    }

    /// The report, as JSON, of a run that would end now.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |run| json(&run.report()))
    }

    /// A copy that continues with other options. The first weights and `keep` stay.
    fn with_options(&self, py: Python<'_>, options: &RunOptions) -> PyResult<Self> {
        let (keep, before) = (options.0.keep, self.options.keep);
        if keep != before {
            let (keep, before) = (json!(keep), json!(before));
            let message = format!("keep was {before} and is {keep}: what was visited is past");
            return Err(value_error(message));
        }
        let (update, before) = (options.0.update, self.options.update);
        let is_precise = |update: Update| update.rule().precise.is_some();
        if update.rule().name != before.rule().name && (is_precise(update) || is_precise(before)) {
            let message = format!(
                "update was '{before}' and is '{update}': the precisions of a second-order rule are of one rule \
                 for all batches"
            );
            return Err(value_error(message));
        }
        let penalty = |options: &Options| options.penalty.map(|penalty| (penalty, options.eta));
        if penalty(&options.0) != penalty(&self.options) {
            let message = "the penalty or, with a penalty, eta0 is not that of the batches before: weights that few examples \
                           meet are shrunk later";
            return Err(value_error(message));
        }
        let options = Options { init: self.options.init.clone(), ..options.0.clone() };
        let state = self.read(py, train::Stream::state);
        Stream::new_from_state(options, self.classes, state)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, PickleParts<'py>)> {
        let this = slf.get();
        let options = json(&this.options)?;
        let state = this.read(slf.py(), |run| serde_json::to_vec(&run.state()));
        let state = PyBytes::new(slf.py(), &state.map_err(value_error)?);
        Ok((slf.get_type().getattr("of_state")?, (options, this.classes, state)))
    }

    /// Reads what `__reduce__` wrote; older pickles have this name.
    #[staticmethod]
    #[pyo3(name = "of_state")]
    fn from_state(options: &str, classes: usize, state: &[u8]) -> PyResult<Self> {
        let mut options = RunOptions::from_json(options)?.0;
        let state: StreamState = serde_json::from_slice(state).map_err(value_error)?;
        if let Init::Given(first) = &mut options.init {
            // A pickle does not store the first weights. Zeros stand in: only their presence matters now.
            let zero = Hyperplane::zero(state.features);
            *first = vec![zero; scheme(classes).hyperplanes()].into();
        }
        Stream::new_from_state(options, classes, state)
    }
}

type PickleParts<'py> = (String, usize, Bound<'py, PyBytes>);
