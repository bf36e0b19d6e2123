//! Whether a mapped file is still what it was.

use std::{fs::File, sync::Arc};

use twox_hash::XxHash3_128;

use super::{Place, key::hex, map::Map};
use crate::{columnar::ColumnarProblem, error::ReadError};

/// What a mapped file was when it was opened.
#[derive(Clone, Debug)]
pub(crate) struct Seal {
    pub(super) name: String,
    pub(super) file: Arc<File>,
    pub(super) map: Map,
    pub(super) body: Place,
    pub(super) hash: String,
}

impl Seal {
    /// Sees that the rows are those that were opened. Cost: a pass over them.
    ///
    /// # Errors
    /// [`ReadError::Columnar`] where they are not.
    pub(crate) fn check(&self) -> Result<(), ReadError> {
        // Behind the end there is nothing to be read.
        let length = self.file.metadata().map_or(0, |metadata| metadata.len());
        let is_whole = length >= self.map.length() as u64;
        if is_whole && hash(self.map, self.body).as_ref() == Some(&self.hash) {
            return Ok(());
        }
        Err(ColumnarProblem::PackedChanged.of(&self.name))
    }
}

/// The XXH3 hash (128 bits) of these bytes, if they are there.
pub(super) fn hash(map: Map, place: Place) -> Option<String> {
    let mut hasher = XxHash3_128::new();
    hasher.write(map.bytes(place.range()?)?);
    Some(hex(&hasher))
}
