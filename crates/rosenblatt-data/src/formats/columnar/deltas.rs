//! The lengths of texts as the encodings `DELTA_LENGTH_BYTE_ARRAY` and `DELTA_BYTE_ARRAY` write them, checked
//! before they are decoded: the decoder reserves memory for as many as a page says.
//!
//! ```text
//! header    values of a block, parts of a block, how many values there are, the first one
//! block     the least difference, the bits of a difference in each part, the parts
//! ```
//!
//! <https://parquet.apache.org/docs/file-format/data-pages/encodings/#DELTAENC>

/// Returns the bytes after integers that are packed as differences; `None` if these bytes do not hold them or they are
/// more than `most`.
pub(super) fn after(bytes: &[u8], most: usize) -> Option<&[u8]> {
    let (block, rest) = leb128(bytes)?;
    let (parts, rest) = leb128(rest)?;
    let (count, rest) = leb128(rest)?;
    let mut rest = after_number(rest)?;
    let values = block.checked_div(parts).filter(|values| values % 32 == 0 && *values > 0)?;
    if count > most {
        return None;
    }
    let mut left = count.saturating_sub(1);
    while left > 0 {
        let (bits, mut packed) = after_number(rest)?.split_at_checked(parts)?;
        for &bits in bits.iter().take(left.div_ceil(values)) {
            packed = packed.get(values / 8 * usize::from(bits)..)?;
        }
        left = left.saturating_sub(values.saturating_mul(parts));
        rest = packed;
    }
    Some(rest)
}

/// Returns the bytes after a number in LEB128.
fn after_number(bytes: &[u8]) -> Option<&[u8]> {
    let last = bytes.iter().take(10).position(|&byte| byte < 0x80)?;
    Some(&bytes[last + 1..])
}

/// An unsigned number of at most 32 bits, and what comes after it.
pub(super) fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut number = 0u64;
    for (i, &byte) in bytes.iter().take(5).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * i);
        if byte < 0x80 {
            return Some((u32::try_from(number).ok()? as usize, &bytes[i + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::after;

    #[test]
    fn lengths_are_counted() {
        // Blocks of 128 in 4 parts; no value and one value have no block.
        let header = |count| vec![0x80, 1, 4, count, 10];
        assert_eq!(after(&[&header(0)[..], b"ab"].concat(), 0), Some(&b"ab"[..]));
        assert_eq!(after(&[&header(1)[..], b"ab"].concat(), 1), Some(&b"ab"[..]));
        assert_eq!(after(&header(2), 1), None);
        // 34 differences of 1 bit in two parts; what the bits of the others say does not count.
        let block = [&header(35)[..], &[0, 1, 1, 9, 9], &[0xff; 8], b"ab"].concat();
        assert_eq!(after(&block, 35), Some(&b"ab"[..]));
        assert_eq!(after(&block[..17], 35), None);
        // 2³² − 1 values, of which there are none.
        assert_eq!(after(&[0x80, 1, 4, 0xff, 0xff, 0xff, 0xff, 15, 10], 1 << 20), None);
        // Blocks of nothing.
        assert_eq!(after(&[0, 4, 2, 10, 0, 0, 0, 0, 0], 2), None);
    }
}
