//! The notes on standard error: what a reader found and did.

use std::path::Path;

use rosenblatt_data::{
    Before, CacheUse, Filled, Format, Notes,
    schema::{Column, Fill, Inputs, Interaction, Missing, Schema},
};

use crate::{
    args::ColumnArgs,
    hints::quoted,
    output::message,
    text::{counted, name, names},
};

/// Prints the notes of reading, unless `quiet`.
pub(super) fn print(notes: &Notes, schema: &Schema, quiet: bool) {
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
        note(format!("the labels come from {labels}"));
    }
    if notes.no_checksum {
        let why = "an older rosenblatt packed it";
        note(format!("damage to the header of the packed file cannot be detected: {why}"));
    }
    if notes.comment_lines > 0 {
        let lines = counted(notes.comment_lines, "line");
        note(format!("skipped {lines} before the table (comments begin with #)"));
    }
    columns(notes).into_iter().for_each(note);
    notes.filled.iter().for_each(|one| note(filled(one, schema)));
    if notes.dropped > 0 {
        let rows = counted(notes.dropped, "row");
        note(format!("left out {rows} with a missing value"));
    }
    if notes.skipped > 0 {
        let rows = counted(notes.skipped, "row");
        let first = notes.first_skipped.as_deref().unwrap_or_default();
        note(format!("skipped {rows} that cannot be read; the first: {first}"));
    }
    if !notes.unknown_columns.is_empty() {
        let names = names(&notes.unknown_columns);
        note(format!("ignored columns that the model does not have: {names}"));
    }
    if notes.beyond > 0 {
        let entries = counted(notes.beyond, "entry").replace("entrys", "entries");
        note(format!("ignored {entries} past the last feature of the model"));
    }
}

/// The notes on the columns of a table.
fn columns(notes: &Notes) -> Vec<String> {
    let mut texts = Vec::new();
    if notes.text_header {
        texts.push(
            "the first row names the columns; with `--no-header` it is an example".to_owned(),
        );
    }
    let first = notes.first_rows.map(|rows| counted(rows, "row"));
    let rows = first.as_ref().map_or_else(|| "rows".to_owned(), |rows| format!("first {rows}"));
    texts.extend(notes.row_numbers.iter().map(|column| {
        let (shown, named) = (name(column), quoted(column));
        format!("`{shown}` numbers the {rows}; `--ignore {named}` leaves it out of the features")
    }));
    let of = first.map_or_else(String::new, |rows| format!(" in the first {rows}"));
    texts.extend(notes.identifiers.iter().map(|column| {
        let (shown, named) = (name(column), quoted(column));
        format!(
            "`{shown}` may be an identifier (whole numbers, no two equal{of}); `--ignore {named}` leaves it out of the features"
        )
    }));
    if notes.only_used_columns {
        let used =
            "read the columns as those that the model uses, in their order: the others are absent";
        texts.push(used.to_owned());
    }
    texts
}

/// Says what stands in for the missing cells of a column.
pub(super) fn filled(filled: &Filled, schema: &Schema) -> String {
    let Filled { column, cells } = filled;
    let cells = counted(*cells, "missing cell");
    let missing = match &schema.inputs {
        Inputs::Columns(columns) => columns.features.iter().find(|one| one.name == *column),
        Inputs::Indexed { .. } => None,
    };
    let missing = missing.and_then(|column| column.missing);
    let column = name(column);
    match missing {
        // The value follows from the examples to learn from, of which some may still be held out.
        Some(Missing { fill: Fill::Mean, .. }) => {
            format!("filled {cells} of `{column}` with the mean")
        }
        Some(Missing { fill: Fill::Median, .. }) => {
            format!("filled {cells} of `{column}` with the median")
        }
        Some(Missing { fill: Fill::Zero, .. }) => format!("filled {cells} of `{column}` with 0"),
        _ => format!("{cells} of `{column}`: a category of its own"),
    }
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

/// Prints the notes of reading for predictions, where rows that cannot be read leave an empty line.
pub(super) fn print_with_blanks(notes: &Notes, schema: &Schema, quiet: bool) {
    print(&Notes { skipped: 0, ..notes.clone() }, schema, quiet);
    if notes.skipped > 0 && !quiet {
        let rows = counted(notes.skipped, "row");
        let first = notes.first_skipped.as_deref().unwrap_or_default();
        message("note", &format!("{rows} without a prediction; the first: {first}"));
    }
}

/// Prints the notes of reading data to learn from: also the columns that are left out because those of `--text` are the
/// features.
pub(super) fn print_with_text(notes: &Notes, schema: &Schema, columns: &ColumnArgs, quiet: bool) {
    print(notes, schema, quiet);
    if !quiet && !columns.text.is_empty() {
        print_left_out(schema);
    }
}

/// Prints that a model file is of a version without checksums.
pub(super) fn print_without_checksum(model: &Path) {
    let model = model.display();
    let why = "an older rosenblatt wrote it, in format version 1";
    message("note", &format!("{model} has no checksum, so damage to it cannot be detected: {why}"));
}

/// Prints how data that exceeds its memory was handled.
pub(super) fn print_beside(beside: &CacheUse) {
    let text = match beside {
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
        _ => return,
    };
    message("note", &text);
}

/// Prints the columns that are left out because the words of other columns are the features.
pub(super) fn print_left_out(schema: &Schema) {
    let Inputs::Columns(columns) = &schema.inputs else { return };
    if !columns.ignored.is_empty() {
        let names = names(&columns.ignored);
        message("note", &format!("columns left out because of `--text`: {names}"));
    }
}

/// Prints the number of rows whose computation overflows.
pub(super) fn print_unpredicted(unpredicted: u64, quiet: bool) {
    if unpredicted > 0 && !quiet {
        let rows = counted(unpredicted, "row");
        message(
            "note",
            &format!(
                "{rows} without a prediction: the computation exceeds the range of 64-bit numbers"
            ),
        );
    }
}

/// The name of a format.
pub(super) fn format_name(format: &Format) -> String {
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
