//! `--best`: the setting that does best on rows that are held out of those to learn from.

use rosenblatt::recipe::{
    Choice, Chooser, CrossValidation, FEWEST_EXAMPLES, Part, Prepared, Setting, comparisons,
    settings,
};
use rosenblatt_core::{
    split::{KFold, Splitter},
    train::{Fit, Options},
};

use super::{
    context::{Context, RunError},
    sweep::Sweep,
    training::run_silently,
    validation::groups,
};
use crate::{
    error::CliError,
    text::{counted, escaped},
};

/// The settings, compared by a command.
pub(super) struct Settings<'c, 'a> {
    context: &'c Context<'a>,
    /// The options without any setting.
    options: &'c Options,
    all: Vec<Setting>,
    groups: Option<Vec<u32>>,
}

impl<'c, 'a> Settings<'c, 'a> {
    /// Returns `None` without `--best`, which needs some `examples` to learn from.
    pub(super) fn new(
        context: &'c Context<'a>,
        options: &'c Options,
        examples: usize,
    ) -> Result<Option<Self>, CliError> {
        if !context.arguments.best {
            return Ok(None);
        }
        if examples < FEWEST_EXAMPLES {
            let file = escaped(&context.dataset.file);
            let found = counted(examples as u64, "example");
            return Err(CliError::usage(
                format!(
                    "{file}: `--best` has {found} to learn and choose from, and needs {FEWEST_EXAMPLES}"
                ),
                "leave out `--best`",
            ));
        }
        let (all, groups) = (settings(options, context.prepare), groups(context)?);
        Ok(Some(Settings { context, options, all, groups }))
    }

    /// The best setting for a part, with the accuracies of all.
    pub(super) fn chosen(&self, part: &Part<'_>) -> Result<(Setting, Sweep), CliError> {
        let runs = self.all.len() * comparisons(part.rows().len());
        let bar = self.context.bar("run", runs);
        let make_run = |prepared: &Prepared<'_>| run_silently(self.context, prepared, &bar);
        let recipe = self.context.recipe(self.options);
        let choice = self.chooser(&make_run).choose(&recipe, part);
        bar.finish_and_clear();
        let Choice { measured, best } = choice.map_err(|error| self.context.error(error))?;
        let names = self.all.iter().map(|setting| match setting.words.as_str() {
            "" => "no option".to_owned(),
            words => words.to_owned(),
        });
        Ok((self.all[best].clone(), Sweep::of_settings(names.zip(measured).collect(), best)))
    }

    /// Judges each of the folds by a run with the setting that the others choose.
    pub(super) fn cross_validation(
        &self,
        splitter: &Splitter<'_>,
        k_fold: KFold,
    ) -> Result<CrossValidation, CliError> {
        let KFold { folds, repeats } = k_fold;
        let rows = self.context.dataset.rows.len();
        let of_fold = 1 + self.all.len() * comparisons(rows - rows / folds.max(1));
        let bar = self.context.bar("run", folds * repeats * of_fold);
        let make_run = |prepared: &Prepared<'_>| run_silently(self.context, prepared, &bar);
        let refilled = self.context.refilled();
        let table = self.context.table(Some(&refilled));
        let recipe = self.context.recipe(self.options);
        let crossed = self.chooser(&make_run).cross_validate(&recipe, table, (splitter, k_fold));
        bar.finish_and_clear();
        crossed.map_err(|error| self.context.error(error))
    }

    fn chooser<'s>(
        &'s self,
        make_run: &'s (dyn Fn(&Prepared<'_>) -> Result<Fit, RunError> + Sync),
    ) -> Chooser<'s, RunError> {
        let (settings, groups) = (self.all.as_slice(), self.groups.as_deref());
        Chooser { settings, groups, make_run, is_over: RunError::is_interrupt }
    }
}
