//! The metadata of a Parquet file, checked before they are decoded: the footer and the headers of pages.
//!
//! They are structs in Thrift's compact protocol, and fields that a reader does not know are skipped. The
//! decoder of `parquet` skips a boolean in a list without reading a byte, skips bytes beyond the end of the
//! file, and reads a field that it knows without looking at its type. So a list that claims 2³¹ values in six bytes
//! costs minutes. Here every value must have at least one byte, and a known field its type: both then read the
//! same bytes, and the work is in proportion to them.
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>
//! <https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift>

use std::io::{self, ErrorKind::UnexpectedEof, Read};

use super::error::Complaint;

/// A value as the protocol writes it. Integers of 16, 32 and 64 bits and enumerations are alike.
#[derive(Clone, Copy)]
enum Value {
    Bool,
    Byte,
    Integer,
    Double,
    Binary,
    List(&'static Value),
    /// A struct or a union, with the fields that the decoder knows.
    Struct(Fields),
}
use Value::{Binary, Bool, Byte, Double, Integer, List, Struct};

/// Fields of these numbers, from the first to the last one, and their values.
type Fields = &'static [(i16, i16, Value)];

/// `FileMetaData`, which the footer holds.
const FOOTER: Fields = &[
    (1, 1, Integer),
    (2, 2, List(&Struct(SCHEMA_ELEMENT))),
    (3, 3, Integer),
    (4, 4, List(&Struct(ROW_GROUP))),
    (5, 5, List(&Struct(&[(1, 2, Binary)]))),
    (6, 6, Binary),
    (7, 7, List(&Struct(&[(1, 3, EMPTY)]))),
];
const SCHEMA_ELEMENT: Fields =
    &[(1, 3, Integer), (4, 4, Binary), (5, 9, Integer), (10, 10, Struct(LOGICAL_TYPE))];
const LOGICAL_TYPE: Fields = &[
    (1, 4, EMPTY),
    (5, 5, Struct(&[(1, 2, Integer)])),
    (6, 6, EMPTY),
    (7, 8, Struct(&[(1, 1, Bool), (2, 2, Struct(&[(1, 3, EMPTY)]))])),
    (10, 10, Struct(&[(1, 1, Byte), (2, 2, Bool)])),
    (11, 15, EMPTY),
    (16, 16, Struct(&[(1, 1, Byte)])),
    (17, 17, Struct(&[(1, 1, Binary)])),
    (18, 18, Struct(&[(1, 1, Binary), (2, 2, Integer)])),
    (19, 19, EMPTY),
];
const ROW_GROUP: Fields = &[
    (1, 1, List(&Struct(COLUMN_CHUNK))),
    (2, 3, Integer),
    (4, 4, List(&Struct(&[(1, 1, Integer), (2, 3, Bool)]))),
    (5, 7, Integer),
];
const COLUMN_CHUNK: Fields =
    &[(1, 1, Binary), (2, 2, Integer), (3, 3, Struct(COLUMN)), (4, 7, Integer)];
const COLUMN: Fields = &[
    (1, 1, Integer),
    (2, 2, List(&Integer)),
    (4, 7, Integer),
    (9, 11, Integer),
    (12, 12, Struct(STATISTICS)),
    (13, 13, List(&Struct(&[(1, 3, Integer)]))),
    (14, 15, Integer),
    (16, 16, Struct(&[(1, 1, Integer), (2, 3, List(&Integer))])),
    (17, 17, Struct(&[(1, 1, Struct(&[(1, 8, Double)])), (2, 2, List(&Integer))])),
];
const STATISTICS: Fields =
    &[(1, 2, Binary), (3, 4, Integer), (5, 6, Binary), (7, 8, Bool), (9, 9, Integer)];
const EMPTY: Value = Struct(&[]);

/// `PageHeader`.
const PAGE_HEADER: Fields = &[
    (1, 4, Integer),
    (5, 5, Struct(&[(1, 4, Integer)])),
    (6, 6, EMPTY),
    (7, 7, Struct(&[(1, 2, Integer), (3, 3, Bool)])),
    (8, 8, Struct(&[(1, 6, Integer), (7, 7, Bool)])),
];

/// Checks the metadata in a footer that begins at this byte of the file.
pub(super) fn check_footer(bytes: &[u8], start: u64) -> Result<(), Complaint> {
    Walk { bytes, place: start }.fields(FOOTER, 0).map(drop)
}

/// The length of a page by its header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PageHeader {
    /// The bytes of the header itself.
    pub(super) header: u64,
    /// The bytes of the page after the header.
    pub(super) compressed: u64,
    /// The bytes of the page when nothing is compressed any more.
    pub(super) uncompressed: u64,
    /// Whether the decoder passes over it.
    pub(super) is_index: bool,
}

