//! `rosenblatt compare`: two models on the same labeled data.

use std::path::Path;

use rosenblatt_core::{
    keep::Tally,
    metrics::Paired,
    model::{PredictOptions, Predictions},
};
use rosenblatt_data::{EncodedCells, Encoder, ModelFile, ReadOptions, Reader};
use serde::Serialize;

use super::{inputs::InputFiles, models::load_model, notes::NoteLog};
use crate::{
    args::CompareArgs,
    error::CliError,
    output,
    progress::rows_read,
    text::{count, counted, decimal, escaped, percent},
};

/// The rows of each kind that are listed.
const MOST_ROWS: usize = 20;

/// The result; also the object that `--json` prints.
#[derive(Serialize)]
struct Comparison {
    data: String,
    examples: u64,
    /// The first model and the second.
    models: [OneModel; 2],
    #[serde(flatten)]
    paired: Paired,
    /// The accuracy of the second model less that of the first, and its 95 % interval.
    difference: f64,
    interval: [f64; 2],
    p_value: f64,
    /// The first rows that only one of the models predicts right, from 1.
    only_first_rows: Vec<u64>,
    only_second_rows: Vec<u64>,
}

#[derive(Serialize)]
struct OneModel {
    file: String,
    errors: u64,
    accuracy: f64,
}

pub(crate) fn run(arguments: &CompareArgs) -> Result<(), CliError> {
    let log = NoteLog::new(&arguments.printing);
    let comparison = compare(arguments, &log)?;
    match arguments.printing.json {
        true => log.print_json(&comparison),
        false => output::print(&text(&comparison)),
    }
}

fn compare(arguments: &CompareArgs, log: &NoteLog) -> Result<Comparison, CliError> {
    let paths = [arguments.model.as_path(), arguments.other.as_path()];
    let input =
        InputFiles::new(&arguments.data, &arguments.more, arguments.labeled.labels.as_deref());
    if !input.are_regular() {
        return Err(CliError::usage(
            "each of the two models reads the data, and a stream can be read only once",
            "write the data to a file",
        ));
    }
    let [first, second] = [load_model(paths[0], log)?, load_model(paths[1], log)?];
    let outcomes =
        [outcomes(arguments, input, &first, log)?, outcomes(arguments, input, &second, log)?];
    check_same_rows(arguments, paths, &outcomes)?;
    let [first, second] = &outcomes;
    let (mut paired, mut rows) = (Paired::default(), [Vec::new(), Vec::new()]);
    for (row, (first, second)) in (1..).zip(first.iter().zip(second)) {
        paired.count(first.is_right, second.is_right);
        let only = match (first.is_right, second.is_right) {
            (true, false) => &mut rows[0],
            (false, true) => &mut rows[1],
            _ => continue,
        };
        if only.len() < MOST_ROWS {
            only.push(row);
        }
    }
    let (Some(difference), Some(interval)) = (paired.difference(), paired.interval()) else {
        let (file, skipped, first) = (escaped_path(&arguments.data), 0, None);
        return Err(
            rosenblatt_data::ReadError::NoExamples { file, skipped, first, header: false }.into()
        );
    };
    let examples = paired.examples();
    let one = |path: &Path, right: u64| OneModel {
        file: path.display().to_string(),
        errors: examples - right,
        accuracy: right as f64 / examples as f64,
    };
    let [only_first_rows, only_second_rows] = rows;
    Ok(Comparison {
        data: arguments.data.display().to_string(),
        examples,
        models: [
            one(paths[0], paired.both + paired.only_first),
            one(paths[1], paired.both + paired.only_second),
        ],
        p_value: paired.p_value(),
        paired,
        difference,
        interval,
        only_first_rows,
        only_second_rows,
    })
}

/// A row: its label, and whether a model predicts it.
struct Outcome {
    label: String,
    is_right: bool,
}

