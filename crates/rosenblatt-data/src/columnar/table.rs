//! The columns of a file, by their names and types, as those of a table.

use std::collections::HashSet;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema as ArrowSchema};

use super::{
    ColumnarProblem, Kind,
    cells::{Cells, is_number, is_text},
    input::{Batches, Input},
};
use crate::{
    batch::{Batch, LabelUse},
    csv::{self, ChoiceError, Layout, Role},
    error::{Problem, ReadError},
    idx::LeftOut,
    open::other_format,
    options::{Delimiter, Format, FormatKind, Header, OnError, ReadOptions},
    reader::{Notes, Reader},
    schema::{Inputs, Schema},
    source::Source,
};

/// Opens a file to learn from: every row has a label, and the columns are found out.
pub(crate) fn for_training(
    source: Source,
    (kind, notes): (Kind, Notes),
    options: &ReadOptions,
) -> Result<Reader, ReadError> {
    let (file, input) = open(source, kind)?;
    let fields = input.schema();
    let names = names(&file, &fields)?;
    let kind_of = |data_type: &DataType| match is_text(data_type) {
        true => csv::Kind::Category,
        false => csv::Kind::Number,
    };
    let kinds = fields.fields().iter().map(|field| kind_of(field.data_type())).collect();
    let (layout, columns) =
        csv::choose((&file, names), kinds, options).map_err(|error| match error {
            ChoiceError::Column(_, problem) => ColumnarProblem::Names { problem }.of(&file),
            ChoiceError::Columns(error) => error,
        })?;
    // The model is that of the same table as CSV, to the last byte.
    let format = Format::Table { delimiter: Delimiter::Byte(b','), header: true };
    let schema = Schema { format, inputs: Inputs::Columns(columns) };
    reader((file, input), (layout, LabelUse::Learn), (schema, notes), options)
}

/// Opens a file for a model: the columns are its own, found by their names unless it was trained without
/// names.
pub(crate) fn for_model(
    source: Source,
    (kind, mut notes): (Kind, Notes),
    options: &ReadOptions,
    schema: &Schema,
    labels: LabelUse,
) -> Result<Reader, ReadError> {
    let (Inputs::Columns(columns), Format::Table { header, .. }) = (&schema.inputs, schema.format)
    else {
        let found = match kind {
            Kind::Parquet => FormatKind::Parquet,
            Kind::Arrow => FormatKind::Arrow,
        };
        return Err(other_format(source.name, found, schema.format));
    };
    let (file, input) = open(source, kind)?;
    let names = names(&file, &input.schema())?;
    let positions = options.header == Header::Absent || !header;
    let labelled = !matches!(labels, LabelUse::Ignore);
    let (layout, unknown) = csv::of_model((&file, names), positions, columns, labelled)?;
    notes.unknown_columns = unknown;
    reader((file, input), (layout, labels), (schema.clone(), notes), options)
}

fn open(source: Source, kind: Kind) -> Result<(String, Input), ReadError> {
    if let Some(labels) = source.labels {
        return Err(ReadError::LabelsBeside { file: source.name, labels: labels.name });
    }
    let file = source.name.clone();
    match Input::open(source, kind) {
        Ok(input) => Ok((file, input)),
        Err(message) => Err(ColumnarProblem::Damaged { rows: 0, message }.of(&file)),
    }
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
    (file, input): (String, Input),
    (layout, labels): (Layout, LabelUse),
    (schema, notes): (Schema, Notes),
    options: &ReadOptions,
) -> Result<Reader, ReadError> {
    let fields = input.schema();
    let needed: Vec<usize> =
        (0..layout.roles.len()).filter(|&column| layout.roles[column] != Role::Leave).collect();
    for &column in &needed {
        let field = fields.field(column);
        check_type(field.name(), field.data_type(), layout.roles[column])
            .map_err(|problem| problem.of(&file))?;
    }
    // About a mebibyte of numbers.
    let rows = ((1 << 17) / needed.len().max(1)).clamp(1, 1 << 14);
    let damaged = |message| ColumnarProblem::Damaged { rows: 0, message }.of(&file);
    let batches = input.batches(needed.clone(), rows).map_err(damaged)?;
    let (on_error, dictionary) = (options.on_error, options.dictionary);
    let columns = needed.iter().map(|&i| (layout.names[i].clone(), layout.roles[i])).collect();
    let widths = (layout.numbers, layout.categories);
    let cells = Cells { columns, widths, texts: layout.texts, labels, on_error, dictionary };
    let table = Table { file: file.clone(), batches, cells, rows, waiting: None, before: 0 };
    Ok(Reader::of_batches(file, Box::new(table), schema, notes))
}

/// Whether a column may have its role.
fn check_type(column: &str, data_type: &DataType, role: Role) -> Result<(), ColumnarProblem> {
    let (fits, expected) = match role {
        Role::Number(_) => (is_number(data_type), "numbers"),
        _ => (is_number(data_type) || is_text(data_type), "numbers or text"),
    };
    let found = || data_type.to_string();
    match fits {
        true => Ok(()),
        false => Err(ColumnarProblem::Type { column: column.to_owned(), found: found(), expected }),
    }
}

/// A file as batches of bounded size.
struct Table {
    file: String,
    batches: Batches,
    cells: Cells,
    /// The most rows of a batch.
    rows: usize,
    /// What is left of a record batch, and how many of its rows are done.
    waiting: Option<(RecordBatch, usize)>,
    /// Rows that were read.
    before: u64,
}

impl Iterator for Table {
    type Item = Result<(Batch, LeftOut), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (batch, done) = match self.waiting.take() {
                Some(waiting) => waiting,
                None => match self.batches.next()? {
                    Ok(batch) => (batch, 0),
                    Err(message) => {
                        let rows = self.before;
                        return Some(
                            Err(ColumnarProblem::Damaged { rows, message }.of(&self.file)),
                        );
                    }
                },
            };
            let rows = (batch.num_rows() - done).min(self.rows);
            if rows == 0 {
                continue;
            }
            let part = batch.slice(done, rows);
            self.waiting = Some((batch, done + rows));
            let before = self.before;
            self.before += rows as u64;
            return Some(self.part(&part, before));
        }
    }
}

impl Table {
    fn part(&self, part: &RecordBatch, before: u64) -> Result<(Batch, LeftOut), ReadError> {
        let error = |(row, problem): (usize, Problem)| {
            ColumnarProblem::Cell { row: before + row as u64 + 1, problem }.of(&self.file)
        };
        let (batch, faults) = self.cells.batch(part).map_err(error)?;
        let count = faults.len() as u64;
        let first = faults.into_iter().next();
        let first = first.map(|fault| (before + fault.0 as u64 + 1, error(fault)));
        debug_assert!(count == 0 || self.cells.on_error == OnError::Skip);
        Ok((batch, LeftOut { count, first }))
    }
}
