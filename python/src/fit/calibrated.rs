//! A run whose model has probabilities: they are fitted to scores of examples that it did not learn from.

use std::fmt::Display;

use pyo3::prelude::*;
use rosenblatt_core::{
    calibration::{CalibrationMethod, HeldOutScores},
    data::Decision,
    model::PredictOptions,
    split::{SplitError, Splitter},
    train::Options,
};

use super::{CalibrateArguments, CopiesCount, FitConfig, FitInput, FitOutput, RunEnd};
use crate::{classifier::scheme, errors::value_error, options::parse};

impl FitConfig<'_> {
    /// Trains and calibrates: on folds, each scored by a run on the others, or on examples that are held out.
    pub(super) fn run_and_calibrate(
        self,
        input: FitInput<'_>,
        calibrate: &CalibrateArguments,
    ) -> PyResult<FitOutput> {
        let method = parse("calibrate", &calibrate.method)?;
        let mut scores = HeldOutScores::default();
        let (seed, zero) = (self.options.seed, self.options.zero);
        let decision = Decision { scheme: scheme(input.count), zero };
        let splitter = Splitter::new(input.rows, input.classes, None);
        let Some(k) = calibrate.folds else {
            let share = calibrate.holdout;
            let split = splitter
                .hold_out(share, seed)
                .and_then(|split| split.with_all_classes(input.classes))
                .map_err(|error| split_error("validation_fraction", share, error))?;
            let (training, others) = (input.select(&split.train), input.select(&split.test));
            let mut output = self.train(training.view(), None)?;
            add(&mut scores, &output, others.view(), decision)?;
            output.fit.classifier.renumber(|place| split.train[place]);
            output.copies = Some(CopiesCount::of(&splitter));
            return calibrated(&scores, output, decision, method);
        };
        let splits =
            splitter.folds(k, seed).map_err(|error| split_error("calibration_folds", k, error))?;
        let options = Options { compare: false, ..self.options.clone() };
        for split in splits {
            let (training, others) = (input.select(&split.train), input.select(&split.test));
            let output = self.silent(&options).train(training.view(), None)?;
            add(&mut scores, &output, others.view(), decision)?;
        }
        let mut output = self.train(input, None)?;
        output.copies = Some(CopiesCount::of(&splitter));
        calibrated(&scores, output, decision, method)
    }

    /// The configuration of a run without callbacks.
    fn silent<'o>(&self, options: &'o Options) -> FitConfig<'o> {
        let FitConfig { prepare, resources, end, .. } = self;
        let (prepare, resources, end) = (*prepare, *resources, RunEnd { calibrate: None, ..*end });
        FitConfig { options, prepare, resources, end, after_epoch: None }
    }
}

/// Adds the scores of examples that the classifier did not learn from.
fn add(
    scores: &mut HeldOutScores,
    output: &FitOutput,
    others: FitInput<'_>,
    decision: Decision,
) -> PyResult<()> {
    let prepared = output.preparation.batch(others.rows).map_err(value_error)?;
    let classifier = &output.fit.classifier;
    let found = classifier.classify(&prepared, decision, PredictOptions::default(), true);
    let found = found.map_err(value_error)?;
    scores.add(&found.scores, others.classes, &classifier.score_units());
    Ok(())
}

/// Fits probabilities to the scores.
fn calibrated(
    scores: &HeldOutScores,
    output: FitOutput,
    decision: Decision,
    method: CalibrationMethod,
) -> PyResult<FitOutput> {
    let units = output.fit.classifier.score_units();
    let calibration = scores.calibrate(method, decision.scheme, &units).map_err(value_error)?;
    Ok(FitOutput { calibration: Some(calibration), ..output })
}

/// The error of a parameter by which examples are split.
fn split_error(parameter: &str, value: impl Display, error: SplitError) -> PyErr {
    value_error(format!("{parameter}={value}: {error}"))
}
