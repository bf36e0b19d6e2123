//! How IDX data begin: the type of the values and the sizes.

use std::io::Read;

use super::error::IdxProblem;
use crate::{input::source::Source, read_error::ReadError, table::shape::Shape};

/// The type of the values, all big-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueType {
    U8,
    I8,
    I16,
    I32,
    F32,
    F64,
}

impl ValueType {
    fn of(byte: u8) -> Option<Self> {
        match byte {
            0x08 => Some(ValueType::U8),
            0x09 => Some(ValueType::I8),
            0x0b => Some(ValueType::I16),
            0x0c => Some(ValueType::I32),
            0x0d => Some(ValueType::F32),
            0x0e => Some(ValueType::F64),
            _ => None,
        }
    }

    /// The bytes of a value.
    pub(super) fn width(self) -> usize {
        match self {
            ValueType::U8 | ValueType::I8 => 1,
            ValueType::I16 => 2,
            ValueType::I32 | ValueType::F32 => 4,
            ValueType::F64 => 8,
        }
    }
}

/// The content of the header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct IdxHeader {
    pub(super) values: ValueType,
    /// The number of records.
    pub(super) count: u64,
    /// The sizes of a record; none of them is 0.
    pub(super) sizes: Vec<u32>,
}

/// Whether bytes begin like IDX data.
pub(super) fn begins(start: &[u8]) -> bool {
    matches!(start, [0, 0, kind, ..] if ValueType::of(*kind).is_some())
}

impl IdxHeader {
    /// Reads the header, and not a byte more.
    pub(super) fn read(source: &mut Source) -> Result<Self, ReadError> {
        let start = bytes(source, 4)?;
        if start.is_empty() {
            return Err(ReadError::Empty { file: source.name.clone() });
        }
        let of_file = |problem: IdxProblem| problem.of(&source.name);
        let (values, dimensions) = parse(&start).map_err(of_file)?;
        let sizes = bytes(source, 4 * dimensions)?;
        let of_file = |problem: IdxProblem| problem.of(&source.name);
        let (sizes, rest) = sizes.as_chunks::<4>();
        let sizes: Vec<u32> = sizes.iter().map(|&size| u32::from_be_bytes(size)).collect();
        let complete = sizes.len() == dimensions && rest.is_empty();
        let Some((&count, sizes)) = sizes.split_first().filter(|_| complete) else {
            return Err(of_file(IdxProblem::CutHeader));
        };
        if let Some(within) = sizes.iter().position(|&size| size == 0) {
            return Err(of_file(IdxProblem::NoValues { dimension: within + 2 }));
        }
        Ok(IdxHeader { values, count: u64::from(count), sizes: sizes.to_vec() })
    }

    /// The shape of a record, if memory could hold one.
    pub(super) fn shape(&self) -> Option<Shape> {
        let shape = Shape::new(&self.sizes)?;
        shape.features().checked_mul(self.values.width()).map(|_| shape)
    }
}

/// The type and the number of dimensions from the first four bytes.
fn parse(start: &[u8]) -> Result<(ValueType, usize), IdxProblem> {
    if start.iter().take(2).any(|&byte| byte != 0) {
        let found: Vec<String> = start.iter().map(|byte| format!("{byte:02x}")).collect();
        return Err(IdxProblem::Magic { found: found.join(" ") });
    }
    let &[_, _, kind, dimensions] = start else { return Err(IdxProblem::CutHeader) };
    let values = ValueType::of(kind).ok_or(IdxProblem::UnknownType { found: kind })?;
    let most = Shape::MOST + 1;
    if dimensions == 0 || usize::from(dimensions) > most {
        return Err(IdxProblem::Dimensions { found: dimensions, most });
    }
    Ok((values, usize::from(dimensions)))
}

/// The next bytes, as many as asked for or as there are.
fn bytes(source: &mut Source, count: usize) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::with_capacity(count);
    let read = source.bytes.by_ref().take(count as u64).read_to_end(&mut bytes);
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => {
            let what = source.compression.failure(&error);
            Err(IdxProblem::Read { records: 0, what, error }.of(&source.name))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn read(bytes: &[u8]) -> Result<IdxHeader, &'static IdxProblem> {
        let mut source = Source::stream("data", Cursor::new(bytes.to_vec())).unwrap();
        IdxHeader::read(&mut source).map_err(|error| match error {
            ReadError::Format { problem, .. } => {
                Box::leak(Box::new(problem)).downcast_ref().unwrap()
            }
            other => panic!("{other}"),
        })
    }

    #[test]
    fn a_header_is_type_and_sizes() {
        let header = read(&[0, 0, 0x0b, 3, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 3, 9]).unwrap();
        assert_eq!(header, IdxHeader { values: ValueType::I16, count: 256, sizes: vec![2, 3] });
        assert_eq!(header.shape(), Shape::new(&[2, 3]));
    }

    #[test]
    fn faults() {
        use IdxProblem::*;
        assert!(matches!(read(b"1,2,3"), Err(Magic { found }) if found == "31 2c 32 2c"));
        assert!(matches!(read(&[0, 0, 0x0a, 1]), Err(UnknownType { found: 0x0a })));
        assert!(matches!(read(&[0, 0, 8, 0]), Err(Dimensions { found: 0, most: 8 })));
        assert!(matches!(read(&[0, 0, 8, 9]), Err(Dimensions { found: 9, .. })));
        assert!(matches!(read(&[0, 0, 8]), Err(CutHeader)));
        assert!(matches!(read(&[0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0]), Err(CutHeader)));
        let no_values = [0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 0];
        assert!(matches!(read(&no_values), Err(NoValues { dimension: 2 })));
    }

    #[test]
    fn no_memory_could_hold_it() {
        let bytes = [&[0, 0, 0x0e, 3, 0, 0, 0, 1][..], &[0xff; 8]].concat();
        assert_eq!(read(&bytes).unwrap().shape(), None);
    }
}
