//! The recipe of a [`Perceptron`]: split, choose, learn, judge, calibrate.

use super::{Perceptron, Run};
use crate::{
    Result,
    error::Error,
    recipe::{
        Choice, Chooser, EarlyStopping, JudgedBy, Judgement, LearnedClasses, Part, Prepared,
        Recipe, Setting, Table, calibrated, settings,
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
    /// Whether the best of the usual settings is taken.
    pub(super) best: bool,
}

impl Judging {
    /// Whether examples are held out in one way at most, and are there where something needs them.
    fn check(&self) -> Result<(), OptionError> {
        let Judging { early_stopping, hold_out, folds, calibrate, sweep, best } = self;
        let ways = [early_stopping.is_some(), hold_out.is_some(), folds.is_some()];
        if ways.iter().filter(|&&way| way).count() > 1 || (*best && ways[0]) {
            return Err(OptionError::HeldOutTwice);
        }
        let is_judged = hold_out.is_some() || folds.is_some();
        match is_judged || (calibrate.is_none() && sweep.is_empty()) {
            true => Ok(()),
            false => Err(OptionError::NothingHeldOut),
        }
    }
}

/// The choice by runs that nobody watches.
fn chooser(settings: &[Setting]) -> Chooser<'_, Error> {
    Chooser { settings, groups: None, make_run: &silent, is_over: |_| false }
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
            let setting = self.setting(self.options.clone());
            return self.learn((&train, Some(early)), classes, &setting, run);
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
            (None, None) => {
                let (swept, setting) = self.chosen(&whole, None, &LearnedClasses::All, &run)?;
                let model = self.learn((&whole, None), classes, &setting, run)?;
                let validation = Validation { swept, ..model.validation().clone() };
                Ok(model.with_validation(validation))
            }
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
        let (swept, setting) = self.chosen(&train, Some((within, by)), &learned, &run)?;
        let threads = run.resources.threads;
        let model = self.learn((&train, None), classes, &setting, run)?;
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
        let whole = Part::whole(table);
        let (swept, setting) =
            self.chosen(&whole, Some((table, by)), &LearnedClasses::All, &run)?;
        let crossed = if self.judging.best {
            let settings = settings(&self.options, self.prepare);
            let recipe = self.recipe(&self.options, &run);
            chooser(&settings).cross_validate(&recipe, table, (splitter, k_fold))?
        } else {
            let recipe = self.recipe(&setting.options, &run);
            recipe.cross_validate::<Error>(table, (splitter, k_fold), &silent)?
        };
        let folds = crossed.folds(&classes)?;
        let scores = match self.judging.calibrate {
            Some(_) => crossed.scores()?,
            None => HeldOutScores::default(),
        };
        let model = self.learn((&whole, None), classes, &setting, run)?;
        let validation = Validation::new(None, Some(folds), Some(splitter), model.report());
        self.judged(model, Validation { swept, ..validation }, &scores)
    }

    fn setting(&self, options: Options) -> Setting {
        Setting { words: String::new(), options, prepare: self.prepare }
    }

    /// The accuracies of the settings of [`Self::best`], by rows of `part`, or of the options of [`Self::sweep`], and the best of
    /// these; the options of this perceptron without any.
    fn chosen(
        &self,
        part: &Part<'_>,
        by: Option<(Table<'_>, JudgedBy<'_>)>,
        learned: &LearnedClasses,
        run: &Run<'_>,
    ) -> Result<(Vec<SweptValue>, Setting)> {
        if self.judging.best {
            let settings = settings(&self.options, self.prepare);
            let mut settings: Vec<Setting> =
                settings.iter().map(|setting| setting.among(learned)).collect();
            let recipe = self.recipe(&self.options, run);
            let Choice { measured, best } = chooser(&settings).choose(&recipe, part)?;
            return Ok((measured, settings.swap_remove(best)));
        }
        let Some((table, by)) = by else {
            return Ok((Vec::new(), self.setting(learned.of_options(self.options.clone()))));
        };
        let setting = |options: &Options| self.setting(learned.of_options(options.clone()));
        let all: Vec<Setting> = self.judging.sweep.iter().map(setting).collect();
        let chooser = Chooser { is_over: |_| true, ..chooser(&all) };
        let Choice { measured, best } =
            chooser.compare(&self.recipe(&self.options, run), table, by)?;
        let best = all.into_iter().nth(best).unwrap_or_else(|| setting(&self.options));
        Ok((measured, best))
    }

    /// Prepares and learns from a part.
    fn learn(
        &self,
        (part, early): (&Part<'_>, Option<EarlyStopping<'_>>),
        classes: Classes,
        setting: &Setting,
        run: Run<'_>,
    ) -> Result<Model> {
        let Setting { options, prepare, .. } = setting;
        let recipe = Recipe { prepare: *prepare, ..self.recipe(options, &run) };
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
