//! The options of a run. This is the only place where values from Python become the engine's [`Options`].

use std::collections::HashMap;

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{
    prelude::*,
    types::{IntoPyDict, PyDict},
};
use rosenblatt::{ChangeNorm, LearningRate, LectureNotes, study::Sweep};
use rosenblatt_core::{
    calibration::{CalibrationMethod, LabelsBy},
    data::ZeroScore,
    keep::Tally,
    rules::{ALL, Rule},
    schedule::Init,
    train::{ClassWeight, OPTIONS, OptionInfo, Options},
    transforms::PREPARE_OPTIONS,
};
use serde::de::DeserializeOwned;

use crate::{
    errors::{json, value_error},
    hyperplanes,
};

/// Checked options of the engine; `_native.Options` in Python.
#[pyclass(frozen, eq, name = "Options", module = "rosenblatt._native")]
#[derive(PartialEq)]
pub(crate) struct RunOptions(pub(crate) Options);

#[pymethods]
impl RunOptions {
    /// Reads a dict with the engine's names of the options; raises `ValueError` for the first invalid one. Without a
    /// number of epochs the run also ends at a plateau.
    #[new]
    fn new(values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let class_weight = values.get_item("class_weight")?;
        let epochs: Option<u64> = values.get_item("epochs")?.extract()?;
        let rate = learning_rate(&values.get_item("eta")?)?;
        let options = Options {
            update: parse_item(values, "update")?,
            keep: parse_item(values, "keep")?,
            kernel: parse_optional(values, "kernel")?,
            penalty: parse_optional(values, "penalty")?,
            bias: parse_item(values, "bias")?,
            mistake: parse_item(values, "mistake")?,
            zero: parse_item(values, "zero")?,
            order: parse_item(values, "order")?,
            init: parse_item(values, "init")?,
            seed: values.get_item("seed")?.extract()?,
            epochs: epochs.unwrap_or(Options::default().epochs),
            allow_mistakes: values.get_item("allow_mistakes")?.extract()?,
            eta: rate.eta,
            decay: rate.decay,
            class_weight: match class_weight.extract() {
                Ok(weights) => ClassWeight::Given(weights),
                Err(_) => parse_item(values, "class_weight")?,
            },
            classes: parse_item(values, "classes")?,
            compare: false,
            plateau: epochs.is_none(),
        };
        options.check().map_err(value_error)?;
        Ok(RunOptions(options))
    }

    /// Reads the JSON of a model file or a pickle.
    #[staticmethod]
    pub(crate) fn from_json(text: &str) -> PyResult<Self> {
        serde_json::from_str(text).map(RunOptions).map_err(value_error)
    }

    fn to_json(&self) -> PyResult<String> {
        json(&self.0)
    }

    /// The class that a score of 0 predicts: `positive` or `negative`.
    #[getter]
    fn zero(&self) -> &'static str {
        match self.0.zero {
            ZeroScore::Positive => "positive",
            ZeroScore::Negative => "negative",
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().to_json()?,)))
    }
}

/// First weights and biases.
pub(crate) type InitialArrays<'py> = (PyReadonlyArray2<'py, f64>, PyReadonlyArray1<'py, f64>);

impl RunOptions {
    /// The options of a run that starts from these weights, or from 0.
    pub(crate) fn starting_from(&self, start: Option<&InitialArrays<'_>>) -> PyResult<Options> {
        let mut options = self.0.clone();
        if let Some((weights, biases)) = start {
            options.init = Init::Given(hyperplanes::from_arrays(weights, biases)?.into());
        }
        Ok(options)
    }
}

/// A number, or a text such as `1/t`.
fn learning_rate(value: &Bound<'_, PyAny>) -> PyResult<LearningRate> {
    match value.extract::<String>() {
        Ok(text) => text.parse().map_err(|error| value_error(format!("eta0 is {text:?}: {error}"))),
        Err(_) => Ok(LearningRate { eta: value.extract()?, decay: None }),
    }
}

/// The words that each option accepts; none for one whose values are not words. `calibrate_labels` has the methods of `calibrate` with
/// which labels follow the largest probability.
#[pyfunction]
pub(crate) fn choices(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let options = OPTIONS.iter().chain(&PREPARE_OPTIONS);
    let options = options.map(|option| (option.name, option.word_names()));
    let tallies = Tally::ALL.map(Tally::name).to_vec();
    let methods = CalibrationMethod::ALL.map(CalibrationMethod::name).to_vec();
    let relabels = |method: &CalibrationMethod| LabelsBy::from(*method) == LabelsBy::Probability;
    let relabelling = CalibrationMethod::ALL.into_iter().filter(relabels);
    let relabelling = relabelling.map(CalibrationMethod::name).collect();
    let norms = ChangeNorm::ALL.map(ChangeNorm::name).to_vec();
    let sweeps = Sweep::ALL.map(Sweep::name).to_vec();
    let others = [
        ("tally", tallies),
        ("calibrate", methods),
        ("calibrate_labels", relabelling),
        ("norm", norms),
        ("sweep", sweeps),
    ];
    options.chain(others).into_py_dict(py)
}

/// The steps of the preparation of rows: the word for no such step, if there is one, and the form of the others.
#[pyfunction]
pub(crate) fn preparation() -> HashMap<&'static str, (Option<&'static str>, &'static str)> {
    let told = |option: &'static OptionInfo| {
        let none = option.word_names().into_iter().find(|&word| word == "none");
        (option.name, (option.default.or(none), option.placeholder))
    };
    PREPARE_OPTIONS.iter().map(told).collect()
}

/// The names of the update rules with precisions of the weights, and of those with the perceptron's bound.
#[pyfunction]
pub(crate) fn rules() -> HashMap<&'static str, Vec<&'static str>> {
    let names = |wanted: fn(&Rule) -> bool| {
        ALL.into_iter().filter(|rule| wanted(rule)).map(|rule| rule.name).collect()
    };
    let precise = names(|rule| rule.precise.is_some());
    HashMap::from([("precisions", precise), ("bound", names(Rule::has_perceptron_bound))])
}

/// The options of the algorithm of lecture notes, by the engine's names, and their values.
#[pyfunction]
pub(crate) fn notes(name: &str) -> PyResult<HashMap<&'static str, &'static str>> {
    Ok(notes_named(name)?.words().into_iter().collect())
}

/// The lecture notes of this name.
pub(crate) fn notes_named(name: &str) -> PyResult<LectureNotes> {
    name.parse().map_err(|error| value_error(format!("notes is {name:?}: {error}")))
}

fn parse_item<T: DeserializeOwned>(values: &Bound<'_, PyAny>, option: &str) -> PyResult<T> {
    parse(option, &values.get_item(option)?.extract::<String>()?)
}

fn parse_optional<T: DeserializeOwned>(
    values: &Bound<'_, PyAny>,
    option: &str,
) -> PyResult<Option<T>> {
    let text: Option<String> = values.get_item(option)?.extract()?;
    text.map(|text| parse(option, &text)).transpose()
}

/// Reads an option from its text; the error names the option.
pub(crate) fn parse<T: DeserializeOwned>(option: &str, text: &str) -> PyResult<T> {
    serde_json::from_value(text.into())
        .map_err(|error| value_error(format!("{option} is {text:?}: {error}")))
}
