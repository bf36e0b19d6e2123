//! `rosenblatt check`: whether a run by hand is right, and its first wrong cell.

use std::{fs, path::Path, process::ExitCode};

use rosenblatt::Decay;
use rosenblatt_core::{
    data::{Labelled, ZeroScore},
    keep::Keep,
    rules::{Mistake, Update},
    train::{ClassWeight, Multiclass, Options},
};
use rosenblatt_data::sheet::{Checked, Conventions, Data, Sheet, SheetError, WrongCell, check};
use serde::Serialize;

use super::{
    inputs::{InputFiles, classes},
    notes::NoteLog,
    options::{DRAWS_NOTHING, description},
};
use crate::{
    args::CheckArgs,
    error::CliError,
    hints::of_missing,
    output,
    text::{Table, counted, escaped, name, names},
};

/// The sheet is wrong.
const WRONG: u8 = 1;

/// The object that `--json` prints.
#[derive(Serialize)]
struct CheckJson<'a> {
    /// Whether every cell that is checked is right.
    right: bool,
    /// The rows of the sheet, and those before the first wrong cell.
    rows: usize,
    right_rows: usize,
    /// The columns that are checked, and those that are not.
    columns: Vec<&'a str>,
    ignored: &'a [String],
    /// Whether the sheet goes to the end of the run.
    whole: bool,
    /// Whether the rows are those of the updates alone.
    updates_only: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_wrong: Option<&'a WrongCell>,
    /// The conventions by which the whole sheet is right.
    right_if: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<&'static str>,
    options: &'a Options,
}

pub(crate) fn run(arguments: &CheckArgs) -> Result<ExitCode, CliError> {
    let mut options = arguments.run.options.clone();
    check_options(arguments, &options)?;
    let reading = arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error);
    let files = InputFiles::new(&arguments.data, &[], arguments.labeled.labels.as_deref());
    let dataset = files.read(&reading, None)?;
    NoteLog::new(&arguments.printing).tell(dataset.notes.list(&dataset.schema));
    let (classes, numbers) = classes(&dataset, arguments.columns.positive.as_deref())?;
    let labelled = Labelled::new(&dataset.rows, &numbers, classes.scheme())?;
    let (Some((negative, positive)), &[examples]) =
        (classes.pair(), labelled.problems().as_slice())
    else {
        let message =
            format!("a run by hand has two classes, but the data has these: {}", classes.shown());
        return Err(CliError::usage(message, "`--positive LABEL` makes one class of the rest"));
    };
    options.init = arguments.start.first_weights(&dataset, classes.scheme(), &options)?;
    let sheet = sheet(&arguments.sheet, &dataset.schema.feature_names(), dataset.schema.target())?;
    let conventions = Conventions::new(options, arguments.notes);
    let labels = [negative, positive].map(str::to_owned);
    let checked = check(&sheet, &Data { examples, labels }, &conventions);
    let found =
        Found { arguments, sheet: &sheet, checked: &checked, options: &conventions.options };
    if arguments.printing.json {
        output::print_json(&found.json())?;
    } else if !arguments.printing.quiet {
        output::print(&found.text(&description(&conventions.options, classes.scheme())))?;
    }
    let code = if checked.wrong.is_none() { 0 } else { WRONG };
    Ok(ExitCode::from(code))
}

/// Refuses options of runs that are not made by hand.
fn check_options(arguments: &CheckArgs, options: &Options) -> Result<(), CliError> {
    let Options { update, keep, kernel, penalty, classes, zero, mistake, seed, .. } = options;
    let other = [
        ("update", *update != Update::default()),
        ("kernel", kernel.is_some()),
        ("penalty", penalty.is_some()),
        (
            "class-weight",
            options.class_weight != ClassWeight::Uniform || arguments.run.class_weight != "uniform",
        ),
        ("classes", *classes != Multiclass::Auto),
        ("keep", !matches!(keep, Keep::Auto | Keep::Last)),
    ];
    if let Some((name, _)) = other.into_iter().find(|(_, is_other)| *is_other) {
        let message = format!(
            "`--{name}` is for runs that are not made by hand: check knows the perceptron's rule on two classes"
        );
        return Err(CliError::usage(message, format!("leave out `--{name}`")));
    }
    if options.decay == Some(Decay::SquareRoot) {
        let message = format!(
            "`--eta {}/sqrt(t)` is for runs that are not made by hand: check computes with fractions, without square roots",
            options.eta
        );
        return Err(CliError::usage(message, "use `--eta RATE` or `--eta RATE/t`"));
    }
    if *zero != ZeroScore::default() && *mistake == Mistake::Margin && arguments.notes.is_none() {
        let reason = "without `--mistake label` no visit depends on it";
        return Err(CliError::no_effect("zero", reason));
    }
    if *seed != 0 && !options.dynamics().draws {
        return Err(CliError::no_effect("seed", DRAWS_NOTHING));
    }
    options.check().map_err(|error| CliError::Usage { message: error.to_string(), hint: None })
}

