//! Checksums that match again, for tests of files that were changed on purpose: a checksum protects from accidents alone.

use std::ops::Range;

use serde_json::Value;

use crate::{digest, files::safetensors_file, formats::packed::metadata};

/// The bytes of a model, a checkpoint or a packed file with the checksum around its rows that belongs to them; what has
/// no place for one stays as it is.
pub fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let _ = safetensors_file::seal(&mut bytes);
    let _ = seal_packed(&mut bytes);
    bytes
}

fn seal_packed(bytes: &mut [u8]) -> Option<()> {
    let end = bytes.len().checked_sub(metadata::TAIL)?;
    let start = end.checked_sub(metadata::footer_length(&bytes[end..])?)?;
    let footer = &bytes[start..end];
    let body = body(metadata::header(footer)?)?;
    let place = metadata::checksum_place(footer)?;
    let place = start + place.start..start + place.end;
    let rest = bytes.get(place.end..)?;
    let around = [bytes.get(..body.start)?, bytes.get(body.end..place.start)?, rest];
    let sum = digest::of(&around);
    let place = bytes.get_mut(place).filter(|place| place.len() == sum.len())?;
    place.copy_from_slice(sum.as_bytes());
    Some(())
}

/// Where the rows of a packed file are, by its header.
fn body(header: &str) -> Option<Range<usize>> {
    let header: Value = serde_json::from_str(header).ok()?;
    let number = |key: &str| usize::try_from(header["body"][key].as_u64()?).ok();
    let start = number("start")?;
    Some(start..start.checked_add(number("length")?)?)
}
