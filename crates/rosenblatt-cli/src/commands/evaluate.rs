//! `rosenblatt evaluate`: the predictions of a model against the labels of the data.

use std::collections::BTreeSet;

use rosenblatt::{
    data::Sign,
    metrics::{Confusion, CountError, auc, class_auc},
    model::Predictions,
};
use rosenblatt_data::{Encoder, ModelFile, Reader, batch::Batch};
use serde::Serialize;

use super::{
    inputs::InputFiles,
    models::{load_model, predict_options},
    notes,
};
use crate::{
    args::{EvaluateArgs, UnseenArg},
    error::CliError,
    output,
};

mod text;

/// The result; also the object that `--json` prints.
#[derive(Serialize)]
struct Evaluation {
    examples: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
    errors: u64,
    accuracy: f64,
    error_rate: f64,
    #[serde(flatten)]
    of_two: Option<BinaryResult>,
    #[serde(flatten)]
    of_many: Option<MeanF1>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_class: Option<Vec<ClassResult>>,
    confusion: MatrixJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    unseen_labels: Option<UnseenLabels>,
    classes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Baselines>,
}

/// The rates of two classes.
#[derive(Serialize)]
struct BinaryResult {
    positive: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recall: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    f1: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    auc: Option<f64>,
}

/// The rates of several classes together.
#[derive(Serialize)]
struct MeanF1 {
    #[serde(skip_serializing_if = "Option::is_none")]
    macro_f1: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weighted_f1: Option<f64>,
}

/// Examples with labels that are not in the training data.
#[derive(Serialize)]
struct UnseenLabels {
    examples: u64,
    /// Whether they are counted as wrong predictions; otherwise they are left out.
    are_wrong: bool,
    /// How often each class was predicted for them, if they are counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    predicted: Vec<u64>,
    /// The first of the labels in sorted order.
    labels: Vec<String>,
}

/// One of several classes.
#[derive(Serialize)]
struct ClassResult {
    class: String,
    examples: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recall: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    f1: Option<f64>,
    /// Against all other classes; absent for more scores than [`Counts::MOST_SCORES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    auc: Option<f64>,
}

/// The confusion matrix.
#[derive(Serialize)]
#[serde(untagged)]
enum MatrixJson {
    Two {
        true_positive: u64,
        false_positive: u64,
        false_negative: u64,
        true_negative: u64,
    },
    /// A row for each actual class, with a number for each predicted one.
    Many(Vec<Vec<u64>>),
}

/// The baselines that a model should beat.
#[derive(Serialize)]
struct Baselines {
    /// The errors of the nearest class mean, if the model has the means.
    #[serde(skip_serializing_if = "Option::is_none")]
    prototype_errors: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prototype_accuracy: Option<f64>,
    /// The most frequent class of the training data.
    majority: String,
    majority_errors: u64,
    majority_accuracy: f64,
}

/// The counts of one pass over the data.
struct Counts {
    confusion: Confusion,
    /// The confusion of the nearest class mean.
    prototypes: Confusion,
    /// The scores of each example that is ranked for the AUC: one for two classes, else one for each class.
    scores: Vec<f64>,
    /// The class of each of these examples.
    scored: Vec<u32>,
    /// Whether there are more scores than are kept.
    too_many_scores: bool,
    /// Labels that are not in the training data, and how many examples with such a label were left out.
    unseen: BTreeSet<String>,
    left_out: u64,
}

pub(crate) fn run(arguments: &EvaluateArgs) -> Result<(), CliError> {
    let model = load_model(&arguments.model, arguments.printing.quiet)?;
    let evaluation = evaluate(arguments, &model)?;
    if arguments.printing.json {
        output::print_json(&evaluation)
    } else {
        output::print(&text::text(&evaluation))
    }
}

fn evaluate(arguments: &EvaluateArgs, model: &ModelFile) -> Result<Evaluation, CliError> {
    let classes = model.model.classes();
    let predict_options = predict_options(&arguments.voting, &arguments.reading, model)?;
    let mut reader = open(arguments, model)?;
    let encoder = Encoder::new(&model.schema);
    let mut counts = Counts::new(classes.names().len())?;
    let (mut unknown, mut rows) = (0, 0);
    while let Some(batch) = reader.next() {
        let batch = batch.map_err(CliError::ReadForModel)?;
        let actual = counts.actual(&batch, model);
        let encoded = encoder.encode_batch(batch);
        unknown += encoded.unknown_categories;
        let before = rows;
        rows += actual.len() as u64;
        let failed =
            |error| CliError::predicting(reader.file(), error, |row| before + row as u64 + 1);
        let predictions =
            model.model.classify(&encoded.rows, predict_options, true).map_err(failed)?;
        let is_wrong = arguments.unseen_labels != UnseenArg::Skip;
        counts.add(&actual, &predictions, is_wrong)?;
        if arguments.baseline {
            let prototypes = model.model.predict_baseline(&encoded.rows).map_err(failed)?;
            count(&mut counts.prototypes, &actual, &prototypes, is_wrong)?;
        }
    }
    let skipped = reader.notes().skipped;
    notes::print(reader.notes(), &model.schema, arguments.printing.quiet);
    notes::print_unknown_categories(unknown, arguments.printing.quiet);
    let baseline = arguments.baseline.then(|| counts.baselines(model));
    let skipped_in_all = skipped + counts.left_out;
    counts.evaluation(model, skipped, baseline).ok_or_else(|| {
        let file = reader.file().to_owned();
        rosenblatt_data::ReadError::NoExamples { file, skipped: skipped_in_all, header: false }
            .into()
    })
}

