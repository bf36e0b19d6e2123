//! `rosenblatt evaluate`: a model's labels against those of the data.

use rosenblatt::{
    data::Sign,
    metrics::{Confusion, auc},
};
use rosenblatt_data::{Encoder, ModelFile, Reader, Source};
use serde::Serialize;

use super::notes;
use crate::{
    args::EvaluateArgs,
    failure::Failure,
    output,
    text::{Table, count, counted, name, percent},
};

/// What was found; also the object that `--json` prints.
#[derive(Serialize)]
struct Evaluation {
    examples: u64,
    errors: u64,
    accuracy: f64,
    error_rate: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recall: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    auc: Option<f64>,
    confusion: Confusion,
    classes: [String; 2],
    positive: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
}

pub(crate) fn run(arguments: &EvaluateArgs) -> Result<(), Failure> {
    let model = ModelFile::load(&arguments.model)?;
    let evaluation = evaluate(arguments, &model)?;
    if arguments.json { output::print_json(&evaluation) } else { output::print(&text(&evaluation)) }
}

fn evaluate(arguments: &EvaluateArgs, model: &ModelFile) -> Result<Evaluation, Failure> {
    let classes = &model.model.classes;
    let options = arguments.reading.options(arguments.on_error);
    let source = Source::open_labelled(&arguments.data, arguments.labels.as_deref())?;
    let mut reader = Reader::for_model(source, &options, &model.schema, Some(classes))
        .map_err(Failure::ReadForModel)?;
    let encoder = Encoder::new(&model.schema);
    let mut predictor = model.model.predictor();
    let (mut confusion, mut scored, mut unknown) = (Confusion::default(), Vec::new(), 0);
    while let Some(batch) = reader.next() {
        let batch = batch.map_err(Failure::ReadForModel)?;
        let signs = batch.signs(classes);
        let encoded = encoder.encode_batch(batch);
        unknown += encoded.unknown_categories;
        for (row, sign) in encoded.rows.iter().zip(signs) {
            let both = predictor.predict(row).zip(predictor.score(row));
            let (predicted, score) = both.ok_or_else(|| Failure::ScaledRow {
                file: reader.file().to_owned(),
                example: confusion.total() + 1,
            })?;
            confusion.count(sign, predicted);
            scored.push((score, sign));
        }
    }
    let skipped = reader.notes().skipped;
    notes::print(reader.notes(), &model.schema, arguments.quiet);
    notes::print_unknown_categories(unknown, arguments.quiet);
    let (Some(accuracy), Some(error_rate)) = (confusion.accuracy(), confusion.error_rate()) else {
        let file = reader.file().to_owned();
        return Err(rosenblatt_data::ReadError::NoExamples { file, skipped, header: false }.into());
    };
    Ok(Evaluation {
        examples: confusion.total(),
        errors: confusion.errors(),
        accuracy,
        error_rate,
        precision: confusion.precision(),
        recall: confusion.recall(),
        auc: auc(&mut scored),
        confusion,
        classes: classes.names().clone(),
        positive: classes.name(Sign::Plus).to_owned(),
        skipped: Some(skipped).filter(|&skipped| skipped > 0),
    })
}

fn text(evaluation: &Evaluation) -> String {
    let Evaluation { examples, errors, accuracy, confusion, classes, .. } = evaluation;
    let negative = usize::from(classes[0] == evaluation.positive);
    let (positive, negative) = (&name(&evaluation.positive), &name(&classes[negative]));
    let share = |rate: Option<f64>| rate.map_or_else(|| "undefined".to_owned(), percent);
    let mut table = Table::default();
    table.line(
        "accuracy",
        format!(
            "{}: {} of {} wrong",
            percent(*accuracy),
            count(*errors),
            counted(*examples, "example")
        ),
    );
    table.line("error rate", percent(evaluation.error_rate));
    table.line(
        "precision",
        format!("{} of the rows predicted {positive} are {positive}", share(evaluation.precision)),
    );
    table.line(
        "recall",
        format!("{} of the rows that are {positive} are predicted so", share(evaluation.recall)),
    );
    let auc = evaluation.auc.map_or_else(
        || "undefined: only one class occurs".to_owned(),
        |auc| {
            format!(
                "{auc:.4}: chance that a row that is {positive} scores above one that is {negative}"
            )
        },
    );
    table.line("AUC", auc);
    table.to_string() + "\n" + &matrix(confusion, positive, negative)
}

/// The confusion matrix: a row for each actual class, a column for each predicted one.
fn matrix(confusion: &Confusion, positive: &str, negative: &str) -> String {
    let Confusion { true_positive, false_positive, false_negative, true_negative } = *confusion;
    let first = positive.chars().count().max(negative.chars().count()).max("actual".len());
    let width = first.max(count(confusion.total()).len());
    let line = |name: &str, a: &str, b: &str| format!("{name:first$}  {a:>width$}  {b:>width$}\n");
    [
        line("", "predicted", ""),
        line("actual", positive, negative),
        line(positive, &count(true_positive), &count(false_negative)),
        line(negative, &count(false_positive), &count(true_negative)),
    ]
    .map(|line| line.trim_end().to_owned() + "\n")
    .concat()
}
