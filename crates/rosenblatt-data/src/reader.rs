//! A file as an iterator of batches, in order, parsed in parallel.
//!
//! Memory does not grow with the file: at any time there are as many blocks as threads, and their
//! batches.

use std::{collections::VecDeque, thread};

use memchr::memchr_iter;
use rosenblatt::data::Classes;

use crate::{
    batch::{Batch, LabelUse},
    blocks::{Blocks, Ending, open_quote},
    csv::{self, LayoutError, TableParser},
    error::{Excerpt, Fault, Problem, ReadError},
    libsvm::LibsvmParser,
    number,
    options::{Delimiter, Format, FormatKind, Header, ReadOptions},
    schema::{Columns, Inputs, Schema},
    source::Source,
};

/// What a reader came across beside the data.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// The first line decided the format, because the name did not.
    pub format_from_content: bool,
    /// Comment lines before the table.
    pub comment_lines: u64,
    /// Rows left out.
    pub skipped: u64,
    /// The first of them, as an error message.
    pub first_skipped: Option<String>,
    /// Columns that the model does not know.
    pub unknown_columns: Vec<String>,
    /// Sparse entries past the model's last feature, left out.
    pub beyond: u64,
}

/// Reads a file batch by batch.
pub struct Reader {
    file: String,
    blocks: Blocks,
    reading: &'static str,
    parser: Parser,
    schema: Schema,
    notes: Notes,
    threads: usize,
    /// Lines before the next block.
    lines: u64,
    /// Parsed blocks that wait for their turn.
    ready: VecDeque<Result<Batch, ReadError>>,
    finished: bool,
}

enum Parser {
    Table(TableParser),
    Libsvm(LibsvmParser),
}

impl Parser {
    fn parse(&self, block: &[u8]) -> Result<Batch, Fault> {
        match self {
            Parser::Table(parser) => parser.parse(block),
            Parser::Libsvm(parser) => parser.parse(block),
        }
    }
}

/// What is known of a file when its first block is there.
struct Beginning {
    file: String,
    blocks: Blocks,
    reading: &'static str,
    kind: FormatKind,
    notes: Notes,
    /// The lines of the header.
    header_lines: u64,
}

impl Reader {
    /// Opens a file to learn from: every row has a label, and the columns are found out.
    ///
    /// # Errors
    /// [`ReadError`], also for what is wrong in the header.
    pub fn for_training(source: Source, options: &ReadOptions) -> Result<Self, ReadError> {
        let mut beginning = Beginning::of(source, options, None)?;
        match beginning.kind {
            FormatKind::Libsvm => {
                let zero_based = options.zero_based;
                let schema = Schema {
                    format: Format::Libsvm { zero_based },
                    inputs: Inputs::Indexed { features: 0 },
                };
                let parser = libsvm(options, zero_based, None, LabelUse::Learn);
                Ok(beginning.reader(Parser::Libsvm(parser), schema, options))
            }
            kind => {
                let delimiter = options.delimiter.unwrap_or(usual_delimiter(kind));
                let header = options.header;
                let block = beginning.table(delimiter)?;
                let made = csv::for_training(&beginning.file, &block, delimiter, options);
                let (layout, columns) = made.map_err(|error| beginning.layout(error, &block))?;
                beginning.begin_after_header(block, delimiter, header);
                let has_header = header != Header::Absent;
                let format = Format::Table { delimiter, header: has_header };
                let schema = Schema { format, inputs: Inputs::Columns(columns) };
                let labels = LabelUse::Learn;
                let parser = TableParser { delimiter, layout, labels, on_error: options.on_error };
                Ok(beginning.reader(Parser::Table(parser), schema, options))
            }
        }
    }

