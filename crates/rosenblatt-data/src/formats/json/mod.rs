//! JSON: flat objects, one on each line (JSON Lines) or in one list. A row is an object, and a column a key.
//!
//! The first object names the columns. Text is a category, even if it looks like a number; true and false are the
//! categories `true` and `false`; null and a key that is not there are an empty cell. A nested value can only be left
//! out, and a key that the first object does not have is an error.

mod error;
mod object;
mod parser;

use std::collections::{HashMap, HashSet};

pub use error::JsonProblem;

use object::{Member, Value};
use parser::{Form, JsonParser, members, records};

use super::effects::Traits;
use super::format::{FileFormat, FoundBy, Input, other_format};
use crate::{
    fault::{Fault, Problem},
    input::{
        blocks::Ending,
        reader::Reader,
        source::Source,
        text::{Text, without_mark},
    },
    options::{Delimiter, FormatKind, Header, ReadOptions, TextNumbers},
    read_error::ReadError,
    table::{
        batch::LabelUse,
        kinds::ColumnKind,
        layout::{ChoiceError, Contents, FileColumns, MatchBy},
        row_reader::RowReader,
        schema::{Format, Inputs, Schema},
    },
};

impl FormatKind {
    /// JSON Lines, or a JSON list of objects.
    pub const JSON: Self = FormatKind::new("json");
}

pub(super) struct Json;

impl FileFormat for Json {
    fn kind(&self) -> FormatKind {
        FormatKind::JSON
    }

    fn traits(&self) -> Traits {
        Traits {
            noun: "JSON data",
            is_text: true,
            has_separators: false,
            has_columns: true,
            has_spellings: false,
            has_missing_texts: true,
            has_indices: false,
        }
    }

    fn endings(&self) -> &'static [&'static str] {
        &["json", "jsonl", "ndjson"]
    }

    /// An object with a key, or a list of objects, with blanks in between.
    fn detect(&self, source: &mut Source, is_chosen: bool) -> Result<bool, ReadError> {
        const START: usize = 64;
        if is_chosen {
            return Ok(true);
        }
        let start = source.peek(START)?;
        let mut marks = without_mark(&start).iter().filter(|byte| !byte.is_ascii_whitespace());
        Ok(match (marks.next(), marks.next()) {
            (Some(b'{'), second) => matches!(second, None | Some(b'"' | b'}')),
            (Some(b'['), second) => matches!(second, None | Some(b'{')),
            _ => false,
        })
    }

    fn open_training(&self, input: Input, options: &ReadOptions) -> Result<Reader, ReadError> {
        let start = Start::new(input)?;
        let (names, kinds) = start.columns()?;
        let columns = FileColumns { file: start.text.file(), names: names.clone() };
        let chosen =
            columns.choose(&Contents::Types(kinds), options).map_err(|error| match error {
                ChoiceError::Name { column, problem }
                | ChoiceError::Cell { column, problem, .. } => start.fault_of(column, problem),
                ChoiceError::Columns(error) => error,
            });
        let (layout, columns, _) = chosen?;
        let file_columns = FileColumns { file: start.text.file(), names };
        let id = options.id.as_ref().map(|id| file_columns.find_or_error(id)).transpose()?;
        // The model is that of the same table as CSV.
        let format = Format::Table { delimiter: Delimiter::Byte(b','), header: true };
        let schema = Schema { format, inputs: Inputs::Columns(columns) };
        let (labels, dictionary) = (LabelUse::Learn, options.dictionary);
        let rows = RowReader { layout, labels, dictionary, numbers: options.numbers };
        Ok(start.reader(rows, id, schema, options))
    }

    fn open_model(
        &self,
        input: Input,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Reader, ReadError> {
        let mut start = Start::new(input)?;
        let file = start.text.file().to_owned();
        let Inputs::Columns(columns) = &schema.inputs else {
            return Err(other_format(file, "JSON", schema));
        };
        let (names, _) = start.columns()?;
        let file_columns = || FileColumns { file: &file, names: names.clone() };
        let by_position = options.header == Header::Absent || !schema.has_header();
        let by = if by_position { MatchBy::Position } else { MatchBy::Name };
        let id = options.id.as_ref().map(|id| file_columns().find_or_error(id)).transpose()?;
        let labelled = !matches!(labels, LabelUse::Ignore);
        let (layout, mut unknown) = file_columns().for_model(by, columns, labelled)?;
        unknown.retain(|name| id.is_none_or(|id| *name != names[id]));
        start.text.notes.unknown_columns = unknown;
        let rows = RowReader { layout, labels, dictionary: false, numbers: TextNumbers::Floats };
        Ok(start.reader(rows, id, schema.clone(), options))
    }
}

