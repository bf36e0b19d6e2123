//! The source of a packed file, and the options with which it was read.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use twox_hash::XxHash3_128;

use crate::{digest::hex, options::ReadOptions};

/// The identity of the source of a packed file, which must be equal for the packed file to be used.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Key {
    /// The length and the XXH3 hash (128 bits) of the source's bytes, and of those of its labels. The bytes
    /// are the proof; times of modification can lie and are not asked.
    pub(crate) sources: Vec<(u64, String)>,
    /// All options of reading that change the rows.
    pub(crate) options: String,
    /// The program that packed: another one may read differently.
    pub(crate) version: String,
}

impl Key {
    /// The key of these files.
    pub(crate) fn of(files: &[PathBuf], options: &ReadOptions) -> io::Result<Self> {
        // Every option is in it, also those that are still to come; only these do not change the rows.
        let options = ReadOptions { threads: 1, max_labels: None, ..options.clone() };
        let options = format!("{options:?}");
        let sources = files.iter().map(|path| content(path)).collect::<io::Result<_>>()?;
        Ok(Key { sources, options, version: env!("CARGO_PKG_VERSION").to_owned() })
    }
}

fn content(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let (mut hasher, mut length) = (XxHash3_128::new(), 0);
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((length, hex(&hasher))),
            read => {
                hasher.write(&buffer[..read]);
                length += read as u64;
            }
        }
    }
}
