//! The classifier of a model, with its weights.

use std::{borrow::Cow, collections::HashMap};

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{prelude::*, types::PyBytes};
use rosenblatt::{ChangeNorm, DecisionRadius, RadiusError};
use rosenblatt_core::{
    calibration::Calibration,
    data::{Decision, Rows, Scaling, Scheme},
    explanation::Explanations,
    keep::{UpdateRecord, Voted, WeightSequence},
    model::{self, ModelParts, PredictError, PredictOptions, Predictions},
    report::Report,
    signed_distance::weight_norm,
    space::Hyperplane,
    train::Options,
    transforms::Preparation,
};
use rosenblatt_data::ModelFile;

use crate::{
    errors::{detached, model_file_error, value_error},
    hyperplanes::{HyperplaneArrays, from_arrays, holds, to_arrays},
    matrix::{Matrix, numbers},
    model_description::{Learned, unnamed_model},
    options::parse,
    signals::Signals,
};

/// Offsets, features and values of a matrix by rows.
type SparseArrays<'py> =
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

/// The bias of each hyperplane and the contributions to its scores.
type Explained<'py> = (Vec<f64>, Vec<SparseArrays<'py>>);

/// The contributions to the scores of a hyperplane.
fn sparse_contributions(
    all: &Explanations<'_, '_>,
    plane: usize,
) -> PyResult<(Vec<i64>, Vec<i64>, Vec<f64>)> {
    let (mut offsets, mut features, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in 0..all.len() {
        for (feature, value) in all.of(row, plane).map_err(value_error)?.contributions {
            features.push(feature as i64);
            values.push(value);
        }
        offsets.push(values.len() as i64);
    }
    Ok((offsets, features, values))
}

/// Hyperplanes in feature space or in the dual form, or a vote, with the preparation of their rows.
#[pyclass(frozen, module = "rosenblatt._native")]
pub(crate) struct Classifier {
    pub(crate) inner: model::Classifier,
    pub(crate) preparation: Preparation,
    /// Probabilities from its scores, if it is calibrated.
    pub(crate) calibration: Option<Calibration>,
    /// The run that trained it; pickle needs it.
    pub(crate) run: Option<Box<(Options, Report)>>,
}

/// Classes and scores.
type PredictionArrays<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>);

/// The scheme for this number of classes. With two classes, class 1 is positive.
pub(crate) fn scheme(classes: usize) -> Scheme {
    match classes {
        0..=2 => Scheme::Two { positive: 1 },
        _ => Scheme::OneVsRest { classes },
    }
}

