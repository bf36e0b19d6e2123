//! `rosenblatt evaluate`: the predictions of a model against the labels of the data.

use rosenblatt::{
    data::{Rows, Sign},
    metrics::{Confusion, CountError, auc},
};
use rosenblatt_data::{Encoder, ModelFile, Reader};
use serde::Serialize;

use super::{
    inputs::InputFiles,
    models::{load_model, predict_options},
    notes,
};
use crate::{args::EvaluateArgs, error::CliError, output};

mod text;

/// The result; also the object that `--json` prints.
#[derive(Serialize)]
struct Evaluation {
    examples: u64,
    errors: u64,
    accuracy: f64,
    error_rate: f64,
    #[serde(flatten)]
    of_two: Option<BinaryResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_class: Option<Vec<ClassResult>>,
    confusion: MatrixJson,
    classes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Baselines>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
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
    auc: Option<f64>,
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
    /// The score and class of each example, for two classes.
    scored: Vec<(f64, Sign)>,
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
    let options = arguments.reading.options(arguments.labeled.on_error);
    let source = InputFiles::new(&arguments.data, arguments.labeled.labels.as_deref()).open()?;
    let mut reader = Reader::for_model(source, &options, &model.schema, Some(classes))
        .map_err(CliError::ReadForModel)?;
    let encoder = Encoder::new(&model.schema);
    let mut counts = Counts::new(classes.names().len())?;
    let mut unknown = 0;
    while let Some(batch) = reader.next() {
        let batch = batch.map_err(CliError::ReadForModel)?;
        let actual = batch.classes(classes);
        let encoded = encoder.encode_batch(batch);
        unknown += encoded.unknown_categories;
        let before = counts.confusion.total();
        let mut add = |rows: &Rows<'_>| {
            let failed =
                |error| CliError::predicting(reader.file(), error, |row| before + row as u64 + 1);
            let with_scores = classes.pair().is_some();
            let predictions =
                model.model.classify(rows, predict_options, with_scores).map_err(failed)?;
            counts.add(&actual, &predictions.classes, &predictions.scores, model)?;
            if arguments.baseline {
                let prototypes = model.model.predict_baseline(rows);
                counts.add_prototypes(&actual, &prototypes.map_err(failed)?)?;
            }
            Ok::<(), CliError>(())
        };
        add(&encoded.rows)?;
    }
    let skipped = reader.notes().skipped;
    notes::print(reader.notes(), &model.schema, arguments.printing.quiet);
    notes::print_unknown_categories(unknown, arguments.printing.quiet);
    let baseline = arguments.baseline.then(|| counts.baselines(model));
    counts.evaluation(model, skipped, baseline).ok_or_else(|| {
        let file = reader.file().to_owned();
        rosenblatt_data::ReadError::NoExamples { file, skipped, header: false }.into()
    })
}

impl Counts {
    fn new(classes: usize) -> Result<Self, CountError> {
        let confusion = Confusion::new(classes)?;
        Ok(Counts { prototypes: confusion.clone(), confusion, scored: Vec::new() })
    }

    fn add(
        &mut self,
        actual: &[u32],
        predicted: &[u32],
        scores: &[f64],
        model: &ModelFile,
    ) -> Result<(), CountError> {
        for (&actual, &predicted) in actual.iter().zip(predicted) {
            self.confusion.count(actual, predicted)?;
        }
        let positive = model.model.classes().scheme().class_of(0) as u32;
        let sign = |class: &u32| if *class == positive { Sign::Plus } else { Sign::Minus };
        self.scored.extend(scores.iter().copied().zip(actual.iter().map(sign)));
        Ok(())
    }

    fn add_prototypes(&mut self, actual: &[u32], predicted: &[u32]) -> Result<(), CountError> {
        let mut pairs = actual.iter().zip(predicted);
        pairs.try_for_each(|(&actual, &predicted)| self.prototypes.count(actual, predicted))
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

    /// Returns `None` if there are no examples.
    fn evaluation(
        mut self,
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
            auc: auc(&mut self.scored),
        });
        let of_class = |(number, class): (usize, &String)| ClassResult {
            class: class.clone(),
            examples: confusion.actual(number),
            precision: confusion.precision(number),
            recall: confusion.recall(number),
        };
        let per_class = classes.names().iter().enumerate().map(of_class).collect();
        Some(Evaluation {
            examples: confusion.total(),
            errors: confusion.errors(),
            accuracy: confusion.accuracy()?,
            error_rate: confusion.error_rate()?,
            per_class: Some(per_class).filter(|_| of_two.is_none()),
            confusion: MatrixJson::of(confusion, of_two.as_ref().map(|_| positive)),
            of_two,
            classes: classes.names().to_vec(),
            baseline,
            skipped: Some(skipped).filter(|&skipped| skipped > 0),
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
