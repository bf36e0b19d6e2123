//! Packing the rows of a file.

use std::path::Path;

use super::{
    data_files::DataFiles,
    writer::{Output, PackError, PackedWriter, Packing, has_names},
};
use crate::{
    files::atomic_file::prepare,
    input::reader::{ReadFile, Reader},
    options::ReadOptions,
    read_error::ReadError,
    table::{
        batch::{Batch, Body, Labels},
        encode::Encoder,
        gathered::{Gathered, Limits, check_features, complete},
        schema::{Inputs, Schema},
    },
};

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
pub(super) fn pack_to(
    files: DataFiles<'_>,
    options: &ReadOptions,
    output: Output<'_>,
) -> Result<Packing, PackError> {
    let mut reader = Reader::for_training(files.open()?, options)?;
    if let Inputs::Columns(columns) = &reader.schema().inputs
        && let Some(column) = columns.features.iter().find(|column| column.has_learned_fill())
    {
        let (file, column) = (files.data.display().to_string(), column.name.clone());
        return Err(ReadError::FillNeedsAll { file, column }.into());
    }
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
        let (skipped, first, header) = (notes.skipped, notes.first_skipped, schema.has_header());
        return Err(ReadError::NoExamples { file, skipped, first, header }.into());
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
        let rows = Encoder::new(schema).encode(body);
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
