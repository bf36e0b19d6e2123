//! The engine's readers.

use std::{mem::ManuallyDrop, path::PathBuf};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::{prelude::*, types::PyDict};
use rosenblatt_core::data::{Parts, Rows, Storage};
use rosenblatt_data::{
    CharNgrams, Cut, Dataset, DateOrder, Decimal, Delimiter, Encoding, FormatKind, Hashing, Header,
    MissingOption, Note, NoteCode, OnError, ReadError, ReadOptions, RowsLike, Severity, Source,
    categories_by_case, classes_by_case, read_like,
    schema::{self, Inputs},
};

use crate::{
    errors::{frame_error, notes_json, read_error, read_like_error, value_error, warning},
    schema::{CellType, Schema, typed},
};

/// The options of `read`, as a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ReadArguments {
    format: Option<String>,
    target: Option<String>,
    delimiter: Option<String>,
    header: Option<bool>,
    zero_based: bool,
    ignore: Vec<String>,
    categorical: Vec<String>,
    interactions: Vec<Vec<String>>,
    text: Vec<String>,
    ngrams: Option<u8>,
    chars: Option<String>,
    bits: u8,
    features: Vec<String>,
    missing: Vec<String>,
    missing_values: Option<Vec<String>>,
    decimal: String,
    thousands: Option<String>,
    units: Vec<String>,
    dates: Option<String>,
    encoding: Option<String>,
    quote: Option<String>,
    escape: Option<String>,
    comment: Option<String>,
    skip_rows: Option<u64>,
    quotes: bool,
    skip: bool,
    max_features: Option<usize>,
    threads: usize,
}

impl ReadArguments {
    /// How texts are cut.
    fn cut(&self) -> PyResult<Option<Cut>> {
        self.ngrams.map_or(Ok(()), |ngrams| up_to("ngrams", ngrams, Hashing::MAX_NGRAMS))?;
        up_to("bits", self.bits, ReadOptions::MAX_FEATURES.ilog2() as u8)?;
        let chars = self.chars.as_deref().map(str::parse::<CharNgrams>).transpose();
        let chars = chars.map_err(|error| value_error(format!("chars: {error}")))?;
        if chars.is_some() && self.ngrams.is_some() {
            return Err(value_error(
                "chars and ngrams exclude one another: one is of characters, one of words",
            ));
        }
        Ok(chars.map(Cut::Chars).or(self.ngrams.map(Cut::Words)))
    }

    fn options(self) -> PyResult<ReadOptions> {
        let (defaults, cut) = (ReadOptions::default(), self.cut()?);
        Ok(ReadOptions {
            format: self.format.as_deref().map(format_kind).transpose()?,
            delimiter: self.delimiter.as_deref().map(delimiter).transpose()?,
            header: self.header.map_or(Header::Expected, header),
            zero_based: self.zero_based,
            target: self.target,
            ignore: self.ignore,
            categorical: self.categorical,
            interactions: self.interactions,
            cut,
            bits: self.bits,
            text: self.text,
            features: self.features,
            missing: self.missing.iter().map(|rule| missing(rule)).collect::<PyResult<_>>()?,
            missing_values: self.missing_values,
            decimal: word("decimal", &self.decimal, &DECIMALS)?,
            thousands: self.thousands.as_deref().map(thousands).transpose()?,
            units: self.units,
            dates: self.dates.map(|dates| word("dates", &dates, &DATES)).transpose()?,
            encoding: self.encoding.map(|one| word("encoding", &one, &ENCODINGS)).transpose()?,
            quote: self.quote.map(|quote| sign("quote", &quote)).transpose()?,
            escape: self.escape.map(|escape| sign("escape", &escape)).transpose()?,
            comment: self.comment.map(|comment| sign("comment", &comment)).transpose()?,
            skip_rows: self.skip_rows,
            quotes: self.quotes,
            on_error: if self.skip { OnError::Skip } else { OnError::Stop },
            max_features: self.max_features.unwrap_or(defaults.max_features),
            threads: self.threads,
            ..defaults
        })
    }
}

/// Refuses a number that is not from 1 to `most`.
fn up_to(name: &str, number: u8, most: u8) -> PyResult<()> {
    if (1..=most).contains(&number) {
        return Ok(());
    }
    Err(value_error(format!("{name} is {number}, expected 1 to {most}")))
}

fn format_kind(name: &str) -> PyResult<FormatKind> {
    FormatKind::named(name).ok_or_else(|| value_error(format!("there is no format `{name}`")))
}

fn header(is_present: bool) -> Header {
    if is_present { Header::Present } else { Header::Absent }
}

fn missing(rule: &str) -> PyResult<MissingOption> {
    rule.parse().map_err(|error| value_error(format!("missing is {rule:?}: {error}")))
}

