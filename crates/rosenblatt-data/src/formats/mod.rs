//! The file formats: each is a folder with a [`FileFormat`], and an entry in [`ALL`]. Everything else about formats
//! (detection, opening, names in options and messages, endings of file names) follows from that.

use std::{path::Path, sync::Arc};

use format::{Counted, FileFormat, FoundBy, Input};
use rosenblatt_core::data::Classes;

use crate::{
    fault::Excerpt,
    input::{
        reader::Reader,
        source::Source,
        text::{Text, first_line, without_mark},
    },
    notes::{Notes, TableNote},
    options::{Encoding, FormatKind, Header, ReadOptions},
    read_error::ReadError,
    table::{
        batch::LabelUse,
        schema::{Format, Inputs, Schema},
    },
    vowpal_wabbit,
};

pub(crate) mod arff;
pub(crate) mod columnar;
pub(crate) mod csv;
mod effects;
pub(crate) mod fasttext;
mod format;
pub(crate) mod idx;
pub(crate) mod json;
pub(crate) mod libsvm;
#[cfg(feature = "files")]
pub(crate) mod packed;
mod several;
pub(crate) mod workbook;

/// All formats, in the order of their names in messages. A file is offered to the last one first, because later formats
/// are more particular: a packed file is an Arrow file too, and a LIBSVM line may have tabs and commas.
static ALL: &[&dyn FileFormat] = &[
    &csv::CSV,
    &csv::TSV,
    &libsvm::Libsvm,
    &json::Json,
    &arff::Arff,
    &fasttext::FastText,
    #[cfg(feature = "files")]
    &idx::Idx,
    &columnar::PARQUET,
    &columnar::ARROW,
    &workbook::Workbook,
    #[cfg(feature = "files")]
    &packed::Packed,
];

impl Reader {
    /// Opens a file to learn from: every row has a label, and the columns are found out.
    ///
    /// # Errors
    /// [`ReadError`], also for what is wrong in the header.
    pub fn for_training(source: Source, options: &ReadOptions) -> Result<Self, ReadError> {
        let each = options.clone();
        let detected = move |mut source: Source| {
            let mut options = each.clone();
            if options.encoding.is_none() {
                options.encoding = source.evident_encoding()?;
                source.noted_encoding = options.encoding.map(TableNote::Encoding);
            }
            let (format, input) = detect(source, &options, None)?;
            format.traits().check(&input.source.name, &options, false)?;
            Ok((format, input, options))
        };
        let count = |source| {
            let (format, input, options) = detected(source)?;
            format.counted(input, &options)
        };
        let counted = several::counted(&source, count);
        let open = move |source, counted: Option<&Arc<Counted>>| {
            let (format, input, options) = detected(source)?;
            format.open_training(Input { counted: counted.cloned(), ..input }, &options)
        };
        Ok(several::open_all(source, counted, open)?.with_limits(options.most_left_out()))
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
        let labels = classes.map_or(LabelUse::Ignore, |classes| LabelUse::Check(classes.clone()));
        Self::with_labels(source, options, schema, labels)
    }

    /// Opens a file whose rows are to be classified by a model that reads as `schema` says, and compared with their
    /// labels, which need not be those of the model. They are in the column `target` of the options, by default in that of the
    /// training file. Otherwise as [`Self::for_model`].
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn for_evaluation(
        source: Source,
        options: &ReadOptions,
        schema: &Schema,
    ) -> Result<Self, ReadError> {
        Self::with_labels(source, options, schema, LabelUse::Learn)
    }

