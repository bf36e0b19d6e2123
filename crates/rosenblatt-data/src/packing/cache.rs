//! Data that are larger than the memory for them are learned from a packed file in the folder of their source, the cache.
//!
//! The cache is `.NAME.rosenblatt-pack` in the folder of the source, and not in a folder of the user's caches: it is as large
//! as the source and belongs where there was room for that, a user who clears that folder finds it, and
//! no store grows unseen. Where the folder cannot be written to, the rows are held in memory after all. It is
//! trusted only where the running user wrote it ([`trust`](super::trust)), and no user can read it who may not read the
//! source.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{
    data_files::DataFiles,
    pack::pack_to,
    trust::{self, CacheFile, Distrust},
    writer::{Output, PackError},
};
use crate::{
    formats::packed::{PackedProblem, key::Key, metadata::MAGIC, read::PackedFile},
    input::reader::Reader,
    options::ReadOptions,
    read,
    read_error::ReadError,
    table::{dataset::Dataset, gathered::Gathered},
};

/// How data that are larger than the memory for them were read.
#[derive(Debug)]
#[non_exhaustive]
pub enum CacheUse {
    /// The packed file is of the same bytes and options, and is used.
    Used {
        /// The packed file.
        file: PathBuf,
    },
    /// The rows were packed.
    Packed {
        /// The packed file.
        file: PathBuf,
        /// The file that was there before.
        before: Before,
    },
    /// The file in the place of the cache is not trusted. The rows fit into memory.
    Distrusted {
        /// The file in that place.
        file: PathBuf,
        /// Why.
        why: Distrust,
    },
    /// The packed file could not be written, and the rows are in memory.
    Failed {
        /// The packed file.
        file: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

/// The file in the place of the cache before the rows were packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Before {
    /// Nothing.
    Nothing,
    /// A packed file of other bytes, options or version.
    Other,
    /// A packed file that is cut off or changed.
    Damaged,
    /// A file that is not trusted.
    Distrusted(Distrust),
}

/// Reads a whole data set to learn from. Rows that take more than `memory` bytes are packed into a file next to the data
/// and learned from there; a packed file that is there already is used when it is of the same bytes, read with the same
/// options.
///
/// # Errors
/// [`ReadError`].
pub fn read_within(
    files: DataFiles<'_>,
    options: &ReadOptions,
    memory: usize,
) -> Result<(Dataset, Option<CacheUse>), ReadError> {
    let Some(cache) = place(files.data) else {
        return Ok((read::read(files.open()?, options)?, None));
    };
    let mut reader = Reader::for_training(files.open()?, options)?;
    if let Some(seal) = reader.take_seal() {
        // The data are a packed file themselves.
        return Ok((read::rest(reader, Gathered::new(options), Some(seal))?, None));
    }
    let found = trust::find(&cache);
    let before = match found {
        CacheFile::Nothing => Before::Nothing,
        CacheFile::Distrusted(why) => Before::Distrusted(why),
        CacheFile::Own(own) => {
            let key = files.key(&files.with_labels_found(reader.notes()), options)?;
            match load(own, &key, &cache, files.data) {
                Ok(dataset) => return Ok((dataset, Some(CacheUse::Used { file: cache }))),
                Err(before) => before,
            }
        }
    };
    if let Some(dataset) = in_memory(reader, options, memory)? {
        let distrusted = match before {
            Before::Distrusted(why) => Some(CacheUse::Distrusted { file: cache, why }),
            Before::Nothing | Before::Other | Before::Damaged => None,
        };
        return Ok((dataset, distrusted));
    }
    match packed(files, options, &cache) {
        Ok(dataset) => Ok((dataset, Some(CacheUse::Packed { file: cache, before }))),
        Err(NotPacked::Read(error)) => Err(error),
        Err(NotPacked::Failed(error)) => {
            let dataset = read::read(files.open()?, options)?;
            Ok((dataset, Some(CacheUse::Failed { file: cache, error })))
        }
    }
}

/// Why the rows do not lie in a packed file.
enum NotPacked {
    /// They cannot be read.
    Read(ReadError),
    /// The file cannot be written, or its content is not the one that was written.
    Failed(io::Error),
}

impl NotPacked {
    fn failed(problem: &str) -> Self {
        NotPacked::Failed(io::Error::other(problem.to_owned()))
    }
}

/// Packs the rows into the file `cache`, and gives them as they lie there.
fn packed(files: DataFiles<'_>, options: &ReadOptions, cache: &Path) -> Result<Dataset, NotPacked> {
    if !may_replace(cache) {
        return Err(NotPacked::failed("there is something else of that name"));
    }
    let output = Output { path: cache, mode: mode_like(files.data) };
    let packing = match pack_to(files, options, output) {
        Ok(packing) => packing,
        Err(PackError::Read(error)) => return Err(NotPacked::Read(error)),
        Err(PackError::Write { error, .. }) => return Err(NotPacked::Failed(error)),
        // The packed file is the source only where another program made it so meanwhile.
        Err(PackError::Changed { .. } | PackError::OverSource { .. }) => {
            return Err(NotPacked::failed("the data changed while they were packed"));
        }
    };
    match trust::find(cache) {
        CacheFile::Own(own) => load(own, &packing.key, cache, files.data).ok(),
        CacheFile::Nothing | CacheFile::Distrusted(_) => None,
    }
    .ok_or_else(|| NotPacked::failed("it is not what was written there"))
}

/// The permissions of a cache that only its owner may write: all users may read it where all users may read the data.
fn mode_like(data: &Path) -> Option<u32> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        const ALL_READ: u32 = 0o444;
        let mode = std::fs::metadata(data).map_or(0, |data| data.mode());
        Some(if mode & ALL_READ == ALL_READ { 0o644 } else { 0o600 })
    }
    #[cfg(not(unix))]
    {
        let _ = data;
        None
    }
}

/// Whether a packed file may be written here: where nothing is, or an Arrow file. No link is followed, which
/// another user may have made in a shared folder.
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

/// The rows of a packed file that has this key. A file that is anything else is packed again when needed.
fn load(own: File, key: &Key, cache: &Path, data: &Path) -> Result<Dataset, Before> {
    // Messages about changes of the file name the cache, and all others the data.
    let packed = match PackedFile::of_file(own, &cache.display().to_string()) {
        Ok(Some(packed)) => packed,
        Err(error) if is_of_other_version(&error) => return Err(Before::Other),
        Ok(None) | Err(_) => return Err(Before::Damaged),
    };
    if !packed.is_of(key) || !packed.has_checksum() {
        return Err(Before::Other);
    }
    let dataset = packed.dataset().map_err(|_| Before::Damaged)?;
    Ok(Dataset { file: data.display().to_string(), ..dataset })
}

fn is_of_other_version(error: &ReadError) -> bool {
    let ReadError::Format { problem, .. } = error else { return false };
    matches!(problem.downcast_ref(), Some(PackedProblem::Version { .. }))
}

/// All rows, unless they take more than `memory` bytes.
fn in_memory(
    mut reader: Reader,
    options: &ReadOptions,
    memory: usize,
) -> Result<Option<Dataset>, ReadError> {
    let mut gathered = Gathered::new(options);
    let mut bytes = 0usize;
    while let Some(batch) = reader.next() {
        let batch = batch?;
        bytes = bytes.saturating_add(batch.body.encoded_bytes(reader.schema()));
        if bytes > memory {
            return Ok(None);
        }
        gathered.add(batch, reader.file(), reader.schema())?;
    }
    read::rest(reader, gathered, None).map(Some)
}
