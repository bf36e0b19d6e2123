//! `rosenblatt predict`: one label a line, row by row, in constant memory.

use std::{
    fmt::Write as _,
    io::{IsTerminal, Write},
};

use rosenblatt::model::{Model, Predictions, Use};
use rosenblatt_data::{AtomicFile, Encoder, ModelFile, Reader, Source};

use super::{
    models::{load_model, predict_options},
    notes,
    outputs::prepare,
};
use crate::{
    args::{OnErrorArg, PredictArgs},
    error::CliError,
    output,
    text::escaped,
};

pub(crate) fn run(arguments: &PredictArgs) -> Result<(), CliError> {
    if let Some(path) = &arguments.output {
        prepare("-o", path, &[&arguments.data, &arguments.model])?;
    }
    let model = load_model(&arguments.model, arguments.quiet)?;
    let how = predict_options(&arguments.voting, &arguments.reading, &model)?;
    let options = arguments.reading.options(OnErrorArg::Stop);
    let source = Source::open(&arguments.data)?;
    let reader =
        Reader::for_model(source, &options, &model.schema, None).map_err(CliError::ReadForModel)?;
    match &arguments.output {
        None => {
            let mut out = output::standard()?;
            let names = labels(&model, out.is_terminal());
            let written = write_all(arguments, (&model, how), (reader, &names), |text| {
                Ok(out.write_all(text)?)
            });
            written.and_then(|()| Ok(out.flush()?))
        }
        Some(path) => {
            let failure = |error| CliError::Write { file: path.display().to_string(), error };
            let mut file = AtomicFile::create(path).map_err(failure)?;
            write_all(arguments, (&model, how), (reader, &labels(&model, false)), |text| {
                file.write_all(text).map_err(failure)
            })?;
            file.commit().map_err(failure)
        }
    }
}

/// The labels as they are written: data, byte for byte, but for a terminal, which would act on hidden characters.
fn labels(model: &ModelFile, is_terminal: bool) -> Vec<String> {
    let names = model.model.classes.names();
    if is_terminal { names.iter().map(|name| escaped(name)).collect() } else { names.to_vec() }
}

fn write_all(
    arguments: &PredictArgs,
    (model, how): (&ModelFile, Use),
    (mut reader, names): (Reader, &[String]),
    mut write: impl FnMut(&[u8]) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let encoder = Encoder::new(&model.schema);
    let mut predictor = model.model.predictor(how);
    let (mut text, mut examples, mut unknown) = (String::new(), 0, 0);
    while let Some(batch) = reader.next() {
        let encoded = encoder.encode_batch(batch.map_err(CliError::ReadForModel)?);
        unknown += encoded.unknown_categories;
        text.clear();
        let predictions = predictor.predict(&encoded.rows, arguments.scores);
        let place = |row| examples + row as u64 + 1;
        let predictions =
            predictions.map_err(|error| CliError::predicting(reader.file(), error, place))?;
        examples += encoded.rows.len() as u64;
        lines(&model.model, names, &predictions, &mut text);
        write(text.as_bytes())?;
    }
    notes::print(reader.notes(), &model.schema, arguments.quiet);
    notes::print_unknown_categories(unknown, arguments.quiet);
    Ok(())
}

/// Appends the line of each row.
fn lines(model: &Model, names: &[String], predictions: &Predictions, text: &mut String) {
    let mut scores = predictions.scores.chunks(model.classes.scheme().hyperplanes());
    for &class in &predictions.classes {
        text.push_str(&names[class as usize]);
        for score in scores.next().unwrap_or_default() {
            // Writing to a String cannot fail. `{:?}` is the shortest text that reads back the same.
            let _ = write!(text, "\t{score:?}");
        }
        text.push('\n');
    }
}
