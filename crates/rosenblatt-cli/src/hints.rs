//! How to resolve an error with the options of this command.

use std::io;

use rosenblatt::{
    data::{ClassError, ScaleError},
    study::StudyError,
    train::TrainError,
};
use rosenblatt_data::{
    CheckpointFileError, ColumnarProblem, CsvProblem, ExportError, FormatKind, FormatProblem,
    IdxProblem, LibsvmProblem, ModelFileError, PackedProblem, Problem, ReadError,
};
use rosenblatt_lab::server::ServeError;

use crate::failure::Failure;

/// One line of advice, where there is any.
pub(crate) fn hint(failure: &Failure) -> Option<String> {
    match failure {
        Failure::Usage { hint, .. } => hint.clone(),
        Failure::Read(error) => of_reading(error),
        Failure::ReadForModel(error) => of_reading_for_model(error),
        Failure::Model(ModelFileError::Newer { tool_version, .. }) => {
            Some(format!("use rosenblatt {tool_version} or newer"))
        }
        Failure::Model(ModelFileError::Io { error, .. }) => of_io(error),
        Failure::Model(ModelFileError::NotAModel { .. }) => Some(
            "the order is `predict MODEL DATA`, `evaluate MODEL DATA`, `plot DATA MODEL`"
                .to_owned(),
        ),
        Failure::Model(ModelFileError::IsACheckpoint { .. }) => {
            Some("`train DATA --resume CHECKPOINT -o MODEL` makes a model of it".to_owned())
        }
        Failure::Export { error, .. } => of_export(error),
        Failure::Checkpoint(error) => of_checkpoint(error),
        Failure::Resume { .. } => Some(
            "a run goes on with the data and the options that it began with; only `--epochs` may differ"
                .to_owned(),
        ),
        Failure::InterruptedAfter { file, .. } => {
            Some(format!("the same command with `--resume {}` goes on from there", quoted(file)))
        }
        Failure::Write { error, .. } | Failure::Token { error, .. } => of_io(error),
        Failure::Classes { target, error, .. } => of_classes(target.as_deref(), error),
        Failure::Scale { error: ScaleError::TooLarge { .. }, .. } => {
            Some("`--scale maxabs` keeps zeros zero, and `--memory` sets the limit".to_owned())
        }
        Failure::Train { error, .. } => of_training(error),
        Failure::Study { error, .. } => of_study(error),
        Failure::Serve(error) => of_serving(error),
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
            "`-o FILE.json` takes every model; `train` without `--kernel` or `--keep vote` makes a linear one"
        }
        ExportError::TooLarge { .. } => "`-o FILE.json` and `-o FILE.csv` have no limit",
        _ => return None,
    };
    Some(text.to_owned())
}

fn of_io(error: &io::Error) -> Option<String> {
    let missing = error.kind() == io::ErrorKind::NotFound;
    missing.then(|| "check the path; it is relative to the present folder".to_owned())
}

fn of_reading(error: &ReadError) -> Option<String> {
    let text = match error {
        ReadError::Open { error, .. } => return of_io(error),
        ReadError::UnknownFormat { .. } => return Some(of_unknown_format()),
        ReadError::NoExamples { skipped: 0, header: true, .. } => {
            "the first line is read as a header; `--no-header` if it is an example"
        }
        ReadError::NoExamples { skipped: 1.., .. } => {
            "without `--on-error skip` the first bad row is shown"
        }
        ReadError::NotText { .. } => "convert the file to text in UTF-8",
        ReadError::NoSuchColumn { .. } => "a column goes by its name or by its position from 1",
        ReadError::NoFeatures { columns: 1, .. } => {
            "`--delimiter` says what separates cells (`,` unless told otherwise)"
        }
        ReadError::TooManyFeatures { column: Some(most), .. } => {
            let column = quoted(&most.column);
            return Some(format!(
                "`--ignore {column}` leaves the column out; `--max-features` raises the limit"
            ));
        }
        ReadError::TooManyFeatures { .. } => "`--max-features` raises the limit",
        ReadError::TooManyLabels { target, .. } => return Some(of_labels(target.as_deref())),
        ReadError::MissingColumn { .. } => {
            "columns are found by their names in the header; `--no-header` if the file has none"
        }
        ReadError::UnusedLabels { .. } => {
            "`--target` names the column with the labels; `--format idx` if these are IDX data"
        }
        ReadError::BothStandardInput => "`--labels FILE` names the labels, `-` is the data",
        ReadError::Format { problem, .. } => return of_format(problem),
        ReadError::Data { problem, .. } => return of_problem(problem),
        _ => return None,
    };
    Some(text.to_owned())
}

