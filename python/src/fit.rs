//! One training run: `fit`.

mod calibrated;

use std::collections::HashMap;

use numpy::PyReadonlyArray1;
use pyo3::{exceptions::PyKeyboardInterrupt, prelude::*, types::PyDict};
use rosenblatt::{
    guarantee::{Guarantee, Reason, SampleCheck},
    recipe::{EarlyStopping, Part, Prepared, Recipe, Table, Trained},
};
use rosenblatt_core::{
    calibration::Calibration,
    data::{Labelled, Rows, Scaling},
    report::Report,
    split::{Split, Splitter},
    train::{Fit, Options, Resources},
    transforms::PrepareOptions,
    validation::CopiedRows,
};
use serde::Serialize;
use serde_json::json;

use crate::{
    classifier::{Classifier, scheme},
    errors::{detached, json, value_error},
    matrix::{Matrix, numbers},
    observer::{StopCause, Tolerance, TrainObserver},
    options::{InitialArrays, RunOptions},
    signals::StopFlag,
};

/// How to train.
struct FitConfig<'a> {
    recipe: Recipe<'a>,
    end: RunEnd,
    after_epoch: Option<Py<PyAny>>,
}

/// The method of the probabilities, and the examples for it: of this number of folds, or else this share, as a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct CalibrateArguments {
    method: String,
    folds: Option<usize>,
    holdout: f64,
}

/// When a run ends besides by its options, and how its scores are then calibrated, as a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RunEnd {
    /// The share of the examples that early stopping holds out.
    holdout: Option<f64>,
    tol: Option<f64>,
    patience: u64,
    calibrate: Option<CalibrateArguments>,
}

/// The choice of each step of the preparation by its name, as a dict; None for no such step.
pub(crate) type PreparationNames = HashMap<String, Option<String>>;

/// The preparation with these choices.
pub(crate) fn prepare_options(names: &PreparationNames) -> PyResult<PrepareOptions> {
    let mut chosen = serde_json::Map::new();
    for (name, value) in names {
        match value.as_deref() {
            None => {}
            // The default of the engine depends on the other steps.
            Some("auto") if name == "scale" => {}
            Some(text) => {
                let one = json!({ name: text });
                serde_json::from_value::<PrepareOptions>(one)
                    .map_err(|error| value_error(format!("{name} is {text:?}: {error}")))?;
                chosen.insert(name.clone(), text.into());
            }
        }
    }
    serde_json::from_value(chosen.into()).map_err(value_error)
}

struct FitOutput {
    trained: Trained,
    calibration: Option<Calibration>,
    guarantee: Option<Guarantee>,
    copies: Option<CopiedRows>,
    mistakes: Vec<u64>,
    updates: Vec<u64>,
    stop_cause: Option<StopCause>,
    class_sizes: Vec<usize>,
}

/// The report of a run, with the guarantee for new examples of the vote of one pass.
#[derive(Serialize)]
struct RunReport<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    guarantee: Option<Guarantee>,
    #[serde(skip_serializing_if = "Option::is_none")]
    copies: Option<CopiedRows>,
}

/// Trains, and returns `{"classifier", "report" (JSON), "class_sizes" (of the training examples), "mistakes", "updates"
/// (of each epoch), "ended" ("tol", "callback" or None)}`.
///
/// `classes` are numbers below `count`. `end` has `holdout`, `tol`, `patience` and `calibrate`. With `holdout`, the run
/// ends when the errors on these examples have not fallen for `patience` epochs. The share `tol` of them is the least fall. Without
/// `holdout`, the run ends when the mean loss has not fallen by `tol` for `patience` epochs.
/// `after_epoch(mistakes, classifier)` is called after each epoch, and ends the run if it returns a true value.
/// `prepare` has the choice of each step of the preparation, which are fitted to the examples that are not held out;
/// without it rows stay as they are. `calibrate` has `method`, that of the probabilities, and the examples that they are
/// fitted to: `folds`, whose number may be None, and `holdout`, their share without folds.
#[pyfunction]
#[pyo3(signature = (
    matrix, classes, count, options, *, end, weights = None, start = None, after_epoch = None, threads = 1,
    prepare = None
))]
#[allow(clippy::too_many_arguments)] // the caller names them
pub(crate) fn fit<'py>(
    py: Python<'py>,
    matrix: Matrix<'py>,
    classes: PyReadonlyArray1<'py, u32>,
    count: usize,
    options: &RunOptions,
    end: RunEnd,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    start: Option<InitialArrays<'py>>,
    after_epoch: Option<Py<PyAny>>,
    threads: usize,
    prepare: Option<PreparationNames>,
) -> PyResult<Bound<'py, PyDict>> {
    let prepare = prepare.as_ref().map(prepare_options).transpose()?.unwrap_or_default();
    let options = options.starting_from(start.as_ref())?;
    let resources = Resources { threads, ..Resources::default() };
    let recipe =
        Recipe { options: &options, prepare, resources, dense_limit: Scaling::DENSE_LIMIT };
    let config = FitConfig { recipe, end, after_epoch };
    let (view, classes) = (matrix.view()?, numbers(&classes)?);
    let weights = weights.as_ref().map(numbers).transpose()?;
    let output = detached(py, || {
        let rows = &view.rows().map_err(value_error)?;
        config.run(Table { rows, numbers: classes, scheme: scheme(count), weights, refilled: None })
    })?;
    output.into_dict(py, options)
}