#[pymethods]
impl Classifier {
    /// Hyperplanes in feature space, without scaling.
    #[staticmethod]
    fn linear(
        weights: PyReadonlyArray2<'_, f64>,
        biases: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<Self> {
        let inner = model::Classifier::Linear(from_arrays(&weights, &biases)?);
        let preparation = Preparation::default();
        Ok(Classifier { inner, preparation, calibration: None, run: None })
    }

    /// A copy with every score negated; a vote also predicts the other class for a score of 0.
    fn negated(&self) -> Self {
        let negated = |plane: &Hyperplane| Hyperplane {
            // A subtraction from 0: no weight is −0.
            weights: plane.weights.iter().map(|weight| 0.0 - weight).collect(),
            bias: 0.0 - plane.bias,
        };
        let inner = match &self.inner {
            model::Classifier::Linear(all) => {
                model::Classifier::Linear(all.iter().map(negated).collect())
            }
            model::Classifier::Dual(dual) => model::Classifier::Dual(model::Dual {
                planes: dual.planes.iter().map(negated).collect(),
                ..dual.clone()
            }),
            model::Classifier::Voted(voted) => model::Classifier::Voted(Voted {
                paths: voted.paths.iter().map(negated_path).collect(),
                zero: voted.zero.negated(),
                ..voted.clone()
            }),
        };
        Classifier {
            inner,
            preparation: self.preparation.clone(),
            calibration: self.calibration.as_ref().map(Calibration::mirrored),
            run: self.run.clone(),
        }
    }

    /// A copy with the scaling, the options and the report of a run, which the description has as JSON.
    fn with_scaling(&self, description: &str) -> PyResult<Self> {
        #[derive(serde::Deserialize)]
        struct Run {
            scaling: Scaling,
            options: Options,
            report: Report,
        }
        let Run { scaling, options, report } =
            serde_json::from_str(description).map_err(value_error)?;
        if scaling.features() != self.inner.features() {
            return Err(value_error("the scaling has another number of features"));
        }
        let run = Some(Box::new((options, report)));
        let preparation = Preparation::scaled(Some(scaling));
        let (inner, calibration) = (self.inner.clone(), self.calibration.clone());
        Ok(Classifier { inner, preparation, calibration, run })
    }

    /// A copy with other hyperplanes in feature space, in place of those of [`Self::planes`]. Where rows are weighted or
    /// normalised, they are prepared as before. Probabilities were those of the other scores, so there are none.
    fn with_planes(
        &self,
        weights: PyReadonlyArray2<'_, f64>,
        biases: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<Self> {
        let inner = model::Classifier::Linear(from_arrays(&weights, &biases)?);
        let preparation = match self.preparation.is_only_scaled() {
            true => Preparation::default(),
            false => self.preparation.clone(),
        };
        Ok(Classifier { inner, preparation, calibration: None, run: self.run.clone() })
    }

    /// Whether rows are weighted, scaled or normalised before the hyperplanes.
    #[getter]
    fn is_prepared(&self) -> bool {
        !self.preparation.is_none()
    }

    /// The name of the method of its probabilities, if it is calibrated.
    #[getter]
    fn calibrate(&self) -> Option<&'static str> {
        self.calibration.as_ref().map(|calibration| calibration.method().name())
    }

    /// Whether labels follow the largest probability.
    #[getter]
    fn has_probable_labels(&self) -> bool {
        self.calibration.as_ref().is_some_and(Calibration::has_probable_labels)
    }

    /// The probability of each of the `classes`, row by row, for scores of rows; None without a calibration.
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        scores: PyReadonlyArray1<'py, f64>,
        classes: usize,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let Some(calibration) = &self.calibration else { return Ok(None) };
        let all = calibration.probabilities(scheme(classes), numbers(&scores)?);
        Ok(Some(PyArray1::from_vec(py, all)))
    }

