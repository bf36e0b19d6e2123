//! The arguments: what a user can write, and its meaning for the engine and the readers.
//!
//! The options of a run come from the engine's list of them (`options`). To add another option: add a field to the struct
//! of its command (`commands`) or of its group (`groups`), and use it where the group becomes options of the readers.

mod commands;
mod examples;
mod groups;
mod options;
mod other_tools;
mod presets;
mod short_help;
mod sweep;
mod values;
mod words;

use std::{
    error::Error,
    ffi::OsString,
    num::{IntErrorKind, ParseFloatError, ParseIntError},
};

use clap::{
    CommandFactory, FromArgMatches, Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};
use rosenblatt::LectureNotes;
use rosenblatt_core::data::excerpt;

use crate::error::CliError;

pub(crate) use commands::{
    CheckArgs, CompareArgs, CompletionsArgs, EvaluateArgs, ExportArgs, LabArgs, ManArgs, PackArgs,
    PlotArgs, PredictArgs, SeparableArgs, ShowArgs, StudyArgs, TrainArgs,
};
pub(crate) use groups::{
    ColumnArgs, LearnArgs, PrintArgs, ReadArgs, StartArgs, ThresholdArgs, VoteArgs,
};
pub(crate) use presets::{Preset, notes_list};
pub(crate) use sweep::{Alternative, SweepValues};
pub(crate) use values::Costs;
pub(crate) use words::{BlankArg, OnErrorArg, OutputFormatArg, PanelArg, RadiusArg, UnseenArg};

/// Train linear and kernel classifiers with the perceptron algorithm, report whether training converged, and
/// produce identical models on every machine.
#[derive(Debug, Parser)]
#[command(name = "rosenblatt", version, max_term_width = 100, after_help = examples::ALL)]
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
    /// Compare two models on the same labeled data: is one better, or is it chance?
    Compare(CompareArgs),
    /// Decide whether a hyperplane separates the classes, with a proof
    Separable(Box<SeparableArgs>),
    /// Print the contents of a model file
    Show(ShowArgs),
    /// Train many times over random orders; report how soon the runs converge and how much they differ
    Study(Box<StudyArgs>),
    /// Check a run by hand, a table with a row for each visit, and name its first wrong cell
    Check(Box<CheckArgs>),
    /// Convert a data file to a fast binary format (Arrow), so that later runs need not parse it
    Pack(Box<PackArgs>),
    /// Draw data and model
    Plot(Box<PlotArgs>),
    /// Write a model for other programs: ONNX, JSON or a table of weights
    Export(ExportArgs),
    /// Open a page in the browser to watch the perceptron learn
    Lab(Box<LabArgs>),
    /// Print a script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// Print a manual page
    Man(ManArgs),
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
            Command::Evaluate(_)
            | Command::Compare(_)
            | Command::Separable(_)
            | Command::Show(_)
            | Command::Check(_)
            | Command::Lab(_)
            | Command::Completions(_)
            | Command::Man(_) => true,
        }
    }
}

/// Reads the arguments of a process, after the name of the program.
pub(crate) fn parse(words: Vec<OsString>) -> Result<Command, CliError> {
    let words: Vec<OsString> = [OsString::from("rosenblatt")].into_iter().chain(words).collect();
    let mut command = parsed(&words)?;
    if let Command::Train(train) = &mut command {
        train.words = words;
    }
    Ok(command)
}

/// The command of these words, with the options that `--preset` and `--notes` stand for.
fn parsed(words: &[OsString]) -> Result<Command, CliError> {
    let parsed = |words: &[OsString]| {
        let matches = short_help::with_short_help(Arguments::command()).try_get_matches_from(words);
        matches
            .and_then(|matches| Arguments::from_arg_matches(&matches))
            .map_err(|error| usage_error(&error, words))
    };
    let command = judged(parsed(words)?.command);
    let options = match &command {
        Command::Train(train) => match (train.preset, train.learning.notes) {
            (Some(preset), _) => preset.options().to_vec(),
            (None, Some(notes)) => presets::of_notes(notes, false),
            (None, None) => Vec::new(),
        },
        Command::Study(study) => {
            study.learning.notes.map_or_else(Vec::new, |notes| presets::of_notes(notes, true))
        }
        Command::Check(check) => check.notes.map_or_else(Vec::new, LectureNotes::words),
        _ => Vec::new(),
    };
    match options.as_slice() {
        [] => Ok(command),
        options => Ok(parsed(&presets::expanded(words, options))?.command),
    }
}

