//! One file a command.

mod evaluate;
mod notes;
mod plot;
mod predict;
mod separable;
mod show;
mod study;
mod train;

use std::{path::Path, process::ExitCode};

use rosenblatt::model::{Classifier, Use};
use rosenblatt_data::ModelFile;

use crate::{
    args::{Command, ReadArgs, VoteArgs},
    failure::Failure,
    interrupt,
};

/// How a model is to be used.
fn how(voting: &VoteArgs, reading: &ReadArgs, model: &ModelFile) -> Result<Use, Failure> {
    if voting.by.is_some() && !matches!(model.model.classifier, Classifier::Voted(_)) {
        let hint = "`train --keep vote` makes one";
        return Err(Failure::usage("--by is for voted models, this is none", hint));
    }
    Ok(Use { tally: voting.by.unwrap_or_default(), threads: reading.threads() })
}

/// Refuses an output that would replace one of the inputs.
fn not_over_input(output: &Path, inputs: &[&Path]) -> Result<(), Failure> {
    if output == Path::new("-") {
        let hint = "without -o, results go to standard output; a file called `-` is `./-`";
        return Err(Failure::usage("-o names a file, `-` is none", hint));
    }
    let Ok(target) = output.canonicalize() else { return Ok(()) };
    let same =
        |input: &&&Path| input.is_file() && input.canonicalize().is_ok_and(|path| path == target);
    match inputs.iter().find(same) {
        None => Ok(()),
        Some(input) => Err(Failure::usage(
            format!("{}: the output would replace the input", input.display()),
            "name another file with -o",
        )),
    }
}

/// Runs the command and gives its exit code.
pub(crate) fn run(command: Command) -> Result<ExitCode, Failure> {
    interrupt::install();
    let done = match command {
        Command::Separable(arguments) => return separable::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Study(arguments) => study::run(&arguments),
        Command::Plot(arguments) => plot::run(&arguments),
    };
    done.map(|()| ExitCode::SUCCESS)
}
