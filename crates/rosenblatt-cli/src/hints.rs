//! How to resolve an error with the options of this command.

mod command_line;
mod reading;
mod remedy;

use std::io;

use rosenblatt::study::StudyError;
use rosenblatt_core::{
    calibration::CalibrationError,
    data::{ClassError, ScaleError},
    rules::{self, Rule, Step},
    split::SplitError,
    train::{OptionError, TrainError},
};
use rosenblatt_data::{CheckpointFileError, ExportError, ModelFileError, similar};
use rosenblatt_lab::server::ServeError;

use crate::error::CliError;

use reading::{of_io, of_labels, of_reading, of_reading_for_model};

pub(crate) use command_line::CommandLine;
pub(crate) use reading::{of_missing, quoted};
pub(crate) use remedy::{Addition, options_of, typed};

/// Returns one line of advice, if there is any.
pub(crate) fn hint(error: &CliError) -> Option<String> {
    match error {
        CliError::Usage { hint, .. } | CliError::Sheet { hint, .. } => hint.clone(),
        CliError::Read(error) => of_reading(error),
        CliError::ReadForModel(error) => of_reading_for_model(error),
        CliError::Model(ModelFileError::Newer { tool_version, .. }) => {
            Some(format!("use rosenblatt {tool_version} or newer"))
        }
        CliError::Model(ModelFileError::Io { file, error }) => of_missing(file, error),
        CliError::Model(ModelFileError::NotAModel { .. }) => Some(
            "the order is `predict MODEL DATA`, `evaluate MODEL DATA`, `plot DATA MODEL`"
                .to_owned(),
        ),
        CliError::Model(ModelFileError::IsACheckpoint { .. }) => {
            Some("`train DATA --resume CHECKPOINT -o MODEL` turns it into a model".to_owned())
        }
        CliError::Export { error, .. } => of_export(error),
        CliError::Checkpoint(error) => of_checkpoint(error),
        CliError::Resume { .. } => Some(
            "continue the run with the data and the options that it began with; only `--epochs` may differ"
                .to_owned(),
        ),
        CliError::InterruptedAfter { file, is_traced, .. } => {
            let untraced = match is_traced {
                true => "; without `--trace`, which begins with the first visit",
                false => "",
            };
            let resume = quoted(file);
            Some(format!("run the command again with `--resume {resume}` to continue{untraced}"))
        }
        CliError::InterruptedUnwritten { .. } => Some(
            "with `-o FILE` Ctrl-C ends the run after its epoch, and the model is written"
                .to_owned(),
        ),
        CliError::InterruptedRun { again: Some(options), .. } => {
            Some(format!("`{options}` makes the same model again"))
        }
        CliError::Write { error, .. } | CliError::Token { error, .. } => of_io(error),
        CliError::Classes { target, error, .. } => of_classes(target.as_deref(), error),
        CliError::NoKnownLabel { .. } => Some(
            "without `--unseen-labels skip` these rows count as wrong predictions; is the model one for other labels?"
                .to_owned(),
        ),
        CliError::Scale { error: ScaleError::TooLarge { .. }, .. } => {
            Some("use `--scale maxabs`, which keeps zeros zero, or raise the limit with `--memory`".to_owned())
        }
        CliError::Scale { error: ScaleError::NoFeature { .. }, .. } => {
            Some("leave out `--document-frequency`, or lower its MIN and raise its MAX".to_owned())
        }
        CliError::RowLength { .. }
        | CliError::Calibrate { error: CalibrationError::OutOfRange, .. } => {
            Some("bring the features into range with `--scale maxabs`".to_owned())
        }
        CliError::Train { error, .. } => of_training(error),
        CliError::Study { error, .. } => of_study(error),
        CliError::Split { error, .. } => of_split(error),
        CliError::Calibrate { error: CalibrationError::NoRow { .. }, .. } => {
            let text = "use `--folds 5`, which scores every example; each class needs two examples";
            Some(text.to_owned())
        }
        CliError::ScaledFeature { .. } => {
            Some("`--scale maxabs` divides by the largest size, which cannot overflow".to_owned())
        }
        CliError::Serve(error) => of_serving(error),
        _ => None,
    }
}

fn of_checkpoint(error: &CheckpointFileError) -> Option<String> {
    match error {
        CheckpointFileError::Io { error, .. } => of_io(error),
        CheckpointFileError::Newer { tool_version, .. } => {
            Some(format!("use rosenblatt {tool_version} or newer"))
        }
        _ => Some("`--resume` takes a file that `train --checkpoint` wrote".to_owned()),
    }
}

