//! Examples as they come: `partial_fit`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::{prelude::*, types::PyBytes};
use rosenblatt::{
    data::Labelled,
    schedule::Init,
    space::Hyperplane,
    train::{self, Epoch, Options, StreamState},
};
use serde_json::json;

use crate::{
    classifier::scheme,
    failure::{detached, value},
    fit::{Start, options, starting},
    hyperplanes::{Planes, planes},
    matrix::{Matrix, numbers},
    watch::{Signals, Watch},
};

/// A run that goes on with every batch. Threads that use it at the same time wait for one another.
#[pyclass(frozen, module = "rosenblatt._native")]
pub(crate) struct Stream {
    /// Waited for only by threads that have let go of the interpreter: the one that holds it may need that.
    inner: Mutex<train::Stream>,
    options: Options,
    classes: usize,
}

impl Stream {
    fn of(inner: train::Stream, options: Options, classes: usize) -> Self {
        Stream { inner: Mutex::new(inner), options, classes }
    }

    /// The run, for a thread without the interpreter. It is replaced only by whole ones, also where a thread panicked.
    fn inner(&self) -> MutexGuard<'_, train::Stream> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the run something.
    fn ask<T: Send>(&self, py: Python<'_>, ask: impl FnOnce(&train::Stream) -> T + Send) -> T {
        py.detach(|| ask(&self.inner()))
    }

    /// The weights that would be kept now.
    fn kept(&self, py: Python<'_>) -> PyResult<Vec<Hyperplane>> {
        self.ask(py, train::Stream::planes).map_err(value)
    }
}

#[pymethods]
impl Stream {
    /// Before the first example.
    #[new]
    #[pyo3(signature = (text, classes, start = None))]
    fn new(text: &str, classes: usize, start: Option<Start<'_>>) -> PyResult<Self> {
        let options = starting(options(text)?, start.as_ref())?;
        let inner = train::Stream::new(&options, scheme(classes)).map_err(value)?;
        Ok(Stream::of(inner, options, classes))
    }

    /// Learns from a batch in its order, once. Gives its mistakes and updates. After an error or Ctrl-C the stream is
    /// as it was.
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
        let scheme = scheme(self.classes);
        let (before, now) = detached(py, || -> PyResult<(Epoch, Epoch)> {
            let mut present = self.inner();
            let mut inner = present.clone();
            let before = inner.epoch();
            let rows = view.rows().map_err(value)?;
            let mut labelled = Labelled::new(&rows, classes, scheme).map_err(value)?;
            if let Some(weights) = weights {
                labelled = labelled.weighted(weights).map_err(value)?;
            }
            let mut watch = Watch {
                signals: Signals::new(),
                tolerance: None,
                after_epoch: None,
                history: Default::default(),
                ended: None,
            };
            let flow = inner.learn(&labelled, &mut watch).map_err(value)?;
            if flow.is_break() {
                return Err(watch.signals.or_interrupt());
            }
            let now = inner.epoch();
            *present = inner;
            Ok((before, now))
        })?;
        Ok((now.mistakes - before.mistakes, now.updates - before.updates))
    }

    /// The weights that would be kept now.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Planes<'py>> {
        planes(py, &self.kept(py)?)
    }

    /// Whether these are the weights that would be kept now.
    fn holds(
        &self,
        py: Python<'_>,
        weights: PyReadonlyArray2<'_, f64>,
        biases: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<bool> {
        let planes = self.kept(py)?;
        let (all, biases) = (numbers(&weights)?, numbers(&biases)?);
        let features = weights.shape()[1];
        let same = |(plane, bias): (&Hyperplane, &f64)| plane.bias == *bias;
        let rows = planes.iter().flat_map(|plane| &plane.weights);
        let shape = weights.shape()[0] == planes.len() && biases.len() == planes.len();
        let width = planes.iter().all(|plane| plane.weights.len() == features);
        Ok(shape && width && rows.eq(all) && planes.iter().zip(biases).all(same))
    }

    /// The report, as JSON, if this were the end.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |inner| serde_json::to_string(&inner.report())).map_err(value)
    }

    /// The same run, going on with other options; what is kept and how it began remain.
    fn with_options(&self, py: Python<'_>, text: &str) -> PyResult<Self> {
        let (options, classes) = (options(text)?, self.classes);
        let (keep, before) = (options.keep, self.options.keep);
        if keep != before {
            let (keep, before) = (json!(keep), json!(before));
            return Err(value(format!(
                "keep was {before} and is {keep}: what was visited is past"
            )));
        }
        let options = Options { init: self.options.init.clone(), ..options };
        let state = self.ask(py, train::Stream::state);
        let inner = train::Stream::of_state(&options, scheme(classes), state).map_err(value)?;
        Ok(Stream::of(inner, options, classes))
    }

    /// For pickle.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Reduced<'py>)> {
        let this = slf.get();
        let options = serde_json::to_string(&this.options).map_err(value)?;
        let state =
            this.ask(slf.py(), |inner| serde_json::to_vec(&inner.state())).map_err(value)?;
        let state = PyBytes::new(slf.py(), &state);
        Ok((slf.get_type().getattr("of_state")?, (options, this.classes, state)))
    }

    /// What `__reduce__` wrote.
    #[staticmethod]
    fn of_state(text: &str, classes: usize, state: &[u8]) -> PyResult<Self> {
        let mut options = options(text)?;
        let state: StreamState = serde_json::from_slice(state).map_err(value)?;
        if let Init::Given(first) = &mut options.init {
            // What they were is gone; that there were some is known by any.
            let zero = Hyperplane::zero(state.features);
            *first = vec![zero; scheme(classes).hyperplanes()].into();
        }
        let inner = train::Stream::of_state(&options, scheme(classes), state).map_err(value)?;
        Ok(Stream::of(inner, options, classes))
    }
}

type Reduced<'py> = (String, usize, Bound<'py, PyBytes>);
