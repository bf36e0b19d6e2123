//! The columns of a file, by their names and types, as those of a table.

use std::collections::{HashSet, VecDeque};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema as ArrowSchema};

use super::{
    cells::{FileColumn, RecordBatchParser, RowFault, is_number, is_text},
    error::ColumnarProblem,
    input::{OpenFile, RecordBatches},
    kind::Opening,
    look::{is_readable, row_names, survey},
};
use crate::{
    fault::Problem,
    formats::format::{Counted, other_format},
    input::{
        parallel::in_parallel,
        reader::{BatchSource, LeftOut, ReadFile, Reader},
        source::Source,
    },
    notes::{LeftOutBecause, LeftOutColumn},
    options::{Delimiter, Encoding, Header, OnError, Quoting, ReadOptions},
    read_error::ReadError,
    table::{
        batch::{Batch, LabelUse},
        identifier::{identifiers, row_numbers},
        kinds::ColumnKind,
        layout::{ChoiceError, Contents, FileColumns, Layout, MatchBy, Role},
        schema::{Format, Inputs, Schema},
    },
};

/// The counts of a file to learn from.
pub(super) fn counted(
    opening: Opening<'_>,
    options: &ReadOptions,
) -> Result<Option<Counted>, ReadError> {
    let file = opening.source.name.clone();
    let input = open(opening)?;
    let names = names(&file, &input.schema())?;
    Ok(Some(Counted { names, survey: survey(&file, input, options)? }))
}

/// Opens a file to learn from: every row has a label, and the columns are found out.
pub(super) fn for_training(
    opening: Opening<'_>,
    options: &ReadOptions,
) -> Result<Reader, ReadError> {
    let file = opening.source.name.clone();
    let (mut notes, counted) = (opening.notes.clone(), opening.counted.clone());
    let (format, path) = (opening.format, opening.source.path.clone());
    let mut input = open(opening)?;
    let fields = input.schema();
    let names = names(&file, &fields)?;
    let id = id(&file, &names, options)?;
    let mut left_out = Vec::new();
    let mut own = options.clone();
    let mut leave_out = |column: usize, because| {
        let name = &names[column];
        if !options.names_column(name) {
            own.ignore.push((column + 1).to_string());
            left_out.push(LeftOutColumn { column: name.clone(), because });
        }
    };
    let row_names = row_names(&fields);
    for (column, name) in names.iter().enumerate() {
        match (is_readable(&fields, column), row_names.contains(name)) {
            (false, _) => leave_out(column, LeftOutBecause::OtherType),
            (_, true) => leave_out(column, LeftOutBecause::RowNames),
            _ => {}
        }
    }
    // A stream cannot be read twice.
    let survey = match path.filter(|path| path.is_file()) {
        None => None,
        Some(path) => {
            let given = counted.filter(|counted| counted.names == names);
            let survey = match given {
                Some(counted) => counted.survey.clone(),
                None => survey(&file, input, &own)?,
            };
            let again = OpenFile::open(Source::open(&path)?, format);
            input = again.map_err(|problem| problem.of(&file))?;
            Some(survey)
        }
    };
    let contents = match &survey {
        Some(survey) => Contents::Cells(survey),
        None => Contents::Types(kinds(&fields)),
    };
    let chosen = FileColumns { file: &file, names: names.clone() }.choose(&contents, &own);
    let (layout, columns, mut decisions) = chosen.map_err(|error| match error {
        ChoiceError::Name { problem, .. } | ChoiceError::Cell { problem, .. } => {
            ColumnarProblem::Names { problem }.of(&file)
        }
        ChoiceError::Columns(error) => error,
    })?;
    decisions.left_out.splice(0..0, left_out);
    if let Some(survey) = &survey {
        notes.row_numbers = row_numbers(&columns, survey);
        notes.identifiers = identifiers(&columns, survey);
    }
    notes.decisions = decisions;
    // The model is that of the same table as CSV, to the last byte.
    let format = Format::Table {
        delimiter: Delimiter::Byte(b','),
        header: true,
        quoting: Quoting::default(),
        encoding: Encoding::default(),
    };
    let schema = Schema { format, inputs: Inputs::Columns(columns) };
    reader(ReadFile { file, schema, notes }, input, (layout, id), LabelUse::Learn, options)
}

