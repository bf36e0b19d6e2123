//! Training batch by batch: `partial_fit`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{prelude::*, types::PyBytes};
use rosenblatt_core::{
    data::Scale,
    model,
    rules::Update,
    schedule::Init,
    space::Hyperplane,
    train::{self, Epoch, Options, ScaledStream, StreamScaling, StreamState},
    transforms::Preparation,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    classifier::{Classifier, scheme, unscaled},
    errors::{detached, json, value_error},
    fit,
    hyperplanes::{self, HyperplaneArrays, to_arrays},
    matrix::{Matrix, numbers},
    observer::TrainObserver,
    options::{InitialArrays, RunOptions, parse},
};

/// A run that every batch continues. Threads that use it at the same time wait for one another.
#[pyclass(frozen, module = "rosenblatt._native")]
pub(crate) struct Stream {
    /// A thread must release the interpreter before it waits: the thread that holds the lock may need the interpreter.
    inner: Mutex<ScaledStream>,
    options: Options,
    classes: usize,
    /// The scaling that was asked for.
    scale: Scale,
}

/// How the examples of a stream are scaled, for pickle.
#[derive(Default, Deserialize, Serialize)]
struct PickledScaling {
    scale: Scale,
    scaling: StreamScaling,
}

impl Stream {
    fn begun(
        options: Options,
        classes: usize,
        scale: Scale,
        scaling: StreamScaling,
    ) -> PyResult<Self> {
        let inner = ScaledStream::new(&options, scheme(classes), scaling).map_err(value_error)?;
        Ok(Stream { inner: Mutex::new(inner), options, classes, scale })
    }

    fn new_from_state(
        options: Options,
        classes: usize,
        state: StreamState,
        pickled: PickledScaling,
    ) -> PyResult<Self> {
        let PickledScaling { scale, scaling } = pickled;
        let inner = train::Stream::of_state(&options, scheme(classes), state);
        let inner = inner.and_then(|inner| ScaledStream::restored(inner, scaling));
        Ok(Stream { inner: Mutex::new(inner.map_err(value_error)?), options, classes, scale })
    }

    fn pickled(&self, py: Python<'_>) -> (StreamState, PickledScaling) {
        let scale = self.scale;
        self.read(py, |run| {
            (run.stream().state(), PickledScaling { scale, scaling: run.scaling().clone() })
        })
    }

    /// The run, for a thread without the interpreter. After a panic the run is as before, or every use is an error.
    fn inner(&self) -> MutexGuard<'_, ScaledStream> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads something from the run.
    fn read<T: Send>(&self, py: Python<'_>, read: impl FnOnce(&ScaledStream) -> T + Send) -> T {
        py.detach(|| read(&self.inner()))
    }

    /// The weights that the model would keep now, for features before scaling.
    fn kept(&self, py: Python<'_>) -> PyResult<Vec<Hyperplane>> {
        let kept = |run: &ScaledStream| -> Result<_, train::TrainError> {
            let planes = run.stream().planes()?;
            Ok(match run.known_scaling() {
                Some(scaling) => unscaled(&planes, &scaling),
                None => planes,
            })
        };
        self.read(py, kept).map_err(value_error)
    }
}

#[pymethods]
impl Stream {
    /// A run before its first example. Its examples are scaled as `scale` says, by the statistics of the first batch.
    #[new]
    fn new(options: &RunOptions, classes: usize, scale: &str) -> PyResult<Self> {
        let scale = parse("scale", scale)?;
        let scaling = match scale {
            Scale::None => StreamScaling::default(),
            scale => StreamScaling::First(scale),
        };
        Self::begun(options.0.clone(), classes, scale, scaling)
    }

