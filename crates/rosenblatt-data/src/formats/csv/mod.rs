//! Tables as text: CSV, TSV and columns separated by blanks.
//!
//! The header and the first rows decide the role of each column; [`TableParser`] then parses blocks of whole rows, each
//! on its own. Blanks around a cell are not part of it; blank lines are passed over.

mod dialect;
mod error;
mod fast_rows;
mod first_row;
mod head;
mod header;
mod parser;
mod records;

pub use error::CsvProblem;

use dialect::{Dialect, Known};
use head::{Head, HeadQuestion, titles};
use header::{Block, FirstRows, HeaderError, Look, TrainingColumns, leading_comments};
use parser::TableParser;

use super::effects::Traits;
use super::format::{Counted, FileFormat, FoundBy, Input, other_format};
use crate::{
    fault::Problem,
    input::{
        blocks::Ending, parallel::in_parallel, parser::WithBmi2, reader::Reader, source::Source,
        text::Text,
    },
    notes::TableNote,
    options::{Delimiter, FormatKind, Header, Quoting, ReadOptions, TextNumbers},
    read_error::{Place, ReadError},
    table::{
        batch::LabelUse,
        layout::MatchBy,
        row_reader::RowReader,
        schema::{Format, Inputs, Schema},
    },
};

impl FormatKind {
    /// Comma-separated values.
    pub const CSV: Self = FormatKind::new("csv");
    /// Tab-separated values.
    pub const TSV: Self = FormatKind::new("tsv");
}

/// Tables whose cells are separated by this byte unless the options name another one.
pub(super) struct TextTable {
    kind: FormatKind,
    endings: &'static [&'static str],
    separator: u8,
}

pub(super) static CSV: TextTable =
    TextTable { kind: FormatKind::CSV, endings: &["csv"], separator: b',' };
// Comes after CSV: text in cells has commas much more often than tabs.
pub(super) static TSV: TextTable =
    TextTable { kind: FormatKind::TSV, endings: &["tsv", "tab"], separator: b'\t' };

impl FileFormat for TextTable {
    fn kind(&self) -> FormatKind {
        self.kind
    }

    fn traits(&self) -> Traits {
        Traits {
            noun: "tables in text",
            is_text: true,
            has_separators: true,
            has_first_row: true,
            has_columns: true,
            has_spellings: true,
            has_missing_texts: true,
            has_indices: false,
        }
    }

