//! `rosenblatt predict`: one line per row, in constant memory.

use std::{
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
};

use rosenblatt::DecisionRadius;
use rosenblatt_core::{
    data::Rows,
    model::{Model, PredictError, PredictOptions, Predictions, RowOverflow},
};
use rosenblatt_data::{
    AtomicFile, EncodedCells, Encoder, ModelFile, Note, NoteCode, Problem, ReadError, ReadOptions,
    Reader, Source, batch::Gap, encode::Encoded, explain::NamedExplanation,
};

use super::{
    distances::Distances,
    explanations::Explainer,
    models::{load_model, predict_options},
    notes::{self, NoteLog},
    outputs::prepare,
    predicted_rows::{OutputRow, RowWriter},
    probabilities::{calibration, decide, of_rows, threshold},
    radius::{borders, radii},
    row_cells::{RowCells, by_row},
};
use crate::{
    args::{BlankArg, OnErrorArg, OutputFormatArg, PredictArgs},
    error::CliError,
    output,
    progress::rows_read,
    text::name,
};

pub(crate) fn run(arguments: &PredictArgs) -> Result<(), CliError> {
    if let Some(path) = &arguments.output {
        let read = [&arguments.data, &arguments.model].into_iter().chain(&arguments.more);
        prepare("-o", path, &read.map(PathBuf::as_path).collect::<Vec<_>>())?;
    }
    let log = NoteLog::with_quiet(arguments.quiet);
    let model = load_model(&arguments.model, &log)?;
    let predict_options = predict_options(&arguments.voting, &arguments.reading, &model)?;
    let threshold = threshold(&arguments.threshold, &arguments.voting, &model)?;
    if arguments.proba {
        calibration("--proba", &arguments.voting, &model)?;
    }
    log.tell(probability_of(arguments, &model.model));
    let borders = borders(arguments.radius, &model)?;
    let distances = Distances::new(arguments, &model)?;
    let explainer = Explainer::new(arguments.explain, &model)?;
    let source = Source::open(&arguments.data)?.with_more(&arguments.more);
    let classes = Some(model.model.classes()).filter(|_| arguments.margins);
    let reader = Reader::for_model(source, &read_options(arguments), &model.schema, classes)
        .map_err(|error| read_error(arguments.margins, error))?;
    let leaves_blanks = arguments.on_error == BlankArg::Blank;
    let needs_scores = arguments.proba || threshold.is_some() || distances.is_some();
    let scores =
        needs_scores || arguments.scores || arguments.output_format != OutputFormatArg::Plain;
    let names_cells = arguments.output_format == OutputFormatArg::Json;
    let (model, unpredicted) = (&model, 0);
    // On a terminal the labels show it.
    let is_silent =
        arguments.quiet || arguments.output.is_none() && std::io::stdout().is_terminal();
    let job = Job {
        model,
        predict_options,
        threshold,
        borders,
        distances,
        explainer: explainer.as_ref(),
        reader,
        scores,
        names_cells,
        leaves_blanks,
        is_silent,
        unpredicted,
    };
    let schema = &model.schema;
    let explained = explainer.as_ref().map(Explainer::most);
    match &arguments.output {
        None => {
            let mut out = output::standard()?;
            let writer = RowWriter::new(arguments, &model.model, explained, out.is_terminal());
            job.write_all(&writer, schema, &log, |text| Ok(out.write_all(text)?))?;
            Ok(out.flush()?)
        }
        Some(path) => {
            let write_error = |error| CliError::Write { file: path.display().to_string(), error };
            let mut file = AtomicFile::create(path).map_err(write_error)?;
            let writer = RowWriter::new(arguments, &model.model, explained, false);
            job.write_all(&writer, schema, &log, |text| file.write_all(text).map_err(write_error))?;
            file.commit().map_err(write_error)
        }
    }
}

/// The note that probabilities are of the class whose scores are negative.
fn probability_of(arguments: &PredictArgs, model: &Model) -> Option<Note> {
    let speaks = arguments.proba || arguments.threshold.is_given();
    let reported = model.reported().filter(|&class| class != model.classes().scheme().class_of(0));
    let class = &model.classes().names()[reported.filter(|_| speaks)?];
    let (shown, other) = (name(class), name(model.classes().positive().unwrap_or_default()));
    let words = format!("the probability is that of `{shown}`; a score above 0 is for `{other}`");
    Some(Note::new(NoteCode::ProbabilityOf, words).classes([class]))
}

fn read_options(arguments: &PredictArgs) -> ReadOptions {
    ReadOptions {
        on_error: arguments.on_error.into(),
        id: arguments.id.clone(),
        // Another program may write the next row only after the answer to this one.
        unbuffered: arguments.data == Path::new("-") || !arguments.data.is_file(),
        ..arguments.reading.options(OnErrorArg::Stop)
    }
}

