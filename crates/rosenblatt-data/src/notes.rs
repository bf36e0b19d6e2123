//! Notes of reading a file.

use crate::{
    Header, Note, NoteCode, Remedy,
    schema::{Fill, Format, Inputs, Missing, Schema},
    text::{counted, name, names},
};

/// Facts about a file that are not in its rows.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Notes {
    /// The first line, or the first bytes, decided the format, because the name did not.
    pub format_from_content: bool,
    /// The format of a file of columns, in words, where only its first bytes told it.
    pub format_from_magic: Option<String>,
    /// The number of comment lines before the table.
    pub comment_lines: u64,
    /// The first row names the columns, but no cell of the table is a number, so it may be an example.
    #[serde(skip)]
    pub text_header: bool,
    /// How many rows show what is said of the columns in `row_numbers` and `identifiers`; absent for all rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_rows: Option<u64>,
    /// The features that number the rows: each number is greater by 1 than the one before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub row_numbers: Vec<String>,
    /// The features that may be identifiers of the rows: whole numbers, no two equal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identifiers: Vec<String>,
    /// The number of rows that were left out because a cell is missing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped: u64,
    /// The columns with missing cells that another value stands in for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filled: Vec<Filled>,
    /// The number of rows that were left out.
    pub skipped: u64,
    /// The error message of the first row that was left out.
    pub first_skipped: Option<String>,
    /// The names of columns that the model does not know.
    pub unknown_columns: Vec<String>,
    /// The columns are the features that the model uses, perhaps with the label, in the order of the training file, whose
    /// other columns are absent.
    #[serde(skip)]
    pub only_used_columns: bool,
    /// The number of sparse entries past the model's last feature, which were left out.
    pub beyond: u64,
    /// The file with the labels, where it was found in the folder of the data and not named.
    pub labels_beside: Option<String>,
    /// The file is a packed file of a version without checksums, so damage to its header cannot be detected.
    #[serde(skip)]
    pub no_checksum: bool,
}

/// The missing cells of a column.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Filled {
    /// The name of the column.
    pub column: String,
    /// The number of missing cells.
    pub cells: u64,
}

impl Notes {
    /// The notes on a file that was read by this schema, as one list.
    pub fn list(&self, schema: &Schema) -> Vec<Note> {
        let mut all = self.of_file(schema);
        all.extend(self.of_columns());
        all.extend(self.filled.iter().map(|filled| filled.note(schema)));
        let mut counted_rows = |code, rows: u64, words: &dyn Fn(String) -> String| {
            if rows > 0 {
                all.push(Note::new(code, words(counted(rows, "row"))).count(rows));
            }
        };
        counted_rows(NoteCode::DroppedRows, self.dropped, &|rows| {
            format!("left out {rows} with a missing value")
        });
        let first = self.first_skipped.as_deref().unwrap_or_default();
        counted_rows(NoteCode::SkippedRows, self.skipped, &|rows| {
            format!("skipped {rows} that cannot be read; the first: {first}")
        });
        if !self.unknown_columns.is_empty() {
            let columns = names(&self.unknown_columns);
            let words = format!("ignored columns that the model does not have: {columns}");
            all.push(Note::new(NoteCode::UnknownColumns, words).columns(&self.unknown_columns));
        }
        if self.beyond > 0 {
            let entries = counted(self.beyond, "entry").replace("entrys", "entries");
            let words = format!("ignored {entries} past the last feature of the model");
            all.push(Note::new(NoteCode::BeyondFeatures, words).count(self.beyond));
        }
        all
    }

    /// The notes on the file itself.
    fn of_file(&self, schema: &Schema) -> Vec<Note> {
        let mut all = Vec::new();
        let mut add = |code, words: String| all.push(Note::new(code, words));
        if self.format_from_content {
            let idx = matches!(schema.format, Format::Idx { .. });
            let by = if idx { "its first bytes" } else { "its first line" };
            add(NoteCode::Format, format!("read as {}, by {by}", schema.format.words()));
        }
        if let Some(format) = &self.format_from_magic {
            add(NoteCode::Format, format!("read as {format}, by its first bytes"));
        }
        if let Some(labels) = &self.labels_beside {
            add(NoteCode::LabelsBeside, format!("the labels come from {labels}"));
        }
        if self.no_checksum {
            let why = "an older rosenblatt packed it";
            let cannot = "damage to the header of the packed file cannot be detected";
            add(NoteCode::NoChecksum, format!("{cannot}: {why}"));
        }
        if self.comment_lines > 0 {
            let lines = counted(self.comment_lines, "line");
            let words = format!("skipped {lines} before the table (comments begin with #)");
            all.push(Note::new(NoteCode::CommentLines, words).count(self.comment_lines));
        }
        all
    }

    /// The notes on the columns of a table.
    fn of_columns(&self) -> Vec<Note> {
        let mut all = Vec::new();
        if self.text_header {
            let note = Note::new(NoteCode::TextHeader, "the first row names the columns");
            all.push(note.remedy(Remedy::Header(Header::Absent)));
        }
        let first = self.first_rows.map(|rows| counted(rows, "row"));
        let rows = first.as_ref().map_or_else(|| "rows".to_owned(), |rows| format!("first {rows}"));
        let of = first.map_or_else(String::new, |rows| format!(" in the first {rows}"));
        let noted = |code, column: &String, words: String| {
            Note::new(code, words).columns([column]).remedy(Remedy::Ignore(column.clone()))
        };
        all.extend(self.row_numbers.iter().map(|column| {
            let words = format!("`{}` numbers the {rows}", name(column));
            noted(NoteCode::RowNumbers, column, words)
        }));
        all.extend(self.identifiers.iter().map(|column| {
            let (shown, why) = (name(column), format!("whole numbers, no two equal{of}"));
            noted(NoteCode::Identifier, column, format!("`{shown}` may be an identifier ({why})"))
        }));
        if self.only_used_columns {
            let words = "read the columns as those that the model uses, in their order: the others are absent";
            all.push(Note::new(NoteCode::UsedColumns, words));
        }
        all
    }
}

impl Filled {
    /// The note on what stands in for the cells.
    pub fn note(&self, schema: &Schema) -> Note {
        let Filled { column, cells } = self;
        let missing = match &schema.inputs {
            Inputs::Columns(columns) => columns.features.iter().find(|one| one.name == *column),
            Inputs::Indexed { .. } => None,
        };
        let (shown, counted) = (name(column), counted(*cells, "missing cell"));
        // The value follows from the examples to learn from, of which some may still be held out.
        let with = match missing.and_then(|column| column.missing) {
            Some(Missing { fill: Fill::Mean, .. }) => "the mean",
            Some(Missing { fill: Fill::Median, .. }) => "the median",
            Some(Missing { fill: Fill::Zero, .. }) => "0",
            _ => "",
        };
        let words = match with {
            "" => format!("{counted} of `{shown}`: a category of its own"),
            with => format!("filled {counted} of `{shown}` with {with}"),
        };
        Note::new(NoteCode::FilledCells, words).columns([column]).count(*cells)
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
