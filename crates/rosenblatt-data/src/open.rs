//! How a file begins: its format, its header, its columns; everything that is settled before the first
//! batch.

use rosenblatt::data::Classes;

use crate::{
    batch::LabelUse,
    blocks::{Blocks, Ending},
    columnar,
    csv::{self, LayoutError, TableParser},
    error::{Excerpt, ReadError},
    idx,
    libsvm::LibsvmParser,
    number,
    options::{Delimiter, Format, FormatKind, Header, ReadOptions},
    packed::Packed,
    pipeline::{Parser, newlines},
    reader::{Notes, Reader, data_error},
    schema::{Columns, Inputs, Schema},
    source::Source,
};
/// What is known of a file when its first block is there.
struct Beginning {
    file: String,
    blocks: Blocks,
    reading: &'static str,
    kind: FormatKind,
    notes: Notes,
    /// The kind that the name's ending tells.
    ending: Option<FormatKind>,
    /// The lines of the header.
    header_lines: u64,
}
impl Reader {
    /// Opens a file to learn from: every row has a label, and the columns are found out.
    ///
    /// # Errors
    /// [`ReadError`], also for what is wrong in the header.
    pub fn for_training(mut source: Source, options: &ReadOptions) -> Result<Self, ReadError> {
        if let Some(packed) = Packed::of(&mut source, options)? {
            return packed.for_training(options);
        }
        if let Some((kind, notes)) = columnar::kind(&mut source, options)? {
            return columnar::for_training(source, (kind, notes), options);
        }
        if let (true, notes) = idx::is_idx(&mut source, options, None)? {
            return idx::for_training(source, notes, options);
        }
        let mut beginning = Beginning::of(source, options, None)?;
        match beginning.kind {
            FormatKind::Libsvm => {
                if let Some(name) = options.first_column() {
                    let (file, name) = (beginning.file, name.clone());
                    return Err(ReadError::NoColumns { file, name, format: "LIBSVM data" });
                }
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
                let ReadOptions { on_error, dictionary, .. } = *options;
                let parser = TableParser { delimiter, layout, labels, on_error, dictionary };
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
        mut source: Source,
        options: &ReadOptions,
        schema: &Schema,
        classes: Option<&Classes>,
    ) -> Result<Self, ReadError> {
        let labels = classes.map_or(LabelUse::Ignore, |classes| LabelUse::Check(classes.clone()));
        if let Some(packed) = Packed::of(&mut source, options)? {
            return packed.for_model(options, schema, &labels);
        }
        if let Some((kind, notes)) = columnar::kind(&mut source, options)? {
            return columnar::for_model(source, (kind, notes), options, schema, labels);
        }
        if let (true, notes) = idx::is_idx(&mut source, options, Some(schema.format))? {
            return match schema.format {
                Format::Idx { shape } => {
                    idx::for_model(source, notes, options, (schema, shape), labels)
                }
                format => Err(other_format(source.name, FormatKind::Idx, format)),
            };
        }
        let mut beginning = Beginning::of(source, options, Some(schema.format))?;
        match (&schema.inputs, schema.format, beginning.kind) {
            (Inputs::Indexed { features }, format @ Format::Libsvm { .. }, FormatKind::Libsvm) => {
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
            (_, format, kind) => Err(other_format(beginning.file, kind, format)),
        }
    }
}

pub(crate) fn other_format(file: String, found: FormatKind, expected: Format) -> ReadError {
    let name = |kind| match kind {
        FormatKind::Csv | FormatKind::Tsv | FormatKind::Parquet | FormatKind::Arrow => "a table",
        FormatKind::Libsvm => "LIBSVM data",
        FormatKind::Idx => "IDX data",
    };
    ReadError::OtherFormat { file, found: name(found), expected: name(kind_of(expected)) }
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
        if let Some(labels) = source.labels {
            return Err(ReadError::LabelsBeside { file: source.name, labels: labels.name });
        }
        let mut beginning = Beginning {
            file: source.name,
            blocks: Blocks::new(source.bytes, Blocks::SIZE),
            reading: source.reading,
            kind: FormatKind::Csv,
            notes: Notes::default(),
            ending: source.kind,
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
                let before = self.notes.comment_lines;
                let lines = (before, before + newlines(&block));
                Err(ReadError::of_block(self.file.clone(), lines, self.reading, error))
            }
        }
    }

    /// The first block of a table, from its first row; comment lines before it are passed over.
    fn table(&mut self, delimiter: Delimiter) -> Result<Vec<u8>, ReadError> {
        if let Delimiter::Byte(byte) = delimiter {
            self.blocks.set_ending(Ending::Quoted(byte));
        }
        loop {
            let mut block = match self.first_block() {
                Err(ReadError::Empty { file }) => {
                    return Err(ReadError::NoExamples { file, skipped: 0, header: false });
                }
                block => block?,
            };
            let comments = csv::leading_comments(&block);
            self.notes.comment_lines += newlines(&block[..comments]);
            block.drain(..comments);
            if !block.is_empty() {
                return Ok(block);
            }
        }
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
        Ok(TableParser { delimiter, layout, labels, on_error: options.on_error, dictionary: false })
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
            Format::Libsvm { .. } | Format::Idx { .. } => usual_delimiter(self.kind),
        };
        let chosen = options.delimiter.or(options.format.map(usual_delimiter));
        // The name's ending counts where the training file followed its own.
        let usual = matches!(of_training, Delimiter::Byte(b',' | b'\t'));
        let by_ending = self.ending.filter(|_| usual).map(usual_delimiter);
        chosen.or(by_ending).unwrap_or(of_training)
    }

    fn reader(self, parser: Parser, schema: Schema, options: &ReadOptions) -> Reader {
        let lines = self.notes.comment_lines + self.header_lines;
        let threads = options.threads.max(1);
        let stream = (self.file, self.blocks, self.reading);
        Reader::new(stream, parser, schema, self.notes, (lines, threads))
    }
}

fn usual_delimiter(kind: FormatKind) -> Delimiter {
    Delimiter::Byte(if kind == FormatKind::Tsv { b'\t' } else { b',' })
}

fn kind_of(format: Format) -> FormatKind {
    match format {
        Format::Libsvm { .. } => FormatKind::Libsvm,
        Format::Idx { .. } => FormatKind::Idx,
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
        } else if line.contains(&b'\t') {
            // First, because text in cells has commas much more often than tabs.
            Some(FormatKind::Tsv)
        } else {
            line.contains(&b',').then_some(FormatKind::Csv)
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