/// Opens the data with any labels, or only with those of the model.
fn open(arguments: &EvaluateArgs, model: &ModelFile) -> Result<Reader, CliError> {
    let options = arguments.reading.options(arguments.labeled.on_error);
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
    /// The maximum number of scores that are kept for the AUC of several classes: 256 MiB.
    const MOST_SCORES: usize = 1 << 25;

    fn new(classes: usize) -> Result<Self, CountError> {
        let confusion = Confusion::new(classes)?;
        Ok(Counts {
            prototypes: confusion.clone(),
            confusion,
            scores: Vec::new(),
            scored: Vec::new(),
            too_many_scores: false,
            unseen: BTreeSet::new(),
            left_out: 0,
        })
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
        count(&mut self.confusion, actual, &predictions.classes, unseen_is_wrong)?;
        if !unseen_is_wrong {
            self.left_out += actual.iter().filter(|class| class.is_none()).count() as u64;
        }
        let width = predictions.scores.len() / actual.len().max(1);
        self.too_many_scores |=
            width > 1 && self.scores.len() + predictions.scores.len() > Self::MOST_SCORES;
        if self.too_many_scores {
            self.scores = Vec::new();
            return Ok(());
        }
        for (&actual, scores) in actual.iter().zip(predictions.scores.chunks(width.max(1))) {
            if let Some(actual) = actual {
                self.scored.push(actual);
                self.scores.extend_from_slice(scores);
            }
        }
        Ok(())
    }

    fn baselines(&self, model: &ModelFile) -> Baselines {
        let majority = model.model.baseline().majority();
        let (right, all) = (self.confusion.actual(majority), self.confusion.total());
        Baselines {
            prototype_errors: self.prototypes.accuracy().map(|_| self.prototypes.errors()),
            prototype_accuracy: self.prototypes.accuracy(),
            majority: model.model.classes().names()[majority].clone(),
            majority_errors: all - right,
            majority_accuracy: right as f64 / all.max(1) as f64,
        }
    }

    /// The area under the ROC curve of two classes.
    fn auc_of_two(&self, positive: usize) -> Option<f64> {
        let sign = |&class: &u32| if class as usize == positive { Sign::Plus } else { Sign::Minus };
        let signs = self.scored.iter().map(sign);
        auc(&mut self.scores.iter().copied().zip(signs).collect::<Vec<_>>())
    }

    fn of_class(&self, number: usize, class: &str) -> ClassResult {
        let confusion = &self.confusion;
        ClassResult {
            class: class.to_owned(),
            examples: confusion.actual(number),
            precision: confusion.precision(number),
            recall: confusion.recall(number),
            f1: confusion.f1(number),
            auc: class_auc(&self.scores, confusion.classes(), &self.scored, number),
        }
    }

    fn unseen_labels(&self) -> Option<UnseenLabels> {
        const MOST: usize = 20;
        let wrong = self.confusion.unseen();
        let predicted = (0..self.confusion.classes()).map(|class| self.confusion.unseen_as(class));
        (!self.unseen.is_empty()).then(|| UnseenLabels {
            examples: wrong + self.left_out,
            are_wrong: wrong > 0,
            predicted: if wrong > 0 { predicted.collect() } else { Vec::new() },
            labels: self.unseen.iter().take(MOST).cloned().collect(),
        })
    }

    /// Returns `None` if there are no examples.
    fn evaluation(
        &self,
        model: &ModelFile,
        skipped: u64,
        baseline: Option<Baselines>,
    ) -> Option<Evaluation> {
        let (confusion, classes) = (&self.confusion, model.model.classes());
        let positive = classes.scheme().class_of(0);
        let of_two = classes.positive().map(|name| BinaryResult {
            positive: name.to_owned(),
            precision: confusion.precision(positive),
            recall: confusion.recall(positive),
            f1: confusion.f1(positive),
            auc: self.auc_of_two(positive),
        });
        let are_many = of_two.is_none();
        let of_many =
            || MeanF1 { macro_f1: confusion.macro_f1(), weighted_f1: confusion.weighted_f1() };
        let names = classes.names();
        let of_class = |(number, class): (usize, &String)| self.of_class(number, class);
        let per_class = || names.iter().enumerate().map(of_class).collect();
        Some(Evaluation {
            examples: confusion.total(),
            skipped: Some(skipped).filter(|&skipped| skipped > 0),
            errors: confusion.errors(),
            accuracy: confusion.accuracy()?,
            error_rate: confusion.error_rate()?,
            of_many: are_many.then(of_many),
            per_class: are_many.then(per_class),
            confusion: MatrixJson::of(confusion, of_two.as_ref().map(|_| positive)),
            unseen_labels: self.unseen_labels(),
            of_two,
            classes: names.to_vec(),
            baseline,
        })
    }
}

impl MatrixJson {
    fn of(confusion: &Confusion, positive: Option<usize>) -> Self {
        match positive {
            Some(plus) => MatrixJson::Two {
                true_positive: confusion.of(plus, plus),
                false_positive: confusion.of(1 - plus, plus),
                false_negative: confusion.of(plus, 1 - plus),
                true_negative: confusion.of(1 - plus, 1 - plus),
            },
            None => {
                let all = 0..confusion.classes();
                let row = |actual| all.clone().map(|class| confusion.of(actual, class)).collect();
                MatrixJson::Many(all.clone().map(row).collect())
            }
        }
    }
}
