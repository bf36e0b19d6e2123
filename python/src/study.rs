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
    failure::{detached, value},
    fit,
    matrix::{Matrix, numbers},
    watch::Signals,
};

/// Ctrl-C, for all threads of a study.
struct Bell(AtomicBool);

impl Watcher for Bell {
    #[inline]
    fn poll(&self) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Studies runs with the seeds from that of the options on: the JSON of `rosenblatt study --json`.
#[pyfunction]
pub(crate) fn study(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    options: &str,
    runs: usize,
    threads: usize,
) -> PyResult<String> {
    let options = fit::options(options)?;
    let (view, classes) = (matrix.view()?, numbers(&classes)?);
    detached(py, || {
        let rows = view.rows().map_err(value)?;
        let labelled = Labelled::new(&rows, classes, scheme(2)).map_err(value)?;
        let Some(&examples) = labelled.problems().first() else {
            return Err(value("a study needs examples of two classes"));
        };
        let bell = Bell(AtomicBool::new(false));
        let plan = Plan { runs, threads };
        let signals = Signals::new();
        // Python's handler runs in the thread that called, so another one does the work.
        let found = std::thread::scope(|scope| {
            let work = scope.spawn(|| engine::study(&examples, &options, &plan, &bell));
            while !work.is_finished() {
                std::thread::park_timeout(Signals::PAUSE / 25);
                if signals.look() {
                    bell.0.store(true, Ordering::Relaxed);
                }
            }
            work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        match found {
            Ok(found) => serde_json::to_string(&found.statement()).map_err(value),
            Err(StudyError::Stopped) => Err(signals.or_interrupt()),
            Err(error) => Err(value(error)),
        }
    })
}