    fn endings(&self) -> &'static [&'static str] {
        self.endings
    }

    fn is_line(&self, line: &[u8]) -> bool {
        line.contains(&self.separator)
    }

    fn is_trained_on(&self, format: &Format) -> bool {
        matches!(format, Format::Table { .. })
    }

    fn counted(&self, input: Input, options: &ReadOptions) -> Result<Option<Counted>, ReadError> {
        let table = self.start(input, options)?;
        let mut look = table.rows().look(options).map_err(|error| table.error(error))?;
        table.look_at_rest(&mut look, options)?;
        Ok(Some(look.into_counted()))
    }

    fn open_training(&self, input: Input, options: &ReadOptions) -> Result<Reader, ReadError> {
        let (found_by, counted) = (input.found_by, input.counted.clone());
        let mut table = self.start(input, options)?;
        let options = &table
            .head
            .declared
            .as_ref()
            .map_or_else(|| options.clone(), |declared| declared.applied_to(options));
        let look = table.rows().look(options);
        let mut look = look.map_err(|error| table.error(error))?;
        let is_counted = counted.is_some_and(|counted| look.take_counts(&counted));
        let goes_on = table.text.goes_on() && !is_counted;
        let mut first_rows = goes_on.then_some(look.survey.rows);
        // All rows decide, if they can be read a second time.
        let path = table.text.regular_file().filter(|_| first_rows.is_some());
        if let Some(path) = &path {
            table.look_at_rest(&mut look, options)?;
            first_rows = None;
            let source = Source::open(path)?.decoded(options.encoding.unwrap_or_default())?;
            table = self.start(Input { source, found_by, counted: None }, options)?;
        }
        match table.rows().for_training(table.text.file(), &look, options) {
            Ok(columns) => table.training_reader(columns, first_rows, options),
            Err(HeaderError::Cell { row, column, problem }) if path.is_some() => {
                Err(table.error_in_rest(row, column, problem)?)
            }
            Err(error) => {
                let is_of_all_rows = error.is_of_all_rows();
                let error = table.error(error);
                Err(match first_rows.filter(|_| is_of_all_rows) {
                    Some(rows) => ReadError::ByFirstRows { error: error.into(), rows },
                    None => error,
                })
            }
        }
    }

    fn open_model(
        &self,
        input: Input,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Reader, ReadError> {
        let (
            Inputs::Columns(columns),
            Format::Table { delimiter, header: trained_with_header, quoting, .. },
        ) = (&schema.inputs, schema.format)
        else {
            // The errors of a source that is no text come first.
            let text = input.into_text()?;
            return Err(other_format(text.file().to_owned(), "a table", schema));
        };
        let found_by = input.found_by;
        let header = match options.header {
            Header::Expected if trained_with_header => Header::Present,
            Header::Expected => Header::Absent,
            chosen => chosen,
        };
        let by_position = header == Header::Absent || !trained_with_header;
        let by = if by_position { MatchBy::Position } else { MatchBy::Name };
        let needed: Vec<&str> = columns.features.iter().map(|one| one.name.as_str()).collect();
        let is_unquoted = matches!(delimiter, Delimiter::Unquoted(_));
        let how = Start {
            header,
            needed: (by == MatchBy::Name).then_some(&needed[..]),
            has_titles: header != Header::Absent,
            options: &ReadOptions { quotes: options.quotes && !is_unquoted, ..options.clone() },
        };
        let mut table = TextStart::new(input, &how, |named| {
            let separator = self.delimiter(found_by, options, named, delimiter);
            let is_named = options.delimiter.or(named).is_some();
            // A table of one column has no separator, and its text may have any.
            let is_one = needed.len() < 2 && columns.features.iter().any(|one| !one.has_numbers());
            Known { separator, is_certain: is_named || is_one, quoting }
        })?;
        if let Some(doubled) = table.head.doubled_of(columns) {
            return Err(table.error(doubled.into()));
        }
        let labelled = !matches!(labels, LabelUse::Ignore);
        let made = table.rows().for_model(table.text.file(), by, columns, labelled);
        let (layout, mut unknown) = made.map_err(|error| table.error(error))?;
        let id = table.rows().id(table.text.file(), options).map_err(|error| table.error(error))?;
        unknown.retain(|name| id.is_none_or(|id| *name != layout.names[id]));
        // In models of earlier versions, columns without a name are left out by no name.
        if columns.ignored.iter().any(String::is_empty) {
            let nameless: Vec<&String> =
                table.head.nameless.iter().map(|&column| &layout.names[column]).collect();
            unknown.retain(|name| !nameless.contains(&name));
        }
        table.text.notes.unknown_columns = unknown;
        table.text.notes.only_used_columns =
            by == MatchBy::Position && layout.lacks_columns(columns);
        table.pass_header();
        let rows = RowReader { layout, labels, dictionary: false, numbers: TextNumbers::Floats };
        Ok(TextStart { id, ..table }.reader(rows, schema.clone(), options))
    }
}

impl TextTable {
    /// The beginning of a table that is to be learned from.
    fn start(&self, input: Input, options: &ReadOptions) -> Result<TextStart, ReadError> {
        let header = options.header;
        let how = Start { header, needed: None, has_titles: true, options };
        TextStart::new(input, &how, |named| {
            let chosen = options.delimiter.or(named);
            let separator = chosen.unwrap_or(Delimiter::Byte(self.separator));
            Known { separator, is_certain: chosen.is_some(), quoting: Quoting::default() }
        })
    }
}

/// Whether the first lines are those of a table with separators that no other sign tells.
pub(super) fn is_table(block: &[u8], options: &ReadOptions) -> bool {
    let comments = leading_comments(block, options.comment);
    Dialect::of_unknown(&block[comments..], options).is_some()
}

/// How a table begins, as far as it is known.
struct Start<'s> {
    header: Header,
    /// The names that a model needs.
    needed: Option<&'s [&'s str]>,
    /// Whether title lines may come first.
    has_titles: bool,
    options: &'s ReadOptions,
}

/// Passes over the first lines.
fn pass_lines(text: &mut Text, lines: u64) -> Result<(), ReadError> {
    let mut left = lines;
    while left > 0 {
        let mut block = text.take_block()?;
        let ends = memchr::memchr_iter(b'\n', &block);
        let end = ends.take(usize::try_from(left).unwrap_or(usize::MAX)).last();
        let end = end.map_or(block.len(), |end| end + 1);
        left = left.saturating_sub(text.pass(&block[..end]).max(1));
        block.drain(..end);
        text.put_back(block);
    }
    Ok(())
}

