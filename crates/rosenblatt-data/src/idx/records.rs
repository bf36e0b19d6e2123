//! The records in order: their number is checked, and each gets its label.

use super::{error::IdxProblem, labels::Labels, parser::IdxParser};
use crate::{
    batch::{Batch, Body, LabelUse},
    error::{Fault, Problem, ReadError},
    options::OnError,
    source,
};

/// What the blocks of a file cannot know on their own.
pub(crate) struct Records {
    /// The name of the file and what an error of reading means in it.
    file: (String, &'static str),
    /// The bytes of a record, and of a value.
    length: usize,
    width: usize,
    /// How many records the header promises.
    promised: u64,
    /// How many have come.
    found: u64,
    labels: Option<Labels>,
    label_use: LabelUse,
    on_error: OnError,
}

/// Records that were left out.
#[derive(Default)]
pub(crate) struct LeftOut {
    pub(crate) count: u64,
    /// The first of them and its error.
    pub(crate) first: Option<(u64, ReadError)>,
}

impl LeftOut {
    fn add(&mut self, record: u64, error: ReadError) {
        self.count += 1;
        if self.first.as_ref().is_none_or(|(first, _)| record < *first) {
            self.first = Some((record, error));
        }
    }
}

impl Records {
    pub(super) fn new(
        file: (String, &'static str),
        parser: &IdxParser,
        promised: u64,
        labels: Option<Labels>,
        (label_use, on_error): (LabelUse, OnError),
    ) -> Self {
        let (length, width) = (parser.length(), parser.width());
        Records { file, length, width, promised, found: 0, labels, label_use, on_error }
    }

    /// Counts the records of the next block, of so many bytes, and gives its batch their labels.
    pub(crate) fn join(&mut self, bytes: usize, batch: &mut Batch) -> Result<LeftOut, ReadError> {
        let before = self.found;
        self.count(bytes)?;
        let mut left_out = LeftOut::default();
        let faults = std::mem::take(&mut batch.skipped);
        let faulty: Vec<usize> = faults.iter().map(|fault| fault.offset / self.length).collect();
        for (fault, &place) in faults.into_iter().zip(&faulty) {
            left_out.add(before + place as u64 + 1, self.fault_after(before, fault));
        }
        if let Some(labels) = &mut self.labels {
            let texts = labels.next(bytes / self.length)?;
            let file = labels.file().to_owned();
            let refused = self.label(before, &texts, &faulty, batch);
            for (record, problem) in refused {
                let error = IdxProblem::Record { record, value: None, problem }.of(&file);
                match self.on_error {
                    OnError::Stop => return Err(error),
                    OnError::Skip => left_out.add(record, error),
                }
            }
        }
        Ok(left_out)
    }

    /// No block may end within a record, and none may go past the promised number.
    fn count(&mut self, bytes: usize) -> Result<(), ReadError> {
        self.found += (bytes / self.length) as u64;
        let (found, promised, cut) =
            (self.found, self.promised, !bytes.is_multiple_of(self.length));
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

    /// After the last block: all that was promised has come, and nothing else.
    pub(crate) fn end(&mut self) -> Result<(), ReadError> {
        let (found, promised) = (self.found, self.promised);
        if found < promised {
            return Err(self.error(IdxProblem::Truncated { found, promised }));
        }
        self.labels.as_mut().map_or(Ok(()), Labels::end)
    }

    /// The error of a fault in the block that comes next.
    pub(crate) fn fault(&self, fault: Fault) -> ReadError {
        self.fault_after(self.found, fault)
    }

    fn fault_after(&self, before: u64, fault: Fault) -> ReadError {
        let record = before + (fault.offset / self.length) as u64 + 1;
        if record > self.promised {
            return self.error(IdxProblem::TrailingBytes { promised: self.promised });
        }
        let value = Some((fault.offset % self.length / self.width) as u64 + 1);
        self.error(IdxProblem::Record { record, value, problem: fault.problem })
    }

    /// The error of reading that comes after so many bytes beyond the last block.
    pub(crate) fn reading(&self, bytes: usize, error: std::io::Error) -> ReadError {
        let records = self.found + (bytes / self.length) as u64;
        let what = source::meaning(self.file.1, &error);
        self.error(IdxProblem::Read { records, what, error })
    }

    fn error(&self, problem: IdxProblem) -> ReadError {
        problem.of(&self.file.0)
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
