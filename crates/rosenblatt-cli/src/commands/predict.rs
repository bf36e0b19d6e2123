//! `rosenblatt predict`: one label a line, row by row, in constant memory.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use rosenblatt::model::Predictor;
use rosenblatt_data::{AtomicFile, Encoder, ModelFile, Reader, Source};

use super::notes;
use crate::{
    args::{OnErrorArg, PredictArgs},
    failure::Failure,
};

pub(crate) fn run(arguments: &PredictArgs) -> Result<(), Failure> {
    if let Some(path) = &arguments.output {
        super::not_over_input(path, &[&arguments.data, &arguments.model])?;
    }
    let model = ModelFile::load(&arguments.model)?;
    let options = arguments.reading.options(OnErrorArg::Stop);
    let source = Source::open(&arguments.data)?;
    let reader =
        Reader::for_model(source, &options, &model.schema, None).map_err(Failure::ReadForModel)?;
    match &arguments.output {
        None => {
            let mut out = io::stdout().lock();
            let written = write_all(arguments, &model, reader, |text| Ok(out.write_all(text)?));
            written.and_then(|()| Ok(out.flush()?))
        }
        Some(path) => {
            let failure = |error| Failure::Write { file: path.display().to_string(), error };
            let mut file = AtomicFile::create(path).map_err(failure)?;
            write_all(arguments, &model, reader, |text| file.write_all(text).map_err(failure))?;
            file.commit().map_err(failure)
        }
    }
}

fn write_all(
    arguments: &PredictArgs,
    model: &ModelFile,
    mut reader: Reader,
    mut write: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let encoder = Encoder::new(&model.schema);
    let mut predictor = model.model.predictor();
    let (mut text, mut examples, mut unknown) = (String::new(), 0, 0);
    while let Some(batch) = reader.next() {
        let encoded = encoder.encode_batch(batch.map_err(Failure::ReadForModel)?);
        unknown += encoded.unknown_categories;
        text.clear();
        for row in encoded.rows.iter() {
            examples += 1;
            let line = line(&mut predictor, model, row, arguments.scores, &mut text);
            line.ok_or_else(|| Failure::ScaledRow {
                file: reader.file().to_owned(),
                example: examples,
            })?;
        }
        write(text.as_bytes())?;
    }
    notes::print(reader.notes(), &model.schema, arguments.quiet);
    notes::print_unknown_categories(unknown, arguments.quiet);
    Ok(())
}

/// Appends the line of one row; `None` when its scaled values overflow.
fn line(
    predictor: &mut Predictor<'_>,
    model: &ModelFile,
    row: rosenblatt::data::Row<'_>,
    scores: bool,
    text: &mut String,
) -> Option<()> {
    text.push_str(model.model.classes.name(predictor.predict(row)?));
    if scores {
        // Writing to a String cannot fail. `{:?}` is the shortest text that reads back the same.
        let _ = write!(text, "\t{:?}", predictor.score(row)?);
    }
    text.push('\n');
    Some(())
}
