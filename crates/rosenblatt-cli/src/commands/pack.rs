//! `rosenblatt pack`: from a file to its encoded rows, learned from where they lie.

use std::path::Path;

use rosenblatt_data::{DataFiles, PackError, ReadOptions, pack};

use super::notes;
use crate::{args::PackArgs, failure::Failure, output, text::counted};

pub(crate) fn run(arguments: &PackArgs) -> Result<(), Failure> {
    if arguments.data == Path::new("-") {
        return Err(Failure::usage(
            "`pack` reads its data more than once, and standard input comes only once",
            "save the data to a file before",
        ));
    }
    if arguments.columns.positive.is_some() {
        let hint = "`train` and the others take it, of a packed file too";
        return Err(Failure::usage("`pack` keeps all labels and knows no `--positive`", hint));
    }
    let (data, labels) = (arguments.data.as_path(), arguments.labels.as_deref());
    if arguments.output.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let hint = "a packed file is read where it lies, so it must be a file";
        return Err(Failure::usage(format!("{} is no file", arguments.output.display()), hint));
    }
    super::prepare("-o", &arguments.output, &[data, labels.unwrap_or(data)])?;
    let options = arguments.reading.options_with(&arguments.columns, arguments.on_error);
    // One of any number of labels may be trained against the rest.
    let options = ReadOptions { max_labels: None, ..options };
    let packing = pack(DataFiles { data, labels }, &options, &arguments.output)?;
    notes::print(&packing.notes, &packing.schema, arguments.quiet);
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

impl From<PackError> for Failure {
    fn from(error: PackError) -> Self {
        match error {
            PackError::Read(error) => Failure::Read(error),
            PackError::Write { file, error } => Failure::Write { file, error },
            error => Failure::Pack(error),
        }
    }
}
