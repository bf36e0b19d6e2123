//! Packed files: the encoded rows of a file, learned from where they lie on disk.
//!
//! A packed file is an Arrow IPC file of one record batch, so other programs read it too:
//!
//! ```text
//! features   FixedSizeList<Float64>[d], or LargeList<Struct<index: UInt32, value: Float64>> where rows are sparse
//! label      Dictionary<UInt32, Utf8>: the labels as they were spelt
//! ```
//!
//! The values are then the row-major matrix, or offsets, indices and values are those of a CSR matrix, each
//! aligned to 64 bytes: mapped into memory ([`map`]) they are the rows that are learned from, without a copy.
//! The schema's metadata have two texts. `rosenblatt` is a [`Header`] as JSON with the schema of the source,
//! what was come across in reading it, where the buffers are, and a hash of their bytes. `rosenblatt.checksum`
//! is the hash of all bytes around the buffers but its own (from version 2 on). Numbers are little-endian.
//!
//! Both hashes are looked at when a file is opened, and that of the buffers again when its rows were learned
//! from ([`Seal`]): a file that another program writes in place meanwhile is an error, and one that it cuts off
//! ends the command with a message ([`cut_off`]). What remains: a change that is undone before the end is not
//! seen, and on a network file system another machine may keep its changes for a while, so that files that are
//! still written to belong on no such system. The hashes show damage, not intent ([`trust`]).
//!
//! The file is written in one pass over the rows (before it another one finds the categories, where there
//! are any), in memory that does not grow with it.

use std::ops::Range;

use crate::{reader::Notes, schema::Schema};

mod beside;
mod cut_off;
mod flat;
mod key;
mod map;
pub(crate) mod metadata;
mod read;
mod seal;
mod trust;
mod write;

pub use beside::{Before, Beside, read_within};
pub use cut_off::report_cut_off_files;
pub(crate) use key::Key;
pub(crate) use read::Packed;
pub(crate) use seal::Seal;
pub use trust::Distrust;
pub use write::{PackError, Packing, pack};

/// The name of the header in the schema's metadata.
const HEADER: &str = "rosenblatt";
/// The name of the checksum there.
const CHECKSUM: &str = "rosenblatt.checksum";
/// The version of the layout that is written, and the newest that is read.
const VERSION: u32 = 2;
/// The first version with a checksum.
const WITH_CHECKSUM: u32 = 2;
/// Where every buffer begins at a multiple of.
const ALIGNMENT: u64 = 64;

/// What a packed file says of itself.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Header {
    /// First, so that a later version is told from damage.
    version: u32,
    /// Of which source it is.
    key: Option<Key>,
    rows: u64,
    features: u64,
    schema: Schema,
    notes: Notes,
    /// The labels as spelt, and how often each occurs.
    labels: Vec<(String, u64)>,
    /// Where all buffers are, and the XXH3 hash (128 bits) of these bytes.
    body: Place,
    hash: String,
    /// Where each is.
    values: Place,
    codes: Place,
    /// Of sparse rows only.
    offsets: Option<Place>,
    indices: Option<Place>,
}

/// The version alone.
#[derive(serde::Deserialize)]
struct AnyHeader {
    version: u32,
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Place {
    start: u64,
    length: u64,
}

impl Place {
    fn range(self) -> Option<Range<usize>> {
        let end = self.start.checked_add(self.length)?;
        Some(usize::try_from(self.start).ok()?..usize::try_from(end).ok()?)
    }
}