/// The outcome of each row for one model. A label that it does not know is never right.
fn outcomes(
    arguments: &CompareArgs,
    input: InputFiles<'_>,
    model: &ModelFile,
    log: &NoteLog,
) -> Result<Vec<Outcome>, CliError> {
    let options = ReadOptions {
        target: arguments.target.clone(),
        ..arguments.reading.options(arguments.labeled.on_error)
    };
    let (tally, threads) = (Tally::default(), arguments.reading.threads());
    let predict_options = PredictOptions { tally, threads };
    let reader = Reader::for_evaluation(input.open()?, &options, &model.schema);
    let mut reader = reader.map_err(CliError::ReadForModel)?;
    let (encoder, mut cells) = (Encoder::new(&model.schema), EncodedCells::new(&model.schema));
    let names = model.model.classes().names();
    let mut outcomes = Vec::new();
    let bar = rows_read(arguments.printing.is_silent());
    while let Some(batch) = reader.next() {
        let batch = batch.map_err(CliError::ReadForModel)?;
        let known = batch.known_classes(model.model.classes());
        let actual: Vec<(Option<u32>, String)> = known
            .into_iter()
            .map(|known| match known {
                Ok(class) => (Some(class), names[class as usize].clone()),
                Err(label) => (None, label.to_owned()),
            })
            .collect();
        let encoded = encoder.encode_batch(batch);
        cells.add(&encoded);
        let before = outcomes.len() as u64;
        let failed =
            |error| CliError::predicting(reader.file(), error, |row| before + row as u64 + 1);
        let Predictions { classes, .. } =
            model.model.classify(&encoded.rows, predict_options, false).map_err(failed)?;
        let rows = actual.into_iter().zip(classes);
        outcomes.extend(rows.map(|((actual, label), predicted)| Outcome {
            label,
            is_right: actual == Some(predicted),
        }));
        bar.set_position(outcomes.len() as u64);
    }
    bar.finish_and_clear();
    log.tell(reader.notes().list(&model.schema));
    log.tell(cells.notes());
    Ok(outcomes)
}

/// Refuses models that judge other rows, or by other labels.
fn check_same_rows(
    arguments: &CompareArgs,
    paths: [&Path; 2],
    [first, second]: &[Vec<Outcome>; 2],
) -> Result<(), CliError> {
    let data = escaped_path(&arguments.data);
    let [one, other] = paths.map(escaped_path);
    if first.len() != second.len() {
        let (rows, others) = (count(first.len() as u64), count(second.len() as u64));
        return Err(CliError::usage(
            format!("{data}: `{one}` reads {rows} rows, and `{other}` reads {others}"),
            "leave out of the file the rows that one of them leaves out",
        ));
    }
    match first.iter().zip(second).position(|(first, second)| first.label != second.label) {
        None => Ok(()),
        Some(row) => Err(CliError::usage(
            format!(
                "{data}: the label of row {} is `{}` for `{one}`, and `{}` for `{other}`",
                row + 1,
                escaped(&first[row].label),
                escaped(&second[row].label)
            ),
            "compare models that were trained with the same column of labels",
        )),
    }
}

fn escaped_path(path: &Path) -> String {
    escaped(&path.display().to_string())
}

fn text(comparison: &Comparison) -> String {
    let Comparison { examples, models: [first, second], paired, difference, .. } = comparison;
    let one = |model: &OneModel| {
        let (file, share) = (escaped(&model.file), percent(model.accuracy));
        format!("{share} {file} ({} wrong)", count(model.errors))
    };
    let [low, high] = comparison.interval;
    // Of the better one, in its favour.
    let (better, by, [low, high]) = match *difference < 0.0 {
        true => (first, -difference, [-high, -low]),
        false => (second, *difference, [low, high]),
    };
    let within = format!("95% interval {} to {}", points(low), points(high));
    let difference = match by > 0.0 {
        true => format!("{} points for {} ({within})", points(by), escaped(&better.file)),
        false => format!("none ({within} points)"),
    };
    let only = |model: &OneModel, all: u64, rows: &[u64]| {
        let shown: Vec<String> = rows.iter().map(u64::to_string).collect();
        let rest = if all as usize > rows.len() { ", …" } else { "" };
        let rows =
            if all == 0 { String::new() } else { format!(": rows {}{rest}", shown.join(", ")) };
        format!("{} alone is right in {}{rows}", escaped(&model.file), counted(all, "example"))
    };
    let chance = if comparison.p_value < 0.05 {
        "chance alone rarely does this"
    } else {
        "chance may explain it"
    };
    [
        format!("data        {}: {}", escaped(&comparison.data), counted(*examples, "example")),
        format!("accuracy    {}", one(first)),
        format!("            {}", one(second)),
        format!("difference  {difference}"),
        format!("            McNemar's exact test: p = {}, {chance}", decimal(comparison.p_value)),
        format!("rows        {}", only(first, paired.only_first, &comparison.only_first_rows)),
        format!("            {}", only(second, paired.only_second, &comparison.only_second_rows)),
    ]
    .join("\n")
        + "\n"
}

/// A difference of shares in percentage points: `−1.4`.
fn points(difference: f64) -> String {
    let shown = format!("{:.1}", 100.0 * difference.abs());
    if difference < 0.0 && shown != "0.0" { format!("−{shown}") } else { shown }
}
