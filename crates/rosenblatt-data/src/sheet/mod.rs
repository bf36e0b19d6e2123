//! A run by hand, checked cell by cell against the run that it should be.
//!
//! A sheet is a table with a row for each visit. [`Sheet::read`] reads it, and [`check`] makes each visit in rational arithmetic,
//! as on paper: the numbers of the data are the decimals that they are written as, and nothing is rounded. A cell is right if it
//! is the exact number, or rounds to it with its own decimals, or follows from rounded numbers of the row before.

mod cell;
mod follow;
mod number;
mod paper;
mod reading;
mod reason;
mod table;

use std::collections::BTreeSet;

use rosenblatt::LectureNotes;
use rosenblatt_core::{data::Examples, train::Options};

use follow::follow;
use reading::{Listed, Reading};

pub use table::Sheet;

/// A sheet that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// It is no table.
    #[error("{0}")]
    Malformed(String),
    /// It has no rows.
    #[error("there is no table with a head and a row for each visit")]
    NoRows,
    /// It has too many rows.
    #[error("the table has {found} rows, at most {} are checked", Sheet::MOST_ROWS)]
    TooManyRows {
        /// The number of rows.
        found: usize,
    },
    /// A row has more or fewer cells than the head.
    #[error("line {line} has {found} cells, and the head {expected}")]
    Cells {
        /// The line, counted from 1.
        line: usize,
        /// The cells of the row.
        found: usize,
        /// Those of the head.
        expected: usize,
    },
    /// Two columns say the same.
    #[error("two columns say what `{name}` says")]
    Twice {
        /// The name of the second one.
        name: String,
    },
    /// No column can be checked.
    #[error("no column can be checked; the table has: {found}")]
    NoColumns {
        /// The names of the columns.
        found: String,
    },
}

/// The examples of a sheet.
#[derive(Clone, Debug)]
pub struct Data<'a> {
    /// The examples, as the sheet numbers them.
    pub examples: Examples<'a>,
    /// The labels of −1 and of +1.
    pub labels: [String; 2],
}

/// The meaning of the numbers of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Conventions {
    /// The options of the run; its rule is `perceptron`.
    pub options: Options,
    /// Whether b is a threshold, w·x ≥ b.
    pub has_threshold: bool,
    /// Whether rows may follow an epoch without a mistake.
    pub makes_all_epochs: bool,
}

impl Conventions {
    /// Those of lecture notes, with these options.
    pub fn new(options: Options, notes: Option<LectureNotes>) -> Self {
        Conventions {
            options,
            has_threshold: notes.is_some_and(LectureNotes::has_threshold),
            makes_all_epochs: notes.is_some_and(LectureNotes::makes_all_epochs),
        }
    }
}

/// The first wrong cell of a sheet.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct WrongCell {
    /// The row of the table, counted from 1 below the head.
    pub row: usize,
    /// The line of the file, counted from 1; in JSON the number of the visit.
    pub line: usize,
    /// The column.
    pub column: String,
    /// The content of the cell.
    pub found: String,
    /// The right content.
    pub expected: String,
    /// Why.
    pub reason: String,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The rows before the first wrong cell, or all.
    pub right_rows: usize,
    /// The first wrong cell; `None` if all are right.
    pub wrong: Option<WrongCell>,
    /// The other conventions by which the whole sheet is right.
    pub right_if: Vec<String>,
    /// Whether the sheet goes to the end of the run.
    pub is_whole: bool,
    /// Whether its rows are the updates alone.
    pub updates_only: bool,
}

/// Checks a sheet.
///
/// Cost: for each row one visit in rational arithmetic, and as much for each convention that is tried where the sheet is wrong.
pub fn check(sheet: &Sheet, data: &Data<'_>, conventions: &Conventions) -> Checked {
    let reading = Reading::new(sheet, conventions);
    let all = follow(sheet, data, &reading);
    let (found, reading) = if all.wrong.is_none() || sheet.has_idle_visits() {
        (all, reading)
    } else {
        let updates = Reading { listed: Listed::Updates, ..reading.clone() };
        let of_updates = follow(sheet, data, &updates);
        let is_better = of_updates.wrong.is_none() || of_updates.right_rows > all.right_rows;
        if is_better { (of_updates, updates) } else { (all, reading) }
    };
    let right_if = match found.wrong {
        None => Vec::new(),
        Some(_) => others(sheet, data, &reading),
    };
    Checked {
        right_rows: found.right_rows,
        wrong: found.wrong,
        right_if,
        is_whole: found.is_whole,
        updates_only: reading.listed == Listed::Updates,
    }
}

/// The conventions by which a whole sheet is right.
fn others(sheet: &Sheet, data: &Data<'_>, reading: &Reading) -> Vec<String> {
    let right = |(words, reading): (String, Reading)| {
        follow(sheet, data, &reading).wrong.is_none().then_some(words)
    };
    let single: BTreeSet<String> = reading.single_changes().into_iter().filter_map(right).collect();
    if !single.is_empty() {
        return single.into_iter().collect();
    }
    reading.other_notes(sheet).into_iter().filter_map(right).collect()
}
