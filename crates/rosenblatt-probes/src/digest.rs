//! Digests that match again, so that what comes after them is probed too: whoever means harm can make them match.

use std::ops::Range;

use rosenblatt_data::sealed;
use twox_hash::XxHash3_128;

/// The same file with the digests that its bytes should have; what has none stays as it is.
pub(crate) fn repaired(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if bytes.starts_with(b"ARROW1") {
        repair_packed(&mut bytes);
    }
    // That of the rows first: the other one counts it.
    sealed(bytes)
}

/// The header of a packed file is JSON, with the place of all rows in `body` and then their digest in `hash`.
fn repair_packed(bytes: &mut [u8]) -> Option<()> {
    let after = |bytes: &[u8], from: usize, key: &str| {
        let rest = bytes.get(from..)?;
        let place = rest.windows(key.len()).position(|window| window == key.as_bytes())?;
        Some(from + place + key.len())
    };
    let number = |at: usize| {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        std::str::from_utf8(&bytes[at..at + digits]).ok()?.parse::<usize>().ok()
    };
    let start = after(bytes, 0, r#""body":{"start":"#)?;
    let length = after(bytes, start, r#""length":"#)?;
    let hash = after(bytes, length, r#""hash":""#)?;
    let range: Range<usize> = number(start)?..number(start)?.checked_add(number(length)?)?;
    let digest = format!("{:032x}", XxHash3_128::oneshot(bytes.get(range)?));
    bytes.get_mut(hash..hash + digest.len())?.copy_from_slice(digest.as_bytes());
    Some(())
}
