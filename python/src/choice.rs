//! The choice of the best setting: `choose`.

use numpy::PyReadonlyArray1;
use pyo3::{exceptions::PyKeyboardInterrupt, prelude::*};
use rosenblatt::{
    Error,
    recipe::{Choice, Chooser, Part, Prepared, Recipe, Table, settings},
};
use rosenblatt_core::{
    data::Scaling,
    train::{Fit, Resources},
};

use crate::{
    classifier::scheme,
    errors::{detached, value_error},
    fit::{PreparationNames, prepare_options},
    matrix::{Matrix, numbers},
    options::RunOptions,
    signals::{StopFlag, stoppable},
};

/// Why a choice ended.
enum ChoiceError {
    Engine(Error),
    /// Ctrl-C.
    Interrupt,
}

impl From<Error> for ChoiceError {
    fn from(error: Error) -> Self {
        ChoiceError::Engine(error)
    }
}

/// Of each setting the words of the command for it, its accuracy on held-out rows and the standard deviation, if there are folds.
type Measured = Vec<(String, f64, Option<f64>)>;

/// Compares the usual settings in place of those of `options` and `prepare`, and returns what they reached and the place of the best.
#[pyfunction]
#[pyo3(signature = (matrix, classes, count, options, *, weights = None, threads = 1, prepare = None))]
#[allow(clippy::too_many_arguments)] // the caller names them
pub(crate) fn choose(
    py: Python<'_>,
    matrix: Matrix<'_>,
    classes: PyReadonlyArray1<'_, u32>,
    count: usize,
    options: &RunOptions,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    threads: usize,
    prepare: Option<PreparationNames>,
) -> PyResult<(Measured, usize)> {
    let prepare = prepare.as_ref().map(prepare_options).transpose()?.unwrap_or_default();
    let options = options.starting_from(None)?;
    let resources = Resources { threads, ..Resources::default() };
    let recipe =
        Recipe { options: &options, prepare, resources, dense_limit: Scaling::DENSE_LIMIT };
    let (view, classes) = (matrix.view()?, numbers(&classes)?);
    let weights = weights.as_ref().map(numbers).transpose()?;
    let all = settings(&options, prepare);
    let Choice { measured, best } = detached(py, || {
        let rows = &view.rows().map_err(value_error)?;
        let table =
            Table { rows, numbers: classes, scheme: scheme(count), weights, refilled: None };
        let is_over = |error: &ChoiceError| matches!(error, ChoiceError::Interrupt);
        let choice = stoppable(|stop| {
            let make_run = &|prepared: &Prepared<'_>| run(prepared, stop);
            let chooser = Chooser { settings: &all, groups: None, make_run, is_over };
            chooser.choose(&recipe, &Part::whole(table))
        })?;
        choice.map_err(|error| match error {
            ChoiceError::Engine(error) => value_error(error),
            ChoiceError::Interrupt => PyKeyboardInterrupt::new_err(()),
        })
    })?;
    let measured = all.into_iter().zip(measured);
    Ok((measured.map(|(setting, one)| (setting.words, one.accuracy, one.sd)).collect(), best))
}

/// A run that Ctrl-C can end.
fn run(prepared: &Prepared<'_>, stop: &StopFlag) -> Result<Fit, ChoiceError> {
    let fit = prepared.fit(None, &mut &*stop);
    if stop.is_set() { Err(ChoiceError::Interrupt) } else { Ok(fit?) }
}
