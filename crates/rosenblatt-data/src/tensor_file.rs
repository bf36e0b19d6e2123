//! What model files and checkpoints have in common: each is one safetensors file with a checksum.
//!
//! The checksum is the tensor `checksum`, U64 of shape 1: the [`Sum`] of all bytes of the file but its own eight. It is
//! looked at before anything in the file is believed. It shows damage and is no defence against intent: whoever
//! changes a file can write the checksum that belongs to it.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use safetensors::tensor::Metadata;

use crate::model_file::{Refusal, tensors::Tensors};

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

/// The name of the tensor.
const CHECKSUM: &str = "checksum";

/// Adds a checksum, which [`seal`] fills in.
pub(crate) fn add_checksum(tensors: &mut Tensors) {
    tensors.wholes(CHECKSUM, vec![1], [0].into_iter());
}

/// Writes the checksum of a file into the place that it has for it.
pub(crate) fn seal(bytes: &mut [u8]) -> Result<(), &'static str> {
    let (header, metadata) = safetensors::SafeTensors::read_metadata(bytes)
        .map_err(|_| "this is no safetensors file")?;
    let place = place(bytes, header, &metadata).ok_or("the checksum has no place")?;
    let sum = sum(bytes, place).to_le_bytes();
    bytes[place..place + 8].copy_from_slice(&sum);
    Ok(())
}

/// Whether the file of this header has a checksum; one that is not that of its bytes is refused.
pub(crate) fn check(bytes: &[u8], header: usize, metadata: &Metadata) -> Result<bool, Refusal> {
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

/// The most bytes of numbers in a file: 64 GiB.
const LARGEST: u64 = 1 << 36;
/// The longest header that the format has.
const LONGEST_HEADER: u64 = 100_000_000;

/// The bytes of a file. What cannot be a safetensors file (a device without end, or anything large) is read no further
/// than shows that, and the bytes so far are given, whose reader says what is wrong with them.
///
/// # Errors
/// What the system says; a header that promises more than 64 GiB of numbers.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
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