pub(crate) const DECIMALS: [(&str, Decimal); 2] =
    [("point", Decimal::Point), ("comma", Decimal::Comma)];

pub(crate) const DATES: [(&str, DateOrder); 4] = [
    ("ymd", DateOrder::Ymd),
    ("dmy", DateOrder::Dmy),
    ("mdy", DateOrder::Mdy),
    ("time", DateOrder::Time),
];

pub(crate) const ENCODINGS: [(&str, Encoding); 3] =
    [("utf-8", Encoding::Utf8), ("latin1", Encoding::Latin1), ("utf-16", Encoding::Utf16)];

/// The value of a word of an option.
fn word<T: Copy>(option: &str, text: &str, words: &[(&str, T)]) -> PyResult<T> {
    let found = words.iter().find(|(word, _)| *word == text);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let expected: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        value_error(format!("{option} is {text:?}, expected {}", expected.join(", ")))
    })
}

/// The word for a value of an option.
pub(crate) fn name_of<T: PartialEq>(value: T, words: &[(&'static str, T)]) -> Option<&'static str> {
    words.iter().find(|(_, one)| *one == value).map(|(word, _)| *word)
}

/// A separator of groups of three digits: its name or its character.
fn thousands(text: &str) -> PyResult<char> {
    let mut characters = text.chars();
    match (text, characters.next(), characters.next()) {
        ("comma", ..) => Ok(','),
        ("point", ..) => Ok('.'),
        ("space", ..) => Ok(' '),
        (_, Some(one), None) if !one.is_alphanumeric() && !"+-\"".contains(one) => Ok(one),
        _ => {
            let expected = "expected one character, or comma, point, space";
            Err(value_error(format!("thousands is {text:?}, {expected}")))
        }
    }
}

/// A sign of a table.
fn sign(option: &str, text: &str) -> PyResult<u8> {
    match text.as_bytes() {
        &[byte] if byte.is_ascii_punctuation() => Ok(byte),
        _ => Err(value_error(format!("{option} is {text:?}, expected one punctuation character"))),
    }
}

fn delimiter(text: &str) -> PyResult<Delimiter> {
    match text.as_bytes() {
        b" " => Ok(Delimiter::Whitespace),
        &[byte] if byte.is_ascii() && !b"\"\r\n".contains(&byte) => Ok(Delimiter::Byte(byte)),
        _ => Err(value_error(format!("a delimiter is one character, not `{text}`"))),
    }
}

/// What was read.
struct Found {
    rows: Rows<'static>,
    /// The number of each label and the labels as spelt; `None` if there are none.
    labels: Option<(Vec<u32>, Vec<String>)>,
    schema: schema::Schema,
    notes: Vec<Note>,
    skipped: u64,
}

impl Found {
    fn new(mut dataset: Dataset) -> PyResult<Self> {
        let no_rows = Rows::dense(Vec::<f64>::new(), 0).map_err(value_error)?;
        let rows = std::mem::replace(&mut dataset.rows, no_rows);
        let (schema, skipped) = (dataset.schema.clone(), dataset.notes.skipped);
        let mut notes = dataset.notes.list(&schema);
        notes.extend(categories_by_case(&schema));
        let labels = dataset.into_labels();
        notes.extend(classes_by_case(&labels.1));
        Ok(Found { rows, labels: Some(labels), schema, notes, skipped })
    }

    fn like(found: RowsLike, schema: &schema::Schema) -> Self {
        let RowsLike { rows, labels, notes, skipped } = found;
        Found { rows, labels, schema: schema.clone(), notes, skipped }
    }

    /// A dict: `rows` (an array of shape (n, d), or `(data, indices, indptr, d)`), `codes` (the number of each label),
    /// `labels` (their text; both None without labels), `feature_names`, `target`, `skipped`, `notes` (JSON), `warnings`,
    /// `schema`.
    fn into_dict<'py>(
        self,
        py: Python<'py>,
        options: &ReadOptions,
    ) -> PyResult<Bound<'py, PyDict>> {
        let Found { rows, labels, schema, notes, skipped } = self;
        let result = PyDict::new(py);
        // Features with indices have no names, and there can be millions of them.
        let is_named = matches!(schema.inputs, Inputs::Columns(_));
        result.set_item("feature_names", is_named.then(|| schema.feature_names()))?;
        result.set_item("target", schema.target())?;
        result.set_item("skipped", skipped)?;
        result.set_item("rows", arrays(py, rows.into_parts())?)?;
        result.set_item("notes", notes_json(&notes, options)?)?;
        let warnings = notes.iter().filter(|note| is_warning(note));
        let warnings: Vec<String> = warnings.map(|note| warning(note, options)).collect();
        result.set_item("warnings", warnings)?;
        let (codes, names) = labels.unzip();
        result.set_item("codes", codes.map(|codes| PyArray1::from_vec(py, codes)))?;
        result.set_item("labels", names)?;
        result.set_item("schema", Schema { inner: schema })?;
        Ok(result)
    }
}

/// A program that calls `predict` sees no notes, so that it is warned of categories that the model does not know.
fn is_warning(note: &Note) -> bool {
    note.severity() == Severity::Warning || note.code == NoteCode::UnknownCategories
}

/// Reads a whole file into a dict, by the columns of `like` if it is given: then the labels may be absent.
#[pyfunction]
pub(crate) fn read<'py>(
    py: Python<'py>,
    path: PathBuf,
    arguments: ReadArguments,
    like: Option<&Bound<'py, Schema>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = arguments.options()?;
    let Some(like) = like else {
        let read = || rosenblatt_data::read(Source::open(&path)?, &options);
        let dataset = py.detach(read).map_err(|error| read_error(&error, &options))?;
        return Found::new(dataset)?.into_dict(py, &options);
    };
    let schema = &like.get().inner;
    let read = || {
        let with_labels = read_like(Source::open(&path)?, &options, schema, true);
        match with_labels {
            Err(ReadError::NoLabels { .. }) if options.target.is_none() => {
                read_like(Source::open(&path)?, &options, schema, false)
            }
            found => found,
        }
    };
    let found = py.detach(read).map_err(|error| read_like_error(&error, &options))?;
    Found::like(found, schema).into_dict(py, &options)
}