/// The error of reading; only `--margins` reads labels.
fn read_error(margins: bool, error: ReadError) -> CliError {
    let is_of_labels = match &error {
        ReadError::NoLabels { .. } => true,
        ReadError::Data { problem, .. } => matches!(
            problem,
            Problem::UnknownLabel { .. }
                | Problem::EmptyLabel { .. }
                | Problem::MissingLabel { .. }
                | Problem::NotFiniteLabel { .. }
                | Problem::ControlInLabel { .. }
        ),
        _ => false,
    };
    if !(margins && is_of_labels) {
        return CliError::ReadForModel(error);
    }
    CliError::usage(
        error.to_string(),
        "`--margins` needs a label of the model in every row; `--distances` needs none",
    )
}

/// A model, and the data to label.
struct Job<'a> {
    model: &'a ModelFile,
    predict_options: PredictOptions,
    /// The probability from which on the class is the positive one; by default its score decides.
    threshold: Option<f64>,
    /// The borders of `--radius`.
    borders: Option<DecisionRadius>,
    distances: Option<Distances>,
    /// That of `--explain`.
    explainer: Option<&'a Explainer<'a>>,
    reader: Reader,
    /// Whether the scores are written too; a label alone is decided faster.
    scores: bool,
    /// Whether the columns of unknown and of filled cells are written with each row.
    names_cells: bool,
    /// Whether a row that cannot be read or predicted has a blank line.
    leaves_blanks: bool,
    /// Whether nothing shows how far the work is.
    is_silent: bool,
    /// The number of rows whose computation overflows.
    unpredicted: u64,
}

/// The cells of a batch beside the features, and the rows that are left out.
struct RowsRead {
    gaps: Vec<Gap>,
    ids: Vec<String>,
    /// The class of each label; none unless they are needed.
    labels: Vec<u32>,
}

/// The predictions of a batch and the rows without one, in order.
struct PredictedBatch {
    predictions: Predictions,
    read: RowsRead,
    /// The cells of each row that the model does not know or that are filled; none unless they are written.
    cells: Vec<RowCells>,
    /// The decision radius of each row; none unless they are written.
    radii: Vec<f64>,
    /// The explanations of each row; none unless they are written.
    explanations: Vec<Vec<NamedExplanation>>,
}

/// The predictions of rows, their radii and their explanations.
type Classified = (Predictions, Vec<f64>, Vec<Vec<NamedExplanation>>);