/// The column that the options name to be kept with the rows.
fn id(file: &str, names: &[String], options: &ReadOptions) -> Result<Option<usize>, ReadError> {
    let columns = FileColumns { file, names: names.to_vec() };
    options.id.as_ref().map(|id| columns.find_or_error(id)).transpose()
}

/// What the columns are by their types alone.
fn kinds(fields: &ArrowSchema) -> Vec<ColumnKind> {
    let kind_of = |data_type: &DataType| match is_text(data_type) {
        true => ColumnKind::Category,
        false => ColumnKind::plain_number(),
    };
    fields.fields().iter().map(|field| kind_of(field.data_type())).collect()
}

/// Opens a file for a model: the columns are its own, found by their names unless it was trained without
/// names.
pub(super) fn for_model(
    opening: Opening<'_>,
    options: &ReadOptions,
    schema: &Schema,
    labels: LabelUse,
) -> Result<Reader, ReadError> {
    let (Inputs::Columns(columns), Format::Table { header, .. }) = (&schema.inputs, schema.format)
    else {
        return Err(other_format(opening.source.name, "a table", schema));
    };
    let (file, mut notes) = (opening.source.name.clone(), opening.notes.clone());
    let input = open(opening)?;
    let names = names(&file, &input.schema())?;
    let id = id(&file, &names, options)?;
    let by_position = options.header == Header::Absent || !header;
    let by = if by_position { MatchBy::Position } else { MatchBy::Name };
    let labelled = !matches!(labels, LabelUse::Ignore);
    let (layout, unknown) = FileColumns { file: &file, names }.for_model(by, columns, labelled)?;
    notes.unknown_columns = unknown;
    reader(ReadFile { file, schema: schema.clone(), notes }, input, (layout, id), labels, options)
}

fn open(opening: Opening<'_>) -> Result<OpenFile, ReadError> {
    let Opening { format, source, .. } = opening;
    if let Some(labels) = source.labels {
        return Err(ReadError::UnusedLabels { file: source.name, labels: labels.name });
    }
    let file = source.name.clone();
    OpenFile::open(source, format).map_err(|problem| problem.of(&file))
}

/// The names of the columns, which differ.
fn names(file: &str, schema: &ArrowSchema) -> Result<Vec<String>, ReadError> {
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let mut seen = HashSet::new();
    match names.iter().find(|name| !name.is_empty() && !seen.insert(name.as_str())) {
        None => Ok(names),
        Some(name) => {
            let problem = Problem::DuplicateColumn { name: name.clone() };
            Err(ColumnarProblem::Names { problem }.of(file))
        }
    }
}

fn reader(
    file: ReadFile,
    input: OpenFile,
    (layout, id): (Layout, Option<usize>),
    labels: LabelUse,
    options: &ReadOptions,
) -> Result<Reader, ReadError> {
    let fields = input.schema();
    let is_needed = |&column: &usize| layout.roles[column] != Role::Leave || id == Some(column);
    let needed: Vec<usize> = (0..layout.roles.len()).filter(is_needed).collect();
    for &column in &needed {
        let field = fields.field(column);
        check_type(field.name(), field.data_type()).map_err(|problem| problem.of(&file.file))?;
    }
    // About a mebibyte of numbers.
    let rows = ((1 << 17) / needed.len().max(1)).clamp(1, 1 << 14);
    let damaged = |message| ColumnarProblem::from(message).of(&file.file);
    let batches = input.batches(needed.clone(), rows).map_err(damaged)?;
    let column = |&i: &usize| FileColumn {
        name: layout.names[i].clone(),
        role: layout.roles[i],
        rules: layout.cells[i].clone(),
    };
    let (on_error, dictionary) = (options.on_error, options.dictionary);
    let parser = RecordBatchParser {
        columns: needed.iter().map(column).collect(),
        id: needed.iter().position(|&column| id == Some(column)),
        numbers: layout.numbers,
        texts: layout.texts,
        labels,
        on_error,
        dictionary,
    };
    let name = file.file.clone();
    let batches = ParsedRecordBatches {
        file: name,
        batches,
        parser,
        rows,
        threads: options.threads.max(1),
        waiting: None,
        before: 0,
        parsed: VecDeque::new(),
        has_ended: false,
    };
    Ok(Reader::new(file, Box::new(batches)))
}