/// Names all formats.
fn of_unknown_format() -> String {
    let names = FormatKind::all().into_iter().map(|kind| format!("`{}`", kind.name()));
    let names = names.collect::<Vec<_>>().join(", ").replacen('`', "`--format ", 1);
    let (others, last) = names.rsplit_once(", ").unwrap_or(("", &names));
    format!("name it: {others} or {last}; `--delimiter space` for columns of blanks")
}

/// A problem that only one format has.
fn of_format(problem: &FormatProblem) -> Option<String> {
    if let Some(problem) = problem.downcast_ref() {
        return of_idx(problem);
    }
    if let Some(problem) = problem.downcast_ref() {
        return of_columnar(problem);
    }
    if let Some(problem) = problem.downcast_ref() {
        return of_packed(problem);
    }
    if let Some(problem) = problem.downcast_ref() {
        return of_csv(problem).map(str::to_owned);
    }
    problem.downcast_ref().and_then(of_libsvm).map(str::to_owned)
}

fn of_packed(problem: &PackedProblem) -> Option<String> {
    let text = match problem {
        PackedProblem::Row { problem, .. } => return of_problem(problem),
        PackedProblem::ColumnChosen { .. } => {
            "`pack` takes the options of columns; pack its source again"
        }
        PackedProblem::Version { .. } | PackedProblem::Damaged { .. } | PackedProblem::ForOther => {
            "`pack` its source again, or name it"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

fn of_csv(problem: &CsvProblem) -> Option<&'static str> {
    match problem {
        CsvProblem::HeaderIsNumber { .. } => Some(
            "`--no-header` if the first line is an example, `--header` if it names the columns",
        ),
        CsvProblem::TextAfterQuote | CsvProblem::RaggedRow { .. } => {
            Some("`--on-error skip` leaves such rows out and counts them")
        }
        CsvProblem::OpenQuote => Some("a cell that begins with a quote must end with one"),
        _ => None,
    }
}

fn of_libsvm(problem: &LibsvmProblem) -> Option<&'static str> {
    match problem {
        LibsvmProblem::IndexTooLarge { .. } => {
            Some("`--max-features` raises the limit; each feature takes 8 bytes a weight vector")
        }
        LibsvmProblem::IndexZero => Some("`--zero-based` if the file counts from 0"),
        LibsvmProblem::NotAscending { .. } => Some("sort the entries of the line, each index once"),
        LibsvmProblem::MissingLabel { .. } => Some("each line begins with its label"),
        LibsvmProblem::BadLabel { .. } | LibsvmProblem::NotAPair { .. } => Some(
            "LIBSVM lines are `label index:value …` with numbers; `--format csv` if this is a table",
        ),
        LibsvmProblem::BadValue { .. } | LibsvmProblem::ValueNotFinite { .. } => {
            Some("`--on-error skip` leaves such lines out and counts them")
        }
        _ => None,
    }
}

fn of_idx(problem: &IdxProblem) -> Option<String> {
    let text = match problem {
        IdxProblem::Record { problem, .. } => return of_problem(problem),
        IdxProblem::Magic { .. } => {
            "`--format` names the format of the data; the file of `--labels` is always IDX"
        }
        IdxProblem::TooManyFeatures { .. } => {
            "`--max-features` raises the limit; each feature takes 8 bytes a weight vector"
        }
        IdxProblem::NotFiniteValue { .. } => {
            "`--on-error skip` leaves such records out and counts them"
        }
        IdxProblem::NoLabels { .. } => "`--labels FILE` names it",
        IdxProblem::LabelDimensions { .. }
        | IdxProblem::LabelType { .. }
        | IdxProblem::LabelCount { .. } => "`--labels FILE` names another file",
        _ => return None,
    };
    Some(text.to_owned())
}

fn of_columnar(problem: &ColumnarProblem) -> Option<String> {
    match problem {
        ColumnarProblem::NotBuilt { .. } => {
            Some("`cargo install rosenblatt-cli --features columnar` builds one with it".to_owned())
        }
        ColumnarProblem::Names { problem } | ColumnarProblem::Cell { problem, .. } => {
            of_problem(problem)
        }
        ColumnarProblem::Type { column, .. } => {
            Some(format!("`--ignore {}` leaves the column out", quoted(column)))
        }
        _ => None,
    }
}

/// Columns are the model's: no option changes what they hold.
fn of_reading_for_model(error: &ReadError) -> Option<String> {
    let problem = match error {
        ReadError::Data { problem, .. } => problem,
        ReadError::Format { problem, .. } => match problem.downcast_ref() {
            Some(ColumnarProblem::Cell { problem, .. }) => problem,
            Some(ColumnarProblem::Type { .. }) => return None,
            _ => return of_format(problem),
        },
        error => return of_reading(error),
    };
    match problem {
        Problem::EmptyCell { column } | Problem::Null { column } => {
            Some(format!("in the training data no `{column}` was empty; rows must be complete"))
        }
        Problem::NotFinite { column, .. } | Problem::NotANumber { column, .. } => {
            Some(format!("in the training data every `{column}` was a number"))
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
                "`--ignore {}` leaves the column out, `--on-error skip` the row",
                quoted(column)
            ));
        }
        Problem::NotANumber { column, .. } | Problem::NumberInText { column, .. } => {
            let column = quoted(column);
            return Some(format!(
                "`--categorical {column}` takes every cell as a category, `--ignore {column}` \
                 leaves the column out, `--on-error skip` the row"
            ));
        }
        Problem::UnnamedColumn { position } => {
            return Some(format!("name it in the header, or leave it out: `--ignore {position}`"));
        }
        Problem::EmptyLabel { .. }
        | Problem::NotFiniteLabel { .. }
        | Problem::ControlInLabel { .. } => {
            "`--on-error skip` leaves such rows out and counts them"
        }
        Problem::TooManyFeatures { .. } => {
            "`--max-features` raises the limit; each feature takes 8 bytes a weight vector"
        }
        Problem::UnknownLabel { .. } => "`--on-error skip` leaves such rows out and counts them",
        Problem::Format(problem) => return of_format(problem),
        _ => return None,
    };
    Some(text.to_owned())
}

