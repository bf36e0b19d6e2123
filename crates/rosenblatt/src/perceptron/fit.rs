//! The recipe of a [`Perceptron`]: split, choose, learn, judge, calibrate.

use super::{Perceptron, Run};
use crate::{
    Result,
    error::Error,
    recipe::{
        EarlyStopping, JudgedBy, Judgement, LearnedClasses, Part, Prepared, Recipe, Table,
        calibrated,
    },
};
use rosenblatt_core::{
    calibration::{CalibrationMethod, HeldOutScores},
    data::{ClassError, Classes, Rows, Scaling},
    model::Model,
    options::{OptionError, Options},
    split::{KFold, Split, Splitter},
    train::Fit,
    validation::{SweptValue, Validation},
};

/// What is done with examples that a model does not learn from.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Judging {
    /// Early stopping: the share that is held out, and the patience.
    pub(super) early_stopping: Option<(f64, u64)>,
    pub(super) hold_out: Option<f64>,
    /// The number of folds, and how often they are made.
    pub(super) folds: Option<(usize, usize)>,
    pub(super) calibrate: Option<CalibrationMethod>,
    /// Options, of which the best on those examples are taken.
    #[serde(skip)]
    pub(super) sweep: Vec<Options>,
}

impl Judging {
    /// Whether examples are held out in one way at most, and are there where something needs them.
    fn check(&self) -> Result<(), OptionError> {
        let Judging { early_stopping, hold_out, folds, calibrate, sweep } = self;
        let ways = [early_stopping.is_some(), hold_out.is_some(), folds.is_some()];
        if ways.iter().filter(|&&way| way).count() > 1 {
            return Err(OptionError::HeldOutTwice);
        }
        let is_judged = hold_out.is_some() || folds.is_some();
        match is_judged || (calibrate.is_none() && sweep.is_empty()) {
            true => Ok(()),
            false => Err(OptionError::NothingHeldOut),
        }
    }
}

/// A run that nobody watches.
fn silent(prepared: &Prepared<'_>) -> Result<Fit> {
    prepared.fit(None, &mut ())
}

impl Perceptron {
    fn recipe<'o>(&self, options: &'o Options, run: &Run<'_>) -> Recipe<'o> {
        let (prepare, resources) = (self.prepare, run.resources);
        Recipe { options, prepare, resources, dense_limit: Scaling::DENSE_LIMIT }
    }

    /// Trains a model on rows and the number of the class of each.
    ///
    /// # Errors
    /// [`Error`](crate::Error), as for [`Self::fit`].
    pub fn fit_classes(
        &self,
        rows: &Rows<'_>,
        classes: Classes,
        numbers: &[u32],
        run: Run<'_>,
    ) -> Result<Model> {
        let Judging { early_stopping, hold_out, folds, .. } = self.judging;
        self.judging.check()?;
        let scheme = classes.scheme();
        let table = Table { rows, numbers, scheme, weights: run.weights, refilled: None };
        let whole = Part::whole(table);
        whole.labelled(rows)?;
        let seed = self.options.seed;
        let splitter = || Splitter::new(rows, numbers, None);
        if let Some((share, patience)) = early_stopping {
            let split = splitter().hold_out(share, seed)?.with_all_classes(numbers)?;
            let (train, part) =
                (Part::select(table, &split.train), Part::select(table, &split.test));
            let early = EarlyStopping { part: &part, patience, least: 1 };
            return self.learn((&train, Some(early)), classes, &self.options, run);
        }
        match (hold_out, folds) {
            (Some(share), _) => {
                let splitter = splitter();
                let split = splitter.hold_out(share, seed)?;
                self.fit_and_hold_out(table, &classes, (&splitter, &split), run)
            }
            (None, Some((folds, repeats))) => {
                let k_fold = KFold { folds, repeats };
                self.fit_and_cross_validate(table, classes, (&splitter(), k_fold), run)
            }
            (None, None) => self.learn((&whole, None), classes, &self.options, run),
        }
    }