/// A file before its first batch.
struct Start {
    text: Text,
    /// The first block, from its first object.
    block: Vec<u8>,
    form: Form,
}

impl Start {
    fn new(input: Input) -> Result<Self, ReadError> {
        let by_bytes = input.found_by == FoundBy::FirstBytes;
        let mut text = input.into_text()?;
        text.notes.format_from_content = false;
        loop {
            let mut block = text.take_block().map_err(|error| match error {
                ReadError::Empty { file } => {
                    ReadError::NoExamples { file, skipped: 0, first: None, header: false }
                }
                error => error,
            })?;
            let first = block.iter().position(|byte| !byte.is_ascii_whitespace());
            let blank_lines = &block[..first.unwrap_or(block.len())];
            let blank_lines = memchr::memrchr(b'\n', blank_lines).map_or(0, |i| i + 1);
            let form = match first.map(|first| (first, block[first])) {
                None => {
                    text.pass(&block);
                    continue;
                }
                Some((first, b'[')) => {
                    block[first] = b' ';
                    Form::List
                }
                Some(_) => Form::Lines,
            };
            text.pass(&block[..blank_lines]);
            block.drain(..blank_lines);
            if form == Form::List {
                text.put_back(block);
                text.set_ending(Ending::Objects);
                block = text.take_block()?;
            }
            let name = if form == Form::List { "a JSON list" } else { "JSON Lines" };
            text.notes.format_from_magic = by_bytes.then(|| name.to_owned());
            return Ok(Start { text, block, form });
        }
    }

    /// The members of the first object, with the offset of the object.
    fn first(&self) -> Result<(usize, Vec<Member<'_>>), ReadError> {
        let file = || self.text.file().to_owned();
        let first = records(self.form, &self.block, false).next();
        let none =
            || ReadError::NoExamples { file: file(), skipped: 0, first: None, header: false };
        let record =
            first.ok_or_else(none)?.map_err(|fault| self.text.fault(&self.block, fault))?;
        let found = members(record.bytes)
            .map_err(|fault| self.text.fault(&self.block, fault.after(record.start)))?;
        Ok((record.start, found))
    }

    /// The names of the columns, and the kind of each by its first value that is not null.
    fn columns(&self) -> Result<(Vec<String>, Vec<ColumnKind>), ReadError> {
        let (start, first) = self.first()?;
        let mut seen = HashSet::new();
        if let Some(twice) = first.iter().find(|member| !seen.insert(&member.name)) {
            let problem = Problem::DuplicateColumn { name: twice.name.clone().into_owned() };
            return Err(self.text.fault(&self.block, Fault::new(start + twice.name_at, problem)));
        }
        let names: Vec<String> =
            first.iter().map(|member| member.name.clone().into_owned()).collect();
        let places: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
        let (mut kinds, mut without) = (vec![None; names.len()], names.len());
        for record in records(self.form, &self.block, false).map_while(Result::ok) {
            for member in members(record.bytes).unwrap_or_default() {
                let Some(&place) = places.get(&*member.name) else { continue };
                if let (kind @ None, Some(found)) = (&mut kinds[place], kind_of(&member.value)) {
                    *kind = Some(found);
                    without -= 1;
                }
            }
            if without == 0 {
                break;
            }
        }
        let kind = |kind: Option<ColumnKind>| kind.unwrap_or_else(ColumnKind::plain_number);
        let kinds = kinds.into_iter().map(kind).collect();
        Ok((names, kinds))
    }

    /// The error of a problem of a column of the first object.
    fn fault_of(&self, column: usize, problem: Problem) -> ReadError {
        match self.first() {
            Err(error) => error,
            Ok((start, first)) => {
                let at = start + first.get(column).map_or(0, |member| member.name_at);
                self.text.fault(&self.block, Fault::new(at, problem))
            }
        }
    }

    fn reader(
        mut self,
        rows: RowReader,
        id: Option<usize>,
        schema: Schema,
        options: &ReadOptions,
    ) -> Reader {
        self.text.put_back(self.block);
        let columns = rows.layout.names.iter().cloned().zip(0..).collect();
        let parser = JsonParser { form: self.form, columns, rows, on_error: options.on_error, id };
        self.text.reader(Box::new(parser), schema, options)
    }
}

/// The kind of a column by one of its values; null shows none.
fn kind_of(value: &Value<'_>) -> Option<ColumnKind> {
    match value {
        Value::Null => None,
        Value::Number(_) => Some(ColumnKind::plain_number()),
        Value::Text(_) | Value::Truth(_) | Value::Nested => Some(ColumnKind::Category),
    }
}
