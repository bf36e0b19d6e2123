//! `rosenblatt pack`: from a data file to its encoded rows, which later runs map into memory.

use std::path::Path;

use rosenblatt_data::{PackError, ReadOptions, pack};

use super::{inputs::InputFiles, notes::NoteLog, outputs::prepare};
use crate::{args::PackArgs, error::CliError, output, text::counted};

pub(crate) fn run(arguments: &PackArgs) -> Result<(), CliError> {
    if [&arguments.data].into_iter().chain(&arguments.more).any(|path| path == Path::new("-")) {
        return Err(CliError::usage(
            "`pack` reads its data more than once, and standard input comes only once",
            "save the data to a file first",
        ));
    }
    if arguments.columns.positive.is_some() {
        let hint = "the other commands take it, for packed files too";
        return Err(CliError::usage("`pack` keeps all labels and knows no `--positive`", hint));
    }
    let files =
        InputFiles::new(&arguments.data, &arguments.more, arguments.labeled.labels.as_deref());
    if arguments.output.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let hint = "the output must be a regular file, because packed files are mapped into memory";
        return Err(CliError::usage(format!("{} is not a file", arguments.output.display()), hint));
    }
    prepare("-o", &arguments.output, &files.all())?;
    let options = arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error);
    // `--positive` may choose one of any number of labels later.
    let options = ReadOptions { max_labels: None, ..options };
    let packing = pack(files.files(), &options, &arguments.output)?;
    NoteLog::with_quiet(arguments.quiet).tell(packing.notes.list(&packing.schema));
    if arguments.quiet {
        return Ok(());
    }
    let rows = counted(packing.rows, "row");
    let features = counted(packing.schema.features() as u64, "feature");
    output::print(&format!(
        "{}: {rows} of {features}, {}\n",
        arguments.output.display(),
        counted(packing.bytes, "byte")
    ))
}

impl From<PackError> for CliError {
    fn from(error: PackError) -> Self {
        match error {
            PackError::Read(error) => CliError::Read(error),
            PackError::Write { file, error } => CliError::Write { file, error },
            error => CliError::Pack(error),
        }
    }
}