    fn fit_and_hold_out(
        &self,
        table: Table<'_>,
        all: &Classes,
        (splitter, split): (&Splitter<'_>, &Split),
        run: Run<'_>,
    ) -> Result<Model> {
        let learned = LearnedClasses::of(table, &split.train);
        if let LearnedClasses::One(class) = learned {
            let (label, examples) = (all.names()[class as usize].clone(), split.train.len());
            return Err(ClassError::OneClass { label, examples }.into());
        }
        let (classes, unlearned) = learned.of_names(all);
        let within = learned.of_table(table);
        let train = Part::select(within, &split.train);
        let held_out = Part::held_out(within, splitter, split);
        let by = JudgedBy::HeldOut(&train, &held_out);
        let (swept, options) = self.chosen(within, by, &learned, &run)?;
        let threads = run.resources.threads;
        let model = self.learn((&train, None), classes, &options, run)?;
        let judgement = Judgement::of_model(&model, &held_out, threads)?;
        let (holdout, scores) = judgement.of_holdout(&model, unlearned)?;
        let validation = Validation::new(Some(holdout), None, Some(splitter), model.report());
        self.judged(model, Validation { swept, ..validation }, &scores)
    }

    fn fit_and_cross_validate(
        &self,
        table: Table<'_>,
        classes: Classes,
        (splitter, k_fold): (&Splitter<'_>, KFold),
        run: Run<'_>,
    ) -> Result<Model> {
        let by = JudgedBy::Folds(splitter, k_fold);
        let (swept, options) = self.chosen(table, by, &LearnedClasses::All, &run)?;
        let recipe = self.recipe(&options, &run);
        let crossed = recipe.cross_validate::<Error>(table, (splitter, k_fold), &mut silent)?;
        let folds = crossed.folds(&classes)?;
        let scores = match self.judging.calibrate {
            Some(_) => crossed.scores()?,
            None => HeldOutScores::default(),
        };
        let model = self.learn((&Part::whole(table), None), classes, &options, run)?;
        let validation = Validation::new(None, Some(folds), Some(splitter), model.report());
        self.judged(model, Validation { swept, ..validation }, &scores)
    }

    /// The accuracies of the options of [`Self::sweep`] and the best of these; the options of this perceptron without any.
    fn chosen(
        &self,
        table: Table<'_>,
        by: JudgedBy<'_>,
        learned: &LearnedClasses,
        run: &Run<'_>,
    ) -> Result<(Vec<SweptValue>, Options)> {
        let all = self.judging.sweep.iter().map(|options| learned.of_options(options.clone()));
        let all: Vec<Options> = all.collect();
        let accuracy =
            |options: &Options| self.recipe(options, run).accuracy::<Error>(table, by, &mut silent);
        let swept: Vec<SweptValue> = all.iter().map(accuracy).collect::<Result<_>>()?;
        let best = all.into_iter().nth(SweptValue::best(&swept));
        let options = best.unwrap_or_else(|| learned.of_options(self.options.clone()));
        Ok((swept, options))
    }

    /// Prepares and learns from a part.
    fn learn(
        &self,
        (part, early): (&Part<'_>, Option<EarlyStopping<'_>>),
        classes: Classes,
        options: &Options,
        run: Run<'_>,
    ) -> Result<Model> {
        let recipe = self.recipe(options, &run);
        let prepared = recipe.prepare(part, early)?;
        let mut unobserved = ();
        let fit = prepared.fit(run.resume, run.observer.unwrap_or(&mut unobserved))?;
        prepared.model(fit, classes, options.clone())
    }

    /// The model with its results on examples that it did not learn from, calibrated if that was asked for.
    fn judged(
        &self,
        model: Model,
        validation: Validation,
        scores: &HeldOutScores,
    ) -> Result<Model> {
        let model = match self.judging.calibrate {
            None => model,
            Some(method) => calibrated(model, method, scores)?,
        };
        Ok(model.with_validation(validation))
    }
}
