//! The accuracy of a model on examples that it did not learn from.

use std::collections::HashMap;

use rosenblatt_core::{
    calibration::HeldOutScores,
    data::Classes,
    model::{Model, PredictOptions},
    report::Report,
    split::{Split, SplitError, Splitter},
    train::{ClassWeight, Options},
};
use serde::Serialize;

use super::{
    context::{Context, Part},
    copies::{CopiesJson, Novelty},
    observer::TrainObserver,
    training::learn,
};
use crate::{
    args::TrainArgs,
    commands::rates::{ClassRates, Judged, Rates, UnseenLabels},
    error::CliError,
};

/// The results on held-out examples; in JSON each part is there only if it was asked for.
#[derive(Default, Serialize)]
pub(super) struct Validation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) holdout: Option<HoldoutResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) folds: Option<Folds>,
    /// Present with both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) copies: Option<CopiesJson>,
    /// The error of folds that no option asked for.
    #[serde(skip)]
    pub(super) failed: Option<String>,
}

/// The model on the examples of `--holdout`.
#[derive(Serialize)]
pub(super) struct HoldoutResult {
    pub(super) examples: u64,
    pub(super) errors: u64,
    pub(super) accuracy: f64,
    #[serde(flatten)]
    pub(super) rates: Rates,
    /// The held-out examples with labels that no example to learn from has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unseen_labels: Option<UnseenLabels>,
    #[serde(skip)]
    pub(super) novelty: Novelty,
}

/// Cross-validation: for each fold the accuracy of a model that learned from the others.
#[derive(Serialize)]
pub(super) struct Folds {
    pub(super) accuracies: Vec<f64>,
    pub(super) mean: f64,
    /// The standard deviation of the accuracies (divided by K − 1).
    pub(super) sd: f64,
    /// The rates of all folds together; an AUC is the mean of those of the folds.
    #[serde(flatten)]
    pub(super) rates: Rates,
    /// The classes that are missing from the test part of some fold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) few: Vec<FewExamples>,
    /// Class weights with which more classes are predicted, if some are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remedy: Option<Remedy>,
    #[serde(skip)]
    pub(super) novelty: Novelty,
}

/// Class weights that were tried on the same folds, with which classes are predicted that were not.
#[derive(Serialize)]
pub(super) struct Remedy {
    pub(super) class_weight: &'static str,
    /// The accuracy; the mean of the folds.
    pub(super) mean: f64,
    /// The rates of each class.
    pub(super) per_class: Vec<ClassRates>,
}

impl Remedy {
    /// Of the examples of the classes that were never predicted, how many are right now, and their number.
    pub(super) fn found(&self, folds: &Folds) -> (u64, u64) {
        let both = folds.rates.per_class.iter().zip(&self.per_class);
        let never = both.filter(|(before, _)| before.predicted == 0);
        never.fold((0, 0), |(right, all), (_, now)| (right + now.right, all + now.examples))
    }
}

/// A class with fewer examples, or groups with such, than folds.
#[derive(Serialize)]
pub(super) struct FewExamples {
    pub(super) class: String,
    pub(super) examples: u64,
    /// The number of folds with an example of it in their test part.
    pub(super) folds: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recall: Option<f64>,
}

/// How examples are held out, and what is left to learn from; nothing is held out without `--holdout` and `--folds`.
#[derive(Default)]
pub(super) struct HoldingOut<'a> {
    pub(super) splitter: Option<Splitter<'a>>,
    /// The split of `--holdout`.
    pub(super) split: Option<Split>,
    learned: Learned,
}

impl<'a> HoldingOut<'a> {
    pub(super) fn new(context: &Context<'a>, seed: u64) -> Result<Self, CliError> {
        let TrainArgs { holdout, folds, .. } = context.arguments;
        if holdout.is_none() && folds.is_none() {
            return Ok(HoldingOut::default());
        }
        let splitter = Splitter::new(&context.dataset.rows, context.numbers, groups(context)?);
        let split = holdout.map(|share| splitter.hold_out(share, seed)).transpose();
        let split = split.map_err(|error| split_error(context, error))?;
        let learned = match &split {
            Some(split) => learned(context, split)?,
            None => Learned::All,
        };
        if let Learned::One(class) = learned {
            return Err(one_class(context, class));
        }
        Ok(HoldingOut { splitter: Some(splitter), split, learned })
    }

    /// The context and the options with the classes that can be learned.
    pub(super) fn within<'h>(&'h self, context: Context<'h>, options: &mut Options) -> Context<'h> {
        self.learned.within(context, options)
    }
}

/// The classes of the examples to learn from.
#[derive(Default)]
enum Learned {
    /// All.
    #[default]
    All,
    /// Two or more, but not all.
    Some(SomeClasses),
    /// One, of which nothing can be learned but to predict it.
    One(u32),
}

