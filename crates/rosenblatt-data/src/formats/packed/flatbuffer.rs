//! Just enough of FlatBuffers to write the metadata of an Arrow IPC file and to find one text in it again.
//!
//! A table begins with the distance back to its vtable, which says where in the table each field is; a field
//! that is a table, text or list is the distance ahead to it. <https://flatbuffers.dev/internals/>
//! The crate that writes these files for Arrow needs a whole batch in memory, and takes minutes to build.

use std::ops::Range;

/// A field of a table.
pub(crate) enum Field {
    Absent,
    /// A scalar of 1, 2, 4 or 8 bytes.
    U8(u8),
    I16(i16),
    I32(i32),
    I64(i64),
    Text(String),
    Table(FlatTable),
    Tables(Vec<FlatTable>),
    /// Records of numbers of 8 bytes, equally many in each.
    Records(Vec<Vec<i64>>),
}

/// The fields of a table in the order of its definition.
pub(crate) type FlatTable = Vec<Field>;

/// A buffer that begins with this table.
pub(crate) fn write(root: &FlatTable) -> Vec<u8> {
    let mut bytes = vec![0; 8];
    let at = write_table(&mut bytes, root);
    point(&mut bytes, 0, at);
    pad(&mut bytes, 8);
    bytes
}

fn pad(bytes: &mut Vec<u8>, to: usize) {
    bytes.resize(bytes.len().next_multiple_of(to), 0);
}

/// Writes at `from` how far ahead `to` is.
fn point(bytes: &mut [u8], from: usize, to: usize) {
    bytes[from..from + 4].copy_from_slice(&((to - from) as u32).to_le_bytes());
}

fn write_table(bytes: &mut Vec<u8>, table: &FlatTable) -> usize {
    // Where each field is from the table's start, after the distance to the vtable.
    let (mut places, mut size) = (Vec::new(), 4usize);
    for field in table {
        let width = match field {
            Field::Absent => 0,
            Field::U8(_) => 1,
            Field::I16(_) => 2,
            Field::I64(_) => 8,
            _ => 4,
        };
        size = if width == 0 { size } else { size.next_multiple_of(width) };
        places.push(if width == 0 { 0 } else { size });
        size += width;
    }
    pad(bytes, 2);
    let vtable = bytes.len();
    for half in [4 + 2 * table.len(), size].iter().chain(&places) {
        bytes.extend((*half as u16).to_le_bytes());
    }
    pad(bytes, 8);
    let start = bytes.len();
    bytes.resize(start + size, 0);
    let mut put = |place: usize, value: &[u8]| {
        bytes[start + place..start + place + value.len()].copy_from_slice(value);
    };
    put(0, &((start - vtable) as i32).to_le_bytes());
    for (field, &place) in table.iter().zip(&places) {
        match field {
            Field::U8(value) => put(place, &value.to_le_bytes()),
            Field::I16(value) => put(place, &value.to_le_bytes()),
            Field::I32(value) => put(place, &value.to_le_bytes()),
            Field::I64(value) => put(place, &value.to_le_bytes()),
            _ => {}
        }
    }
    for (field, &place) in table.iter().zip(&places) {
        let at = match field {
            Field::Text(text) => write_text(bytes, text),
            Field::Table(table) => write_table(bytes, table),
            Field::Tables(tables) => write_tables(bytes, tables),
            Field::Records(records) => write_records(bytes, records),
            _ => continue,
        };
        point(bytes, start + place, at);
    }
    start
}

fn write_text(bytes: &mut Vec<u8>, text: &str) -> usize {
    pad(bytes, 4);
    let at = bytes.len();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.push(0);
    at
}

fn write_tables(bytes: &mut Vec<u8>, tables: &[FlatTable]) -> usize {
    pad(bytes, 4);
    let at = bytes.len();
    bytes.extend((tables.len() as u32).to_le_bytes());
    bytes.resize(at + 4 + 4 * tables.len(), 0);
    for (i, table) in tables.iter().enumerate() {
        let to = write_table(bytes, table);
        point(bytes, at + 4 + 4 * i, to);
    }
    at
}