/// With `--best` the model is judged, by folds where nothing else was asked for.
fn judged(mut command: Command) -> Command {
    const FOLDS: u32 = rosenblatt::recipe::FOLDS as u32;
    if let Command::Train(train) = &mut command
        && train.best
        && train.holdout.is_none()
    {
        train.folds = train.folds.or(Some(FOLDS));
    }
    command
}

/// Turns an error of the parser into one line and one hint.
fn usage_error(error: &clap::Error, typed: &[OsString]) -> CliError {
    let text = error.render().to_string();
    let help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if help {
        return CliError::Help(text);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let hint = "`rosenblatt train DATA -o MODEL` learns a model, `rosenblatt predict MODEL DATA` applies it";
        return CliError::usage("missing command", hint);
    }
    if let Some(message) = not_a_number(error) {
        return CliError::Usage { message, hint: None };
    }
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<_> = paragraph.split_whitespace().map(excerpt).collect();
    if let Some(message) = out_of_range(error, &words.join(" ")) {
        return CliError::Usage { message, hint: None };
    }
    let message = words.join(" ").replace("[possible values:", "[one of:");
    let hint = of_other_tool(error, typed).or_else(|| usage_hint(error));
    CliError::Usage { message: message.trim().to_owned(), hint }
}

/// The option of this command that does what an unknown option does in other tools.
fn of_other_tool(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return None };
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let arguments = Arguments::command();
    let command = arguments.find_subcommand(words.get(1)?)?;
    let has = |option: &str| command.get_arguments().any(|one| one.get_long() == Some(option));
    other_tools::meant(typed, has).map(|meant| format!("did you mean `{meant}`?"))
}

/// The word that was probably meant, or how the command is used if a part of it is missing.
fn usage_hint(error: &clap::Error) -> Option<String> {
    let kinds =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let suggested = kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(word) => Some(word.clone()),
        ContextValue::Strings(words) => words.first().cloned(),
        _ => None,
    });
    if let Some(suggested) = suggested {
        let word = suggested.split_whitespace().next().unwrap_or_default();
        return Some(format!("did you mean `{word}`?"));
    }
    match (error.kind(), error.get(ContextKind::Usage)) {
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::StyledStr(usage))) => {
            let usage = usage.to_string();
            let words: Vec<&str> = usage.split_whitespace().skip(1).collect();
            Some(format!("the form is `{}`", words.join(" ")))
        }
        _ => None,
    }
}

/// The message for a number that is too small or too large, in place of that of the parser, which gives a range of Rust.
fn out_of_range(error: &clap::Error, message: &str) -> Option<String> {
    let (rest, range) = message.rsplit_once(" is not in ")?;
    let value = rest.rsplit(' ').next()?;
    let (least, most) = range.split_once("..")?;
    let option = match error.get(ContextKind::InvalidArg)? {
        ContextValue::String(option) => option.split_whitespace().next()?,
        _ => return None,
    };
    // The largest number of a type is no limit that a user needs to know.
    let most = most.trim_start_matches('=');
    let all = [u64::from(u32::MAX), u64::MAX].map(|all| all.to_string());
    let most = Some(most).filter(|most| !most.is_empty() && !all.iter().any(|all| all == most));
    let upper = most.map_or_else(|| " or more".to_owned(), |most| format!(" to {most}"));
    Some(format!("{option} needs a whole number, {least}{upper}, not `{value}`"))
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
    Some(format!("{option} needs {expected}, not `{}`", excerpt(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The help of `--ngrams` has the default of names as the readers have it.
    #[test]
    fn the_default_of_names_is_told() {
        let train = Arguments::command().find_subcommand("train").unwrap().clone();
        let help = train.get_arguments().find(|one| one.get_id() == "ngrams").unwrap().get_help();
        let told = format!("or --chars {} where", rosenblatt_data::CharNgrams::OF_NAMES);
        assert!(help.unwrap().to_string().contains(&told));
    }

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }
}
