//! Packing: the encoded rows of a file, written once as a [packed file](crate::formats::packed) and then mapped.
//!
//! [`pack`] writes a packed file where the user wants it; [`read_within`] keeps one next to data that are larger than the
//! memory for them.

mod cache;
mod trust;
mod writer;

use std::{
    io,
    path::{Path, PathBuf},
};

pub use cache::{Before, CacheUse, read_within};
pub use trust::Distrust;

use writer::{Output, PackedWriter, has_names};

use crate::{
    error::ReadError,
    files::atomic_file::prepare,
    formats::packed::key::Key,
    input::{
        reader::{ReadFile, Reader},
        source::Source,
    },
    notes::Notes,
    options::ReadOptions,
    table::{
        batch::{Batch, Body, Labels},
        encode::Encoder,
        gathered::{Gathered, Limits, check_features, complete},
        schema::{Inputs, Schema},
    },
};

/// The files of a data set.
#[derive(Clone, Copy, Debug)]
pub struct DataFiles<'p> {
    /// The examples.
    pub data: &'p Path,
    /// The labels of IDX data, where they are named.
    pub labels: Option<&'p Path>,
}

impl<'p> DataFiles<'p> {
    fn open(self) -> Result<Source, ReadError> {
        Source::open_labelled(self.data, self.labels)
    }

    /// All files that are read; the labels may have been found in the folder of the data.
    fn with_labels_found(self, notes: &Notes) -> Vec<PathBuf> {
        let found = notes.labels_beside.as_deref().map(Path::new);
        let labels = self.labels.or(found);
        [Some(self.data), labels].into_iter().flatten().map(Path::to_owned).collect()
    }

    fn key(self, sources: &[PathBuf], options: &ReadOptions) -> Result<Key, ReadError> {
        Key::of(sources, options)
            .map_err(|error| ReadError::Open { file: self.data.display().to_string(), error })
    }
}

/// Why a file could not be packed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// Reading the source.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// Writing the packed file.
    #[error("{file}: {error}")]
    Write {
        /// The packed file.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// The packed file would replace what it is made of.
    #[error("{file}: the output would replace the input")]
    OverSource {
        /// The source.
        file: String,
    },
    /// The source is not the same as it was when packing began.
    #[error("{file}: the file changed while it was packed")]
    Changed {
        /// The source.
        file: String,
    },
}

/// A file that was packed.
#[derive(Clone, Debug)]
pub struct Packing {
    /// The number of rows.
    pub rows: u64,
    /// How a file becomes such rows.
    pub schema: Schema,
    /// The notes of reading.
    pub notes: Notes,
    /// The bytes of the packed file.
    pub bytes: u64,
    pub(crate) key: Key,
}

/// Packs the rows of a data set into the file `output`, which is written whole or not at all. Memory does not grow with
/// the rows.
///
/// # Errors
/// [`PackError`].
pub fn pack(
    files: DataFiles<'_>,
    options: &ReadOptions,
    output: &Path,
) -> Result<Packing, PackError> {
    pack_to(files, options, Output { path: output, mode: None })
}

/// Packs into a file with permissions of its own.
fn pack_to(
    files: DataFiles<'_>,
    options: &ReadOptions,
    output: Output<'_>,
) -> Result<Packing, PackError> {
    let mut reader = Reader::for_training(files.open()?, options)?;
    let sources = files.with_labels_found(reader.notes());
    if let Some(source) = sources.iter().find(|source| is_same_file(source, output.path)) {
        return Err(PackError::OverSource { file: source.display().to_string() });
    }
    prepare(output.path).map_err(|error| output.failed(error))?;
    let before = files.key(&sources, options)?;
    let mut schema = reader.schema().clone();
    if has_names(&schema) {
        complete(&mut schema, &names(reader, options)?, options);
        check_features(&schema, &files.data.display().to_string(), options)?;
        reader = Reader::for_training(files.open()?, options)?;
    }
    let writer = write_rows(&mut reader, &mut schema, options, output)?;
    let ReadFile { file, notes, .. } = reader.into_file();
    if writer.is_empty() {
        let (skipped, header) = (notes.skipped, schema.has_header());
        return Err(ReadError::NoExamples { file, skipped, header }.into());
    }
    // The packed rows are those of the key, unless the file changed and changed back meanwhile.
    if files.key(&sources, options)? != before {
        return Err(PackError::Changed { file });
    }
    writer.finish(schema, notes, before).map_err(|error| output.failed(error))
}

fn is_same_file(source: &Path, output: &Path) -> bool {
    let places = (source.canonicalize().ok(), output.canonicalize().ok());
    matches!(places, (Some(source), Some(output)) if source == output)
}

/// Writes the rows of all batches; a sparse schema grows with them.
fn write_rows(
    reader: &mut Reader,
    schema: &mut Schema,
    options: &ReadOptions,
    output: Output<'_>,
) -> Result<PackedWriter, PackError> {
    let mut writer = PackedWriter::create(output, schema).map_err(|error| output.failed(error))?;
    let mut limits = Limits::new(options);
    while let Some(batch) = reader.next() {
        let Batch { labels, body, .. } = batch?;
        if let (Inputs::Indexed { features }, Body::Sparse { features: found, .. }) =
            (&mut schema.inputs, &body)
        {
            *features = (*features).max(*found);
        }
        let rows = Encoder::new(schema).encode(body).rows;
        writer.write(&rows, &labels).map_err(|error| output.failed(error))?;
        limits.check_labels(writer.labels(), reader.file(), reader.schema())?;
    }
    Ok(writer)
}

/// All categories and words of a file, without its rows.
fn names(mut reader: Reader, options: &ReadOptions) -> Result<Body, ReadError> {
    let mut all = Gathered::new(options);
    while let Some(batch) = reader.next() {
        let mut batch = batch?;
        if let Body::Table(table) = &mut batch.body {
            table.numbers.clear();
            table.codes.clear();
            table.texts.iter_mut().for_each(|text| text.forget_rows());
        }
        batch.labels = Labels::default();
        all.add(batch, reader.file(), reader.schema())?;
    }
    Ok(all.all.unwrap_or_default().body)
}
