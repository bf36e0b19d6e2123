//! How to resolve an error of reading with the options of this command.

use std::{io, path::Path};

use rosenblatt_core::data::excerpt;
use rosenblatt_data::{
    ColumnarProblem, CsvProblem, Encoding, FastTextProblem, FormatKind, FormatProblem, IdxProblem,
    JsonProblem, LibsvmProblem, NotText, PackedProblem, Problem, ReadError, Remedy, TargetDoubt,
    VowpalWabbitLines, WorkbookProblem, similar,
};

use super::{
    command_line::shell_word,
    remedy::{sentence, typed},
};

/// Advice for errors of reading data to learn from.
pub(super) fn of_reading(error: &ReadError) -> Option<String> {
    let text = match error {
        ReadError::Open { file, error } => return of_missing(file, error),
        ReadError::NoExamples { skipped: 0, header: true, .. } => {
            "the first line is read as a header; use `--no-header` if it is an example"
        }
        ReadError::TooManySkipped { skipped, rows, .. } => {
            let too_many = || {
                let percent = (100.0 * *skipped as f64 / *rows as f64).ceil();
                let look = "look at these rows: they are too many to be proposed to be left out";
                match percent <= 50.0 {
                    true => format!("{look}; `--on-error skip:{percent}%` would do so"),
                    false => look.to_owned(),
                }
            };
            return error.remedy().map_or_else(|| Some(too_many()), |remedy| of_remedy(&remedy));
        }
        ReadError::IdNeedsText { .. } => "predict the table from which this file was made",
        ReadError::UnknownFormat { .. }
        | ReadError::NotText { .. }
        | ReadError::Address { .. }
        | ReadError::VowpalWabbit { .. } => return of_other_format(error),
        ReadError::NoSuchColumn { similar: Some(similar), .. } => {
            return Some(format!("did you mean `{similar}`?"));
        }
        ReadError::NoSuchColumn { columns, .. } | ReadError::MissingColumn { columns, .. }
            if separator_in(columns).is_some() =>
        {
            return separator_in(columns);
        }
        ReadError::NoSuchColumn { .. } => {
            "give the name of a column or its position, counted from 1"
        }
        ReadError::NoFeatures { columns: 1, .. } => match error.remedy() {
            Some(remedy) => return of_remedy(&remedy),
            None => "set the separator of cells with `--delimiter` [default: `,`]",
        },
        ReadError::TooManyFeatures { .. }
        | ReadError::TooManyProducts { .. }
        | ReadError::TooManyNgrams { .. }
        | ReadError::NoRoom { .. }
        | ReadError::InteractionOfNoFeature { .. }
        | ReadError::InteractionOfOne { .. } => return of_features(error),
        ReadError::UnclearTarget { .. }
        | ReadError::QuantityTarget { .. }
        | ReadError::FillNeedsAll { .. }
        | ReadError::FillOfCategories { .. }
        | ReadError::SameSign { .. } => return of_columns(error),
        ReadError::TooManyLabels { target, .. } => return Some(of_labels(target.as_deref())),
        ReadError::MissingColumn { .. } => {
            "columns are found by their names in the header; use `--no-header` if the file has no header"
        }
        ReadError::PackedOfSeveral { .. }
        | ReadError::UnusedLabels { .. }
        | ReadError::BothStandardInput => return of_named_files(error),
        ReadError::Format { problem, .. } => return of_format(problem),
        ReadError::Data { problem, .. } => return of_problem(problem),
        ReadError::ByFirstRows { error, .. } => return of_reading(error),
        ReadError::NoEffect { option, .. } => return Some(format!("leave out `--{option}`")),
        _ => return None,
    };
    Some(text.to_owned())
}

