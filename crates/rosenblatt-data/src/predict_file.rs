//! Predictions of a model for files and records.

use std::{
    io::{Cursor, Write},
    path::Path,
    vec,
};

use rosenblatt::{Prediction, Predictions};

use crate::{
    error::Error,
    export::{ExportFormat, export},
    files::model::ModelFile,
    input::{reader::Reader, source::Source},
    options::ReadOptions,
    table::{
        encode::Encoder,
        schema::{Inputs, Schema},
    },
};

/// The predictions for the rows of a file, in order. After an error there is none.
pub struct FilePredictions<'m> {
    file: &'m ModelFile,
    reader: Reader,
    encoder: Encoder<'m>,
    batch: vec::IntoIter<Prediction<'m>>,
}

impl<'m> FilePredictions<'m> {
    /// `schema` is that of the model, in the format of the source.
    fn new(
        file: &'m ModelFile,
        schema: &Schema,
        source: Source,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        let reader = Reader::for_model(source, options, schema, None)?;
        let encoder = Encoder::new(&file.schema);
        Ok(FilePredictions { file, reader, encoder, batch: Vec::new().into_iter() })
    }

    /// The predictions for the next batch.
    fn next_batch(&mut self) -> Option<Result<vec::IntoIter<Prediction<'m>>, Error>> {
        let encoded = match self.reader.next()? {
            Ok(batch) => self.encoder.encode_batch(batch),
            Err(error) => return Some(Err(error.into())),
        };
        let model = &self.file.model;
        Some(match model.predict_rows(&encoded.rows) {
            Ok(found) => Ok(each(found, self.file).into_iter()),
            Err(error) => Err(Error::Engine(error.into())),
        })
    }
}

/// The predictions of a batch, one by one.
fn each(found: Predictions, file: &ModelFile) -> Vec<Prediction<'_>> {
    let classes = file.model.classes();
    let scores = found.scores.chunks(classes.scheme().hyperplanes());
    let one = |(&class, scores): (&u32, &[f64])| {
        Prediction::new(class as usize, classes, scores.to_vec())
    };
    found.classes.iter().zip(scores).map(one).collect()
}

impl<'m> Iterator for FilePredictions<'m> {
    type Item = Result<Prediction<'m>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(prediction) = self.batch.next() {
                return Some(Ok(prediction));
            }
            match self.next_batch()? {
                Ok(batch) => self.batch = batch,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl ModelFile {
    /// Predicts the rows of a file, batch by batch; memory does not grow with the file. Labels in the file are not read.
    ///
    /// # Errors
    /// [`Error::Read`] for a file that cannot be read or does not have the columns of the model; the iterator gives the
    /// errors of later rows.
    pub fn predict_file(&self, path: impl AsRef<Path>) -> Result<FilePredictions<'_>, Error> {
        self.predict_file_with(path, &ReadOptions::default())
    }

    /// Predicts the rows of a file that is read with these options.
    ///
    /// # Errors
    /// As of [`Self::predict_file`].
    pub fn predict_file_with(
        &self,
        path: impl AsRef<Path>,
        options: &ReadOptions,
    ) -> Result<FilePredictions<'_>, Error> {
        FilePredictions::new(self, &self.schema, Source::open(path.as_ref())?, options)
    }

    /// Predicts one record of a table: names of columns, and cells as they would stand in a file. Columns that are no
    /// features are ignored. Columns of a table without a header are called `1`, `2`, `3`, ….
    ///
    /// # Errors
    /// [`Error::Record`] for a model of other data than a table, and for a feature without a cell; [`Error::Read`] for a
    /// cell that does not fit its column.
    pub fn predict_record(&self, record: &[(&str, &str)]) -> Result<Prediction<'_>, Error> {
        let text = record_as_csv(record, &self.schema)?;
        let source = Source::stream("the record", Cursor::new(text))?;
        let schema = self.schema.of_plain_csv();
        let options = ReadOptions::default().of_plain_csv();
        let mut predictions = FilePredictions::new(self, &schema, source, &options)?;
        let missing = || Error::Record { problem: "is empty".to_owned() };
        predictions.next().unwrap_or_else(|| Err(missing()))
    }

    /// Writes the model in a format of other programs.
    ///
    /// # Errors
    /// [`Error::Export`] for a model that the format cannot express, [`Error::Io`] when writing fails.
    pub fn export(&self, format: ExportFormat, mut to: impl Write) -> Result<(), Error> {
        Ok(to.write_all(&export(self, format)?)?)
    }
}

/// A table of one row, with the columns of the schema.
fn record_as_csv(record: &[(&str, &str)], schema: &Schema) -> Result<Vec<u8>, Error> {
    let Inputs::Columns(columns) = &schema.inputs else {
        let problem = "has named cells, but the model was not trained on a table".to_owned();
        return Err(Error::Record { problem });
    };
    let mut cells = vec![""; columns.count];
    let mut names = vec![String::new(); columns.count];
    for (place, name) in names.iter_mut().enumerate() {
        *name = format!("column {}", place + 1);
    }
    for column in &columns.features {
        let cell = record.iter().find(|(name, _)| *name == column.name);
        let Some((_, cell)) = cell else {
            let problem = format!("has no cell for the column `{}`", column.name);
            return Err(Error::Record { problem });
        };
        cells[column.position - 1] = cell;
        names[column.position - 1].clone_from(&column.name);
    }
    let line = |cells: Vec<&str>| {
        let quoted = cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
        quoted.collect::<Vec<_>>().join(",") + "\n"
    };
    let header = line(names.iter().map(String::as_str).collect());
    Ok((header + &line(cells)).into_bytes())
}
