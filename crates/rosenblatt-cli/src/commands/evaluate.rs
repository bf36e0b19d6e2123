//! `rosenblatt evaluate`: the predictions of a model against the labels of the data.

use std::collections::{BTreeMap, BTreeSet};

use rosenblatt::guarantee::{Guarantee, Reason, SampleCheck};
use rosenblatt_core::{
    calibration::Losses,
    data::Rows,
    keep::Tally,
    metrics::{Confusion, CountError, Judged, Rates, UnseenLabels},
    model::{Model, Predictions},
    space::Hyperplane,
};
use rosenblatt_data::{EncodedCells, Encoder, ModelFile, ReadOptions, Reader, batch::Batch};
use serde::Serialize;

use super::{
    explanations::{Effect, Effects, Explainer},
    few_weights,
    inputs::InputFiles,
    models::{are_training_sizes, load_model, predict_options},
    notes::{self, NoteLog},
    probabilities::{LossesJson, decide, threshold},
    radius::{Robustness, borders, radii},
    thresholds::{Candidates, ThresholdReport},
};
use crate::{
    args::{Costs, EvaluateArgs, RadiusArg, UnseenArg},
    error::CliError,
    output,
    progress::rows_read,
};

mod text;

/// The features up to which the weights of the nearest class mean are in the JSON.
const MOST_WEIGHTS: usize = 1000;

/// The result; also the object that `--json` prints.
#[derive(Serialize)]
struct Evaluation {
    examples: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
    errors: u64,
    accuracy: f64,
    error_rate: f64,
    guarantee: Guarantee,
    /// The probability of `--threshold` or `--cost`, which decided the predictions.
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<f64>,
    /// The costs of `--cost`.
    #[serde(skip)]
    costs: Option<Costs>,
    #[serde(flatten)]
    rates: Rates,
    /// Present with `--radius`.
    #[serde(skip_serializing_if = "Option::is_none")]
    robust: Option<Robustness>,
    /// Present with `--thresholds`, `--min-recall` or `--min-precision`.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    choice: Option<ThresholdReport>,
    /// Present with `--explain`: the features with the largest effects on the scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    effects: Option<Vec<Effect>>,
    /// Present if the model is calibrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    probabilities: Option<LossesJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unseen_labels: Option<UnseenLabels>,
    /// The number of cells of each column with a category that is not in the training data.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    unknown_categories: BTreeMap<String, u64>,
    /// The number of missing cells of each column that another value stands in for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    filled: BTreeMap<String, u64>,
    classes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Baselines>,
}

impl Evaluation {
    fn with_cells(self, cells: &EncodedCells<'_>) -> Self {
        Evaluation { unknown_categories: cells.unknown(), filled: cells.filled(), ..self }
    }
}

/// The baselines that a model should beat.
#[derive(Serialize)]
struct Baselines {
    /// The errors of the nearest class mean, if the model has the means.
    #[serde(skip_serializing_if = "Option::is_none")]
    prototype_errors: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prototype_accuracy: Option<f64>,
    /// The hyperplane of the nearest class mean: of two classes, in the units of the file, with at most
    /// [`MOST_WEIGHTS`] features.
    #[serde(skip_serializing_if = "Option::is_none")]
    prototype: Option<Hyperplane>,
    /// Its weights in one line, if they are few.
    #[serde(skip)]
    prototype_line: Option<String>,
    /// The most frequent class of the training data.
    majority: String,
    majority_errors: u64,
    majority_accuracy: f64,
}

/// The counts of one pass over the data.
struct Counts {
    judged: Judged,
    sample: SampleCheck,
    /// The losses of the probabilities of a calibrated model.
    losses: Losses,
    /// The decision radii of the rows that are classified right; none without `--radius`.
    radii_of_right: Vec<f64>,
    /// The confusion of the nearest class mean.
    prototypes: Confusion,
    /// Labels that are not in the training data, and how many examples with such a label were left out.
    unseen: BTreeSet<String>,
    left_out: u64,
}

