//! A file before its first batch, and how its columns are decided.

use std::sync::Arc;

use super::{
    look::{LeftOut, Look},
    object::{self, Value},
    parser::JsonParser,
    rows::{self, Keys, LineRows, Rows},
    shape::Shape,
};
use crate::{
    fault::{Fault, Problem},
    formats::format::{Counted, FoundBy, Input, other_format},
    input::{blocks::Ending, reader::Reader, source::Source, text::Text},
    notes::Decisions,
    options::{Delimiter, Header, Quoting, ReadOptions, TextNumbers},
    read_error::ReadError,
    table::{
        batch::LabelUse,
        identifier::{identifiers, row_numbers},
        layout::{ChoiceError, Contents, FileColumns, Layout, MatchBy},
        row_reader::RowReader,
        schema::{Columns, Format, Inputs, Schema},
    },
};

/// The counts of a file to learn from, which begins as `start` finds.
pub(in crate::formats) fn counted(
    start: impl Fn(Input) -> Result<Start, ReadError>,
    input: Input,
    options: &ReadOptions,
) -> Result<Option<Counted>, ReadError> {
    let first = start(input)?;
    let options = &first.options(options);
    let mut look = first.look(options)?;
    first.look_at_rest(&mut look, options)?;
    look.count_absent();
    Ok(Some(Counted { names: look.names, survey: look.survey }))
}

/// Opens a file to learn from, which begins as `start` finds.
pub(in crate::formats) fn open_training(
    start: impl Fn(Input) -> Result<Start, ReadError>,
    input: Input,
    options: &ReadOptions,
) -> Result<Reader, ReadError> {
    let (found_by, counted) = (input.found_by, input.counted.clone());
    let first = start(input)?;
    let options = &first.options(options);
    let mut look = first.look(options)?;
    let goes_on = first.text.goes_on();
    let path = first.text.regular_file().filter(|_| goes_on);
    let (file, row_names) = (first.text.file().to_owned(), first.shape.row_names.clone());
    let start = match path {
        None => first,
        Some(path) => {
            first.look_at_rest(&mut look, options)?;
            let source = Source::open(&path)?.decoded(options.encoding.unwrap_or_default())?;
            start(Input { source, found_by, counted: None })?
        }
    };
    look.count_absent();
    if let Some(counted) = counted.filter(|counted| counted.names == look.names) {
        look.survey = counted.survey.clone();
    }
    let rows = look.survey.rows;
    let is_stream = goes_on && start.text.regular_file().is_none();
    match TrainingColumns::choose(&file, look, &row_names, options) {
        Ok(columns) => start.training_reader(columns, is_stream.then_some(rows), options),
        Err(error) if is_stream && error.is_of_all_rows() => {
            let error = start.error(error)?.into();
            Err(ReadError::ByFirstRows { error, rows })
        }
        Err(error) => Err(start.error(error)?),
    }
}

/// A file before its first batch.
pub(in crate::formats) struct Start {
    text: Text,
    /// The first block, from its first row.
    block: Vec<u8>,
    shape: Shape,
    /// Whether the columns have names.
    has_names: bool,
}

impl Start {
    /// A file whose rows are lines of another format. `words` are what it is.
    pub(in crate::formats) fn of_lines(
        text: Text,
        block: Vec<u8>,
        rows: Arc<dyn LineRows>,
    ) -> Self {
        let shape = Shape::of_lines(rows);
        Start { text, block, shape, has_names: true }
    }

    /// The options with what the file itself says of its columns.
    fn options(&self, options: &ReadOptions) -> ReadOptions {
        match &self.shape.rows {
            Rows::Other(rows) => rows.options(options.clone()),
            _ => options.clone(),
        }
    }

