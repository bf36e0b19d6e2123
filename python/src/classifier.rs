//! What classifies, and the weights in it.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{prelude::*, types::PyBytes};
use rosenblatt::{
    data::{Decision, Rows, Scaling, Scheme, ZeroScore},
    keep::{UpdateRecord, Voted, WeightSequence},
    model::{self, PredictError, PredictOptions, Predictions},
    report::Report,
    space::Hyperplane,
    train::Options,
};

use rosenblatt_data::ModelFile;

use crate::{
    description::unnamed_model,
    failure::{detached, of_model_file, value},
    hyperplanes::{Planes, hyperplanes, planes},
    matrix::Matrix,
    watch::Signals,
};

/// Hyperplanes in the space of the features or of a kernel, or a vote of them.
#[pyclass(frozen, module = "rosenblatt._native")]
pub(crate) struct Classifier {
    pub(crate) inner: model::Classifier,
    /// The run that it came from; without one it cannot be pickled.
    pub(crate) run: Option<Box<(Options, Report)>>,
}

/// Numbers of classes, and scores.
type Predicted<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>);

/// The scheme of so many classes: of two the later one is positive.
pub(crate) fn scheme(classes: usize) -> Scheme {
    match classes {
        0..=2 => Scheme::Two { positive: 1 },
        _ => Scheme::OneVsRest { classes },
    }
}

#[pymethods]
impl Classifier {
    /// Hyperplanes in the space of the features.
    #[staticmethod]
    fn linear(
        weights: PyReadonlyArray2<'_, f64>,
        biases: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<Self> {
        let inner = model::Classifier::Linear(hyperplanes(&weights, &biases)?);
        Ok(Classifier { inner, run: None })
    }

    /// The same with every score negated; of a vote also what a score of 0 predicts of each hyperplane.
    fn negated(&self) -> Self {
        let negated = |plane: &Hyperplane| Hyperplane {
            // No weight is −0.
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
        Classifier { inner, run: self.run.clone() }
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

    /// The number of features.
    #[getter]
    fn features(&self) -> usize {
        self.inner.features()
    }

    /// Weights and biases: of the features, or in the dual form the coefficients of the supporting rows; nothing
    /// of a vote.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Option<Planes<'py>>> {
        match &self.inner {
            model::Classifier::Linear(all) => planes(py, all).map(Some),
            model::Classifier::Dual(dual) => planes(py, &dual.planes).map(Some),
            model::Classifier::Voted(_) => Ok(None),
        }
    }

    /// Of the dual form and a vote: the supporting rows in CSR form, their places among the training rows, and
    /// the number of updates by each of each hyperplane.
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

    /// The number of the class of each row, and with `scores` the score of each hyperplane for each row.
    ///
    /// `scaling` is `(shift, divisor)` of each feature. A score of exactly 0 of the only hyperplane gives class 1
    /// if `zero` is `positive`, and class 0 if it is `negative`.
    #[pyo3(signature = (matrix, classes, *, scores, zero, tally = "vote", threads = 1, scaling = None))]
    #[allow(clippy::too_many_arguments)] // they are named where it is called
    fn predict<'py>(
        &self,
        py: Python<'py>,
        matrix: Matrix<'py>,
        classes: usize,
        scores: bool,
        zero: &str,
        tally: &str,
        threads: usize,
        scaling: Option<&str>,
    ) -> PyResult<Predicted<'py>> {
        let zero: ZeroScore = serde_json::from_value(zero.into()).map_err(value)?;
        let by = Decision { scheme: scheme(classes), zero };
        let how = PredictOptions { tally: tally.parse().map_err(value)?, threads };
        let scaling: Option<Scaling> =
            scaling.map(serde_json::from_str).transpose().map_err(value)?;
        let view = matrix.view()?;
        let predict = || -> PyResult<Predictions> {
            let rows = of_width(view.rows().map_err(value)?, self.inner.features())?;
            let scaled = scaling.as_ref().map(|scaling| scaling.batch(&rows)).transpose();
            let scaled = scaled.map_err(|error| refused(error.into(), 0))?;
            let rows = scaled.as_ref().unwrap_or(&rows);
            self.in_parts(rows, by, how, scores)
        };
        let Predictions { classes, scores } = detached(py, predict)?;
        Ok((PyArray1::from_vec(py, classes), PyArray1::from_vec(py, scores)))
    }

    /// For pickle.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = PyBytes::new(slf.py(), &slf.get().model_bytes()?);
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }

    /// What `__reduce__` wrote.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let file = ModelFile::from_bytes("the pickled model", bytes).map_err(of_model_file)?;
        Ok(Self::of_file(file))
    }
}

impl Classifier {
    /// The classifier of a model file.
    pub(crate) fn of_file(file: ModelFile) -> Self {
        let run = Some(Box::new((file.options, file.report)));
        Classifier { inner: file.model.classifier, run }
    }

    /// The bytes of a model file without names, for pickle.
    fn model_bytes(&self) -> PyResult<Vec<u8>> {
        let Some((options, report)) = self.run.as_deref() else {
            return Err(value("only the classifier of a run can be pickled"));
        };
        unnamed_model(&self.inner, options, report)?.to_bytes().map_err(value)
    }

    /// Classifies some rows after others where each takes long, so that Ctrl-C is heeded. A normalised tally computes
    /// lengths that serve all rows, and takes them at once.
    fn in_parts(
        &self,
        rows: &Rows<'_>,
        by: Decision,
        how: PredictOptions,
        scores: bool,
    ) -> PyResult<Predictions> {
        const ROWS: usize = 512;
        let is_quick = self.inner.linear().is_some() || how.tally.name().ends_with("normalised");
        let step = if is_quick { rows.len().max(1) } else { ROWS * how.threads.max(1) };
        let signals = Signals::new();
        let mut all = Predictions { classes: Vec::new(), scores: Vec::new() };
        for first in (0..rows.len()).step_by(step) {
            if signals.look() {
                return Err(signals.or_interrupt());
            }
            let places: Vec<usize> = (first..rows.len().min(first + step)).collect();
            let part = if places.len() < rows.len() { Some(rows.select(&places)) } else { None };
            let part = part.as_ref().unwrap_or(rows);
            let found = self.inner.classify(part, by, how, scores);
            let found = found.map_err(|error| refused(error, first))?;
            all.classes.extend(found.classes);
            all.scores.extend(found.scores);
        }
        Ok(all)
    }
}

fn negated_path(path: &WeightSequence) -> WeightSequence {
    let negated = |one: &UpdateRecord| UpdateRecord { step: -one.step, ..*one };
    WeightSequence { start: path.start, moves: path.moves.iter().map(negated).collect() }
}

/// The rows as those of a model of so many features: sparse ones may end earlier.
fn of_width(rows: Rows<'_>, known: usize) -> PyResult<Rows<'_>> {
    let found = rows.features();
    if found == known {
        Ok(rows)
    } else if found < known && rows.is_sparse() {
        rows.with_features(known).map_err(value)
    } else {
        Err(value(format!("{found} features, the model has {known}")))
    }
}

/// What is wrong with rows after `first` others; they are counted from 0, as arrays are.
fn refused(error: PredictError, first: usize) -> PyErr {
    match error.row() {
        Some(row) => {
            let row = first + row;
            value(format!("row {row}: what is computed of it is past the range of 64-bit numbers"))
        }
        None => value(error),
    }
}
