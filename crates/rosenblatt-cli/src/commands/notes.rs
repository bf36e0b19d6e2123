//! The notes of a command: on standard error, in the report and in `--json`.

use std::{cell::RefCell, path::Path};

use rosenblatt_core::metrics::{Rates, UnseenLabels};
use rosenblatt_data::{
    Before, CacheUse, Header, Note, NoteCode, NoteJson, Notes, Remedy, Severity,
    schema::{Column, Inputs, Interaction, Schema},
};
use serde::Serialize;

use super::rates;
use crate::{
    args::{ColumnArgs, PrintArgs},
    error::CliError,
    hints::{quoted, typed},
    output::{self, message},
    text::{counted, name, names},
};

/// The notes of a command so far.
pub(super) struct NoteLog {
    quiet: bool,
    json: bool,
    notes: RefCell<Vec<Note>>,
}

impl NoteLog {
    /// For a command that prints one object.
    pub(super) fn new(printing: &PrintArgs) -> Self {
        let PrintArgs { json, quiet } = *printing;
        NoteLog { quiet, json, notes: RefCell::default() }
    }

    /// For a command that prints no object, or is never quiet.
    pub(super) fn with_quiet(quiet: bool) -> Self {
        NoteLog { quiet, json: false, notes: RefCell::default() }
    }

    /// Prints and keeps notes, each once. Of a quiet command only warnings are printed, and none beside an object, which has them.
    pub(super) fn tell(&self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            if self.notes.borrow().contains(&note) {
                continue;
            }
            let is_warning = !self.json && note.severity() == Severity::Warning;
            if !self.quiet || is_warning {
                message("note", &sentence(&note));
            }
            self.keep([note]);
        }
    }

    /// Keeps notes that a report tells.
    pub(super) fn keep(&self, notes: impl IntoIterator<Item = Note>) {
        self.notes.borrow_mut().extend(notes);
    }

    /// Prints an answer as one object with the notes.
    pub(super) fn print_json(&self, answer: &impl Serialize) -> Result<(), CliError> {
        let all = self.notes.borrow();
        // A second run finds the packed rows of the first; its object is the same.
        let notes = all.iter().filter(|note| note.code != NoteCode::PackedRows);
        let notes = notes.map(note_json).collect();
        output::print_json(&WithNotes { answer, notes })
    }
}

#[derive(Serialize)]
struct WithNotes<'a, T> {
    #[serde(flatten)]
    answer: &'a T,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<NoteJson<'a>>,
}

/// A note with the options that resolve it.
fn note_json(note: &Note) -> NoteJson<'_> {
    NoteJson::new(note, sentence(note), note.remedy.as_ref().map(typed))
}

/// What a note says. The readers know no options, so those that resolve their notes are added here.
fn sentence(note: &Note) -> String {
    let words = &note.words;
    match (note.code, &note.remedy) {
        (NoteCode::TextHeader, Some(Remedy::Header(Header::Absent))) => {
            format!("{words}; with `--no-header` it is an example")
        }
        (NoteCode::FirstRow, Some(Remedy::Header(Header::Absent))) => {
            format!("{words}; with `--no-header` they are numbered")
        }
        (NoteCode::FirstRow, Some(Remedy::Header(_))) => {
            format!("{words}; with `--header` it names the columns")
        }
        (NoteCode::LeadingZeros, Some(Remedy::Categorical(column))) => {
            format!("{words}; `--categorical {}` keeps it", quoted(column))
        }
        (
            NoteCode::RowNumbers | NoteCode::Identifier | NoteCode::ManyCategories,
            Some(Remedy::Ignore(column)),
        ) => {
            format!("{words}; `--ignore {}` leaves it out of the features", quoted(column))
        }
        (NoteCode::MissingCodes | NoteCode::FarNumber, Some(Remedy::MissingValue(text))) => {
            let text = quoted(text);
            format!("{words}; `--missing-values {text}` reads {text} and empty cells as missing")
        }
        _ => words.clone(),
    }
}

/// The notes of reading for predictions, where rows that cannot be read leave an empty line.
pub(super) fn with_blanks(notes: &Notes, schema: &Schema) -> Vec<Note> {
    let mut all = Notes { skipped: 0, ..notes.clone() }.list(schema);
    let first = notes.first_skipped.as_deref().unwrap_or_default();
    all.extend(no_prediction(notes.skipped, &format!("; the first: {first}")));
    all
}

/// The note on the rows whose computation overflows.
pub(super) fn out_of_range(rows: u64) -> Option<Note> {
    no_prediction(rows, ": the computation exceeds the range of 64-bit numbers")
}

