//! XXH3 hashes of 128 bits as text.

use twox_hash::XxHash3_128;

/// The hash of all bytes that a hasher has seen.
pub(crate) fn hex(hasher: &XxHash3_128) -> String {
    format!("{:032x}", hasher.finish_128())
}

/// The hash of these pieces of bytes, one after the other.
pub(crate) fn of(parts: &[&[u8]]) -> String {
    let mut hasher = XxHash3_128::new();
    parts.iter().for_each(|part| hasher.write(part));
    hex(&hasher)
}
