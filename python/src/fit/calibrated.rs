//! A run whose model has probabilities: they are fitted to scores of examples that it did not learn from.

use pyo3::prelude::*;
use rosenblatt::{
    Error,
    recipe::{Part, Prepared, Table},
};
use rosenblatt_core::{
    calibration::{CalibrationMethod, HeldOutScores},
    data::Decision,
    split::Splitter,
    train::Fit,
    validation::CopiedRows,
};

use super::{CalibrateArguments, FitConfig, FitOutput, held_out, observed};
use crate::{errors::value_error, options::parse, signals::stoppable};

/// An error of a run: of the engine, or an exception of Python.
enum RunError {
    Engine(Error),
    Python(PyErr),
}

impl From<Error> for RunError {
    fn from(error: Error) -> Self {
        RunError::Engine(error)
    }
}

impl FitConfig<'_> {
    /// Trains and calibrates: on folds, each scored by a run on the others, or on examples that are held out.
    pub(super) fn run_and_calibrate(
        self,
        table: Table<'_>,
        calibrate: &CalibrateArguments,
    ) -> PyResult<FitOutput> {
        let method = parse("calibrate", &calibrate.method)?;
        let (seed, zero) = (self.recipe.options.seed, self.recipe.options.zero);
        let decision = Decision { scheme: table.scheme, zero };
        let splitter = Splitter::new(table.rows, table.numbers, None);
        let (scores, output) = match calibrate.folds {
            Some(k) => {
                let scores = self.scores_of_folds(table, (&splitter, k))?;
                (scores, self.train(&Part::whole(table), None)?)
            }
            None => {
                let split = held_out(&splitter, table, (calibrate.holdout, seed))?;
                let others = Part::select(table, &split.test);
                let output = self.train(&Part::select(table, &split.train), None)?;
                let mut scores = HeldOutScores::default();
                let judgement = output.trained.judge(&others, decision, 1, None);
                judgement.map_err(value_error)?.add_to(&mut scores);
                (scores, output)
            }
        };
        let output = FitOutput { copies: Some(CopiedRows::of(&splitter)), ..output };
        calibrated(&scores, output, decision, method)
    }

    /// The scores of all examples by runs on the other folds, which a tolerance can end too.
    fn scores_of_folds(
        &self,
        table: Table<'_>,
        (splitter, k): (&Splitter<'_>, usize),
    ) -> PyResult<HeldOutScores> {
        let tolerance = self.end.tol.zip(Some(self.end.patience));
        let recipe = &self.recipe;
        let crossed = stoppable(|stop| {
            let run = |prepared: &Prepared<'_>| -> Result<Fit, RunError> {
                let fit = observed(prepared, tolerance, None, Some(stop));
                Ok(fit.map_err(RunError::Python)?.0)
            };
            recipe.cross_validate(table, (splitter, k.into()), &run)
        })?;
        let scores = crossed.and_then(|crossed| Ok(crossed.scores().map_err(Error::from)?));
        scores.map_err(|error| match error {
            RunError::Python(error) => error,
            RunError::Engine(Error::Split(error)) => {
                value_error(format!("calibration_folds={k}: {error}"))
            }
            RunError::Engine(error) => value_error(error),
        })
    }
}

/// Fits probabilities to the scores.
fn calibrated(
    scores: &HeldOutScores,
    output: FitOutput,
    decision: Decision,
    method: CalibrationMethod,
) -> PyResult<FitOutput> {
    let units = output.trained.fit.classifier.score_units();
    let calibration = scores.calibrate(method, decision.scheme, &units).map_err(value_error)?;
    Ok(FitOutput { calibration: Some(calibration), ..output })
}
