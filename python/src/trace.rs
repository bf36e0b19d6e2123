//! A run visit by visit: `trace`.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use rosenblatt::LectureNotes;
use rosenblatt_core::{
    data::{Labelled, Rows, Scaling},
    keep::Keep,
    trace::Tracer,
    train::{self, Options, Resources},
    transforms::{Preparation, PrepareOptions},
};
use rosenblatt_data::{TraceFormat, TraceTable};

use crate::{
    classifier::scheme,
    errors::{detached, value_error},
    fit::{PreparationNames, prepare_options},
    matrix::{Matrix, numbers},
    options::{InitialArrays, RunOptions, notes_named},
    signals::Signals,
};

/// A run to trace, and the form of its table.
struct TraceRequest<'a> {
    options: Options,
    prepare: PrepareOptions,
    features: &'a [String],
    epochs: Option<u64>,
    has_threshold: bool,
}

/// Returns the table of the visits of a run as CSV, and whether the run has more. `prepare` is that of `fit`; `epochs` of them,
/// or the first 10,000 visits.
#[pyfunction]
#[pyo3(signature = (matrix, classes, options, *, features, prepare, epochs, start = None, notes = None))]
#[allow(clippy::too_many_arguments)] // the caller names them
pub(crate) fn trace(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    options: &RunOptions,
    features: Vec<String>,
    prepare: PreparationNames,
    epochs: Option<u64>,
    start: Option<InitialArrays<'_>>,
    notes: Option<&str>,
) -> PyResult<(String, bool)> {
    let notes = notes.map(notes_named).transpose()?;
    // Which weights become the model changes no visit.
    let options = Options { keep: Keep::Last, ..options.starting_from(start.as_ref())? };
    let request = TraceRequest {
        options,
        prepare: prepare_options(&prepare)?,
        features: &features,
        epochs,
        has_threshold: notes.is_some_and(LectureNotes::has_threshold),
    };
    let (view, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || request.run(&view.rows().map_err(value_error)?, classes))
}

impl TraceRequest<'_> {
    fn run(mut self, rows: &Rows<'_>, classes: &[u32]) -> PyResult<(String, bool)> {
        let visits = self.visits(rows)?;
        let (bias, limit) = (self.options.bias, Scaling::DENSE_LIMIT);
        let fitted = Preparation::fit(self.prepare, rows, None, bias, limit);
        let (preparation, prepared) = fitted.map_err(value_error)?;
        self.options.init = preparation.initial(&self.options.init);
        if let Some(epochs) = self.epochs {
            self.options.epochs = self.options.epochs.min(epochs);
        }
        let rows = prepared.as_ref().unwrap_or(rows);
        let labelled = Labelled::new(rows, classes, scheme(2)).map_err(value_error)?;
        let Some(&examples) = labelled.problems().first() else {
            return Err(value_error("a trace needs examples of two classes"));
        };
        let tracer = Tracer::new(examples, &self.options, visits as usize).map_err(value_error)?;
        let mut observers = (Signals::new(), tracer.ending_the_run());
        let resources = Resources::default();
        let run = train::fit(&labelled, &self.options, &resources, None, &mut observers);
        let (signals, tracer) = observers;
        if let Some(error) = signals.into_error() {
            return Err(error);
        }
        run.map_err(value_error)?;
        let trace = &tracer.finish().map_err(value_error)?;
        let (features, has_threshold) = (self.features, self.has_threshold);
        let table = TraceTable { trace, examples, features, has_threshold };
        Ok((table.text(TraceFormat::Csv), !trace.is_whole))
    }

    /// The most visits of the trace.
    fn visits(&self, rows: &Rows<'_>) -> PyResult<u64> {
        let most = TraceTable::most_visits(rows.features());
        let Some(epochs) = self.epochs else { return Ok((TraceTable::VISITS as u64).min(most)) };
        let visits = epochs.min(self.options.epochs).saturating_mul(rows.len() as u64);
        if visits <= most {
            return Ok(visits);
        }
        let features = rows.features();
        let hint = match most / rows.len() as u64 {
            0 => "leave out epochs".to_owned(),
            epochs => format!("use epochs={epochs}"),
        };
        let message = format!("a trace has at most {most} visits of {features} features: {hint}");
        Err(value_error(message))
    }
}
