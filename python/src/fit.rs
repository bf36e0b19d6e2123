//! One training run: `fit`.

mod calibrated;

use std::collections::HashMap;

use numpy::PyReadonlyArray1;
use pyo3::{prelude::*, types::PyDict};
use rosenblatt::{
    calibration::Calibration,
    data::{Labelled, Rows, Scaling},
    guarantee::{Guarantee, Reason, SampleCheck},
    report::Report,
    split::Splitter,
    train::{self, Fit, HeldOut, Options, Resources},
    transforms::{Preparation, PrepareOptions},
};
use serde::Serialize;
use serde_json::json;

use crate::{
    classifier::{Classifier, scheme},
    errors::{detached, json, value_error},
    matrix::{Matrix, numbers},
    observer::{StopCause, Tolerance, TrainObserver},
    options::{InitialArrays, RunOptions},
};

/// How to train.
struct FitConfig<'a> {
    options: &'a Options,
    prepare: PrepareOptions,
    resources: Resources,
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

/// Examples of `count` classes.
#[derive(Clone, Copy)]
pub(crate) struct FitInput<'a> {
    pub(crate) rows: &'a Rows<'a>,
    pub(crate) classes: &'a [u32],
    pub(crate) weights: Option<&'a [f64]>,
    pub(crate) count: usize,
}

/// Copies of some examples.
struct SelectedInput {
    rows: Rows<'static>,
    classes: Vec<u32>,
    weights: Option<Vec<f64>>,
    count: usize,
}

struct FitOutput {
    fit: Fit,
    preparation: Preparation,
    calibration: Option<Calibration>,
    guarantee: Option<Guarantee>,
    copies: Option<CopiesCount>,
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
    copies: Option<CopiesCount>,
}

/// Of examples of which some are held out, those that equal another one in all features.
#[derive(Clone, Copy, Serialize)]
struct CopiesCount {
    examples: usize,
    share: f64,
    /// Whether they were copied, so that they stay on one side of a split.
    together: bool,
}

impl CopiesCount {
    fn of(splitter: &Splitter<'_>) -> Self {
        let (examples, all) = (splitter.copies().count(), splitter.copies().firsts().len());
        let share = examples as f64 / all as f64;
        CopiesCount { examples, share, together: splitter.were_copied() }
    }
}

/// Trains, and returns `{"classifier", "report" (JSON), "class_sizes" (of the training examples), "mistakes", "updates"
/// (of each epoch), "ended" ("tol", "callback" or None)}`.
///
/// `classes` are numbers below `count`. `end` has `holdout`, `tol`, `patience` and `calibrate`. With `holdout`, the run
/// ends when the errors on these examples have not fallen for `patience` epochs. The share `tol` of them is the least fall. Without
/// `holdout`, the run ends when the mean loss has not fallen by `tol` for `patience` epochs.
/// `after_epoch(mistakes, classifier)` is called after each epoch, and ends the run if it returns a true value.
/// `prepare` has `weighting` and `scale`, the names of the weighting of counts and of the scaling after it, which are
/// fitted to the examples that are not held out, `document_frequency` or None, and `normalise`, that of the length by which rows are then divided;
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
    let config = FitConfig { options: &options, prepare, resources, end, after_epoch };
    let (view, classes) = (matrix.view()?, numbers(&classes)?);
    let weights = weights.as_ref().map(numbers).transpose()?;
    let output = detached(py, || {
        let rows = &view.rows().map_err(value_error)?;
        config.run(FitInput { rows, classes, weights, count })
    })?;
    output.into_dict(py, options)
}

impl FitOutput {
    fn into_dict(self, py: Python<'_>, options: Options) -> PyResult<Bound<'_, PyDict>> {
        let result = PyDict::new(py);
        let report =
            RunReport { report: &self.fit.report, guarantee: self.guarantee, copies: self.copies };
        result.set_item("report", json(&report)?)?;
        let run = Some(Box::new((options, self.fit.report)));
        let classifier = Classifier {
            inner: self.fit.classifier,
            preparation: self.preparation,
            calibration: self.calibration,
            run,
        };
        result.set_item("classifier", classifier)?;
        result.set_item("class_sizes", self.class_sizes)?;
        result.set_item("mistakes", self.mistakes)?;
        result.set_item("updates", self.updates)?;
        result.set_item("ended", self.stop_cause.map(StopCause::name))?;
        Ok(result)
    }
}

impl<'a> FitInput<'a> {
    /// The examples as the engine takes them.
    pub(crate) fn labelled(self) -> PyResult<Labelled<'a>> {
        let scheme = scheme(self.count);
        let labelled = Labelled::new(self.rows, self.classes, scheme).map_err(value_error)?;
        match self.weights {
            None => Ok(labelled),
            Some(weights) => labelled.weighted(weights).map_err(value_error),
        }
    }

