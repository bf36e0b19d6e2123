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

/// The encoding of bytes that are clearly not UTF-8.
///
/// A byte order mark tells for itself. They are UTF-16 if of the first ones every second one, and no other, is almost always 0.
/// They are Latin-1 if the bytes past ASCII are as in its languages: alone or in pairs, letters with accents and signs; no sign
/// stands between two letters. Texts of other scripts have longer rows of such bytes, or many signs that are rare, and those of
/// other encodings of Latin scripts have letters in the place of signs.
pub(super) fn evident(mut bytes: impl Read) -> io::Result<Option<Encoding>> {
    const START: usize = 4096;
    let mut start = vec![0; START];
    let mut filled = 0;
    while filled < START {
        match bytes.read(&mut start[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    start.truncate(filled);
    if matches!(&start[..], [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        return Ok(None);
    }
    if is_utf16(&start) {
        return Ok(Some(Encoding::Utf16));
    }
    let mut evidence = Evidence::default();
    evidence.add(&start);
    let mut block = vec![0; 1 << 18];
    while evidence.may_be_latin1() {
        match bytes.read(&mut block)? {
            0 => return Ok(evidence.is_latin1().then_some(Encoding::Latin1)),
            read => evidence.add(&block[..read]),
        }
    }
    Ok(None)
}

fn is_utf16(start: &[u8]) -> bool {
    const FEW: usize = 8;
    let (pairs, _) = start.as_chunks::<2>();
    let high_zeros = pairs.iter().filter(|pair| pair[1] == 0).count();
    pairs.len() >= FEW && 10 * high_zeros > 9 * pairs.len() && pairs.iter().all(|pair| pair[0] != 0)
}

/// The bytes past ASCII of a text, and what stands beside them.
#[derive(Default)]
struct Evidence {
    past_ascii: u64,
    /// Those that follow two of them.
    in_rows: u64,
    /// Signs that are rare in Latin-1.
    rare: u64,
    /// Whether a byte is not of a text in Latin-1.
    is_other: bool,
    /// The last two bytes.
    before: [u8; 2],
    /// The number of places that are not UTF-8, and of characters past ASCII that are.
    not_utf8: u64,
    utf8: u64,
    /// The beginning of a character of UTF-8 that the block before ended with.
    cut: Vec<u8>,
}

impl Evidence {
    fn may_be_latin1(&self) -> bool {
        const MANY: u64 = 1000;
        !self.is_other && (self.utf8 < MANY || self.not_utf8 > 0)
    }

    fn is_latin1(&self) -> bool {
        let is_text = 10 * self.in_rows.max(self.rare) <= self.past_ascii;
        is_text && !self.is_other && self.not_utf8 > 10 * self.utf8
    }

    fn add(&mut self, block: &[u8]) {
        self.is_other |= block.contains(&0);
        if block.is_ascii() && self.before.is_ascii() {
            self.before = last_two(self.before, block);
            return;
        }
        self.count_utf8(block);
        for &byte in block {
            let [two, one] = self.before;
            let is_sign = (0xa1..=0xbf).contains(&one) || one == 0xd7 || one == 0xf7;
            self.is_other |= is_sign && two.is_ascii_alphabetic() && byte.is_ascii_alphabetic();
            if byte >= 0x80 {
                self.past_ascii += 1;
                self.in_rows += u64::from(one >= 0x80 && two >= 0x80);
                self.rare +=
                    u64::from(matches!(byte, 0x82..=0x84 | 0x86..=0x89 | 0x8b | 0x98 | 0x9b));
                self.is_other |= [0x81, 0x8d, 0x8f, 0x90, 0x9d].contains(&byte);
            }
            self.before = [one, byte];
        }
    }

    fn count_utf8(&mut self, block: &[u8]) {
        let bytes = match self.cut.is_empty() {
            true => block,
            false => &[&std::mem::take(&mut self.cut)[..], block].concat(),
        };
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            if !chunk.valid().is_ascii() {
                self.utf8 += chunk.valid().chars().filter(|c| !c.is_ascii()).count() as u64;
            }
            let invalid = chunk.invalid();
            let is_cut = chunks.peek().is_none()
                && std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none());
            match is_cut {
                true => self.cut = invalid.to_vec(),
                false => self.not_utf8 += u64::from(!invalid.is_empty()),
            }
        }
    }
}

fn last_two([_, one]: [u8; 2], block: &[u8]) -> [u8; 2] {
    match block {
        [.., two, one] => [*two, *one],
        [last] => [one, *last],
        [] => [b' ', one],
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
    fn what_is_clearly_not_utf_8() {
        let latin1 = |text: &str| -> Vec<u8> {
            let windows = |c: char| WINDOWS.iter().position(|&other| other == c);
            text.chars().map(|c| windows(c).map_or(c as u32, |at| 0x80 + at as u32) as u8).collect()
        };
        let found = |bytes: &[u8]| evident(bytes).unwrap();
        for text in
            ["gr\u{fc}n,1\n", "Gr\u{f6}\u{df}e;a\ncr\u{e9}\u{e9}e;b\n", "don’t,“win”,£5 – 7\n"]
        {
            assert_eq!(found(&latin1(text)), Some(Encoding::Latin1), "{text}");
            assert_eq!(found(text.as_bytes()), None, "{text}");
            // Wherever the blocks are cut.
            let long = "a,b\n".repeat(1023).into_bytes();
            for cut in 0..4 {
                let bytes = [&long[..4092 - cut], &latin1(text)].concat();
                assert_eq!(found(&bytes), Some(Encoding::Latin1), "{text}");
                let bytes = [&long[..4092 - cut], text.as_bytes()].concat();
                assert_eq!(found(&bytes), None, "{text}");
            }
        }
        assert_eq!(found(b"plain,1\n"), None);
        assert_eq!(found(b""), None);
        // Russian (Windows-1251), Chinese (GBK), Japanese (Shift JIS), Polish (ISO 8859-2), and UTF-8 with damaged bytes.
        assert_eq!(found(b"\x83e\x83X\x83g,1\n"), None);
        assert_eq!(found(b"\xcf\xf0\xe8\xe2\xe5\xf2,1\n"), None);
        assert_eq!(found(b"\xc4\xe3\xba\xc3,1\n"), None);
        assert_eq!(found(b"Cz\xeas\xb3aw,Pa\xb3ac\n"), None);
        assert_eq!(found("größe,très,\u{fc}ber".as_bytes()), None);
        assert_eq!(found(&["größe,très,schön,".as_bytes(), b"\xff\n"].concat()), None);
        assert_eq!(found(&[b"\xff,", "größe,très,schön,".as_bytes()].concat()), None);
        let units: Vec<u8> =
            "x,y,kind\n1,2,ä\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(found(&units), Some(Encoding::Utf16));
        assert_eq!(found(&[&[0xff, 0xfe], &units[..]].concat()), None);
        let big: Vec<u8> = "x,y,kind\n1,2,ä\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(found(&[&[0xfe, 0xff], &big[..]].concat()), None);
        // No text.
        assert_eq!(found(&[0u8; 64]), None);
        assert_eq!(found(b"\x93NUMPY\x01\0v\0{'descr': '<f8'}"), None);
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