fn sheet(path: &Path, features: &[String], target: Option<&str>) -> Result<Sheet, CliError> {
    let file = || path.display().to_string();
    let bytes = fs::read(path).map_err(|error| CliError::Sheet {
        file: file(),
        hint: of_missing(&file(), &error),
        problem: error.to_string(),
    })?;
    let text = String::from_utf8(bytes).map_err(|_| CliError::Sheet {
        file: file(),
        problem: "it is no text of UTF-8".to_owned(),
        hint: Some("save the table as CSV in UTF-8".to_owned()),
    })?;
    let error = |error: SheetError| CliError::Sheet {
        file: file(),
        problem: error.to_string(),
        hint: hint(&error),
    };
    Sheet::read(&text, features, target).map_err(error)
}

fn hint(error: &SheetError) -> Option<String> {
    let hint = match error {
        SheetError::NoColumns { .. } => {
            "name columns as `train --trace` does: epoch, example, y, score, mistake, w1, w2, b"
        }
        SheetError::NoRows => "`train --trace FILE.csv` writes such a table",
        SheetError::Twice { .. } => "leave one of them out",
        SheetError::TooManyRows { .. } => {
            "leave out the last rows: a sheet may end before the run does"
        }
        SheetError::Cells { .. } => "a vector in CSV is quoted: \"(1, 0)\"",
        SheetError::Malformed(_) => return None,
    };
    Some(hint.to_owned())
}

/// The first wrong cell.
fn wrong_text(WrongCell { row, line, column, found, expected, .. }: &WrongCell) -> String {
    let column = name(column);
    let found = if found.is_empty() { "blank".to_owned() } else { format!("`{}`", name(found)) };
    format!("wrong: row {row} (line {line}), column `{column}` is {found}, it should be {expected}")
}

/// The result, for the reports.
struct Found<'a> {
    arguments: &'a CheckArgs,
    sheet: &'a Sheet,
    checked: &'a Checked,
    options: &'a Options,
}

impl Found<'_> {
    fn json(&self) -> CheckJson<'_> {
        let Checked { right_rows, wrong, right_if, is_whole, updates_only } = self.checked;
        CheckJson {
            right: wrong.is_none(),
            rows: self.sheet.rows(),
            right_rows: *right_rows,
            columns: self.sheet.column_names(),
            ignored: &self.sheet.ignored,
            whole: *is_whole,
            updates_only: *updates_only,
            first_wrong: wrong.as_ref(),
            right_if,
            notes: self.arguments.notes.map(rosenblatt::LectureNotes::name),
            options: self.options,
        }
    }

    fn text(&self, run: &str) -> String {
        let mut table = Table::default();
        let columns: Vec<String> =
            self.sheet.column_names().into_iter().map(str::to_owned).collect();
        let rows = counted(self.sheet.rows() as u64, "row");
        let file = escaped(&self.arguments.sheet.display().to_string());
        table.line("sheet", format!("{file}: {rows}; checked: {}", names(&columns)));
        if !self.sheet.ignored.is_empty() {
            table.line("ignored", names(&self.sheet.ignored));
        }
        let title = self.arguments.notes.map(|notes| format!("{}: ", notes.title()));
        table.line("run", title.unwrap_or_default() + run);
        match &self.checked.wrong {
            None => table.line("answer", self.right()),
            Some(wrong) => {
                table.line("answer", wrong_text(wrong));
                table.line("why", wrong.reason.clone());
            }
        }
        let right_if = self
            .checked
            .right_if
            .iter()
            .map(|words| format!("the whole sheet is right if {words}"));
        table.lines("but", right_if);
        table.to_string()
    }

    fn right(&self) -> String {
        let of = if self.checked.updates_only { "; it has the updates alone" } else { "" };
        let end = if self.checked.is_whole {
            "to the end of the run"
        } else {
            "as far as it goes: the run has more visits"
        };
        format!("right, {end}{of}")
    }
}
