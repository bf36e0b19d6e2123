//! Training on data that is whole in memory, with validation and diagnosis.

use rosenblatt::{
    guarantee::ClassRuns,
    recipe::{CrossValidation, EarlyStopping, Part, Setting},
    study::{WeightCycle, epochs_for_cycles, weight_cycle},
};
use rosenblatt_core::{
    calibration::HeldOutScores,
    data::Rows,
    model::Model,
    report::Report,
    schedule::Order,
    split::{KFold, Splitter},
    train::Options,
    transforms::PrepareOptions,
    validation::{CalibratedBy, CalibratedOn, Folds, Holdout, Validation},
};
use rosenblatt_data::{CheckpointFile, Dataset, ModelFile};

use super::{
    best::Settings,
    calibrated,
    checkpoint::CheckpointWriter,
    context::Context,
    default_folds::{self, Crossed},
    diagnosis::{Diagnosis, diagnose},
    effects,
    guaranteed::guarantee,
    hardest_examples::{HardExample, hardest},
    label_copies::{label_copies, telling_columns},
    observer::{Ending, TrainObserver},
    outcome::TrainOutcome,
    sweep::Sweep,
    traced,
    training::learn as learn_part,
    validation::{self, HoldingOut, Parts},
    weights::{self, Weighted},
};
use crate::{
    args::{LearnArgs, TrainArgs},
    commands::{inputs::classes, options::class_weight, search::whole},
    error::CliError,
    progress::Progress,
};

/// The options of the engine, but for class weights, and those of the preparation.
pub(super) struct Plan {
    pub(super) options: Options,
    pub(super) prepare: PrepareOptions,
}

/// Learns from a data set and evaluates the model.
pub(super) fn learn(
    arguments: &TrainArgs,
    dataset: Dataset,
    plan: Plan,
    start: Option<CheckpointFile>,
) -> Result<TrainOutcome, CliError> {
    let Plan { options, prepare } = plan;
    let (classes, numbers) = classes(&dataset, arguments.columns.positive.as_deref())?;
    let (dataset, classes, numbers) = (&dataset, &classes, numbers.as_slice());
    let weights = weights::of_rows(arguments, dataset)?;
    let weights = weights.as_deref();
    let context =
        Context { arguments, dataset, classes, numbers, unlearned: &[], prepare, weights };
    calibrated::check(&context)?;
    let ForData { options, is_sorted } = ForData::of(&context, options)?;
    let holding_out = HoldingOut::new(&context, options.seed)?;
    let (context, options) = (holding_out.within(context), holding_out.options(options));
    let (splitter, split) = (holding_out.splitter.as_ref(), holding_out.split.as_ref());
    check_classes(&context, &options)?;
    let checkpoints = CheckpointWriter::new(&context, &options, split, start)?;
    // Numbers that stand in for missing ones follow from the examples to learn from.
    let filled = split.and_then(|split| dataset.filled_by(&split.train));
    let context = Context { dataset: filled.as_ref().unwrap_or(dataset), ..context };
    let parts = Parts::new(&context, splitter.zip(split));
    let (chosen, folds) = chosen(&context, &parts, splitter, Plan { options, prepare })?;
    let (Plan { options, prepare }, compared) = chosen;
    let context = Context { prepare, ..context };
    let mut observer = observer(&context, &parts.train, &options, checkpoints)?;
    let run = Run { context: &context, options: &options, parts: &parts };
    let model = run.learn(&mut observer)?;
    // The folds were judged by whole runs.
    let folds = folds.filter(|_| !matches!(observer.ending, Ending::After(_)));
    let own = default_folds::splitter(&context, &options, model.report());
    let splitter = splitter.or(own.as_ref());
    let folds = run.after(run.folds(splitter, folds, model.report()))?;
    let diagnosis = run.after(run.diagnosis(model.report(), &observer))?;
    let cycle = run.after(run.cycle(model.report()))?;
    let Validated { model, validation, folds_failed, calibration } =
        run.validated(model, splitter, folds)?;
    let guarantee = guarantee(&context, &model, &validation);
    dataset.check_unchanged()?;
    let copies = label_copies(&parts.train, &context.dataset.schema);
    Ok(TrainOutcome {
        validation,
        folds_failed,
        sweep: compared,
        calibration,
        diagnosis,
        cycle,
        guarantee,
        is_sorted,
        in_sorted_order: self::is_sorted(&options, numbers),
        hard: arguments.hard.map(|most| run.hardest(&observer.mistakes, most)),
        scale_spread: model
            .preparation()
            .is_none()
            .then(|| scale_spread(parts.train.rows()))
            .flatten(),
        telling: telling_columns(&parts.train, &context.dataset.schema, &copies),
        label_copies: copies,
        weighted: weights.map(|all| Weighted::new(arguments, all)),
        trace: observer.trace.take(),
        ending: observer.ending,
        skipped: dataset.notes.skipped,
        written: arguments.output.as_ref().map(|path| path.display().to_string()),
        file: model_file(model, &context, &parts),
        data: dataset.file.clone(),
    })
}