    /// Opens a file whose rows are to be classified by a model that reads as `schema` says. With
    /// `classes`, every row must have a label of these; otherwise labels are not looked at.
    ///
    /// The format, delimiter and header are those of the training file, unless the options or the
    /// name's ending say otherwise.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn for_model(
        source: Source,
        options: &ReadOptions,
        schema: &Schema,
        classes: Option<&Classes>,
    ) -> Result<Self, ReadError> {
        let mut beginning = Beginning::of(source, options, Some(schema.format))?;
        let labels = classes.map_or(LabelUse::Ignore, |classes| LabelUse::Check(classes.clone()));
        match (&schema.inputs, schema.format, beginning.kind) {
            (Inputs::Indexed { features }, format, FormatKind::Libsvm) => {
                let zero_based =
                    options.zero_based || format == Format::Libsvm { zero_based: true };
                let parser = libsvm(options, zero_based, Some(*features), labels);
                Ok(beginning.reader(Parser::Libsvm(parser), schema.clone(), options))
            }
            (Inputs::Columns(columns), Format::Table { delimiter, header }, kind)
                if kind != FormatKind::Libsvm =>
            {
                let trained = Format::Table { delimiter, header };
                let delimiter = beginning.delimiter(options, trained);
                let here = match options.header {
                    Header::Expected if header => Header::Present,
                    Header::Expected => Header::Absent,
                    chosen => chosen,
                };
                let header = (here, header);
                let parser =
                    beginning.table_for_model(options, columns, delimiter, header, labels)?;
                Ok(beginning.reader(Parser::Table(parser), schema.clone(), options))
            }
            (inputs, ..) => {
                let (table, libsvm) = ("a table", "LIBSVM data");
                let columns = matches!(inputs, Inputs::Columns(_));
                let (found, expected) = if columns { (libsvm, table) } else { (table, libsvm) };
                Err(ReadError::OtherFormat { file: beginning.file, found, expected })
            }
        }
    }

    /// The name of the file in messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// How rows become features. While training, categories and the number of sparse features are
    /// known only at the end, to [`Dataset`](crate::Dataset).
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// What was come across so far.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    pub(crate) fn into_parts(self) -> (String, Schema, Notes) {
        (self.file, self.schema, self.notes)
    }

    /// Reads and parses as many blocks as there are threads.
    fn fill(&mut self) {
        let mut blocks = Vec::new();
        while blocks.len() < self.threads && !self.finished {
            let mut block = Vec::new();
            match self.blocks.next_into(&mut block) {
                Ok(true) => blocks.push(block),
                Ok(false) => self.finished = true,
                Err(error) => {
                    self.parse_all(&blocks);
                    if !self.failed() {
                        let (file, what) = (self.file.clone(), self.reading);
                        let line = self.lines + newlines(&block);
                        self.end_with(ReadError::Read { file, line, what, error });
                    }
                    return;
                }
            }
        }
        let open = self.open_quote(&blocks).and_then(|fault| Some((fault, blocks.pop()?)));
        self.parse_all(&blocks);
        if let (Some((fault, block)), false) = (open, self.failed()) {
            self.end_with(data_error(&self.file, self.lines, &block, fault));
        }
    }

    /// A quote in the last block of the file that is never closed.
    fn open_quote(&self, blocks: &[Vec<u8>]) -> Option<Fault> {
        let Parser::Table(TableParser { delimiter: Delimiter::Byte(delimiter), .. }) = &self.parser
        else {
            return None;
        };
        let last = blocks.last().filter(|_| self.blocks.is_finished())?;
        Some(Fault::new(open_quote(last, *delimiter)?, Problem::OpenQuote))
    }

    fn failed(&self) -> bool {
        self.ready.back().is_some_and(Result::is_err)
    }

    fn parse_all(&mut self, blocks: &[Vec<u8>]) {
        let parser = &self.parser;
        let parsed: Vec<Result<Batch, Fault>> = match blocks {
            [block] => vec![parser.parse(block)],
            _ => thread::scope(|scope| {
                let threads: Vec<_> =
                    blocks.iter().map(|block| scope.spawn(move || parser.parse(block))).collect();
                threads
                    .into_iter()
                    .map(|thread| {
                        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                    })
                    .collect()
            }),
        };
        for (block, result) in blocks.iter().zip(parsed) {
            match result {
                Ok(batch) => self.take(block, batch),
                Err(fault) => {
                    return self.end_with(data_error(&self.file, self.lines, block, fault));
                }
            }
        }
    }

    fn take(&mut self, block: &[u8], mut batch: Batch) {
        for fault in std::mem::take(&mut batch.skipped) {
            self.notes.skipped += 1;
            if self.notes.first_skipped.is_none() {
                let error = data_error(&self.file, self.lines, block, fault);
                self.notes.first_skipped = Some(error.to_string());
            }
        }
        self.notes.beyond += batch.beyond;
        self.lines += newlines(block);
        self.ready.push_back(Ok(batch));
    }

    fn end_with(&mut self, error: ReadError) {
        self.finished = true;
        self.ready.push_back(Err(error));
    }
}