pub(crate) fn run(arguments: &EvaluateArgs) -> Result<(), CliError> {
    let log = NoteLog::new(&arguments.printing);
    let model = load_model(&arguments.model, &log)?;
    let evaluation = evaluate(arguments, &model, &log)?;
    if arguments.printing.json {
        log.print_json(&evaluation)
    } else {
        output::print(&text::text(&evaluation))
    }
}

fn evaluate(
    arguments: &EvaluateArgs,
    model: &ModelFile,
    log: &NoteLog,
) -> Result<Evaluation, CliError> {
    let classes = model.model.classes();
    let predict_options = predict_options(&arguments.voting, &arguments.reading, model)?;
    let threshold = threshold(&arguments.threshold, &arguments.voting, model)?;
    let borders = borders(arguments.radius, model)?;
    let explainer = Explainer::new(arguments.explain, model)?;
    let mut effects = explainer.as_ref().map(Effects::new);
    let mut candidates = Candidates::new(arguments, model)?;
    let mut reader = open(arguments, model)?;
    let encoder = Encoder::new(&model.schema);
    let mut counts = Counts::new(classes.names().len())?;
    let (mut cells, mut rows) = (EncodedCells::new(&model.schema), 0);
    let bar = rows_read(arguments.printing.is_silent());
    while let Some(batch) = reader.next() {
        let batch = batch.map_err(CliError::ReadForModel)?;
        let actual = counts.actual(&batch, model);
        let encoded = encoder.encode_batch(batch);
        cells.add(&encoded);
        let before = rows;
        rows += actual.len() as u64;
        bar.set_position(rows);
        let failed =
            |error| CliError::predicting(reader.file(), error, |row| before + row as u64 + 1);
        counts.look_at(&encoded.rows, &actual);
        let mut predictions =
            model.model.classify(&encoded.rows, predict_options, true).map_err(failed)?;
        decide(&model.model, threshold, &mut predictions);
        let is_wrong = arguments.unseen_labels != UnseenArg::Skip;
        if let Some(candidates) = &mut candidates {
            candidates.add(&actual, &predictions, is_wrong);
        }
        counts.add(&actual, &predictions, is_wrong)?;
        let radii = radii(borders.as_ref(), &encoded.rows, &predictions.classes);
        let radii = radii.into_iter().zip(&predictions.classes).zip(&actual);
        let is_right = |((radius, &class), &actual)| (actual == Some(class)).then_some(radius);
        counts.radii_of_right.extend(radii.filter_map(is_right));
        if arguments.voting.by.is_none_or(|by| by == Tally::default()) {
            counts.add_probabilities(&actual, &predictions, &model.model);
        }
        if let (Some(effects), Some(explainer)) = (&mut effects, &explainer) {
            effects.add(explainer, &encoded.rows).map_err(failed)?;
        }
        if arguments.baseline {
            let prototypes = model.model.predict_baseline(&encoded.rows).map_err(failed)?;
            count(&mut counts.prototypes, &actual, &prototypes, is_wrong)?;
        }
    }
    bar.finish_and_clear();
    let skipped = reader.notes().skipped;
    log.tell(reader.notes().list(&model.schema));
    log.tell(cells.notes());
    let baseline = arguments.baseline.then(|| counts.baselines(model));
    let evaluation = counts.evaluation(model, skipped, baseline);
    let robust = arguments.radius.map(|norm| counts.robustness(norm));
    let costs = arguments.threshold.cost;
    let effects =
        effects.zip(explainer.as_ref()).map(|(effects, explainer)| effects.largest(explainer));
    let decided = |evaluation| Evaluation { threshold, costs, robust, effects, ..evaluation };
    let evaluation = evaluation.map(decided).map(|evaluation| evaluation.with_cells(&cells));
    let evaluation = evaluation.ok_or_else(|| no_example(&reader, &counts, model))?;
    let choice = candidates.map(|candidates| candidates.report(reader.file())).transpose()?;
    let evaluation = Evaluation { choice, ..evaluation };
    log.keep(notes::never_predicted(&evaluation.rates));
    let unseen = evaluation.unseen_labels.as_ref();
    log.keep(unseen.map(|unseen| notes::unseen_labels(unseen, &evaluation.classes)));
    Ok(evaluation)
}