/// Checks the header of a page, with which these bytes begin, at this byte of the file.
pub(super) fn page_header(bytes: impl Read, start: u64) -> Result<PageHeader, Complaint> {
    let mut walk = Walk { bytes, place: start };
    let [kind, uncompressed, compressed] = walk.fields(PAGE_HEADER, 0)?;
    let size = |size: i32| {
        let size = u32::try_from(size).map(u64::from);
        size.map_err(|_| walk.damaged("a page of a length below 0"))
    };
    let (compressed, uncompressed) = (size(compressed)?, size(uncompressed)?);
    let header = walk.place - start;
    Ok(PageHeader { header, compressed, uncompressed, is_index: kind == INDEX_PAGE })
}

/// The kind of a page that the decoder passes over.
const INDEX_PAGE: i32 = 1;

/// How deep values may be within others; the decoder skips no deeper ones.
const DEEPEST: usize = 64;

const CUT_OFF: &str = "they are cut off";

/// Bytes that are gone through once.
struct Walk<R> {
    bytes: R,
    /// The place of the next byte in the file.
    place: u64,
}

impl<R: Read> Walk<R> {
    fn damaged(&self, what: &str) -> Complaint {
        format!("damaged: metadata before byte {}: {what}", self.place)
    }

    fn byte(&mut self) -> Result<u8, Complaint> {
        let mut byte = [0];
        match self.bytes.read_exact(&mut byte) {
            Ok(()) => self.place += 1,
            Err(error) if error.kind() == UnexpectedEof => return Err(self.damaged(CUT_OFF)),
            Err(error) => return Err(error.to_string()),
        }
        Ok(byte[0])
    }

    /// Passes over bytes, which must be there.
    fn skip(&mut self, length: u64) -> Result<(), Complaint> {
        let skipped = io::copy(&mut self.bytes.by_ref().take(length), &mut io::sink());
        let skipped = skipped.map_err(|error| error.to_string())?;
        self.place += skipped;
        if skipped == length { Ok(()) } else { Err(self.damaged(CUT_OFF)) }
    }

    /// A number in LEB128, of 64 bits.
    fn number(&mut self) -> Result<u64, Complaint> {
        let mut number = 0;
        for i in 0..10 {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << (7 * i);
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.damaged("a number that is too long"))
    }

    /// A number whose last bit is its sign.
    fn signed(&mut self) -> Result<i64, Complaint> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A struct. Gives the integers in its first three fields.
    fn fields(&mut self, known: Fields, depth: usize) -> Result<[i32; 3], Complaint> {
        let (mut first, mut id) = ([0; 3], 0i16);
        loop {
            let head = self.byte()?;
            if head & 15 == 0 {
                return Ok(first);
            }
            id = match head >> 4 {
                0 => self.signed()? as i16,
                delta => {
                    let next = id.checked_add(i16::from(delta));
                    next.ok_or_else(|| self.damaged("a field of an impossible number"))?
                }
            };
            let known = known.iter().find(|(from, to, _)| (*from..=*to).contains(&id));
            let known = known.map(|(.., value)| *value);
            // A boolean is in the type of its field.
            match (head & 15, known) {
                (1 | 2, None | Some(Bool)) => {}
                (4..=6, Some(Integer)) if (1..=3).contains(&id) => {
                    // The decoder takes the last of several, and the low 32 bits.
                    first[id as usize - 1] = self.signed()? as i32;
                }
                (wire, known) => self.value(wire, known, depth)?,
            }
        }
    }

