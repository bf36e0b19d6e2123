//! Data that are larger than the memory for them: learned from a packed file beside their source.
//!
//! It is `.NAME.rosenblatt-pack` in the folder of the source, and not in a cache of the user: it is as large
//! as the source and belongs where there was room for that, it is found by whoever clears that folder, and
//! no store grows unseen. Where the folder cannot be written to, the rows are held in memory after all.

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{Key, PackError, Packed, metadata::MAGIC, pack};
use crate::{
    batch::Batch,
    dataset::{self, Dataset, join},
    error::ReadError,
    options::ReadOptions,
    reader::Reader,
    source::Source,
};

/// What was done about data larger than their memory.
#[derive(Debug)]
#[non_exhaustive]
pub enum Beside {
    /// The packed file is of the same bytes and options, and is used.
    Used {
        /// The packed file.
        file: PathBuf,
    },
    /// The rows were packed.
    Packed {
        /// The packed file.
        file: PathBuf,
        /// Whether one was there that was of other bytes or options, or damaged.
        again: bool,
    },
    /// The packed file could not be written, and the rows are in memory.
    Failed {
        /// The packed file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// Reads a whole file to learn from, with the labels of IDX data in a second one. Rows that take more than
/// `memory` bytes are packed into a file beside the source and learned from there; a packed file that is
/// there already is used when it is of the same bytes, read with the same options.
///
/// # Errors
/// [`ReadError`].
pub fn read_within(
    (data, labels): (&Path, Option<&Path>),
    options: &ReadOptions,
    memory: usize,
) -> Result<(Dataset, Option<Beside>), ReadError> {
    let mut source = Source::open_labelled(data, labels)?;
    let Some(file) = place(data) else { return Ok((dataset::read(source, options)?, None)) };
    if let Some(packed) = Packed::of(&mut source, options)? {
        return Ok((packed.dataset(options)?, None));
    }
    let reader = Reader::for_training(source, options)?;
    let there = file.exists();
    if there {
        let beside = reader.notes().labels_beside.clone();
        let sources = [Some(data), labels.or(beside.as_deref().map(Path::new))];
        let sources: Vec<&Path> = sources.into_iter().flatten().collect();
        let key = Key::of(&sources, options)
            .map_err(|error| ReadError::Open { file: data.display().to_string(), error })?;
        if let Some(dataset) = same(&file, &key, data) {
            return Ok((dataset, Some(Beside::Used { file })));
        }
    }
    if let Some(dataset) = in_memory(reader, options, memory)? {
        return Ok((dataset, None));
    }
    if !may_replace(&file) {
        let dataset = dataset::read(Source::open_labelled(data, labels)?, options)?;
        let error = io::Error::other("there is something else of that name");
        return Ok((dataset, Some(Beside::Failed { file, error })));
    }
    let again = || dataset::read(Source::open_labelled(data, labels)?, options);
    match pack((data, labels), options, &file) {
        Ok(_) => {}
        Err(PackError::Read(error)) => return Err(error),
        Err(PackError::Write { error, .. }) => {
            return Ok((again()?, Some(Beside::Failed { file, error })));
        }
        // The packed file is the source only where somebody made it so meanwhile.
        Err(PackError::Changed { .. } | PackError::OverSource { .. }) => {
            let error = io::Error::other("the data changed while they were packed");
            return Ok((again()?, Some(Beside::Failed { file, error })));
        }
    }
    match Packed::open(&file, &data.display().to_string())? {
        Some(packed) => Ok((packed.own()?, Some(Beside::Packed { file, again: there }))),
        None => {
            let error = io::Error::other("it is no packed file any more");
            Ok((again()?, Some(Beside::Failed { file, error })))
        }
    }
}

/// Whether a packed file may be written here: where nothing is, or an Arrow file. No link is followed, which
/// somebody else may have laid in a shared folder.
fn may_replace(file: &Path) -> bool {
    let Ok(found) = std::fs::symlink_metadata(file) else { return true };
    let mut beginning = [0; MAGIC.len()];
    let mut read = || std::fs::File::open(file)?.read_exact(&mut beginning);
    found.is_file() && read().is_ok() && beginning == *MAGIC
}

/// Where the packed file of a source is; nowhere for a stream.
fn place(data: &Path) -> Option<PathBuf> {
    let name = data.file_name().filter(|_| data.is_file() && data != Path::new("-"))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".rosenblatt-pack");
    Some(data.with_file_name(hidden))
}

/// The data of a packed file that has this key. Whatever else it is, it is packed again when needed.
fn same(file: &Path, key: &Key, data: &Path) -> Option<Dataset> {
    let packed = Packed::open(file, &data.display().to_string()).ok()??;
    if packed.is_of(key) { packed.own().ok() } else { None }
}

/// All rows, unless they take more than so many bytes.
fn in_memory(
    mut reader: Reader,
    options: &ReadOptions,
    memory: usize,
) -> Result<Option<Dataset>, ReadError> {
    let mut all: Option<Batch> = None;
    let mut bytes = 0usize;
    for batch in reader.by_ref() {
        let batch = batch?;
        bytes = bytes.saturating_add(batch.body.encoded_bytes());
        if bytes > memory {
            return Ok(None);
        }
        match &mut all {
            None => all = Some(batch),
            Some(all) => join(all, batch),
        }
    }
    Dataset::of(reader, all, options).map(Some)
}
