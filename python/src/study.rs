//! Many runs over random orders.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use rosenblatt::{
    data::Labelled,
    study::{self as engine, Plan, StudyError, Watcher},
};

use crate::{
    classifier::scheme,
    errors::{detached, json, value_error},
    matrix::{Matrix, numbers},
    options::RunOptions,
    signals::Signals,
};

/// Stops all threads of a study.
struct StopFlag(AtomicBool);

impl Watcher for StopFlag {
    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Studies runs whose seeds begin with that of the options; returns the JSON of `rosenblatt study --json`.
#[pyfunction]
pub(crate) fn study(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    options: &RunOptions,
    runs: usize,
    threads: usize,
) -> PyResult<String> {
    let (view, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        let rows = view.rows().map_err(value_error)?;
        let labelled = Labelled::new(&rows, classes, scheme(2)).map_err(value_error)?;
        let Some(&examples) = labelled.problems().first() else {
            return Err(value_error("a study needs examples of two classes"));
        };
        let (plan, signals) = (Plan { runs, threads }, Signals::new());
        let stop = StopFlag(AtomicBool::new(false));
        // Python's signal handler runs in this thread, so another thread does the work.
        let result = std::thread::scope(|scope| {
            let work = scope.spawn(|| engine::study(&examples, &options.0, &plan, &stop));
            while !work.is_finished() {
                std::thread::park_timeout(Signals::PAUSE / 25);
                if signals.poll_now() {
                    stop.0.store(true, Ordering::Relaxed);
                }
            }
            work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        match result {
            Ok(study) => json(&study.statement()),
            Err(StudyError::Stopped) => Err(signals.into_interrupt()),
            Err(error) => Err(value_error(error)),
        }
    })
}
