//! One file a command.

mod evaluate;
mod export;
mod lab;
mod notes;
mod pack;
mod plot;
mod predict;
mod separable;
mod show;
mod study;
mod train;

use std::{path::Path, process::ExitCode};

use rosenblatt::model::{Classifier, Use};
use rosenblatt_data::{
    AtomicFile, DataFiles, Dataset, LoadedModel, ModelFile, Notes, ReadOptions, Source, read,
    read_within,
};

use crate::{
    args::{Command, ReadArgs, VoteArgs},
    failure::Failure,
    interrupt, output,
};

/// Reads a model file; a note says where damage to it could not be seen.
fn load_model(path: &Path, quiet: bool) -> Result<ModelFile, Failure> {
    let LoadedModel { file, has_checksum } = LoadedModel::load(path)?;
    if !has_checksum && !quiet {
        notes::print_without_checksum(path);
    }
    Ok(file)
}

/// How a model is to be used.
fn how(voting: &VoteArgs, reading: &ReadArgs, model: &ModelFile) -> Result<Use, Failure> {
    if voting.by.is_some() && !matches!(model.model.classifier, Classifier::Voted(_)) {
        let hint = "`train --keep vote` makes one";
        return Err(Failure::usage("--by is for voted models, this is none", hint));
    }
    Ok(Use { tally: voting.by.unwrap_or_default(), threads: reading.threads() })
}

/// Refuses, before any work, an output that cannot be written or that would replace one of the inputs; `option` names
/// it. What killed commands left of the same output is removed, nothing else is touched.
fn prepare(option: &str, output: &Path, inputs: &[&Path]) -> Result<(), Failure> {
    if output == Path::new("-") {
        let message = format!("{option} names a file, `-` is none");
        return Err(Failure::usage(message, "a file called `-` is `./-`"));
    }
    not_over_input(output, inputs)?;
    let file = || output.display().to_string();
    rosenblatt_data::prepare(output).map_err(|error| Failure::Write { file: file(), error })
}

/// Refuses an output that would replace one of the inputs.
fn not_over_input(output: &Path, inputs: &[&Path]) -> Result<(), Failure> {
    let Ok(target) = output.canonicalize() else { return Ok(()) };
    let same =
        |input: &&&Path| input.is_file() && input.canonicalize().is_ok_and(|path| path == target);
    match inputs.iter().find(same) {
        None => Ok(()),
        Some(input) => Err(Failure::usage(
            format!("{}: the output would replace the input", input.display()),
            "name another file for the output",
        )),
    }
}

/// Writes an output whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let file = || path.display().to_string();
    AtomicFile::write(path, bytes).map_err(|error| Failure::Write { file: file(), error })
}

/// Reads labelled data whole, with the labels of IDX data in a second file. An output, which is prepared, must not
/// replace labels that are found beside the data either.
fn read_labelled(
    (data, labels): (&Path, Option<&Path>),
    options: &ReadOptions,
    output: Option<&Path>,
) -> Result<Dataset, Failure> {
    let dataset = read(Source::open_labelled(data, labels)?, options)?;
    not_over_labels(output, &dataset.notes)?;
    Ok(dataset)
}

/// Reads labelled data whole; rows that take more than `memory` lie in a packed file beside the data.
fn read_within_memory(
    files: DataFiles<'_>,
    options: &ReadOptions,
    (memory, quiet): (usize, bool),
) -> Result<Dataset, Failure> {
    let (dataset, beside) = read_within(files, options, memory)?;
    if let (Some(beside), false) = (&beside, quiet) {
        notes::print_beside(beside);
    }
    Ok(dataset)
}

/// An output must not replace labels that were found beside the data.
fn not_over_labels(output: Option<&Path>, notes: &Notes) -> Result<(), Failure> {
    match (output, &notes.labels_beside) {
        (Some(path), Some(found)) => not_over_input(path, &[found.as_ref()]),
        _ => Ok(()),
    }
}

/// Runs the command and gives its exit code.
pub(crate) fn run(command: Command) -> Result<ExitCode, Failure> {
    interrupt::install();
    if command.prints() && output::is_closed() {
        return Err(Failure::Closed);
    }
    rosenblatt_data::report_cut_off_files();
    let done = match command {
        Command::Separable(arguments) => return separable::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Pack(arguments) => pack::run(&arguments),
        Command::Study(arguments) => study::run(&arguments),
        Command::Plot(arguments) => plot::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Lab(arguments) => lab::run(*arguments),
    };
    done.map(|()| ExitCode::SUCCESS)
}
