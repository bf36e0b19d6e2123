//! The check that a mapped file is still what it was.

use std::{fs::File, ops::Range, sync::Arc};

use super::map::MappedFile;
use crate::{digest, read_error::ReadError};

/// The content of a mapped file when it was opened.
#[derive(Clone, Debug)]
pub(crate) struct Seal {
    /// The name of the file in messages.
    pub(crate) name: String,
    pub(crate) file: Arc<File>,
    pub(crate) map: MappedFile,
    /// The bytes that must not change.
    pub(crate) range: Range<usize>,
    /// Their hash.
    pub(crate) hash: String,
}

impl Seal {
    /// Checks that the bytes are those that were opened. Cost: a pass over them.
    ///
    /// # Errors
    /// [`ReadError::Changed`] where they are not.
    pub(crate) fn check(&self) -> Result<(), ReadError> {
        // Nothing can be read behind the end of the file.
        let length = self.file.metadata().map_or(0, |metadata| metadata.len());
        let is_whole = length >= self.map.length() as u64;
        let is_same = |bytes: &[u8]| digest::of(&[bytes]) == self.hash;
        if is_whole && self.map.bytes(self.range.clone()).is_some_and(is_same) {
            return Ok(());
        }
        Err(ReadError::Changed { file: self.name.clone() })
    }
}