impl FitOutput {
    fn into_dict(self, py: Python<'_>, options: Options) -> PyResult<Bound<'_, PyDict>> {
        let result = PyDict::new(py);
        let Trained { fit: Fit { classifier, report, .. }, preparation } = self.trained;
        let told = RunReport { report: &report, guarantee: self.guarantee, copies: self.copies };
        result.set_item("report", json(&told)?)?;
        let run = Some(Box::new((options, report)));
        let classifier =
            Classifier { inner: classifier, preparation, calibration: self.calibration, run };
        result.set_item("classifier", classifier)?;
        result.set_item("class_sizes", self.class_sizes)?;
        result.set_item("mistakes", self.mistakes)?;
        result.set_item("updates", self.updates)?;
        result.set_item("ended", self.stop_cause.map(StopCause::name))?;
        Ok(result)
    }
}

/// The examples as the engine takes them.
pub(crate) fn labelled<'a>(
    rows: &'a Rows<'a>,
    classes: &'a [u32],
    weights: Option<&'a [f64]>,
    count: usize,
) -> PyResult<Labelled<'a>> {
    let labelled = Labelled::new(rows, classes, scheme(count)).map_err(value_error)?;
    weights.map_or(Ok(labelled), |weights| labelled.weighted(weights).map_err(value_error))
}

impl FitConfig<'_> {
    fn run(mut self, table: Table<'_>) -> PyResult<FitOutput> {
        if let Some(calibrate) = self.end.calibrate.take() {
            return self.run_and_calibrate(table, &calibrate);
        }
        let Some(share) = self.end.holdout else { return self.train(&Part::whole(table), None) };
        let splitter = Splitter::new(table.rows, table.numbers, None);
        let split = held_out(&splitter, table, (share, self.recipe.options.seed))?;
        let (training, held_out) =
            (Part::select(table, &split.train), Part::select(table, &split.test));
        let output = self.train(&training, Some(&held_out))?;
        Ok(FitOutput { copies: Some(CopiedRows::of(&splitter)), ..output })
    }

    /// Trains on a part, with held-out examples that may stop the run.
    fn train(self, part: &Part<'_>, held_out: Option<&Part<'_>>) -> PyResult<FitOutput> {
        let FitConfig { recipe, end, after_epoch } = self;
        let early = held_out.map(|part| EarlyStopping {
            part,
            patience: end.patience,
            // The errors are whole numbers, so they must fall by at least 1.
            least: (end.tol.unwrap_or(0.0) * part.numbers().len() as f64).ceil().max(1.0) as usize,
        });
        let tol = end.tol.filter(|_| held_out.is_none());
        let prepared = recipe.prepare(part, early).map_err(value_error)?;
        let (fit, counts) = observed(&prepared, tol.zip(Some(end.patience)), after_epoch, None)?;
        let class_sizes = part.class_sizes();
        let trained = prepared.trained(fit);
        let reason = || {
            let learned = trained.preparation.learned();
            Reason::of_pass(recipe.options, learned, class_sizes.len())
                .or_else(|| SampleCheck::reason_of(part.rows(), part.numbers()))
        };
        let guarantee = Guarantee::of_run(recipe.options, &trained.fit.report, reason);
        let RunCounts { mistakes, updates, stop_cause } = counts;
        let (calibration, copies) = (None, None);
        Ok(FitOutput {
            trained,
            calibration,
            guarantee,
            copies,
            mistakes,
            updates,
            stop_cause,
            class_sizes,
        })
    }
}

/// The mistakes and updates of each epoch of a run, and why its observer ended it.
struct RunCounts {
    mistakes: Vec<u64>,
    updates: Vec<u64>,
    stop_cause: Option<StopCause>,
}

/// Makes a run that Ctrl-C, a tolerance with its patience, a callback and the end of all threads can end.
fn observed(
    prepared: &Prepared<'_>,
    tolerance: Option<(f64, u64)>,
    after_epoch: Option<Py<PyAny>>,
    stop: Option<&StopFlag>,
) -> PyResult<(Fit, RunCounts)> {
    let labelled = prepared.labelled().map_err(value_error)?;
    let tolerance = tolerance.map(|(tol, patience)| Tolerance::new(tol, patience, labelled.rows()));
    let mut observer = TrainObserver::new(tolerance, after_epoch);
    observer.preparation = Some(prepared.preparation());
    let mut observers = (stop, observer);
    let fit = prepared.fit(None, &mut observers);
    let observer = observers.1;
    if let Some(error) = observer.signals.into_error() {
        return Err(error);
    }
    if stop.is_some_and(StopFlag::is_set) {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    let TrainObserver { mistakes, updates, stop_cause, .. } = observer;
    Ok((fit.map_err(value_error)?, RunCounts { mistakes, updates, stop_cause }))
}

/// The split that holds out a share, with every class to learn from.
fn held_out(
    splitter: &Splitter<'_>,
    table: Table<'_>,
    (share, seed): (f64, u64),
) -> PyResult<Split> {
    let split = splitter.hold_out(share, seed);
    let split = split.and_then(|split| split.with_all_classes(table.numbers));
    split.map_err(|error| value_error(format!("validation_fraction={share}: {error}")))
}
