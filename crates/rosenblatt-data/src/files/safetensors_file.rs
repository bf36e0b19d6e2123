//! The reader and writer of safetensors files, which models and checkpoints share.
//!
//! Everything that is no tensor is one JSON text in the header's metadata, under a key that tells the kind of file. The
//! text has a format version, and the version of the program that wrote it.
//!
//! The checksum is the tensor `checksum`, U64 of shape 1: the [`Sum`] of all bytes of the file but its own eight. It is
//! checked before anything in the file is used. It shows damage and is no defence against intent: a program that changes
//! a file can write the checksum that belongs to it.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read},
    path::Path,
};

use rosenblatt_core::transforms::Format;
use safetensors::{SafeTensorError, SafeTensors, tensor::Metadata};

use super::tensors::{Refusal, Tensors, problem};

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileKind {
    /// The key of the JSON text in the metadata.
    key: &'static str,
    /// The newest format version that is read.
    pub(super) newest: u64,
    /// The first format version with a checksum.
    with_checksum: u64,
}

/// The first format version of models with products of columns.
pub(super) const WITH_INTERACTIONS: u64 = 7;
/// The first format version of models whose labels are those of the largest probability.
pub(super) const WITH_PROBABLE_LABELS: u64 = 8;

pub(super) const MODEL: FileKind = FileKind {
    key: "rosenblatt",
    newest: match Format::NEWEST.model {
        of_rows @ WITH_PROBABLE_LABELS.. => of_rows,
        _ => WITH_PROBABLE_LABELS,
    },
    with_checksum: 2,
};
pub(super) const CHECKPOINT: FileKind =
    FileKind { key: "rosenblatt-checkpoint", newest: Format::NEWEST.checkpoint, with_checksum: 0 };
const KINDS: [FileKind; 2] = [MODEL, CHECKPOINT];

/// A file that was read.
pub(super) struct TensorFile<'b> {
    /// The JSON text.
    pub(super) text: String,
    pub(super) tensors: SafeTensors<'b>,
    /// Whether it has a checksum, which is then right.
    pub(super) has_checksum: bool,
}

/// The part of the JSON text that every format version has.
#[derive(serde::Deserialize)]
struct Version {
    format_version: u64,
    #[serde(default)]
    tool_version: String,
}

