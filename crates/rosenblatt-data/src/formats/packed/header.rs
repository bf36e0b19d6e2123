//! The header of a packed file: a JSON text in the metadata of its Arrow schema.

use std::ops::Range;

use super::key::Key;
use crate::{notes::Notes, table::schema::Schema};

/// The name of the header in the schema's metadata.
pub(crate) const HEADER_NAME: &str = "rosenblatt";
/// The name of the checksum there.
pub(crate) const CHECKSUM_NAME: &str = "rosenblatt.checksum";
/// The newest version that is read.
pub(crate) const PACKED_VERSION: u32 = 4;
/// The first version with n-grams of characters.
const WITH_CHARACTERS: u32 = 3;
/// The version of a file without these and without products of columns, which is written so that older programs can read it.
const PLAIN: u32 = 2;
/// The first version with a checksum.
pub(crate) const WITH_CHECKSUM: u32 = 2;
/// Where every buffer begins at a multiple of.
pub(crate) const ALIGNMENT: u64 = 64;

/// The header.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct PackedHeader {
    /// First, so that a later version is told from damage.
    pub(crate) version: u32,
    /// The source.
    pub(crate) key: Option<Key>,
    pub(crate) rows: u64,
    pub(crate) features: u64,
    pub(crate) schema: Schema,
    pub(crate) notes: Notes,
    /// The labels as spelt, and how often each occurs.
    pub(crate) labels: Vec<(String, u64)>,
    /// Where all buffers are, and the XXH3 hash (128 bits) of these bytes.
    pub(crate) body: Place,
    pub(crate) hash: String,
    /// Where each is.
    pub(crate) values: Place,
    pub(crate) codes: Place,
    /// Of sparse rows only.
    pub(crate) offsets: Option<Place>,
    pub(crate) indices: Option<Place>,
}

impl PackedHeader {
    /// The oldest version whose programs read this schema as it is meant: others would cut texts for a model into words, or
    /// multiply no columns.
    pub(crate) fn version_of(schema: &Schema) -> u32 {
        match (schema.has_interactions(), schema.has_characters()) {
            (true, _) => PACKED_VERSION,
            (false, true) => WITH_CHARACTERS,
            (false, false) => PLAIN,
        }
    }
}

/// The version alone.
#[derive(serde::Deserialize)]
pub(crate) struct AnyVersion {
    pub(crate) version: u32,
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Place {
    pub(crate) start: u64,
    pub(crate) length: u64,
}

impl Place {
    pub(crate) fn range(self) -> Option<Range<usize>> {
        let end = self.start.checked_add(self.length)?;
        Some(usize::try_from(self.start).ok()?..usize::try_from(end).ok()?)
    }
}