    /// A run that begins with weights, and with the scaling of a classifier, if there is one. Else no feature is scaled,
    /// whatever `scale` was.
    #[staticmethod]
    #[pyo3(signature = (options, classes, start, scale, classifier = None))]
    fn after_fit(
        options: &RunOptions,
        classes: usize,
        start: InitialArrays<'_>,
        scale: &str,
        classifier: Option<&Classifier>,
    ) -> PyResult<Self> {
        let options = options.starting_from(Some(&start))?;
        let scaling = classifier.and_then(|classifier| classifier.preparation.scaling().cloned());
        let asked = parse("scale", scale)?;
        let scale = scaling.as_ref().map_or(asked, |scaling| scaling.scale);
        Self::begun(options, classes, scale, StreamScaling::Known(scaling))
    }

    /// A run that begins with other weights, and with the scaling of this one.
    fn after_change(
        &self,
        py: Python<'_>,
        options: &RunOptions,
        start: InitialArrays<'_>,
    ) -> PyResult<Self> {
        let options = options.starting_from(Some(&start))?;
        let scaling = self.read(py, |run| run.scaling().clone());
        Self::begun(options, self.classes, self.scale, scaling)
    }

    /// The name of the scaling, if there is to be one.
    #[getter]
    fn scale(&self) -> Option<&'static str> {
        Some(self.scale).filter(|&scale| scale != Scale::None).map(Scale::name)
    }

    /// The classifier that the run would have now, if its examples are scaled.
    fn classifier(&self, py: Python<'_>) -> PyResult<Option<Classifier>> {
        let parts = self.read(py, |run| {
            let Some(scaling) = run.known_scaling() else { return Ok(None) };
            let stream = run.stream();
            Ok(Some((stream.planes()?, scaling, stream.report())))
        });
        let parts = parts.map_err(|error: train::TrainError| value_error(error))?;
        Ok(parts.map(|(planes, scaling, report)| Classifier {
            inner: model::Classifier::Linear(planes),
            preparation: Preparation::scaled(Some(scaling)),
            calibration: None,
            run: Some(Box::new((self.options.clone(), report))),
        }))
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
            let before = run.stream().epoch();
            let rows = &view.rows().map_err(value_error)?;
            let labelled = fit::labelled(rows, classes, weights, self.classes)?;
            let mut observer = TrainObserver::new(None, None);
            let flow = run.learn_whole(&labelled, &mut observer).map_err(value_error)?;
            if flow.is_break() {
                return Err(observer.signals.into_interrupt());
            }
            Ok((before, run.stream().epoch()))
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
        self.read(py, |run| json(&run.stream().report()))
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
        let (state, scaling) = self.pickled(py);
        Stream::new_from_state(options, self.classes, state, scaling)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, PickleParts<'py>)> {
        let this = slf.get();
        let options = json(&this.options)?;
        let (state, scaling) = this.pickled(slf.py());
        let state = serde_json::to_vec(&state).map_err(value_error)?;
        let parts = (options, this.classes, PyBytes::new(slf.py(), &state), json(&scaling)?);
        Ok((slf.get_type().getattr("of_state")?, parts))
    }

    /// Reads what `__reduce__` wrote; older pickles have this name, and no scaling.
    #[staticmethod]
    #[pyo3(name = "of_state", signature = (options, classes, state, scaling = None))]
    fn from_state(
        options: &str,
        classes: usize,
        state: &[u8],
        scaling: Option<&str>,
    ) -> PyResult<Self> {
        let mut options = RunOptions::from_json(options)?.0;
        let state: StreamState = serde_json::from_slice(state).map_err(value_error)?;
        if let Init::Given(first) = &mut options.init {
            // A pickle does not store the first weights. Zeros stand in: only their presence matters now.
            let zero = Hyperplane::zero(state.features);
            *first = vec![zero; scheme(classes).hyperplanes()].into();
        }
        let scaling = scaling.map(serde_json::from_str).transpose().map_err(value_error)?;
        Stream::new_from_state(options, classes, state, scaling.unwrap_or_default())
    }
}

type PickleParts<'py> = (String, usize, Bound<'py, PyBytes>, String);
