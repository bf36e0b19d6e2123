//! Notes: what is worth knowing about data or a run, and is no error.

use std::collections::HashMap;

use serde::Serialize;

use crate::{
    Decisions, Doubt, DoubtfulValues, Filled, Header, LeftOutBecause, LeftOutColumn, Notes,
    Quoting, ReadAs, ReadKind, Remedy, TableNote,
    schema::{Column, Fill, Format, Inputs, Missing, Schema},
    text::{counted, name, names, quoted_names},
};

/// Something worth knowing about data or a run: one record for reports, programs and warnings.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// What it says, for programs.
    pub code: NoteCode,
    /// The columns that it is about.
    pub columns: Vec<String>,
    /// The classes that it is about.
    pub classes: Vec<String>,
    /// The number of rows, cells, lines or examples that it counts.
    pub count: Option<u64>,
    /// The change of options that resolves it, if one is known.
    pub remedy: Option<Remedy>,
    /// A sentence for people, without a full stop.
    pub words: String,
}

impl Note {
    /// A note about nothing in particular.
    pub fn new(code: NoteCode, words: impl Into<String>) -> Self {
        let (columns, classes) = (Vec::new(), Vec::new());
        Note { code, columns, classes, count: None, remedy: None, words: words.into() }
    }

    /// The note with its columns.
    pub fn columns<'a>(self, columns: impl IntoIterator<Item = &'a String>) -> Self {
        Note { columns: columns.into_iter().cloned().collect(), ..self }
    }

    /// The note with its classes.
    pub fn classes<'a>(self, classes: impl IntoIterator<Item = &'a String>) -> Self {
        Note { classes: classes.into_iter().cloned().collect(), ..self }
    }

    /// The note with what it counts.
    pub fn count(self, count: u64) -> Self {
        Note { count: Some(count), ..self }
    }

    /// The note with what resolves it.
    pub fn remedy(self, remedy: Remedy) -> Self {
        Note { remedy: Some(remedy), ..self }
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// How much a note matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It says what was done.
    Note,
    /// The result may not be what it seems.
    Warning,
}

/// A note for a program, with its message and its remedy in the words of a front end.
#[derive(Serialize)]
pub struct NoteJson<'a> {
    code: NoteCode,
    severity: Severity,
    message: String,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    columns: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    classes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

impl<'a> NoteJson<'a> {
    /// The note, as a front end says it.
    pub fn new(note: &'a Note, message: String, remedy: Option<String>) -> Self {
        let Note { code, columns, classes, count, .. } = note;
        let (code, count) = (*code, *count);
        NoteJson { code, severity: code.severity(), message, columns, classes, count, remedy }
    }
}