impl Iterator for Reader {
    type Item = Result<Batch, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() && !self.finished {
            self.fill();
        }
        self.ready.pop_front()
    }
}

fn libsvm(
    options: &ReadOptions,
    zero_based: bool,
    width: Option<usize>,
    labels: LabelUse,
) -> LibsvmParser {
    let ReadOptions { max_features, on_error, .. } = *options;
    LibsvmParser { zero_based, max_features, width, labels, on_error }
}

impl Beginning {
    /// Reads the first block and settles the kind of format.
    fn of(
        source: Source,
        options: &ReadOptions,
        trained_on: Option<Format>,
    ) -> Result<Self, ReadError> {
        let mut beginning = Beginning {
            file: source.name,
            blocks: Blocks::new(source.bytes, Blocks::SIZE),
            reading: source.reading,
            kind: FormatKind::Csv,
            notes: Notes::default(),
            header_lines: 0,
        };
        let block = beginning.first_block()?;
        let file = beginning.file.clone();
        check_text(&file, &block)?;
        let block = block.strip_prefix(b"\xef\xbb\xbf".as_slice()).unwrap_or(&block).to_vec();
        let by_options = options.format.or(options.delimiter.map(|_| FormatKind::Csv));
        let known = by_options.or(source.kind).or(trained_on.map(kind_of));
        beginning.kind = match known {
            Some(kind) => kind,
            None => {
                beginning.notes.format_from_content = true;
                by_content(&block).ok_or_else(|| ReadError::UnknownFormat {
                    file,
                    line: Excerpt::new(first_line(&block)).to_string(),
                })?
            }
        };
        beginning.blocks.put_back(block);
        Ok(beginning)
    }

    fn first_block(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut block = Vec::new();
        match self.blocks.next_into(&mut block) {
            Ok(true) => Ok(block),
            Ok(false) => Err(ReadError::Empty { file: self.file.clone() }),
            Err(error) => {
                let (file, what) = (self.file.clone(), self.reading);
                Err(ReadError::Read { file, line: newlines(&block), what, error })
            }
        }
    }

    /// The first block of a table, from its first row; comment lines before it are passed over.
    fn table(&mut self, delimiter: Delimiter) -> Result<Vec<u8>, ReadError> {
        if let Delimiter::Byte(byte) = delimiter {
            self.blocks.set_ending(Ending::Quoted(byte));
        }
        let mut block = self.first_block()?;
        let comments = csv::leading_comments(&block);
        self.notes.comment_lines = newlines(&block[..comments]);
        block.drain(..comments);
        if block.is_empty() {
            let file = self.file.clone();
            return Err(ReadError::NoExamples { file, skipped: 0, header: false });
        }
        Ok(block)
    }

    fn table_for_model(
        &mut self,
        options: &ReadOptions,
        columns: &Columns,
        delimiter: Delimiter,
        header: (Header, bool),
        labels: LabelUse,
    ) -> Result<TableParser, ReadError> {
        let block = self.table(delimiter)?;
        let labelled = !matches!(labels, LabelUse::Ignore);
        let made = csv::for_model(&self.file, &block, delimiter, header, columns, labelled);
        let (layout, unknown) = made.map_err(|error| self.layout(error, &block))?;
        self.notes.unknown_columns = unknown;
        self.begin_after_header(block, delimiter, header.0);
        Ok(TableParser { delimiter, layout, labels, on_error: options.on_error })
    }

