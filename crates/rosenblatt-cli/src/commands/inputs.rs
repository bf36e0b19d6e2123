//! The labeled data of a command: read, with their classes, and scaled.

use std::path::{Path, PathBuf};

use rosenblatt_core::{
    data::{Classes, Rows, ScaleError},
    train::Bias,
    transforms::{Preparation, PrepareOptions},
};
use rosenblatt_data::{Dataset, ReadOptions, Source, read, read_within};

use super::{
    notes::{NoteLog, packed_rows},
    outputs::not_over_labels,
};
use crate::error::CliError;

/// A data file, the files whose rows follow, and the file with the labels of IDX data if it was named.
#[derive(Clone, Copy)]
pub(super) struct InputFiles<'a> {
    pub(super) data: &'a Path,
    pub(super) more: &'a [PathBuf],
    pub(super) labels: Option<&'a Path>,
}

impl<'a> InputFiles<'a> {
    pub(super) fn new(data: &'a Path, more: &'a [PathBuf], labels: Option<&'a Path>) -> Self {
        InputFiles { data, more, labels }
    }

    /// The files, for the readers.
    pub(super) fn files(self) -> rosenblatt_data::DataFiles<'a> {
        rosenblatt_data::DataFiles { data: self.data, more: self.more, labels: self.labels }
    }

    /// All files that are named.
    pub(super) fn all(self) -> Vec<&'a Path> {
        let more = self.more.iter().map(PathBuf::as_path);
        [Some(self.data), self.labels].into_iter().flatten().chain(more).collect()
    }

    /// Whether the files can be read more than once.
    pub(super) fn are_regular(self) -> bool {
        self.all().iter().all(|path| path.is_file())
    }

    /// Opens the data.
    pub(super) fn open(self) -> Result<Source, CliError> {
        Ok(Source::open_labelled(self.data, self.labels)?.with_more(self.more))
    }

    /// Reads the data whole. Labels that are found next to the data must not be replaced by the output
    /// either.
    pub(super) fn read(
        self,
        options: &ReadOptions,
        output: Option<&Path>,
    ) -> Result<Dataset, CliError> {
        let dataset = read(self.open()?, options)?;
        not_over_labels(output, &dataset.notes)?;
        Ok(dataset)
    }

    /// Reads the data whole. Rows that take more than `memory` bytes are packed into a file next to the data.
    pub(super) fn read_within(
        self,
        options: &ReadOptions,
        memory: usize,
        log: &NoteLog,
    ) -> Result<Dataset, CliError> {
        let (dataset, beside) = read_within(self.files(), options, memory)?;
        log.tell(beside.as_ref().and_then(packed_rows));
        Ok(dataset)
    }
}

/// The classes of a data set and the number of the class of each row.
pub(super) fn classes(
    dataset: &Dataset,
    positive: Option<&str>,
) -> Result<(Classes, Vec<u32>), CliError> {
    dataset.classes(positive).map_err(|error| CliError::Classes {
        file: dataset.file.clone(),
        target: dataset.schema.target().map(str::to_owned),
        error,
    })
}

/// A preparation, and the rows that it gives.
pub(super) struct Prepared {
    pub(super) preparation: Preparation,
    /// `None` if the rows are used as they are.
    pub(super) rows: Option<Rows<'static>>,
}

/// Fits a preparation to rows of a data set, for a run with this bias, and applies it. Sparse rows become dense ones only within `memory` bytes.
/// `place` gives the index in the data of a row.
pub(super) fn prepared_rows(
    dataset: &Dataset,
    options: PrepareOptions,
    (bias, memory): (Bias, usize),
    rows: &Rows<'_>,
    place: impl FnOnce(usize) -> usize,
) -> Result<Prepared, CliError> {
    let limit = memory / size_of::<f64>();
    match Preparation::fit(options, rows, None, bias, limit) {
        Ok((preparation, rows)) => Ok(Prepared { preparation, rows }),
        Err(error) => Err(prepare_error(dataset, error, place)),
    }
}

fn prepare_error(
    dataset: &Dataset,
    error: ScaleError,
    place: impl FnOnce(usize) -> usize,
) -> CliError {
    let file = dataset.file.clone();
    match error {
        ScaleError::Overflow { feature } => {
            let mut names = dataset.schema.feature_names();
            CliError::ScaledFeature { file, feature: names.swap_remove(feature) }
        }
        ScaleError::Length { row } => CliError::RowLength { file, example: place(row) as u64 + 1 },
        error => CliError::Scale { file, error },
    }
}
