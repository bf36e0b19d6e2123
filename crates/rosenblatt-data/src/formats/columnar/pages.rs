//! The pages of a Parquet file, checked before their values are decoded.
//!
//! The decoders of `parquet` take some things on trust and panic where they are wrong: that a chunk begins
//! within the file, that a page whose values are places in a dictionary comes after one, and that the
//! definition levels (which cells are null) are as many as the page says, and the like. That is checked here. A column that
//! is a feature is flat, so a level is 0 or 1 and there are no repetition levels.
//! <https://parquet.apache.org/docs/file-format/data-pages/>

use std::{fs::File, sync::Arc};

use parquet::{
    basic::{Encoding, Type},
    column::page::{Page, PageIterator, PageMetadata, PageReader},
    errors::{ParquetError, Result},
    file::{
        metadata::{ParquetMetaData, RowGroupMetaData},
        serialized_reader::SerializedPageReader,
    },
};

use super::{
    deltas::{self, leb128},
    page_headers::{PageHeaders, damaged},
};

/// All row groups of a file.
pub(super) struct Groups {
    pub(super) file: Arc<File>,
    pub(super) metadata: Arc<ParquetMetaData>,
}

impl parquet::arrow::arrow_reader::RowGroups for Groups {
    fn num_rows(&self) -> usize {
        self.metadata.row_groups().iter().map(|group| rows(group).unwrap_or_default()).sum()
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        let (file, metadata) = (self.file.clone(), self.metadata.clone());
        Ok(Box::new(Chunks { file, metadata, column, group: 0 }))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.metadata.row_groups().iter())
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

fn rows(group: &RowGroupMetaData) -> Result<usize> {
    usize::try_from(group.num_rows()).map_err(|_| damaged("a row group of an impossible length"))
}

/// The chunks of one column, group after group.
struct Chunks {
    file: Arc<File>,
    metadata: Arc<ParquetMetaData>,
    column: usize,
    group: usize,
}

impl PageIterator for Chunks {}

impl Iterator for Chunks {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.metadata.row_groups().get(self.group)?;
        self.group += 1;
        let pages = || {
            let chunk =
                group.columns().get(self.column).ok_or_else(|| damaged("no such column"))?;
            // Some programs write 0, where the file's own mark is, when there is no dictionary.
            let without;
            let chunk = match chunk.dictionary_page_offset() {
                Some(0) => {
                    let builder = chunk.clone().into_builder();
                    without = builder.set_dictionary_page_offset(None).build()?;
                    &without
                }
                _ => chunk,
            };
            let dictionary = chunk.dictionary_page_offset().unwrap_or(0);
            if dictionary < 0 || chunk.data_page_offset() < 0 || chunk.compressed_size() < 0 {
                return Err(damaged("a column at a negative place"));
            }
            let headers = PageHeaders::new(self.file.clone(), chunk)?;
            let left = rows(group)?;
            let inner = SerializedPageReader::new(self.file.clone(), chunk, left, None)?;
            let column = chunk.column_descr();
            let nullable = column.max_def_level() > 0;
            let is_fixed = column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY;
            let width = match column.physical_type() {
                Type::INT32 | Type::FLOAT => 4,
                Type::INT64 | Type::DOUBLE => 8,
                _ => usize::try_from(column.type_length()).unwrap_or(0),
            };
            let pages = Pages { inner, headers, left, nullable, dictionary: None, width, is_fixed };
            Ok(Box::new(pages) as Box<dyn PageReader>)
        };
        Some(pages())
    }
}

/// The pages of a chunk.
struct Pages {
    inner: SerializedPageReader<File>,
    headers: PageHeaders,
    /// How many rows of the group the next pages may have.
    left: usize,
    /// Whether pages have definition levels.
    nullable: bool,
    /// The bytes of the dictionary.
    dictionary: Option<usize>,
    /// The bytes of a value; 0 where they differ.
    width: usize,
    /// Whether a value is that many bytes and no number of the format.
    is_fixed: bool,
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        loop {
            self.headers.pass()?;
            let Some(page) = self.inner.get_next_page()? else { return Ok(None) };
            if page.num_values() == 0 && !matches!(page, Page::DictionaryPage { .. }) {
                continue;
            }
            self.check(&page)?;
            return Ok(Some(page));
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Err(all_are_read())
    }