    /// Why the mistakes of a pass over these examples bound nothing.
    fn reason(self, options: &Options, preparation: &Preparation) -> Option<Reason> {
        Reason::of_pass(options, preparation.learned(), self.count)
            .or_else(|| SampleCheck::reason_of(self.rows, self.classes))
    }

    fn select(self, places: &[usize]) -> SelectedInput {
        let weights_of = |weights: &[f64]| places.iter().map(|&place| weights[place]).collect();
        SelectedInput {
            rows: self.rows.select(places),
            classes: places.iter().map(|&place| self.classes[place]).collect(),
            weights: self.weights.map(weights_of),
            count: self.count,
        }
    }
}

impl SelectedInput {
    fn view(&self) -> FitInput<'_> {
        FitInput {
            rows: &self.rows,
            classes: &self.classes,
            weights: self.weights.as_deref(),
            count: self.count,
        }
    }
}

impl FitConfig<'_> {
    fn run(mut self, input: FitInput<'_>) -> PyResult<FitOutput> {
        match self.end.calibrate.take() {
            None => self.run_once(input),
            Some(calibrate) => self.run_and_calibrate(input, &calibrate),
        }
    }

    fn run_once(self, input: FitInput<'_>) -> PyResult<FitOutput> {
        let Some(share) = self.end.holdout else { return self.train(input, None) };
        let splitter = Splitter::new(input.rows, input.classes, None);
        let split = splitter
            .hold_out(share, self.options.seed)
            .and_then(|split| split.with_all_classes(input.classes))
            .map_err(|error| value_error(format!("validation_fraction={share}: {error}")))?;
        let (training, held_out) = (input.select(&split.train), input.select(&split.test));
        let mut output = self.train(training.view(), Some(held_out.view()))?;
        output.fit.classifier.renumber(|place| split.train[place]);
        output.copies = Some(CopiesCount::of(&splitter));
        Ok(output)
    }

    /// Trains on prepared examples.
    fn train(self, input: FitInput<'_>, held_out: Option<FitInput<'_>>) -> PyResult<FitOutput> {
        let limit = Scaling::DENSE_LIMIT;
        let bias = self.options.bias;
        let fitted = Preparation::fit(self.prepare, input.rows, input.weights, bias, limit);
        let (preparation, rows) = fitted.map_err(value_error)?;
        let other = held_out.map(|other| preparation.batch(other.rows)).transpose();
        let other = other.map_err(value_error)?;
        let held_out = held_out.zip(other.as_deref());
        let held_out = held_out.map(|(other, rows)| self.held_out(FitInput { rows, ..other }));
        let held_out = held_out.transpose()?;
        let options = self.options;
        let prepared = FitInput { rows: rows.as_ref().unwrap_or(input.rows), ..input };
        let mut output = self.train_prepared(prepared, held_out.as_ref(), &preparation)?;
        let reason = || input.reason(options, &preparation);
        output.guarantee = Guarantee::of_run(options, &output.fit.report, reason);
        Ok(output)
    }

    fn held_out<'r>(&self, examples: FitInput<'r>) -> PyResult<HeldOut<'r>> {
        // The errors are whole numbers, so they must fall by at least 1.
        let least = (self.end.tol.unwrap_or(0.0) * examples.classes.len() as f64).ceil().max(1.0);
        let labelled = examples.labelled()?;
        Ok(HeldOut { labelled, patience: self.end.patience, least: least as usize })
    }

    fn train_prepared(
        self,
        input: FitInput<'_>,
        held_out: Option<&HeldOut<'_>>,
        preparation: &Preparation,
    ) -> PyResult<FitOutput> {
        let labelled = input.labelled()?;
        let tol = self.end.tol.filter(|_| held_out.is_none());
        let tolerance = tol.map(|tol| Tolerance::new(tol, self.end.patience, input.rows));
        let mut observer = TrainObserver::new(tolerance, self.after_epoch);
        observer.preparation = Some(preparation);
        let init = preparation.initial(&self.options.init);
        let options = Options { init, ..self.options.clone() };
        let fit = train::fit(&labelled, &options, &self.resources, held_out, &mut observer);
        if let Some(error) = observer.signals.into_error() {
            return Err(error);
        }
        Ok(FitOutput {
            fit: fit.map_err(value_error)?,
            mistakes: observer.mistakes,
            updates: observer.updates,
            calibration: None,
            guarantee: None,
            copies: None,
            stop_cause: observer.stop_cause,
            class_sizes: labelled.class_sizes(),
            preparation: preparation.clone(),
        })
    }
}