/// Passes over the line `sep=;` with which spreadsheet programs name the delimiter.
fn pass_delimiter_line(text: &mut Text) -> Result<Option<Delimiter>, ReadError> {
    let mut block = text.take_block()?;
    let length = 1 + block.iter().position(|&byte| byte == b'\n').unwrap_or(block.len());
    let line = block[..length.min(block.len())].strip_suffix(b"\n").unwrap_or_default();
    let named = match line.strip_suffix(b"\r").unwrap_or(line) {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', byte @ (b',' | b';' | b'\t' | b'|')] => {
            Some(Delimiter::Byte(*byte))
        }
        _ => None,
    };
    if named.is_some() {
        text.notes.comment_lines += text.pass(&block[..length]);
        block.drain(..length);
    }
    text.put_back(block);
    Ok(named)
}

impl TextTable {
    /// The delimiter of a file, which its first line may have named, for a model that was trained with `trained_with`.
    fn delimiter(
        &self,
        found_by: FoundBy,
        options: &ReadOptions,
        named: Option<Delimiter>,
        trained_with: Delimiter,
    ) -> Delimiter {
        // The ending of the name counts where the training file followed its own.
        let usual = [b',', b'\t'].map(Delimiter::Byte);
        let is_usual =
            usual.iter().any(|usual| trained_with.without_quotes() == usual.without_quotes());
        let has_quotes = options.quotes && !matches!(trained_with, Delimiter::Unquoted(_));
        let own = Delimiter::Byte(self.separator);
        let found = match (options.delimiter.or(named), found_by) {
            (Some(delimiter), _) => delimiter,
            (None, FoundBy::Options) => own,
            (None, FoundBy::FileName) if is_usual => own,
            _ => trained_with,
        };
        if has_quotes { found } else { found.without_quotes() }
    }
}

/// The first block from its first row on. `comments` becomes the comment lines before it.
fn without_comments(
    text: &mut Text,
    options: &ReadOptions,
    comments: &mut Vec<u8>,
) -> Result<Vec<u8>, ReadError> {
    loop {
        let mut block = text.take_block().map_err(|error| match error {
            ReadError::Empty { file } => {
                ReadError::NoExamples { file, skipped: 0, first: None, header: false }
            }
            error => error,
        })?;
        let end = leading_comments(&block, options.comment);
        if end > 0 {
            *comments = block[..end].to_vec();
        }
        text.notes.comment_lines += text.pass(&block[..end]);
        block.drain(..end);
        if !block.is_empty() {
            return Ok(block);
        }
    }
}

/// Notes what was found out of the dialect.
fn note_dialect(text: &mut Text, known: Known, dialect: Dialect, options: &ReadOptions) {
    let expected = Quoting {
        quote: options.quote.unwrap_or(known.quoting.quote),
        escape: options.escape.or(known.quoting.escape),
        comment: options.comment.or(known.quoting.comment),
        whole_rows: known.quoting.whole_rows,
    };
    let is_other = !dialect.has_separator(known.separator) && !text.notes.format_from_content;
    let notes = &mut text.notes.table;
    notes.extend(is_other.then_some(TableNote::Separator(dialect.separator)));
    notes.extend((dialect.quoting != expected).then_some(TableNote::Quoting(dialect.quoting)));
}

/// A table before its first batch.
struct TextStart {
    text: Text,
    /// The first block, from its first row.
    block: Vec<u8>,
    dialect: Dialect,
    header: Header,
    head: Head,
    /// The column whose cells are kept with the rows.
    id: Option<usize>,
}

impl TextStart {
    /// Finds the dialect, passes over title and comment lines before the first row, and over a line that names the
    /// separator, and finds the names of the columns.
    fn new(
        input: Input,
        how: &Start<'_>,
        known: impl Fn(Option<Delimiter>) -> Known,
    ) -> Result<Self, ReadError> {
        let options = how.options;
        let mut text = input.into_text()?;
        pass_lines(&mut text, options.skip_rows.unwrap_or(0))?;
        let known = known(pass_delimiter_line(&mut text)?);
        let mut comments = Vec::new();
        let mut block = without_comments(&mut text, options, &mut comments)?;
        let dialect = Dialect::detect(&block, known, options);
        if let Delimiter::Byte(byte) = dialect.separator {
            text.put_back(block);
            text.set_ending(Ending::Quoted(byte, dialect.quoting));
            block = text.take_block()?;
        }
        note_dialect(&mut text, known, dialect, options);
        if how.has_titles && options.skip_rows.is_none() {
            let titles = titles(&block, dialect, how.header);
            let lines = text.pass(&block[..titles]);
            block.drain(..titles);
            text.notes.table.extend((lines > 0).then_some(TableNote::TitleLines(lines)));
        }
        let (header, head) = (how.header, Head::default());
        let mut table = TextStart { text, block, dialect, header, head, id: None };
        let head = HeadQuestion {
            block: &table.block,
            comments: &comments,
            dialect,
            header,
            before: table.text.lines_before(),
            needed: how.needed,
        };
        let head = head.head(options).map_err(|fault| table.error(fault.into()))?;
        table.text.notes.table.extend(head.notes.iter().cloned());
        Ok(TextStart { head, ..table })
    }

