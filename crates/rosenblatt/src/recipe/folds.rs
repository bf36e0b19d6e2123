//! Cross-validation and the comparison of options: runs that are judged by rows that they did not learn from.

use super::{Judgement, LearnedClasses, Part, Prepared, Recipe, Table, Trained};
use crate::{Result, error::Error};
use rosenblatt_core::{
    calibration::{CalibrationError, HeldOutScores},
    data::{Classes, Decision},
    metrics::{CountError, Judged},
    options::Options,
    split::{KFold, Split, Splitter},
    train::Fit,
    validation::{Folds, Novelty, SweptValue},
};

/// A run that the caller makes: [`Prepared::fit`], with what he observes.
pub type MakeRun<'r, E> = &'r mut dyn FnMut(&Prepared<'_>) -> Result<Fit, E>;

/// The predictions of each fold by a run on the others.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossValidation {
    folds: Vec<Judgement>,
    repeats: usize,
    /// A class of which the runs of some fold had no row to learn from.
    missing: Option<usize>,
}

/// What judges each of several options.
#[derive(Clone, Copy)]
pub enum JudgedBy<'a> {
    /// A part to learn from, and the rows that are held out.
    HeldOut(&'a Part<'a>, &'a Part<'a>),
    /// These folds.
    Folds(&'a Splitter<'a>, KFold),
}

impl Recipe<'_> {
    /// Prepares a part, and makes a run on it that compares no other weights.
    fn learn<E: From<Error>>(
        &self,
        part: &Part<'_>,
        make_run: MakeRun<'_, E>,
    ) -> Result<Trained, E> {
        let options = Options { compare: false, ..self.options.clone() };
        let recipe = Recipe { options: &options, ..*self };
        let prepared = recipe.prepare(part, None)?;
        let fit = make_run(&prepared)?;
        Ok(prepared.trained(fit))
    }

    /// Judges each of the folds by a run on the others. A fold whose others are of one class is predicted as this class.
    ///
    /// Cost: that of as many runs as there are folds, without comparisons, and the predictions of all rows, each times the repeats.
    ///
    /// # Errors
    /// [`Error`], or the error of a run.
    pub fn cross_validate<E: From<Error>>(
        &self,
        table: Table<'_>,
        (splitter, k_fold): (&Splitter<'_>, KFold),
        make_run: MakeRun<'_, E>,
    ) -> Result<CrossValidation, E> {
        let splits = splitter.repeated_folds(k_fold, self.options.seed).map_err(Error::from)?;
        let (mut folds, mut missing) = (Vec::new(), None);
        for split in &splits {
            let learned = LearnedClasses::of(table, &split.train);
            missing = missing.or(learned.missing(table.scheme.classes()));
            folds.push(self.judge_fold(table, (splitter, split), &learned, make_run)?);
        }
        Ok(CrossValidation::new(folds, k_fold.repeats, missing))
    }

    pub(super) fn judge_fold<E: From<Error>>(
        &self,
        table: Table<'_>,
        (splitter, split): (&Splitter<'_>, &Split),
        learned: &LearnedClasses,
        make_run: MakeRun<'_, E>,
    ) -> Result<Judgement, E> {
        let refilled = table.refilled.and_then(|refilled| refilled(&split.train));
        let table = Table { rows: refilled.as_ref().unwrap_or(table.rows), ..table };
        let held_out = Part::held_out(table, splitter, split);
        if let LearnedClasses::One(class) = learned {
            return Ok(Judgement::constant(*class, &held_out));
        }
        let options = learned.of_options(self.options.clone());
        let recipe = Recipe { options: &options, ..*self };
        let within = learned.of_table(table);
        let trained = recipe.learn(&Part::select(within, &split.train), make_run)?;
        let decision = Decision { scheme: within.scheme, zero: options.zero };
        Ok(trained.judge(&held_out, decision, self.resources.threads, learned.among())?)
    }

    /// The accuracy on rows that are held out.
    ///
    /// # Errors
    /// [`Error`], or the error of a run.
    pub fn accuracy<E: From<Error>>(
        &self,
        table: Table<'_>,
        by: JudgedBy<'_>,
        make_run: MakeRun<'_, E>,
    ) -> Result<SweptValue, E> {
        match by {
            JudgedBy::HeldOut(train, held_out) => {
                let trained = self.learn(train, make_run)?;
                let decision = Decision { scheme: train.scheme(), zero: self.options.zero };
                let judgement = trained.judge(held_out, decision, self.resources.threads, None)?;
                Ok(SweptValue { accuracy: judgement.accuracy(), sd: None })
            }
            JudgedBy::Folds(splitter, k_fold) => {
                let folds = self.cross_validate(table, (splitter, k_fold), make_run)?.accuracies();
                let (mean, sd) = rosenblatt_core::validation::mean_and_sd(&folds);
                Ok(SweptValue { accuracy: mean, sd: Some(sd) })
            }
        }
    }
}

impl CrossValidation {
    pub(super) fn new(folds: Vec<Judgement>, repeats: usize, missing: Option<usize>) -> Self {
        CrossValidation { folds, repeats, missing }
    }

    /// The accuracy of each fold.
    pub fn accuracies(&self) -> Vec<f64> {
        self.folds.iter().map(Judgement::accuracy).collect()
    }

    /// The rates of the folds, for these names of the classes.
    ///
    /// # Errors
    /// [`CountError`] for more classes than a confusion matrix has.
    pub fn folds(&self, classes: &Classes) -> Result<Folds, CountError> {
        let judged = |fold: &Judgement| fold.judged(classes.names().len());
        let judged: Vec<Judged> = self.folds.iter().map(judged).collect::<Result<_, _>>()?;
        let mut novelty = Novelty::default();
        self.folds.iter().for_each(|fold| fold.count(&mut novelty));
        Folds::of((&judged, self.repeats), classes, novelty)
    }

    /// The scores of all rows, each by runs that did not learn from it, one for each repeat.
    ///
    /// # Errors
    /// [`CalibrationError::FoldWithoutClass`].
    pub fn scores(&self) -> Result<HeldOutScores, CalibrationError> {
        if let Some(class) = self.missing {
            return Err(CalibrationError::FoldWithoutClass { class });
        }
        let mut scores = HeldOutScores::default();
        self.folds.iter().for_each(|fold| fold.add_to(&mut scores));
        Ok(scores)
    }
}
