//! A whole run.

use std::sync::Arc;

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{prelude::*, types::PyDict};
use rosenblatt::{
    data::{Labelled, Rows},
    schedule::Init,
    split::{Split, hold_out},
    train::{self, Fit, HeldOut, Options, Resources},
};
use serde_json::{Map, Value};

use crate::{
    classifier::{Classifier, scheme},
    failure::{detached, value},
    hyperplanes::hyperplanes,
    matrix::{Matrix, View, numbers},
    watch::{Ended, Signals, Tolerance, Watch},
};

/// Options from the engine's JSON, checked.
pub(crate) fn options(text: &str) -> PyResult<Options> {
    let options: Options = serde_json::from_str(text).map_err(|error| match blamed(text) {
        Some(message) => value(message),
        None => value(error),
    })?;
    options.check().map_err(value)?;
    Ok(options)
}

/// Which option is at fault: the first one that spoils the default options in its place.
fn blamed(text: &str) -> Option<String> {
    let given: Map<String, Value> = serde_json::from_str(text).ok()?;
    let plain = serde_json::to_value(Options::default()).ok()?;
    given.into_iter().find_map(|(name, given)| {
        let mut one = plain.clone();
        one.as_object_mut()?.insert(name.clone(), given.clone());
        let error = serde_json::from_value::<Options>(one).err()?;
        Some(format!("{name} is {given}: {error}"))
    })
}

/// First weights from arrays.
pub(crate) type Start<'py> = (PyReadonlyArray2<'py, f64>, PyReadonlyArray1<'py, f64>);

/// The options of a run from these first weights.
pub(crate) fn starting(options: Options, start: Option<&Start<'_>>) -> PyResult<Options> {
    let Some((weights, biases)) = start else { return Ok(options) };
    let init = Init::Given(Arc::from(hyperplanes(weights, biases)?));
    Ok(Options { init, ..options })
}

/// Raises what is wrong with options in the engine's JSON.
#[pyfunction]
pub(crate) fn check_options(text: &str) -> PyResult<()> {
    options(text).map(drop)
}

/// What to do beside the run itself.
struct Plan<'a> {
    options: &'a Options,
    resources: Resources,
    /// The share of examples to stop by.
    holdout: Option<f64>,
    tol: Option<f64>,
    patience: u64,
    after_epoch: Option<Py<PyAny>>,
}

/// The examples.
#[derive(Clone, Copy)]
struct Given<'a> {
    matrix: View<'a>,
    classes: &'a [u32],
    count: usize,
    weights: Option<&'a [f64]>,
}

/// What came of it.
struct Done {
    fit: Fit,
    mistakes: Vec<u64>,
    updates: Vec<u64>,
    ended: Option<Ended>,
    class_sizes: Vec<usize>,
}

/// Learns, epoch after epoch. Gives `{"classifier", "report" (JSON), "class_sizes" (of what was learned from), "mistakes", "updates"
/// (of each epoch), "ended" ("tol" or "callback", or nothing)}`.
///
/// `classes` are numbers below `count`. With `holdout`, a share, the run ends when the errors on so many examples
/// have not fallen, by `tol` of them if given, for `patience` epochs; without it when the mean loss has not
/// fallen by `tol`. `after_epoch(mistakes, weights)` is called after each epoch and ends the run by something
/// true.
#[pyfunction]
#[pyo3(signature = (
    matrix, classes, count, options, *, weights = None, start = None, holdout = None, tol = None,
    patience = 5, after_epoch = None, threads = 1, memory = 1_073_741_824
))]
#[allow(clippy::too_many_arguments)] // they are named where it is called
pub(crate) fn fit<'py>(
    py: Python<'py>,
    matrix: Matrix<'py>,
    classes: PyReadonlyArray1<'py, u32>,
    count: usize,
    options: &str,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    start: Option<Start<'py>>,
    holdout: Option<f64>,
    tol: Option<f64>,
    patience: u64,
    after_epoch: Option<Py<PyAny>>,
    threads: usize,
    memory: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let options = &starting(self::options(options)?, start.as_ref())?;
    let resources = Resources { threads, memory, block: None };
    let plan = Plan { options, resources, holdout, tol, patience, after_epoch };
    let given = Given {
        matrix: matrix.view()?,
        classes: numbers(&classes)?,
        count,
        weights: weights.as_ref().map(numbers).transpose()?,
    };
    let Done { fit, mistakes, updates, ended, class_sizes } = detached(py, || plan.run(given))?;
    let result = PyDict::new(py);
    result.set_item("report", serde_json::to_string(&fit.report).map_err(value)?)?;
    let run = Some(Box::new((options.clone(), fit.report)));
    result.set_item("classifier", Classifier { inner: fit.classifier, run })?;
    result.set_item("class_sizes", class_sizes)?;
    result.set_item("mistakes", mistakes)?;
    result.set_item("updates", updates)?;
    let ended = ended.map(|ended| match ended {
        Ended::Tolerance => "tol",
        Ended::Callback => "callback",
    });
    result.set_item("ended", ended)?;
    Ok(result)
}

