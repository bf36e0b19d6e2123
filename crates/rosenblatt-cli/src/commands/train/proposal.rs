//! A command that a hint proposes. It has been tried.

use std::{fmt, fs, path::Path};

use rosenblatt_data::{Notes, Reader, schema::Schema};

use super::options;
use crate::{
    args::{Command, LearnArgs, TrainArgs},
    commands::{
        inputs::{InputFiles, classes, prepared_rows},
        options::class_weight,
    },
    error::CliError,
    hints::CommandLine,
    text::counted,
};

/// Files of more bytes are not tried whole.
const MOST_BYTES: u64 = 1 << 26;
/// The blocks of a larger file that are tried; a block has about a mebibyte.
const BLOCKS: usize = 64;

/// A `train` command that was carried out up to the first epoch, which only [`ProposedCommand::tried`] makes.
pub(super) struct ProposedCommand {
    line: CommandLine,
    /// The number of examples at the beginning of a large file that were tried; absent for all.
    first_rows: Option<u64>,
    pub(super) schema: Schema,
    pub(super) notes: Notes,
}

impl ProposedCommand {
    /// Reads the files of a command, and makes all of its examples ready to be learned from.
    ///
    /// # Errors
    /// Those of the command.
    pub(super) fn tried(line: CommandLine, arguments: &TrainArgs) -> Result<Self, CliError> {
        let files =
            InputFiles::new(&arguments.data, &arguments.more, arguments.labeled.labels.as_deref());
        let reading =
            arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error);
        let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        if files.all().into_iter().map(size).sum::<u64>() > MOST_BYTES {
            let mut reader = Reader::for_training(files.open()?, &reading)?;
            let rows = reader.by_ref().take(BLOCKS).map(|batch| batch.map(|one| one.len() as u64));
            let rows = rows.sum::<Result<u64, _>>()?;
            let (schema, notes) = (reader.schema().clone(), reader.notes().clone());
            return Ok(ProposedCommand { line, first_rows: Some(rows), schema, notes });
        }
        let dataset = files.read(&reading, arguments.output.as_deref())?;
        let (classes, _) = classes(&dataset, arguments.columns.positive.as_deref())?;
        class_weight(&arguments.learning.run.class_weight, &classes)?;
        let options = options(arguments)?;
        let LearnArgs { prepare, memory, .. } = &arguments.learning;
        prepared_rows(&dataset, prepare.0, options.bias, *memory)?;
        let (schema, notes) = (dataset.schema, dataset.notes);
        Ok(ProposedCommand { line, first_rows: None, schema, notes })
    }
}

/// The arguments of a `train` command.
pub(super) fn arguments(line: &CommandLine) -> Option<Box<TrainArgs>> {
    match line.parsed() {
        Ok(Command::Train(arguments)) => Some(arguments),
        _ => None,
    }
}

impl fmt::Display for ProposedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` reads ", self.line)?;
        match self.first_rows {
            None => f.write_str("this table")?,
            Some(rows) => {
                let rows = counted(rows, "example");
                write!(f, "the beginning of this table ({rows} were tried)")?;
            }
        }
        match self.notes.skipped + self.notes.dropped {
            0 => Ok(()),
            lost => write!(f, " without {}", counted(lost, "row")),
        }
    }
}
