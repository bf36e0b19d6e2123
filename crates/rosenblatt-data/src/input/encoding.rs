//! Text in other encodings becomes UTF-8.

use std::io::{self, Read};

use crate::options::Encoding;

/// Reads text as UTF-8.
pub(super) struct Decoder {
    bytes: Box<dyn Read + Send>,
    encoding: Encoding,
    /// Bytes that are not decoded yet.
    raw: Vec<u8>,
    /// Whether the first byte of a UTF-16 unit is the high one; `None` before the first unit.
    is_big_endian: Option<bool>,
    /// Text that was not given out, and how much of it was.
    text: String,
    given: usize,
    finished: bool,
}

/// The characters of the bytes 0x80 to 0x9f in Windows-1252, which programs call Latin-1. Five bytes are control characters, as
/// in Latin-1 and in the WHATWG Encoding Standard.
#[rustfmt::skip]
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

impl Decoder {
    pub(super) fn new(bytes: Box<dyn Read + Send>, encoding: Encoding) -> Self {
        Decoder {
            bytes,
            encoding,
            raw: Vec::new(),
            is_big_endian: None,
            text: String::new(),
            given: 0,
            finished: false,
        }
    }

    /// Decodes the next bytes.
    fn fill(&mut self) -> io::Result<()> {
        const CHUNK: usize = 1 << 16;
        let before = self.raw.len();
        self.raw.resize(before + CHUNK, 0);
        let read = self.bytes.read(&mut self.raw[before..]);
        self.raw.truncate(before + *read.as_ref().unwrap_or(&0));
        self.finished = read? == 0;
        (self.text, self.given) = (String::new(), 0);
        let raw = std::mem::take(&mut self.raw);
        match self.encoding {
            Encoding::Utf8 => {
                let text = std::str::from_utf8(&raw).map_err(|_| not_text())?;
                self.text.push_str(text);
            }
            Encoding::Latin1 => {
                self.text.extend(raw.iter().map(|&byte| latin1(byte)));
            }
            Encoding::Utf16 => self.utf16(&raw)?,
        }
        Ok(())
    }

    fn utf16(&mut self, raw: &[u8]) -> io::Result<()> {
        let (pairs, odd) = raw.as_chunks::<2>();
        if self.finished && !odd.is_empty() {
            return Err(not_text());
        }
        let is_big = match (self.is_big_endian, pairs.first()) {
            (Some(is_big), _) => is_big,
            (None, None) => false,
            (None, Some(first)) => *self.is_big_endian.insert(*first == [0xfe, 0xff]),
        };
        let unit = |pair: &[u8; 2]| {
            if is_big { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) }
        };
        let mut units: Vec<u16> = pairs.iter().map(unit).collect();
        // The second half of a character may be in the next bytes.
        let is_high = |unit: &u16| (0xd800..0xdc00).contains(unit);
        let is_cut = !self.finished && units.last().is_some_and(is_high);
        if is_cut {
            units.pop();
        }
        for character in char::decode_utf16(units) {
            self.text.push(character.map_err(|_| not_text())?);
        }
        self.raw = raw[raw.len() - odd.len() - 2 * usize::from(is_cut)..].to_vec();
        Ok(())
    }
}

impl Read for Decoder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.finished {
            self.fill()?;
        }
        let read = (&self.text.as_bytes()[self.given..]).read(buffer)?;
        self.given += read;
        Ok(read)
    }
}

fn latin1(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn not_text() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "bytes that are not in the encoding")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that gives three bytes at a time.
    struct Slow(Vec<u8>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let some: Vec<u8> = self.0.drain(..self.0.len().min(3)).collect();
            (&some[..]).read(buffer)
        }
    }

    fn decoded(bytes: Vec<u8>, encoding: Encoding) -> io::Result<String> {
        let mut text = String::new();
        Decoder::new(Box::new(Slow(bytes)), encoding).read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn encodings_become_utf_8() {
        let text = "\u{feff}größe,€\n😀,1\n";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(decoded(little, Encoding::Utf16).unwrap(), text);
        assert_eq!(decoded(big, Encoding::Utf16).unwrap(), text);
        assert_eq!(decoded(b"gr\xf6\xdfe,\x80".to_vec(), Encoding::Latin1).unwrap(), "größe,€");
    }

    #[test]
    fn other_bytes_are_errors() {
        assert!(decoded(b"\xff\xfea".to_vec(), Encoding::Utf16).is_err());
        assert!(decoded(vec![0x00, 0xd8, b'a', 0], Encoding::Utf16).is_err());
        assert_eq!(decoded(vec![0x81, 0x90], Encoding::Latin1).unwrap(), "\u{81}\u{90}");
    }
}
