//! The files of a data set.

use std::path::{Path, PathBuf};

use crate::{
    formats::packed::key::Key, input::source::Source, notes::Notes, options::ReadOptions,
    read_error::ReadError,
};

/// The files of a data set.
#[derive(Clone, Copy, Debug)]
pub struct DataFiles<'p> {
    /// The examples.
    pub data: &'p Path,
    /// More files, whose rows follow.
    pub more: &'p [PathBuf],
    /// The labels of IDX data, where they are named.
    pub labels: Option<&'p Path>,
}

impl<'p> DataFiles<'p> {
    pub(super) fn open(self) -> Result<Source, ReadError> {
        Ok(Source::open_labelled(self.data, self.labels)?.with_more(self.more))
    }

    /// All files that are read; the labels may have been found in the folder of the data.
    pub(super) fn with_labels_found(self, notes: &Notes) -> Vec<PathBuf> {
        let found = notes.labels_beside.as_deref().map(Path::new);
        let labels = self.labels.or(found);
        let more = self.more.iter().map(PathBuf::as_path);
        [Some(self.data), labels].into_iter().flatten().chain(more).map(Path::to_owned).collect()
    }

    pub(super) fn key(self, sources: &[PathBuf], options: &ReadOptions) -> Result<Key, ReadError> {
        Key::of(sources, options)
            .map_err(|error| ReadError::Open { file: self.data.display().to_string(), error })
    }
}