    fn skip_next_page(&mut self) -> Result<()> {
        Err(all_are_read())
    }
}

/// Rows are not selected: then the decoder neither looks ahead nor skips.
fn all_are_read() -> ParquetError {
    ParquetError::NYI("pages that are skipped".to_owned())
}

impl Pages {
    fn check(&mut self, page: &Page) -> Result<()> {
        let encoding = page.encoding();
        let of_dictionary = [Encoding::RLE_DICTIONARY, Encoding::PLAIN_DICTIONARY];
        if let Page::DictionaryPage { buf, num_values, .. } = page {
            self.dictionary = Some(buf.len());
            return match *num_values as usize {
                0 if !buf.is_empty() => Err(damaged("values in an empty dictionary")),
                // The decoder reserves memory for as many as are said; each has a byte.
                values if values > buf.len() => Err(damaged("a dictionary that is cut off")),
                _ => Ok(()),
            };
        }
        let left = self.left.checked_sub(page.num_values() as usize);
        self.left = left.ok_or_else(|| damaged("more values than rows"))?;
        let (present, values) = self.values(page)?;
        if of_dictionary.contains(&encoding) {
            let length = self.dictionary.ok_or_else(|| damaged("a page without its dictionary"))?;
            // Only of these does the decoder trust the places.
            if self.is_fixed && !places_within(values, length.checked_div(self.width).unwrap_or(0))
            {
                return Err(damaged("a place that the dictionary does not have"));
            }
        }
        let lengths = match encoding {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => deltas::after(values, present),
            Encoding::DELTA_BYTE_ARRAY => {
                deltas::after(values, present).and_then(|rest| deltas::after(rest, present))
            }
            _ => Some(values),
        };
        lengths.ok_or_else(|| damaged("the lengths of texts"))?;
        if encoding == Encoding::BYTE_STREAM_SPLIT && values.len() != present * self.width {
            return Err(damaged("values that are cut off"));
        }
        if present == 0 && encoding == Encoding::PLAIN && !values.is_empty() {
            return Err(damaged("values where all are null"));
        }
        Ok(())
    }

    /// How many values of a page are not null, and their bytes.
    fn values<'p>(&self, page: &'p Page) -> Result<(usize, &'p [u8])> {
        let wanted = page.num_values() as usize;
        match page {
            Page::DataPage { buf, .. } if !self.nullable => Ok((wanted, buf)),
            Page::DataPage { buf, def_level_encoding: Encoding::RLE, .. } => {
                let length = buf.first_chunk().map(|&length| u32::from_le_bytes(length));
                let end = length.map_or(usize::MAX, |length| length as usize + 4);
                let levels = buf.get(4..end).ok_or_else(levels_damaged)?;
                Ok((ones(levels, wanted).ok_or_else(levels_damaged)?, &buf[end..]))
            }
            // No program has written levels without runs for years.
            Page::DataPage { .. } => Err(damaged("an outdated encoding of nulls")),
            Page::DataPageV2 {
                buf, num_nulls, def_levels_byte_len, rep_levels_byte_len, ..
            } => {
                let start = *rep_levels_byte_len as usize;
                let end = start + *def_levels_byte_len as usize;
                let levels = buf.get(start..end).ok_or_else(levels_damaged)?;
                let present = if self.nullable { ones(levels, wanted) } else { Some(wanted) };
                let said = wanted.checked_sub(*num_nulls as usize);
                let present = present.filter(|_| said == present).ok_or_else(levels_damaged)?;
                Ok((present, &buf[end..]))
            }
            Page::DictionaryPage { .. } => Ok((wanted, &[])),
        }
    }
}

fn levels_damaged() -> ParquetError {
    damaged("the marks of nulls")
}

