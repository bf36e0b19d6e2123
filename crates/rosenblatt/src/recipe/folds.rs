//! Cross-validation and the comparison of options: runs that are judged by rows that they did not learn from.

use super::{
    Judgement, LearnedClasses, Part, Prepared, Recipe, Table, Trained,
    workers::{in_order, shared},
};
use crate::{Result, error::Error};
use rosenblatt_core::{
    calibration::{CalibrationError, HeldOutScores},
    data::{Classes, Decision, Scale},
    metrics::{CountError, Judged},
    options::Options,
    split::{KFold, Split, Splitter},
    train::Fit,
    validation::{Folds, Novelty, SweptValue},
};

/// A run that the caller makes, on any thread: [`Prepared::fit`], with what he observes.
pub type MakeRun<'r, E> = &'r (dyn Fn(&Prepared<'_>) -> Result<Fit, E> + Sync);

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

    /// Judges each of the folds by a run on the others. A fold whose others are of one class is predicted as this class. As many
    /// folds are judged at once as there are threads, or as their rows fit into the memory if these are fewer; neither changes the
    /// result.
    ///
    /// Cost: that of as many runs as there are folds, without comparisons, and the predictions of all rows, each times the repeats.
    ///
    /// # Errors
    /// [`Error`], or the error of a run: that of the first fold that has one.
    pub fn cross_validate<E: From<Error> + Send>(
        &self,
        table: Table<'_>,
        (splitter, k_fold): (&Splitter<'_>, KFold),
        make_run: MakeRun<'_, E>,
    ) -> Result<CrossValidation, E> {
        let splits = splitter.repeated_folds(k_fold, self.options.seed).map_err(Error::from)?;
        let workers = self.folds_at_once(table).min(splits.len()).max(1);
        let recipe = Recipe { resources: shared(self.resources, workers), ..*self };
        let judge = |fold: usize| {
            let learned = LearnedClasses::of(table, &splits[fold].train);
            let missing = learned.missing(table.scheme.classes());
            let judged = recipe.judge_fold(table, (splitter, &splits[fold]), &learned, make_run);
            judged.map(|judgement| (judgement, missing))
        };
        let judged = in_order(splits.len(), workers, judge, Result::is_err);
        let judged: (Vec<_>, Vec<_>) = judged.into_iter().collect::<Result<_, E>>()?;
        let missing = judged.1.into_iter().flatten().next();
        Ok(CrossValidation::new(judged.0, k_fold.repeats, missing))
    }

    /// As many folds as there are threads, but no more than memory holds; 1 at least.
    fn folds_at_once(&self, table: Table<'_>) -> usize {
        /// A value of a row and its index, three times: with missing numbers filled, selected for the part, and prepared.
        const BYTES: usize = 3 * (size_of::<f64>() + size_of::<u32>());
        let Table { rows, .. } = table;
        let stored = match self.prepare.scaling() {
            Scale::Standard | Scale::Minmax => rows.len().saturating_mul(rows.features()),
            _ => rows.stored(),
        };
        let of_fold = stored.saturating_mul(BYTES).max(1);
        self.resources.threads.min(self.resources.memory / of_fold).max(1)
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
    pub fn accuracy<E: From<Error> + Send>(
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

#[cfg(test)]
mod tests {
    use super::*;
    use rosenblatt_core::{
        data::{Rows, Scheme},
        options::Resources,
        transforms::PrepareOptions,
    };

    #[derive(Debug, PartialEq)]
    enum Failed {
        Engine(Error),
        /// The run on numbers of this sum.
        Run(f64),
    }

    impl From<Error> for Failed {
        fn from(error: Error) -> Self {
            Failed::Engine(error)
        }
    }

    fn table<'a>(rows: &'a Rows<'_>, numbers: &'a [u32]) -> Table<'a> {
        let scheme = Scheme::Two { positive: 1 };
        Table { rows, numbers, scheme, weights: None, refilled: None }
    }

    fn recipe(options: &Options, scale: Scale, threads: usize, memory: usize) -> Recipe<'_> {
        let prepare = PrepareOptions { scale: Some(scale), ..PrepareOptions::default() };
        let resources = Resources { threads, memory, block: None };
        Recipe { options, prepare, resources, dense_limit: usize::MAX }
    }

    /// A stored value takes 3 × (8 + 4) bytes.
    #[test]
    fn folds_at_once_fit_into_memory() {
        let options = Options::default();
        let dense = Rows::dense(vec![1.0; 20], 2).unwrap();
        let sparse = Rows::sparse(vec![0, 1, 2], vec![0, 9], vec![1.0, 1.0], 10).unwrap();
        let at_once = |rows: &Rows<'_>, scale: Scale, threads: usize, memory: usize| {
            recipe(&options, scale, threads, memory).folds_at_once(table(rows, &[]))
        };
        assert_eq!(at_once(&dense, Scale::None, 4, 1 << 30), 4);
        assert_eq!(at_once(&dense, Scale::Auto, 4, 3 * 720), 3);
        assert_eq!(at_once(&dense, Scale::Standard, 4, 3 * 720 - 1), 2);
        assert_eq!(at_once(&dense, Scale::None, 4, 0), 1);
        assert_eq!(at_once(&sparse, Scale::Auto, 9, 720), 9);
        assert_eq!(at_once(&sparse, Scale::Minmax, 9, 720), 1);
        let empty = Rows::dense(Vec::<f64>::new(), 2).unwrap();
        assert_eq!(at_once(&empty, Scale::None, 4, 100), 4);
    }

    /// Every run fails in its own way but the first two.
    #[test]
    fn an_error_is_that_of_the_first_fold() {
        let cubes: Vec<f64> = (0..60).map(|i| f64::from(i * i * i)).collect();
        let rows = Rows::dense(cubes, 1).unwrap();
        let numbers: Vec<u32> = (0..60).map(|i| i % 2).collect();
        let (options, table) = (Options::default(), table(&rows, &numbers));
        let splitter = Splitter::new(&rows, &numbers, None);
        let splits = splitter.folds(10, options.seed).unwrap();
        let sum = |rows: &Rows<'_>| {
            let mut sum = 0.0;
            rows.iter().for_each(|row| row.for_each(|_, x| sum += x));
            sum
        };
        let sums: Vec<f64> = splits.iter().map(|split| sum(&rows.select(&split.train))).collect();
        let make_run = |prepared: &Prepared<'_>| {
            let found = sum(prepared.labelled()?.rows());
            match sums[..2].contains(&found) {
                true => Ok(prepared.fit(None, &mut ())?),
                false => Err(Failed::Run(found)),
            }
        };
        for threads in [1, 2, 3, 9, 99] {
            let recipe = recipe(&options, Scale::None, threads, 1 << 30);
            let crossed = recipe.cross_validate(table, (&splitter, 10.into()), &make_run);
            assert_eq!(crossed.map(|_| ()), Err(Failed::Run(sums[2])), "{threads}");
        }
    }
}
