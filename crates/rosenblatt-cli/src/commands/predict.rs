//! `rosenblatt predict`: one label per line, in constant memory.

use std::{
    fmt::Write as _,
    io::{IsTerminal, Write},
};

use rosenblatt::model::{Model, PredictOptions, Predictions};
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
    let predict_options = predict_options(&arguments.voting, &arguments.reading, &model)?;
    let options = arguments.reading.options(OnErrorArg::Stop);
    let source = Source::open(&arguments.data)?;
    let reader =
        Reader::for_model(source, &options, &model.schema, None).map_err(CliError::ReadForModel)?;
    let (scores, quiet) = (arguments.scores, arguments.quiet);
    let job = Job { model: &model, predict_options, reader, scores, quiet };
    match &arguments.output {
        None => {
            let mut out = output::standard()?;
            let names = labels(&model, out.is_terminal());
            job.write_all(&names, |text| Ok(out.write_all(text)?))?;
            Ok(out.flush()?)
        }
        Some(path) => {
            let write_error = |error| CliError::Write { file: path.display().to_string(), error };
            let mut file = AtomicFile::create(path).map_err(write_error)?;
            let names = labels(&model, false);
            job.write_all(&names, |text| file.write_all(text).map_err(write_error))?;
            file.commit().map_err(write_error)
        }
    }
}

/// The labels as they are written: byte for byte as in the data, but with hidden characters escaped for a terminal, which
/// would act on them.
fn labels(model: &ModelFile, is_terminal: bool) -> Vec<String> {
    let names = model.model.classes().names();
    if is_terminal { names.iter().map(|name| escaped(name)).collect() } else { names.to_vec() }
}

/// A model, and the data to label.
struct Job<'a> {
    model: &'a ModelFile,
    predict_options: PredictOptions,
    reader: Reader,
    /// Whether the scores are written too.
    scores: bool,
    quiet: bool,
}

impl Job<'_> {
    /// Labels one batch after the other, in constant memory; `names` are the labels as they are written.
    fn write_all(
        mut self,
        names: &[String],
        mut write: impl FnMut(&[u8]) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let encoder = Encoder::new(&self.model.schema);
        let (mut text, mut examples, mut unknown) = (String::new(), 0, 0);
        while let Some(batch) = self.reader.next() {
            let encoded = encoder.encode_batch(batch.map_err(CliError::ReadForModel)?);
            unknown += encoded.unknown_categories;
            text.clear();
            let place = |row| examples + row as u64 + 1;
            let model = &self.model.model;
            let predictions = model
                .classify(&encoded.rows, self.predict_options, self.scores)
                .map_err(|error| CliError::predicting(self.reader.file(), error, place))?;
            examples += encoded.rows.len() as u64;
            lines(model, names, &predictions, &mut text);
            write(text.as_bytes())?;
        }
        notes::print(self.reader.notes(), &self.model.schema, self.quiet);
        notes::print_unknown_categories(unknown, self.quiet);
        Ok(())
    }
}

/// Appends the line of each row.
fn lines(model: &Model, names: &[String], predictions: &Predictions, text: &mut String) {
    let mut scores = predictions.scores.chunks(model.classes().scheme().hyperplanes());
    for &class in &predictions.classes {
        text.push_str(&names[class as usize]);
        for score in scores.next().unwrap_or_default() {
            // Writing to a String cannot fail. `{:?}` is the shortest text that parses to this number.
            let _ = write!(text, "\t{score:?}");
        }
        text.push('\n');
    }
}