/// Reads a data frame, written as plain CSV, into a dict like that of `read`. `types` has the name and the type of the cells
/// of each column. Without `like`, the last column is the target of the options. With it, labels are not read.
#[pyfunction]
pub(crate) fn read_frame<'py>(
    py: Python<'py>,
    text: Vec<u8>,
    types: Vec<(String, CellType)>,
    arguments: ReadArguments,
    like: Option<&Bound<'py, Schema>>,
) -> PyResult<Bound<'py, PyDict>> {
    const NAME: &str = "X";
    let options = arguments.options()?.of_plain_csv();
    let source = Source::text(NAME, text.clone());
    let Some(like) = like else {
        let read = || rosenblatt_data::read(source, &options);
        let dataset =
            py.detach(read).map_err(|error| frame_error(&error, &text, Some(&options)))?;
        let mut found = Found::new(dataset)?;
        found.schema = typed(&found.schema, &types);
        return found.into_dict(py, &options);
    };
    let schema = &like.get().inner;
    let read = || read_like(source, &options, &typed(schema, &types), false);
    let found = py.detach(read).map_err(|error| frame_error(&error, &text, None))?;
    Found::like(found, schema).into_dict(py, &options)
}

/// The arrays of a matrix, as [`Matrix`](crate::matrix::Matrix) takes them.
pub(crate) fn arrays<'py>(py: Python<'py>, parts: Parts<'static>) -> PyResult<Bound<'py, PyAny>> {
    match parts {
        Parts::Dense { values, features } => {
            let values = numbers(values);
            let rows = values.len().checked_div(features).unwrap_or(0);
            Ok(PyArray1::from_vec(py, values).reshape([rows, features])?.into_any())
        }
        Parts::Sparse { offsets, indices, values, features } => {
            let values = PyArray1::from_vec(py, numbers(values));
            // SciPy expects indices and offsets of one type, the smaller one if it suffices.
            let last = offsets.last().copied().unwrap_or(0);
            let (indices, offsets) = if i32::try_from(last.max(features)).is_ok() {
                let offsets = PyArray1::from_iter(py, offsets.iter().map(|&at| at as i32));
                let indices = PyArray1::from_vec(py, signed(indices.into_owned()));
                (indices.into_any(), offsets.into_any())
            } else {
                let offsets = PyArray1::from_iter(py, offsets.iter().map(|&at| at as i64));
                let indices = PyArray1::from_iter(py, indices.iter().map(|&i| i64::from(i)));
                (indices.into_any(), offsets.into_any())
            };
            Ok((values, indices, offsets, features).into_pyobject(py)?.into_any())
        }
    }
}

fn numbers(values: Storage<'_>) -> Vec<f64> {
    match values {
        Storage::F64(values) => values.into_owned(),
        Storage::F32(values) => values.iter().map(|&value| f64::from(value)).collect(),
    }
}

/// Numbers below 2³¹ as `i32`, without a copy.
#[allow(unsafe_code)] // no safe way to see a vector as one of another type
fn signed(numbers: Vec<u32>) -> Vec<i32> {
    let mut numbers = ManuallyDrop::new(numbers);
    let (start, length, capacity) = (numbers.as_mut_ptr(), numbers.len(), numbers.capacity());
    // SAFETY: the parts are those of a vector that is never dropped. `i32` has the size and alignment of `u32`, and every
    // bit pattern is a valid value.
    unsafe { Vec::from_raw_parts(start.cast(), length, capacity) }
}