    pub(super) fn new(input: Input) -> Result<Self, ReadError> {
        let by_bytes = input.found_by == FoundBy::FirstBytes;
        let mut text = input.into_text()?;
        text.notes.format_from_content = false;
        loop {
            let mut block = text.take_block().map_err(|error| match error {
                ReadError::Empty { file } => no_examples(&file),
                error => error,
            })?;
            let Some(first) = block.iter().position(|byte| !byte.is_ascii_whitespace()) else {
                text.pass(&block);
                continue;
            };
            let shape = Shape::find(&mut text, &mut block, first)?;
            shape.remove_before(&mut text, &mut block, first);
            if shape.is_sequence() {
                text.put_back(block);
                text.set_ending(Ending::Objects);
                block = text.take_block()?;
            }
            let words = shape.words.clone();
            match by_bytes {
                true => text.notes.format_from_magic = Some(words),
                false => text.notes.arrangement = shape.is_noted.then_some(words),
            }
            return Start { text, block, shape, has_names: true }.with_names();
        }
    }

    /// Finds the names of the values of lists, where they are not known: the first list has them, or they are 1, 2, 3, ….
    fn with_names(mut self) -> Result<Self, ReadError> {
        let Rows::Lists(form, names) = &self.shape.rows else { return Ok(self) };
        if !names.is_empty() {
            return Ok(self);
        }
        let form = *form;
        let mut records = self.shape.rows.records(&self.block, !self.text.goes_on());
        let mut next = || {
            let is_blank = |record: &Result<rows::Record<'_>, Fault>| {
                record.as_ref().is_ok_and(rows::Record::is_blank)
            };
            let record = records.by_ref().find(|record| !is_blank(record)).transpose()?;
            let Some(record) = record else { return Ok(None) };
            let values = object::Scanner { bytes: record.bytes, at: 0 }.list();
            let values = values.map_err(|fault| fault.after(record.start))?;
            Ok(Some((record.start..record.start + record.bytes.len(), values)))
        };
        let fault = |fault| self.text.fault(&self.block, fault);
        let Some((place, first)) = next().map_err(fault)? else {
            return Err(no_examples(self.text.file()));
        };
        let second = next().unwrap_or_default().map(|(_, values)| values);
        let header = second.and_then(|second| names_above(&first, &second));
        let count = first.len();
        drop(records);
        self.has_names = header.is_some();
        if header.is_some() {
            remove_row(&mut self.block, place);
        }
        let names = header.unwrap_or_else(|| (1..=count).map(|i| i.to_string()).collect());
        self.shape.rows = Rows::Lists(form, names);
        Ok(self)
    }

    /// The columns of the first block.
    fn look(&self, options: &ReadOptions) -> Result<Look, ReadError> {
        let mut look = Look::new(&self.shape.rows);
        let is_last = !self.text.goes_on();
        look.add(&self.shape.rows, &self.block, is_last, options)
            .map_err(|fault| self.text.fault(&self.block, fault))?;
        match (look.survey.rows, look.first_fault.take()) {
            (0, Some(fault)) => Err(self.text.fault(&self.block, fault)),
            (0, None) if is_last => Err(no_examples(self.text.file())),
            _ => Ok(look),
        }
    }

    /// Looks at the rows after the first block, too.
    fn look_at_rest(mut self, look: &mut Look, options: &ReadOptions) -> Result<(), ReadError> {
        self.text.pass(&self.block);
        while let Some(block) = self.text.next_block()? {
            let is_last = !self.text.goes_on();
            look.add(&self.shape.rows, &block, is_last, options)
                .map_err(|fault| self.text.fault(&block, fault))?;
            self.text.pass(&block);
        }
        Ok(())
    }

    /// A reader for a model. `format` is the format in words.
    pub(in crate::formats) fn open_model(
        mut self,
        format: &'static str,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Reader, ReadError> {
        let file = self.text.file().to_owned();
        let Inputs::Columns(columns) = &schema.inputs else {
            return Err(other_format(file, format, schema));
        };
        let mut look = self.look(options)?;
        look.count_absent();
        let objects = look.remove_empty_objects();
        let left_out = LeftOut { objects, ..look.finish(&self.shape.row_names, options) };
        let by_position = options.header == Header::Absent || !schema.has_header();
        let by = if by_position { MatchBy::Position } else { MatchBy::Name };
        let mut names = look.names;
        if by == MatchBy::Name {
            // A key that no row has is one with a missing value in each row.
            let filled = columns.features.iter().filter(|column| column.missing.is_some());
            let absent = filled.map(|column| &column.name).filter(|&name| !names.contains(name));
            let absent: Vec<String> = absent.cloned().collect();
            names.extend(absent);
        }
        let file_columns = || FileColumns { file: &file, names: names.clone() };
        let id = options.id.as_ref().map(|id| file_columns().find_or_error(id)).transpose()?;
        let labelled = !matches!(labels, LabelUse::Ignore);
        let (layout, mut unknown) = file_columns().for_model(by, columns, labelled)?;
        unknown.retain(|name| id.is_none_or(|id| *name != names[id]));
        self.text.notes.unknown_columns = unknown;
        let reader = RowReader { layout, labels, dictionary: false, numbers: TextNumbers::Floats };
        let passed = Passed { left_out, new_keys: by == MatchBy::Name };
        Ok(self.reader(reader, &passed, id, schema.clone(), options))
    }

    /// The error of a problem of a column.
    fn error(mut self, error: ColumnError) -> Result<ReadError, ReadError> {
        let (row, column, problem) = match error {
            ColumnError::Columns(error) => return Ok(error),
            ColumnError::Of { row, column, problem } => (row, column, problem),
        };
        let (mut block, mut before) = (self.block, 0);
        loop {
            let is_last = !self.text.goes_on();
            match self.shape.rows.find(&block, is_last, row, &column, &mut before) {
                Some(offset) => return Ok(self.text.fault(&block, Fault::new(offset, problem))),
                None if is_last => return Ok(self.text.fault(&block, Fault::new(0, problem))),
                None => drop(self.text.pass(&block)),
            }
            block = self.text.next_block()?.unwrap_or_default();
        }
    }

    fn training_reader(
        mut self,
        columns: TrainingColumns,
        first_rows: Option<u64>,
        options: &ReadOptions,
    ) -> Result<Reader, ReadError> {
        let TrainingColumns {
            layout,
            columns,
            left_out,
            in_quotes,
            row_numbers,
            identifiers,
            decisions,
        } = columns;
        let file_columns = FileColumns { file: self.text.file(), names: layout.names.clone() };
        let id = options.id.as_ref().map(|id| file_columns.find_or_error(id)).transpose()?;
        let notes = &mut self.text.notes;
        let says_nothing = row_numbers.is_empty() && identifiers.is_empty() && decisions.is_empty();
        notes.first_rows = first_rows.filter(|_| !says_nothing);
        (notes.row_numbers, notes.identifiers) = (row_numbers, identifiers);
        notes.decisions = decisions;
        notes.numbers_in_quotes = in_quotes;
        // The model is that of the same table as CSV.
        let (delimiter, quoting) = (Delimiter::Byte(b','), Quoting::default());
        let encoding = options.encoding.unwrap_or_default();
        let format = Format::Table { delimiter, header: self.has_names, quoting, encoding };
        let schema = Schema { format, inputs: Inputs::Columns(columns) };
        let (labels, dictionary) = (LabelUse::Learn, options.dictionary);
        let reader = RowReader { layout, labels, dictionary, numbers: options.numbers };
        let passed = Passed { left_out, new_keys: false };
        Ok(self.reader(reader, &passed, id, schema, options))
    }

    fn reader(
        mut self,
        reader: RowReader,
        passed: &Passed,
        id: Option<usize>,
        schema: Schema,
        options: &ReadOptions,
    ) -> Reader {
        self.text.put_back(self.block);
        let mut columns = Keys::default();
        reader.layout.names.iter().chain(passed.left_out.all()).for_each(|name| columns.add(name));
        let (rows, on_error) = (self.shape.rows, options.on_error);
        let passes_new_keys = passed.new_keys;
        let parser = JsonParser { rows, columns, passes_new_keys, reader, on_error, id };
        self.text.reader(Box::new(parser), schema, options)
    }
}

