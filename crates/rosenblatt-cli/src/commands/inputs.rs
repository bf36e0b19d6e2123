//! The labeled data of a command: read, with their classes, and scaled.

use std::path::{Path, PathBuf};

use rosenblatt::Error;
use rosenblatt_core::{
    calibration::CalibrationError,
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

/// Fits a preparation to the rows of a data set, for a run with this bias, and applies it. Sparse rows become dense ones only within
/// `memory` bytes.
pub(super) fn prepared_rows(
    dataset: &Dataset,
    options: PrepareOptions,
    bias: Bias,
    memory: usize,
) -> Result<Prepared, CliError> {
    match Preparation::fit(options, &dataset.rows, None, bias, memory / size_of::<f64>()) {
        Ok((preparation, rows)) => Ok(Prepared { preparation, rows }),
        Err(error) => Err(engine_error(dataset, error.into())),
    }
}

/// An error of the engine about this data.
pub(super) fn engine_error(dataset: &Dataset, error: Error) -> CliError {
    let file = dataset.file.clone();
    match error {
        Error::Scale(ScaleError::Overflow { feature }) => {
            let mut names = dataset.schema.feature_names();
            CliError::ScaledFeature { file, feature: names.swap_remove(feature) }
        }
        Error::Scale(ScaleError::Length { row }) => {
            CliError::RowLength { file, example: row as u64 + 1 }
        }
        Error::Scale(error) => CliError::Scale { file, error },
        Error::Split(error) => CliError::Split { file, error },
        Error::Calibration(CalibrationError::FoldWithoutClass { .. }) => CliError::usage(
            format!(
                "{file}: `--calibrate` needs scores of every class from every fold, and one fold has no example of some class to learn from"
            ),
            "leave the rare classes out of the data; of three classes or more, `--positive LABEL` joins the others",
        ),
        Error::Calibration(error) => CliError::Calibrate { file, error },
        Error::Predict(error) => CliError::predicting(&file, error, |row| row as u64 + 1),
        Error::Count(error) => error.into(),
        Error::Rows(error) => error.into(),
        Error::Options(error) => CliError::Train { file, error: error.into() },
        Error::Train(error) => CliError::Train { file, error },
        error => CliError::Engine { file, error },
    }
}