/// A column's name as a shell takes it.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !name.is_empty() && name.chars().all(plain) { name.to_owned() } else { format!("'{name}'") }
}

fn of_classes(target: Option<&str>, error: &ClassError) -> Option<String> {
    match (error, target) {
        (ClassError::ManyClasses { .. }, target) => Some(of_labels(target)),
        (ClassError::OneClass { .. }, Some(target)) => {
            Some(format!("the label is column `{target}`; `--target` names another"))
        }
        _ => None,
    }
}

/// Too many labels to be classes.
fn of_labels(target: Option<&str>) -> String {
    match target {
        Some(target) => format!(
            "the label is column `{target}`, which looks like a quantity; `--target` names another, \
             `--positive LABEL` trains one against the rest"
        ),
        None => "`--positive LABEL` trains that class against the rest".to_owned(),
    }
}

fn of_training(error: &TrainError) -> Option<String> {
    match error {
        TrainError::Overflow { .. }
        | TrainError::Radius { .. }
        | TrainError::AverageOverflow
        | TrainError::KernelOverflow { .. } => {
            Some("`--scale maxabs` brings the features into range".to_owned())
        }
        _ => None,
    }
}

fn of_study(error: &StudyError) -> Option<String> {
    let text = match error {
        StudyError::NotSeparable | StudyError::NotKnown => {
            "without `--sweep` a study shows what the runs do all the same"
        }
        StudyError::OneFeature | StudyError::TooLarge { .. } => {
            "`--sweep margin` moves whole examples, `--sweep scale` multiplies features"
        }
        StudyError::Moved(_) | StudyError::Scaled(_) => {
            "`--scale maxabs` brings the features into range"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

fn of_serving(error: &ServeError) -> Option<String> {
    let ServeError::Listen { error, .. } = error else { return None };
    let text = match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another lab may be running there; `--port 0` takes any port that is free"
        }
        io::ErrorKind::PermissionDenied => "`--port 0` takes any port that is free",
        io::ErrorKind::AddrNotAvailable => {
            "`--host` is an address of this machine, such as 0.0.0.0"
        }
        _ => return None,
    };
    Some(text.to_owned())
}
