//! Any bytes as a packed file whose digests match.

use std::fs;

use rosenblatt_data::{ReadOptions, Source};

use crate::{digest::repaired, readers::learned_of};

/// A packed file is mapped, so it has to be one. What is mapped stays so until the process ends, which bounds
/// how many of these a process can look at.
pub(crate) fn packed(bytes: &[u8]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), repaired(bytes)).unwrap();
    learned_of(|| Source::open(file.path()).ok(), &ReadOptions::default());
}