impl Job<'_> {
    /// Labels one batch after the other, each written before the next is read.
    fn write_all(
        mut self,
        writer: &RowWriter,
        schema: &rosenblatt_data::Schema,
        log: &NoteLog,
        mut write: impl FnMut(&[u8]) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let encoder = Encoder::new(schema);
        let (mut text, mut examples) = (writer.header(), 0);
        let mut cells = EncodedCells::new(schema);
        let bar = rows_read(self.is_silent);
        while let Some(batch) = self.reader.next() {
            let margins = self.distances.as_ref().is_some_and(Distances::needs_labels);
            let mut batch = batch.map_err(|error| read_error(margins, error))?;
            let (gaps, ids) = (batch.take_gaps(), batch.take_ids());
            let classes = self.model.model.classes();
            let labels = if margins { batch.classes(classes) } else { Vec::new() };
            let encoded = encoder.encode_batch(batch);
            cells.add(&encoded);
            let read = RowsRead { gaps, ids, labels };
            let mut predicted = self.predicted(&encoded, read, examples)?;
            decide(&self.model.model, self.threshold, &mut predicted.predictions);
            examples += encoded.rows.len() as u64;
            bar.set_position(examples);
            self.write_batch(writer, &predicted, &mut text);
            write(text.as_bytes())?;
            text.clear();
        }
        bar.finish_and_clear();
        // A table without a row still has its header.
        write(text.as_bytes())?;
        log.tell(notes::with_blanks(self.reader.notes(), schema));
        log.tell(cells.notes());
        log.tell(notes::out_of_range(self.unpredicted));
        Ok(())
    }

    /// The predictions of a batch that comes after `examples` rows.
    fn predicted(
        &mut self,
        encoded: &Encoded,
        read: RowsRead,
        examples: u64,
    ) -> Result<PredictedBatch, CliError> {
        let cells = if self.names_cells { by_row(&self.model.schema, encoded) } else { Vec::new() };
        match self.classified(&encoded.rows) {
            Ok((predictions, radii, explanations)) => {
                Ok(PredictedBatch { predictions, read, cells, radii, explanations })
            }
            Err(PredictError::OutOfRange(_)) if self.leaves_blanks => {
                self.one_by_one(encoded, read, cells)
            }
            Err(error) => {
                let place = |row| examples + row as u64 + 1;
                Err(CliError::predicting(self.reader.file(), error, place))
            }
        }
    }

    /// The predictions of rows, their radii and their explanations.
    fn classified(&self, rows: &Rows<'_>) -> Result<Classified, PredictError> {
        let predictions = self.model.model.classify(rows, self.predict_options, self.scores)?;
        let classes = &predictions.classes;
        let radii = radii(self.borders.as_ref(), rows, classes);
        let explain = |explainer: &Explainer<'_>| explainer.of(rows, classes, self.names_cells);
        let explanations = self.explainer.map(explain).transpose()?.unwrap_or_default();
        Ok((predictions, radii, explanations))
    }

    /// The predictions of a batch in which the computation of a row overflows.
    fn one_by_one(
        &mut self,
        encoded: &Encoded,
        read: RowsRead,
        cells: Vec<RowCells>,
    ) -> Result<PredictedBatch, CliError> {
        let mut predictions = Predictions { classes: Vec::new(), scores: Vec::new() };
        let mut kept = RowsRead { gaps: Vec::new(), ids: Vec::new(), labels: Vec::new() };
        let (mut kept_cells, mut radii, mut explanations) = (Vec::new(), Vec::new(), Vec::new());
        let mut gaps = read.gaps.into_iter().peekable();
        let (mut ids, mut labels) = (read.ids.into_iter(), read.labels.into_iter());
        let mut cells = cells.into_iter();
        for row in 0..encoded.rows.len() {
            let before = predictions.classes.len();
            while let Some(gap) = gaps.next_if(|gap| gap.before <= row) {
                kept.gaps.push(Gap { before, ..gap });
            }
            let (id, label, of_row) = (ids.next(), labels.next(), cells.next());
            let one = encoded.rows.select(&[row]);
            match self.classified(&one) {
                Ok((found, radii_of_row, explanations_of_row)) => {
                    radii.extend(radii_of_row);
                    explanations.extend(explanations_of_row);
                    predictions.classes.extend(found.classes);
                    predictions.scores.extend(found.scores);
                    kept.ids.extend(id);
                    kept.labels.extend(label);
                    kept_cells.extend(of_row);
                }
                Err(PredictError::OutOfRange(RowOverflow(_))) => {
                    let problem = "the computation exceeds the range of 64-bit numbers".to_owned();
                    kept.gaps.push(Gap { before, id, problem: Some(problem) });
                    self.unpredicted += 1;
                }
                Err(error) => return Err(CliError::predicting(self.reader.file(), error, |_| 0)),
            }
        }
        let before = predictions.classes.len();
        kept.gaps.extend(gaps.map(|gap| Gap { before, ..gap }));
        Ok(PredictedBatch { predictions, read: kept, cells: kept_cells, radii, explanations })
    }

    /// Appends the line of each row.
    fn write_batch(&self, writer: &RowWriter, predicted: &PredictedBatch, text: &mut String) {
        let PredictedBatch { predictions, read, cells, radii, explanations } = predicted;
        let RowsRead { gaps, ids, labels } = read;
        let model = &self.model.model;
        let has_probabilities = writer.has_probabilities();
        let probabilities =
            if has_probabilities { of_rows(model, &predictions.scores) } else { Vec::new() };
        let distances = self.distances.as_ref();
        let distances =
            distances.map(|distances| distances.of(predictions, labels, model.classes()));
        let mut scores = predictions.scores.chunks(model.classes().scheme().hyperplanes());
        let (mut ids, mut gaps) = (ids.iter(), gaps.iter().peekable());
        for (row, &class) in predictions.classes.iter().enumerate() {
            while let Some(gap) = gaps.next_if(|gap| gap.before <= row) {
                writer.gap(gap, text);
            }
            let (id, scores) = (ids.next().map(String::as_str), scores.next().unwrap_or_default());
            let scores = if writer.has_scores() { scores } else { &[] };
            let (probabilities, cells) = (probabilities.get(row), cells.get(row));
            let (class, radius) = (class as usize, radii.get(row).copied());
            let distances = distances.as_ref().map_or(&[][..], |rows| &rows[row]);
            let explanations = explanations.get(row).map_or(&[][..], Vec::as_slice);
            let row = OutputRow {
                id,
                class,
                scores,
                probabilities,
                radius,
                distances,
                explanations,
                cells,
            };
            writer.row(&row, text);
        }
        gaps.for_each(|gap| writer.gap(gap, text));
    }
}