    /// Puts the block back without its header, whose lines are then those before the first block.
    fn begin_after_header(&mut self, mut block: Vec<u8>, delimiter: Delimiter, header: Header) {
        if header != Header::Absent {
            let end = csv::second_record(&block, delimiter);
            self.header_lines = newlines(&block[..end]);
            block.drain(..end);
        }
        self.blocks.put_back(block);
    }

    fn layout(&self, error: LayoutError, block: &[u8]) -> ReadError {
        match error {
            LayoutError::Columns(error) => error,
            LayoutError::Fault(fault) => {
                data_error(&self.file, self.notes.comment_lines, block, fault)
            }
        }
    }

    fn delimiter(&self, options: &ReadOptions, trained_on: Format) -> Delimiter {
        let of_training = match trained_on {
            Format::Table { delimiter, .. } => delimiter,
            Format::Libsvm { .. } => usual_delimiter(self.kind),
        };
        let chosen = options.delimiter.or(options.format.map(usual_delimiter));
        chosen.unwrap_or(of_training)
    }

    fn reader(self, parser: Parser, schema: Schema, options: &ReadOptions) -> Reader {
        Reader {
            lines: self.notes.comment_lines + self.header_lines,
            file: self.file,
            blocks: self.blocks,
            reading: self.reading,
            parser,
            schema,
            notes: self.notes,
            threads: options.threads.max(1),
            ready: VecDeque::new(),
            finished: false,
        }
    }
}

fn usual_delimiter(kind: FormatKind) -> Delimiter {
    Delimiter::Byte(if kind == FormatKind::Tsv { b'\t' } else { b',' })
}

fn kind_of(format: Format) -> FormatKind {
    match format {
        Format::Libsvm { .. } => FormatKind::Libsvm,
        Format::Table { .. } => FormatKind::Csv,
    }
}

/// The kind that the first lines tell beyond doubt: `number index:value`, or cells separated by
/// commas or tabs.
fn by_content(block: &[u8]) -> Option<FormatKind> {
    const LINES: usize = 100;
    let lines = block.split(|&byte| byte == b'\n').take(LINES);
    lines.filter(|line| !line.starts_with(b"#")).find_map(|line| {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (first, second) = (words.next()?, words.next());
        let pair = second.and_then(|word| word.split(|&byte| byte == b':').next());
        let index = pair.is_some_and(|index| {
            second != Some(index) && (index == b"qid" || index.iter().all(u8::is_ascii_digit))
        });
        if number::is_number(first) && index {
            Some(FormatKind::Libsvm)
        } else if line.contains(&b',') {
            Some(FormatKind::Csv)
        } else {
            line.contains(&b'\t').then_some(FormatKind::Tsv)
        }
    })
}

fn first_line(block: &[u8]) -> &[u8] {
    block
        .split(|&byte| byte == b'\n')
        .find(|line| !line.trim_ascii().is_empty())
        .unwrap_or_default()
}

/// Refuses what is no text at all.
fn check_text(file: &str, block: &[u8]) -> Result<(), ReadError> {
    let found = if block.starts_with(b"\xff\xfe") || block.starts_with(b"\xfe\xff") {
        "text in UTF-16"
    } else if block.contains(&0) {
        "binary data"
    } else {
        return Ok(());
    };
    Err(ReadError::NotText { file: file.to_owned(), found })
}

fn newlines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

/// The error of a fault in a block that comes after `lines_before` lines.
fn data_error(file: &str, lines_before: u64, block: &[u8], fault: Fault) -> ReadError {
    let before = &block[..fault.offset.min(block.len())];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
    // Bytes that continue a character in UTF-8 are not counted.
    let characters = before[line_start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    ReadError::Data {
        file: file.to_owned(),
        line: lines_before + newlines(before) + 1,
        column: characters as u64 + 1,
        problem: fault.problem,
    }
}