/// What to learn with, and the settings of `--best` that were compared for it.
type Chosen = (Plan, Option<Sweep>);

/// The results of the folds that were asked for.
type GivenFolds = Option<(Folds, CrossValidation)>;

/// Chooses for the examples to learn from, if `--best` is given, and judges the folds, each by a choice of the others.
fn chosen(
    context: &Context<'_>,
    parts: &Parts<'_>,
    splitter: Option<&Splitter<'_>>,
    plan: Plan,
) -> Result<(Chosen, GivenFolds), CliError> {
    let settings = Settings::new(context, &plan.options, parts.train.rows().len())?;
    let folds = |(splitter, k_fold): (&Splitter<'_>, KFold)| {
        let crossed = match &settings {
            Some(settings) => settings.cross_validation(splitter, k_fold)?,
            None => validation::cross_validation(context, splitter, k_fold, &plan.options)?,
        };
        Ok::<_, CliError>((crossed.folds(context.classes)?, crossed))
    };
    let folds = splitter.zip(validation::k_fold(context.arguments)).map(folds).transpose()?;
    let best = settings.as_ref().map(|settings| settings.chosen(&parts.train)).transpose()?;
    let chosen = best.map(|(Setting { options, prepare, .. }, compared)| {
        (Plan { options, prepare }, Some(compared))
    });
    drop(settings);
    Ok((chosen.unwrap_or((plan, None)), folds))
}

/// The options with those that depend on the data.
pub(super) struct ForData {
    pub(super) options: Options,
    /// Whether examples in a given order are shuffled because it is that of the classes.
    is_sorted: bool,
}

impl ForData {
    pub(super) fn of(context: &Context<'_>, mut options: Options) -> Result<Self, CliError> {
        let Context { arguments, dataset, classes, numbers, .. } = *context;
        let LearnArgs { run, start, .. } = &arguments.learning;
        let is_sorted = !run.has_order && is_sorted(&options, numbers);
        if is_sorted {
            options.order = Order::Shuffle;
        }
        effects::check(arguments, &options, Some(classes.scheme()))?;
        let class_weight = class_weight(&run.class_weight, classes)?;
        let init = start.first_weights(dataset, classes.scheme(), &options)?;
        Ok(ForData { options: Options { class_weight, init, ..options }, is_sorted })
    }
}

/// Refuses `--trace` of several hyperplanes, and `--diagnose` for classes that are learned together.
pub(super) fn check_classes(context: &Context<'_>, options: &Options) -> Result<(), CliError> {
    traced::check_classes(context.arguments, context.classes.scheme())?;
    if !context.arguments.diagnose || !options.is_joint(context.classes.scheme()) {
        return Ok(());
    }
    Err(CliError::usage(
        "`--diagnose` examines each class against the rest, but the classes are learned together",
        "use `--classes one-vs-rest`, or leave out `--diagnose`",
    ))
}

/// Whether examples that would be learned from in their order are sorted by class.
fn is_sorted(options: &Options, numbers: &[u32]) -> bool {
    options.order == Order::Given && ClassRuns::of(numbers).are_sorted()
}

/// The model with all that its file says.
fn model_file(model: Model, context: &Context<'_>, parts: &Parts<'_>) -> ModelFile {
    let held_out = parts.held_out.as_ref().map_or_else(Vec::new, Part::class_sizes);
    ModelFile { held_out, ..ModelFile::new(model, context.dataset.schema.clone()) }
}

fn observer(
    context: &Context<'_>,
    train: &Part<'_>,
    options: &Options,
    checkpoints: CheckpointWriter,
) -> Result<TrainObserver, CliError> {
    let arguments = context.arguments;
    let quiet = arguments.printing.is_silent();
    let examples = train.rows().len();
    let mut progress = Progress::new(quiet, arguments.progress, options.epochs);
    let mistakes = match arguments.hard {
        Some(_) => checkpoints.mistakes(examples)?,
        None => Vec::new(),
    };
    checkpoints.announce(arguments, examples, &mut progress);
    // Checkpoints have the run; and folds that calibrate are those of longer runs than one that ends early.
    let is_calibrated = arguments.calibrate.is_some() && arguments.folds.is_some();
    let is_kept = arguments.output.is_some() && arguments.checkpoint.is_none() && !is_calibrated;
    let ending = if is_kept { Ending::Kept } else { Ending::Lost };
    Ok(TrainObserver { progress, mistakes, checkpoints, traces: true, ending, trace: None })
}

/// A model with its results on examples that it did not learn from.
struct Validated {
    model: Model,
    validation: Validation,
    folds_failed: Option<String>,
    calibration: Option<CalibratedBy>,
}

/// The run whose model is the result.
struct Run<'a> {
    context: &'a Context<'a>,
    options: &'a Options,
    parts: &'a Parts<'a>,
}