/// The number of ones among `levels` levels, each 0 or 1; `None` if these bytes do not hold them.
fn ones(bytes: &[u8], wanted: usize) -> Option<usize> {
    let (mut left, mut ones) = (wanted, 0);
    let mut rest = bytes;
    while left > 0 {
        let (run, after) = run(rest, 1)?;
        let n = run.length().min(left);
        ones += match run {
            Run::Equal(_, level @ ..=1) => level as usize * n,
            Run::Equal(..) => return None,
            Run::Packed(bytes, _) => {
                let one = |i: &usize| bytes.get(i / 8).is_some_and(|byte| byte >> (i % 8) & 1 == 1);
                // Of the last run only the levels that are wanted must be there.
                if bytes.len() < n.div_ceil(8) {
                    return None;
                }
                (0..n).filter(one).count()
            }
        };
        left -= n;
        rest = after;
    }
    Some(ones)
}

/// Whether places in a dictionary, after a byte that says how many bits each has, are all below `count`.
fn places_within(bytes: &[u8], count: usize) -> bool {
    let Some((&bits @ ..=32, mut rest)) = bytes.split_first() else { return bytes.is_empty() };
    while !rest.is_empty() {
        let Some((run, after)) = run(rest, bits.into()) else { return false };
        let within = match run {
            Run::Equal(_, place) => (place as usize) < count,
            Run::Packed(bytes, _) => {
                let bit = |i: usize| usize::from(bytes[i / 8] >> (i % 8) & 1);
                let bits = usize::from(bits);
                let place = |i| (0..bits).fold(0, |place, j| place | bit(i * bits + j) << j);
                let whole = (bytes.len() * 8).checked_div(bits).unwrap_or(0);
                (0..whole).all(|i| place(i) < count)
            }
        };
        if !within {
            return false;
        }
        rest = after;
    }
    true
}

/// A run of values of equally many bits.
enum Run<'b> {
    /// This many times this value.
    Equal(usize, u64),
    /// Packed values, and how many they should be; the bytes of the last run may be cut off.
    Packed(&'b [u8], usize),
}

impl Run<'_> {
    fn length(&self) -> usize {
        match self {
            Run::Equal(n, _) | Run::Packed(_, n) => *n,
        }
    }
}

/// The first run of values of `bits` bits, and the bytes after it: a header `2·n` and one value n times, or
/// `2·n + 1` and 8·n values packed. Headers are in LEB128.
/// <https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE>
fn run(bytes: &[u8], bits: usize) -> Option<(Run<'_>, &[u8])> {
    let (header, rest) = leb128(bytes)?;
    let n = header / 2;
    if n == 0 {
        return None;
    }
    if header % 2 == 1 {
        let (packed, after) = rest.split_at(rest.len().min(n.saturating_mul(bits)));
        return Some((Run::Packed(packed, n.saturating_mul(8)), after));
    }
    let (value, after) = rest.split_at_checked(bits.div_ceil(8))?;
    let value = value.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
    Some((Run::Equal(n, value), after))
}

#[cfg(test)]
mod tests {
    use super::{ones, places_within};

    #[test]
    fn levels_are_counted() {
        // 5 equal ones; then 8 packed ones; then 16, of which the second byte may be absent.
        assert_eq!((ones(&[10, 1], 5), ones(&[10, 1], 6)), (Some(5), None));
        assert_eq!((ones(&[10, 0, 3, 0xa5], 13), ones(&[10, 0, 3], 13)), (Some(4), None));
        assert_eq!(
            (ones(&[5, 3], 8), ones(&[5, 3], 9), ones(&[5, 3, 1], 9)),
            (Some(2), None, Some(3))
        );
        // A level of 2, an empty run, a header without an end.
        assert_eq!((ones(&[10, 2], 1), ones(&[0, 1], 1), ones(&[0x80; 9], 1)), (None, None, None));
        assert_eq!(ones(&[], 0), Some(0));
        // 200 in two bytes.
        assert_eq!((ones(&[0x90, 0x03, 1], 200), ones(&[0x90, 0x03, 1], 201)), (Some(200), None));
    }

    #[test]
    fn places_are_compared() {
        // Three bits each: 0 to 7, packed as in the specification's example; then 3 times 5.
        let bytes = [3, 3, 0x88, 0xc6, 0xfa, 6, 5];
        assert!(places_within(&bytes, 8) && !places_within(&bytes, 7));
        assert!(places_within(&bytes[..1], 0) && places_within(&[], 0));
        assert!(!places_within(&[3, 6, 5], 5) && !places_within(&[33, 6, 5], 9));
    }
}
