//! What a reader came across, said on standard error: nothing happens in silence.

use std::path::Path;

use rosenblatt_data::{
    Before, CacheUse, Format, Notes,
    schema::{Inputs, Schema},
};

use crate::{output::message, text::counted};

/// Prints the notes of reading, unless the user wants quiet.
pub(crate) fn print(notes: &Notes, schema: &Schema, quiet: bool) {
    if quiet {
        return;
    }
    let note = |text: String| message("note", &text);
    if notes.format_from_content {
        let idx = matches!(schema.format, Format::Idx { .. });
        let by = if idx { "its first bytes" } else { "its first line" };
        note(format!("read as {}, by {by}", format_name(&schema.format)));
    }
    if let Some(format) = &notes.format_from_magic {
        note(format!("read as {format}, by its first bytes"));
    }
    if let Some(labels) = &notes.labels_beside {
        note(format!("the labels are those of {labels}"));
    }
    if notes.no_checksum {
        let why = "it was packed by an older rosenblatt";
        note(format!("damage to the header of the packed file cannot be seen: {why}"));
    }
    if notes.comment_lines > 0 {
        let lines = counted(notes.comment_lines, "line");
        note(format!("{lines} before the table passed over (comments begin with #)"));
    }
    if notes.skipped > 0 {
        let rows = counted(notes.skipped, "row");
        let first = notes.first_skipped.as_deref().unwrap_or_default();
        note(format!("{rows} left out that cannot be read; the first: {first}"));
    }
    if !notes.unknown_columns.is_empty() {
        let names = notes.unknown_columns.join(", ");
        note(format!("columns that the model does not know were left out: {names}"));
    }
    if notes.beyond > 0 {
        let entries = counted(notes.beyond, "entry").replace("entrys", "entries");
        note(format!("{entries} past the model's last feature left out"));
    }
}

/// Says that a model file is of a version without checksums.
pub(crate) fn print_without_checksum(model: &Path) {
    let model = model.display();
    let why = "it is of format version 1, written by an older rosenblatt";
    message("note", &format!("{model} has no checksum, so damage to it cannot be seen: {why}"));
}

/// Says what was done about data larger than their memory.
pub(crate) fn print_beside(beside: &CacheUse) {
    let text = match beside {
        CacheUse::Used { file } => {
            format!("the rows are those of {}, packed from the same bytes", file.display())
        }
        CacheUse::Packed { file, before } => {
            let file = file.display();
            match before {
                Before::Other => format!(
                    "{file} was of other bytes, options or version; the rows were packed into it again"
                ),
                Before::Distrusted(why) => {
                    format!(
                        "{file} was not used, because {why}; the rows were packed into it again"
                    )
                }
                _ => {
                    format!("the rows are more than `--memory`, and were packed into {file}")
                }
            }
        }
        CacheUse::Distrusted { file, why } => {
            format!("{} is not used, because {why}", file.display())
        }
        CacheUse::Failed { file, error } => {
            let file = file.display();
            format!("the rows are more than `--memory` and in memory all the same: {file}: {error}")
        }
        _ => return,
    };
    message("note", &text);
}

/// Says which columns are left out because the words of others are the features.
pub(crate) fn print_left_out(schema: &Schema) {
    let Inputs::Columns(columns) = &schema.inputs else { return };
    if !columns.ignored.is_empty() {
        let names = columns.ignored.join(", ");
        message("note", &format!("columns left out beside the text: {names}"));
    }
}

/// Says how many cells held a category that was not in the training data.
pub(crate) fn print_unknown_categories(unknown: u64, quiet: bool) {
    if unknown > 0 && !quiet {
        let cells = counted(unknown, "cell");
        message(
            "note",
            &format!(
                "{cells} with a category that the training data do not have: it gives no feature"
            ),
        );
    }
}

/// The name of a format.
pub(crate) fn format_name(format: &Format) -> String {
    match format {
        Format::Libsvm { zero_based: false } => "LIBSVM".to_owned(),
        Format::Libsvm { zero_based: true } => "LIBSVM from 0".to_owned(),
        Format::Idx { shape } => format!("IDX (records of {shape} values)"),
        Format::Table { delimiter, header } => {
            let header = if *header { "" } else { ", no header" };
            format!("a table (cells separated by {delimiter}{header})")
        }
    }
}
