//! The arguments: what a user can write, and its meaning for the engine and the readers.
//!
//! The options of a run come from the engine's list of them (`options`). To add another option: add a field to the struct
//! of its command (`commands`) or of its group (`groups`), and use it where the group becomes options of the readers.

mod commands;
mod groups;
mod options;
mod values;
mod words;

use std::{
    error::Error,
    num::{IntErrorKind, ParseFloatError, ParseIntError},
};

use clap::{
    Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::error::CliError;

pub(crate) use commands::{
    EvaluateArgs, ExportArgs, LabArgs, PackArgs, PlotArgs, PredictArgs, SeparableArgs, ShowArgs,
    StudyArgs, TrainArgs,
};
pub(crate) use groups::{ColumnArgs, LearnArgs, ReadArgs, VoteArgs};
pub(crate) use words::{BlankArg, OnErrorArg, OutputFormatArg, PanelArg, ScaleArg, UnseenArg};

/// Train linear and kernel classifiers with the perceptron algorithm, report whether training converged, and
/// produce identical models on every machine.
#[derive(Debug, Parser)]
#[command(name = "rosenblatt", version, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Learn a model from labeled data
    Train(Box<TrainArgs>),
    /// Write the predicted label of each row, one per line
    Predict(PredictArgs),
    /// Compare the predictions of a model with the labels of the data
    Evaluate(EvaluateArgs),
    /// Decide whether a hyperplane separates the classes, with a proof
    Separable(Box<SeparableArgs>),
    /// Print the contents of a model file
    Show(ShowArgs),
    /// Train many times over random orders; report how soon the runs converge and how much they differ
    Study(Box<StudyArgs>),
    /// Convert a data file to a fast binary format (Arrow), so that later runs need not parse it
    Pack(Box<PackArgs>),
    /// Draw data and model
    Plot(Box<PlotArgs>),
    /// Write a model for other programs: ONNX, JSON or a table of weights
    Export(ExportArgs),
    /// Open a page in the browser to watch the perceptron learn
    Lab(Box<LabArgs>),
}

impl Command {
    /// Whether there is a result for standard output.
    pub(crate) fn prints(&self) -> bool {
        match self {
            Command::Train(train) => train.printing.json || !train.printing.quiet,
            Command::Study(study) => study.printing.json || !study.printing.quiet,
            Command::Pack(pack) => !pack.quiet,
            Command::Predict(predict) => predict.output.is_none(),
            Command::Plot(_) | Command::Export(_) => false,
            Command::Evaluate(_) | Command::Separable(_) | Command::Show(_) | Command::Lab(_) => {
                true
            }
        }
    }
}

/// Reads the arguments of the process.
pub(crate) fn parse() -> Result<Command, CliError> {
    match Arguments::try_parse() {
        Ok(arguments) => Ok(arguments.command),
        Err(error) => Err(usage_error(&error)),
    }
}

const LIST_OPTIONS: &str = "`--help` after the command lists its options";

/// Turns an error of the parser into one line and one hint.
fn usage_error(error: &clap::Error) -> CliError {
    let text = error.render().to_string();
    let help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if help {
        return CliError::Help(text);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let message = "missing command (try `rosenblatt train DATA -o MODEL`)";
        return CliError::usage(message, "`rosenblatt --help` lists the commands");
    }
    if let Some(message) = not_a_number(error) {
        return CliError::usage(message, LIST_OPTIONS);
    }
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let mut paragraphs = text.split("\n\n").map(|paragraph| {
        paragraph
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace("[possible values:", "[one of:")
    });
    let message = paragraphs.next().unwrap_or_default();
    let tip = paragraphs.find_map(|text| text.strip_prefix("tip: ").map(str::to_owned));
    // Advice to write `--` before a value helps with no option of this command.
    let tip = tip.filter(|tip| !tip.starts_with("to pass "));
    let hint = tip.unwrap_or_else(|| LIST_OPTIONS.to_owned());
    CliError::usage(message.trim(), hint)
}

/// The message for a value that is not a number, in place of that of the standard library.
fn not_a_number(error: &clap::Error) -> Option<String> {
    let source = error.source()?;
    let is_integer = source.downcast_ref().is_some_and(|error: &ParseIntError| {
        matches!(error.kind(), IntErrorKind::Empty | IntErrorKind::InvalidDigit)
    });
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let (option, value) = (word(ContextKind::InvalidArg)?, word(ContextKind::InvalidValue)?);
    let expected = match (is_integer, source.is::<ParseFloatError>()) {
        (true, _) if value.starts_with('-') => "a whole number ≥ 0",
        (true, _) => "a whole number",
        (_, true) => "a number",
        _ => return None,
    };
    let option = option.split_whitespace().next()?;
    Some(format!("{option} needs {expected}, not `{value}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }
}