impl FileKind {
    /// The bytes of a file. Equal tensors and texts give equal bytes.
    pub(super) fn write(self, text: String, mut tensors: Tensors) -> Result<Vec<u8>, String> {
        tensors.wholes(CHECKSUM, vec![1], [0].into_iter());
        let metadata = HashMap::from([(self.key.to_owned(), text)]);
        let mut bytes = tensors.serialize(metadata).map_err(|error| error.to_string())?;
        seal(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads a file of this kind. Without `is_checked` its checksum is not looked at.
    pub(super) fn read(self, bytes: &[u8], is_checked: bool) -> Result<TensorFile<'_>, Refusal> {
        let (length, header) = SafeTensors::read_metadata(bytes).map_err(not_safetensors)?;
        let entry = |key: &str| header.metadata().as_ref().and_then(|metadata| metadata.get(key));
        let Some(text) = entry(self.key) else {
            let is_other = KINDS.iter().any(|kind| entry(kind.key).is_some());
            let missing = || problem(&format!("its metadata have no `{}` entry", self.key));
            return if is_other { Err(Refusal::Other) } else { missing() };
        };
        let has_checksum = is_checked && has_right_checksum(bytes, length, &header)?;
        let Version { format_version, tool_version } = serde_json::from_str(text)?;
        if format_version > self.newest {
            return Err(Refusal::Newer { found: format_version, tool_version });
        }
        if is_checked && !has_checksum && format_version >= self.with_checksum {
            return problem("it has no checksum");
        }
        if format_version == 0 {
            return problem("its format version is 0");
        }
        let (text, tensors) = (text.clone(), SafeTensors::deserialize(bytes)?);
        Ok(TensorFile { text, tensors, has_checksum })
    }
}

fn not_safetensors(error: SafeTensorError) -> Refusal {
    let problem = match error {
        SafeTensorError::MetadataIncompleteBuffer => "its length is not the one in its header",
        _ => "it does not begin like a file of rosenblatt",
    };
    Refusal::Problem(problem.to_owned())
}

/// The sum of the words so far.
///
/// For a given state each step maps words one to one, and for a given word states: an exclusive or, a product
/// with an odd number, a shift folded in. So whatever follows, one changed word always changes the sum.
pub(crate) struct Sum(u64);

impl Sum {
    pub(crate) fn new() -> Self {
        Sum(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn word(&mut self, word: u64) {
        let product = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }

    /// The bytes as little-endian words, the last one filled up with zeros, and their number.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.word(u64::from_le_bytes(word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.word(u64::from_le_bytes(last));
        self.word(bytes.len() as u64);
    }

    pub(crate) fn total(&self) -> u64 {
        self.0
    }
}

/// The message of a wrong checksum.
pub(super) const DAMAGED: &str = "its checksum is not that of its bytes: the file is damaged";

/// The name of the tensor.
const CHECKSUM: &str = "checksum";

/// Writes the checksum of a file into the place that it has for it.
pub(crate) fn seal(bytes: &mut [u8]) -> Result<(), &'static str> {
    let (header, metadata) = safetensors::SafeTensors::read_metadata(bytes)
        .map_err(|_| "it does not begin like a file of rosenblatt")?;
    let place = place(bytes, header, &metadata).ok_or("the checksum has no place")?;
    let sum = sum(bytes, place).to_le_bytes();
    bytes[place..place + 8].copy_from_slice(&sum);
    Ok(())
}

/// Whether the file has a checksum. A checksum that is not that of the bytes is refused.
fn has_right_checksum(bytes: &[u8], header: usize, metadata: &Metadata) -> Result<bool, Refusal> {
    if metadata.info(CHECKSUM).is_none() {
        return Ok(false);
    }
    match place(bytes, header, metadata) {
        Some(place) if bytes[place..place + 8] == sum(bytes, place).to_le_bytes() => Ok(true),
        _ => Err(Refusal::Damaged),
    }
}

/// Where the eight bytes of the checksum are.
fn place(bytes: &[u8], header: usize, metadata: &Metadata) -> Option<usize> {
    let (start, end) = metadata.info(CHECKSUM)?.data_offsets;
    let place = header.checked_add(8)?.checked_add(start)?;
    (end.checked_sub(start) == Some(8) && place.checked_add(8)? <= bytes.len()).then_some(place)
}

/// The sum of all bytes but those of the checksum.
fn sum(bytes: &[u8], place: usize) -> u64 {
    let mut sum = Sum::new();
    sum.bytes(&bytes[..place]);
    sum.bytes(&bytes[place + 8..]);
    sum.total()
}

/// The largest number of bytes of all tensors of a file: 64 GiB.
const LARGEST: u64 = 1 << 36;
/// The longest header that the format has.
const LONGEST_HEADER: u64 = 100_000_000;

/// The bytes of a file. A file that is no safetensors file (a device without end, or anything large) is read only until
/// that is certain; the bytes so far are returned, and reading them tells what is wrong.
///
/// # Errors
/// The error of the system; a header that promises more than 64 GiB of numbers.
pub(super) fn load(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(8).read_to_end(&mut bytes)?;
    let header = bytes.first_chunk().map_or(u64::MAX, |&length| u64::from_le_bytes(length));
    if header > LONGEST_HEADER {
        return Ok(bytes);
    }
    file.by_ref().take(header).read_to_end(&mut bytes)?;
    let Ok(metadata) = serde_json::from_slice::<Metadata>(&bytes[8..]) else { return Ok(bytes) };
    let numbers = metadata.data_len() as u64;
    if numbers > LARGEST {
        let problem = format!("its header promises {numbers} bytes, the limit is {LARGEST}");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    // One byte more shows a file that is longer than its header says.
    file.take(numbers + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