/// The error of data in which no example can be judged.
fn no_example(reader: &Reader, counts: &Counts, model: &ModelFile) -> CliError {
    let file = reader.file().to_owned();
    if counts.left_out > 0 {
        let labels = counts.unseen.iter().cloned().collect();
        let classes = model.model.classes().shown();
        return CliError::NoKnownLabel { file, examples: counts.left_out, labels, classes };
    }
    let rosenblatt_data::Notes { skipped, first_skipped: first, .. } = reader.notes().clone();
    rosenblatt_data::ReadError::NoExamples { file, skipped, first, header: false }.into()
}

/// Opens the data with any labels, or only with those of the model.
fn open(arguments: &EvaluateArgs, model: &ModelFile) -> Result<Reader, CliError> {
    let options = ReadOptions {
        target: arguments.target.clone(),
        ..arguments.reading.options(arguments.labeled.on_error)
    };
    let source =
        InputFiles::new(&arguments.data, &arguments.more, arguments.labeled.labels.as_deref())
            .open()?;
    let reader = match arguments.unseen_labels {
        UnseenArg::Stop => {
            Reader::for_model(source, &options, &model.schema, Some(model.model.classes()))
        }
        UnseenArg::Wrong | UnseenArg::Skip => {
            Reader::for_evaluation(source, &options, &model.schema)
        }
    };
    reader.map_err(CliError::ReadForModel)
}

/// Counts predictions. `actual` are the classes; an example without one is a wrong prediction or left out.
fn count(
    confusion: &mut Confusion,
    actual: &[Option<u32>],
    predicted: &[u32],
    unseen_is_wrong: bool,
) -> Result<(), CountError> {
    for (&actual, &predicted) in actual.iter().zip(predicted) {
        match actual {
            Some(actual) => confusion.count(actual, predicted)?,
            None if unseen_is_wrong => confusion.count_unseen(predicted)?,
            None => {}
        }
    }
    Ok(())
}

impl Counts {
    fn new(classes: usize) -> Result<Self, CountError> {
        let prototypes = Confusion::new(classes)?;
        let judged = Judged::new(classes)?;
        let (sample, losses) = (SampleCheck::default(), Losses::default());
        let (radii_of_right, unseen, left_out) = Default::default();
        Ok(Counts { judged, sample, losses, radii_of_right, prototypes, unseen, left_out })
    }

    /// Looks for signs that the examples are no independent sample. All unseen labels are one class more.
    fn look_at(&mut self, rows: &Rows<'_>, actual: &[Option<u32>]) {
        let unseen = self.judged.confusion.classes() as u32;
        let classes: Vec<u32> = actual.iter().map(|class| class.unwrap_or(unseen)).collect();
        self.sample.count(rows, &classes);
    }

    /// The guarantee for new examples. The program cannot know whether these examples chose the model, but it sees
    /// when they have the class sizes of the training examples, or of these and the examples held out from the same data.
    fn guarantee(&mut self, model: &ModelFile) -> Guarantee {
        let confusion = &self.judged.confusion;
        let sizes = (0..confusion.classes()).map(|class| confusion.actual(class) as usize);
        let is_training = are_training_sizes(model, &sizes.collect::<Vec<_>>());
        let (errors, examples) = (confusion.errors(), confusion.total());
        let known = is_training.then_some(Reason::TrainingExamples);
        let partial = (self.left_out > 0).then_some(Reason::UnknownLabels);
        let sample = std::mem::take(&mut self.sample);
        let reason = known.or(partial).or_else(|| sample.reason());
        Guarantee::of_errors(errors, examples, reason)
    }

    /// The class of each row of a batch; labels that are not in the training data have none, and are noted.
    fn actual(&mut self, batch: &Batch, model: &ModelFile) -> Vec<Option<u32>> {
        let known = batch.known_classes(model.model.classes()).into_iter();
        let mut class = |known: Result<u32, &str>| {
            known.map_err(|label| {
                if !self.unseen.contains(label) {
                    self.unseen.insert(label.to_owned());
                }
            })
        };
        known.map(|known| class(known).ok()).collect()
    }