impl Run<'_> {
    fn learn(&self, observer: &mut TrainObserver) -> Result<Model, CliError> {
        let Parts { train, held_out } = self.parts;
        let early = held_out.as_ref().zip(self.context.arguments.patience);
        let early = early.map(|(part, patience)| EarlyStopping { part, patience, least: 1 });
        learn_part(self.context, train, early, self.options, observer)
    }

    /// The answer of `--diagnose`, if it was given and the run did not converge.
    fn diagnosis(
        &self,
        report: &Report,
        observer: &TrainObserver,
    ) -> Result<Option<Diagnosis>, CliError> {
        if !self.context.arguments.diagnose || report.converged {
            return Ok(None);
        }
        let diagnosis = diagnose(self.context, &self.parts.train, self.options, report);
        diagnosis.map(Some).map_err(|error| match error {
            // The checkpoints are written by now.
            CliError::Interrupted => observer.checkpoints.interrupted(),
            error => error,
        })
    }

    /// A run whose weights returned; `--diagnose` answers in its own way.
    fn cycle(&self, report: &Report) -> Result<Option<WeightCycle>, CliError> {
        let train = &self.parts.train;
        let epochs = epochs_for_cycles(train.rows(), report);
        if self.context.arguments.diagnose || epochs == 0 {
            return Ok(None);
        }
        let told = |error| self.context.error(error);
        let recipe = self.context.recipe(self.options);
        let prepared = recipe.prepare(train, None).map_err(told)?;
        let labelled = prepared.labelled().map_err(told)?;
        whole(|stop| weight_cycle(&labelled, self.options, epochs, stop))
    }

    /// What follows a run: nothing if Ctrl-C ends it and the model of the run is kept.
    fn after<T: Default>(&self, found: Result<T, CliError>) -> Result<T, CliError> {
        match found {
            Err(CliError::Interrupted) if self.context.arguments.output.is_some() => {
                Ok(T::default())
            }
            found => found,
        }
    }

    /// The results of the folds that were asked for or, without such, of those made by default.
    fn folds(
        &self,
        splitter: Option<&Splitter<'_>>,
        given: Option<(Folds, CrossValidation)>,
        report: &Report,
    ) -> Result<Crossed, CliError> {
        let Some(splitter) = splitter.filter(|_| self.parts.held_out.is_none()) else {
            return Ok(Crossed::default());
        };
        let mut made = match given {
            Some(results) => Crossed { results: Some(results), failed: None },
            None => default_folds::folds(self.context, splitter, self.options)?,
        };
        if let Some((folds, _)) = &mut made.results {
            let remedy =
                default_folds::remedy(self.context, (splitter, folds), self.options, report);
            folds.remedy = self.after(remedy)?;
        }
        Ok(made)
    }

    /// Evaluates the model on the held-out examples, and calibrates it, each if that was asked for.
    fn validated(
        &self,
        model: Model,
        splitter: Option<&Splitter<'_>>,
        crossed: Crossed,
    ) -> Result<Validated, CliError> {
        let (holdout, holdout_scores) = self.held_out(&model)?.unzip();
        let from = if holdout.is_some() { CalibratedOn::Holdout } else { CalibratedOn::Folds };
        let (folds, crossed_scores) = crossed.results.unzip();
        let scores = match (holdout_scores, &crossed_scores, self.context.arguments.calibrate) {
            (Some(scores), ..) => Some(scores),
            (None, Some(crossed), Some(_)) => {
                let scores = crossed.scores().map_err(rosenblatt::Error::from);
                Some(scores.map_err(|error| self.context.error(error))?)
            }
            (None, ..) => None,
        };
        let (model, calibration) = calibrated::calibrated(self.context, model, scores, from)?;
        let validation = Validation::new(holdout, folds, splitter, model.report());
        Ok(Validated { model, validation, folds_failed: crossed.failed, calibration })
    }

    /// The model on the held-out examples, if there are any, and its scores of them.
    fn held_out(&self, model: &Model) -> Result<Option<(Holdout, HeldOutScores)>, CliError> {
        let held_out = |part| validation::held_out(self.context, model, part);
        self.parts.held_out.as_ref().map(held_out).transpose()
    }

    fn hardest(&self, mistakes: &[u64], most: usize) -> Vec<HardExample> {
        let train = &self.parts.train;
        hardest(mistakes, most, |i| HardExample {
            example: train.place(i) + 1,
            label: self.context.classes.names()[train.numbers()[i] as usize].clone(),
            mistakes: mistakes[i],
        })
    }
}

/// Divides the largest feature by the smallest, each by its largest absolute value; features that are always 0 do
/// not count.
fn scale_spread(rows: &Rows<'_>) -> Option<f64> {
    let mut sizes = vec![0.0f64; rows.features()];
    for row in rows.iter() {
        row.for_each(|j, x| sizes[j] = sizes[j].max(x.abs()));
    }
    let sizes = sizes.into_iter().filter(|&size| size > 0.0);
    let (smallest, largest) = sizes.fold((f64::INFINITY, 0.0), |(smallest, largest), size| {
        (size.min(smallest), size.max(largest))
    });
    Some(largest / smallest).filter(|scale_spread| scale_spread.is_finite())
}
