//! The pages of a Parquet file, checked before their values are decoded.
//!
//! The decoders of `parquet` take some things on trust and panic where they are wrong: that a chunk begins
//! within the file, that a page whose values are places in a dictionary comes after one, and that the
//! levels are as many as the page says, and the like. That is checked here. The definition level of a value is the greatest
//! where it is present; the repetition level is 0 where a row begins, and only lists have one.
//! <https://parquet.apache.org/docs/file-format/data-pages/>

use std::{fs::File, sync::Arc};

use parquet::{
    basic::{Encoding, Type},
    column::page::{Page, PageIterator, PageMetadata, PageReader},
    errors::{ParquetError, Result},
    file::{
        metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData},
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

fn values(chunk: &ColumnChunkMetaData) -> Result<usize> {
    usize::try_from(chunk.num_values()).map_err(|_| damaged("a column of an impossible length"))
}

fn level(greatest: i16) -> u64 {
    u64::try_from(greatest).unwrap_or(0)
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
            let (definition, repetition) =
                (level(column.max_def_level()), level(column.max_rep_level()));
            let left = if repetition == 0 { left } else { values(chunk)? };
            let is_fixed = column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY;
            let width = match column.physical_type() {
                Type::INT32 | Type::FLOAT => 4,
                Type::INT64 | Type::DOUBLE => 8,
                _ => usize::try_from(column.type_length()).unwrap_or(0),
            };
            let dictionary = None;
            let pages = Pages {
                inner,
                ahead: None,
                headers,
                left,
                definition,
                repetition,
                dictionary,
                width,
                is_fixed,
            };
            Ok(Box::new(pages) as Box<dyn PageReader>)
        };
        Some(pages())
    }
}

/// The pages of a chunk.
struct Pages {
    inner: SerializedPageReader<File>,
    /// A page that was looked at.
    ahead: Option<Page>,
    headers: PageHeaders,
    /// How many values of the group the next pages may have.
    left: usize,
    /// The greatest levels; 0 where pages have none.
    definition: u64,
    repetition: u64,
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
        if let Some(page) = self.ahead.take() {
            return Ok(Some(page));
        }
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

    /// Where lists are read, the decoder asks whether a row goes on in the next page.
    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.ahead = self.get_next_page()?;
        let metadata = |page: &Page| PageMetadata {
            num_rows: match page {
                Page::DataPageV2 { num_rows, .. } => Some(*num_rows as usize),
                _ => None,
            },
            num_levels: None,
            is_dict: matches!(page, Page::DictionaryPage { .. }),
        };
        Ok(self.ahead.as_ref().map(metadata))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        // Rows are not selected: then the decoder skips nothing.
        Err(ParquetError::NYI("pages that are skipped".to_owned()))
    }
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
            Page::DataPage { buf, def_level_encoding, rep_level_encoding, .. } => {
                let mut rest: &[u8] = buf;
                if self.repetition > 0 {
                    let levels = with_length(&mut rest, *rep_level_encoding)?;
                    self.check_repetitions(levels, wanted)?;
                }
                if self.definition == 0 {
                    return Ok((wanted, rest));
                }
                let levels = with_length(&mut rest, *def_level_encoding)?;
                Ok((self.present(levels, wanted)?, rest))
            }
            Page::DataPageV2 {
                buf, num_nulls, def_levels_byte_len, rep_levels_byte_len, ..
            } => {
                let start = *rep_levels_byte_len as usize;
                let end = start + *def_levels_byte_len as usize;
                let levels = buf.get(start..end).ok_or_else(levels_damaged)?;
                if self.repetition > 0 {
                    self.check_repetitions(&buf[..start], wanted)?;
                }
                let present =
                    if self.definition > 0 { self.present(levels, wanted)? } else { wanted };
                if wanted.checked_sub(*num_nulls as usize) != Some(present) {
                    return Err(levels_damaged());
                }
                Ok((present, &buf[end..]))
            }
            Page::DictionaryPage { .. } => Ok((wanted, &[])),
        }
    }

    fn present(&self, levels: &[u8], wanted: usize) -> Result<usize> {
        let greatest = self.definition;
        count(levels, wanted, greatest, greatest).ok_or_else(levels_damaged)
    }

    fn check_repetitions(&self, levels: &[u8], wanted: usize) -> Result<()> {
        let rows = count(levels, wanted, self.repetition, 0);
        rows.map(|_| ()).ok_or_else(|| damaged("the marks of lists"))
    }
}