/// Examples of `count` classes, with their weights if there are any.
fn labelled<'a>(
    rows: &'a Rows<'a>,
    classes: &'a [u32],
    weights: Option<&'a [f64]>,
    count: usize,
) -> PyResult<Labelled<'a>> {
    let labelled = Labelled::new(rows, classes, scheme(count)).map_err(value)?;
    match weights {
        None => Ok(labelled),
        Some(weights) => labelled.weighted(weights).map_err(value),
    }
}

impl Plan<'_> {
    fn run(self, given: Given<'_>) -> PyResult<Done> {
        let rows = given.matrix.rows().map_err(value)?;
        match self.holdout {
            None => self.learn((&rows, given.classes, given.weights), None, given.count),
            Some(share) => {
                let split = hold_out(given.classes, share, self.options.seed);
                let split = split
                    .map_err(|error| value(format!("validation_fraction={share}: {error}")))?;
                self.learn_and_examine(&rows, given, &split)
            }
        }
    }

    fn learn_and_examine(self, rows: &Rows<'_>, given: Given<'_>, split: &Split) -> PyResult<Done> {
        let part = |places: &[usize]| -> (Rows<'static>, Vec<u32>) {
            (rows.select(places), places.iter().map(|&place| given.classes[place]).collect())
        };
        let (learned, classes) = part(&split.train);
        let (held, held_classes) = part(&split.test);
        let weights_of = |places: &[usize]| -> Option<Vec<f64>> {
            given.weights.map(|weights| places.iter().map(|&place| weights[place]).collect())
        };
        let (weights, held_weights) = (weights_of(&split.train), weights_of(&split.test));
        let labelled = labelled(&held, &held_classes, held_weights.as_deref(), given.count)?;
        // The least fall in whole examples: at least one, as many as `tol` of all.
        let least = (self.tol.unwrap_or(0.0) * held.len() as f64).ceil().max(1.0) as usize;
        let held_out = HeldOut { labelled, patience: self.patience, least };
        self.learn((&learned, &classes, weights.as_deref()), Some(&held_out), given.count)
    }

    fn learn(
        self,
        (rows, classes, weights): (&Rows<'_>, &[u32], Option<&[f64]>),
        held_out: Option<&HeldOut<'_>>,
        count: usize,
    ) -> PyResult<Done> {
        let labelled = labelled(rows, classes, weights, count)?;
        let tol = self.tol.filter(|_| held_out.is_none());
        let mut watch = Watch {
            signals: Signals::new(),
            tolerance: tol.map(|tol| Tolerance::new(tol, self.patience, rows)),
            after_epoch: self.after_epoch,
            history: Default::default(),
            ended: None,
        };
        let fit = train::fit(&labelled, self.options, &self.resources, held_out, &mut watch);
        if let Some(error) = watch.signals.into_error() {
            return Err(error);
        }
        let (fit, class_sizes) = (fit.map_err(value)?, labelled.class_sizes());
        let (history, ended) = (watch.history, watch.ended);
        Ok(Done { fit, mistakes: history.mistakes, updates: history.updates, ended, class_sizes })
    }
}