    fn add(
        &mut self,
        actual: &[Option<u32>],
        predictions: &Predictions,
        unseen_is_wrong: bool,
    ) -> Result<(), CountError> {
        count(&mut self.judged.confusion, actual, &predictions.classes, unseen_is_wrong)?;
        if !unseen_is_wrong {
            self.left_out += actual.iter().filter(|class| class.is_none()).count() as u64;
        }
        self.judged.rank(actual, &predictions.scores);
        Ok(())
    }

    /// Adds the probabilities of a calibrated model. Examples with unseen labels have none to be compared with.
    fn add_probabilities(
        &mut self,
        actual: &[Option<u32>],
        predictions: &Predictions,
        model: &Model,
    ) {
        let Some(probabilities) = model.probabilities(&predictions.scores) else { return };
        let of_rows = probabilities.chunks(model.classes().names().len());
        for (of_row, actual) in of_rows.zip(actual) {
            if let Some(actual) = actual {
                self.losses.add(of_row, *actual as usize);
            }
        }
    }

    /// The shares of all examples that stay right.
    fn robustness(&mut self, norm: RadiusArg) -> Robustness {
        let radii = std::mem::take(&mut self.radii_of_right);
        Robustness::new(norm, radii, self.judged.confusion.total())
    }

    fn baselines(&self, model: &ModelFile) -> Baselines {
        let plane = match model.model.baseline().prototypes.as_slice() {
            [plane] => Some(plane),
            _ => None,
        };
        let unscaled = |plane: &Hyperplane| match model.model.scaling() {
            Some(scaling) if model.model.preparation().is_only_scaled() => plane.unscaled(scaling),
            _ => plane.clone(),
        };
        let majority = model.model.baseline().majority();
        let (right, all) = (self.judged.confusion.actual(majority), self.judged.confusion.total());
        Baselines {
            prototype_errors: self.prototypes.accuracy().map(|_| self.prototypes.errors()),
            prototype_accuracy: self.prototypes.accuracy(),
            prototype: plane.filter(|plane| plane.weights.len() <= MOST_WEIGHTS).map(unscaled),
            prototype_line: plane.and_then(|plane| few_weights::line(model, plane)),
            majority: model.model.classes().names()[majority].clone(),
            majority_errors: all - right,
            majority_accuracy: right as f64 / all.max(1) as f64,
        }
    }

    fn unseen_labels(&self) -> Option<UnseenLabels> {
        const MOST: usize = 20;
        let wrong = self.judged.confusion.unseen();
        let predicted = (0..self.judged.confusion.classes())
            .map(|class| self.judged.confusion.unseen_as(class));
        (!self.unseen.is_empty()).then(|| UnseenLabels {
            examples: wrong + self.left_out,
            are_wrong: wrong > 0,
            predicted: if wrong > 0 { predicted.collect() } else { Vec::new() },
            labels: self.unseen.iter().take(MOST).cloned().collect(),
        })
    }

    /// Returns `None` if there are no examples.
    fn evaluation(
        &mut self,
        model: &ModelFile,
        skipped: u64,
        baseline: Option<Baselines>,
    ) -> Option<Evaluation> {
        let guarantee = self.guarantee(model);
        let (confusion, classes) = (&self.judged.confusion, model.model.classes());
        Some(Evaluation {
            examples: confusion.total(),
            skipped: Some(skipped).filter(|&skipped| skipped > 0),
            errors: confusion.errors(),
            accuracy: confusion.accuracy()?,
            error_rate: confusion.error_rate()?,
            guarantee,
            threshold: None,
            costs: None,
            robust: None,
            choice: None,
            effects: None,
            probabilities: LossesJson::of(&self.losses, &model.model),
            rates: self.judged.rates(classes, model.model.reported()),
            unseen_labels: self.unseen_labels(),
            unknown_categories: BTreeMap::new(),
            filled: BTreeMap::new(),
            classes: classes.names().to_vec(),
            baseline,
        })
    }
}
