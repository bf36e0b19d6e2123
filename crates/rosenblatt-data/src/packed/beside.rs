//! Data that are larger than the memory for them: learned from a packed file beside their source.
//!
//! It is `.NAME.rosenblatt-pack` in the folder of the source, and not in a cache of the user: it is as large
//! as the source and belongs where there was room for that, it is found by whoever clears that folder, and
//! no store grows unseen. Where the folder cannot be written to, the rows are held in memory after all. It is
//! believed only where the running user wrote it ([`trust`](super::trust)), and nobody reads it who may not read the
//! source.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{
    Distrust, Key, PackError, Packed,
    metadata::MAGIC,
    trust::{self, Found},
    write::pack_for,
};
use crate::{
    dataset::{self, Dataset, Gathered},
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
        /// What was there before.
        before: Before,
    },
    /// What is there is not believed, and the rows are in memory, where they have room.
    Distrusted {
        /// What is there.
        file: PathBuf,
        /// Why.
        why: Distrust,
    },
    /// The packed file could not be written, and the rows are in memory.
    Failed {
        /// The packed file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// What was in the place of a packed file before the rows were packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Before {
    /// Nothing.
    Nothing,
    /// A packed file of other bytes, options or version, or a damaged one.
    Other,
    /// One that is not believed.
    Distrusted(Distrust),
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
    let found = trust::find(&file);
    let before = match &found {
        Found::Nothing => Before::Nothing,
        Found::Own(_) => Before::Other,
        Found::Distrusted(why) => Before::Distrusted(*why),
    };
    if let Found::Own(own) = found {
        let beside = reader.notes().labels_beside.clone();
        let sources = [Some(data), labels.or(beside.as_deref().map(Path::new))];
        let sources: Vec<&Path> = sources.into_iter().flatten().collect();
        let key = Key::of(&sources, options)
            .map_err(|error| ReadError::Open { file: data.display().to_string(), error })?;
        if let Some(dataset) = same(own, &key, (&file, data)) {
            return Ok((dataset, Some(Beside::Used { file })));
        }
    }
    if let Some(dataset) = in_memory(reader, options, memory)? {
        let why = match before {
            Before::Distrusted(why) => Some(why),
            Before::Nothing | Before::Other => None,
        };
        return Ok((dataset, why.map(|why| Beside::Distrusted { file, why })));
    }
    match packed((data, labels), options, &file) {
        Ok(dataset) => Ok((dataset, Some(Beside::Packed { file, before }))),
        Err(NotPacked::Read(error)) => Err(error),
        Err(NotPacked::Failed(error)) => {
            let dataset = dataset::read(Source::open_labelled(data, labels)?, options)?;
            Ok((dataset, Some(Beside::Failed { file, error })))
        }
    }
}

/// Why the rows do not lie in a packed file.
enum NotPacked {
    /// They cannot be read.
    Read(ReadError),
    /// The file cannot be written, or is not what was written.
    Failed(io::Error),
}

impl NotPacked {
    fn failed(problem: &str) -> Self {
        NotPacked::Failed(io::Error::other(problem.to_owned()))
    }
}

/// Packs the rows into this file, and gives them as they lie there.
fn packed(
    (data, labels): (&Path, Option<&Path>),
    options: &ReadOptions,
    file: &Path,
) -> Result<Dataset, NotPacked> {
    if !may_replace(file) {
        return Err(NotPacked::failed("there is something else of that name"));
    }
    let packing = match pack_for((data, labels), options, (file, mode_like(data))) {
        Ok(packing) => packing,
        Err(PackError::Read(error)) => return Err(NotPacked::Read(error)),
        Err(PackError::Write { error, .. }) => return Err(NotPacked::Failed(error)),
        // The packed file is the source only where somebody made it so meanwhile.
        Err(PackError::Changed { .. } | PackError::OverSource { .. }) => {
            return Err(NotPacked::failed("the data changed while they were packed"));
        }
    };
    match trust::find(file) {
        Found::Own(own) => same(own, packing.key(), (file, data)),
        Found::Nothing | Found::Distrusted(_) => None,
    }
    .ok_or_else(|| NotPacked::failed("it is not what was written there"))
}

/// The permissions of a file beside this one that only its owner may write: everybody may read it where everybody may
/// read the other.
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
fn same(own: File, key: &Key, (file, data): (&Path, &Path)) -> Option<Dataset> {
    // What happens to the file is said of it, and all else of the source.
    let packed = Packed::of_file(own, &file.display().to_string()).ok()??;
    if !packed.is_of(key) || !packed.has_checksum() {
        return None;
    }
    let dataset = packed.own().ok()?;
    Some(Dataset { file: data.display().to_string(), ..dataset })
}

/// All rows, unless they take more than so many bytes.
fn in_memory(
    mut reader: Reader,
    options: &ReadOptions,
    memory: usize,
) -> Result<Option<Dataset>, ReadError> {
    let mut gathered = Gathered::new(options);
    let mut bytes = 0usize;
    while let Some(batch) = reader.next() {
        let batch = batch?;
        bytes = bytes.saturating_add(batch.body.encoded_bytes());
        if bytes > memory {
            return Ok(None);
        }
        gathered.add(batch, &reader)?;
    }
    Dataset::of(reader, gathered.all, options).map(Some)
}