fn of_export(error: &ExportError) -> Option<String> {
    let text = match error {
        ExportError::NotLinear { .. } => {
            "write `-o FILE.json`, or train without `--kernel` and `--keep vote`"
        }
        ExportError::Prepared { .. } => "write `-o FILE.json` or `-o FILE.onnx`",
        ExportError::TooLarge { .. } => {
            "write `-o FILE.json` or `-o FILE.csv`, which have no limit"
        }
        ExportError::Columns { .. } => {
            "leave out `--columns`; the graph then has one input with the encoded features"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

fn of_classes(target: Option<&str>, error: &ClassError) -> Option<String> {
    match (error, target) {
        (ClassError::ManyClasses { .. }, target) => Some(of_labels(target)),
        (ClassError::NoSuchLabel { label, shown }, _) => {
            similar(label, shown.split(", ")).map(|near| format!("did you mean `{near}`?"))
        }
        (ClassError::OneClass { .. }, Some(target)) => {
            Some(format!("the label is column `{target}`; choose another with `--target`"))
        }
        _ => None,
    }
}

fn of_training(error: &TrainError) -> Option<String> {
    match error {
        TrainError::Overflow { .. }
        | TrainError::Radius { .. }
        | TrainError::AverageOverflow
        | TrainError::KernelOverflow { .. } => {
            let text = "smaller numbers stay in range: `--scale maxabs` for the features, or smaller parameters and weights";
            Some(text.to_owned())
        }
        TrainError::Option(error) => of_option(error),
        _ => None,
    }
}

/// One line of advice on options that exclude each other.
pub(crate) fn of_option(error: &OptionError) -> Option<String> {
    let text = match error {
        OptionError::DecayWith(_) => return Some(of_decay()),
        OptionError::MistakenWith(_) => return Some(of_mistaken()),
        OptionError::JointWith(_) => {
            "use `--classes one-vs-rest`, which learns each class by itself"
        }
        OptionError::PreciseWith(..) => {
            "`--update pa1:1` works with kernels and votes; the second-order rules keep `last`, `average` or `pocket`"
        }
        OptionError::PenaltyWith(_) => {
            "leave out `--penalty`; it goes with first-order rules, `--keep last` or `average`, and `--classes one-vs-rest`"
        }
        OptionError::GivenInit(_) => "leave out `--start`, or `--kernel` and `--keep vote`",
        OptionError::GivenBias { .. } => {
            "a scaling that moves 0 gives the weights a bias: use `--scale maxabs` or `--scale none`"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

fn of_decay() -> String {
    let rules = rules(|rule| rule.takes_learning_rate, " or ");
    format!("a rate that falls goes with {rules}, without `--penalty`")
}

fn of_mistaken() -> String {
    let rules = rules(|rule| matches!(rule.step, Step::OnMistake), " and ");
    format!(
        "`--order mistaken` goes with {rules}, without `--penalty` and `--keep vote`, for two classes \
         (`--positive LABEL` makes two of several)"
    )
}

/// `--update` with the forms of some rules.
fn rules(wanted: fn(&Rule) -> bool, between: &str) -> String {
    let forms = rules::ALL.into_iter().filter(|rule| wanted(rule));
    let forms: Vec<String> = forms.map(|rule| format!("`{}`", rule.form())).collect();
    forms.join(between).replacen('`', "`--update ", 1)
}

fn of_study(error: &StudyError) -> Option<String> {
    let text = match error {
        StudyError::NotSeparable | StudyError::NotKnown => {
            "run without `--sweep`: a study of the data itself is possible"
        }
        StudyError::TooLarge { .. } => {
            "`--sweep margin` moves whole examples, `--sweep scale` multiplies features"
        }
        StudyError::OneFeature | StudyError::NoParallel => {
            "`--sweep units` multiplies all features, also a single one"
        }
        StudyError::Split(_) => "run without `--holdout`, or with another share",
        StudyError::Moved(_) | StudyError::Scaled(_) => {
            "bring the features into range with `--scale maxabs`"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

fn of_split(error: &SplitError) -> Option<String> {
    match error {
        SplitError::TooFewGroups { groups: 1, .. } => Some(
            "leave out `--group`; where rows were copied, groups with equal rows are one"
                .to_owned(),
        ),
        SplitError::TooFew { examples: most, parts: 3.. }
        | SplitError::TooFewGroups { groups: most, parts: 3.. }
            if *most >= 2 =>
        {
            Some(format!("use `--folds {most}` or fewer"))
        }
        _ => None,
    }
}

fn of_serving(error: &ServeError) -> Option<String> {
    let ServeError::Listen { error, .. } = error else { return None };
    let text = match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another lab may be running there; use `--port 0` for any free port"
        }
        io::ErrorKind::PermissionDenied => "use `--port 0` for any free port",
        io::ErrorKind::AddrNotAvailable => {
            "`--host` needs an address of this machine, such as 0.0.0.0"
        }
        _ => return None,
    };
    Some(text.to_owned())
}
