//! Many runs over random orders.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use rosenblatt::study::{
    self as engine, HeldOutSweep, Plan, StudyError, StudyStatement, Sweep, SweepPoint,
    SweepStatement,
};
use rosenblatt_core::{
    data::{Examples, Labelled},
    train::Options,
};
use serde::Serialize;

use crate::{
    classifier::scheme,
    errors::{detached, json, value_error},
    matrix::{Matrix, numbers},
    options::RunOptions,
    signals::{StopFlag, stoppable},
};

/// The change of the examples, and the share of them that each of its runs holds out.
type SweepRequest = Option<(Sweep, Option<f64>)>;

/// A study, and the results of its sweep.
#[derive(Serialize)]
struct StudyJson<'a> {
    #[serde(flatten)]
    study: StudyStatement<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<Vec<SweepStatement>>,
}

/// Studies runs whose seeds begin with that of the options; returns the JSON of `rosenblatt study --json`.
#[pyfunction]
#[pyo3(signature = (matrix, classes, options, runs, threads, sweep = None, holdout = None))]
#[allow(clippy::too_many_arguments)] // the caller names them
pub(crate) fn study(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    options: &RunOptions,
    runs: usize,
    threads: usize,
    sweep: Option<&str>,
    holdout: Option<f64>,
) -> PyResult<String> {
    let sweep = sweep.map(sweep_named).transpose()?.map(|sweep| (sweep, holdout));
    let (view, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        let rows = view.rows().map_err(value_error)?;
        let labelled = Labelled::new(&rows, classes, scheme(2)).map_err(value_error)?;
        let Some(&examples) = labelled.problems().first() else {
            return Err(value_error("a study needs examples of two classes"));
        };
        let plan = Plan { runs, threads };
        let found = stoppable(|stop| studied(&examples, &options.0, &plan, sweep, stop))?;
        found.map_err(value_error)?
    })
}

/// The JSON of a study with its sweep.
fn studied(
    examples: &Examples<'_>,
    options: &Options,
    plan: &Plan,
    sweep: SweepRequest,
    stop: &StopFlag,
) -> Result<PyResult<String>, StudyError> {
    let study = engine::study(examples, options, plan, stop)?;
    let points = match sweep {
        None => None,
        Some((sweep, None)) => Some(engine::sweep(examples, options, sweep, plan, stop)?),
        Some((sweep, Some(share))) => {
            let held_out = HeldOutSweep { sweep, share };
            Some(engine::sweep_held_out(examples, options, held_out, plan, stop)?)
        }
    };
    let sweep = points.map(|points| points.iter().map(SweepPoint::statement).collect());
    Ok(json(&StudyJson { study: study.statement(), sweep }))
}

fn sweep_named(name: &str) -> PyResult<Sweep> {
    let found = Sweep::ALL.into_iter().find(|sweep| sweep.name() == name);
    found.ok_or_else(|| value_error(format!("sweep is {name:?}, which is none")))
}