    /// The lower and the upper probability of each hyperplane, row by row; None without `venn-abers`.
    fn intervals<'py>(
        &self,
        py: Python<'py>,
        scores: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let Some(calibration) = &self.calibration else { return Ok(None) };
        let all = calibration.intervals(numbers(&scores)?);
        Ok(all.map(|all| PyArray1::from_vec(py, all.concat())))
    }

    /// How far each row is from another class than its given one.
    fn decision_radius<'py>(
        &self,
        py: Python<'py>,
        matrix: Matrix<'_>,
        classes: PyReadonlyArray1<'_, u32>,
        norm: &str,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let norm: ChangeNorm = parse("norm", norm)?;
        let borders =
            DecisionRadius::new(&self.inner, &self.preparation, self.calibration.as_ref(), norm);
        let borders = borders.map_err(|error| match error {
            RadiusError::Rounded { .. } => value_error(format!("{error}; fit with scale=None")),
            error => value_error(error),
        })?;
        let (matrix, classes) = (matrix.view()?, numbers(&classes)?);
        let radii = detached(py, || {
            let rows: Rows<'_> = matrix.rows().map_err(value_error)?;
            Ok(borders.of_classified(&rows, classes))
        })?;
        Ok(PyArray1::from_vec(py, radii))
    }

    /// The bias of each hyperplane, and for each the contributions of the features to the scores as a matrix by rows: the offsets, the
    /// features and what each adds.
    fn explain<'py>(&self, py: Python<'py>, matrix: Matrix<'_>) -> PyResult<Explained<'py>> {
        let matrix = matrix.view()?;
        let found = detached(py, || {
            let rows: Rows<'_> = matrix.rows().map_err(value_error)?;
            let all = Explanations::new(&self.inner, &self.preparation, &rows);
            let all = all.map_err(value_error)?;
            (0..all.hyperplanes())
                .map(|plane| sparse_contributions(&all, plane))
                .collect::<PyResult<Vec<_>>>()
        })?;
        let biases = self.inner.linear().unwrap_or_default().iter().map(|plane| plane.bias);
        let array = |(offsets, features, values)| {
            (
                PyArray1::from_vec(py, offsets),
                PyArray1::from_vec(py, features),
                PyArray1::from_vec(py, values),
            )
        };
        Ok((biases.collect(), found.into_iter().map(array).collect()))
    }

    /// ‖w‖ of its only hyperplane, in the units of the rows.
    fn weight_norm(&self) -> PyResult<f64> {
        weight_norm(&self.inner, &self.preparation).map_err(value_error)
    }

    /// `linear`, `dual` or `voted`.
    #[getter]
    fn form(&self) -> &'static str {
        match self.inner {
            model::Classifier::Linear(_) => "linear",
            model::Classifier::Dual(_) => "dual",
            model::Classifier::Voted(_) => "voted",
        }
    }

    #[getter]
    fn features(&self) -> usize {
        self.inner.features()
    }

    /// The choice of each step of the preparation of rows, None for one that is not there.
    #[getter]
    fn preparation(&self) -> HashMap<String, Option<String>> {
        let told = |(name, value): (&str, Option<String>)| {
            (name.replace('-', "_"), value.filter(|value| value != "none"))
        };
        self.preparation.named().options().into_iter().map(told).collect()
    }

    /// Weights and biases, for features before scaling; where rows are weighted or normalised, for the prepared
    /// ones. In the dual form, the weights are the coefficients of the
    /// supporting rows. A vote has none.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Option<HyperplaneArrays<'py>>> {
        match &self.inner {
            model::Classifier::Linear(all) => to_arrays(py, &self.unscaled(all)).map(Some),
            model::Classifier::Dual(dual) => to_arrays(py, &dual.planes).map(Some),
            model::Classifier::Voted(_) => Ok(None),
        }
    }

    /// Whether these are the numbers of [`Self::planes`], for hyperplanes in feature space.
    fn holds(
        &self,
        weights: PyReadonlyArray2<'_, f64>,
        biases: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<bool> {
        match &self.inner {
            model::Classifier::Linear(all) => holds(&self.unscaled(all), &weights, &biases),
            _ => Ok(false),
        }
    }

    /// The support of the dual form or a vote: its rows in CSR form, their indices in the training data, and the number of
    /// updates of each hyperplane by each row.
    fn support<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(support) = self.inner.support() else { return Ok(None) };
        let (offsets, indices, values) = support.rows.parts();
        let offsets: Vec<i64> = offsets.iter().map(|&offset| offset as i64).collect();
        let indices: Vec<i64> = indices.iter().map(|&index| i64::from(index)).collect();
        let examples: Vec<i64> = support.examples.iter().map(|&place| place as i64).collect();
        let counts: Vec<u64> = support.counts.iter().flatten().copied().collect();
        let shape = [support.counts.len(), support.examples.len()];
        let parts = (
            PyArray1::from_slice(py, values),
            PyArray1::from_vec(py, indices),
            PyArray1::from_vec(py, offsets),
            PyArray1::from_vec(py, examples),
            PyArray1::from_vec(py, counts).reshape(shape)?,
        );
        Ok(Some(parts.into_pyobject(py)?.into_any()))
    }

    /// The class of each row, and with `scores` the score of each row for each hyperplane.
    ///
    /// If there is one hyperplane, a score of 0 gives class 1 where `zero` is `positive`, and class 0 where it is
    /// `negative`.
    #[pyo3(signature = (matrix, classes, *, scores, zero, tally = "vote", threads = 1))]
    #[allow(clippy::too_many_arguments)] // the caller names them
    fn predict<'py>(
        &self,
        py: Python<'py>,
        matrix: Matrix<'py>,
        classes: usize,
        scores: bool,
        zero: &str,
        tally: &str,
        threads: usize,
    ) -> PyResult<PredictionArrays<'py>> {
        let decision = Decision { scheme: scheme(classes), zero: parse("zero", zero)? };
        let options = PredictOptions { tally: tally.parse().map_err(value_error)?, threads };
        let view = matrix.view()?;
        let predict = || -> PyResult<Predictions> {
            let rows = with_model_width(view.rows().map_err(value_error)?, self.inner.features())?;
            let prepared = self.preparation.batch(&rows);
            let prepared = prepared.map_err(|error| predict_error(error.into(), 0))?;
            self.predict_in_batches(&prepared, decision, options, scores)
        };
        let Predictions { classes, scores } = detached(py, predict)?;
        Ok((PyArray1::from_vec(py, classes), PyArray1::from_vec(py, scores)))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = PyBytes::new(slf.py(), &slf.get().model_bytes()?);
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }

    /// Reads what `__reduce__` wrote.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let file = ModelFile::from_bytes("the pickled model", bytes).map_err(model_file_error)?;
        Ok(Self::from_model_file(file))
    }
}

