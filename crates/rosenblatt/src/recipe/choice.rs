//! The choice among settings: each learns from some of the rows that there are to learn from and is judged by the others.

use super::{
    CrossValidation, JudgedBy, Judgement, LearnedClasses, MakeRun, Part, Recipe, Table,
    workers::{in_order, shared},
};
use crate::{Result, error::Error};
use rosenblatt_core::{
    data::{Rows, Scale},
    options::{Options, Penalty},
    rules::Update,
    split::{KFold, Split, Splitter},
    transforms::{Normalise, PrepareOptions, Weighting},
    validation::{SweptValue, mean_and_sd},
};

/// A setting that may be the best: what the run and the preparation do.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The options of the command for it; empty for what is done without any.
    pub words: String,
    /// The options of the run.
    pub options: Options,
    /// The options of the preparation.
    pub prepare: PrepareOptions,
}

/// The settings among which the best is chosen: these options of a run and of its preparation first, then with another rule, penalty,
/// scaling or weighting of counts in place of theirs. `docs/accuracy.md` has the measurements behind the list.
pub fn settings(options: &Options, prepare: PrepareOptions) -> Vec<Setting> {
    let usual = Setting { words: String::new(), options: options.clone(), prepare };
    let rule = |update: Update| Setting {
        words: format!("--update {update}"),
        options: Options { update, ..options.clone() },
        prepare,
    };
    let penalised = |setting: Setting| {
        let penalty = Penalty { alpha: 0.001, l1_ratio: 0.0 };
        Setting {
            words: format!("--penalty {penalty} {}", setting.words).trim_end().to_owned(),
            options: Options { penalty: Some(penalty), ..setting.options },
            ..setting
        }
    };
    let scaled = |scale: Scale| Setting {
        words: format!("--scale {}", scale.name()),
        prepare: PrepareOptions { scale: Some(scale), ..prepare },
        ..usual.clone()
    };
    let weighted = |weighting: Weighting, normalise: Normalise| {
        let l2 = if normalise.is_none() { "" } else { " --normalise l2" };
        Setting {
            words: format!("--weighting {}{l2}", weighting.name()),
            prepare: PrepareOptions { weighting, normalise, ..prepare },
            ..usual.clone()
        }
    };
    vec![
        usual.clone(),
        rule(Update::pa1(0.1)),
        rule(Update::pa1(1.0)),
        rule(Update::arow(1.0)),
        rule(Update::arow(10.0)),
        penalised(usual.clone()),
        scaled(Scale::Minmax),
        penalised(scaled(Scale::Maxabs)),
        weighted(Weighting::Log, Normalise::None),
        weighted(Weighting::Tfidf, Normalise::L2),
    ]
}

/// The settings and what they reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// For each setting its accuracies on held-out rows; 0 where a run failed.
    pub measured: Vec<SweptValue>,
    /// The first setting with the highest accuracy.
    pub best: usize,
}

/// What chooses: settings, and the rows that belong together.
#[derive(Clone, Copy)]
pub struct Chooser<'a, E> {
    /// The settings, the usual one first.
    pub settings: &'a [Setting],
    /// The number of the group of each row of the table, if rows of a group are held out together.
    pub groups: Option<&'a [u32]>,
    /// Makes a run.
    pub make_run: MakeRun<'a, E>,
    /// Whether an error ends everything. Any other error of a run speaks against its setting, unless it is the first.
    pub is_over: fn(&E) -> bool,
}

/// The number of folds by which settings are compared.
const FOLDS: usize = 3;
/// Up to so many rows the folds are made several times.
const FEW_ROWS: usize = 500;
/// How often.
const REPEATS: usize = 3;
/// From so many rows on, one part is held out instead.
const MANY_ROWS: usize = 20_000;

/// The number of runs by which a setting is compared with others on so many rows.
pub fn comparisons(rows: usize) -> usize {
    match rows {
        MANY_ROWS.. => 1,
        0..=FEW_ROWS => FOLDS * REPEATS,
        _ => FOLDS,
    }
}