/// The keys that are passed over.
struct Passed {
    left_out: LeftOut,
    /// Whether keys are that are none of the columns.
    new_keys: bool,
}

/// The columns of a file that is to be learned from.
struct TrainingColumns {
    layout: Layout,
    columns: Columns,
    left_out: LeftOut,
    /// The features that are numbers in quotes.
    in_quotes: Vec<String>,
    row_numbers: Vec<String>,
    identifiers: Vec<String>,
    decisions: Decisions,
}

impl TrainingColumns {
    fn choose(
        file: &str,
        mut look: Look,
        row_names: &[String],
        options: &ReadOptions,
    ) -> Result<Self, ColumnError> {
        let objects = look.remove_empty_objects();
        let options = &with_dotted(options, &look.names);
        let left_out = LeftOut { objects, ..look.finish(row_names, options) };
        let file_columns = FileColumns { file, names: look.names.clone() };
        let chosen = file_columns.choose(&Contents::Cells(&look.survey), options);
        let (layout, columns, mut decisions) = chosen.map_err(|error| {
            let name = |column: usize| look.names.get(column).cloned().unwrap_or_default();
            match error {
                ChoiceError::Name { column, problem } => {
                    ColumnError::Of { row: None, column: name(column), problem }
                }
                ChoiceError::Cell { row, column, problem } => {
                    ColumnError::Of { row: Some(row), column: name(column), problem }
                }
                ChoiceError::Columns(error) => ColumnError::Columns(error),
            }
        })?;
        decisions.left_out.splice(..0, left_out.as_decisions());
        let numbers = columns.features.iter().filter(|column| {
            column.categories.is_none() && column.words.is_none() && column.form.is_none()
        });
        Ok(TrainingColumns {
            in_quotes: look.in_quotes(numbers.map(|column| column.position - 1)),
            row_numbers: row_numbers(&columns, &look.survey),
            identifiers: identifiers(&columns, &look.survey),
            layout,
            columns,
            left_out,
            decisions,
        })
    }
}