fn write_records(bytes: &mut Vec<u8>, records: &[Vec<i64>]) -> usize {
    // The numbers after the count are aligned.
    pad(bytes, 8);
    bytes.extend([0; 4]);
    let at = bytes.len();
    bytes.extend((records.len() as u32).to_le_bytes());
    records.iter().flatten().for_each(|number| bytes.extend(number.to_le_bytes()));
    at
}

/// A table in bytes that may hold anything.
#[derive(Clone, Copy)]
pub(crate) struct View<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> View<'b> {
    /// The table that the buffer begins with.
    pub(crate) fn root(bytes: &'b [u8]) -> Option<Self> {
        Some(View { bytes, at: ahead(bytes, 0)? })
    }

    /// The place of a field.
    fn field(self, number: usize) -> Option<usize> {
        let back = i32::from_le_bytes(*self.bytes.get(self.at..)?.first_chunk()?);
        let vtable = usize::try_from(i64::try_from(self.at).ok()? - i64::from(back)).ok()?;
        let half = |at: usize| {
            Some(usize::from(u16::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?)))
        };
        let entry = 4 + 2 * number;
        let place = if entry < half(vtable)? { half(vtable.checked_add(entry)?)? } else { 0 };
        (place != 0).then(|| self.at.checked_add(place)).flatten()
    }

    /// A field that is a table.
    pub(crate) fn table(self, number: usize) -> Option<Self> {
        Some(View { at: ahead(self.bytes, self.field(number)?)?, ..self })
    }

    /// A field that is a list of tables.
    pub(crate) fn tables(self, number: usize) -> Option<Vec<Self>> {
        let at = ahead(self.bytes, self.field(number)?)?;
        let count = u32::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?) as usize;
        let each = |i: usize| Some(View { at: ahead(self.bytes, at + 4 + 4 * i)?, ..self });
        // A list is no longer than the bytes that are there.
        (0..count.min(self.bytes.len())).map(each).collect()
    }

    /// A field that is text.
    pub(crate) fn text(self, number: usize) -> Option<&'b str> {
        std::str::from_utf8(self.bytes.get(self.text_place(number)?)?).ok()
    }

    /// Where the bytes of a field that is text are.
    pub(crate) fn text_place(self, number: usize) -> Option<Range<usize>> {
        let at = ahead(self.bytes, self.field(number)?)?;
        let length = u32::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?) as usize;
        let start = at.checked_add(4)?;
        Some(start..start.checked_add(length)?)
    }
}

/// Where the distance at this place leads.
fn ahead(bytes: &[u8], at: usize) -> Option<usize> {
    let distance = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize;
    at.checked_add(distance).filter(|&to| to < bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let pair = |key: &str, value: &str| {
            vec![Field::Text(key.to_owned()), Field::Absent, Field::Text(value.to_owned())]
        };
        let root = vec![
            Field::U8(7),
            Field::I64(-1),
            Field::Table(vec![Field::Records(vec![vec![1, 2]]), Field::I16(3)]),
            Field::Tables(vec![pair("a", "x"), pair("", "long enough to matter")]),
        ];
        let bytes = write(&root);
        let view = View::root(&bytes).unwrap();
        let list = view.tables(3).unwrap();
        assert_eq!(
            (list[0].text(0), list[0].text(1), list[0].text(2)),
            (Some("a"), None, Some("x"))
        );
        assert_eq!(list[1].text(2), Some("long enough to matter"));
        assert!(view.table(2).is_some() && view.table(9).is_none());
        // Anything may be in the bytes.
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut bytes = bytes.clone();
                bytes[at] = value;
                let view = View::root(&bytes);
                let list = view.and_then(|view| view.tables(3)).unwrap_or_default();
                let texts = list.iter().map(|view| (view.text(0), view.text(2)));
                assert_eq!(texts.count(), list.len());
            }
        }
        assert!(
            (0..8).all(|length| View::root(&bytes[..length]).and_then(|v| v.text(0)).is_none())
        );
    }
}