    fn rows(&self) -> FirstRows<'_> {
        let (block, before) = (&self.block, self.text.lines_before());
        let (dialect, head, header) = (self.dialect, &self.head, self.header);
        FirstRows { block, dialect, head, header, before }
    }

    /// Looks at the rows after the first block, too, several blocks at a time.
    fn look_at_rest(mut self, look: &mut Look, options: &ReadOptions) -> Result<(), ReadError> {
        let mut before = self.rows().all().end();
        let dialect = self.dialect;
        loop {
            let mut blocks = Vec::new();
            while blocks.len() < options.threads.max(1)
                && let Some(bytes) = self.text.next_block()?
            {
                let end = Block { bytes: &bytes, dialect, head_rows: 0, before }.end();
                blocks.push((bytes, before));
                before = end;
            }
            if blocks.is_empty() {
                return Ok(());
            }
            let own = &*look;
            let parts = in_parallel(blocks, |(bytes, before)| {
                let mut part = own.without_counts();
                part.add(&Block { bytes: &bytes, dialect, head_rows: 0, before }, options);
                part
            });
            parts.into_iter().for_each(|part| look.survey.join(part.survey));
        }
    }

    /// The error of a problem in a cell of the row that has `row` lines of the file before it.
    fn error_in_rest(
        mut self,
        row: u64,
        column: usize,
        problem: Problem,
    ) -> Result<ReadError, ReadError> {
        let (dialect, file) = (self.dialect, self.text.file().to_owned());
        let (mut before, mut bytes) = (self.text.lines_before(), self.block);
        loop {
            let block = Block { bytes: &bytes, dialect, head_rows: 0, before };
            if let Some(place) = block.place(row, column) {
                return Ok(place.error(&file, problem));
            }
            before = block.end();
            bytes = match self.text.next_block()? {
                Some(bytes) => bytes,
                None => return Ok(Place { line: row + 1, column: 1 }.error(&file, problem)),
            };
        }
    }

    /// A reader of the rows. `first_rows` is the number of rows that decided the columns.
    fn training_reader(
        mut self,
        columns: TrainingColumns,
        first_rows: Option<u64>,
        options: &ReadOptions,
    ) -> Result<Reader, ReadError> {
        let TrainingColumns {
            layout,
            columns,
            text_header,
            row_numbers,
            identifiers,
            decisions,
            footers,
        } = columns;
        let id = self.rows().id(self.text.file(), options).map_err(|error| self.error(error))?;
        let notes = &mut self.text.notes;
        let says_nothing = row_numbers.is_empty() && identifiers.is_empty() && decisions.is_empty();
        notes.first_rows = first_rows.filter(|_| !says_nothing);
        notes.text_header = text_header;
        notes.row_numbers = row_numbers;
        notes.identifiers = identifiers;
        notes.decisions = decisions;
        if first_rows.is_none() {
            self.head.odd_rows.extend(footers);
        }
        self.pass_header();
        let Dialect { separator: delimiter, quoting } = self.dialect;
        let encoding = options.encoding.unwrap_or_default();
        let format = Format::Table { delimiter, header: self.head.is_named, quoting, encoding };
        let schema = Schema { format, inputs: Inputs::Columns(columns) };
        let (labels, dictionary) = (LabelUse::Learn, options.dictionary);
        let rows = RowReader { layout, labels, dictionary, numbers: options.numbers };
        Ok(TextStart { id, ..self }.reader(rows, schema, options))
    }

    fn error(&self, error: HeaderError) -> ReadError {
        match error {
            HeaderError::Columns(error) => error,
            HeaderError::Fault(fault) => self.text.fault(&self.block, fault),
            HeaderError::Cell { row, column, problem } => {
                let place = self.rows().all().place(row, column);
                place.unwrap_or(Place { line: row + 1, column: 1 }).error(self.text.file(), problem)
            }
        }
    }

    /// Leaves out the header.
    fn pass_header(&mut self) {
        if self.head.is_row {
            let end = self.rows().first_example();
            self.text.pass(&self.block[..end]);
            self.block.drain(..end);
        }
    }

    fn reader(mut self, rows: RowReader, schema: Schema, options: &ReadOptions) -> Reader {
        self.text.put_back(self.block);
        let (dialect, id, on_error) = (self.dialect, self.id, options.on_error);
        let Head { ends_with_separator, odd_rows, .. } = self.head;
        let parser = TableParser { dialect, rows, on_error, id, ends_with_separator, odd_rows };
        self.text.reader(Box::new(WithBmi2(parser)), schema, options)
    }
}
