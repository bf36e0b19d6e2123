//! Examples as they come: `partial_fit`.

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
    classifier::{Planes, planes, scheme},
    failure::{detached, value},
    fit::{Start, options, starting},
    matrix::{Matrix, numbers},
    watch::{Signals, Watch},
};

/// A run that goes on with every batch.
#[pyclass(module = "rosenblatt._native")]
pub(crate) struct Stream {
    inner: train::Stream,
    options: Options,
    classes: usize,
}

#[pymethods]
impl Stream {
    /// Before the first example.
    #[new]
    #[pyo3(signature = (text, classes, start = None))]
    fn new(text: &str, classes: usize, start: Option<Start<'_>>) -> PyResult<Self> {
        let options = starting(options(text)?, start.as_ref())?;
        let inner = train::Stream::new(&options, scheme(classes)).map_err(value)?;
        Ok(Stream { inner, options, classes })
    }

    /// Learns from a batch in its order, once. Gives its mistakes and updates. After an error or Ctrl-C the stream is
    /// as it was.
    #[pyo3(signature = (matrix, classes, weights = None))]
    fn learn(
        &mut self,
        py: Python<'_>,
        matrix: Matrix<'_>,
        classes: PyReadonlyArray1<'_, u32>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<(u64, u64)> {
        let (view, classes) = (matrix.view()?, numbers(&classes)?);
        let weights = weights.as_ref().map(numbers).transpose()?;
        let (mut inner, scheme) = (self.inner.clone(), scheme(self.classes));
        let before = inner.epoch();
        let now = detached(py, || -> PyResult<Epoch> {
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
            if flow.is_break() { Err(watch.signals.or_interrupt()) } else { Ok(inner.epoch()) }
        })?;
        self.inner = inner;
        Ok((now.mistakes - before.mistakes, now.updates - before.updates))
    }

    /// The weights that would be kept now.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Planes<'py>> {
        planes(py, &self.inner.planes().map_err(value)?)
    }

    /// Whether these are the weights that would be kept now.
    fn holds(
        &self,
        weights: PyReadonlyArray2<'_, f64>,
        biases: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<bool> {
        let planes = self.inner.planes().map_err(value)?;
        let (all, biases) = (numbers(&weights)?, numbers(&biases)?);
        let features = weights.shape()[1];
        let same = |(plane, bias): (&Hyperplane, &f64)| plane.bias == *bias;
        let rows = planes.iter().flat_map(|plane| &plane.weights);
        let shape = weights.shape()[0] == planes.len() && biases.len() == planes.len();
        let width = planes.iter().all(|plane| plane.weights.len() == features);
        Ok(shape && width && rows.eq(all) && planes.iter().zip(biases).all(same))
    }

    /// The report, as JSON, if this were the end.
    fn report(&self) -> PyResult<String> {
        serde_json::to_string(&self.inner.report()).map_err(value)
    }

    /// The same run, going on with other options; what is kept and how it began remain.
    fn with_options(&self, text: &str) -> PyResult<Self> {
        let (options, classes) = (options(text)?, self.classes);
        let (keep, before) = (options.keep, self.options.keep);
        if keep != before {
            let (keep, before) = (json!(keep), json!(before));
            return Err(value(format!(
                "keep was {before} and is {keep}: what was visited is past"
            )));
        }
        let options = Options { init: self.options.init.clone(), ..options };
        let state = self.inner.state();
        let inner = train::Stream::of_state(&options, scheme(classes), state).map_err(value)?;
        Ok(Stream { inner, options, classes })
    }

    /// For pickle.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Reduced<'py>)> {
        let this = slf.try_borrow()?;
        let options = serde_json::to_string(&this.options).map_err(value)?;
        let state = serde_json::to_vec(&this.inner.state()).map_err(value)?;
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
        Ok(Stream { inner, options, classes })
    }
}

type Reduced<'py> = (String, usize, Bound<'py, PyBytes>);
