//! Reading a whole file to learn from.

use crate::{
    input::{
        reader::{ReadFile, Reader},
        source::Source,
    },
    mapped_file::Seal,
    options::ReadOptions,
    read_error::ReadError,
    table::{dataset::Dataset, gathered::Gathered},
};

/// Reads a whole file to learn from.
///
/// # Errors
/// [`ReadError`].
pub fn read(source: Source, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let mut reader = Reader::for_training(source, options)?;
    let seal = reader.take_seal();
    rest(reader, Gathered::new(options), seal)
}

/// Reads the rest of a file after the batches that are gathered. `seal` was taken from the reader.
pub(crate) fn rest(
    mut reader: Reader,
    mut gathered: Gathered<'_>,
    seal: Option<Seal>,
) -> Result<Dataset, ReadError> {
    while let Some(batch) = reader.next() {
        gathered.add(batch?, reader.file(), reader.schema())?;
    }
    let ReadFile { file, schema, notes } = reader.into_file();
    gathered.dataset(file, schema, notes, seal)
}