/// Advice for too many features, and for columns that cannot be multiplied.
fn of_features(error: &ReadError) -> Option<String> {
    let text = match error {
        ReadError::TooManyFeatures { column: Some(most), .. } => {
            let column = quoted(&most.column);
            return Some(format!(
                "leave the column out with `--ignore {column}`, or raise the limit with `--max-features`"
            ));
        }
        ReadError::TooManyFeatures { .. } => "raise the limit with `--max-features`",
        ReadError::TooManyProducts { .. } => {
            "lower `--bits`, name fewer columns in `--interactions`, or raise the limit with `--max-features`"
        }
        ReadError::NoRoom { .. } => NO_ROOM,
        ReadError::TooManyNgrams { .. } => {
            "`--no-dictionary` trains without remembering them; the features then have numbers for names"
        }
        ReadError::InteractionOfNoFeature { .. } => {
            "name columns that are features: not the label, and none that is left out, as by `--ignore` or `--text`"
        }
        ReadError::InteractionOfOne { .. } => {
            "name two or more columns, separated by commas, as in `--interactions AGE,HOURS`"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

/// Advice for data in another format than the expected one.
fn of_other_format(error: &ReadError) -> Option<String> {
    Some(match error {
        ReadError::UnknownFormat { line, .. } => of_unknown_format(line),
        ReadError::NotText { file, found } => of_not_text(file, *found),
        ReadError::Address { file } => {
            format!("`curl -L {} | rosenblatt …` with `-` as the data reads it", quoted(file))
        }
        ReadError::VowpalWabbit { file, lines } => of_vowpal_wabbit(file, *lines),
        _ => return None,
    })
}

/// Advice for files that do not go together.
fn of_named_files(error: &ReadError) -> Option<String> {
    let text = match error {
        ReadError::PackedOfSeveral { .. } => {
            "pack the files together: `rosenblatt pack FILE MORE -o PACKED` makes one packed file"
        }
        ReadError::UnusedLabels { .. } => {
            "choose the label column with `--target`, or pass `--format idx` for IDX data"
        }
        ReadError::BothStandardInput => "save the labels to a file and pass `--labels FILE`",
        _ => return None,
    };
    Some(text.to_owned())
}

/// Advice for options of columns that do not fit the data or one another.
fn of_columns(error: &ReadError) -> Option<String> {
    let text = match error {
        ReadError::UnclearTarget { doubt, others, .. } => {
            return Some(of_unclear_target(doubt, others));
        }
        ReadError::QuantityTarget { target, .. } => return Some(of_labels(Some(target))),
        ReadError::FillNeedsAll { .. } => {
            "`--missing zero` and `--missing drop` need no other example; or raise `--memory`"
        }
        ReadError::SameSign { sign: '.', .. } => "`--decimal comma` reads 1.234,5",
        ReadError::SameSign { .. } => "`--decimal point` reads 1,234.5",
        ReadError::FillOfCategories { column, .. } => {
            return Some(format!(
                "`--missing {}=category` makes its missing cells a category of their own",
                quoted(column)
            ));
        }
        _ => return None,
    };
    Some(text.to_owned())
}

/// Advice that names all formats, or the separator of a line of numbers.
fn of_unknown_format(line: &str) -> String {
    let cells: Vec<&str> = line.split_whitespace().filter(|&cell| cell != "…").collect();
    if cells.len() > 1 && cells.iter().all(|cell| cell.parse::<f64>().is_ok()) {
        return "`--delimiter space --no-header` reads lines of numbers with blanks between them"
            .to_owned();
    }
    if line.contains('|') {
        return of_separator('|');
    }
    if cells.len() > 1 {
        return format!(
            "`--delimiter space` reads a table with blanks between its cells; `--format` names another format ({})",
            format_names().join(", ")
        );
    }
    let names = format_names();
    let (first, others) = (names[0].trim_matches('`'), names[1..].join(", "));
    format!("pass `--format {first}` (or {others})")
}

fn format_names() -> Vec<String> {
    FormatKind::all().into_iter().map(|kind| format!("`{}`", kind.name())).collect()
}

/// The command that rewrites text in the format of Vowpal Wabbit.
fn of_vowpal_wabbit(file: &str, lines: VowpalWabbitLines) -> String {
    let file = shell_word(file);
    match lines {
        VowpalWabbitLines::Indices => {
            format!("`sed 's/|[^ ]*//' {file} > data.libsvm` rewrites it as LIBSVM data")
        }
        VowpalWabbitLines::Words => format!(
            "`sed 's/[[:blank:]]*|[^ ]* */,\"/; s/$/\"/' {file} > data.csv` rewrites it as a table, which \
             `--no-header --target 1 --text 2` reads"
        ),
        _ => {
            "write each row as `label index:value …` with whole numbers for the names, as in LIBSVM"
                .to_owned()
        }
    }
}

/// Advice for a problem that only one format has.
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
        return of_json(problem);
    }
    if let Some(problem) = problem.downcast_ref() {
        return of_workbook(problem);
    }
    if problem.downcast_ref::<FastTextProblem>().is_some() {
        return of_remedy(&Remedy::SkipRows);
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
            "`pack` takes the options for columns; pack the source again"
        }
        PackedProblem::Version { .. } | PackedProblem::Damaged { .. } | PackedProblem::ForOther => {
            "pack the source again, or use the source itself"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

fn of_json(problem: &JsonProblem) -> Option<String> {
    Some(match problem {
        JsonProblem::Nested { column } => {
            format!("leave the key out with `--ignore {}`", quoted(column))
        }
        JsonProblem::NewKey { .. } => {
            "one of the first rows must have the key; `null` is an empty value".to_owned()
        }
        JsonProblem::SecondTable { .. } => {
            "write the rows that are to be read, with their labels, to a file of their own"
                .to_owned()
        }
        _ => return None,
    })
}

fn of_workbook(problem: &WorkbookProblem) -> Option<String> {
    const SAVE: &str = "save the sheet as CSV in the spreadsheet program";
    match problem {
        WorkbookProblem::NotBuilt => Some(format!("{SAVE}; {WITH_COLUMNAR}")),
        WorkbookProblem::Damaged { .. } | WorkbookProblem::TooLarge { .. } => Some(SAVE.to_owned()),
        _ => None,
    }
}

fn of_csv(problem: &CsvProblem) -> Option<&'static str> {
    match problem {
        CsvProblem::HeaderIsNumber { likely_names: true, .. } => Some(
            "`--header` reads the first line as the names of the columns, `--no-header` as an example",
        ),
        CsvProblem::HeaderIsNumber { .. } => Some(
            "use `--no-header` if the first line is an example, `--header` if it names the columns",
        ),
        CsvProblem::TitleAbove { .. } => {
            Some("`--skip-rows N` passes over N lines above the names of the columns")
        }
        CsvProblem::HeaderIsValue { .. } => Some(
            "use `--no-header` if the first row is an example, `--header` if it names the columns",
        ),
        CsvProblem::HeaderLength { empty: Some("first"), .. } => {
            Some("remove the empty cell at the beginning of the first row")
        }
        CsvProblem::HeaderLength { .. } => Some(
            "the first row names each column; `--no-header` reads it as an example, which must have as many cells as the others",
        ),
        CsvProblem::TextAfterQuote => Some(NO_QUOTES),
        CsvProblem::SeparatorAtEnd { .. } => Some(
            "`--on-error skip` skips such rows; if all rows end with a separator, `sed 's/[,;][[:space:]]*$//' FILE` removes it",
        ),
        CsvProblem::SameName { .. } => {
            Some("name the column by its position, or rename one of them")
        }
        CsvProblem::CommentInTable { .. } => {
            Some("`--comment '#'` passes over such lines, `--on-error skip` skips and counts them")
        }
        CsvProblem::RaggedRow { .. }
        | CsvProblem::LoneCell { .. }
        | CsvProblem::RuleLine
        | CsvProblem::HeaderAgain
        | CsvProblem::SecondHeader
        | CsvProblem::EmptyRow => Some("`--on-error skip` skips and counts such rows"),
        CsvProblem::OpenQuote => Some(NO_QUOTES),
        _ => None,
    }
}

fn of_libsvm(problem: &LibsvmProblem) -> Option<&'static str> {
    match problem {
        LibsvmProblem::IndexTooLarge { .. } => Some(
            "raise the limit with `--max-features`; each feature takes 8 bytes per weight vector",
        ),
        LibsvmProblem::NoRoom { .. } => Some(NO_ROOM),
        LibsvmProblem::IndexZero => Some("use `--zero-based` if the file counts from 0"),
        LibsvmProblem::NotAscending { .. } => {
            Some("sort the entries of the line, with each index once")
        }
        LibsvmProblem::MissingLabel { .. } => Some("each line begins with its label"),
        LibsvmProblem::BadLabel { .. } | LibsvmProblem::NotAPair { .. } => Some(
            "LIBSVM lines are `label index:value …` with numbers; use `--format csv` if this is a table",
        ),
        LibsvmProblem::BadValue { .. } | LibsvmProblem::ValueNotFinite { .. } => {
            Some("`--on-error skip` skips and counts such lines")
        }
        _ => None,
    }
}

/// Advice for the name of a column that contains a separator.
fn separator_in(name: &str) -> Option<String> {
    Remedy::separator_in(name).map(of_separator)
}

/// Advice for cells that are separated by this character.
fn of_separator(separator: char) -> String {
    let options = typed(&Remedy::Separator(separator));
    format!("is the separator `{}`? try `{options}`", separator.escape_default())
}

/// Advice that is the same whatever error it resolves.
fn of_remedy(remedy: &Remedy) -> Option<String> {
    match remedy {
        Remedy::Separator(separator) => Some(of_separator(*separator)),
        Remedy::SkipShare { .. } => Some(format!("`{}` accepts this share", typed(remedy))),
        Remedy::Ignore(column) => {
            Some(format!("leave the column out with `--ignore {}`", quoted(column)))
        }
        Remedy::Encoding(Encoding::Latin1) => Some(NOT_UTF8.to_owned()),
        _ => None,
    }
}

/// How a file of another program becomes a table.
fn of_not_text(file: &str, found: NotText) -> String {
    let file = quoted(file);
    let pandas = |read: &str| {
        format!("in Python, `pandas.{read}(FILE).to_csv(\"data.csv\", index=False)` writes a table")
    };
    match found {
        NotText::Utf16 => format!("`{}` reads it", typed(&Remedy::Encoding(Encoding::Utf16))),
        NotText::Workbook | NotText::OldWorkbook => {
            "save the sheet as CSV in the spreadsheet program".to_owned()
        }
        NotText::Zip => format!("`unzip {file}` writes the files in it"),
        NotText::LfsPointer => "`git lfs pull` fetches the file for which it stands".to_owned(),
        NotText::Archive => "unpack it first; only .gz and .zst files are decompressed".to_owned(),
        NotText::NumpyArchive | NotText::NumpyArray => {
            "in Python, `numpy.savetxt(\"data.csv\", array, delimiter=\",\")` writes an array as a table; \
             read it with `--no-header`"
                .to_owned()
        }
        NotText::Hdf5 => pandas("read_hdf"),
        NotText::Pickle => pandas("read_pickle"),
        NotText::Matlab => {
            "in MATLAB, `writematrix(X, 'data.csv')` writes a matrix as a table; read it with `--no-header`"
                .to_owned()
        }
        NotText::Sqlite => {
            format!("`sqlite3 -csv -header {file} 'SELECT * FROM NAME' > data.csv` writes the table NAME")
        }
        NotText::Html => "download the data itself instead of the page about it".to_owned(),
        _ => "write the data as a table in text, such as CSV".to_owned(),
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
        IdxProblem::NotFiniteValue { .. } => "`--on-error skip` skips and counts such records",
        IdxProblem::NoLabels { .. } => "pass the label file with `--labels FILE`",
        IdxProblem::LabelDimensions { .. }
        | IdxProblem::LabelType { .. }
        | IdxProblem::LabelCount { .. } => "pass another label file with `--labels FILE`",
        _ => return None,
    };
    Some(text.to_owned())
}

const WITH_COLUMNAR: &str = "`cargo install --path crates/rosenblatt-cli --features columnar`, in the folder of the source, builds one that reads it";

fn of_columnar(problem: &ColumnarProblem) -> Option<String> {
    match problem {
        ColumnarProblem::NotBuilt { .. } => Some(WITH_COLUMNAR.to_owned()),
        ColumnarProblem::BigEndian => Some(
            "pyarrow reads it, and writes it again: `feather.write_feather(ipc.open_file(OLD).read_all(), NEW)`"
                .to_owned(),
        ),
        ColumnarProblem::Names { problem } | ColumnarProblem::Cell { problem, .. } => {
            of_problem(problem)
        }
        ColumnarProblem::Type { column, .. } => of_remedy(&Remedy::Ignore(column.clone())),
        _ => None,
    }
}

/// Hints for reading data for a model, whose columns no option can change.
pub(super) fn of_reading_for_model(error: &ReadError) -> Option<String> {
    let problem = match error {
        ReadError::NoLabels { columns, .. } if separator_in(columns).is_some() => {
            return separator_in(columns);
        }
        ReadError::NoLabels { .. } => {
            return Some(
                "`--target COLUMN` names the column with the labels; `predict` needs none"
                    .to_owned(),
            );
        }
        ReadError::NotTheLabel { .. } => {
            return Some(
                "without `--target` the label is in the column of the training data".to_owned(),
            );
        }
        ReadError::Data { problem, .. } => problem,
        ReadError::Format { problem, .. } => match problem.downcast_ref() {
            Some(ColumnarProblem::Cell { problem, .. }) => problem,
            Some(ColumnarProblem::Type { .. }) => return None,
            _ => return of_format(problem),
        },
        error => return of_reading(error),
    };
    match problem {
        Problem::EmptyCell { column }
        | Problem::MissingValue { column, .. }
        | Problem::Null { column } => Some(format!(
            "the model has no rule for a missing `{}`; `train` with `--missing median` gives it one",
            excerpt(column)
        )),
        Problem::NotFinite { column, .. } | Problem::NotANumber { column, .. } => Some(format!(
            "every `{}` was a number in the training data; `--on-error skip` leaves such rows out",
            excerpt(column)
        )),
        Problem::EmptyLabel { .. } | Problem::MissingLabel { .. } => Some(
            "`--on-error skip` leaves out rows without a label; `predict` needs no labels"
                .to_owned(),
        ),
        Problem::UnknownLabel { .. } | Problem::NotUtf8 { .. } | Problem::Format(_) => {
            of_problem(problem)
        }
        _ => None,
    }
}

fn of_problem(problem: &Problem) -> Option<String> {
    let text = match problem {
        Problem::EmptyCell { column }
        | Problem::MissingValue { column, .. }
        | Problem::Null { column } => {
            return Some(format!(
                "fill missing cells with `--missing median`, leave the column out with `--ignore {}`, \
                 or the row with `--on-error skip`",
                quoted(column)
            ));
        }
        Problem::AllMissing { .. }
        | Problem::MixedColumn { .. }
        | Problem::OneText { .. }
        | Problem::OtherForm { .. }
        | Problem::NotANumber { .. }
        | Problem::NumberInText { .. }
        | Problem::ManyValues { .. } => return of_column(problem),
        Problem::DuplicateColumn { .. } => {
            "rename one of them, or use `--no-header` if the first row is an example"
        }
        Problem::TooLargeFactor { column, .. } => {
            return Some(format!(
                "leave the row out with `--on-error skip`, or `{}` out of `--interactions`",
                excerpt(column)
            ));
        }
        Problem::NotFinite { column, .. } => {
            return Some(format!(
                "leave the row out with `--on-error skip`, or the column with `--ignore {}`",
                quoted(column)
            ));
        }
        Problem::NotExact { column, .. } => {
            return Some(format!(
                "leave the column out with `--ignore {}`, or the row with `--on-error skip`",
                quoted(column)
            ));
        }
        Problem::UnnamedColumn { position } => {
            return Some(format!(
                "name it in the header, or leave it out with `--ignore {position}`"
            ));
        }
        Problem::EmptyLabel { .. }
        | Problem::MissingLabel { .. }
        | Problem::NotFiniteLabel { .. }
        | Problem::ControlInLabel { .. } => "`--on-error skip` skips and counts such rows",
        Problem::TooManyFeatures { .. } => {
            "raise the limit with `--max-features`; each feature takes 8 bytes per weight vector"
        }
        Problem::UnknownLabel { .. } => {
            "`--on-error skip` leaves such rows out; `evaluate` and `compare` without `--unseen-labels stop` count them as wrong"
        }
        Problem::Format(problem) => return of_format(problem),
        Problem::NotUtf8 { .. } => return of_remedy(problem.remedies().first()?),
        _ => return None,
    };
    Some(text.to_owned())
}

/// Advice for the cells of a whole column.
fn of_column(problem: &Problem) -> Option<String> {
    let text = match problem {
        Problem::AllMissing { .. } => return of_remedy(problem.remedies().first()?),
        Problem::OtherForm { column, form, .. } => {
            let read = typed(problem.remedies().first()?);
            let (column, are_dates) = (quoted(column), form.dates.is_some());
            let reads = if are_dates { "numbers of days" } else { "numbers" };
            format!(
                "`{read}` reads them as {reads}, `--categorical {column}` as categories, \
                 `--ignore {column}` leaves the column out"
            )
        }
        _ => sentence(problem),
    };
    Some(text)
}

/// Advice for data whose label is not clear.
fn of_unclear_target(doubt: &TargetDoubt, others: &[String]) -> String {
    const MOST: usize = 5;
    let names: Vec<String> = others.iter().take(MOST).map(|name| quoted(name)).collect();
    match (doubt, names.split_first()) {
        (TargetDoubt::Quantity { .. }, None) => {
            "the perceptron learns classes: replace the quantity by classes, or train one label \
             against the rest with `--positive LABEL`"
                .to_owned()
        }
        (TargetDoubt::OneEach { .. }, None) => {
            "a class has several rows: choose the label with `--target COLUMN`".to_owned()
        }
        (_, None) => "choose the label with `--target COLUMN`".to_owned(),
        (_, Some((first, []))) => format!("choose the label with `--target {first}`"),
        (_, Some((first, more))) => {
            format!("choose the label with `--target {first}` (or {})", more.join(", "))
        }
    }
}

const NO_ROOM: &str = "check the numbers of the features; hashed ones fit after division with remainder by a smaller number of buckets, such as 4194304";
const NO_QUOTES: &str = "`--no-quotes` reads quotes as characters like any other";
const NOT_UTF8: &str = "`--encoding latin1` reads text of older Windows programs";

/// Advice for too many labels.
pub(super) fn of_labels(target: Option<&str>) -> String {
    match target {
        Some(target) => format!(
            "the label is column `{}`, which looks like a quantity; choose another with `--target`, \
             or train one label against the rest with `--positive LABEL`",
            excerpt(target)
        ),
        None => "train one label against the rest with `--positive LABEL`".to_owned(),
    }
}

/// The name of a column as a shell takes it; one that is too long to be typed is cut.
pub(crate) fn quoted(name: &str) -> String {
    let name = excerpt(name);
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    match !name.is_empty() && name.chars().all(plain) {
        true => name.into_owned(),
        false => format!("'{}'", name.replace('\'', "'\\''")),
    }
}

/// Advice for a file that is not there: a name in its folder that is spelled almost alike.
pub(crate) fn of_missing(file: &str, error: &io::Error) -> Option<String> {
    if error.kind() != io::ErrorKind::NotFound {
        return None;
    }
    let path = Path::new(file);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok().into_iter().flatten();
    let names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    let wanted = path.file_name().and_then(|name| name.to_str());
    let near = wanted.and_then(|wanted| similar(wanted, names.iter().map(String::as_str)));
    if wanted.is_some_and(|wanted| wanted.contains(['*', '?'])) {
        return Some(format!(
            "a shell expands a pattern only without quotes: `{file}` names no file itself"
        ));
    }
    match near {
        Some(name) => Some(format!("did you mean `{}`?", path.with_file_name(name).display())),
        None => of_io(error),
    }
}

/// Advice for a file that cannot be opened.
pub(super) fn of_io(error: &io::Error) -> Option<String> {
    let missing = error.kind() == io::ErrorKind::NotFound;
    missing.then(|| "check the path; it is relative to the current folder".to_owned())
}