    /// A value of this type, which must be that of a known one.
    fn value(&mut self, wire: u8, known: Option<Value>, depth: usize) -> Result<(), Complaint> {
        if depth == DEEPEST {
            return Err(self.damaged("too many values within one another"));
        }
        match (wire, known) {
            (3, None | Some(Byte)) => self.skip(1),
            (4..=6, None | Some(Integer)) => self.number().map(drop),
            (7, None | Some(Double)) => self.skip(8),
            (8, None | Some(Binary)) => {
                let length = self.number()?;
                self.skip(length)
            }
            (9, Some(List(value))) => self.list(Some(*value), depth),
            (9 | 10, None) => self.list(None, depth),
            (11, None) => self.map(depth),
            (12, Some(Struct(known))) => self.fields(known, depth + 1).map(drop),
            (12, None) => self.fields(&[], depth + 1).map(drop),
            (13, None) => self.skip(16),
            // No list of the format that is read here has booleans.
            (1 | 2, None) => Err(self.damaged("a list of booleans")),
            _ => Err(self.damaged("a value of another type than expected")),
        }
    }

    fn list(&mut self, known: Option<Value>, depth: usize) -> Result<(), Complaint> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.number()?,
            count => count.into(),
        };
        self.values(count, &[(head & 15, known)], depth)
    }

    fn map(&mut self, depth: usize) -> Result<(), Complaint> {
        let count = self.number()?;
        if count == 0 {
            return Ok(());
        }
        let kinds = self.byte()?;
        self.values(count, &[(kinds >> 4, None), (kinds & 15, None)], depth)
    }

    /// Values of these types, repeated; each has at least one byte.
    fn values(
        &mut self,
        count: u64,
        of: &[(u8, Option<Value>)],
        depth: usize,
    ) -> Result<(), Complaint> {
        for _ in 0..count {
            for (wire, known) in of {
                self.value(*wire, *known, depth + 1)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{PageHeader, check_footer, page_header};

    /// A header of a page with one more field, which the decoder skips, of this type and with these bytes.
    fn with_unknown(wire: u8, bytes: &[u8]) -> Vec<u8> {
        [&[0x15, 0, 0x15, 20, 0x15, 22, 0x60 | wire], bytes].concat()
    }

    fn error(bytes: &[u8]) -> String {
        page_header(bytes, 100).unwrap_err()
    }

    #[test]
    fn a_header_tells_the_lengths_of_its_page() {
        let doubles = [&[0x27][..], &[7; 16], &[0, 99]].concat();
        let page = page_header(&*with_unknown(9, &doubles), 100).unwrap();
        let expected = PageHeader { header: 25, compressed: 11, uncompressed: 10, is_index: false };
        assert_eq!(page, expected);
        assert!(page_header(&*with_unknown(1, &[0]), 0).is_ok());
        assert!(page_header(&[0x15, 2, 0x15, 0, 0x15, 0, 0][..], 0).unwrap().is_index);
        let negative = "damaged: metadata before byte 107: a page of a length below 0";
        assert_eq!(error(&[0x15, 0, 0x15, 1, 0x15, 0, 0]), negative);
    }

    #[test]
    fn a_value_has_bytes() {
        let many = |kind: u8| [0xf0 | kind, 0xff, 0xff, 0xff, 0xff, 7, 0, 0];
        for kind in 3..14 {
            let error = error(&with_unknown(9, &many(kind)));
            assert_eq!(error, "damaged: metadata before byte 115: they are cut off", "{kind}");
        }
        let booleans = "damaged: metadata before byte 113: a list of booleans";
        for (wire, kind) in [(9, 1), (9, 2), (10, 2)] {
            assert_eq!(error(&with_unknown(wire, &many(kind))), booleans);
        }
        assert_eq!(error(&with_unknown(11, &[0xff, 0xff, 0xff, 0xff, 7, 0x11, 0])), booleans);
        assert!(error(&with_unknown(8, &[200, 1, 0])).ends_with("cut off"));
        assert!(error(&with_unknown(9, &[0x19; 100])).ends_with("within one another"));
    }

    #[test]
    fn a_known_field_has_its_type() {
        let wrong = "a value of another type than expected";
        assert!(error(&[0x15, 0, 0x19, 0, 0x15, 0, 0]).ends_with(wrong));
        assert!(check_footer(&[0x19, 0, 0], 0).unwrap_err().ends_with(wrong));
        assert!(check_footer(&[0x15, 4, 0x19, 0x15, 0, 0], 0).unwrap_err().ends_with(wrong));
        assert_eq!(check_footer(&[0x15, 4, 0], 0), Ok(()));
    }
}