/// Classes without those of which there is no example to learn from.
struct SomeClasses {
    classes: Classes,
    /// The number of each of them among all classes.
    places: Vec<usize>,
    /// The number of the class of each row of the data, or the number of classes for a row of another class.
    numbers: Vec<u32>,
    /// The other classes.
    unlearned: Vec<String>,
}

impl Learned {
    fn within<'h>(&'h self, context: Context<'h>, options: &mut Options) -> Context<'h> {
        let Learned::Some(SomeClasses { classes, places, numbers, unlearned }) = self else {
            return context;
        };
        if let ClassWeight::Given(weights) = &mut options.class_weight {
            *weights = places.iter().map(|&place| weights[place]).collect();
        }
        Context { classes, numbers, unlearned, ..context }
    }
}

/// The classes that a model can learn from the training part of a split: nothing is known of the others.
fn learned(context: &Context<'_>, split: &Split) -> Result<Learned, CliError> {
    let names = context.classes.names();
    let mut is_learned = vec![false; names.len()];
    split.train.iter().for_each(|&place| is_learned[context.numbers[place] as usize] = true);
    let places: Vec<usize> = (0..names.len()).filter(|&class| is_learned[class]).collect();
    if let [class] = places[..] {
        return Ok(Learned::One(class as u32));
    }
    if places.len() == names.len() {
        return Ok(Learned::All);
    }
    let positive = context.arguments.columns.positive.as_deref();
    let found = context.dataset.classes_at(positive, &split.train);
    let (classes, numbers) = found.map_err(|error| CliError::Classes {
        file: context.dataset.file.clone(),
        target: None,
        error,
    })?;
    let unlearned = (0..names.len()).filter(|&class| !is_learned[class]);
    let unlearned = unlearned.map(|class| names[class].clone()).collect();
    Ok(Learned::Some(SomeClasses { classes, places, numbers, unlearned }))
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
    if arguments.group.is_none() || arguments.folds.is_some() || arguments.holdout.is_some() {
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
fn groups(context: &Context<'_>) -> Result<Option<Vec<u32>>, CliError> {
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
) -> Result<(HoldoutResult, HeldOutScores), CliError> {
    let (mut scores, mut novelty) = (HeldOutScores::default(), Novelty::default());
    let judged = judged(context, (model, None), part, &mut scores, &mut novelty)?;
    let rates = judged.rates(model.classes(), model.reported());
    let confusion = judged.confusion;
    let (examples, errors) = (confusion.total(), confusion.errors());
    let accuracy = confusion.accuracy().unwrap_or(0.0);
    let unseen = confusion.unseen();
    let unseen_labels = (unseen > 0).then(|| UnseenLabels {
        examples: unseen,
        are_wrong: true,
        predicted: (0..confusion.classes()).map(|class| confusion.unseen_as(class)).collect(),
        labels: context.unlearned.to_vec(),
    });
    Ok((HoldoutResult { examples, errors, accuracy, rates, unseen_labels, novelty }, scores))
}

/// Runs the cross-validation with this many folds, and returns the scores of the examples.
pub(super) fn cross_validation(
    context: &Context<'_>,
    splitter: &Splitter<'_>,
    k: u32,
    options: &Options,
) -> Result<(Folds, HeldOutScores), CliError> {
    let mut scores = HeldOutScores::default();
    let splits = splitter.folds(k as usize, options.seed);
    let splits = splits.map_err(|error| split_error(context, error))?;
    let options = Options { compare: false, ..options.clone() };
    let mut novelty = Novelty::default();
    let mut judge = |split: &Split| -> Result<Judged, CliError> {
        let filled = context.dataset.filled_by(&split.train);
        let context = &Context { dataset: filled.as_ref().unwrap_or(context.dataset), ..*context };
        let held_out = Part::held_out(context, splitter, split);
        let (learned, mut options) = (learned(context, split)?, options.clone());
        let places = match &learned {
            Learned::All => None,
            _ if context.arguments.calibrate.is_some() => {
                return Err(too_few_to_calibrate(context));
            }
            Learned::One(class) => return constant(context, *class, &held_out, &mut novelty),
            Learned::Some(some) => Some(&some.places[..]),
        };
        let within = learned.within(*context, &mut options);
        let part = Part::select(&within, &split.train);
        let model = learn(&within, &part, None, &options, &mut TrainObserver::silent())?;
        judged(context, (&model, places), &held_out, &mut scores, &mut novelty)
    };
    let all: Vec<Judged> = splits.iter().map(&mut judge).collect::<Result<_, CliError>>()?;
    Ok((Folds::of(&all, context.classes, novelty)?, scores))
}

fn split_error(context: &Context<'_>, error: SplitError) -> CliError {
    CliError::Split { file: context.dataset.file.clone(), error }
}

impl Validation {
    /// The results of one of both, with the copies among the examples, and the report of the model.
    pub(super) fn new(
        holdout: Option<HoldoutResult>,
        folds: Option<Folds>,
        splitter: Option<&Splitter<'_>>,
        report: &Report,
    ) -> Self {
        let of_holdout = holdout.as_ref().map(|holdout| &holdout.novelty);
        let novelty = of_holdout.or(folds.as_ref().map(|folds| &folds.novelty));
        let copies = splitter.zip(novelty);
        let copies = copies.map(|(splitter, novelty)| CopiesJson::new(splitter, novelty, report));
        Validation { holdout, folds, copies, failed: None }
    }
}

impl Folds {
    fn of(folds: &[Judged], classes: &Classes, novelty: Novelty) -> Result<Self, CliError> {
        let mut together = Judged::new(classes.names().len())?;
        folds.iter().for_each(|fold| together.confusion.add(&fold.confusion));
        let sizes = (0..classes.names().len()).map(|class| together.confusion.actual(class));
        let sizes: Vec<usize> = sizes.map(|size| size as usize).collect();
        let reported = classes.reported(&sizes);
        let each: Vec<Rates> = folds.iter().map(|fold| fold.rates(classes, reported)).collect();
        let rates = together.rates(classes, reported).with_mean_auc(&each);
        let accuracy = |fold: &Judged| fold.confusion.accuracy().unwrap_or(0.0);
        let accuracies: Vec<f64> = folds.iter().map(accuracy).collect();
        let k = accuracies.len() as f64;
        let mean = accuracies.iter().sum::<f64>() / k;
        let squares = accuracies.iter().map(|accuracy| (accuracy - mean).powi(2)).sum::<f64>();
        let few = classes.names().iter().enumerate().map(|(number, class)| FewExamples {
            class: class.clone(),
            examples: together.confusion.actual(number),
            folds: folds.iter().filter(|fold| fold.confusion.actual(number) > 0).count(),
            recall: together.confusion.recall(number),
        });
        let few = few.filter(|few| few.folds < folds.len()).collect();
        let sd = (squares / (k - 1.0)).sqrt();
        Ok(Folds { sd, mean, accuracies, rates, few, remedy: None, novelty })
    }
}

/// The error of folds of which one has no scores of a class.
fn too_few_to_calibrate(context: &Context<'_>) -> CliError {
    CliError::usage(
        format!(
            "{}: `--calibrate` needs scores of every class from every fold, and one fold has no example of some class to learn from",
            context.dataset.file
        ),
        "leave the rare classes out of the data; of three classes or more, `--positive LABEL` joins the others",
    )
}

/// The results of always predicting a class.
fn constant(
    context: &Context<'_>,
    class: u32,
    part: &Part<'_>,
    novelty: &mut Novelty,
) -> Result<Judged, CliError> {
    let mut judged = Judged::new(context.classes.names().len())?;
    for (&actual, &is_seen) in part.classes.iter().zip(&part.seen) {
        judged.confusion.count(actual, class)?;
        novelty.count(is_seen, actual != class);
    }
    Ok(judged)
}

/// Compares the predictions of the model for a part with its labels, and adds the scores of the examples whose class the model
/// knows. Examples of other classes are errors. A model of some of the classes has their numbers among all.
fn judged(
    context: &Context<'_>,
    (model, places): (&Model, Option<&[usize]>),
    part: &Part<'_>,
    scores: &mut HeldOutScores,
    novelty: &mut Novelty,
) -> Result<Judged, CliError> {
    let threads = context.arguments.reading.threads();
    let options = PredictOptions { threads, ..PredictOptions::default() };
    let failed = |error| context.predict_error(error, |row| part.place(row));
    let predictions = model.classify(&part.rows, options, true).map_err(failed)?;
    let mut judged = Judged::new(context.classes.names().len())?;
    let actual = part.known(context.classes);
    for ((&actual, &predicted), &is_seen) in actual.iter().zip(&predictions.classes).zip(&part.seen)
    {
        let predicted = places.map_or(predicted, |places| places[predicted as usize] as u32);
        match actual {
            Some(actual) => judged.confusion.count(actual, predicted)?,
            None => judged.confusion.count_unseen(predicted)?,
        }
        novelty.count(is_seen, actual != Some(predicted));
    }
    if places.is_none() {
        let units = model.classifier().score_units();
        for (of_row, class) in predictions.scores.chunks(units.len()).zip(&actual) {
            class.iter().for_each(|&class| scores.add(of_row, &[class], &units));
        }
        judged.rank(&actual, &predictions.scores);
    }
    Ok(judged)
}