/// Declares the codes, each with its severity.
macro_rules! codes {
    ($($(#[$words:meta])+ $code:ident: $severity:ident,)+) => {
        /// What a note says, for programs: in JSON in lower case, with underscores.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum NoteCode { $($(#[$words])+ $code,)+ }

        impl NoteCode {
            /// All codes.
            pub const ALL: &[NoteCode] = &[$(NoteCode::$code),+];

            /// How much a note with this code matters.
            pub fn severity(self) -> Severity {
                match self { $(NoteCode::$code => Severity::$severity,)+ }
            }
        }
    };
}

codes! {
    /// The content of a file decided its format, because the name did not.
    Format: Note,
    /// The labels come from a file that was not named.
    LabelsBeside: Note,
    /// A model or a packed file is of a version without checksums.
    NoChecksum: Note,
    /// Comment lines before a table were skipped.
    CommentLines: Note,
    /// The first row names the columns, but may be an example.
    TextHeader: Note,
    /// A feature numbers the rows.
    RowNumbers: Warning,
    /// A feature may be an identifier of the rows.
    Identifier: Note,
    /// The columns of the data are those that the model uses.
    UsedColumns: Note,
    /// Another value stands in for the missing cells of a column.
    FilledCells: Note,
    /// Rows with a missing value were left out.
    DroppedRows: Note,
    /// Rows that cannot be read were left out.
    SkippedRows: Warning,
    /// The model does not have some columns of the data.
    UnknownColumns: Note,
    /// Entries lie past the last feature of the model.
    BeyondFeatures: Note,
    /// Cells of a column have a category that is not in the training data.
    UnknownCategories: Note,
    /// Rows have no prediction.
    NoPrediction: Note,
    /// Columns are left out because the words of others are the features.
    ColumnsBesideText: Note,
    /// How rows that exceed the memory were packed into a file, or read from one.
    PackedRows: Note,
    /// The prepared rows take more memory than was allowed.
    Memory: Note,
    /// A class comes late in a file, which is then read whole.
    LateClass: Note,
    /// The options that a name stands for.
    NamedOptions: Note,
    /// Of which class a probability is.
    ProbabilityOf: Note,
    /// Labels differ only in case.
    ClassesByCase: Warning,
    /// Classes have one example.
    SingleExamples: Warning,
    /// A feature has one value for each class, so it may be the label in another form.
    LabelCopies: Warning,
    /// A column alone nearly decides the label.
    TellingColumn: Note,
    /// The model is no better than the most frequent class.
    NoBetter: Warning,
    /// Classes with examples are never predicted.
    NeverPredicted: Warning,
    /// Labels of the data are not in the examples that were learned from.
    UnseenLabels: Warning,
    /// Classes have fewer examples than there are folds.
    FewExamples: Note,
    /// Other weights than those of the model separate the classes.
    OtherSeparator: Note,
    /// The examples are sorted by class, so they were shuffled.
    Shuffled: Note,
    /// The examples are sorted by class, and were learned from in that order.
    SortedExamples: Warning,
    /// The features differ much in size.
    FeatureSizes: Note,
    /// A text is in another encoding than UTF-8.
    Encoding: Note,
    /// The cells of a table have another separator than its name tells.
    Separator: Note,
    /// A table has other quotes, escapes, or rows within quotes.
    Quoting: Note,
    /// Lines above a table were passed over.
    TitleLines: Note,
    /// What the first row of a table is, or which line names the columns.
    FirstRow: Note,
    /// Columns have no name in the file.
    NamelessColumns: Note,
    /// Columns have the name of an earlier one.
    DoubledColumns: Note,
    /// The rows of a table have more cells than its header.
    LongerRows: Note,
    /// Lines end with a separator.
    SeparatorAtEnds: Note,
    /// The label was found, and is not the last column.
    Label: Note,
    /// Columns from which nothing can be learned are left out.
    LeftOutColumns: Note,
    /// A number far from all others of a column may stand for missing ones.
    MissingCodes: Warning,
    /// A number far from all others of a column may be a mistake.
    FarNumber: Note,
    /// Numbers of a column begin with a zero that is lost.
    LeadingZeros: Note,
    /// Many cells of a column have a category of their own.
    ManyCategories: Note,
    /// Categories differ only in case.
    CategoriesByCase: Warning,
    /// The numbers of columns are not spelled as programs spell them.
    NumberForms: Note,
    /// Columns of numbers and text are categories.
    Categories: Note,
    /// Columns of prose are read word by word.
    Words: Note,
    /// The file says what its columns are.
    DeclaredColumns: Note,
    /// The numbers of a feature are text in the file.
    NumbersInQuotes: Note,
}

impl Notes {
    /// The notes on a file that was read by this schema, as one list.
    pub fn list(&self, schema: &Schema) -> Vec<Note> {
        let mut all = self.of_file(schema);
        all.extend(self.of_columns());
        all.extend(self.decisions.list(&self.of_first_rows()));
        all.extend(Filled::notes(&self.filled, schema));
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
            let why = match self.skipped == self.no_examples {
                true if self.skipped == 1 => "that is no example",
                true => "that are no examples",
                false => "that cannot be read",
            };
            format!("skipped {rows} {why}; the first: {first}")
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
        if let Some(arrangement) = &self.arrangement {
            add(NoteCode::Format, format!("read as {arrangement}"));
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
        all.extend(self.table.iter().map(TableNote::note));
        all
    }

    /// Of which rows something is known, where these are not all.
    fn of_first_rows(&self) -> String {
        let rows = self.first_rows.map(|rows| counted(rows, "row"));
        rows.map_or_else(String::new, |rows| format!(" in the first {rows}"))
    }

    /// The notes on the columns of a table.
    fn of_columns(&self) -> Vec<Note> {
        let mut all = Vec::new();
        if self.text_header {
            let note = Note::new(NoteCode::TextHeader, "the first row names the columns");
            all.push(note.remedy(Remedy::Header(Header::Absent)));
        }
        all.extend(self.numbers_in_quotes.iter().map(|column| {
            let words = format!("read `{}` as numbers, which are in quotes", name(column));
            let remedy = Remedy::Categorical(column.clone());
            Note::new(NoteCode::NumbersInQuotes, words).columns([column]).remedy(remedy)
        }));
        let first = self.first_rows.map(|rows| counted(rows, "row"));
        let rows = first.map_or_else(|| "rows".to_owned(), |rows| format!("first {rows}"));
        let of = self.of_first_rows();
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

impl TableNote {
    /// The note on what was found out and done.
    fn note(&self) -> Note {
        match self {
            TableNote::Utf16 => {
                Note::new(NoteCode::Encoding, "read as UTF-16, by its byte order mark")
            }
            TableNote::Encoding(encoding) => {
                let words = format!("read as {encoding}, because it is not UTF-8");
                Note::new(NoteCode::Encoding, words)
            }
            TableNote::Separator(separator) => {
                let words = format!("the cells are separated by {separator}");
                Note::new(NoteCode::Separator, words)
            }
            TableNote::Quoting(quoting) => Note::new(NoteCode::Quoting, quoting.words()),
            TableNote::TitleLines(lines) => {
                let words = format!("passed over {} above the table", counted(*lines, "line"));
                Note::new(NoteCode::TitleLines, words).count(*lines)
            }
            TableNote::FirstRowIsExample => {
                let words = "the first row is read as an example, because it has no names";
                Note::new(NoteCode::FirstRow, words).remedy(Remedy::Header(Header::Present))
            }
            TableNote::NumbersAreNames => {
                let words = "the first row names the columns, because its numbers rise or fall";
                Note::new(NoteCode::FirstRow, words).remedy(Remedy::Header(Header::Absent))
            }
            TableNote::NamesInComment => {
                let words = "the columns have their names from a line that begins with `#`";
                Note::new(NoteCode::FirstRow, words).remedy(Remedy::Header(Header::Absent))
            }
            TableNote::Nameless(columns) => {
                let words = format!("columns without a name, called {}", names(columns));
                Note::new(NoteCode::NamelessColumns, words).columns(columns)
            }
            TableNote::Doubled(columns) => {
                let words =
                    format!("columns with the name of an earlier one, called {}", names(columns));
                Note::new(NoteCode::DoubledColumns, words).columns(columns)
            }
            TableNote::RowNames => {
                let words =
                    "the rows have one cell more than the header: they begin with their names";
                Note::new(NoteCode::LongerRows, words)
            }
            TableNote::LongerRows { cells, names } => {
                let words = format!("the rows have {cells} cells, the header has {names} names");
                Note::new(NoteCode::LongerRows, words)
            }
            TableNote::Declared => {
                let words =
                    "two rows below the names say what the columns are, as Orange writes them";
                Note::new(NoteCode::DeclaredColumns, words)
            }
            TableNote::SeparatorAtEnds => {
                let words = "the separator at the end of lines is passed over";
                Note::new(NoteCode::SeparatorAtEnds, words)
            }
        }
    }
}

impl Quoting {
    /// What is not usual.
    fn words(&self) -> String {
        let sign = |byte: u8| format!("`{}`", char::from(byte));
        let quote =
            (self.quote != b'"').then(|| format!("cells are quoted with {}", sign(self.quote)));
        let escape = self.escape.map(|escape| format!("{} escapes", sign(escape)));
        let rows = self.whole_rows.then(|| "each row is within quotes".to_owned());
        let comment =
            self.comment.map(|one| format!("lines that begin with {} are comments", sign(one)));
        let all: Vec<String> = [quote, escape, rows, comment].into_iter().flatten().collect();
        all.join(", ")
    }
}

impl Decisions {
    /// The notes on what was decided; `of`: by which rows, where these are not all.
    fn list(&self, of: &str) -> Vec<Note> {
        let mut all = Vec::new();
        if let Some(label) = &self.label {
            let words = format!("the label is `{}`, by its name and values", name(label));
            all.push(Note::new(NoteCode::Label, words).columns([label]));
        }
        let left_out = |columns: Vec<&LeftOutColumn>, why: &str| {
            let columns: Vec<String> = columns.into_iter().map(|one| one.column.clone()).collect();
            let words = format!("left out {}: {why}{of}", listed(&columns));
            Note::new(NoteCode::LeftOutColumns, words).columns(&columns)
        };
        for (because, why) in [
            (LeftOutBecause::Empty, "every cell is missing"),
            (LeftOutBecause::Identifier, "identifiers of rows, or of what they are about"),
            (LeftOutBecause::OtherType, "the values are neither numbers nor text"),
            (LeftOutBecause::RowNames, "names of rows, as the file says"),
        ] {
            let columns: Vec<_> =
                self.left_out.iter().filter(|one| one.because == because).collect();
            if !columns.is_empty() {
                all.push(left_out(columns, why));
            }
        }
        all.extend(self.left_out.iter().filter_map(|one| match one.because {
            LeftOutBecause::ManyValues { values, cells } => {
                let why = format!("text with {values} different values in {cells} cells");
                Some(left_out(vec![one], &why).remedy(Remedy::Categorical(one.column.clone())))
            }
            _ => None,
        }));
        all.extend(self.doubts.iter().map(|doubt| doubt.note(of)));
        let mut rest: Vec<&ReadAs> = self.read_as.iter().collect();
        while let Some(first) = rest.first().copied() {
            let (alike, others): (Vec<&ReadAs>, Vec<&ReadAs>) =
                rest.into_iter().partition(|one| one.kind == first.kind);
            rest = others;
            let columns: Vec<String> = alike.iter().map(|one| one.column.clone()).collect();
            let (code, noun) = match &first.kind {
                ReadKind::Numbers(form) => (NoteCode::NumberForms, form.noun()),
                ReadKind::Categories => {
                    (NoteCode::Categories, "categories, as some cells are text")
                }
                ReadKind::Words => (NoteCode::Words, "prose, whose words are features"),
                ReadKind::Characters => {
                    (NoteCode::Words, "text of one or two words, whose characters are features")
                }
            };
            let words = format!("read {} as {noun}: `{}`", listed(&columns), first.example);
            all.push(Note::new(code, words).columns(&columns));
        }
        all
    }
}

impl Doubt {
    /// The note on values that may not be meant; `of`: in which rows they are, where these are not all.
    fn note(&self, of: &str) -> Note {
        let Doubt { column, cells, values } = self;
        let (shown, counted) = (name(column), counted(*cells, "cell"));
        let verb = |one: &'static str, many: &'static str| if *cells == 1 { one } else { many };
        let (code, words, remedy) = match values {
            DoubtfulValues::Far { text, is_code, least, greatest } => {
                let far = format!(
                    "{counted} of `{shown}` {} {text}, and all others {least} to {greatest}",
                    verb("is", "are")
                );
                let remedy = Remedy::MissingValue(text.clone());
                match is_code {
                    true => {
                        let words = format!("{far}: missing numbers may be written so{of}");
                        (NoteCode::MissingCodes, words, remedy)
                    }
                    false => {
                        (NoteCode::FarNumber, format!("{far}: it may be a mistake{of}"), remedy)
                    }
                }
            }
            DoubtfulValues::LeadingZeros { text, are_labels } => {
                let words = format!(
                    "{counted} of `{shown}` {} with a zero, such as {text}, which is lost in a number{of}",
                    verb("begins", "begin")
                );
                if *are_labels {
                    let note = Note::new(NoteCode::LeadingZeros, words);
                    return note.columns([column]).count(*cells);
                }
                (NoteCode::LeadingZeros, words, Remedy::Categorical(column.clone()))
            }
            DoubtfulValues::ManyCategories { categories } => {
                let words = format!("`{shown}` has {categories} categories in {counted}{of}");
                (NoteCode::ManyCategories, words, Remedy::Ignore(column.clone()))
            }
        };
        Note::new(code, words).columns([column]).count(*cells).remedy(remedy)
    }
}

/// The notes on classes whose names differ only in case, as those of misspelled labels do.
pub fn classes_by_case(classes: &[String]) -> Vec<Note> {
    let note = |same: Vec<&String>| {
        let words = format!("{} differ only in case", quoted_names(&same));
        Note::new(NoteCode::ClassesByCase, words).classes(same)
    };
    alike(classes).into_iter().map(note).collect()
}

/// The notes on the columns of a table with categories that differ only in case, one for each column.
pub fn categories_by_case(schema: &Schema) -> Vec<Note> {
    let Inputs::Columns(columns) = &schema.inputs else { return Vec::new() };
    let note = |column: &Column| {
        let groups = alike(column.categories.as_ref()?);
        let first = groups.first()?;
        let more = match groups.len() {
            1 => String::new(),
            all => format!(" (and {} more)", all - 1),
        };
        let words = format!(
            "{} of `{}` differ only in case{more}",
            quoted_names(first),
            name(&column.name)
        );
        Some(Note::new(NoteCode::CategoriesByCase, words).columns([&column.name]))
    };
    columns.features.iter().filter_map(note).collect()
}

/// The names that differ only in case, in groups of two or more, as they come.
fn alike(names: &[String]) -> Vec<Vec<&String>> {
    let mut groups: Vec<Vec<&String>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for name in names {
        let group = *known.entry(name.to_lowercase()).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(name),
            None => groups.push(vec![name]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Columns by their names, and their number if they are several.
fn listed(columns: &[String]) -> String {
    match columns {
        [one] => format!("`{}`", name(one)),
        _ => format!("{} ({})", counted(columns.len() as u64, "column"), names(columns)),
    }
}

fn filled_note(with: &str, filled: &[&Filled]) -> Note {
    let columns: Vec<String> = filled.iter().map(|one| one.column.clone()).collect();
    let cells = filled.iter().map(|one| one.cells).sum();
    let (shown, counted) = (listed(&columns), counted(cells, "missing cell"));
    let words = match with {
        "" => format!("{counted} of {shown}: a category of its own"),
        with => format!("filled {counted} of {shown} with {with}"),
    };
    Note::new(NoteCode::FilledCells, words).columns(&columns).count(cells)
}

impl Filled {
    /// The notes on what stands in for missing cells: one for each column, or for all with the same if they are many.
    pub fn notes(filled: &[Filled], schema: &Schema) -> Vec<Note> {
        const MANY: usize = 4;
        let mut groups: Vec<(&str, Vec<&Filled>)> = Vec::new();
        for one in filled {
            let with = one.stand_in(schema);
            match groups.iter_mut().find(|(other, _)| *other == with) {
                Some((_, group)) => group.push(one),
                None => groups.push((with, vec![one])),
            }
        }
        let mut notes = Vec::new();
        for (with, group) in groups {
            match group.len() < MANY {
                true => notes.extend(group.iter().map(|one| filled_note(with, &[one]))),
                false => notes.push(filled_note(with, &group)),
            }
        }
        notes
    }

    /// What stands in for the cells; nothing if they are a category of their own.
    fn stand_in(&self, schema: &Schema) -> &'static str {
        let column = match &schema.inputs {
            Inputs::Columns(columns) => columns.features.iter().find(|one| one.name == self.column),
            Inputs::Indexed { .. } => None,
        };
        // The value follows from the examples to learn from, of which some may still be held out.
        match column.and_then(|column| column.missing) {
            Some(Missing { fill: Fill::Mean, .. }) => "the mean",
            Some(Missing { fill: Fill::Median, .. }) => "the median",
            Some(Missing { fill: Fill::Zero, .. }) => "0",
            _ => "",
        }
    }
}