impl Classifier {
    pub(crate) fn from_model_file(file: ModelFile) -> Self {
        let parts = file.model.into_parts();
        let ModelParts { classifier, preparation, calibration, options, report, .. } = parts;
        let run = Some(Box::new((options, report)));
        Classifier { inner: classifier, preparation, calibration, run }
    }

    /// The parts that a model file keeps.
    pub(crate) fn learned(&self) -> Learned<'_> {
        let Classifier { inner, preparation, calibration, .. } = self;
        Learned { inner, preparation, calibration: calibration.as_ref() }
    }

    fn unscaled<'a>(&self, planes: &'a [Hyperplane]) -> Cow<'a, [Hyperplane]> {
        match self.preparation.scaling() {
            Some(scaling) if self.preparation.is_only_scaled() => unscaled(planes, scaling).into(),
            _ => planes.into(),
        }
    }

    /// The bytes of a model file whose classes have no names, for pickle.
    fn model_bytes(&self) -> PyResult<Vec<u8>> {
        let Some((options, report)) = self.run.as_deref() else {
            return Err(value_error("only the classifier of a run can be pickled"));
        };
        unnamed_model(self.learned(), options, report)?.to_bytes().map_err(value_error)
    }

    /// Polls for Ctrl-C between batches where predictions are slow. A normalised tally computes norms that all rows
    /// share, so it takes all rows at once.
    fn predict_in_batches(
        &self,
        rows: &Rows<'_>,
        decision: Decision,
        options: PredictOptions,
        scores: bool,
    ) -> PyResult<Predictions> {
        const ROWS: usize = 512;
        let is_quick =
            self.inner.linear().is_some() || options.tally.name().ends_with("normalised");
        let step = if is_quick { rows.len().max(1) } else { ROWS * options.threads.max(1) };
        let signals = Signals::new();
        let mut all = Predictions { classes: Vec::new(), scores: Vec::new() };
        for first in (0..rows.len()).step_by(step) {
            if signals.poll_now() {
                return Err(signals.into_interrupt());
            }
            let places: Vec<usize> = (first..rows.len().min(first + step)).collect();
            let selected = (places.len() < rows.len()).then(|| rows.select(&places));
            let batch = selected.as_ref().unwrap_or(rows);
            let needs_scores = scores || self.has_probable_labels();
            let predicted = self.inner.classify(batch, decision, options, needs_scores);
            let predicted = predicted.map_err(|error| predict_error(error, first))?;
            let predicted = match &self.calibration {
                Some(calibration) => calibration.relabelled(decision, options.tally, predicted),
                None => predicted,
            };
            all.classes.extend(predicted.classes);
            if scores {
                all.scores.extend(predicted.scores);
            }
        }
        Ok(all)
    }
}

fn negated_path(path: &WeightSequence) -> WeightSequence {
    let negated = |update: &UpdateRecord| UpdateRecord { step: -update.step, ..*update };
    WeightSequence { start: path.start, moves: path.moves.iter().map(negated).collect() }
}

/// The rows with the features of the model. Sparse rows may have fewer.
fn with_model_width(rows: Rows<'_>, expected: usize) -> PyResult<Rows<'_>> {
    let found = rows.features();
    if found == expected {
        Ok(rows)
    } else if found < expected && rows.is_sparse() {
        rows.with_features(expected).map_err(value_error)
    } else {
        Err(value_error(format!("{found} features, the model has {expected}")))
    }
}

/// Hyperplanes for features before scaling.
pub(crate) fn unscaled(planes: &[Hyperplane], scaling: &Scaling) -> Vec<Hyperplane> {
    planes.iter().map(|plane| plane.unscaled(scaling)).collect()
}

/// The error of a batch that begins at row `first`.
fn predict_error(error: PredictError, first: usize) -> PyErr {
    match error.row() {
        Some(row) => {
            let row = first + row;
            value_error(format!(
                "row {row}: what is computed of it is past the range of 64-bit numbers"
            ))
        }
        None => value_error(error),
    }
}
