//! The labels of IDX data: a second file, with one whole number for each record.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use super::{
    error::IdxProblem,
    header::{IdxHeader, ValueType},
};
use crate::{input::source::Source, notes::Notes, read_error::ReadError};

/// A file of labels on its way.
pub(super) struct LabelFile {
    source: Source,
    values: ValueType,
    /// The number in the header.
    count: u64,
    /// The number that was read.
    read: u64,
}

/// Opens the labels that came with the source, else those in the folder of the source.
pub(super) fn open(
    source: &mut Source,
    examples: u64,
    notes: &mut Notes,
) -> Result<LabelFile, ReadError> {
    let labels = match source.labels.take() {
        Some(labels) => *labels,
        None => {
            let path = found_in_folder(source)?;
            let labels = Source::open(&path)?;
            notes.labels_beside = Some(labels.name.clone());
            labels
        }
    };
    let labels = LabelFile::begin(labels)?;
    if labels.count != examples {
        let (labels_file, examples_file) = (labels.source.name, source.name.clone());
        let problem = IdxProblem::LabelCount { labels: labels.count, examples_file, examples };
        return Err(problem.of(&labels_file));
    }
    Ok(labels)
}

fn found_in_folder(source: &Source) -> Result<PathBuf, ReadError> {
    let candidates = source.path.as_deref().map(candidates).unwrap_or_default();
    let there = candidates.iter().find(|path| path.is_file());
    there.cloned().ok_or_else(|| {
        let expected = candidates.first().map(|path| path.display().to_string());
        IdxProblem::NoLabels { expected }.of(&source.name)
    })
}

/// The files where MNIST's naming has the labels: `images-idx3` (or another digit, or a full stop for
/// the hyphen) becomes `labels-idx1`; compressed like the images first, else in another way.
pub(super) fn candidates(images: &Path) -> Vec<PathBuf> {
    let Some(name) = images.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let Some(labels) = labels_name(name) else { return Vec::new() };
    let plain = labels.trim_end_matches(".gz").trim_end_matches(".zst");
    let endings = ["", ".gz", ".zst"].map(|ending| format!("{plain}{ending}"));
    let others = endings.into_iter().filter(|name| *name != labels);
    std::iter::once(labels.clone()).chain(others).map(|name| images.with_file_name(name)).collect()
}

fn labels_name(images: &str) -> Option<String> {
    ["images-idx", "images.idx"].into_iter().find_map(|word| {
        let (before, after) = images.rsplit_once(word)?;
        let after = after.strip_prefix(|c: char| c.is_ascii_digit())?;
        Some(format!("{before}{}1{after}", word.replace("images", "labels")))
    })
}

impl LabelFile {
    fn begin(mut source: Source) -> Result<Self, ReadError> {
        let header = IdxHeader::read(&mut source)?;
        let fault = match header.values {
            _ if !header.sizes.is_empty() => {
                Some(IdxProblem::LabelDimensions { found: header.sizes.len() + 1 })
            }
            ValueType::F32 => Some(IdxProblem::LabelType { found: "f32" }),
            ValueType::F64 => Some(IdxProblem::LabelType { found: "f64" }),
            _ => None,
        };
        match fault {
            Some(problem) => Err(problem.of(&source.name)),
            None => Ok(LabelFile { source, values: header.values, count: header.count, read: 0 }),
        }
    }

    /// The name of the file in messages.
    pub(super) fn file(&self) -> &str {
        &self.source.name
    }

    /// The next labels as decimal text, as many as asked for.
    pub(super) fn next(&mut self, count: usize) -> Result<Vec<String>, ReadError> {
        let width = self.values.width();
        let bytes = self.bytes((count * width) as u64)?;
        let whole = bytes.len() / width;
        self.read += whole as u64;
        if whole < count {
            let (found, promised) = (self.read, self.count);
            return Err(IdxProblem::Truncated { found, promised }.of(self.file()));
        }
        Ok(bytes.chunks_exact(width).map(|bytes| self.text(bytes)).collect())
    }

    /// After the last label: nothing else may come.
    pub(super) fn end(&mut self) -> Result<(), ReadError> {
        if self.bytes(1)?.is_empty() {
            return Ok(());
        }
        Err(IdxProblem::TrailingBytes { promised: self.count }.of(self.file()))
    }

    fn bytes(&mut self, count: u64) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        match self.source.bytes.by_ref().take(count).read_to_end(&mut bytes) {
            Ok(_) => Ok(bytes),
            Err(error) => {
                let (records, what) = (self.read, self.source.compression.failure(&error));
                Err(IdxProblem::Read { records, what, error }.of(self.file()))
            }
        }
    }

    /// The whole number in big-endian bytes, as many as its type has.
    fn text(&self, bytes: &[u8]) -> String {
        let unsigned = bytes.iter().fold(0, |number, &byte| number << 8 | i64::from(byte));
        let size = 1i64 << (8 * bytes.len());
        let negative = self.values != ValueType::U8 && unsigned >= size / 2;
        (if negative { unsigned - size } else { unsigned }).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_go_by_the_name_of_the_images() {
        let first = |name: &str| candidates(Path::new(name)).first().cloned();
        let found = |name: &str| first(name).map(|path| path.display().to_string());
        assert_eq!(
            found("d/t10k-images-idx3-ubyte.gz").as_deref(),
            Some("d/t10k-labels-idx1-ubyte.gz")
        );
        assert_eq!(found("train-images.idx3-ubyte").as_deref(), Some("train-labels.idx1-ubyte"));
        assert_eq!(found("images.idx"), None);
        assert_eq!(found("-"), None);
        assert_eq!(
            candidates(Path::new("images-idx3.zst")),
            ["labels-idx1.zst", "labels-idx1", "labels-idx1.gz"].map(PathBuf::from)
        );
    }
}
