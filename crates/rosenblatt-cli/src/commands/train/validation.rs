//! The accuracy of a model on examples that it did not learn from.

use std::collections::HashMap;

use rosenblatt::recipe::{CrossValidation, Judgement, LearnedClasses, Part, Prepared};
use rosenblatt_core::{
    calibration::HeldOutScores,
    data::Classes,
    model::Model,
    split::{KFold, Split, Splitter},
    train::Options,
    validation::Holdout,
};

use super::{context::Context, training::run_silently};
use crate::{args::TrainArgs, error::CliError};

/// How examples are held out, and what is left to learn from; nothing is held out without `--holdout` and `--folds`.
#[derive(Default)]
pub(super) struct HoldingOut<'a> {
    pub(super) splitter: Option<Splitter<'a>>,
    /// The split of `--holdout`.
    pub(super) split: Option<Split>,
    learned: LearnedClasses,
    /// The names of the classes to learn, if these are not all, and of the others.
    names: Option<(Classes, Vec<String>)>,
}

impl<'a> HoldingOut<'a> {
    pub(super) fn new(context: &Context<'a>, seed: u64) -> Result<Self, CliError> {
        let TrainArgs { holdout, folds, .. } = context.arguments;
        if holdout.is_none() && folds.is_none() {
            return Ok(HoldingOut::default());
        }
        let (rows, groups) = (&context.dataset.rows, groups(context)?);
        let splitter = match holdout {
            Some(held_out) if held_out.is_last => Splitter::in_order(rows, context.numbers),
            _ => Splitter::new(rows, context.numbers, groups),
        };
        let split = holdout.map(|held_out| splitter.hold_out(held_out.share, seed)).transpose();
        let split = split.map_err(|error| context.error(rosenblatt::Error::from(error)))?;
        let learned = match &split {
            Some(split) => LearnedClasses::of(context.table(None), &split.train),
            None => LearnedClasses::All,
        };
        if let LearnedClasses::One(class) = learned {
            return Err(one_class(context, class));
        }
        let names = learned.among().map(|_| learned.of_names(context.classes));
        Ok(HoldingOut { splitter: Some(splitter), split, learned, names })
    }

    /// The context with the classes that can be learned.
    pub(super) fn within<'h>(&'h self, context: Context<'h>) -> Context<'h> {
        let numbers = self.learned.of_table(context.table(None)).numbers;
        match &self.names {
            None => context,
            Some((classes, unlearned)) => Context { classes, numbers, unlearned, ..context },
        }
    }

    /// The options with these classes.
    pub(super) fn options(&self, options: Options) -> Options {
        self.learned.of_options(options)
    }
}

/// The examples to learn from, and those held out.
pub(super) struct Parts<'a> {
    pub(super) train: Part<'a>,
    pub(super) held_out: Option<Part<'a>>,
}

impl<'a> Parts<'a> {
    /// The parts of the split of `--holdout`, if there is one.
    pub(super) fn new(context: &Context<'a>, split: Option<(&Splitter<'_>, &'a Split)>) -> Self {
        let table = context.table(None);
        match split {
            None => Parts { train: Part::whole(table), held_out: None },
            Some((splitter, split)) => Parts {
                train: Part::select(table, &split.train),
                held_out: Some(Part::held_out(table, splitter, split)),
            },
        }
    }
}

/// The error of a training part with examples of one class.
fn one_class(context: &Context<'_>, class: u32) -> CliError {
    let (file, label) = (&context.dataset.file, &context.classes.names()[class as usize]);
    CliError::usage(
        format!("{file}: all examples that are left to learn from have the label `{label}`"),
        "use `--folds`; another share or `--seed` helps if each class has two examples or more",
    )
}

/// Refuses groups where no examples are held out.
pub(super) fn check_group(arguments: &TrainArgs) -> Result<(), CliError> {
    if arguments.group.is_none() {
        return Ok(());
    }
    if arguments.holdout.is_some_and(|held_out| held_out.is_last) {
        return Err(CliError::usage(
            "`--holdout last:…` parts the rows of a group, which `--group` keeps together",
            "hold out a share of the groups, as `--holdout 20%` does, or leave out `--group`",
        ));
    }
    if arguments.folds.is_some() || arguments.holdout.is_some() {
        return Ok(());
    }
    Err(CliError::usage(
        "`--group` keeps rows together when examples are held out, and none are",
        format!("{}, or leave the column out with `--ignore`", holding_out(arguments.no_folds)),
    ))
}

/// How to hold out examples.
pub(super) fn holding_out(no_folds: bool) -> &'static str {
    match no_folds {
        true => "use `--folds 5` in place of `--no-folds`, or `--holdout 0.2`",
        false => "add `--folds 5` or `--holdout 0.2`",
    }
}

/// The number of the group of each example, if `--group` names a column.
pub(super) fn groups(context: &Context<'_>) -> Result<Option<Vec<u32>>, CliError> {
    let Some(column) = &context.arguments.group else { return Ok(None) };
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut number = |cell| {
        let next = numbers.len() as u32;
        *numbers.entry(cell).or_insert(next)
    };
    if context.dataset.ids.len() != context.dataset.rows.len() {
        return Err(CliError::usage(
            "the rows exceed `--memory` and were packed, which keeps no groups",
            "raise `--memory`",
        ));
    }
    if let Some(row) = context.dataset.ids.iter().position(String::is_empty) {
        return Err(CliError::usage(
            format!(
                "{}: example {}: the cell of `{column}` is empty",
                context.dataset.file,
                row + 1
            ),
            "`--group` needs a column with a cell in each row",
        ));
    }
    Ok(Some(context.dataset.ids.iter().map(|cell| number(cell.as_str())).collect()))
}

/// Evaluates the model on held-out examples, and returns its scores of them.
pub(super) fn held_out(
    context: &Context<'_>,
    model: &Model,
    part: &Part<'_>,
) -> Result<(Holdout, HeldOutScores), CliError> {
    let threads = context.arguments.reading.threads();
    let judgement = Judgement::of_model(model, part, threads);
    let judgement = judgement.map_err(|error| context.error(error))?;
    let (holdout, scores) = judgement.of_holdout(model, context.unlearned.to_vec())?;
    let last = context.arguments.holdout.is_some_and(|held_out| held_out.is_last);
    Ok((Holdout { last, ..holdout }, scores))
}

/// The folds that were asked for.
pub(super) fn k_fold(arguments: &TrainArgs) -> Option<KFold> {
    let TrainArgs { folds, repeats, .. } = arguments;
    Some(KFold { folds: (*folds)? as usize, repeats: repeats.unwrap_or(1) as usize })
}

/// Runs the cross-validation with these folds.
pub(super) fn cross_validation(
    context: &Context<'_>,
    splitter: &Splitter<'_>,
    k_fold: KFold,
    options: &Options,
) -> Result<CrossValidation, CliError> {
    let refilled = context.refilled();
    let table = context.table(Some(&refilled));
    let bar = context.bar("fold", k_fold.folds * k_fold.repeats);
    let make_run = |prepared: &Prepared<'_>| run_silently(context, prepared, &bar);
    let recipe = context.recipe(options);
    let crossed = recipe.cross_validate(table, (splitter, k_fold), &make_run);
    bar.finish_and_clear();
    crossed.map_err(|error| context.error(error))
}