/// Whether a column can be read.
fn check_type(column: &str, data_type: &DataType) -> Result<(), ColumnarProblem> {
    if is_number(data_type) || is_text(data_type) {
        return Ok(());
    }
    let (column, found) = (column.to_owned(), data_type.to_string());
    Err(ColumnarProblem::Type { column, found, expected: "numbers or text" })
}

/// The record batches of a file as batches of bounded size, parsed several at a time.
struct ParsedRecordBatches {
    file: String,
    batches: RecordBatches,
    parser: RecordBatchParser,
    /// The largest number of rows of a batch, and of batches that are parsed at a time.
    rows: usize,
    threads: usize,
    waiting: Option<Waiting>,
    /// The number of rows that were taken from the file.
    before: u64,
    parsed: VecDeque<Result<(Batch, LeftOut), ReadError>>,
    has_ended: bool,
}

/// A record batch of which a number of rows is done.
struct Waiting {
    batch: RecordBatch,
    done: usize,
}

impl BatchSource for ParsedRecordBatches {
    fn next_batch(&mut self) -> Option<Result<(Batch, LeftOut), ReadError>> {
        if self.parsed.is_empty() {
            let mut parts = Vec::new();
            let mut damage = None;
            while parts.len() < self.threads && !self.has_ended {
                let part = self.next_part().transpose();
                self.has_ended = !matches!(part, Ok(Some(_)));
                match part {
                    Ok(part) => parts.extend(part),
                    Err(error) => damage = Some(Err(error)),
                }
            }
            let own = (self.file.as_str(), &self.parser);
            self.parsed.extend(in_parallel(parts, |(part, before)| parse(own, &part, before)));
            self.parsed.extend(damage);
        }
        self.parsed.pop_front()
    }
}

impl ParsedRecordBatches {
    /// The next rows, and the number of rows before them.
    fn next_part(&mut self) -> Option<Result<(RecordBatch, u64), ReadError>> {
        loop {
            let Waiting { batch, done } = match self.waiting.take() {
                Some(waiting) => waiting,
                None => match self.batches.next()? {
                    Ok(batch) => Waiting { batch, done: 0 },
                    Err(message) => {
                        let rows = self.before;
                        let error = ColumnarProblem::Damaged { rows, message };
                        return Some(Err(error.of(&self.file)));
                    }
                },
            };
            let rows = (batch.num_rows() - done).min(self.rows);
            if rows == 0 {
                continue;
            }
            let part = batch.slice(done, rows);
            self.waiting = Some(Waiting { batch, done: done + rows });
            let before = self.before;
            self.before += rows as u64;
            return Some(Ok((part, before)));
        }
    }
}

/// Parses rows that have `before` rows before them.
fn parse(
    (file, parser): (&str, &RecordBatchParser),
    part: &RecordBatch,
    before: u64,
) -> Result<(Batch, LeftOut), ReadError> {
    let error = |RowFault { row, problem }| {
        ColumnarProblem::Cell { row: before + row as u64 + 1, problem }.of(file)
    };
    let (mut batch, faults) = parser.batch(part).map_err(error)?;
    let (count, unlabelled) = (faults.len() as u64, std::mem::take(&mut batch.unlabelled));
    debug_assert!(count == unlabelled || parser.on_error != OnError::Stop);
    let first = faults.into_iter().next().map(error);
    Ok((batch, LeftOut { count, unlabelled, first, ..LeftOut::default() }))
}
