//! The records in order: their number is checked, and each gets its label.

use std::io;

use super::{error::IdxProblem, labels::LabelFile};
use crate::{
    fault::{Fault, Problem},
    input::{
        reader::{BlockInfo, LeftOut, Positions},
        source::Compression,
    },
    options::OnError,
    read_error::ReadError,
    table::batch::{Batch, Body, LabelUse},
};

/// The place of the next block in a file of records, and the labels of its records.
pub(super) struct Records {
    /// The name of the file in messages.
    pub(super) file: String,
    pub(super) compression: Compression,
    /// The bytes of a record.
    pub(super) length: usize,
    /// The bytes of a value.
    pub(super) width: usize,
    /// The number of records that the header promises.
    pub(super) promised: u64,
    /// The number of records that have come.
    pub(super) found: u64,
    pub(super) labels: Option<LabelFile>,
    pub(super) label_use: LabelUse,
    pub(super) on_error: OnError,
}

/// The error of a record, which is left out.
struct Refused {
    /// The record, from 1.
    record: u64,
    error: ReadError,
}

impl Positions for Records {
    /// Counts the records of the next block, and gives them their labels.
    fn pass(&mut self, block: &BlockInfo<'_>, batch: &mut Batch) -> Result<LeftOut, ReadError> {
        let before = self.found;
        self.count(block.length)?;
        let faults = std::mem::take(&mut batch.skipped);
        let faulty: Vec<usize> = faults.iter().map(|fault| fault.offset / self.length).collect();
        let mut refused = Vec::new();
        for (fault, &place) in faults.into_iter().zip(&faulty) {
            let (record, error) = (before + place as u64 + 1, self.fault_after(before, fault));
            refused.push(Refused { record, error });
        }
        refused.extend(self.add_labels(block.length, &faulty, batch)?);
        let count = refused.len() as u64;
        let first = refused.into_iter().min_by_key(|one| one.record);
        Ok(LeftOut { count, first: first.map(|one| one.error), ..LeftOut::default() })
    }

    fn fault(&self, _: &[u8], fault: Fault) -> ReadError {
        self.fault_after(self.found, fault)
    }

    fn broken(&self, block: &BlockInfo<'_>, error: io::Error) -> ReadError {
        let records = self.found + (block.length / self.length) as u64;
        let what = self.compression.failure(&error);
        self.error(IdxProblem::Read { records, what, error })
    }

    /// Checks that all that was promised has come, and nothing else.
    fn end(&mut self) -> Result<(), ReadError> {
        let (found, promised) = (self.found, self.promised);
        if found < promised {
            return Err(self.error(IdxProblem::Truncated { found, promised }));
        }
        self.labels.as_mut().map_or(Ok(()), LabelFile::end)
    }
}

impl Records {
    /// Gives the records of a block of `bytes` bytes their labels. The `faulty` records are left out already; those
    /// whose label is refused leave the batch.
    fn add_labels(
        &mut self,
        bytes: usize,
        faulty: &[usize],
        batch: &mut Batch,
    ) -> Result<Vec<Refused>, ReadError> {
        let count = bytes / self.length;
        let before = self.found - count as u64;
        let Some(labels) = &mut self.labels else { return Ok(Vec::new()) };
        let texts = labels.next(count)?;
        let file = labels.file().to_owned();
        let refused = self.label(before, &texts, faulty, batch).into_iter();
        let mut refused = refused.map(|(record, problem)| Refused {
            record,
            error: IdxProblem::Record { record, value: None, problem }.of(&file),
        });
        match (self.on_error, refused.next()) {
            (OnError::Stop, Some(first)) => Err(first.error),
            (_, first) => Ok(first.into_iter().chain(refused).collect()),
        }
    }

    /// No block may end within a record, and none may go past the promised number.
    fn count(&mut self, bytes: usize) -> Result<(), ReadError> {
        self.found += (bytes / self.length) as u64;
        let (found, promised) = (self.found, self.promised);
        let cut = !bytes.is_multiple_of(self.length);
        if found > promised || (found == promised && cut) {
            return Err(self.error(IdxProblem::TrailingBytes { promised }));
        }
        if cut { Err(self.error(IdxProblem::Truncated { found, promised })) } else { Ok(()) }
    }

    /// Notes the labels of a batch whose `faulty` records are left out already. Rows whose label is
    /// refused leave the batch; they are the result.
    fn label(
        &self,
        before: u64,
        texts: &[String],
        faulty: &[usize],
        batch: &mut Batch,
    ) -> Vec<(u64, Problem)> {
        let mut faulty = faulty.iter().copied().peekable();
        let (mut refused, mut kept) = (Vec::new(), Vec::new());
        for (i, text) in texts.iter().enumerate() {
            if faulty.next_if_eq(&i).is_some() {
                continue;
            }
            let code = batch.labels.dictionary.number(text, |name| self.label_use.allows(name));
            kept.push(code.is_ok());
            match code {
                Ok(code) => batch.labels.codes.push(code),
                Err(problem) => refused.push((before + i as u64 + 1, problem)),
            }
        }
        if !refused.is_empty() {
            keep(&mut batch.body, &kept);
        }
        refused
    }

    fn fault_after(&self, before: u64, fault: Fault) -> ReadError {
        let record = before + (fault.offset / self.length) as u64 + 1;
        if record > self.promised {
            return self.error(IdxProblem::TrailingBytes { promised: self.promised });
        }
        let value = Some((fault.offset % self.length / self.width) as u64 + 1);
        self.error(IdxProblem::Record { record, value, problem: fault.problem })
    }

    fn error(&self, problem: IdxProblem) -> ReadError {
        problem.of(&self.file)
    }
}

/// Leaves out the rows that are not kept.
fn keep(body: &mut Body, kept: &[bool]) {
    let Body::Sparse { offsets, indices, values, .. } = body else { return };
    let (mut new_offsets, mut end) = (vec![0], 0);
    for (row, _) in offsets.windows(2).zip(kept).filter(|(_, kept)| **kept) {
        indices.copy_within(row[0]..row[1], end);
        values.copy_within(row[0]..row[1], end);
        end += row[1] - row[0];
        new_offsets.push(end);
    }
    indices.truncate(end);
    values.truncate(end);
    *offsets = new_offsets;
}
