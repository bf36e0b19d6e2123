//! How to resolve an error with the options of this command.

use std::io;

use rosenblatt::{
    data::{ClassError, ScaleError},
    study::StudyError,
    train::TrainError,
};
use rosenblatt_data::{
    CheckpointFileError, ColumnarProblem, ExportError, IdxProblem, ModelFileError, Problem,
    ReadError,
};
use rosenblatt_lab::server::ServeError;

use crate::error::CliError;

/// Returns one line of advice, if there is any.
pub(crate) fn hint(error: &CliError) -> Option<String> {
    match error {
        CliError::Usage { hint, .. } => hint.clone(),
        CliError::Read(error) => of_reading(error),
        CliError::ReadForModel(error) => of_reading_for_model(error),
        CliError::Model(ModelFileError::Newer { tool_version, .. }) => {
            Some(format!("use rosenblatt {tool_version} or newer"))
        }
        CliError::Model(ModelFileError::Io { error, .. }) => of_io(error),
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
        CliError::InterruptedAfter { file, .. } => {
            Some(format!("run the command again with `--resume {}` to continue", quoted(file)))
        }
        CliError::Write { error, .. } | CliError::Token { error, .. } => of_io(error),
        CliError::Classes { target, error, .. } => of_classes(target.as_deref(), error),
        CliError::Scale { error: ScaleError::TooLarge { .. }, .. } => {
            Some("use `--scale maxabs`, which keeps zeros zero, or raise the limit with `--memory`".to_owned())
        }
        CliError::Train { error, .. } => of_training(error),
        CliError::Study { error, .. } => of_study(error),
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
        ExportError::TooLarge { .. } => {
            "write `-o FILE.json` or `-o FILE.csv`, which have no limit"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

fn of_io(error: &io::Error) -> Option<String> {
    let missing = error.kind() == io::ErrorKind::NotFound;
    missing.then(|| "check the path; it is relative to the current folder".to_owned())
}

fn of_reading(error: &ReadError) -> Option<String> {
    let text = match error {
        ReadError::Open { error, .. } => return of_io(error),
        ReadError::UnknownFormat { .. } => {
            "pass `--format csv` (or `tsv`, `libsvm`, `idx`, `parquet`, `arrow`); for whitespace-separated text add `--delimiter space`"
        }
        ReadError::NoExamples { skipped: 0, header: true, .. } => {
            "the first line is read as a header; use `--no-header` if it is an example"
        }
        ReadError::NoExamples { skipped: 1.., .. } => {
            "run without `--on-error skip` to see the first bad row"
        }
        ReadError::NotText { .. } => "convert the file to text in UTF-8",
        ReadError::NoSuchColumn { .. } => {
            "give the name of a column or its position, counted from 1"
        }
        ReadError::NoFeatures { columns: 1, target, .. } => return Some(of_one_column(target)),
        ReadError::TooManyFeatures { column: Some(most), .. } => {
            let column = quoted(&most.column);
            return Some(format!(
                "leave the column out with `--ignore {column}`, or raise the limit with `--max-features`"
            ));
        }
        ReadError::TooManyFeatures { .. } => "raise the limit with `--max-features`",
        ReadError::TooManyLabels { target, .. } => return Some(of_labels(target.as_deref())),
        ReadError::MissingColumn { .. } => {
            "columns are found by their names in the header; use `--no-header` if the file has no header"
        }
        ReadError::LabelsBeside { .. } => {
            "choose the label column with `--target`, or pass `--format idx` for IDX data"
        }
        ReadError::BothStandardInput => "save the labels to a file and pass `--labels FILE`",
        ReadError::Idx { problem, .. } => return of_idx(problem),
        ReadError::Columnar { problem, .. } => return of_columnar(problem),
        ReadError::Data { problem, .. } => return of_problem(problem),
        _ => return None,
    };
    Some(text.to_owned())
}

/// Advice for a table whose rows seem to have one cell: its name may contain the separator.
fn of_one_column(name: &str) -> String {
    let separators = [(';', "semicolon"), ('\t', "tab")];
    match separators.into_iter().find(|(separator, _)| name.contains(*separator)) {
        Some((separator, word)) => {
            format!("is the separator `{}`? try `--delimiter {word}`", separator.escape_default())
        }
        None => "set the separator of cells with `--delimiter` [default: `,`]".to_owned(),
    }
}

fn of_idx(problem: &IdxProblem) -> Option<String> {
    let text = match problem {
        IdxProblem::Record { problem, .. } => return of_problem(problem),
        IdxProblem::Magic { .. } => {
            "`--format` sets the format of the data; the file of `--labels` is always IDX"
        }
        IdxProblem::TooManyFeatures { .. } => {
            "raise the limit with `--max-features`; each feature takes 8 bytes per weight vector"
        }
        IdxProblem::NoLabels { .. } => "pass the label file with `--labels FILE`",
        IdxProblem::LabelDimensions { .. }
        | IdxProblem::LabelType { .. }
        | IdxProblem::LabelCount { .. } => "pass another label file with `--labels FILE`",
        _ => return None,
    };
    Some(text.to_owned())
}

fn of_columnar(problem: &ColumnarProblem) -> Option<String> {
    match problem {
        ColumnarProblem::NotBuilt { .. } => Some(
            "`cargo install rosenblatt-cli --features columnar` builds one that reads it"
                .to_owned(),
        ),
        ColumnarProblem::Names { problem } | ColumnarProblem::Cell { problem, .. } => {
            of_problem(problem)
        }
        ColumnarProblem::Type { column, .. } => {
            Some(format!("leave the column out with `--ignore {}`", quoted(column)))
        }
        ColumnarProblem::PackedColumn { .. } => {
            Some("`pack` takes the options for columns; pack the source again".to_owned())
        }
        ColumnarProblem::PackedVersion { .. }
        | ColumnarProblem::PackedDamaged { .. }
        | ColumnarProblem::PackedForOther => {
            Some("pack the source again, or use the source itself".to_owned())
        }
        _ => None,
    }
}

/// Hints for reading data for a model, whose columns no option can change.
fn of_reading_for_model(error: &ReadError) -> Option<String> {
    let problem = match error {
        ReadError::Data { problem, .. } => problem,
        ReadError::Columnar { problem, .. } => match &**problem {
            ColumnarProblem::Cell { problem, .. } => problem,
            ColumnarProblem::Type { .. } => return None,
            problem => return of_columnar(problem),
        },
        error => return of_reading(error),
    };
    match problem {
        Problem::EmptyCell { column } | Problem::Null { column } => {
            Some(format!("no `{column}` was empty in the training data; rows must be complete"))
        }
        Problem::NotFinite { column, .. } | Problem::NotANumber { column, .. } => {
            Some(format!("every `{column}` was a number in the training data"))
        }
        Problem::UnknownLabel { .. } => of_problem(problem),
        _ => None,
    }
}

fn of_problem(problem: &Problem) -> Option<String> {
    let text = match problem {
        Problem::EmptyCell { column }
        | Problem::Null { column }
        | Problem::NotExact { column, .. }
        | Problem::NotFinite { column, .. } => {
            return Some(format!(
                "leave the column out with `--ignore {}`, or the row with `--on-error skip`",
                quoted(column)
            ));
        }
        Problem::NotANumber { column, .. } | Problem::NumberInText { column, .. } => {
            let column = quoted(column);
            return Some(format!(
                "`--categorical {column}` reads every cell as a category, `--ignore {column}` \
                 leaves the column out, `--on-error skip` leaves out the row"
            ));
        }
        Problem::UnnamedColumn { position } => {
            return Some(format!(
                "name it in the header, or leave it out with `--ignore {position}`"
            ));
        }
        Problem::HeaderIsNumber { .. } => {
            "use `--no-header` if the first line is an example, `--header` if it names the columns"
        }
        Problem::EmptyLabel { .. }
        | Problem::NotFiniteLabel { .. }
        | Problem::ControlInLabel { .. }
        | Problem::TextAfterQuote
        | Problem::RaggedRow { .. } => "`--on-error skip` skips and counts such rows",
        Problem::OpenQuote => "a cell that begins with a quote must end with one",
        Problem::TooManyFeatures { .. } | Problem::IndexTooLarge { .. } => {
            "raise the limit with `--max-features`; each feature takes 8 bytes per weight vector"
        }
        Problem::IndexZero => "use `--zero-based` if the file counts from 0",
        Problem::NotAscending { .. } => "sort the entries of the line, with each index once",
        Problem::MissingLabel { .. } => "each line begins with its label",
        Problem::BadLabel { .. } | Problem::NotAPair { .. } => {
            "LIBSVM lines are `label index:value …` with numbers; use `--format csv` if this is a table"
        }
        Problem::NotFiniteValue { .. } => "`--on-error skip` skips and counts such records",
        Problem::BadValue { .. } | Problem::ValueNotFinite { .. } => {
            "`--on-error skip` skips and counts such lines"
        }
        Problem::UnknownLabel { .. } => "`--on-error skip` skips and counts such rows",
        _ => return None,
    };
    Some(text.to_owned())
}

/// The name of a column as a shell takes it.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !name.is_empty() && name.chars().all(plain) { name.to_owned() } else { format!("'{name}'") }
}

fn of_classes(target: Option<&str>, error: &ClassError) -> Option<String> {
    match (error, target) {
        (ClassError::ManyClasses { .. }, target) => Some(of_labels(target)),
        (ClassError::OneClass { .. }, Some(target)) => {
            Some(format!("the label is column `{target}`; choose another with `--target`"))
        }
        _ => None,
    }
}

/// Advice for too many labels.
fn of_labels(target: Option<&str>) -> String {
    match target {
        Some(target) => format!(
            "the label is column `{target}`, which looks like a quantity; choose another with `--target`, \
             or train one label against the rest with `--positive LABEL`"
        ),
        None => "train one label against the rest with `--positive LABEL`".to_owned(),
    }
}

fn of_training(error: &TrainError) -> Option<String> {
    match error {
        TrainError::Overflow { .. }
        | TrainError::Radius { .. }
        | TrainError::AverageOverflow
        | TrainError::KernelOverflow { .. } => {
            Some("bring the features into range with `--scale maxabs`".to_owned())
        }
        _ => None,
    }
}

fn of_study(error: &StudyError) -> Option<String> {
    let text = match error {
        StudyError::NotSeparable | StudyError::NotKnown => {
            "run without `--sweep`: a study of the data itself is possible"
        }
        StudyError::OneFeature | StudyError::TooLarge { .. } => {
            "`--sweep margin` moves whole examples, `--sweep scale` multiplies features"
        }
        StudyError::Moved(_) | StudyError::Scaled(_) => {
            "bring the features into range with `--scale maxabs`"
        }
        _ => return None,
    };
    Some(text.to_owned())
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