/// The options in which a key that holds an object, and is left out, stands for all columns within it.
fn with_dotted(options: &ReadOptions, names: &[String]) -> ReadOptions {
    let within = |key: &str| {
        let is_within =
            |name: &&String| name.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
        let all: Vec<String> = names.iter().filter(is_within).cloned().collect();
        let is_object = !all.is_empty() && !names.iter().any(|name| name == key);
        if is_object { all } else { vec![key.to_owned()] }
    };
    let ignore = options.ignore.iter().flat_map(|item| match names.contains(item) {
        true => vec![item.clone()],
        false => item.split(',').flat_map(|key| within(key.trim())).collect(),
    });
    ReadOptions { ignore: ignore.collect(), ..options.clone() }
}

/// Why the columns cannot be used: for all of them, or for one, which shows in a row if there is one.
enum ColumnError {
    Columns(ReadError),
    Of { row: Option<u64>, column: String, problem: Problem },
}

impl ColumnError {
    /// Whether it says something about all rows.
    fn is_of_all_rows(&self) -> bool {
        use ReadError::{QuantityTarget, UnclearTarget};
        match self {
            ColumnError::Columns(error) => {
                matches!(error, QuantityTarget { .. } | UnclearTarget { .. })
            }
            ColumnError::Of { row, .. } => row.is_some(),
        }
    }
}

fn no_examples(file: &str) -> ReadError {
    ReadError::NoExamples { file: file.to_owned(), skipped: 0, first: None, header: false }
}

/// The names of columns in a first list, if it looks like that: text in each place, above a list with other values.
fn names_above(first: &[(Value<'_>, usize)], second: &[(Value<'_>, usize)]) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for (value, _) in first {
        let Value::Text(name) = value else { return None };
        if name.trim().is_empty() || names.iter().any(|other| other == name) {
            return None;
        }
        names.push(name.clone().into_owned());
    }
    let is_other =
        |(value, _): &(Value<'_>, usize)| matches!(value, Value::Number(_) | Value::Truth(_));
    second.iter().any(is_other).then_some(names)
}

/// Makes a row and the comma after it blank.
fn remove_row(block: &mut [u8], row: std::ops::Range<usize>) {
    let end = row.end;
    for byte in &mut block[row] {
        *byte = if *byte == b'\n' { b'\n' } else { b' ' };
    }
    let next = block[end..].iter().position(|byte| !byte.is_ascii_whitespace());
    if let Some(comma) = next.map(|next| &mut block[end + next]).filter(|byte| **byte == b',') {
        *comma = b' ';
    }
}
