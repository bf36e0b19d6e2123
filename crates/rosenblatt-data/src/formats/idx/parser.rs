//! Whole records of IDX data → a batch without zeros.

use super::{error::IdxProblem, header::ValueType};
use crate::{
    fault::{Excerpt, Fault},
    input::parser::BlockParser,
    options::OnError,
    table::batch::{Batch, Body, LabelUse},
};

/// How to read the records.
#[derive(Clone, Debug)]
pub(super) struct IdxParser {
    values: ValueType,
    features: usize,
    on_error: OnError,
}

/// The growing columns of values that are not zero.
#[derive(Default)]
struct NonZero {
    indices: Vec<u32>,
    values: Vec<f64>,
}

/// A value that is no number: its place in the record, from 0.
type NotFinite = (usize, f64);

impl IdxParser {
    pub(super) fn new(values: ValueType, features: usize, on_error: OnError) -> Self {
        IdxParser { values, features, on_error }
    }

    /// The bytes of a record.
    pub(super) fn length(&self) -> usize {
        self.features * self.width()
    }

    /// The bytes of a value.
    pub(super) fn width(&self) -> usize {
        self.values.width()
    }

    fn record(&self, record: &[u8], entries: &mut NonZero) -> Result<(), NotFinite> {
        match self.values {
            ValueType::U8 => entries.add(record, |bytes| f64::from(u8::from_be_bytes(bytes))),
            ValueType::I8 => entries.add(record, |bytes| f64::from(i8::from_be_bytes(bytes))),
            ValueType::I16 => entries.add(record, |bytes| f64::from(i16::from_be_bytes(bytes))),
            ValueType::I32 => entries.add(record, |bytes| f64::from(i32::from_be_bytes(bytes))),
            ValueType::F32 => entries.add(record, |bytes| f64::from(f32::from_be_bytes(bytes))),
            ValueType::F64 => entries.add(record, f64::from_be_bytes),
        }
    }
}

impl BlockParser for IdxParser {
    /// Parses a block of whole records; bytes after the last whole one are not looked at.
    #[inline(always)]
    fn parse(&self, block: &[u8], _: bool) -> Result<Batch, Fault> {
        let mut batch = Batch::default();
        let (mut entries, mut offsets) = (NonZero::default(), vec![0]);
        for (i, record) in block.chunks_exact(self.length()).enumerate() {
            match self.record(record, &mut entries) {
                Ok(()) => offsets.push(entries.indices.len()),
                Err((place, value)) => {
                    let before = offsets.last().copied().unwrap_or_default();
                    entries.indices.truncate(before);
                    entries.values.truncate(before);
                    let text = Excerpt::new(value.to_string().as_bytes());
                    let offset = i * self.length() + place * self.width();
                    let fault = Fault::new(offset, IdxProblem::NotFiniteValue { text });
                    batch.fault(fault, self.on_error, &LabelUse::Ignore, offsets.len() - 1)?;
                }
            }
        }
        let NonZero { indices, values } = entries;
        batch.body = Body::Sparse { offsets, indices, values, features: self.features };
        Ok(batch)
    }
}

impl NonZero {
    /// Adds the values of a record that are not zero.
    fn add<const WIDTH: usize>(
        &mut self,
        record: &[u8],
        value: impl Fn([u8; WIDTH]) -> f64,
    ) -> Result<(), NotFinite> {
        // Images are zero in long runs. Bytes that are all 0 are the value 0 in every type.
        const RUN: usize = 16;
        for (run, bytes) in record.chunks(RUN).enumerate() {
            if bytes.iter().fold(0, |all, byte| all | byte) == 0 {
                continue;
            }
            let first = run * RUN / WIDTH;
            for (j, &bytes) in bytes.as_chunks::<WIDTH>().0.iter().enumerate() {
                let value = value(bytes);
                if value == 0.0 {
                    continue;
                }
                if !value.is_finite() {
                    return Err((first + j, value));
                }
                self.indices.push((first + j) as u32);
                self.values.push(value);
            }
        }
        Ok(())
    }
}