/// The levels at the beginning of these bytes, after their length; what comes after them is left.
fn with_length<'p>(bytes: &mut &'p [u8], encoding: Encoding) -> Result<&'p [u8]> {
    // No program has written levels without runs for years.
    if encoding != Encoding::RLE {
        return Err(damaged("an outdated encoding of nulls"));
    }
    let length = bytes.first_chunk().map(|&length| u32::from_le_bytes(length));
    let end = length.map_or(usize::MAX, |length| length as usize + 4);
    let levels = bytes.get(4..end).ok_or_else(levels_damaged)?;
    *bytes = &bytes[end..];
    Ok(levels)
}

fn levels_damaged() -> ParquetError {
    damaged("the marks of nulls")
}

/// How many of `wanted` levels, none above `greatest`, are this one; `None` if these bytes do not hold them.
fn count(bytes: &[u8], wanted: usize, greatest: u64, level: u64) -> Option<usize> {
    let bits = greatest.checked_ilog2()? as usize + 1;
    let (mut left, mut found) = (wanted, 0);
    let mut rest = bytes;
    while left > 0 {
        let (run, after) = run(rest, bits)?;
        let n = run.length().min(left);
        found += match run {
            Run::Equal(_, value) if value <= greatest => usize::from(value == level) * n,
            Run::Equal(..) => return None,
            Run::Packed(bytes, _) => {
                // Of the last run only the levels that are wanted must be there.
                if bytes.len() < (n * bits).div_ceil(8) {
                    return None;
                }
                let values = (0..n).map(|i| packed(bytes, bits, i) as u64);
                if values.clone().any(|value| value > greatest) {
                    return None;
                }
                values.filter(|&value| value == level).count()
            }
        };
        left -= n;
        rest = after;
    }
    Some(found)
}

/// The value at place `i` of values of `bits` bits.
fn packed(bytes: &[u8], bits: usize, i: usize) -> usize {
    let bit = |i: usize| usize::from(bytes[i / 8] >> (i % 8) & 1);
    (0..bits).fold(0, |value, j| value | bit(i * bits + j) << j)
}

/// Whether places in a dictionary, after a byte that says how many bits each has, are all below `count`.
fn places_within(bytes: &[u8], count: usize) -> bool {
    let Some((&bits @ ..=32, mut rest)) = bytes.split_first() else { return bytes.is_empty() };
    while !rest.is_empty() {
        let Some((run, after)) = run(rest, bits.into()) else { return false };
        let within = match run {
            Run::Equal(_, place) => (place as usize) < count,
            Run::Packed(bytes, _) => {
                let bits = usize::from(bits);
                let whole = (bytes.len() * 8).checked_div(bits).unwrap_or(0);
                (0..whole).all(|i| packed(bytes, bits, i) < count)
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
    use super::{count, places_within};

    #[test]
    fn levels_are_counted() {
        let ones = |bytes: &[u8], wanted| count(bytes, wanted, 1, 1);
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
    fn levels_of_several_bits_are_counted() {
        // Packed with two bits each: 2, 0, 1, 2 and 2, 2, 2, 0; then five times 2.
        let bytes = [3, 0b10_01_00_10, 0b00_10_10_10, 10, 2];
        let found = |level| count(&bytes, 13, 2, level);
        assert_eq!((found(0), found(1), found(2)), (Some(2), Some(1), Some(10)));
        // A level of 3, and one that is cut off.
        assert_eq!((count(&[3, 0b11], 1, 2, 2), count(&[3, 0], 5, 2, 0)), (None, None));
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