    fn with_labels(
        source: Source,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Self, ReadError> {
        if let (Inputs::Indexed { .. }, Some(id)) = (&schema.inputs, &options.id) {
            let (file, name) = (source.name, id.clone());
            return Err(ReadError::NoColumns { file, name, format: schema.format.noun() });
        }
        let each = options.clone();
        let expected = match labels {
            LabelUse::Ignore => schema.clone(),
            _ => relabelled(&source.name, options, schema)?,
        };
        let open = move |source, _: Option<&Arc<Counted>>| {
            let source = Source { unbuffered: each.unbuffered, ..source };
            let (format, input) = detect(source, &each, Some(&expected.format))?;
            format.traits().check(&input.source.name, &each, true)?;
            format.open_model(input, &each, &expected, labels.clone())
        };
        Ok(several::open_all(source, None, open)?.with_limits(options.most_left_out()))
    }
}

/// The schema of a model for a file whose labels are in the column that the options name.
fn relabelled(file: &str, options: &ReadOptions, schema: &Schema) -> Result<Schema, ReadError> {
    let mut schema = schema.clone();
    let Some(target) = options.target.as_ref().filter(|&name| schema.target() != Some(name)) else {
        return Ok(schema);
    };
    let (file, name) = (file.to_owned(), target.clone());
    let (has_names, noun) =
        (schema.has_header() && options.header != Header::Absent, schema.format.noun());
    let Inputs::Columns(columns) = &mut schema.inputs else {
        return Err(ReadError::NoColumns { file, name, format: noun });
    };
    let is_feature = columns.features.iter().any(|column| column.name == *target);
    let why = match (has_names, is_feature) {
        (false, _) => "the model finds its columns by their positions",
        (_, true) => "it is a feature of the model",
        _ => {
            let before = std::mem::replace(&mut columns.target, name);
            columns.ignored.push(before);
            columns.ignored.retain(|ignored| ignored != target);
            return Ok(schema);
        }
    };
    Err(ReadError::NotTheLabel { file, name, why })
}

impl FormatKind {
    /// All formats, in the order of their names in messages.
    pub fn all() -> Vec<FormatKind> {
        let mut kinds = Vec::new();
        for kind in ALL.iter().map(|format| format.kind()) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<FormatKind> {
        Self::all().into_iter().find(|kind| kind.name() == name)
    }
}

/// Whether the first bytes are those of a format that is no text.
fn is_binary(source: &mut Source) -> Result<bool, ReadError> {
    for format in ALL.iter().filter(|format| !format.is_text()) {
        if format.detect(source, false)? {
            return Ok(true);
        }
    }
    Ok(false)
}

type Detected = (&'static dyn FileFormat, Input);

/// Finds the format of a source: by the options, the name, the first bytes, the model, or the first lines.
fn detect(
    mut source: Source,
    options: &ReadOptions,
    trained_on: Option<&Format>,
) -> Result<Detected, ReadError> {
    let of_model = match trained_on {
        Some(Format::Table { encoding, .. }) if *encoding != Encoding::Utf8 => {
            if is_binary(&mut source)? { Encoding::Utf8 } else { *encoding }
        }
        _ => Encoding::Utf8,
    };
    source = source.decoded(options.encoding.unwrap_or(of_model))?;
    let chosen = chosen(&source, options);
    let kind = chosen.map(|(kind, _)| kind);
    let trained = trained_on.and_then(trained_format);
    // The bytes of a binary format tell more than the name of a text.
    let is_named_text = chosen.is_some_and(|(kind, found_by)| {
        let is_text = ALL.iter().any(|format| format.kind() == kind && format.is_text());
        found_by == FoundBy::FileName && is_text
    });
    for &format in ALL.iter().rev() {
        let is_possible = format.is_text() || !source.is_text;
        let is_other = is_named_text && !format.is_text();
        let may_be = is_possible && (is_other || kind.is_none_or(|kind| kind == format.kind()));
        if may_be && format.detect(&mut source, kind.is_some() && !is_other)? {
            let is_trained = trained.is_some_and(|trained| trained.kind() == format.kind());
            let by_content = if is_trained { FoundBy::Model } else { FoundBy::FirstBytes };
            let by_name = chosen.filter(|_| !is_other);
            let found_by = by_name.map_or(by_content, |(_, found_by)| found_by);
            return Ok((format, Input { source, found_by, counted: None }));
        }
    }
    match trained {
        Some(trained) => Ok((trained, Input { source, found_by: FoundBy::Model, counted: None })),
        None => by_lines(source, options),
    }
}

/// The format that the options choose, else the one that the name of the file tells.
fn chosen(source: &Source, options: &ReadOptions) -> Option<(FormatKind, FoundBy)> {
    let by_delimiter = options.delimiter.map(|_| FormatKind::CSV);
    if let Some(kind) = options.format.or(by_delimiter) {
        return Some((kind, FoundBy::Options));
    }
    let name = source.is_text.then(|| Path::new(&source.name));
    by_name(source.path.as_deref().or(name)?).map(|kind| (kind, FoundBy::FileName))
}

/// The format that the ending of a name tells; the endings of compressions are looked through.
fn by_name(path: &Path) -> Option<FormatKind> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let plain = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    ALL.iter().find(|format| format.is_named(plain)).map(|format| format.kind())
}

/// The format that a model was trained on.
fn trained_format(format: &Format) -> Option<&'static dyn FileFormat> {
    ALL.iter().copied().find(|one| one.is_trained_on(format))
}

/// Finds the format of a text by its first lines.
fn by_lines(source: Source, options: &ReadOptions) -> Result<Detected, ReadError> {
    const LINES: usize = 100;
    let noted_encoding = source.noted_encoding.clone();
    let mut text = Text::new(source, Notes::default())?;
    let block = text.first_block()?;
    let start = without_mark(&block);
    if let Some(lines) = vowpal_wabbit::lines_like(first_line(start)) {
        return Err(ReadError::VowpalWabbit { file: text.file().to_owned(), lines });
    }
    let mut lines = start.split(|&byte| byte == b'\n').take(LINES);
    let format = lines.find_map(|line| {
        let is_comment = line.starts_with(b"#");
        ALL.iter().rev().find(|format| !is_comment && format.is_line(line))
    });
    let unknown = || ReadError::UnknownFormat {
        file: text.file().to_owned(),
        line: Excerpt::new(first_line(start)).to_string(),
    };
    let table: &dyn FileFormat = &csv::CSV;
    let separated = || csv::is_table(start, options).then_some(&table);
    let format = *format.or_else(separated).ok_or_else(unknown)?;
    text.put_back(block);
    let source = Source { noted_encoding, ..text.into_source() };
    Ok((format, Input { source, found_by: FoundBy::Lines, counted: None }))
}