fn no_prediction(rows: u64, why: &str) -> Option<Note> {
    let words = format!("{} without a prediction{why}", counted(rows, "row"));
    (rows > 0).then(|| Note::new(NoteCode::NoPrediction, words).count(rows))
}

/// The notes of reading data to learn from: also the columns that are left out because those of `--text` are the
/// features.
pub(super) fn with_text(notes: &Notes, schema: &Schema, columns: &ColumnArgs) -> Vec<Note> {
    let mut all = notes.list(schema);
    all.extend(beside_text(schema).filter(|_| !columns.text.is_empty()));
    all
}

/// The columns that are left out because the words of other columns are the features.
pub(super) fn beside_text(schema: &Schema) -> Option<Note> {
    let Inputs::Columns(columns) = &schema.inputs else { return None };
    let words = format!("columns left out because of `--text`: {}", names(&columns.ignored));
    let note = || Note::new(NoteCode::ColumnsBesideText, words).columns(&columns.ignored);
    (!columns.ignored.is_empty()).then(note)
}

/// The note on a model file of a version without checksums.
pub(super) fn without_checksum(model: &Path) -> Note {
    let model = model.display();
    let why = "an older rosenblatt wrote it, in format version 1";
    let words = format!("{model} has no checksum, so damage to it cannot be detected: {why}");
    Note::new(NoteCode::NoChecksum, words)
}

/// The options that an option stands for.
pub(super) fn stands_for(option: &str, name: &str, list: &str) -> Note {
    let words = format!("--{option} {name} stands for `{list}`; options that you give win");
    Note::new(NoteCode::NamedOptions, words)
}

/// How data that exceeds its memory was handled.
pub(super) fn packed_rows(beside: &CacheUse) -> Option<Note> {
    let words = match beside {
        CacheUse::Used { file } => {
            format!("using the rows in {}, which were packed from this data", file.display())
        }
        CacheUse::Packed { file, before } => {
            let file = file.display();
            match before {
                Before::Other => format!(
                    "the data, the options or the version have changed since {file} was written; rebuilt it"
                ),
                Before::Damaged => format!("{file} was damaged; rebuilt it from the data"),
                Before::Distrusted(why) => {
                    format!("{file} was not used, because {why}; rebuilt it")
                }
                _ => {
                    format!("the rows exceed `--memory`; packed them into {file}")
                }
            }
        }
        CacheUse::Distrusted { file, why } => {
            format!("{} is not used, because {why}", file.display())
        }
        CacheUse::Failed { file, error } => {
            let file = file.display();
            format!(
                "the rows exceed `--memory`, but could not be packed and stay in memory: {file}: {error}"
            )
        }
        _ => return None,
    };
    Some(Note::new(NoteCode::PackedRows, words))
}

/// The classes with examples that are never predicted.
pub(super) fn never_predicted(rates: &Rates) -> Option<Note> {
    let note = Note::new(NoteCode::NeverPredicted, rates::never_predicted(rates)?);
    Some(note.classes(rates.never_predicted().into_iter().map(|one| &one.class)))
}

/// The labels that no example to learn from has; `classes` are those of the model.
pub(super) fn unseen_labels(unseen: &UnseenLabels, classes: &[String]) -> Note {
    let note = Note::new(NoteCode::UnseenLabels, rates::unseen_labels(unseen, classes));
    note.classes(&unseen.labels).count(unseen.examples)
}

/// The columns of categories and their numbers of values, if there are any.
pub(super) fn categories(schema: &Schema) -> Option<String> {
    let Inputs::Columns(columns) = &schema.inputs else { return None };
    let shown = |column: &Column| {
        let categories = column.categories.as_ref()?;
        let spelled = categories.iter().find(|one| matches!(one.as_str(), "?" | "NA" | "N/A"));
        let with = spelled.map_or_else(String::new, |one| format!(", one of them `{one}`"));
        let values = counted(categories.len() as u64, "value");
        Some(format!("{} ({values}{with})", name(&column.name)))
    };
    let shown: Vec<String> = columns.features.iter().filter_map(shown).collect();
    (!shown.is_empty()).then(|| shown.join(", "))
}

/// The pairs of columns that are multiplied and their numbers of products, if there are any.
pub(super) fn interactions(schema: &Schema) -> Option<String> {
    let Inputs::Columns(columns) = &schema.inputs else { return None };
    let all = columns.interactions.iter().zip(columns.interaction_features());
    let shown = |(interaction, features): (&Interaction, usize)| {
        let [one, other] = interaction.columns.each_ref().map(|column| name(column));
        format!("{one} * {other} ({})", counted(features as u64, "product"))
    };
    let shown: Vec<String> = all.map(shown).collect();
    (!shown.is_empty()).then(|| shown.join(", "))
}