impl<E: From<Error> + Send> Chooser<'_, E> {
    /// Chooses by rows of a part that are held out: in three folds, of up to 500 rows three times, and of 20,000 rows or more by a
    /// fifth of them. The settings are compared on as many threads as there are; the result depends neither on these nor on the
    /// order in which they end.
    ///
    /// Cost: for each setting that of as many runs as there are folds, each on the others.
    ///
    /// # Errors
    /// [`Error`], or an error of a run.
    pub fn choose(&self, recipe: &Recipe<'_>, part: &Part<'_>) -> Result<Choice, E> {
        let of_part =
            |groups: &[u32]| (0..part.rows().len()).map(|row| groups[part.place(row)]).collect();
        let splitter = Splitter::new(part.rows(), part.numbers(), self.groups.map(of_part));
        let seed = recipe.options.seed;
        let splits = match comparisons(part.rows().len()) {
            1 => vec![splitter.hold_out(0.2, seed).map_err(Error::from)?],
            all => {
                let k_fold = KFold { folds: FOLDS, repeats: all / FOLDS };
                splitter.repeated_folds(k_fold, seed).map_err(Error::from)?
            }
        };
        let by = (&splitter, splits.as_slice());
        self.measure_all(recipe, &|recipe| self.measured(recipe, part, by))
    }

    /// Compares the settings on rows that are held out: on as many threads as there are, with a result that depends neither on
    /// these nor on the order in which they end.
    ///
    /// Cost: for each setting that of [`Recipe::accuracy`].
    ///
    /// # Errors
    /// As for [`Self::choose`].
    pub fn compare(
        &self,
        recipe: &Recipe<'_>,
        table: Table<'_>,
        by: JudgedBy<'_>,
    ) -> Result<Choice, E> {
        self.measure_all(recipe, &|recipe| recipe.accuracy(table, by, self.make_run))
    }

    /// Measures this recipe with each of the settings. They share its threads and its memory.
    fn measure_all(
        &self,
        recipe: &Recipe<'_>,
        measure: &(dyn Fn(&Recipe<'_>) -> Result<SweptValue, E> + Sync),
    ) -> Result<Choice, E> {
        let workers = recipe.resources.threads.clamp(1, self.settings.len().max(1));
        let resources = shared(recipe.resources, workers);
        let of_setting = |setting: usize| {
            let Setting { options, prepare, .. } = &self.settings[setting];
            measure(&Recipe { options, prepare: *prepare, resources, ..*recipe })
        };
        let is_over = |measured: &Result<SweptValue, E>| measured.as_ref().is_err_and(self.is_over);
        let found = in_order(self.settings.len(), workers, of_setting, is_over);
        let mut measured = Vec::with_capacity(found.len());
        for (setting, one) in found.into_iter().enumerate() {
            measured.push(match one {
                Err(error) if setting == 0 || (self.is_over)(&error) => return Err(error),
                Err(_) => SweptValue { accuracy: 0.0, sd: None },
                Ok(one) => one,
            });
        }
        let best = SweptValue::best(&measured);
        Ok(Choice { measured, best })
    }

    /// The accuracy of a recipe on rows of a part that are held out.
    fn measured(
        &self,
        recipe: &Recipe<'_>,
        part: &Part<'_>,
        (splitter, splits): (&Splitter<'_>, &[Split]),
    ) -> Result<SweptValue, E> {
        let table = part.table();
        let of_split = |split: &Split| {
            let learned = LearnedClasses::of(table, &split.train);
            let judged = recipe.judge_fold(table, (splitter, split), &learned, self.make_run);
            judged.map(|judgement| judgement.accuracy())
        };
        let accuracies = splits.iter().map(of_split).collect::<Result<Vec<f64>, E>>()?;
        let (accuracy, sd) = mean_and_sd(&accuracies);
        Ok(SweptValue { accuracy, sd: (accuracies.len() > 1).then_some(sd) })
    }

    /// Judges each of the folds by a run on the others with the setting that these choose, so that no row is judged by a setting
    /// that it chose.
    ///
    /// Cost: that of [`Self::choose`] and of a run, for each fold.
    ///
    /// # Errors
    /// As for [`Self::choose`].
    pub fn cross_validate(
        &self,
        recipe: &Recipe<'_>,
        table: Table<'_>,
        (splitter, k_fold): (&Splitter<'_>, KFold),
    ) -> Result<CrossValidation, E> {
        let splits = splitter.repeated_folds(k_fold, recipe.options.seed).map_err(Error::from)?;
        let (mut folds, mut missing) = (Vec::new(), None);
        for split in &splits {
            let learned = LearnedClasses::of(table, &split.train);
            missing = missing.or(learned.missing(table.scheme.classes()));
            folds.push(self.judge_fold(recipe, table, (splitter, split), &learned)?);
        }
        Ok(CrossValidation::new(folds, k_fold.repeats, missing))
    }

    fn judge_fold(
        &self,
        recipe: &Recipe<'_>,
        table: Table<'_>,
        by: (&Splitter<'_>, &Split),
        learned: &LearnedClasses,
    ) -> Result<Judgement, E> {
        let places = &by.1.train;
        let refilled: Option<Rows<'static>> = table.refilled.and_then(|refilled| refilled(places));
        let table =
            Table { rows: refilled.as_ref().unwrap_or(table.rows), refilled: None, ..table };
        let settings: Vec<Setting> =
            self.settings.iter().map(|setting| setting.among(learned)).collect();
        let best = match learned {
            LearnedClasses::One(_) => 0,
            _ => {
                let part = Part::select(learned.of_table(table), places);
                Chooser { settings: &settings, ..*self }.choose(recipe, &part)?.best
            }
        };
        let Setting { options, prepare, .. } = &self.settings[best];
        let recipe = Recipe { options, prepare: *prepare, ..*recipe };
        recipe.judge_fold(table, by, learned, self.make_run)
    }
}

impl Setting {
    /// The setting for these classes.
    #[must_use]
    pub fn among(&self, learned: &LearnedClasses) -> Self {
        Setting { options: learned.of_options(self.options.clone()), ..self.clone() }
    }
}
